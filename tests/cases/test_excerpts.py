"""The kernels in pages of docs equal the golden texts, which other tests compare with current output."""

import pytest

from tests.cases.excerpts import LOOP, PAGES, PROGRAMS, ROOT, renewed


@pytest.mark.parametrize("page", PAGES)
def test_kernels_in_a_page_are_current(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert text == renewed(text, PAGES[page]), "run `make texts` and `make pages`, and see what changed"


def test_text_between_the_comments_is_replaced() -> None:
    text = "a\n<!-- k: python -m tests.cases.excerpts -->\nold\n<!-- end of k -->\nb\n"
    shown = renewed(text, {"k": lambda: ["new", ""]})
    assert shown == text.replace("old", "\nnew\n")
    assert renewed(shown, {"k": lambda: ["new"]}) == shown


def test_a_page_without_the_comments_is_rejected() -> None:
    with pytest.raises(AssertionError, match="the comments of k"):
        renewed("a\nold\nb\n", {"k": lambda: ["new"]})


def test_ten_programs_are_shown_in_pages() -> None:
    assert len(set(PROGRAMS)) == 10


def test_a_loop_ends_where_its_indentation_does() -> None:
    text = "  for (int k_step = 0; k_step < 2; k_step++) {\n    f();\n    {\n    }\n  }\n  g();\n}\n"
    found = LOOP.search(text)
    assert found and found[0] == text[: text.index("  g();")]
