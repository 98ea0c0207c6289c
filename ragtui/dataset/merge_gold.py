"""Makes one set of judgments: gold files before inline gold, repeats merged, conflicts found."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ragtui.dataset.faults import Faults
from ragtui.dataset.readers.gold_columns import GoldColumns
from ragtui.dataset.readers.rows import DISTRACTOR, GoldRow, Parts


def effective_gold(parts: Parts, faults: Faults) -> GoldColumns:
    """The judgments that count.

    A gold file beats gold inside queries, which then only adds groups and distractors.
    """
    inside = parts.inline_gold
    if parts.gold is None:
        return GoldColumns.of(inside or [])
    if inside is None:
        return GoldColumns.of(parts.gold)
    faults.note("gold-file-beats-inline", parts.queries_file or parts.path, n=len(inside))
    return GoldColumns.of(_with_inline(parts, inside, faults))


def merged(gold: GoldColumns, faults: Faults) -> GoldColumns:
    """Each (split, query, chunk, annotator) once, in order of first appearance.

    The same grade again is merged and counted, what the first row leaves unsaid is taken from the later one.
    Another grade is an error that names both lines, another group a warning.
    """
    return GoldColumns.of(_merged_rows(list(gold), faults)) if _has_repeats(gold) else gold


def _has_repeats(gold: GoldColumns) -> bool:
    """Whether any (split, query, chunk, annotator) is there twice; in most files none is."""
    if not gold.codes.has_repeats:
        return False
    keys = {"pair": gold.codes.keys, "split": gold.split, "annotator": gold.column("annotator")}
    return bool(pd.DataFrame(keys).duplicated().any())


def _merged_rows(rows: Sequence[GoldRow], faults: Faults) -> list[GoldRow]:
    found: dict[tuple[str, str, str, str], GoldRow] = {}
    repeats = 0
    for row in rows:
        key = (row.split, row.query_id, row.chunk_id, row.annotator)
        first = found.setdefault(key, row)
        if first is row:
            continue
        if first.grade != row.grade:
            _conflict(first, row, faults)
            continue
        repeats += 1
        if first.group is not None and row.group is not None and first.group != row.group:
            faults.warning(
                "chunk-in-two-groups", row.file or "", row.line, query=row.query_id, chunk=row.chunk_id
            )
        found[key] = first._replace(
            reason=first.reason or row.reason,
            group=first.group if first.group is not None else row.group,
            role=first.role or row.role,
        )
    if repeats:
        faults.note("gold-merged", rows[0].file or "", n=repeats)
    return list(found.values())


def _conflict(first: GoldRow, row: GoldRow, faults: Faults) -> None:
    faults.error(
        "grades-conflict",
        row.file or "",
        row.line,
        query=row.query_id,
        chunk=row.chunk_id,
        grade=f"{row.grade:g}",
        first_grade=f"{first.grade:g}",
        first=f"{first.file}:{first.line}" if first.file != row.file else first.line,
    )


def _with_inline(parts: Parts, inside: Sequence[GoldRow], faults: Faults) -> list[GoldRow]:
    """The gold file with groups and distractors of the inline gold, as far as they agree with it."""
    described = {(row.query_id, row.chunk_id): row for row in inside if row.group is not None or row.role}
    rows = []
    disagree = 0
    for row in parts.gold or ():
        said = described.pop((row.query_id, row.chunk_id), None)
        if said is not None and said.role == DISTRACTOR and row.grade >= parts.settings.level:
            disagree += 1
        elif said is not None:
            group = row.group if row.group is not None else said.group
            rows.append(row._replace(group=group, role=row.role or said.role))
            continue
        rows.append(row)
    split_of = {row.query_id: row.split for row in rows}
    only = {row.split for row in rows}
    for said in described.values():
        split = split_of.get(said.query_id, next(iter(only)) if len(only) == 1 else None)
        if said.role == DISTRACTOR and split is not None:
            rows.append(said._replace(split=split))
    if disagree:
        faults.warning("distractor-is-relevant", parts.queries_file or "", n=disagree)
    return rows
