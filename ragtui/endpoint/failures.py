"""What can go wrong between a request and its reply, told apart and told without any key."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ragtui.errors import RagtuiError
from ragtui.inert import inert

_LONGEST_DETAIL = 300
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SECRET_SHAPE = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][\w*.-]{6,}"
    r"|\bAIza[\w-]{10,}|\bAKIA[0-9A-Z]{12,}"
    r"|(?<=bearer )[^\s'\"]+|(?<=://)[^/\s@]+(?=@)"
    r"|(?<=api_key=)[^\s&'\"]+|(?<=api-key=)[^\s&'\"]+|(?<=apikey=)[^\s&'\"]+|(?<=[?&]key=)[^\s&'\"]+",
    re.IGNORECASE,
)
_NOBODY_LISTENS = {
    "ClientConnectorError",
    "ClientConnectorDNSError",
    "ConnectError",
    "ConnectionRefusedError",
    "gaierror",
}
_TOO_LONG = re.compile(r"context (?:length|window|size)|maximum context|too many tokens", re.IGNORECASE)
_USED_UP = re.compile(r"insufficient_quota|credit balance|insufficient balance", re.IGNORECASE)
_UNUSABLE = {"no-key", "key-refused", "unknown-model", "unreachable", "quota"}


class EndpointError(RagtuiError):
    """A request to a model failed. No key is ever part of the text.

    Attributes:
        kind: what went wrong, a key below `endpoint` in the message catalogue.
    """

    @property
    def kind(self) -> str:
        return self.key.partition(".")[2]


class EndpointUnusable(EndpointError):
    """Every further request would fail too: no key, unknown model, nobody listens, quota used up."""


class RequestFailed(EndpointError):
    """This request failed; another may succeed."""


class EndpointBusy(RequestFailed):
    """The server asks to wait longer than we are willing to.

    Attributes:
        wait: seconds that it asks for.
    """

    wait: float = 0.0


def redact(text: str, environ: Mapping[str, str] | None = None) -> str:
    """`text` without keys: neither values of variables named like secrets, nor what has the shape of one."""
    for name, value in (os.environ if environ is None else environ).items():
        if len(value) >= 8 and _SECRET_NAME.search(name):
            text = text.replace(value, "[key]")
    return _SECRET_SHAPE.sub("[key]", text)


@dataclass(frozen=True, slots=True)
class Failure:
    """What became of one request. `kind` is a key below `endpoint` in the message catalogue."""

    kind: str
    detail: str
    may_pass: bool = False
    retry_after: float | None = None

    def as_error(
        self, model: str, attempts: int, wait: float, missing_keys: Sequence[str], *, busy: bool
    ) -> EndpointError:
        """The error to raise after `attempts` requests; `busy` where the server asks for too long a wait."""
        kind = "no-key" if self.kind == "key-refused" and missing_keys else self.kind
        failed = EndpointBusy if busy else RequestFailed
        error = (EndpointUnusable if kind in _UNUSABLE else failed)(
            f"endpoint.{kind}",
            model=inert(model),
            detail=self.detail,
            n=attempts,
            wait=round(wait),
            variables=", ".join(missing_keys),
        )
        if isinstance(error, EndpointBusy):
            error.wait = wait
        return error


def failure_of(error: Exception) -> Failure:
    """What an error of litellm, of a provider or of the network comes down to."""
    text = str(error)
    detail = inert(redact(text)).strip()[:_LONGEST_DETAIL]
    status = getattr(error, "status_code", None) or 0
    names = {type(cause).__name__ for cause in _causes(error)}
    if isinstance(error, TimeoutError) or status == 408 or names & {"Timeout", "APITimeoutError"}:
        return Failure("timeout", detail, may_pass=True)
    if names & _NOBODY_LISTENS:
        return Failure("unreachable", detail, may_pass=True)
    if status in (401, 403) or "missing credentials" in text.lower():
        return Failure("key-refused", detail)
    if status == 404 or "LLM Provider NOT provided" in text or "model_not_found" in text:
        return Failure("unknown-model", detail)
    if status == 402 or _USED_UP.search(text):
        return Failure("quota", detail)
    if status == 429:
        return Failure("rate-limited", detail, may_pass=True, retry_after=_retry_after(error))
    if status >= 500:
        return Failure("server-error", detail, may_pass=True, retry_after=_retry_after(error))
    if "ContextWindowExceededError" in names or (status in (400, 413, 422) and _TOO_LONG.search(text)):
        return Failure("too-long", detail)
    if "ContentPolicyViolationError" in names:
        return Failure("content-policy", detail)
    return Failure("refused", detail)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    for _ in range(20):  # a chain may be a ring
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__


def _retry_after(error: Exception) -> float | None:
    """Seconds that the reply asks to wait, given as a number or as a date (RFC 9110, section 10.2.3)."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
