"""References as statements, in Chinese and English."""

from __future__ import annotations

import pytest

from ragtui.judging.statements import statements_of


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("", ()),
        ("。！", ()),
        ("It opened in 1998.", ("It opened in 1998.",)),
        (
            "退货期限为七天。运费由买家承担！生鲜可以退吗？",
            ("退货期限为七天。", "运费由买家承担！", "生鲜可以退吗？"),
        ),
        ("满15天须说明原因；满60天不再受理。", ("满15天须说明原因；", "满60天不再受理。")),
        ("No mark at the end", ("No mark at the end",)),
        ("It costs 3.50 in v1.2. See a.b.c first.", ("It costs 3.50 in v1.2.", "See a.b.c first.")),
        ("Ask Dr. Wu, e.g. by mail. He answers.", ("Ask Dr. Wu, e.g. by mail.", "He answers.")),
        ("“可以退。”店员说。", ("“可以退。”", "店员说。")),
        ("- First point\n- Second point", ("First point", "Second point")),
        ("1. 先登记\n2. 再报销", ("先登记", "再报销")),
        ("（1）先登记；（2）再报销。", ("先登记；", "再报销。")),
        ("2025年起施行。", ("2025年起施行。",)),
        ("Same. Same.", ("Same.",)),
        ("Wait... then go.", ("Wait...", "then go.")),
        ("Really?! Yes.", ("Really?!", "Yes.")),
    ],
)
def test_statements(reference: str, expected: tuple[str, ...]) -> None:
    assert statements_of(reference) == expected
