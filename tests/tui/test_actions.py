"""One catalogue: what is bound is in it, and what is in it is done."""

from __future__ import annotations

from collections import Counter

import pytest

from ragtui.messages import LANGUAGES, t
from ragtui.tui import glyphs
from ragtui.tui.actions import (
    ACTIONS,
    EVERYWHERE,
    Action,
    Place,
    actions_of,
    footer_entries,
    key_table,
    keys_shown,
)
from ragtui.tui.app import RagtuiApp
from ragtui.tui.bindings import bindings
from ragtui.tui.screens.columns import ColumnsDialog
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.failures import FailuresScreen
from ragtui.tui.screens.judges import JudgesScreen
from ragtui.tui.screens.no_answer import NoAnswerScreen
from ragtui.tui.screens.no_answer_wrong import WrongSideScreen
from ragtui.tui.screens.presets import PresetsDialog
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.screens.start import StartScreen
from ragtui.tui.widgets.filter_bar import FilterInput

DOES: dict[Place, type] = {
    "queries": QueriesScreen,
    "detail": DetailScreen,
    "no_answer": NoAnswerScreen,
    "wrong_side": WrongSideScreen,
    "judges": JudgesScreen,
    "failures": FailuresScreen,
    "filter": FilterInput,
    "presets": PresetsDialog,
    "columns": ColumnsDialog,
    "start": StartScreen,
}


@pytest.mark.parametrize("place", DOES)
def test_no_key_means_two_things(place: Place) -> None:
    keys = Counter(key for action in actions_of(place) for key in (*action.keys, *action.twins))
    assert [key for key, count in keys.items() if count > 1] == []


def test_one_key_has_one_meaning_on_all_screens() -> None:
    meanings: dict[str, set[str]] = {}
    for place in EVERYWHERE:
        for action in actions_of(place):
            for key in (*action.keys, *action.twins):
                meanings.setdefault(key, set()).add(action.id)
    several = {key: found for key, found in meanings.items() if len(found) > 1}
    # enter goes deeper everywhere: into the set, the query, the card, the verdict; on a judge it goes ahead;
    # arrows to the sides go on to the next query, or move the cursor of a histogram; tab turns to the rest
    assert several == {
        "enter": {"open", "whole", "open_set", "start", "wrong_side"},
        "right": {"next", "higher"},
        "left": {"previous", "lower"},
        "tab": {"other_pane", "curve"},
    }


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_is_done_where_it_is_bound(action: Action) -> None:
    for place in action.places:
        doer = RagtuiApp if action.of_app else DOES[place]
        assert callable(getattr(doer, f"action_{action.id}"))


@pytest.mark.parametrize("place", DOES)
def test_bindings_are_the_catalogue(place: Place) -> None:
    bound = {binding.key for binding in bindings(place)}
    assert bound == {key for action in actions_of(place) for key in (*action.keys, *action.twins)}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_has_words_in_both_languages(action: Action) -> None:
    for language in LANGUAGES:
        assert t(f"tui.action.{action.id}.name", language)
        assert t(f"tui.action.{action.id}.what", language)


def test_keys_are_named_as_people_call_them() -> None:
    glyphs.use("ascii")
    assert keys_shown(("slash",)) == "/"
    assert keys_shown(("f4", "／")) == "F4"
    assert keys_shown(("j", "down")) == "j down"
    glyphs.use("unicode")
    assert keys_shown(("j", "down")) == "j ↓"


def test_the_footer_begins_with_what_matters_most() -> None:
    assert [action.id for action in footer_entries("queries")[:4]] == ["open", "filter", "presets", "sort"]


def test_the_key_table_has_a_row_for_every_action() -> None:
    table = key_table("en")
    assert len(table) == len(ACTIONS)
    assert ("/", "F4 ／ 、", t("tui.action.filter.what", "en"), "list") in table
    assert all(all(cell is not None for cell in row) for row in table)
