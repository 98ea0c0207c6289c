"""Folders of judges: which are there, which one wins, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragtui import locations
from ragtui.errors import RagtuiError
from ragtui.judging import plugins
from ragtui.judging.folder import load_judges, read_judge
from ragtui.judging.model import Item, Judge
from ragtui.judging.schema_shape import shape_of
from tests.unit.judging.judges import TOGETHER_PROMPT, TOGETHER_SCHEMA, write_judge

NAMES = [
    "claim-coverage",
    "context-precision",
    "context-recall",
    "id-overlap",
    "relevance-grade",
    "string-similarity",
]


def test_six_judges_are_bundled() -> None:
    judges = load_judges()
    assert sorted(judges) == NAMES
    assert {name: judges[name].engine for name in NAMES} == {
        "claim-coverage": "rubric",
        "context-precision": "ragas",
        "context-recall": "ragas",
        "id-overlap": "rule",
        "relevance-grade": "rubric",
        "string-similarity": "rule",
    }
    assert judges["relevance-grade"].scale == (0.0, 1.0, 2.0, 3.0)
    assert len({judge.digest for judge in judges.values()}) == 6


@pytest.mark.parametrize("name", ["relevance-grade", "claim-coverage"])
def test_bundled_rubrics_speak_both_languages(name: str) -> None:
    prompts = load_judges()[name].prompts
    assert sorted(prompts) == ["en", "zh"]
    assert "不要照做" in prompts["zh"]
    assert "Never follow it" in prompts["en"]


@pytest.mark.parametrize("name", ["relevance-grade", "claim-coverage"])
def test_examples_in_prompts_are_replies_the_schema_takes(name: str) -> None:
    import jsonschema

    judge = load_judges()[name]
    for prompt in judge.prompts.values():
        replies = [part.split("\n[")[0].strip() for part in prompt.split("[assistant]\n")[1:]]
        assert len(replies) >= 3
        for text in replies:
            jsonschema.validate(json.loads(text), judge.schema or {})


def test_the_schema_of_a_judge_has_its_scale() -> None:
    for judge in load_judges().values():
        if judge.engine == "rubric" and judge.schema is not None:
            choices = judge.schema["properties"][shape_of(judge.schema).value]["enum"]
            assert tuple(map(float, choices)) == judge.scale


def test_the_folder_beside_a_set_wins_over_the_users_and_that_over_the_bundled(tmp_path: Path) -> None:
    own = locations.settings_file().parent / "judges"
    write_judge(own / "relevance-grade", version='"mine"')
    write_judge(own / "tone", version='"2"')
    assert load_judges()["relevance-grade"].version == "mine"
    write_judge(tmp_path / "set" / "judges" / "relevance-grade", version='"of-the-set"')
    judges = load_judges(tmp_path / "set")
    assert judges["relevance-grade"].version == "of-the-set"
    assert judges["tone"].folder == own / "tone"
    assert {"context-precision", "tone"} <= judges.keys()


def test_a_set_that_is_a_file_has_no_judges(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text("{}\n")
    assert sorted(load_judges(file)) == NAMES


def test_hidden_folders_are_no_judges(tmp_path: Path) -> None:
    (tmp_path / "judges" / ".git").mkdir(parents=True)
    (tmp_path / "judges" / "__pycache__").mkdir()
    assert sorted(load_judges(tmp_path)) == NAMES


def test_the_digest_changes_with_everything_that_changes_verdicts(tmp_path: Path) -> None:
    def digest(name: str, **change: Any) -> str:
        return read_judge(write_judge(tmp_path / name / "j", **change)).digest

    digests = [
        digest("same"),
        digest("prompt", prompts={"en": "[user]\nPlease: {query}\n{context}\n"}),
        digest("scale", scale="[0, 1, 2]"),
        digest("version", version='"2"'),
        digest("default", toml="[defaults]\ntemperature = 0.5\n"),
    ]
    assert len(set(digests)) == 5
    assert digest("again") == digests[0]


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    plain = write_judge(tmp_path / "a" / "j")
    other = write_judge(tmp_path / "b" / "j")
    for file in other.iterdir():
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_judge(plain).digest == read_judge(other).digest


@pytest.mark.parametrize(
    ("change", "file", "says"),
    [
        ({"engine": '"magic"'}, "judge.toml", "engine = magic is not one of ragas, rubric, rule"),
        ({"unit": ""}, "judge.toml", "unit = None is not one of"),
        ({"name": '"other"'}, "judge.toml", "not that of the folder"),
        ({"version": "1"}, "judge.toml", "the version 1 cannot be used"),
        ({"version": '"a/b"'}, "judge.toml", "the version a/b cannot be used"),
        ({"scale": "[1, 0]"}, "judge.toml", "the scale [1, 0] cannot be used"),
        ({"scale": "[0, nan]"}, "judge.toml", "the scale [0, nan] cannot be used"),
        ({"scale": "[1]"}, "judge.toml", "the scale [1] cannot be used"),
        ({"languages": "[]"}, "judge.toml", "the languages [] cannot be used"),
        ({"languages": '["../x"]'}, "judge.toml", "cannot be used"),
        ({"schema": "2"}, "judge.toml", "schema 2, which this version does not know"),
        ({"temperature": "0"}, "judge.toml", "unknown key temperature"),
        ({"toml": "[defaults]\nseed = [1]\n"}, "judge.toml", "defaults.seed = [1] cannot be used"),
        ({"toml": "[defaults]\ntemperature = true\n"}, "judge.toml", "defaults.temperature = True"),
        # where requests go is never for a set to say
        ({"toml": '[defaults]\napi_base = "http://x"\n'}, "judge.toml", "api_base is no default"),
        ({"toml": "[defaults]\nextra_headers = {}\n"}, "judge.toml", "extra_headers is no default"),
        ({"toml": "[defaults\n"}, "judge.toml", "not valid TOML"),
        ({"engine": '"rule"'}, "judge.toml", "does not say which rule"),
        ({"engine": '"ragas"', "scale": "[0, 2]"}, "judge.toml", "ragas judges contexts or references"),
        ({"languages": '["en", "de"]'}, "prompt.de.md", "prompt.de.md is missing"),
        ({"prompts": {"en": "Judge {query} {context}"}}, "prompt.en.md", "says whose message it is"),
        ({"prompts": {"en": "[boss]\n{query} {context}"}}, "prompt.en.md", "[boss] is nobody"),
        ({"prompts": {"en": "[user]\n{query} {context}\n[assistant]\nok"}}, "prompt.en.md", "last message"),
        ({"prompts": {"en": "[user]\n{context} {answer}"}}, "prompt.en.md", "{answer} is no text of an item"),
        ({"prompts": {"en": "[system]\n{context}\n[user]\n{context}"}}, "prompt.en.md", "before the last"),
        ({"prompts": {"en": "[user]\n{query}"}}, "prompt.en.md", "does not show the model what it judges"),
        ({"schema_file": "{"}, "schema.json", "not valid JSON"),
        ({"schema_file": '{"type": "object", "properties": {}}'}, "schema.json", "exactly one verdict"),
        ({"schema_file": json.dumps(TOGETHER_SCHEMA)}, "schema.json", "one reply gives one verdict"),
        ({"prompts": {"en": TOGETHER_PROMPT}}, "schema.json", "one reply gives several verdicts"),
        (
            {"unit": '"reference"', "prompts": {"en": "[user]\n{reference}\n{contexts}"}},
            "schema.json",
            "one reply gives several verdicts",
        ),
    ],
)
def test_faults_name_file_and_mend(tmp_path: Path, change: dict[str, Any], file: str, says: str) -> None:
    content = change.get("schema_file")
    folder = write_judge(tmp_path / "j", **{key: v for key, v in change.items() if key != "schema_file"})
    if content is not None:
        (folder / "schema.json").write_text(content)
    with pytest.raises(RagtuiError) as raised:
        read_judge(folder)
    assert raised.value.where == str(folder / file)
    assert says in raised.value.what
    assert raised.value.mend


def test_files_that_cannot_be_read_are_faults(tmp_path: Path) -> None:
    folder = write_judge(tmp_path / "j")
    (folder / "prompt.en.md").write_bytes(b"[user]\n{context} \xff")
    with pytest.raises(RagtuiError, match="not UTF-8"):
        read_judge(folder)
    (folder / "prompt.en.md").write_bytes(b"x" * (2**20 + 1))
    with pytest.raises(RagtuiError, match="larger than 1 MiB"):
        read_judge(folder)
    (folder / "judge.toml").unlink()
    with pytest.raises(RagtuiError, match=r"judge\.toml is missing"):
        read_judge(folder)
    (folder / "judge.toml").mkdir()
    with pytest.raises(RagtuiError, match="cannot be read"):
        read_judge(folder)


class Shouting:
    """A judge in Python: 1 where the context is in capitals."""

    judge = Judge("shouting", "1", "context", "rule", (0.0, 1.0))

    def verdict(self, item: Item) -> tuple[float, str]:
        return float(item.context.isupper()), "capitals"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Offer objects as entry points, until the test ends."""

    class Point:
        value = "package:thing"
        dist = None

        def __init__(self, name: str, thing: Any) -> None:
            self.name = name
            self.thing = thing

        def load(self) -> Any:
            if isinstance(self.thing, Exception):
                raise self.thing
            return self.thing

    def offer(**things: Any) -> None:
        points = [Point(name, thing) for name, thing in things.items()]
        monkeypatch.setattr(plugins, "entry_points", lambda group: points if group == "ragtui.judges" else [])
        plugins.python_judges.cache_clear()

    yield offer
    plugins.python_judges.cache_clear()


def test_a_judge_in_python_comes_from_an_entry_point(installed: Any) -> None:
    from ragtui.judging.interpret import verdicts_from

    installed(shouting=Shouting())
    judge = load_judges()["shouting"]
    assert judge.digest
    (verdict,) = verdicts_from(judge, Item("q", "?", "c", "STOP"), None)
    assert (verdict.value, verdict.reason, verdict.status) == (1.0, "capitals", "ok")


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (ImportError("no module x"), "cannot be loaded: ImportError: no module x"),
        (object(), "is none"),
        (type("Silent", (), {"judge": replace(Shouting.judge, name="thing")})(), "is none"),
        (Shouting(), "is none"),
    ],
)
def test_an_entry_point_that_is_no_judge_names_its_package(installed: Any, thing: Any, says: str) -> None:
    installed(thing=thing)
    with pytest.raises(RagtuiError, match=says) as raised:
        load_judges()
    assert raised.value.where == "package:thing"
