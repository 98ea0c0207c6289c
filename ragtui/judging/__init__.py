"""Judges: rubrics and rules that say what retrieved contexts are worth, and how far they can be believed."""
