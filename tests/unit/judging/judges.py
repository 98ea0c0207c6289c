"""Judges and items for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragtui.judging.model import Item, Reply

LIBRARY = Item(
    query_id="q1",
    query="When was the library opened?",
    chunk_id="c1",
    context="The library opened in 1998.",
    reference="It opened in 1998.",
    contexts=(("c1", "The library opened in 1998."), ("c2", "The museum opened in 2004.")),
    claim="The library opened in 1998.",
    gold=(("c1", "The library opened in 1998."),),
)

TOGETHER_PROMPT = """[system]
You say of each context whether it helps.
[user]
{query}

{contexts}
"""
TOGETHER_SCHEMA = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": {"type": "integer"}}},
}


def write_judge(
    folder: Path,
    *,
    toml: str = "",
    prompts: dict[str, str] | None = None,
    of_reply: Any = None,
    **fields: str,
) -> Path:
    """Write the folder of a rubric judge; `fields` replace lines of its judge.toml by key."""
    folder.mkdir(parents=True)
    lines = {
        "schema": "1",
        "name": f'"{folder.name}"',
        "version": '"1"',
        "unit": '"context"',
        "engine": '"rubric"',
        "scale": "[0, 1]",
        "languages": '["en"]',
    } | fields
    text = "\n".join(f"{key} = {value}" for key, value in lines.items() if value) + "\n" + toml
    (folder / "judge.toml").write_text(text, encoding="utf-8")
    for language, prompt in (prompts or {"en": "[user]\n{query}\n{context}\n"}).items():
        (folder / f"prompt.{language}.md").write_text(prompt, encoding="utf-8")
    of_reply = of_reply or {
        "type": "object",
        "properties": {"reason": {"type": "string"}, "verdict": {"type": "integer", "enum": [0, 1]}},
    }
    (folder / "schema.json").write_text(json.dumps(of_reply), encoding="utf-8")
    return folder


def reply(text: str, finish: str = "stop") -> Reply:
    """A reply with usage, so that tests see where it goes."""
    return Reply(text, finish, tokens_in=100, tokens_out=20, cost=0.01, latency_ms=250.0)
