"""A page drawn: as Markdown, or as HTML with charts."""
