"""What is sent to a model for an item: messages, sampling and the schema of the reply."""

from __future__ import annotations

from ragtui.dataset.model import EvaluationSet
from ragtui.judging.items import lacking
from ragtui.judging.model import Item, Judge, Request
from ragtui.judging.template import fill

_MOST_LOOKED_AT = 200


def requests_for(
    judge: Judge, item: Item, *, model: str, endpoint: str, language: str, repeat: int = 0
) -> tuple[Request, ...]:
    """Requests that have to be answered for verdicts on the item.

    Empty for rules, and where a text that the judge needs is missing; then `verdicts_from(judge, item, None)`
    says so without a call.

    Args:
        judge: any judge.
        item: what is judged; texts go out as they are, Chinese as Chinese.
        model: as litellm names it.
        endpoint: label of the server, `""` for the provider's own.
        language: of the prompt, where the judge has one in it; else English, else its first.
        repeat: 0 for the first asking.

    Raises:
        RagtuiError: the judge is one of ragas's, and ragas is not there or broken.
    """
    if judge.engine == "rule" or lacking(judge, item):
        return ()
    if judge.engine == "ragas":
        from ragtui.judging import ragas_judges

        messages, schema = ragas_judges.asked(judge, item)
    else:
        messages = _messages(judge, item, language)
        schema = judge.schema or {}
    return (
        Request(
            model=model,
            endpoint=endpoint,
            messages=messages,
            sampling=dict(judge.defaults),
            schema=schema,
            repeat=repeat,
        ),
    )


def language_of(evaluation: EvaluationSet) -> str:
    """Language of prompts for a set: what set.toml says, else `zh` where most queries hold Chinese."""
    said = evaluation.settings.language
    if said:
        return said.lower().partition("-")[0].partition("_")[0]
    texts = [str(text) for text in evaluation.queries["text"].head(_MOST_LOOKED_AT)]
    chinese = sum(any("\u4e00" <= character <= "\u9fff" for character in text) for text in texts)
    return "zh" if 2 * chinese > len(texts) else "en"


def _messages(judge: Judge, item: Item, language: str) -> tuple[tuple[str, str], ...]:
    chosen = next((name for name in (language, "en") if name in judge.prompts), next(iter(judge.prompts)))
    texts = {"query": item.query, "context": item.context, "reference": item.reference, "claim": item.claim}
    return fill(judge.prompts[chosen], texts, [text for _, text in item.contexts])
