"""Uncertainty: intervals, bootstrap, paired tests, agreement."""
