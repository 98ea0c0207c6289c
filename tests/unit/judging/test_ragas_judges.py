"""ragas's judges: its prompts and its scores, and what happens without it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from ragtui.errors import RagtuiError
from ragtui.judging.folder import load_judges
from ragtui.judging.interpret import verdicts_from
from ragtui.judging.model import Item, Reply
from ragtui.judging.prompts import requests_for
from ragtui.judging.ragas_judges import ragas_metric
from ragtui.judging.score_formulas import average_precision, share
from tests.unit.judging.judges import LIBRARY

JUDGES = load_judges()
PRECISION = JUDGES["context-precision"]
RECALL = JUDGES["context-recall"]


def asked(name: str, item: Item = LIBRARY) -> tuple[str, Any]:
    (request,) = requests_for(JUDGES[name], item, model="m", endpoint="", language="zh")
    ((role, text),) = request.messages
    assert role == "user"
    return text, request.schema


@pytest.mark.parametrize("judge", [PRECISION, RECALL], ids=lambda judge: judge.name)
def test_prompt_and_schema_are_those_that_ragas_would_send(judge: Any) -> None:
    sent: list[tuple[str, Any]] = []

    async def complete(prompt: str, model: type[Any]) -> Any:
        sent.append((prompt, model.model_json_schema()))
        values = {"reason": "", "verdict": 0, "classifications": []}
        return model.model_validate({name: values[name] for name in model.model_fields})

    contexts = [text for _, text in LIBRARY.contexts]
    ask = ragas_metric(judge, complete).ascore(
        user_input=LIBRARY.query, reference=LIBRARY.reference, retrieved_contexts=contexts
    )
    asyncio.run(ask)
    each = [replace(LIBRARY, context=context) for context in contexts] if judge is PRECISION else [LIBRARY]
    assert [asked(judge.name, item) for item in each] == sent
    assert judge.schema == sent[0][1]


@pytest.mark.parametrize(
    "verdicts", [[1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0, 1, 1], [1], [0], [0, 0, 0, 0, 1]]
)
def test_context_precision_is_that_of_ragas_on_the_same_replies(verdicts: list[int]) -> None:
    replies = [json.dumps({"reason": f"r{i}", "verdict": v}) for i, v in enumerate(verdicts)]
    theirs = ragas_score(PRECISION, replies, [f"context {i}" for i in range(len(verdicts))])
    values = [found.value for text in replies for found in verdicts_from(PRECISION, LIBRARY, Reply(text))]
    ours = average_precision([value for value in values if value is not None])
    # ragas adds 1e-10 to the number of useful contexts, so it never quite reaches 1
    assert ours == pytest.approx(theirs * (sum(verdicts) + 1e-10) / (sum(verdicts) or 1), abs=1e-15)
    if all(verdicts):
        assert ours == 1.0
        assert theirs < 1.0


@pytest.mark.parametrize("attributed", [[1, 0, 1], [1, 1], [0], [0, 0, 1, 0, 0, 0, 1]])
def test_context_recall_is_that_of_ragas_on_the_same_reply(attributed: list[int]) -> None:
    entries = [
        {"statement": f"statement {i}", "reason": "r", "attributed": v} for i, v in enumerate(attributed)
    ]
    text = json.dumps({"classifications": entries})
    theirs = ragas_score(RECALL, [text], ["a", "b"])
    values = [verdict.value for verdict in verdicts_from(RECALL, LIBRARY, Reply(text))]
    assert share([value for value in values if value is not None]) == theirs


def ragas_score(judge: Any, replies: list[str], contexts: list[str]) -> float:
    """What ragas's own metric makes of replies, in the order in which it asks."""
    left = iter(replies)

    async def complete(_prompt: str, model: type[Any]) -> Any:
        return model.model_validate_json(next(left))

    ask = ragas_metric(judge, complete).ascore(
        user_input=LIBRARY.query, reference=LIBRARY.reference, retrieved_contexts=contexts
    )
    return float(asyncio.run(ask).value)


def test_another_ragas_is_refused() -> None:
    judge = replace(PRECISION, version="ragas-0.0.1")
    with pytest.raises(RagtuiError, match=r"named for ragas 0\.0\.1") as raised:
        requests_for(judge, LIBRARY, model="m", endpoint="", language="en")
    assert raised.value.mend


@pytest.mark.parametrize(
    "breaking",
    [
        "sys.modules['ragas'] = None",
        # half an installation, as with a langchain-community that lacks what ragas imports
        "sys.modules['langchain_community.chat_models.vertexai'] = None",
    ],
)
def test_without_ragas_its_judges_say_so_and_the_others_work(breaking: str) -> None:
    script = f"""
import sys
{breaking}
from ragtui.errors import RagtuiError
from ragtui.judging.folder import load_judges
from ragtui.judging.interpret import verdicts_from
from ragtui.judging.model import Item, Reply
from ragtui.judging.prompts import requests_for
judges = load_judges()
item = Item("q", "When?", "c", "In 1998.", "1998", (("c", "In 1998."),), "1998", (("c", "In 1998."),))
ask = dict(model="m", endpoint="", language="en")
assert requests_for(judges["relevance-grade"], item, **ask)
assert verdicts_from(judges["id-overlap"], item, None)[0].value == 1.0
# replies that are there already are read without ragas
assert verdicts_from(judges["context-precision"], item, Reply('{{"verdict": 1}}'))[0].value == 1.0
try:
    requests_for(judges["context-precision"], item, **ask)
except RagtuiError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "need the package ragas, and it cannot be used" in done.stdout
    assert "pip install 'ragas==0.4.3'" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
