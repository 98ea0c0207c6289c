"""What judging would take, how far it has come, and what it came to: the lines in the middle of screen 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ragtui import locations, settings
from ragtui.judging.plan import Asker
from ragtui.judging.progress import Progress
from ragtui.judging.scores import JudgedScore, JudgedScores
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.desk_facts import Aim, Line, Prepared
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.judging_job import Errand, JudgingJob
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import share_text, time_text
from ragtui.tui.state.pieces import Fact, Piece, Row, flow, spread, total

_BAR_MOST = 40
_LEFT_OUT = ("nothing-retrieved", "no-answer", "no-reference")
_STATES = ("partly", "failed", "unjudged", "skipped")
_NUMBERS = (13, 9, 14)


def full_name(asker: Asker) -> str:
    """Judge, version and model: how a judge is always named."""
    return shown(" ".join(part for part in (asker.judge.name, asker.judge.version, asker.model) if part))


def name_facts(line: Line, width: int) -> list[Fact]:
    """The judge in full."""
    judge = line.judge
    row = (Piece(shown(judge.name), bold=True), Piece(f" {shown(judge.version)}", "dim"))
    model = (Piece(f"   {shown(line.model)}"),) if line.model is not None else ()
    return [spread(Row((*row, *model)), width)]


def aim_fact(aim: Aim, stage: str | None, queries: int) -> Fact:
    """Of which run, which lists and how many queries."""
    key = "judges.plan.what" if stage is None else "judges.plan.what-stage"
    what = t(key, run=shown(aim.run), k=aim.k, stage=shown(stage or ""))
    count = t("judges.plan.filtered" if aim.query_ids is not None else "judges.plan.queries", n=queries)
    return (Piece(f"{what}, {count}", "accent" if aim.query_ids is not None else "dim"),)


def no_model(line: Line, rules: Sequence[str], width: int) -> list[Fact]:
    """What was looked for where a judge needs a model and none is chosen, and what works without."""
    place = shown(str(locations.settings_file()))
    variable = settings.variable_of("judge_model")
    return [
        *_lines(t("judges.no-model.title", judge=shown(line.judge.name)), width, "partial"),
        *_lines(t("judges.no-model.looked", variable=variable, file=place), width, "dim"),
        *_lines(t("judges.no-model.choose"), width),
        *_lines(t("judges.no-model.rules", judges=", ".join(map(shown, rules))), width),
    ]


def plan_facts(prepared: Prepared, width: int) -> list[Fact]:
    """Calls, tokens, cost; what is there already; what is left out and why."""
    facts: list[Fact] = []
    if prepared.calls:
        facts.append((Piece(t("judges.plan.calls", n=prepared.calls), bold=True),))
        into = sum(plan.tokens_in for plan in prepared.plans)
        out = sum(plan.tokens_out for plan in prepared.plans)
        facts.append((Piece(t("judges.plan.tokens", into=f"{into:,}", out=f"{out:,}")),))
        facts.append((Piece(money(prepared.cost), "partial" if prepared.cost is None else "text"),))
    elif prepared.open_work:
        facts.append((Piece(t("judges.plan.no-calls"), bold=True),))
    facts += [(Piece(text, ink),) for text, ink in _rest(prepared)]
    lines = flow(facts, width)
    if prepared.missing:
        said = t("judges.plan.no-key", variables=", ".join(prepared.missing))
        lines += _lines(said, width, "miss")
    return lines


def _rest(prepared: Prepared) -> Iterator[tuple[str, Ink]]:
    plans = prepared.plans
    free = sum(len(plan.free) for plan in plans)
    known = sum(plan.known for plan in plans)
    cached = sum(len(plan.cached) for plan in plans)
    too_long = sum(len(plan.too_long) for plan in plans)
    if free:
        yield t("judges.plan.free", n=free), "text"
    if known:
        yield t("judges.plan.known", n=known), "dim"
    if cached:
        yield t("judges.plan.cached", n=cached), "dim"
    if not prepared.open_work:
        yield t("judges.plan.nothing-left" if known else "judges.plan.nothing-to-judge"), "text"
    if too_long:
        yield t("judges.plan.too-long", n=too_long, window=plans[0].window), "miss"
    for state in _LEFT_OUT:
        if prepared.counts.get(state):
            yield t(f"judges.plan.left-out.{state}", n=prepared.counts[state]), "dim"
    if prepared.model is not None and prepared.model.label:
        yield t("judges.plan.server", label=shown(prepared.model.label)), "dim"


def money(cost: float | None) -> str:
    """US dollars; an unknown cost says so, and is never 0."""
    return t("judges.plan.cost-unknown") if cost is None else t("judges.plan.cost", cost=f"{cost:.4f}")


def progress_facts(job: JudgingJob, width: int) -> list[Fact]:
    """How far, how fast, how long still, what it costs, what failed, and what can be done about it."""
    progress = job.progress
    state = "paused" if job.is_paused else progress.state
    lines = [_bar(job.errand, state, progress, width), *flow(list(_figures(progress, state)), width)]
    if progress.why:
        lines += _lines(shown_lines(progress.why), width, "miss" if state == "stopped" else "partial")
    if not job.is_over:
        key = "how-paused" if state == "paused" else "how-running"
        return [*lines, (Piece(t(f"judges.progress.{key}"), "dim"),)]
    if state != "done":
        kept = t("judges.progress.kept", done=progress.done, total=progress.total)
        lines += _lines(f"{kept} {t('judges.progress.goes-on')}", width)
    elif progress.failed:
        lines.append((Piece(t("judges.progress.retry"), "dim"),))
    return lines


def _bar(errand: Errand, state: str, progress: Progress, width: int) -> Fact:
    is_measuring = state == "running" and errand.run is None
    word = t(f"judges.progress.{'measuring' if is_measuring else state}")
    ink: Ink = "miss" if state == "stopped" else "partial" if state in {"paused", "cancelled"} else "accent"
    share = progress.done / progress.total if progress.total else 1.0
    count = t("judges.progress.of", done=progress.done, total=progress.total)
    right = f" {count}  {int(100 * share):>3} %"
    room = max(4, min(_BAR_MOST, width - cells.width(word) - cells.width(right) - 2))
    full = int(share * room)
    return (
        Piece(word, ink, bold=True),
        Piece("  "),
        Piece("#" * full, "accent"),
        Piece("." * (room - full), "rule"),
        Piece(right),
    )


def _figures(progress: Progress, state: str) -> Iterator[Fact]:
    if state == "running" and progress.rate is not None:
        yield (Piece(t("judges.progress.rate", rate=f"{progress.rate:.1f}")),)
        if progress.left is not None:
            yield (Piece(t("judges.progress.left", time=time_text(progress.left))),)
    if progress.calls:
        spent = t("judges.progress.spent", cost=money(progress.cost))
        yield (Piece(money(None) if progress.cost is None else spent),)
    if progress.cached:
        yield (Piece(t("judges.progress.cached", n=progress.cached), "dim"),)
    if progress.failures:
        yield (Piece(t("judges.progress.failed", kinds=kinds_text(progress.failures)), "miss", bold=True),)


def kinds_text(failures: Mapping[str, int]) -> str:
    """Failures by kind: `timed out 2, refused 1`."""
    named = sorted(failures.items(), key=lambda kind: (-kind[1], kind[0]))
    return ", ".join(f"{t(f'judges.status.{kind}')} {n}" for kind, n in named)


def footer_text(job: JudgingJob) -> str:
    """The job in at most 30 cells: how far, how long still, how many failed."""
    progress = job.progress
    key = "paused" if job.is_paused else "running"
    parts = [t(f"judges.footer.{key}", done=progress.done, total=progress.total)]
    if progress.failed:
        parts.append(t("judges.footer.failed", n=progress.failed))
    elif key == "running" and progress.left is not None:
        parts.append(time_text(progress.left))
    return "  ".join(parts)


def score_facts(
    scores: JudgedScores, width: int, *, over_outcome: bool = False, names_failures: bool = True
) -> list[Fact]:
    """Each score with interval, coverage and the range if failures were 0 or 1; then what is missing."""
    counts = [t(f"judges.score.{name}", n=scores.counts[name]) for name in _STATES if scores.counts.get(name)]
    if not {"scored", "partly", "failed", "nothing-retrieved"} & set(scores.counts):
        return _lines(t("judges.score.none"), width, "dim")
    first = max(cells.width(name) for name in ("score", *scores.scores)) + 2
    heads = [t(f"judges.score.{name}") for name in ("name", "mean", "interval", "queries", "range")]
    lines = [_score_line(heads, first, width, "dim")]
    for name, score in scores.scores.items():
        lines.append(_score_line([name, *_score_cells(score, over_outcome)], first, width, "text"))
    if over_outcome:
        lines += _lines(t("judges.score.no-mean"), width, "dim")
    if scores.failures and names_failures:
        failed = t("judges.progress.failed", kinds=kinds_text(scores.failures))
        lines += _lines(failed, width, "miss")
    return [*lines, *flow([(Piece(text, "dim"),) for text in counts], width)]


def _score_line(columns: Sequence[str], first: int, width: int, ink: Ink) -> Fact:
    wide = (first, 6, *_NUMBERS)
    pieces: list[Piece] = []
    for index, (text, room) in enumerate(zip(columns, wide, strict=True)):
        if total(pieces) + room > width:
            break
        loud = index == 1 and ink == "text"
        padded = cells.pad(text, room, "left" if index == 0 else "right")
        pieces.append(Piece(padded, ink if index in (0, 1, 3) else "dim", bold=loud))
    return tuple(pieces)


def _score_cells(score: JudgedScore, over_outcome: bool) -> tuple[str, str, str, str]:
    estimate = score.estimate
    coverage = f"{estimate.n}/{score.of}"
    if over_outcome:
        return "-", "", coverage, ""
    mean = "-" if estimate.mean is None else share_text(estimate.mean)
    moves = score.lowest != score.highest
    between = _between(score.lowest, score.highest) if moves else ""
    return mean, _between(estimate.low, estimate.high), coverage, between


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{share_text(low)} - {share_text(high)}"


def _lines(text: str, width: int, ink: Ink = "text") -> list[Fact]:
    return [(Piece(line, ink),) for line in cells.wrap(text, width)]
