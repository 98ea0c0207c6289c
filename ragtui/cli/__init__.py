"""The command line: one file per verb, results to stdout, all else to stderr."""
