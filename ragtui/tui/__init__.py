"""The terminal app. Only here is Textual imported."""
