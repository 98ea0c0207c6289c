from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from ragtui.dataset.export.catalogue import EXPORT_NAMES
from ragtui.dataset.formats.catalogue import FORMAT_NAMES
from ragtui.workspace import ViewState
from ragtui.workspace.view_state import save
from tests.cli.conftest import Call, matches_schema


def test_check_of_a_sound_set(ragtui: Call, made: Path) -> None:
    said = ragtui("check", made, "--json")
    assert said.code == 0
    assert said.json("check")["counts"]["error"] == 0
    assert ragtui("check", made).out.splitlines()[-1].startswith("errors: 0")


def test_check_of_a_pair_takes_the_gold_for_the_set(ragtui: Call, tmp_path: Path) -> None:
    (tmp_path / "q.qrels").write_text("1 0 d1 1\n", encoding="utf-8")
    (tmp_path / "r.run").write_text("1 Q0 d1 1 nan x\n", encoding="utf-8")
    said = ragtui("check", "--qrels", tmp_path / "q.qrels", "--run", tmp_path / "r.run", "--json")
    assert said.code == 2
    assert any(fault["file"].endswith("r.run") for fault in said.json("check")["faults"])


def test_a_converted_set_has_the_same_numbers(ragtui: Call, made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = ragtui("convert", made, out, "--json").json("convert")
    assert (written["queries"], written["chunks"], written["gold"], written["runs"]) == (4, 4, 4, 1)
    before, after = (ragtui("eval", folder, "--json").json("eval") for folder in (made, out))
    assert before["runs"] == after["runs"]
    assert before["hashes"] == after["hashes"]
    again = ragtui("convert", made, out)
    assert again.code == 2
    assert str(out) in again.err


@pytest.mark.parametrize("form", [one.name for one in EXPORT_NAMES])
def test_a_set_is_written_for_other_tools(ragtui: Call, made: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    said = ragtui("convert", made, out, "--to", form, "--json")
    assert (said.code, said.json("convert")["to"]) == (0, form)
    assert out.is_dir()
    assert ("lost" in said.err) == (form in ("trec", "ragas"))  # the small set has nothing that others lack
    assert ragtui("convert", made, tmp_path / "other", "--to", "xml").code == 2


def test_help_lists_every_format(ragtui: Call) -> None:
    for verb in ("check", "convert"):
        told = ragtui(verb, "--help").out
        assert all(f"  {one.name}: " in told for one in FORMAT_NAMES)
    assert all(f"  {one.name}: " in told for one in EXPORT_NAMES)


def test_freeze_writes_the_snapshot_that_it_prints(ragtui: Call, made: Path) -> None:
    printed = ragtui("freeze", made, "-p", "chunk_size=400", "--json").json("freeze")
    assert printed == json.loads((made / "snapshot.json").read_text(encoding="utf-8"))
    assert printed["parameters"] == {"chunk_size": "400"}
    assert ragtui("freeze", made, "-p", "chunk_size").code == 2


def test_bench_writes_a_run_that_eval_reads(ragtui: Call, made: Path) -> None:
    printed = ragtui("bench", made, "--retriever", "bm25", "--name", "mine", "--json").json("bench")
    assert (printed["run"], printed["queries"], printed["card"]["depth"]) == ("mine", 4, 50)
    assert list(ragtui("eval", made, "--json").json("eval")["runs"]) == ["mine", "one"]
    assert ragtui("bench", made, "--name", "mine").code == 2
    assert ragtui("bench").code == 2
    nowhere = made / "no" / "such"
    assert f"There is no folder {nowhere.parent}" in ragtui("bench", made, "--out", nowhere).err


def test_filters_know_what_was_marked_in_the_app(ragtui: Call, made: Path, tmp_path: Path) -> None:
    save(tmp_path / "state", ViewState(marks=("q2",)))
    said = ragtui(
        "eval", made, "--state", tmp_path / "state", "--where", "is:marked", "--per-query", "--json"
    )
    assert [row["query_id"] for row in said.json("eval")["runs"]["one"]["per_query"]] == ["q2"]


def test_filters_ask_about_other_runs(ragtui: Call, made: Path) -> None:
    ragtui("bench", made, "--name", "mine")
    said = ragtui(
        "eval", made, "--run", "one", "--where", "run:mine.hit@5:1 hit@5:0", "--per-query", "--json"
    )
    assert [row["query_id"] for row in said.json("eval")["runs"]["one"]["per_query"]] == ["q3"]


def test_schemas_refuse_what_is_not_theirs() -> None:
    for schema in ("eval", "check", "convert", "freeze", "bench", "records"):
        with pytest.raises(jsonschema.ValidationError):
            matches_schema({"schema": 1, "ragtui": "0"}, schema)
