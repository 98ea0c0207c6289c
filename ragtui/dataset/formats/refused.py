"""Files of other tools that hold no evaluation set: recognised, and refused with what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import layout
from ragtui.dataset.formats.glance import Glance, glance_at
from ragtui.dataset.formats.sources import NamedFiles
from ragtui.dataset.readers.rows import Parts

NAME = "refused"


def detect(seen: Glance) -> bool:
    """Whether a file is known by its fields and holds no set."""
    return _kind_of(seen) is not None


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """Say what it is and what can be done."""
    del named
    faults.error(_kind_of(glance_at(path)) or "unknown-format", path)
    return Parts(path, NAME)


def _kind_of(seen: Glance) -> str | None:
    return next((kind for kind, looks_like in _KINDS.items() if looks_like(seen)), None)


def _is_judge_output(value: object) -> bool:
    return isinstance(value, Mapping) and {"metric_input", "metric_output"} <= value.keys()


def _judged_by_metric(seen: Glance) -> bool:
    """`{metric: [{"metric_input", "metric_output", "prompts"}]}`, or one such record."""
    first = next(iter(seen.first.values()), None)
    return _is_judge_output(seen.first) or (
        isinstance(first, list) and bool(first) and _is_judge_output(first[0])
    )


def _judged_examples(seen: Glance) -> bool:
    """Examples of LlamaIndex with the score or feedback of a judge."""
    examples = seen.first.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    return isinstance(first, Mapping) and any("score" in key or "feedback" in key for key in first)


def _checked_answers(seen: Glance) -> bool:
    """`{"results": [{"query", "gt_answer", "response", ...}]}`, what RAGChecker takes and gives."""
    results = seen.first.get("results")
    first: Any = results[0] if isinstance(results, list) and results else None
    return isinstance(first, Mapping) and {"gt_answer", "response"} <= first.keys()


def _only_results(seen: Glance) -> bool:
    words = layout("run", tuple(seen.first))
    return "retrieved_ids" in seen.fields and "query_id" not in words and "text" not in words


def _only_a_corpus(seen: Glance) -> bool:
    keys = tuple(seen.first)
    words = layout("chunk", keys)
    return (
        {"chunk_id", "text"} <= words.keys()
        and ("title" in words or words["text"] != "text")
        and not layout("question", keys).keys() & {"text"}
        and not layout("sample", keys).keys() & {"text"}
        and "query_id" not in layout("gold", keys)
    )


_KINDS: Mapping[str, Callable[[Glance], bool]] = {
    "judge-outputs": _judged_by_metric,
    "judged-examples": _judged_examples,
    "checked-answers": _checked_answers,
    "preferences": lambda seen: {"model1", "model2", "query"} <= seen.fields,
    "tool-summary": lambda seen: {"module_name", "module_params"} <= seen.fields,
    "results-without-queries": _only_results,
    "predictions-alone": lambda seen: isinstance(seen.first.get("predictions"), list),
    "only-a-corpus": _only_a_corpus,
}
"""Kind of the fault and how it is recognised; the first that fits is said."""
