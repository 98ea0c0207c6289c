"""The judges of ragas: its prompts and response models, asked through our own client.

The one file that imports ragas, and only when a judge of its is asked: that takes seconds, and everything
else works without it. The score ragas would give is `ragtui.judging.scores` on the same replies, but for the
1e-10 that ragas adds to its denominator.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging.model import Item, Judge

Complete = Callable[[str, type[Any]], Awaitable[Any]]

_VERSION_PREFIX = "ragas-"


def asked(judge: Judge, item: Item) -> tuple[tuple[tuple[str, str], ...], Mapping[str, Any]]:
    """The messages ragas would send for the item, and the JSON Schema of its response model.

    Raises:
        RagtuiError: ragas cannot be imported, or it is not the version that the judge is named for.
    """
    _check_version(judge)
    prompt = _prompt("recall" if judge.unit == "reference" else "precision")
    # ragas joins contexts with a line break before its prompt sees them
    context = "\n".join(text for _, text in item.contexts) if judge.unit == "reference" else item.context
    data = prompt.data(question=item.query, context=context, answer=item.reference)
    return (("user", prompt.of(data)),), prompt.schema


def ragas_metric(judge: Judge, complete: Complete) -> Any:
    """The metric of ragas itself for a judge, with a language model of ours inside.

    Args:
        judge: one of the engine `ragas`.
        complete: is given prompt and response model, and returns an instance of the model.

    Returns:
        Its `ascore` takes `user_input`, `reference` and `retrieved_contexts`, asks one context after another,
        and returns the score of ragas as `.value`.
    """
    _check_version(judge)
    base = _imported("ragas.llms.base").InstructorBaseRagasLLM
    metrics = _imported("ragas.metrics.collections")

    class OurModel(base):  # type: ignore[misc, valid-type]
        """Asks through `complete`."""

        def generate(self, prompt: str, response_model: type[Any]) -> Any:
            raise NotImplementedError  # ragas's collections ask asynchronously

        async def agenerate(self, prompt: str, response_model: type[Any]) -> Any:
            return await complete(prompt, response_model)

    kind = metrics.ContextRecall if judge.unit == "reference" else metrics.ContextPrecision
    return kind(llm=OurModel())


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A prompt of ragas, cut where the data go in: ragas puts all of it together anew for each."""

    data: type[Any]
    before: str
    after: str
    schema: Mapping[str, Any]

    def of(self, data: Any) -> str:
        return f"{self.before}{_as_json(data)}{self.after}"


@cache
def _prompt(which: Literal["precision", "recall"]) -> _Prompt:
    module = _imported(f"ragas.metrics.collections.context_{which}.util")
    name = f"Context{which.capitalize()}"
    data, prompt = getattr(module, f"{name}Input"), getattr(module, f"{name}Prompt")()
    sample = data(question="a sample of a question", context="a sample", answer="a sample")
    before, after = prompt.to_string(sample).split(_as_json(sample))
    return _Prompt(data, before, after, getattr(module, f"{name}Output").model_json_schema())


def _as_json(data: Any) -> str:
    """The data of a prompt as `BasePrompt.to_string` writes them."""
    return str(data.model_dump_json(indent=4, exclude_none=True))


def _imported(name: str) -> Any:
    # ragas reports usage and litellm fetches a price list, unless they are told before they are imported
    os.environ.setdefault("RAGAS_DO_NOT_TRACK", "true")
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        return importlib.import_module(name)
    except Exception as error:
        reason = inert(f"{type(error).__name__}: {error}")
        raise RagtuiError("judging.no-ragas", reason=reason) from error


def _check_version(judge: Judge) -> None:
    """Refuse another ragas than the one in the judge's version: its prompts may say something else."""
    found = str(getattr(_imported("ragas"), "__version__", ""))
    wanted = judge.version.removeprefix(_VERSION_PREFIX)
    if wanted not in (judge.version, found):
        raise RagtuiError("judging.other-ragas", judge=judge.name, wanted=wanted, found=inert(found))
