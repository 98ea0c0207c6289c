"""A report of a run: one page for its owner, then what engineers ask for; as Markdown or as one HTML file."""
