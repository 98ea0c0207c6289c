"""What the detail screen shows of one query, made from its evidence. Knows no Textual."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ragtui.analysis.evidence import Card as Retrieved
from ragtui.analysis.evidence import GoldEvidence, Place, QueryEvidence
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.cards import Between, Card, Entry
from ragtui.tui.state.figures import grade_text, score_text
from ragtui.tui.state.pieces import Fact, Piece, Row, total

QUERY_LINES = 3
"""Lines of the query at the top; a longer one is the last card of the gold pane as well."""

REFERENCE, QUERY = "reference", "query"

_RANK_CELLS = 4


@dataclass(frozen=True, slots=True)
class Pane:
    """A title and what stands below it.

    Attributes:
        start: key of the card that is selected at first; None where there is no card.
    """

    title: str
    entries: tuple[Entry, ...]
    start: str | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """What can be selected, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Card))

    def twin_of(self, name: str) -> str | None:
        """Key of the first card of the chunk called `name`."""
        return next((card.key for card in self.cards if name and card.name == name), None)


def heading(evidence: QueryEvidence, at: int, count: int, width: int, *, marked: bool) -> list[Row]:
    """The id and the query, up to three lines of it, and which of how many it is."""
    mark = "* " if marked else ""
    place = (Piece(mark, "accent", bold=True), Piece(t("detail.place", at=at + 1, n=count), "dim"))
    name = cells.crop(shown(evidence.query_id), width // 3)
    indent = cells.width(name) + 2
    room = max(width - indent - total(place) - 2, 8)
    text = " ".join(shown(evidence.text[: room * 2 * (QUERY_LINES + 1)]).split())
    lines = cells.wrap(text, room, QUERY_LINES) if text else [t("detail.no-query-text")]
    first = Row((Piece(name, "dim"), Piece("  "), Piece(lines[0], bold=True)), place)
    return [first, *(Row((Piece(" " * indent), Piece(line, bold=True))) for line in lines[1:])]


def retrieved_pane(evidence: QueryEvidence) -> Pane:
    """The list of the run in order, with its cuts."""
    if evidence.stage:
        title = t(
            "detail.pane.stage", stage=shown(evidence.stage), run=shown(evidence.run), n=evidence.returned
        )
    else:
        title = t("detail.pane.retrieved", run=shown(evidence.run), n=evidence.returned)
    if evidence.direction == "lower":
        title += t("detail.pane.distances")
    cards = evidence.retrieved
    if not cards:
        return Pane(title, (Between(sentence=(_why_nothing(evidence),)),))
    label_width = max(cells.width(_label(card)[0]) for card in cards)
    has_texts = any(card.text is not None for card in cards)
    prompt_ends = _end_of_prompt(cards)
    entries: list[Entry] = []
    for index, card in enumerate(cards):
        entry = _retrieved_card(card, label_width, tells_prompt=prompt_ends is None, has_texts=has_texts)
        # what came instead is read first, so for a twin far below the list stays at its top
        entries.append(replace(entry, is_near=card.rank is not None and card.rank <= evidence.k))
        cut = _cut(evidence, cards, index, prompt_ends)
        if cut:
            entries.append(cut)
    more = evidence.returned - sum(card.rank is not None for card in cards)
    if more > 0:
        entries.append(Between(sentence=(Piece(t("detail.more-results", n=more), "dim"),)))
    return Pane(title, tuple(entries), start=entries[0].key if isinstance(entries[0], Card) else None)


def gold_pane(evidence: QueryEvidence) -> Pane:
    """What the query needs, missed first, then the reference answer and labels below the level."""
    entries: list[Entry] = [*_verdict_on_gold(evidence)]
    for _, alike in groupby(evidence.needs, key=lambda need: need.label.group or need.chunk_id):
        entries += _group(list(alike), evidence)
    if evidence.reference:
        entries.append(
            Card(REFERENCE, Piece(""), t("detail.reference"), "", text=evidence.reference, lines=QUERY_LINES)
        )
    if evidence.others:
        entries.append(_section(t("detail.also-labelled")))
        entries += [_other_label(gold) for gold in evidence.others]
    if len(evidence.text) > 160:
        entries.append(Card(QUERY, Piece(""), t("detail.whole-query"), "", text=evidence.text))
    start = next((entry.key for entry in entries if isinstance(entry, Card)), None)
    return Pane(_gold_title(evidence), tuple(entries), start)


def _gold_title(evidence: QueryEvidence) -> str:
    if evidence.state == "no-answer":
        return t("detail.pane.no-answer")
    if evidence.state == "no-gold":
        return t("detail.pane.no-gold")
    missed = evidence.groups - evidence.groups_found
    if not missed:
        return t("detail.pane.all-found", n=evidence.groups)
    return t("detail.pane.missed", missed=missed, n=evidence.groups)


def _verdict_on_gold(evidence: QueryEvidence) -> Iterator[Between]:
    """What is to be said before any gold: that there is none to find."""
    if evidence.state == "no-answer":
        yield Between(sentence=(Piece(t("detail.nothing-to-find")),))
        if evidence.top is not None and evidence.top.score is not None:
            top = t("detail.top-1", score=score_text(evidence.top.score), chunk=shown(evidence.top.chunk_id))
            yield Between(sentence=(Piece(top, "dim"),))
    elif evidence.state == "no-gold":
        key = "detail.below-level" if evidence.others else "detail.nobody-judged"
        yield Between(sentence=(Piece(t(key, level=grade_text(evidence.level)), "partial"),))


def _why_nothing(evidence: QueryEvidence) -> Piece:
    if evidence.run_state == "failed":
        return Piece(
            t("detail.run-failed", run=shown(evidence.run), error=shown(evidence.error[:500])), "miss"
        )
    if evidence.run_state == "lacks":
        return Piece(t("detail.run-lacks", run=shown(evidence.run)), "miss")
    return Piece(t("detail.run-empty", run=shown(evidence.run)), "miss")


def _retrieved_card(card: Retrieved, label_width: int, *, tells_prompt: bool, has_texts: bool) -> Card:
    label, ink = _label(card)
    score = "" if card.score is None else score_text(card.score)
    if card.repeat_of is not None:
        return Card(
            key=f"{card.chunk_id} {card.position}",
            lead=Piece("  =", "dim"),
            title=t("detail.repeat", rank=card.repeat_of),
            name=card.chunk_id,
            right=(Piece(f"{cells.pad(score, 6, 'right')}  {' ' * label_width}", "dim"),),
            text=card.text,
            is_quiet=True,
            indent=_RANK_CELLS,
        )
    told: tuple[tuple[Fact, ...], ...] = ()
    if card.text is None and has_texts:
        told = (((Piece(t("detail.not-in-corpus"), "miss"),),),)
    if tells_prompt and card.in_prompt:
        told += (((Piece(t("detail.in-prompt"), "dim"),),),)
    return Card(
        key=card.chunk_id,
        lead=Piece(f"{card.rank:>3}", "dim"),
        title=card.title,
        name=card.chunk_id,
        right=(Piece(f"{cells.pad(score, 6, 'right')}  ", "dim"), Piece(cells.pad(label, label_width), ink)),
        text=card.text,
        reason=card.label.reason if card.label and card.label.is_distractor else "",
        facts=told,
        indent=_RANK_CELLS,
    )


def _label(card: Retrieved) -> tuple[str, Ink]:
    """What the gold says of a retrieved chunk, and how loud."""
    if card.label is None:
        return t("detail.gold", grade="?"), "dim"
    if card.label.is_distractor:
        return t("detail.distractor"), "miss"
    return t("detail.gold", grade=grade_text(card.label.grade)), "found" if card.is_relevant else "dim"


def _end_of_prompt(cards: Sequence[Retrieved]) -> int | None:
    """How many cards were in the prompt, where those are the first ones; None where that is no cut."""
    inside = [bool(card.in_prompt) for card in cards if card.rank is not None]
    count = sum(inside)
    return count if count and all(inside[:count]) else None


def _cut(
    evidence: QueryEvidence, cards: Sequence[Retrieved], index: int, prompt_ends: int | None
) -> Between | None:
    """The line below a card where the first K end, or what went into the prompt."""
    rank = cards[index].rank
    following = cards[index + 1 :]
    if following and following[0].rank is None:
        return None  # a repeat belongs to the rank above it
    if rank is None:
        rank = max((card.rank for card in cards[:index] if card.rank), default=0)
    names = [t("detail.cut.k", k=evidence.k)] if rank == evidence.k else []
    names += [t("detail.cut.prompt")] if rank == prompt_ends else []
    if not names:
        return None
    return Between((Row((Piece(f"-- {' = '.join(names)} ", "accent"),), is_rule=True),))


def _group(needs: Sequence[GoldEvidence], evidence: QueryEvidence) -> Iterator[Entry]:
    """The members of one evidence group: under one heading where any of several would do."""
    if len(needs) == 1:
        yield _need_card(needs[0], evidence, in_group=False)
        return
    is_missed = not needs[0].is_covered
    lead = Piece("x " if is_missed else "  ", "miss", bold=is_missed)
    name = t("detail.any-of", n=len(needs), group=shown(needs[0].label.group or ""))
    yield Between((Row((lead, Piece(name, "dim"))),))
    for need in needs:
        yield _need_card(need, evidence, in_group=True)


def _need_card(need: GoldEvidence, evidence: QueryEvidence, *, in_group: bool) -> Card:
    is_missed = not need.is_covered
    lead = "x" if is_missed and not in_group else "|" if in_group else ""
    return Card(
        key=need.chunk_id,
        lead=Piece(lead, "dim" if in_group else "miss", bold=is_missed and not in_group),
        title=need.title,
        name=need.chunk_id,
        right=(
            Piece(t("detail.gold", grade=grade_text(need.label.grade)), "dim"),
            Piece("  "),
            _standing(need, evidence),
        ),
        text=need.text,
        words=need.shared_words,
        reason=need.label.reason,
        facts=tuple(paragraph for paragraph in _facts(need, evidence) if paragraph),
        is_quiet=need.is_covered and not need.is_found,
        in_group=in_group,
    )


def _standing(gold: GoldEvidence, evidence: QueryEvidence) -> Piece:
    """Where a labelled chunk stands in the list; loud where it was needed and is not in the first K."""
    if gold.is_found:
        return Piece(f"@{gold.rank}", "found")
    is_loud = not gold.is_covered
    if gold.rank is not None:
        return Piece(t("detail.rank", rank=gold.rank), "partial" if is_loud else "dim", bold=is_loud)
    if not evidence.returned:
        return Piece(t("detail.not-retrieved"), "miss" if is_loud else "dim", bold=is_loud)
    return Piece(t("detail.not-in-top", n=evidence.returned), "miss" if is_loud else "dim", bold=is_loud)


def _facts(need: GoldEvidence, evidence: QueryEvidence) -> Iterator[tuple[Fact, ...]]:
    """What helps to see why, in paragraphs."""
    if need.text is None:
        yield ((Piece(t("detail.gold-not-in-corpus"), "miss"),),)
    ranks = tuple(_in_run(run, rank, evidence.k) for run, rank in need.ranks.items())
    if need.is_covered:
        yield ranks if len(ranks) > 1 else ()
        yield tuple(_older(need.older_above))
        return
    yield (*(ranks if len(ranks) > 1 else ()), *_gap(need.under_k, evidence.k))
    distractors = [place for place in need.distractors_above if place != need.older_above]
    # they are the same for every chunk that was missed, so they are told once
    told = distractors if need is evidence.needs[0] else []
    yield (*_neighbour(need.neighbour, evidence.k), *_older(need.older_above), *_distractors(told))
    if need.text is not None:
        yield tuple(_shared(need.shared_words))


def _in_run(run: str, rank: int | None, k: int) -> Fact:
    ink: Ink = "dim" if rank is None else "found" if rank <= k else "text"
    return (Piece(f"{cells.crop(shown(run), 24)} ", "dim"), Piece("-" if rank is None else str(rank), ink))


def _gap(under_k: float | None, k: int) -> Iterator[Fact]:
    if under_k == 0:
        yield (Piece(t("detail.fact.tied", k=k), "partial"),)
    elif under_k is not None:
        yield (Piece(t("detail.fact.under", gap=score_text(under_k), k=k)),)


def _neighbour(place: Place | None, k: int) -> Iterator[Fact]:
    if place is not None:
        ink: Ink = "partial" if place.rank <= k else "dim"
        yield (Piece(t("detail.fact.neighbour", chunk=shown(place.chunk_id), rank=place.rank), ink),)


def _older(place: Place | None) -> Iterator[Fact]:
    if place is not None:
        yield (Piece(t("detail.fact.older", chunk=shown(place.chunk_id), rank=place.rank), "partial"),)


def _distractors(places: Sequence[Place]) -> Iterator[Fact]:
    for place in places[:3]:
        yield (Piece(t("detail.fact.distractor", chunk=shown(place.chunk_id), rank=place.rank), "partial"),)


def _shared(words: Sequence[str]) -> Iterator[Fact]:
    if not words:
        yield (Piece(t("detail.fact.no-word-shared"), "partial"),)
        return
    yield (
        Piece(f"{t('detail.fact.shared')} ", "dim"),
        Piece("  ".join(shown(word) for word in words[:12]), underline=True),
    )


def _other_label(gold: GoldEvidence) -> Card:
    """A label that asks for nothing; loud where it is a distractor in the first K."""
    misleads = gold.label.is_distractor and gold.is_found
    ink: Ink = "miss" if misleads else "dim"
    label = (
        t("detail.distractor")
        if gold.label.is_distractor
        else t("detail.gold", grade=grade_text(gold.label.grade))
    )
    place = Piece(f"@{gold.rank}", ink) if gold.rank is not None else Piece("-", "dim")
    return Card(
        key=gold.chunk_id,
        lead=Piece(""),
        title=gold.title,
        name=gold.chunk_id,
        right=(Piece(label, ink), Piece(cells.pad(place.text, 5, "right"), place.ink)),
        text=gold.text,
        reason=gold.label.reason,
        is_quiet=True,
    )


def _section(title: str) -> Between:
    return Between((Row((Piece(title, "dim"), Piece(" ")), is_rule=True),))
