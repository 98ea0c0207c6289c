"""Bad input: a message that says what and where, exit 2, nothing on stdout, no traceback."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ragtui.cli import eval as eval_verb
from ragtui.cli.main import main
from ragtui.cli.verbs import app
from tests.cli.conftest import Call


def _no_such_file(made: Path) -> Path:
    return made / "nowhere"


def _no_set(made: Path) -> Path:
    folder = made / "empty"
    folder.mkdir()
    (folder / "notes.txt").write_text("nothing to see", encoding="utf-8")
    return folder


def _changed(name: str, content: bytes) -> Callable[[Path], Path]:
    def change(made: Path) -> Path:
        (made / name).write_bytes(content)
        return made

    return change


BAD = {
    "missing file": (_no_such_file, "nowhere"),
    "no set": (_no_set, "empty"),
    "truncated JSON": (
        _changed("queries.jsonl", b'{"_id": "q1", "text": "a"}\n{"_id": "q2", "te'),
        "queries.jsonl:2",
    ),
    "wrong field": (_changed("queries.jsonl", b'{"name": "q1", "text": "a"}\n'), "queries.jsonl:1"),
    "no id overlap": (
        _changed("runs/one.jsonl", b'{"query_id": "other", "results": [{"chunk_id": "a#1", "score": 1}]}\n'),
        "other",
    ),
    "grades conflict": (
        _changed("qrels/dev.tsv", b"query-id\tcorpus-id\tscore\nq1\ta#1\t1\nq1\ta#1\t0\n"),
        "dev.tsv",
    ),
    "NaN score": (
        _changed("runs/one.jsonl", b'{"query_id": "q1", "results": [{"chunk_id": "a#1", "score": NaN}]}\n'),
        "one.jsonl:1",
    ),
    "binary": (_changed("queries.jsonl", bytes(range(256)) * 8), "queries.jsonl"),
    "empty": (_changed("queries.jsonl", b""), "queries.jsonl"),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("verb", ["eval", "freeze", "open"])
def test_bad_sets_are_told_and_end_with_2(ragtui: Call, made: Path, verb: str, what: str) -> None:
    break_it, named = BAD[what]
    said = ragtui(verb, break_it(made))
    assert said.code == 2
    assert said.out == ""
    assert named in said.err


@pytest.mark.parametrize("what", BAD)
def test_check_lists_the_fault_with_its_mend(ragtui: Call, made: Path, what: str) -> None:
    break_it, named = BAD[what]
    said = ragtui("check", break_it(made), "--json")
    assert said.code == 2
    errors = [fault for fault in said.json("check")["faults"] if fault["severity"] == "error"]
    assert errors
    assert all(fault["mend"] for fault in errors)
    assert any(named in f"{fault['file']}:{fault['line']} {fault['what']}" for fault in errors)


@pytest.mark.parametrize("what", BAD)
def test_convert_leaves_nothing_half_written(ragtui: Call, made: Path, tmp_path: Path, what: str) -> None:
    break_it, _ = BAD[what]
    out = tmp_path / "out"
    assert ragtui("convert", break_it(made), out).code == 2
    assert not out.exists()


def test_a_file_that_may_not_be_read(ragtui: Call, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # permissions do not bind root, so the refusal is made
    plain_open = Path.open

    def refuse(self: Path, *arguments: object, **options: object) -> object:
        if self.name == "queries.jsonl":
            raise PermissionError(13, "Permission denied", str(self))
        return plain_open(self, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    said = ragtui("eval", made)
    assert said.code == 2
    assert "queries.jsonl" in said.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--where", "typ:direct"], "Did you mean type"),
        (["--where", 'type:"x'], "never closed"),
        (["--where", "ctxP<.5"], "No verdict of a judge"),
        (["--by", "typo"], "type"),
        (["--metrics", "ndgc@10"], "ndcg"),
        (["--k", "0,5"], "--k: 0 is"),
        (["--k", "five"], "five"),
        (["--level", "high"], "high"),
        (["--level", "-1"], "level"),
        (["--run", "two"], "one"),
        (["--run", "nowhere.trec"], "nowhere.trec"),
        (["--split", "test"], "dev"),
        (["--stage", "prompt"], "prompt"),
        (["--records", "/nowhere/at/all.jsonl"], "/nowhere/at/all.jsonl"),
        (["--convention", "other"], "other"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_wrong_options_are_told(ragtui: Call, made: Path, arguments: list[str], named: str) -> None:
    said = ragtui("eval", made, *arguments)
    assert said.code == 2
    assert named in said.err
    assert said.out == ""


def test_a_set_without_runs_says_how_to_make_one(ragtui: Call, made: Path) -> None:
    (made / "runs" / "one.jsonl").unlink()
    said = ragtui("eval", made)
    assert said.code == 2
    assert f"ragtui bench {made}" in said.err


def test_a_state_folder_that_cannot_be_written(ragtui: Call, made: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way", encoding="utf-8")
    said = ragtui("eval", made, "--save", "--state", file / "state")
    assert said.code == 2
    assert "--state" in said.err


def test_ctrl_c_ends_with_130(ragtui: Call, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(eval_verb, "_answer", lambda *_, **__: interrupted())
    assert ragtui("eval", made).code == 130


def test_a_fault_of_ours_is_no_traceback(ragtui: Call, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_verb, "_answer", lambda *_, **__: 1 / 0)
    said = ragtui("eval", made)
    assert said.code == 2
    assert "ZeroDivisionError" in said.err
    assert "RAGTUI_TRACEBACK" in said.err


CALL = "import sys; from ragtui.cli.main import main; main(sys.argv[1:])"


@pytest.mark.parametrize("arguments", [["--json"], ["--per-query"], ["--metrics", "mrr@5"]])
def test_a_reader_that_leaves_early_is_no_fault(made: Path, arguments: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, "eval", str(made), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 141  # what a shell says of a program whose reader has gone
    assert "Traceback" not in err
    assert "Exception" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["--json"], ["--metrics", "mrr@5"]])
def test_a_full_disk_is_no_fault_of_ours(made: Path, arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-c", CALL, "eval", str(made), *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "The system refuses: No space left on device." in done.stderr
    assert "Exception" not in done.stderr


def test_ctrl_c_while_the_program_is_loaded_ends_with_130(made: Path) -> None:
    interrupt = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", interrupt + CALL, "eval", str(made)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_every_error_of_a_set_is_told_at_once(ragtui: Call, made: Path) -> None:
    bad = '{"_id": "q5"}x\n{"foo": 1}\n' + "[1]\n" * 5
    with (made / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write(bad)
    said = ragtui("eval", made)
    assert said.code == 2
    assert [f"queries.jsonl:{line}:" in said.err for line in range(5, 13)] == [True] * 5 + [False] * 3
    assert "and more of this kind: `ragtui check` lists them" in said.err
    assert said.err.splitlines()[-1].startswith("7 errors in all")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["x="], "x= lacks"),
        (["=r.trec"], "=r.trec lacks"),
        (["a=one.trec", "a=two.trec"], "Two runs would be called a: one.trec and two.trec."),
        (["d/r.trec", "e/r.trec"], "Two runs would be called r: d/r.trec and e/r.trec."),
    ],
)
def test_runs_that_cannot_be_told_apart(ragtui: Call, made: Path, given: list[str], named: str) -> None:
    said = ragtui("eval", made, *(part for run in given for part in ("--run", run)))
    assert said.code == 2
    assert f"--run: {named}" in said.err


def test_a_pair_without_its_run_says_what_can_be_done(ragtui: Call, tmp_path: Path) -> None:
    gold = tmp_path / "q.qrels"
    gold.write_text("1 0 d1 1\n", encoding="utf-8")
    said = ragtui("eval", "--qrels", gold)
    assert (said.code, "bench" in said.err, "--run NAME=FILE" in said.err) == (2, False, True)
    misspelt = ragtui("eval", "--qrels", gold, "--run", "bm52")
    assert (misspelt.code, "neither a run nor a file called bm52" in misspelt.err) == (2, True)


def test_records_into_a_folder(ragtui: Call, made: Path, tmp_path: Path) -> None:
    said = ragtui("eval", made, "--records", tmp_path)
    assert said.code == 2
    assert "Is a directory" in said.err


@pytest.mark.parametrize("arguments", [["--json"], ["--per-query"]])
def test_a_terminal_that_knows_no_chinese_is_no_fault(
    made: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding="ascii", write_through=True))
    with pytest.raises(SystemExit) as ended:
        main(["eval", str(made), "--by", "type", "--where", "餐补", *arguments])
    assert not ended.value.code
    assert b"\\u9910" in content.getvalue()


def test_verbs_without_a_path_say_which_set_they_take(
    ragtui: Call, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    said = ragtui("eval", "--json")
    assert said.json("eval")["runs"].keys() == {"one"}
    assert "this folder" in said.err
    monkeypatch.chdir(made / "runs")
    assert "bundled example" in ragtui("check").err


@pytest.mark.parametrize("verb", [command.name for command in app.registered_commands if not command.hidden])
def test_every_verb_has_a_help_with_an_example(ragtui: Call, verb: str) -> None:
    said = ragtui(verb, "--help")
    assert said.code == 0
    assert f"ragtui {verb}" in said.out.split("Example", 1)[1]
    assert "--json" in said.out


def test_version(ragtui: Call) -> None:
    from ragtui import __version__

    assert ragtui("--version").out == f"ragtui {__version__}\n"


def test_the_app_asks_for_a_terminal(made: Path, ragtui: Call) -> None:
    said = ragtui("open", made)
    assert (said.code, said.out) == (2, "")
    assert "terminal" in said.err
    assert "ragtui eval" in said.err
