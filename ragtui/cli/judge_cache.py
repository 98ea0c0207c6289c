"""`ragtui judge --cache`: what the cache of replies holds, whether it is sound, and how it is kept small."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from ragtui.cli.output import show, show_json
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging.cache import ReplyCache, open_cache
from ragtui.messages import t

KEY_CELLS, TEXT_CELLS = 12, 80

Action = Literal["stats", "list", "verify", "prune", "merge"]


def tend_cache(action: Action, *, days: float | None, source: Path | None, json: bool) -> bool:
    """Do one thing with the cache and say what came of it; False where `verify` found faults."""
    cache = open_cache()
    found = {"stats": _stats, "list": _list, "verify": _verify, "prune": _prune, "merge": _merge}[action](
        cache, days, source
    )
    content = {"cache": action, "folder": str(cache.folder), **found}
    if json:
        show_json(content)
    else:
        _show(action, content)
    return not found.get("faults")


def _stats(cache: ReplyCache, _days: float | None, _source: Path | None) -> dict[str, Any]:
    stats = cache.stats()
    return {"models": dict(stats.entries), "refused": stats.refused, "bytes": stats.bytes}


def _list(cache: ReplyCache, _days: float | None, _source: Path | None) -> dict[str, Any]:
    return {
        "entries": [{"key": key, "model": model, "text": reply.text} for key, model, reply in cache.entries()]
    }


def _verify(cache: ReplyCache, _days: float | None, _source: Path | None) -> dict[str, Any]:
    return {"faults": cache.verify()}


def _prune(cache: ReplyCache, days: float | None, _source: Path | None) -> dict[str, Any]:
    return {"removed": cache.prune(days)}


def _merge(cache: ReplyCache, _days: float | None, source: Path | None) -> dict[str, Any]:
    if source is None:
        raise RagtuiError("cli.judge.merge-what", where="--from")
    return {"added": cache.merge(source)}


def _show(action: Action, content: dict[str, Any]) -> None:
    folder = content["folder"]
    if action == "stats":
        total = sum(content["models"].values())
        show(t("cli.judge.cache.stats", folder=folder, n=total, megabytes=f"{content['bytes'] / 1e6:.1f}"))
        show("\n".join(f"  {n:>8} {model}" for model, n in content["models"].items()))
        if content["refused"]:
            show(t("cli.judge.cache.refused", n=content["refused"]))
    elif action == "list":
        for entry in content["entries"]:
            show(f"{entry['key'][:KEY_CELLS]}  {entry['model']}  {inert(entry['text'])[:TEXT_CELLS]}")
    elif action == "verify":
        show("\n".join(content["faults"]) or t("cli.judge.cache.sound", folder=folder))
    elif action == "prune":
        show(t("cli.judge.cache.pruned", n=content["removed"], folder=folder))
    else:
        show(t("cli.judge.cache.merged", n=content["added"], folder=folder))
