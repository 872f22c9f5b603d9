"""Layout only determines where lines break. Independent of terms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rise.printer.layout import LINE, Doc, concat, group, layout, nest, text
from rise.text.names import bounded

DOCS = st.recursive(
    st.sampled_from((text("ab"), text("c"), LINE)),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda docs: concat(*docs)),
        inner.map(group),
        st.builds(nest, st.integers(0, 3), inner),
    ),
)


@given(DOCS, st.integers(1, 20))
def test_layout_only_determines_where_lines_break(doc: Doc, width: int) -> None:
    wide, narrow = layout(group(doc), 10_000), layout(group(doc), width)
    assert "\n" not in wide
    assert narrow.split() == wide.split()
    if len(wide) <= width:
        assert narrow == wide


def test_bounded() -> None:
    assert bounded("short") == "short"
    assert bounded("x" * 1000) == "x" * 397 + "..."
