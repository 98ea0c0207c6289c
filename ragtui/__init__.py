"""ragtui: read a retrieval evaluation set query by query and leave with numbers that can be defended."""

__version__ = "0.1.0"
