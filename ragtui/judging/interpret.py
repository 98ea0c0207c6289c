"""What a reply means: verdicts with status, value and reason, one way for every engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragtui.judging.items import asks_together, lacking, text_hash
from ragtui.judging.model import Item, Judge, Reply, Status, Verdict
from ragtui.judging.parser import Failure, Finding, Parsed, parse
from ragtui.judging.rules import rule_of
from ragtui.judging.template import label
from ragtui.messages import Language, t

_OF_RULE = re.compile(r"in-gold|not-in-gold|similarity [01]\.\d\d .+")


def verdicts_from(
    judge: Judge, item: Item, reply: Reply | None, *, model: str = "", repeat: int = 0, digest: str = ""
) -> list[Verdict]:
    """Verdicts on an item, at least one.

    Several come from a reply on a reference (one for each statement) and from one about several contexts (one
    for each context); the first of them carries tokens and cost, the others none, so that sums are right.

    Args:
        judge: the judge that was asked.
        item: what it was asked about.
        reply: None for rules, and where nothing was asked because a text is missing (status `skipped`).
        model: the model that was asked, `""` for rules.
        repeat: which asking this was.
        digest: `text_hash` of the item, where that is known already.
    """
    common = _Common(judge, item, model, repeat, digest or text_hash(judge, item))
    if judge.engine == "rule":
        return _of_rule(common)
    missing = lacking(judge, item)
    if reply is None or missing:
        return common.failed("skipped", missing or "not-asked")
    parsed = _read(judge, reply)
    if isinstance(parsed, Parsed) and asks_together(judge):
        parsed = _by_context(item, parsed)
    if isinstance(parsed, Failure):
        return _with_usage(common.failed(parsed.kind, parsed.code, reply.text), reply)
    given = [
        common.verdict("ok", found.reason, chunk=chunk, claim=claim, value=found.value)
        for found, chunk, claim in _subjects(judge, item, parsed.findings)
    ]
    return _with_usage(given, reply)


def failed_verdicts(
    judge: Judge,
    item: Item,
    status: Status,
    code: str,
    *,
    model: str = "",
    repeat: int = 0,
    raw: str = "",
    digest: str = "",
) -> list[Verdict]:
    """What is kept where an item got no verdict: one failure for each verdict that was wanted.

    How many statements a reference has is not known without a reply; its failure is one.

    Args:
        judge: the judge that was asked, or could not be.
        item: what it was asked about.
        status: kind of the failure.
        code: key below `judging.reason` in the message catalogue, and what fills its template; see
            `reason_text`.
        model: the model, `""` for rules.
        repeat: which asking this was.
        raw: the raw reply.
        digest: `text_hash` of the item, where that is known already.
    """
    return _Common(judge, item, model, repeat, digest or text_hash(judge, item)).failed(status, code, raw)


def reason_text(status: Status, reason: str, language: Language | None = None) -> str:
    """The reason of a verdict as people read it: a model's own words, or the text for a code of ours."""
    if status == "ok" and not _OF_RULE.fullmatch(reason):
        return reason
    code, *values = reason.split(" ", 2)
    try:
        return t(f"judging.reason.{code}", language, **dict(zip(("first", "second"), values, strict=False)))
    except KeyError:
        return reason


def _of_rule(asked: _Common) -> list[Verdict]:
    judge, item = asked.judge, asked.item
    # a rule says the same whatever model stands beside it, however often
    common = replace(asked, model="", repeat=0) if asked.model or asked.repeat else asked
    found = rule_of(judge)(item, judge.defaults)
    if found is None:
        return common.failed("skipped", "no-gold")
    value, reason = found
    if value not in judge.scale:
        return common.failed("off-scale", "off-scale")
    return [common.verdict("ok", reason, chunk=_chunk(judge, item), claim=_claim(judge, item), value=value)]


def _read(judge: Judge, reply: Reply) -> Parsed | Failure:
    """The findings of a reply; how it ended explains why there are none."""
    parsed = parse(reply.text, judge.schema or {}, judge.scale)
    if reply.finish == "content_filter":
        return Failure("refused", "content-filter")
    whole = isinstance(parsed, Parsed) and reply.text.rstrip().endswith(("}", "`"))
    if reply.finish == "length" and not whole:
        return Failure("truncated", "truncated")
    return parsed


def _by_context(item: Item, parsed: Parsed) -> Parsed | Failure:
    """Findings in the order of the contexts: by the ids they echo, else by their number, if it is right."""
    findings = parsed.findings
    wanted = [label(place) for place in range(len(item.contexts))]
    by_label = {finding.label.strip().casefold(): finding for finding in findings if finding.label}
    if len(findings) != len(wanted):
        return Failure("parse-error", f"verdict-count {len(findings)} {len(wanted)}")
    if not by_label:
        return parsed
    if sorted(by_label) != sorted(wanted):
        return Failure("parse-error", "unknown-id")
    return Parsed(tuple(by_label[name] for name in wanted))


def _subjects(
    judge: Judge, item: Item, findings: Sequence[Finding]
) -> list[tuple[Finding, str | None, str | None]]:
    """Each finding with the chunk and the claim that it is about."""
    if judge.unit == "reference":
        names = [finding.label or f"#{place + 1}" for place, finding in enumerate(findings)]
        return [(finding, None, name) for finding, name in zip(findings, names, strict=True)]
    if asks_together(judge):
        pairs = zip(findings, item.contexts, strict=True)
        return [(finding, chunk_id, None) for finding, (chunk_id, _) in pairs]
    return [(finding, _chunk(judge, item), _claim(judge, item)) for finding in findings]


def _with_usage(verdicts: list[Verdict], reply: Reply) -> list[Verdict]:
    """The verdicts of a reply with its latency; tokens and cost are the first one's."""
    timed = [replace(verdict, latency_ms=reply.latency_ms) for verdict in verdicts]
    first = replace(timed[0], tokens_in=reply.tokens_in, tokens_out=reply.tokens_out, cost=reply.cost)
    tokens_in, tokens_out, cost = (
        None if usage is None else 0 for usage in (reply.tokens_in, reply.tokens_out, reply.cost)
    )
    others = [replace(v, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost) for v in timed[1:]]
    return [first, *others]


@dataclass(frozen=True, slots=True)
class _Common:
    """What all verdicts on an item have in common."""

    judge: Judge
    item: Item
    model: str
    repeat: int
    digest: str

    def failed(self, status: Status, code: str, raw: str = "") -> list[Verdict]:
        judge, item = self.judge, self.item
        together = asks_together(judge)
        chunks = [chunk_id for chunk_id, _ in item.contexts] if together else [_chunk(judge, item)]
        return [
            self.verdict(status, code, chunk=chunk, claim=_claim(judge, item), raw=raw) for chunk in chunks
        ]

    def verdict(
        self,
        status: Status,
        reason: str,
        *,
        chunk: str | None,
        claim: str | None,
        value: float | None = None,
        raw: str = "",
    ) -> Verdict:
        return Verdict(
            query_id=self.item.query_id,
            chunk_id=chunk,
            claim=claim,
            value=value,
            reason=reason,
            status=status,
            judge=self.judge.name,
            version=self.judge.version,
            model=self.model,
            repeat=self.repeat,
            text_hash=self.digest,
            raw=raw,
        )


def _chunk(judge: Judge, item: Item) -> str | None:
    return None if judge.unit == "reference" else item.chunk_id


def _claim(judge: Judge, item: Item) -> str | None:
    return item.claim if judge.unit == "statement-context" else None
