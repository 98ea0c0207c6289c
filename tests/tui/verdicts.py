"""Verdicts of a model that was never asked, written as the product writes them."""

from __future__ import annotations

from collections.abc import Mapping

from ragtui.judging import table
from ragtui.judging.items import text_hash
from ragtui.judging.model import Verdict
from ragtui.workspace import Workspace

MODEL = "lab/small"
PRECISION, RECALL, COVERAGE = "context-precision", "context-recall", "claim-coverage"

Said = tuple[float | None, str]
"""Value and reason; without a value the verdict failed, and the reason is a code of ours."""

USEFUL: dict[str, dict[str, Said]] = {
    "q01": {"general#1": (1, "gives the scope"), "hotel_old#1": (1, "names a cap [/b] for the night")},
    "q02": {"taxi#1": (0, "about taxis"), "general#1": (0, "about the scope")},
    "q04": {"air#1": (0, "says nothing of who approves"), "air#2": (1, "names who bears the cost")},
    "q05": {"taxi#1": (None, "broken-json"), "general#1": (0, "about the scope")},
    "q06": {"hotel_old#1": (0, "another city"), "hotel#2": (1, "names the cap")},
}
"""By query, for the two chunks of each that went into the prompt."""

STATED: dict[str, list[tuple[str, float, str]]] = {
    "q01": [
        ("住宿上限每晚 500 元。", 1, "hotel"),
        ("可坐高铁二等座。", 0, "no chunk says so"),
    ],
}
RAW = 'I think {"verdict": maybe'


def record_precision(
    workspace: Workspace, said: Mapping[str, Mapping[str, Said]] = USEFUL, *, judge: str = PRECISION
) -> None:
    """Verdicts on chunks of the run e5-small."""
    judgments = workspace.judgments
    asker = judgments.asker(judge, MODEL)
    verdicts = [
        Verdict(
            query_id=item.query_id,
            chunk_id=item.chunk_id,
            claim=None,
            value=value,
            reason=reason,
            status="ok" if value is not None else "parse-error",
            judge=asker.judge.name,
            version=asker.judge.version,
            model=asker.model,
            text_hash=text_hash(asker.judge, item),
            raw="" if value is not None else RAW,
        )
        for query in judgments.selected("e5-small", asker, 3)
        for item in query.items
        for value, reason in [said.get(item.query_id, {}).get(item.chunk_id, (None, ""))]
        if item.chunk_id in said.get(item.query_id, {})
    ]
    table.append(judgments.folder, asker.judge, asker.model, [("", verdicts)])
    workspace.forget_verdicts()


def record_recall(workspace: Workspace) -> None:
    """Verdicts on the statements of references."""
    judgments = workspace.judgments
    asker = judgments.asker(RECALL, MODEL)
    for query in judgments.selected("e5-small", asker, 3):
        verdicts = [
            Verdict(
                query_id=item.query_id,
                chunk_id=None,
                claim=claim,
                value=value,
                reason=reason,
                status="ok",
                judge=asker.judge.name,
                version=asker.judge.version,
                model=asker.model,
                text_hash=text_hash(asker.judge, item),
            )
            for item in query.items
            for claim, value, reason in STATED.get(item.query_id, [])
        ]
        table.append(judgments.folder, asker.judge, asker.model, [("", verdicts)])
    workspace.forget_verdicts()


def record_coverage(workspace: Workspace, said: Mapping[tuple[str, str], Said]) -> None:
    """Verdicts on statements and chunks, by both."""
    judgments = workspace.judgments
    asker = judgments.asker(COVERAGE, MODEL)
    verdicts = [
        Verdict(
            query_id=item.query_id,
            chunk_id=item.chunk_id,
            claim=item.claim,
            value=said[item.claim, item.chunk_id][0],
            reason=said[item.claim, item.chunk_id][1],
            status="ok" if said[item.claim, item.chunk_id][0] is not None else "timeout",
            judge=asker.judge.name,
            version=asker.judge.version,
            model=asker.model,
            text_hash=text_hash(asker.judge, item),
        )
        for query in judgments.selected("e5-small", asker, 3)
        for item in query.items
        if (item.claim, item.chunk_id) in said
    ]
    table.append(judgments.folder, asker.judge, asker.model, [("", verdicts)])
    workspace.forget_verdicts()


def record_rule(workspace: Workspace, judge: str = "id-overlap") -> None:
    """What a rule says of one query: that it was recorded at all is enough to be shown everywhere."""
    from ragtui.judging.interpret import verdicts_from

    judgments = workspace.judgments
    asker = judgments.asker(judge)
    selected = judgments.selected("e5-small", asker, 3)
    verdicts = [verdict for item in selected[0].items for verdict in verdicts_from(asker.judge, item, None)]
    table.append(judgments.folder, asker.judge, "", [("", verdicts)])
    workspace.forget_verdicts()
