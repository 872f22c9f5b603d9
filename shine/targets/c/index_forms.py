"""C code for conversions of numbers to indices, and for reporting numbers that are out of range.

Independent of programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template
from typing import Final

from rise.primitives import with_trait
from shine.imperative.naturals_text import Text
from shine.targets.c.helpers import Helpers

#: the operations on a number and a size that may fail
INDEX_FORMS: Final = with_trait("indexes")
#: the tests of each: `i` is the number, `n` the size, which is not negative, so that one comparison as unsigned numbers
#: suffices
_BODIES: Final[Mapping[str, str]] = {
    "toIndex": "if (n > 0) return i < 0 ? 0 : i < n ? i : n - 1;",
    "toIndexWrapped": """const $t near = i + ((i < 0) - (i >= n)) * n; // of most numbers, without a division
  if (($u)near < ($u)n) return near;
  if (n > 0) return i % n < 0 ? i % n + n : i % n;""",
    "toIndexChecked": "if (($u)i < ($u)n) return i;",
    "toCount": "if (($u)i <= ($u)n) return i;",
    "toIndexFromEitherEnd": "if (($u)(i < 0 ? i + n : i) < ($u)n) return i < 0 ? i + n : i;",
}
_REPORT_IN_C: Final = """void report_index(int *status, int site, int64_t *failure, int64_t i, int64_t n) {
  int none = 0; // the first that failed, for the caller
  if (!__atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  failure[0] = i;
  failure[1] = n;
}"""
_REPORT_IN_CUDA: Final = """void report_index(long long* failure, int site, long long i, long long n) {
  // the first that failed, for the host
  if (atomicCAS((unsigned long long*)failure, 0ull, (unsigned long long)site) != 0) return;
  failure[1] = i;
  failure[2] = n;
}"""


def index_form_text(name: str, arguments: Sequence[Text], helpers: Helpers, site: str) -> Text:
    """Print an operation that converts a number to an index; on failure it reports to `site` and returns 0."""
    c, is_c = helpers.element("i64"), helpers.dialect.reports
    helpers.define("report_index", _REPORT_IN_C if is_c else _REPORT_IN_CUDA, reports=True)
    where = f"int *status, int site, {c} *failure" if is_c else f"{c}* failure, int site"
    passed = "status, site, failure" if is_c else "failure, site"
    test = Template(_BODIES[name]).substitute(t=c, u=helpers.element("u64"))
    lines = [f"  {test}", f"  report_index({passed}, i, n);", "  return 0;"]
    helper = f"{name}_i64"
    helpers.define(helper, "\n".join([f"{c} {helper}({c} i, {c} n, {where}) {{", *lines, "}"]))
    return Text(f"{helper}({', '.join(text.code for text in arguments)}, {site})")
