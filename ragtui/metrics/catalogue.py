"""The catalogue of metrics: headers, tooltips, help, command line and documentation all read it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.metrics import kernels
from ragtui.metrics.kernels import Ks, Values
from ragtui.metrics.matrix import GradeMatrix
from ragtui.metrics.names import MetricName, parse_name

Kernel = Callable[[GradeMatrix, Ks], Values]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as a value.

    Attributes:
        name: as written before `@K`.
        kernel: computes it for all queries and cut-offs.
        source: where the definition comes from.
        binary: each query has 0 or 1.
        binary_at_1: likewise, but only at K = 1.
        higher_is_better: False for what should be small; None where neither end is good as such.
        highest: upper end of its range, None where there is none. The lower end is 0.
        whole_list: whether it makes sense without a cut-off.
    """

    name: str
    kernel: Kernel
    source: str
    binary: bool = False
    binary_at_1: bool = False
    higher_is_better: bool | None = True
    highest: float | None = 1.0
    whole_list: bool = True

    def is_binary_at(self, k: int | None) -> bool:
        """Whether each query has 0 or 1 at this cut-off, so that the interval is Wilson's."""
        return self.binary or (self.binary_at_1 and k == 1)

    @property
    def title(self) -> str:
        """Short enough for the header of a column."""
        return t(f"metrics.{self.name}.title")

    @property
    def formula(self) -> str:
        """The definition in words."""
        return t(f"metrics.{self.name}.formula")

    @property
    def misleads(self) -> str:
        """When the number says something else than it seems to."""
        return t(f"metrics.{self.name}.misleads")


_TREC_EVAL = "trec_eval"
_OURS = "ragtui"

METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("hit", kernels.hit, f"{_TREC_EVAL} success", binary=True),
        Metric("hit_strict", kernels.hit_strict, f"{_TREC_EVAL} success -l", binary=True, whole_list=False),
        Metric("hit_lenient", kernels.hit_lenient, _OURS, binary=True, whole_list=False),
        Metric("recall", kernels.recall, f"{_TREC_EVAL} recall"),
        Metric("precision", kernels.precision, f"{_TREC_EVAL} P", binary_at_1=True, whole_list=False),
        Metric("mrr", kernels.mrr, "Voorhees 1999, TREC-8; trec_eval recip_rank", binary_at_1=True),
        Metric("map", kernels.average_precision, "Buckley & Voorhees 2000; trec_eval map, map_cut"),
        Metric("ndcg", kernels.ndcg, "Järvelin & Kekäläinen 2002; gain of Burges et al. 2005"),
        Metric("coverage", kernels.coverage, "Zhai, Cohen & Lafferty 2003, subtopic recall"),
        Metric("complete", kernels.complete, _OURS, binary=True),
        Metric(
            "judged",
            kernels.judged,
            "ir_measures Judged",
            binary_at_1=True,
            higher_is_better=None,
            whole_list=False,
        ),
        Metric("stale", kernels.stale, _OURS, binary_at_1=True, higher_is_better=False, whole_list=False),
        Metric("tokens", kernels.tokens, _OURS, higher_is_better=False, highest=None, whole_list=False),
    )
}


_NAMES_OF_PEERS = {
    "ap": "map",
    "hit_rate": "hit",
    "hits": "hit",
    "map_cut": "map",
    "ndcg_cut": "ndcg",
    "p": "precision",
    "r": "recall",
    "recip_rank": "mrr",
    "rr": "mrr",
    "success": "hit",
}
"""What trec_eval, ranx and ir_measures call them, for people who come from there."""


def metric_name(text: str) -> MetricName:
    """The metric that `text` names.

    Raises:
        RagtuiError: there is no such metric; the message names the nearest ones.
    """
    name = parse_name(text)
    if name is None or name.metric not in METRICS:
        stem = re.sub(r"[@_]\d+$", "", text.strip().lower())
        ours = _NAMES_OF_PEERS.get(stem)
        near = [ours] if ours else difflib.get_close_matches(stem, METRICS, n=3, cutoff=0.5) or list(METRICS)
        raise RagtuiError("metrics.unknown-metric", name=text, near=", ".join(near))
    return name


def metric_of(column: str) -> Metric | None:
    """The metric of a column such as `ndcg@10`; None for columns that are no metric, such as `first_rank`."""
    name = parse_name(column)
    return METRICS.get(name.metric) if name is not None else None
