"""One catalogue of texts, whole in both languages."""

from __future__ import annotations

import string

import pytest

from ragtui.messages import areas, catalogue, language, t, use


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("area", areas())
def test_both_languages_say_the_same_things(area: str) -> None:
    english, chinese = catalogue("en", area), catalogue("zh", area)

    def without_singulars(keys: set[str]) -> set[str]:
        return {key for key in keys if not (key.endswith("_one") and key.removesuffix("_one") in keys)}

    assert without_singulars(set(english)) == without_singulars(set(chinese))


@pytest.mark.parametrize("area", areas())
def test_translations_fill_in_the_same_values(area: str) -> None:
    english, chinese = catalogue("en", area), catalogue("zh", area)
    differing = {
        key: (fields(english[key]), fields(chinese[key]))
        for key in english.keys() & chinese.keys()
        if not fields(chinese[key]) <= fields(english[key]) | {"n"}
    }
    assert differing == {}


def test_a_singular_is_used_for_one_only() -> None:
    pairs = [
        (key.removesuffix("_one"), text)
        for area in areas()
        for key, text in catalogue("en", area).items()
        if key.endswith("_one")
    ]
    assert pairs
    for key, singular in pairs:
        values = dict.fromkeys(fields(singular) | fields(catalogue("en", key.split(".")[0])[key]), "x")
        assert t(key, "en", **{**values, "n": 1}) == singular.format(**{**values, "n": 1})
        assert t(key, "en", **{**values, "n": 2}) != t(key, "en", **{**values, "n": 1})


def test_text_of_a_user_is_a_value_and_never_a_template() -> None:
    assert "{known}" in t("workspace.no-such-run", "en", run="{known}", known="x")


def test_an_unknown_key_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError):
        t("workspace.nothing-of-the-kind")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"RAGTUI_LANGUAGE": "zh", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"RAGTUI_LANGUAGE": "auto", "LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_language_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    use(None)
    for name in ("RAGTUI_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language() == expected
