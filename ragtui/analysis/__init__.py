"""Answers: the per-query table, filters, slices, evidence."""
