"""Causes in words: the cell of a list, the line below it, what was decided and undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ragtui.analysis.causes.catalogue import Cause, cause_named
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.review.events import Decision, Event, Grade, Guard, Note, Tag
from ragtui.tui import cells
from ragtui.tui.actions import BY_ID, key_name
from ragtui.tui.glyphs import shown, shown_flat
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.figures import grade_text, share_text, time_text
from ragtui.tui.state.pieces import Fact, Piece, Row, flow
from ragtui.tui.state.query_cells import DONE
from ragtui.tui.state.rows import Cell

if TYPE_CHECKING:
    from ragtui.review.adjudication import Disputed
    from ragtui.tui.state.review import Hint, Progress, Sitting


def title_of(cause: str, causes: Iterable[Cause]) -> str:
    """Short name of a cause, fit to be shown; of one that the set has no longer, its name."""
    try:
        return shown(cause_named(cause, causes).title())
    except RagtuiError:
        return shown(cause)


def titles(names: Sequence[str], causes: Iterable[Cause]) -> str:
    """Several causes in a row."""
    known = tuple(causes)
    return ", ".join(title_of(name, known) for name in names)


def cause_cell(sitting: Sitting, query_id: str) -> Cell:
    """What a list says of the cause of a query: the one that was given, else the suggested one with a `?`."""
    given = sitting.causes.get(query_id)
    if given:
        more = f" +{len(given) - 1}" if len(given) > 1 else ""
        return [Piece(title_of(given[0], sitting.review.causes) + more, "found")]
    hint = sitting.hint(query_id)
    if hint.state == "withheld":
        return [Piece(t("tagging.cell.withheld"), "dim")]
    if hint.state == "shown" and hint.suggestion is not None:
        title = title_of(hint.suggestion.cause, sitting.review.causes)
        return [Piece(t("causes.suggested", title=title), "dim")]
    return [Piece(".." if hint.state == "unknown" else "", "dim")]


def cause_rows(sitting: Sitting, query_id: str | None, lines: int) -> list[Row]:
    """The line below a list or a query: its cause, or the suggested one with its evidence, and the keys.

    Args:
        sitting: what was decided.
        query_id: the query; None where none is selected.
        lines: at most so many; what to try first needs a second one.
    """
    if query_id is None:
        return []
    if sitting.read_only:
        said = t("tagging.line.read-only", why=shown(sitting.read_only))
        return [Row((_label(), Piece(said, "partial")))]
    rows = _cause_rows(sitting, query_id, lines)
    if query_id not in sitting.guarded:
        return rows
    guarded = Piece(f"{t('tagging.line.guarded')}  ", "accent")
    first = rows[0] if rows else Row()
    return [replace(first, left=(guarded, *first.left)), *rows[1:]]


def _cause_rows(sitting: Sitting, query_id: str, lines: int) -> list[Row]:
    """The cause alone."""
    hint = sitting.hint(query_id)
    if query_id in sitting.causes:
        return [_given(sitting, query_id)]
    if query_id not in sitting.failing:
        return []
    if hint.state != "shown" or hint.suggestion is None:
        said = t(f"tagging.line.{'none' if hint.state == 'shown' else hint.state}")
        return [Row((_label(), Piece(said, "dim")), _keys("tag"))]
    suggestion = hint.suggestion
    title = t("causes.suggested", title=title_of(suggestion.cause, sitting.review.causes))
    keys = _keys("accept_cause", "tag")
    first = Row((_label(), Piece(title, bold=True), Piece("  "), Piece(_flat(suggestion.evidence()))), keys)
    if lines < 2:
        return [first]
    indent = Piece(" " * cells.width(_label().text))
    return [first, Row((indent, Piece(t("tagging.line.try", what=_flat(suggestion.remedy())), "dim")))]


def _given(sitting: Sitting, query_id: str) -> Row:
    """What people gave: one's own first, those of others with their names, notes behind."""
    own, known = sitting.review.reviewer, sitting.review.causes
    pieces = [_label(), Piece(f"{DONE} ", "found", bold=True)]
    tags = {who: tag for who, tag in sitting.review.tags(query_id).items() if tag.causes}
    for who, tag in sorted(tags.items(), key=lambda one: one[0] != own):
        if len(pieces) > 2:
            pieces.append(Piece("   "))
        if who != own:
            pieces.append(Piece(f"{shown(who)} ", "dim"))
        pieces.append(Piece(titles(tag.causes, known), bold=who == own))
        if tag.note:
            pieces.append(Piece(f"  {_flat(tag.note)}", "dim"))
    return Row(tuple(pieces), _keys("tag"))


