"""Foreign text made safe to show: no terminal escapes, no control characters, no direction overrides.

Ids, queries, contexts, reasons, file names: whatever a user's file or a model wrote goes through `inert`
before it meets a terminal. Markup is a matter of the widget (`Text`, `markup=False`), not of this file.
"""

from __future__ import annotations

import re

# C0 and C1 controls, DEL, and the characters that turn the direction of text or are invisible line breaks.
_DANGEROUS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_DANGEROUS_BUT_NEWLINE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def inert(text: str) -> str:
    """`text` on one line, control characters as visible symbols (ESC is `␛`, a line feed `␊`)."""
    return _DANGEROUS.sub(_symbol, text)


def inert_lines(text: str) -> str:
    """Like `inert`, but line breaks stay (`\\r\\n` and `\\r` become `\\n`)."""
    return _DANGEROUS_BUT_NEWLINE.sub(_symbol, text.replace("\r\n", "\n").replace("\r", "\n"))


def _symbol(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code == 9:
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd" if code < 0xA0 or 0xD800 <= code <= 0xDFFF else ""
