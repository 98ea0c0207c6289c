"""The kinds of input that open as an evaluation set."""
