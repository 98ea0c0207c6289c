"""Names of metrics as people write them: `ndcg@10`, `mrr`, `hit_strict@5`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = re.compile(r"([a-z]+(?:_[a-z]+)*)(?:@([1-9]\d{0,8}))?")  # beyond nine digits no list is long enough


@dataclass(frozen=True, slots=True)
class MetricName:
    """A metric, and the rank it is cut at; `k` is None where the name says none."""

    metric: str
    k: int | None = None

    def __str__(self) -> str:
        return self.metric if self.k is None else f"{self.metric}@{self.k}"


def parse_name(text: str) -> MetricName | None:
    """Name in `text`, in any case and with `-` for `_`; None where `text` is no name at all.

    Whether there is such a metric is a question for the catalogue.
    """
    match = _NAME.fullmatch(text.strip().lower().replace("-", "_"))
    if match is None:
        return None
    metric, k = match.groups()
    return MetricName(metric, int(k) if k else None)