def _label() -> Piece:
    return Piece(f"{t('tagging.line.cause')}  ", "dim")


def _keys(*actions: str) -> Fact:
    pieces: list[Piece] = []
    for name in actions:
        action = BY_ID[name]
        pieces += [
            Piece("   " if pieces else "  "),
            Piece(key_name(action.keys[0]), "accent", bold=True),
            Piece(f" {action.name}"),
        ]
    return tuple(pieces)


def _flat(text: str) -> str:
    return shown_flat(text[:400])


def grade_choices(scale: Sequence[float], now: float | None) -> list[Choice]:
    """Grades to choose from, each by its digit where it is one, with what it usually means."""
    usual = {(0.0, 1.0): "two", (0.0, 1.0, 2.0): "three", (0.0, 1.0, 2.0, 3.0): "four"}.get(tuple(scale))
    return [
        Choice(
            str(float(grade)),
            grade_text(grade) if usual is None else t(f"tagging.grade.{usual}-{grade:g}"),
            t("tagging.grade.now") if grade == now else "",
            key=grade_text(grade) if grade_text(grade).isdigit() and len(grade_text(grade)) == 1 else "",
        )
        for grade in scale
    ]


def raters_text(disputed: Disputed) -> str:
    """Who says what of a chunk: `ann 0, bob 1`."""
    grades = disputed.grades.items()
    return ", ".join(
        f"{shown(rater) or t('tagging.grade.unnamed')} {grade_text(grade)}" for rater, grade in grades
    )


def note_lines(sitting: Sitting, query_id: str) -> list[Fact]:
    """Notes on a query, one's own first, those of others with their names."""
    notes, own = sitting.notes(query_id), sitting.review.reviewer
    lines: list[Fact] = []
    for who, text in sorted(notes.items(), key=lambda one: one[0] != own):
        name = t("tagging.line.note") if who == own else t("tagging.line.note-of", who=shown(who))
        lines.append((Piece(f"{name}  ", "dim"), Piece(_flat(text))))
    return lines


def progress_lines(progress: Progress, width: int) -> list[Fact]:
    """How far the session is and how long the rest takes; how often rules were right unseen."""
    facts: list[Fact] = []
    session, rate = progress.session, progress.hit_rate
    if session is not None:
        said = t("tagging.progress.session", done=len(session.done), n=len(session.items))
        facts.append((Piece(said),))
        if session.left and session.seconds_left is not None:
            left = t("tagging.progress.left", time=time_text(session.seconds_left))
            facts.append((Piece(left, "dim"),))
    if rate.n and rate.share.mean is not None and rate.share.low is not None and rate.share.high is not None:
        figures = {
            "share": share_text(rate.share.mean),
            "low": share_text(rate.share.low),
            "high": share_text(rate.share.high),
        }
        said = t("tagging.progress.rules", hits=rate.hits, n=rate.n, **figures)
        facts.append((Piece(said, "dim"),))
    return [line for fact in facts for line in flow([fact], width)]


def answer_text(hint: Hint, given: Sequence[str], causes: Iterable[Cause]) -> str:
    """What the rules had suggested, told after the answer to a suggestion that was withheld; else `""`."""
    if hint.state != "withheld" or hint.suggestion is None:
        return ""
    is_hit = hint.suggestion.cause in given
    return t(f"tagging.notice.{'hit' if is_hit else 'other'}", cause=title_of(hint.suggestion.cause, causes))


def act_text(events: Sequence[Event], causes: Iterable[Cause]) -> str:
    """What one act decided, in a few words."""
    what = events[0].what
    if len(events) > 1:
        key, query = "several", str(len(events))
    else:
        key, query = "one", shown(what.query_id)
    return t(f"tagging.act.{key}", what=_what(what, causes), query=query)


def _what(what: object, causes: Iterable[Cause]) -> str:
    if isinstance(what, Tag):
        return titles(what.causes, causes) if what.causes else t("tagging.act.untagged")
    if isinstance(what, Grade):
        grade = t("tagging.act.no-grade") if what.grade is None else grade_text(what.grade)
        return t("tagging.act.grade", grade=grade, chunk=shown(what.chunk_id))
    if isinstance(what, Decision) and what.grade is not None:
        return t("tagging.act.settled", grade=grade_text(what.grade), chunk=shown(what.chunk_id))
    if isinstance(what, Guard):
        return t("tagging.act.guard" if what.on else "tagging.act.no-guard")
    if isinstance(what, Note):
        return t("tagging.act.note")
    return t("tagging.act.other")
