"""The detail of one query: what was retrieved beside what was needed; and what its keys do."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType

from ragtui import atomic
from ragtui.messages import t
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.card import CardScreen
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.detail_review import DetailReview
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.copying import card_text, evidence_json
from ragtui.tui.state.export_file import export_file
from ragtui.tui.widgets.cards import CardPane

_NO_RUN = ""


class DetailScreen(DetailReview):
    """One query of a list after another. Closed, it gives the position in the list that was seen last."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("detail")]

    def action_next(self) -> None:
        """The next query of the list."""
        self._go(1, t("detail.no-further-query"))

    def action_previous(self) -> None:
        """The query before it."""
        self._go(-1, t("detail.no-earlier-query"))

    def action_down(self) -> None:
        """The next card."""
        self.pane.move(1)

    def action_up(self) -> None:
        """The card before it."""
        self.pane.move(-1)

    def action_top(self) -> None:
        """The first card."""
        self.pane.move(-len(self.pane.pane.cards))

    def action_bottom(self) -> None:
        """The last card."""
        self.pane.move(len(self.pane.pane.cards))

    def action_half_down(self) -> None:
        """Half a page on."""
        self.pane.move_lines(self.pane.room // 2)

    def action_half_up(self) -> None:
        """Half a page back."""
        self.pane.move_lines(-self.pane.room // 2)

    def action_page_down(self) -> None:
        """A page on."""
        self.pane.move_lines(self.pane.room)

    def action_page_up(self) -> None:
        """A page back."""
        self.pane.move_lines(-self.pane.room)

    def action_whole(self) -> None:
        """The whole text of the selected card, over the screen."""
        if self.is_on_cause:
            self.take_suggestion()
        elif self.pane.card is not None:
            self.app.push_screen(CardScreen(self.pane.card))

    def action_other_pane(self) -> None:
        """To the next pane, at the twin of the selected card; from missed gold to rank 1."""
        before = self.pane
        panes = [pane for pane in self.panes if pane.pane.cards or pane is before]
        if self.is_on_cause:
            self.use(before)
            return
        after = panes[(panes.index(before) + 1) % len(panes)]
        card = before.card
        twin = after.pane.twin_of(card.name) if card is not None else None
        if twin is None and before is self.gold:
            twin = after.pane.start
        after.select(twin)
        self.use(after)

    def action_to_cause(self) -> None:
        """Onto the suggested cause below the panes, where enter takes it; and back."""
        if self.is_on_cause:
            self.use(self.pane)
        elif self.has_cause:
            self.use_cause()
        else:
            self.notify(t("tagging.notice.nothing-failing"))

    def action_other_run(self) -> None:
        """Choose a run to see beside this one; none takes it away again."""
        if self.is_blind:
            self.notify(t("tagging.notice.blind"))
            return
        others = [run for run in self.session.workspace.runs if run != self.session.run]
        if not others:
            self.notify(t("tui.notice.no-other-run"))
            return
        none = [Choice(_NO_RUN, t("detail.no-run"), is_dim=True)] if self.other_run is not None else []
        choices = [*(Choice(run, shown(run)) for run in others), *none]
        title = t("detail.choose-run", run=shown(self.session.run or ""))
        self.app.push_screen(ChooseDialog(title, choices, self.other_run), self._take_other_run)

    def action_judge(self) -> None:
        """Show what judging this query would take; enter asks."""
        if self.is_blind:
            self.notify(t("tagging.notice.blind"))
            return
        desk = self.session.desk
        aim = desk.aim((self.query_id,))
        if aim is not None and self.is_free():
            self.plan(lambda: desk.prepare(desk.line(), aim))

    def action_mark(self) -> None:
        """Mark the query, or take its mark away."""
        self.session.toggle_mark(self.query_id)
        self.renew_heading()
        self.save()

    def action_zoom(self) -> None:
        """Give one pane the screen, or take it back."""
        self.is_zoomed = not self.is_zoomed
        self.place_panes()

    def action_copy(self) -> None:
        """Copy the text of the selected card as it is in the files."""
        card = self.pane.card
        if card is not None:
            name = t("detail.copied-card", chunk=shown(card.name)) if card.name else t("detail.copied-text")
            self._copied(card_text(card), name)

    def action_copy_json(self) -> None:
        """Copy all that is known of the query."""
        facts = t("detail.copied-facts", query=shown(self.query_id))
        self._copied(evidence_json(self.evidence, self.judged), facts)

    def action_export(self) -> None:
        """Write all that is known of the query into a file."""
        name = f"{self.session.workspace.set.name}-{self.query_id}"
        path = export_file(Path.cwd(), name, "json", what="detail")
        try:
            atomic.write_text(path, f"{evidence_json(self.evidence, self.judged)}\n")
        except OSError as error:
            why = shown(error.strerror or str(error))
            said = t("tui.notice.not-exported", path=shown(str(path)), why=why)
            self.notify(said, severity="error", markup=False)
        else:
            self.notify(t("tui.notice.exported", path=shown(str(path))), markup=False)

    def action_back(self) -> None:
        """Back to the list, at this query."""
        self.dismiss(self.position)

    def on_card_pane_selected(self, message: CardPane.Selected) -> None:
        """The pane of the card is in use now."""
        self.use(message.pane)

    def on_card_pane_opened(self, message: CardPane.Opened) -> None:
        """A click on the selected card."""
        self.action_whole()

    def _go(self, by: int, at_the_end: str) -> None:
        if 0 <= self.position + by < len(self.order):
            self.position += by
            self.show_query()
        else:
            self.notify(at_the_end)

    def _copied(self, text: str, what: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=what), markup=False)

    def _take_other_run(self, run: str | None) -> None:
        if run is not None:
            self.show_other_run(run or None)
