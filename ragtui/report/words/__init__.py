"""The facts of a report put into words: one file for each part of the page."""
