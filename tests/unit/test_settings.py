from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from ragtui.errors import RagtuiError
from ragtui.messages import LANGUAGES, t
from ragtui.settings import Settings, load, variable_of


def written(tmp_path: Path, content: str | bytes) -> Path:
    file = tmp_path / "settings.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def test_without_file_and_environment_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path / "absent.toml", {}) == (Settings(), ())


def test_the_file_beats_the_defaults_and_the_environment_beats_the_file(tmp_path: Path) -> None:
    file = written(
        tmp_path, '\ufefflanguage = "zh"\r\ntimeout = 5\nconcurrency = 3\napi_base = " http://h/v1 "\n'
    )
    settings, warnings = load(
        file, {"RAGTUI_CONCURRENCY": " 2 ", "RAGTUI_TIMEOUT": "", "RAGTUI_THEME": "nord"}
    )
    assert settings == Settings(
        language="zh", timeout=5.0, concurrency=2, api_base="http://h/v1", theme="nord"
    )
    assert isinstance(settings.timeout, float)
    assert warnings == ()


def test_without_arguments_it_reads_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, 'glyphs = "ascii"')
    monkeypatch.setenv("RAGTUI_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("RAGTUI_CONCURRENCY", "5")
    settings, _ = load()
    assert (settings.glyphs, settings.concurrency, settings.language) == ("ascii", 5, "en")


def test_an_unknown_key_is_a_warning_that_names_the_nearest(tmp_path: Path) -> None:
    file = written(tmp_path, 'langauge = "zh"\n[unheard]\nof = 1\n')
    settings, (first, second) = load(file, {})
    assert settings == Settings()
    assert "langauge" in first
    assert "language" in first
    assert str(file) in first
    assert "unheard" in second


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("concurrency = true", "concurrency"),
        ("concurrency = 0", "concurrency"),
        ("concurrency = 2.5", "concurrency"),
        ('concurrency = "8"', "concurrency"),
        (f"concurrency = -1{'0' * 400}", "concurrency"),
        ("timeout = nan", "timeout"),
        ("timeout = inf", "timeout"),
        ("timeout = -1", "timeout"),
        ('language = "fr"', "language"),
        ("language = ['zh']", "language"),
        ("theme = 3", "theme"),
        ("api_base = []", "api_base"),
    ],
)
def test_a_wrong_value_is_an_error_with_file_and_key(tmp_path: Path, line: str, name: str) -> None:
    file = written(tmp_path, line)
    with pytest.raises(RagtuiError) as caught:
        load(file, {})
    assert caught.value.where == str(file)
    assert name in caught.value.what
    assert name in caught.value.mend
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("variable", "value"),
    [("RAGTUI_CONCURRENCY", "many"), ("RAGTUI_TIMEOUT", "1e999"), ("RAGTUI_GLYPHS", "emoji")],
)
def test_a_wrong_variable_is_an_error_that_names_it(tmp_path: Path, variable: str, value: str) -> None:
    with pytest.raises(RagtuiError) as caught:
        load(tmp_path / "absent.toml", {variable: value})
    assert caught.value.where == variable


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("language = zh", "settings.not-toml"),
        ("a = 1\nb = [", "settings.not-toml"),
        (b"theme = '\xff\xfe'", "settings.not-utf8"),
    ],
)
def test_a_file_that_is_no_toml_is_an_error(tmp_path: Path, content: str | bytes, key: str) -> None:
    with pytest.raises(RagtuiError) as caught:
        load(written(tmp_path, content), {})
    assert caught.value.key == key


def test_the_error_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(RagtuiError, match="line 2"):
        load(written(tmp_path, "timeout = 1\nlanguage = zh\n"), {})


def test_a_folder_in_its_place_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RagtuiError) as caught:
        load(tmp_path, {})
    assert caught.value.key == "settings.unreadable"


def test_every_field_has_a_variable_and_a_line_in_both_languages() -> None:
    for field in fields(Settings):
        assert variable_of(field.name) == f"RAGTUI_{field.name.upper()}"
        for language in LANGUAGES:
            assert t(f"settings.field.{field.name}", language)
