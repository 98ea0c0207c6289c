"""What people decided: the journal, and what follows from it."""
