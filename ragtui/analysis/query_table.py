"""One row per query of a split, for one run: what the query screen, `--where`, exports and slices read."""

from __future__ import annotations
