"""What screens have in common on which queries are reviewed: causes, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.review.events import Event
from ragtui.tui.actions import BY_ID, Need, key_name
from ragtui.tui.glyphs import shown, shown_flat, shown_lines
from ragtui.tui.screens.asking import Asking
from ragtui.tui.state.review import Sitting
from ragtui.tui.state.review_words import act_text, answer_text, titles

if TYPE_CHECKING:
    from ragtui.tui.screens.tagging import Answer, Way

Result = TypeVar("Result")


class Reviewing(Asking[Result]):
    """A screen with a query that a decision is about. A subclass says which, and how decisions are seen."""

    @property
    def sitting(self) -> Sitting:
        """What is decided."""
        return self.session.sitting

    @property
    def reviewed(self) -> str | None:
        """The query that a decision is about; None without one."""
        raise NotImplementedError

    @property
    def targets(self) -> tuple[str, ...]:
        """The queries that a cause is given to: `reviewed`, unless several are marked for that."""
        return (self.reviewed,) if self.reviewed is not None else ()

    def decided(self, events: Sequence[Event]) -> None:
        """Show what was decided, or undone."""
        raise NotImplementedError

    def go_on(self) -> bool:
        """To the next query without a cause; False where there is none."""
        raise NotImplementedError

    def go_to(self, query_id: str) -> None:
        """To a query, where it is at hand."""
        raise NotImplementedError

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        if need == "failing":
            return bool(self.targets) and any(one in self.sitting.failing for one in self.targets)
        if need == "corrected":
            return self.session.newest_gold > 0
        return super().meets(need)

    def action_accept_cause(self) -> None:
        """Take the suggested cause, and go on."""
        query_id, sitting = self.reviewed, self.sitting
        if query_id is None or not self._can_decide():
            return
        if sitting.has_answered(query_id):
            self._go_on()
            return
        hint = sitting.look(query_id)
        if hint.state == "withheld":
            self.notify(t("tagging.notice.withheld"))
        elif hint.suggestion is None:
            is_failing = query_id in sitting.failing
            self.notify(t(f"tagging.notice.{'no-suggestion' if is_failing else 'nothing-failing'}"))
        else:
            cause = hint.suggestion.cause
            self.decide(lambda: sitting.tag((query_id,), (cause,)), goes_on=True)

    def _can_decide(self) -> bool:
        """Whether the journal could be read; else that is said."""
        if self.sitting.error is not None:
            self.notify(shown_lines(str(self.sitting.error)), severity="error", markup=False)
        return self.sitting.is_read

    def action_tag(self) -> None:
        """Choose the cause, and go on."""
        self._ask_cause("one")

    def action_tag_several(self) -> None:
        """Choose several causes and write a note, and go on."""
        self._ask_cause("several")

    def _ask_cause(self, way: Way) -> None:
        from ragtui.tui.screens.tagging import Answer, TagDialog  # the first screen does without

        targets = self.targets
        if not targets or not self._can_decide():
            return
        sitting = self.sitting
        before, suggested, evidence = Answer(()), "", ""
        title = t("tagging.tag.title-several", n=len(targets))
        if len(targets) == 1:
            title = t("tagging.tag.title", query=shown(targets[0]))
            own = sitting.review.tags(targets[0]).get(sitting.review.reviewer) if sitting.is_read else None
            before = Answer(own.causes, own.note) if own is not None else before
            hint = sitting.look(targets[0])
            if hint.state == "shown" and hint.suggestion is not None:
                suggested, evidence = hint.suggestion.cause, shown_flat(hint.suggestion.evidence())
        dialog = TagDialog(
            title, sitting.review.causes, before, suggested=suggested, evidence=evidence, way=way
        )
        self.app.push_screen(dialog, lambda answer: self._take_answer(targets, answer))

    def _take_answer(self, targets: tuple[str, ...], answer: Answer | None) -> None:
        if answer is None:
            return
        sitting, known = self.sitting, self.sitting.review.causes
        hint = sitting.look(targets[0]) if len(targets) == 1 else None
        is_one = len(targets) == 1
        if not self.decide(lambda: sitting.tag(targets, answer.causes, answer.note), goes_on=is_one):
            return
        if hint is not None and (told := answer_text(hint, answer.causes, known)):
            self.notify(told, markup=False)
        if not is_one:
            # they were marked for this
            self.session.marks -= set(targets)
            self.save()
            self.decided(())
            said = titles(answer.causes, known) or t("tagging.act.untagged")
            key = key_name(BY_ID["undo"].keys[0])
            self.notify(
                t("tagging.notice.tagged-several", n=len(targets), causes=said, key=key), markup=False
            )

    def action_guard(self) -> None:
        """Guard queries, so that they are watched from now on, or guard them no longer."""
        targets, sitting = self.targets, self.sitting
        if not targets:
            return
        on = not set(targets) <= sitting.guarded
        if self.decide(lambda: sitting.guard(targets, on=on)):
            key = "guarded" if on else "unguarded"
            self.notify(t(f"tagging.notice.{key}", n=len(targets)))

    def action_undo(self) -> None:
        """Undo the last decision."""
        self._take_back(self.sitting.undo, "undone", "nothing-to-undo", "redo")

    def action_redo(self) -> None:
        """Do again what was undone last."""
        self._take_back(self.sitting.redo, "redone", "nothing-to-redo", "undo")

    def action_gold(self) -> None:
        """Choose which version of gold is looked at, by its numbers."""
        if not self.session.newest_gold:
            self.notify(t("tagging.notice.no-correction"))
            return
        from ragtui.tui.screens.gold import GoldDialog

        self.app.push_screen(GoldDialog(self.session), self._take_gold)

    def _take_gold(self, version: str | None) -> None:
        if version is None or int(version) == self.session.workspace.gold_version:
            return
        try:
            self.session.use_gold(int(version))
        except RagtuiError as error:
            self.notify(shown_lines(str(error)), severity="error", markup=False)
        else:
            self.see_anew()

    def _take_back(
        self, act: Callable[[], tuple[Event, ...]], done: str, nothing: str, other_way: str
    ) -> None:
        events = self.decide(act)
        if events:
            what = act_text(events, self.sitting.review.causes)
            key = key_name(BY_ID[other_way].keys[0])
            self.notify(t(f"tagging.notice.{done}", what=what, key=key), markup=False)
            self.go_to(events[0].what.query_id)
        elif events is not None:
            self.notify(t(f"tagging.notice.{nothing}"))

    def decide(
        self, act: Callable[[], tuple[Event, ...]], *, goes_on: bool = False
    ) -> tuple[Event, ...] | None:
        """Let something be decided and show it; None where it cannot be kept, which is said."""
        sitting = self.sitting
        gold = sitting.newest_gold
        try:
            events = act()
            if sitting.newest_gold != gold:
                self.session.use_gold(sitting.newest_gold)
        except RagtuiError as error:
            self.notify(shown_lines(str(error)), severity="error", markup=False)
            return None
        if sitting.newest_gold != gold:
            self.see_anew()
        if events:
            self.decided(events)
            if goes_on:
                self._go_on()
        return events

    def _go_on(self) -> None:
        if not self.go_on():
            self.notify(t("tagging.notice.all-done"))
