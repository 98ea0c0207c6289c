"""The lines under the judges of screen 5: the job under way, the plan, and what the verdicts come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.desk_facts import Aim, Line, Prepared, Standing
from ragtui.tui.glyphs import shown
from ragtui.tui.judging_job import JudgingJob
from ragtui.tui.state import judging_words as words
from ragtui.tui.state.emptiness import sentence_of
from ragtui.tui.state.pieces import Fact, Piece, flow


@dataclass(frozen=True, slots=True)
class Panel:
    """What is known when the lines are drawn.

    Attributes:
        line: the judge under the cursor.
        aim: what would be judged.
        rules: judges that need no model.
        job: the judging under way, or the last one.
        standing: of the judge; None while it is being read.
        plan: what asking would take, or why it cannot be; None while it is being made.
        has_to_load: the plan waits for a wish, because it would load a model.
        is_low: no line is spent on nothing.
    """

    line: Line
    aim: Aim
    rules: Sequence[str]
    job: JudgingJob | None = None
    standing: Standing | None = None
    plan: Prepared | RagtuiError | None = None
    has_to_load: bool = False
    is_low: bool = False

    def facts(self, width: int) -> list[Fact]:
        """The lines for `width` cells."""
        gap: list[Fact] = [] if self.is_low else [()]
        facts = list(gap)
        job = self._job_to_show
        if job is not None:
            name = (Piece(words.full_name(job.errand.asker), bold=True),)
            facts += [name, *words.progress_facts(job, width)]
        if not self.line.can_ask:
            after = gap if job is not None else []
            return [*facts, *after, *words.no_model(self.line, self.rules, width)]
        if job is None or not self._is_of_line(job):
            facts += [*(gap if job is not None else []), *words.name_facts(self.line, width)]
        if job is None or job.is_over:
            facts += self._plan(width)
        if self.standing is not None:
            facts += [*gap, *self._scores(self.standing, width)]
        return facts

    def _scores(self, standing: Standing, width: int) -> list[Fact]:
        job = self._job_to_show
        return words.score_facts(
            standing.scores,
            width,
            over_outcome=standing.aim.over_outcome,
            # the job says them already
            names_failures=job is None or not job.progress.failed or not self._is_of_line(job),
        )

    @property
    def _job_to_show(self) -> JudgingJob | None:
        """The job under way, or the last one where there is more to say of it than its plan says."""
        job = self.job
        if job is None or not job.is_over:
            return job
        progress = job.progress
        says_more = progress.state != "done" or progress.calls or progress.failed
        return job if says_more and self._is_of_line(job) else None

    def _is_of_line(self, job: JudgingJob) -> bool:
        asker = job.errand.asker
        return (asker.judge, asker.model) == (self.line.judge, self.line.model or "")

    def _plan(self, width: int) -> Iterator[Fact]:
        what: list[Fact] = []
        if self.standing is not None:
            standing = self.standing
            what.append(words.aim_fact(standing.aim, standing.stage, len(standing.selected)))
        if self.has_to_load:
            loads = t("judges.plan.loads", model=shown(self.line.wish or ""))
            yield from flow([*what, (Piece(loads, "accent", bold=True),)], width)
        elif self.plan is None:
            yield from flow([*what, (Piece(t("judges.plan.planning"), "dim"),)], width)
        elif isinstance(self.plan, RagtuiError):
            yield from flow(what, width)
            yield from sentence_of(self.plan, width)[1:]
        else:
            yield from flow(what, width)
            yield from words.plan_facts(self.plan, width)
            if self.plan.open_work:
                yield (Piece(t("judges.plan.enter"), "accent", bold=True),)
