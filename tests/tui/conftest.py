"""A small travel-expense set in Chinese and English, and one full of text that breaks terminals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui import messages
from ragtui.dataset.model import (
    CHUNK_COLUMNS,
    GOLD_COLUMNS,
    QUERY_COLUMNS,
    EvaluationSet,
    Hashes,
    RankedLists,
    Run,
    RunCard,
    SetSettings,
)
from ragtui.tui import desk, glyphs
from ragtui.workspace import Workspace
from tests.tui.asked import MODEL, Lab, graded
from tests.tui.verdicts import record_precision, record_recall

QUERIES: list[tuple[str, str, str, bool]] = [
    ("q01", "去上海出差，高铁二等座和酒店每天最多能报多少？", "multi-evidence", True),
    ("q02", "Which receipts does the VP tier need for a client dinner?", "mixed-language", True),
    ("q03", "旧版和新版的餐补差多少", "time/version", True),
    ("q04", "实习生可以坐飞机吗，需要谁批准，如果临时改签产生的费用由谁承担？", "role/permission", True),
    ("q05", "打车票超过一百元要不要行程单", "direct", True),
    ("q06", "What is the hotel cap in Chengdu for managers on a two-night stay?", "table", True),
    ("q07", "国际差旅 per diem 怎么折算", "mixed-language", True),
    ("q08", "报销单模板里 cost_center 填什么", "code/API", True),
    ("q09", "月球出差住酒店报多少", "direct", False),
    ("q10", "Can I expense a gym membership?", "direct", False),
]
CHUNKS: dict[str, tuple[str, str]] = {
    "hotel#1": ("城市住宿标准", "一类城市普通员工住宿上限每晚 500 元，经理 650 元。超出部分由个人承担。"),
    "hotel#2": ("城市住宿标准", "二类城市（成都、杭州等）普通员工上限每晚 400 元，经理 550 元。"),
    "hotel_old#1": ("城市住宿标准（旧版）", "一类城市住宿上限每晚 450 元。本版自 2024 年起废止。"),
    "rail#1": ("高铁与火车", "普通员工可乘坐高铁二等座，凭票实报实销。"),
    "meal#1": ("餐补标准", "一类城市餐补每天 100 元，其他城市每天 80 元。"),
    "meal_old#1": ("餐补标准（旧版）", "餐补每天 60 元，不分城市。"),
    "air#1": ("机票", "实习生出差原则上不乘飞机；确有需要的，由部门总监批准。"),
    "air#2": ("机票改签", "因公改签的费用由公司承担，因私改签的由个人承担。"),
    "taxi#1": ("Taxi and ride-hailing", "Receipts above CNY 100 need the trip record attached."),
    "receipt#7": (
        "Receipts of executives",
        "The VP tier needs itemised receipts and a guest list for dinners.",
    ),
    "perdiem#1": ("International per diem", "国外每日补贴按出发前一日央行中间价折算成人民币。"),
    "form#1": ("报销单", "cost_center 一栏填写部门代码，例如 RD-02。"),
    "general#1": ("差旅制度总则", "本制度适用于全体员工因公出差产生的费用，包括交通、住宿、餐饮与杂费。"),
}
GOLD: list[tuple[str, str, float, str, str | None, str | None]] = [
    ("q01", "hotel#1", 3, "给出一类城市的上限", None, None),
    ("q01", "rail#1", 3, "给出高铁席别", None, None),
    ("q01", "hotel_old#1", 0, "已废止", None, "distractor"),
    ("q02", "receipt#7", 3, "names what the tier needs", None, None),
    ("q03", "meal#1", 3, "新版金额", "new", None),
    ("q03", "meal_old#1", 3, "旧版金额", "old", None),
    ("q04", "air#1", 3, "谁批准", None, None),
    ("q04", "air#2", 2, "改签费用", None, None),
    ("q05", "taxi#1", 3, "要求行程单", None, None),
    ("q06", "hotel#2", 3, "names the cap", "cap", None),
    ("q06", "hotel#1", 2, "the other tier, for comparison", "cap", None),
    ("q07", "perdiem#1", 3, "折算办法", None, None),
    ("q08", "form#1", 3, "填写说明", None, None),
    ("q08", "general#1", 1, "只谈范围", None, None),
]
DENSE: dict[str, list[tuple[str, float]]] = {
    "q01": [
        ("general#1", 0.884),
        ("hotel_old#1", 0.871),
        ("hotel#1", 0.869),
        ("meal#1", 0.866),
        ("air#2", 0.859),
    ],
    "q02": [
        ("taxi#1", 0.861),
        ("general#1", 0.855),
        ("form#1", 0.851),
        ("receipt#7", 0.847),
        ("meal#1", 0.840),
    ],
    "q03": [
        ("general#1", 0.880),
        ("hotel#1", 0.872),
        ("hotel_old#1", 0.870),
        ("air#1", 0.868),
        ("rail#1", 0.866),
    ],
    "q04": [("air#1", 0.905), ("air#2", 0.892), ("general#1", 0.871), ("rail#1", 0.866), ("taxi#1", 0.842)],
    "q05": [("taxi#1", 0.913), ("general#1", 0.861), ("form#1", 0.858), ("rail#1", 0.852), ("meal#1", 0.850)],
    "q06": [
        ("hotel_old#1", 0.875),
        ("hotel#2", 0.871),
        ("hotel#1", 0.869),
        ("general#1", 0.855),
        ("air#1", 0.848),
    ],
    "q07": [
        ("perdiem#1", 0.901),
        ("general#1", 0.866),
        ("meal#1", 0.861),
        ("meal_old#1", 0.860),
        ("air#1", 0.851),
    ],
    "q08": [("form#1", 0.893), ("general#1", 0.857), ("taxi#1", 0.849), ("rail#1", 0.846), ("air#1", 0.841)],
    "q09": [("hotel#1", 0.846), ("hotel_old#1", 0.841), ("general#1", 0.839)],
    "q10": [("general#1", 0.802), ("meal#1", 0.797), ("taxi#1", 0.795)],
}
BM25: dict[str, list[tuple[str, float]]] = {
    "q01": [("rail#1", 7.31), ("hotel#1", 6.92), ("hotel#2", 5.10), ("hotel_old#1", 4.87)],
    "q02": [("receipt#7", 11.42), ("taxi#1", 6.02)],
    "q03": [("meal_old#1", 4.41), ("meal#1", 4.40)],
    "q04": [("air#1", 9.90), ("general#1", 3.12), ("air#2", 3.05)],
    "q05": [("taxi#1", 5.01)],
    "q06": [("form#1", 1.20)],
    "q07": [("perdiem#1", 8.77), ("meal#1", 2.00)],
    "q08": [("form#1", 6.66)],
    "q09": [("hotel#1", 3.33)],
}
NASTY = [
    "[/b] closes what was never opened",
    "[red]is not red[/red] and [link=http://x]no link[/link]",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J cleared",
    "NUL \x00 and tab\tand\r\nline breaks\u2028here",
    "emoji 👩‍👩‍👧 👍🏽 🇨🇳 ❤️ end",
    "全角，标点；与“引号”…以及③■□≠",
    "عربي وعبري עברית \u202eoverride\u202c",
    "combining a\u0301\u0302\u0303 and zero\u200bwidth",
    "很长" * 50_000,
]


def made_set(
    path: Path,
    queries: Sequence[tuple[str, str, str, bool]],
    chunks: Mapping[str, tuple[str, str]],
    gold: Sequence[tuple[str, str, float, str, str | None, str | None]],
    runs: Mapping[str, Mapping[str, Sequence[tuple[str, float]]]],
) -> EvaluationSet:
    """A set in memory; `path` is only its name."""
    settings = SetSettings(
        name=path.name, grade_scale=(0, 1, 2, 3), k=(1, 3, 5, 10), start_k=3, primary="ndcg@3"
    )
    ids = pd.Index([q[0] for q in queries], name="query_id")
    none = [None] * len(queries)
    table: dict[str, Any] = {name: pd.Series(none, index=ids, dtype=object) for name in QUERY_COLUMNS}
    table["text"] = pd.Series([q[1] for q in queries], index=ids, dtype=object)
    table["type"] = pd.Series([q[2] for q in queries], index=ids, dtype=object)
    table["answerable"] = pd.Series([q[3] for q in queries], index=ids, dtype=object)
    table["core"] = pd.Series([False] * len(queries), index=ids)
    corpus = pd.DataFrame(
        [
            dict.fromkeys(CHUNK_COLUMNS) | {"title": title, "text": text, "doc_id": chunk.split("#")[0]}
            for chunk, (title, text) in chunks.items()
        ],
        index=pd.Index(list(chunks), name="chunk_id"),
        columns=list(CHUNK_COLUMNS),
    )
    labels = pd.DataFrame(
        [
            (query, chunk, float(grade), reason, "", group, role, "dev")
            for query, chunk, grade, reason, group, role in gold
        ],
        columns=list(GOLD_COLUMNS),
    )
    return EvaluationSet(
        path=path,
        settings=settings,
        queries=pd.DataFrame(table, index=ids),
        chunks=corpus,
        gold=labels,
        query_split=pd.Series(["dev"] * len(queries), index=ids, dtype=object),
        runs={name: made_run(name, lists) for name, lists in runs.items()},
        given_hashes=Hashes("3fa9c1" + "0" * 58, "5b7e20" + "0" * 58, "c81d44" + "0" * 58),
    )


def made_run(name: str, lists: Mapping[str, Sequence[tuple[str, float]]]) -> Run:
    ids = {query: [chunk for chunk, _ in ranked] for query, ranked in lists.items()}
    scores = {query: [score for _, score in ranked] for query, ranked in lists.items()}
    prompt = {query: ranked[:2] for query, ranked in ids.items()}
    return Run(
        name=name,
        lists=RankedLists.from_lists(ids, scores),
        stages={"prompt": RankedLists.from_lists(prompt)},
        card=RunCard({"depth": 10, "model": name}),
    )


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English, unicode glyphs and colours, whatever machine the tests run on."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    messages.use("en")
    glyphs.use("unicode")
    yield
    messages.use(None)
    glyphs.use("unicode")


@pytest.fixture
def travel_set(tmp_path: Path) -> EvaluationSet:
    return made_set(tmp_path / "travel", QUERIES, CHUNKS, GOLD, {"e5-small": DENSE, "bm25": BM25})


@pytest.fixture
def travel(travel_set: EvaluationSet, tmp_path: Path) -> Workspace:
    return Workspace(travel_set, state=tmp_path / "state")


REFERENCES = {
    "q01": "住宿上限每晚 500 元。可坐高铁二等座。",
    "q02": "Itemised receipts and a guest list.",
    "q04": "由部门总监批准。因公改签的费用由公司承担。",
    "q05": "要附行程单。",
    "q06": "CNY 550 a night.",
}


@pytest.fixture
def unjudged(travel_set: EvaluationSet, tmp_path: Path) -> Workspace:
    """The travel set with reference answers, which judges that ask a model need."""
    queries = travel_set.queries.copy()
    answers = [REFERENCES.get(query) for query in queries.index]
    queries["reference"] = pd.Series(answers, index=queries.index, dtype=object)
    return Workspace(replace(travel_set, queries=queries), state=tmp_path / "state")


@pytest.fixture
def judged(unjudged: Workspace) -> Workspace:
    """The same with verdicts on the run e5-small."""
    record_precision(unjudged)
    record_recall(unjudged)
    return unjudged


@pytest.fixture
def recorded(judged: Workspace) -> Workspace:
    """The same, for tests that judge themselves."""
    return judged


@pytest.fixture
def nasty_set(tmp_path: Path) -> EvaluationSet:
    """Every text of `NASTY` as query, type, chunk, title, reason and run name."""
    queries = [(f"n{n}\x1b[1m", text, text[:200], True) for n, text in enumerate(NASTY)]
    chunks = {f"c{n}[/b]#1": (text[:500], text) for n, text in enumerate(NASTY)}
    names = list(chunks)
    gold = [(q[0], names[n], 3.0, q[1], None, None) for n, q in enumerate(queries)]
    lists = {
        q[0]: [
            (names[(n + step) % len(names)], float(np.round(0.9 - step / 100, 3))) for step in range(n % 6)
        ]
        for n, q in enumerate(queries)
    }
    return made_set(tmp_path / "nasty [/b] \x1b[31m", queries, chunks, gold, {"run [red]\x1b[0m": lists})


@pytest.fixture
def nasty(nasty_set: EvaluationSet, tmp_path: Path) -> Workspace:
    return Workspace(nasty_set, state=tmp_path / "state")


@pytest.fixture
def easy(tmp_path: Path) -> Workspace:
    """Queries that are all answered at rank 1."""
    wanted = {"q05", "q07", "q08"}
    chosen = made_set(
        tmp_path / "easy",
        [query for query in QUERIES if query[0] in wanted],
        CHUNKS,
        [label for label in GOLD if label[0] in wanted],
        {"e5-small": {query: ranked for query, ranked in DENSE.items() if query in wanted}},
    )
    return Workspace(chosen, state=tmp_path / "state")


@pytest.fixture
def without_runs(tmp_path: Path) -> Workspace:
    return Workspace(made_set(Path("/sets/no runs"), QUERIES, CHUNKS, GOLD, {}), state=tmp_path / "state")


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    """The settings name a model, which answers here."""
    made = Lab()
    made.model.answer = lambda _: graded(3)
    monkeypatch.setenv("RAGTUI_JUDGE_MODEL", MODEL)
    monkeypatch.setattr(desk, "open_model", made.open)
    monkeypatch.setattr(desk, "missing_keys", lambda _: made.missing)
    return made
