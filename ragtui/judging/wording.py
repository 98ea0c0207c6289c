"""Values, verdicts and refusals as models put them into words, in English and Chinese."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragtui.judging.model import Status

BINARY = (0.0, 1.0)

_YES = (
    "yes",
    "true",
    "useful",
    "relevant",
    "supported",
    "attributed",
    "是",
    "是的",
    "对",
    "有用",
    "相关",
    "支持",
)
_NO = (
    "no",
    "false",
    "not useful",
    "useless",
    "not relevant",
    "irrelevant",
    "not supported",
    "unsupported",
    "not attributed",
    "否",
    "不",
    "不是",
    "无用",
    "没用",
    "没有用",
    "无关",
    "不相关",
    "不支持",
)
_WORDS = {**dict.fromkeys(_YES, 1.0), **dict.fromkeys(_NO, 0.0)}

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_AROUND = " \t*_`\"'“”‘’.。!！;；:："
_COMMENTED = re.compile(r"(.+?)\s*\(.*\)")
_STATED = (
    r"(?im)(?:^|[\s*_>#-])(?:{name}|verdict|判定|判断|结论|裁决|等级|答案)"
    r"[*_\s]*[:：=][*_ \t]*(?P<value>[^\n]+)"
)
_LEADING = re.compile(
    r"(?P<word>[^\s,，.。:：;；!！]+(?: (?:useful|relevant|supported|attributed))?)(?=[,，.。:：;；!！\n])"
)
_SAYS_NO = re.compile(
    r"(?:not|isn't|no) (?:\w+ )?(?:useful|relevant|supported)|useless|无用|没有?用|不相关|无关|不支持"
)
_SAYS_YES = re.compile(r"\b(?:is|was|are) (?:useful|relevant|supported)\b|(?<![没不])有用")

_SORRY = r"(?:(?:i'm |i am )?(?:very |so )?sorry|i apologi[sz]e|unfortunately)"
_CANNOT = (
    r"i(?: can't| cannot| can not| won't| will not|(?: am|'m) (?:not able|unable) to)"
    r" (?:help(?! but)|assist|comply|engage|participate|fulfil"
    r"|(?:support|process|do|continue|discuss) (?:that|this|your|with)"
    r"|provide (?:a |an |any |that |this )?(?:verdict|grade|judge?ment|rating))"
)
_CHINESE_SORRY = r"(?:很|非常|十分)?(?:抱歉|对不起|遗憾)[，,。！! ]*(?:但是?)?"
_CHINESE_CANNOT = r"(?:暂时|目前)?(?:无法|不能|没有?办法|不便|不可以)(?![从由在根得确判找看])"
_CHINESE_DOES = r"(?:提供|协助|帮助|帮你|帮您|满足|完成|处理|继续|配合|参与|给出|回答)"
_REFUSAL = re.compile(
    rf"\W*(?:{_SORRY},?(?: but)? )?(?:as an ai[^.,]{{0,60}}, ?)?{_CANNOT}"
    rf"|\W*{_CHINESE_SORRY}(?:作为[^，。]{{0,20}}[，,])?我?{_CHINESE_CANNOT}"
    rf"|\W*(?:作为[^，。]{{0,20}}[，,])?我{_CHINESE_CANNOT}{_CHINESE_DOES}",
    re.IGNORECASE,
)
_VAGUE_REFUSAL = re.compile(
    rf"\W*(?:{_SORRY}|as an ai|i (?:can't|cannot) |{_CHINESE_SORRY}|作为(?:一个|一名)?(?:ai|人工智能))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unread:
    """Why something is no value: `off-scale`, or a parse error of the kind that `code` says."""

    kind: Status
    code: str


_NOT_A_VERDICT = Unread("parse-error", "not-a-verdict")
_NO_VERDICT = Unread("parse-error", "no-verdict")
_OFF_SCALE = Unread("off-scale", "off-scale")


def value_of(written: Any, scale: Sequence[float]) -> float | Unread:
    """A value on the scale out of a number, a truth value or a word; words are read on the scale 0, 1 only.

    `8/10` and `75%` are values of no scale: who writes them did not answer what was asked.
    """
    binary = tuple(scale) == BINARY
    if isinstance(written, bool):
        return float(written) if binary else _NOT_A_VERDICT
    if isinstance(written, int | float):
        return _on_scale(written, scale)
    if not isinstance(written, str):
        return _NOT_A_VERDICT
    word = _plain(written)
    if _NUMBER.fullmatch(word):
        return _on_scale(float(word), scale)
    if binary and word in _WORDS:
        return _WORDS[word]
    return _NOT_A_VERDICT


def stated_values(text: str, name: str, scale: Sequence[float]) -> list[float]:
    """Values of lines such as `Verdict: 1`, `**Grade**: 2`, `判定：有用`; what is no value is passed over.

    Args:
        text: prose, without JSON and reasoning.
        name: what the schema calls the verdict.
        scale: values it may have.
    """
    lines = re.finditer(_STATED.format(name=re.escape(name)), text)
    values = [value_of(line["value"], scale) for line in lines]
    return [value for value in values if not isinstance(value, Unread)]


def leading_value(text: str, scale: Sequence[float]) -> float | Unread:
    """The value that prose begins or ends with, where nothing else in it says otherwise."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return _NO_VERDICT
    ends = [value_of(line, scale) for line in {lines[0], lines[-1]}]
    found = {value for value in ends if not isinstance(value, Unread)}
    word = _LEADING.match(text.strip())
    if word is not None and tuple(scale) == BINARY and _plain(word["word"]) in _WORDS:
        found.add(_WORDS[_plain(word["word"])])
    if len(found) > 1 or (found and tuple(scale) == BINARY and _denied(text, found)):
        return Unread("contradiction", "two-verdicts")
    if found:
        return found.pop()
    return next((end for end in ends if isinstance(end, Unread) and end.kind == "off-scale"), _missing(text))


def is_refusal(text: str) -> bool:
    """Whether a text begins by refusing the request itself."""
    return _REFUSAL.match(_straight(text)) is not None


def is_vague_refusal(text: str) -> bool:
    """Whether a text without any verdict begins with an apology, or with what the model is or cannot do."""
    return _VAGUE_REFUSAL.match(_straight(text)) is not None


def _on_scale(value: float, scale: Sequence[float]) -> float | Unread:
    if value in scale:
        return float(value)
    # whole numbers may be too large to become a float, but they are finite
    return _OFF_SCALE if isinstance(value, int) or math.isfinite(value) else _NOT_A_VERDICT


def _denied(text: str, found: set[float]) -> bool:
    plain = _straight(text).casefold()
    says_no = _SAYS_NO.search(plain) is not None
    says_yes = _SAYS_YES.search(_SAYS_NO.sub("", plain)) is not None
    return says_no if 1.0 in found else says_yes


def _missing(text: str) -> Unread:
    """A share or a fraction is no verdict; otherwise there is none at all."""
    return _NOT_A_VERDICT if re.search(r"\d\s*(?:/\s*\d|%|％)", text) else _NO_VERDICT


def _plain(written: str) -> str:
    word = unicodedata.normalize("NFKC", written).strip(_AROUND).casefold()
    commented = _COMMENTED.fullmatch(word)
    return commented[1].strip(_AROUND) if commented else word


def _straight(text: str) -> str:
    return text.lstrip().replace("’", "'")
