"""What a form cannot say: told before a set is written in it, with counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ragtui.dataset.export.ragas import needed_chunks
from ragtui.dataset.export.scored_lists import scored_lists
from ragtui.dataset.export.simple_gold import one_grade_each
from ragtui.dataset.faults import Faults
from ragtui.dataset.model import EvaluationSet, Run, SetSettings

Told = Callable[[EvaluationSet, Faults], None]


def losses(evaluation: EvaluationSet, form: str) -> Faults:
    """Warnings for everything of a set that is not in it any more once it was written in `form`."""
    found = Faults()
    for tell in _LOSSES.get(form, ()):
        tell(evaluation, found)
    return found


def _count(found: Faults, kind: str, n: int) -> None:
    if n:
        found.warning(kind, n=n)


def _groups_and_roles(evaluation: EvaluationSet, found: Faults) -> None:
    gold = evaluation.gold
    _count(found, "lost-groups", int(gold["group"].notna().sum()))
    _count(found, "lost-roles", int(gold["role"].notna().sum()))


def _reasons(evaluation: EvaluationSet, found: Faults) -> None:
    gold = evaluation.gold
    _count(found, "lost-reasons", int(((gold["reason"] != "") | (gold["annotator"] != "")).sum()))


def _annotators(evaluation: EvaluationSet, found: Faults) -> None:
    _count(found, "decided-grades", one_grade_each(evaluation.gold)[1])


def _fractions(evaluation: EvaluationSet, found: Faults) -> None:
    _count(found, "fractional-grades", int((evaluation.gold["grade"] % 1 != 0).sum()))


def _irrelevant(evaluation: EvaluationSet, found: Faults) -> None:
    kept = sum(map(len, needed_chunks(evaluation).values()))
    _count(found, "lost-grades", len(one_grade_each(evaluation.gold)[0]) - kept)


def _corpus(evaluation: EvaluationSet, found: Faults) -> None:
    _count(found, "lost-texts", len(evaluation.chunks))


def _unretrieved(evaluation: EvaluationSet, found: Faults) -> None:
    """Chunks that stand in no list and no gold of any query."""
    shown = set().union(*(run.lists.vocabulary for run in evaluation.runs.values()))
    shown.update(one for ids in needed_chunks(evaluation).values() for one in ids)
    _count(found, "lost-chunks", sum(one not in shown for one in evaluation.chunks.index))


def _contexts_without_text(evaluation: EvaluationSet, found: Faults) -> None:
    shown = set().union(*(run.lists.vocabulary for run in evaluation.runs.values()))
    shown.update(one for ids in needed_chunks(evaluation).values() for one in ids)
    known = set(evaluation.chunks.index[evaluation.chunks["text"] != ""])
    _count(found, "empty-contexts", len(shown - known))


def _metadata_but(*kept: str) -> Told:
    def tell(evaluation: EvaluationSet, found: Faults) -> None:
        queries = evaluation.queries
        names = [
            name
            for name in queries.columns
            if name not in kept and (queries[name].any() if name == "core" else queries[name].notna().any())
        ]
        if names:
            found.warning("lost-metadata", n=len(names), names=", ".join(names))

    return tell


def _settings(evaluation: EvaluationSet, found: Faults) -> None:
    if evaluation.settings != SetSettings():
        found.warning("lost-settings")


def _splits(evaluation: EvaluationSet, found: Faults) -> None:
    if len(evaluation.splits) > 1:
        found.warning("lost-splits", n=len(evaluation.splits))


def _beside_lists(run: Run) -> bool:
    return bool(run.stages or run.errors) or any(
        part is not None for part in (run.card, run.latency_ms, run.routes, run.answers)
    )


def _run_parts(evaluation: EvaluationSet, found: Faults) -> None:
    names = [name for name, run in evaluation.runs.items() if _beside_lists(run)]
    if names:
        found.warning("lost-run-parts", n=len(names), names=", ".join(names))


def _order(evaluation: EvaluationSet, found: Faults) -> None:
    """Tools that sort by score: repeats go, and scores that say another order are replaced."""
    for name, run in evaluation.runs.items():
        scored = scored_lists(run)
        if scored.repeats:
            found.warning("lost-repeats", n=scored.repeats, run=name)
        if scored.replaced:
            found.warning("replaced-scores", run=name)
        elif run.direction == "lower":
            found.warning("negated-scores", run=name)


def _empty_lists(evaluation: EvaluationSet, found: Faults) -> None:
    for name, run in evaluation.runs.items():
        n = int(np.count_nonzero(run.lists.lengths == 0))
        if n:
            found.warning("lost-empty-lists", n=n, run=name)


_LOSSES: Mapping[str, tuple[Told, ...]] = {
    "trec": (
        _settings,
        _corpus,
        _metadata_but("text"),
        _groups_and_roles,
        _reasons,
        _annotators,
        _fractions,
        _run_parts,
        _order,
        _empty_lists,
    ),
    "beir": (_settings, _groups_and_roles, _reasons, _annotators, _fractions, _run_parts, _order),
    "ragas": (
        _settings,
        _splits,
        _unretrieved,
        _contexts_without_text,
        _metadata_but("text", "reference", "answerable"),
        _groups_and_roles,
        _reasons,
        _annotators,
        _irrelevant,
        _run_parts,
    ),
    "parquet": (_settings, _run_parts, _empty_lists),
}
"""What each form cannot say; the native folder says everything."""
