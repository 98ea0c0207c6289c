"""Which of two answers people prefer, beside the scores of a model: files of RAGChecker's meta-evaluation.

Such files say nothing of contexts. They show how far people agree with each other, and a checker with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from ragtui.errors import RagtuiError
from ragtui.inert import inert

Aspect = Literal["correctness", "completeness", "overall"]
SCALE = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""From the first answer is much better to the second is."""


def read_preferences(people: Path, model: Path, aspect: Aspect) -> pd.DataFrame:
    """Preferences of two annotators and the difference of a model's scores, pair by pair.

    Args:
        people: JSON list with two records for each pair: `instance_id` and `<aspect>_label` on `SCALE`.
        model: JSON list with a record for each pair, and for each answer (`model1`, `model2`) the scores of
            the checker under `ragchecker`.
        aspect: what is compared.

    Returns:
        Index instance_id, columns `first` and `second` (annotators, in order of the file) and `model` (score
        of the second answer − that of the first).

    Raises:
        RagtuiError: a file is not of this form, or a pair does not have two annotators.
    """
    name = f"{aspect}_label"
    labels: dict[int, list[float]] = {}
    differences: dict[int, float] = {}
    try:
        for record in _records(people):
            labels.setdefault(int(record["instance_id"]), []).append(float(record[name]))
        for record in _records(model):
            first, second = (float(record[answer]["ragchecker"][name]) for answer in ("model1", "model2"))
            differences[int(record["instance_id"])] = second - first
    except (KeyError, TypeError, ValueError) as error:
        reason = inert(f"{type(error).__name__}: {error}")
        raise RagtuiError("judging.bad-preferences", where=f"{people}, {model}", reason=reason) from error
    if any(len(given) != 2 for given in labels.values()) or labels.keys() != differences.keys():
        raise RagtuiError("judging.bad-preferences", where=str(people), reason="2 × instance_id")
    pairs = np.array([labels[instance] for instance in labels], dtype=np.float64).reshape(-1, 2)
    columns = {
        "first": pairs[:, 0],
        "second": pairs[:, 1],
        "model": [differences[instance] for instance in labels],
    }
    return pd.DataFrame(columns, index=pd.Index(list(labels), name="instance_id"))


def _records(file: Path) -> list[Mapping[str, Any]]:
    try:
        records = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise RagtuiError("judging.bad-preferences", where=str(file), reason=inert(str(error))) from error
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise RagtuiError("judging.bad-preferences", where=str(file), reason=type(records).__name__)
    return records
