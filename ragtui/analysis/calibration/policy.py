"""What production code asks: answer this query, or refuse it? Nothing heavy is imported."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from ragtui.analysis.calibration.score_names import score_name
from ragtui.errors import RagtuiError


def should_refuse(scores: Iterable[float], policy: Mapping[str, Any], *, model: str | None = None) -> bool:
    """Whether to say "I do not know" instead of answering from what was retrieved.

        with open("thresholds.toml", "rb") as file:
            policy = tomllib.load(file)["thresholds"]["e5-small"]
        if ragtui.should_refuse([hit.score for hit in hits], policy, model="multilingual-e5-small"):
            return "I do not know."

    Args:
        scores: of the retrieved chunks, best first and each chunk once, as many as the score of the policy
            needs: one for `top1`, two for `margin`, K for `mean@K`; more do no harm. No scores at all are
            refused, and so is a single one where the policy wants a margin.
        policy: one table of `thresholds` in a file that `ragtui calibrate --export` wrote. Its `score`,
            `direction` and `threshold` decide.
        model: the model that made the scores. Where it is given it has to be the model of the policy, for a
            threshold says nothing of the scores of another one.

    Returns:
        True where the score is below the threshold, or above it for distances. The threshold itself is
        answered.

    Raises:
        RagtuiError: the policy is none or belongs to another model, or a score is not a finite number.
    """
    try:
        name = score_name(policy["score"])
        direction = policy["direction"]
        threshold = float(policy["threshold"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RagtuiError) as error:
        raise RagtuiError("calibration.not-a-policy", what=f"{type(error).__name__}: {error}") from error
    if direction not in ("higher", "lower") or not math.isfinite(threshold):
        raise RagtuiError("calibration.not-a-policy", what=f"{direction!r}, {threshold!r}")
    if model is not None and model != policy.get("model"):
        raise RagtuiError("calibration.other-model", given=model, model=policy.get("model"))
    given = list(islice(scores, name.needs))
    try:
        used = [float(score) for score in given]
    except (TypeError, ValueError, OverflowError) as error:
        raise RagtuiError("calibration.score-not-finite", scores=given) from error
    if not all(map(math.isfinite, used)):
        raise RagtuiError("calibration.score-not-finite", scores=used)
    score = name.of(used, direction)
    if score is None:
        return True
    return score > threshold if name.direction(direction) == "lower" else score < threshold
