"""Readers of single files: each collects every fault and returns the rows that were right."""
