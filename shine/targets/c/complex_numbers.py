"""The text of operations on complex numbers in C and similar languages. Independent of programs.

A complex number is a struct of its parts, which lie in memory as in numpy's arrays. C's own `_Complex` is not used: its
product tests for NaN and calls a function, where numpy computes four products, a difference and a sum.
`docs/semantics.md` defines each operation.

Note [Differences of products]
`a.re * b.re - a.im * b.im` is written as a sum with a negated factor, which gives the same bits. From a difference
and a sum of products, gcc 12 makes `vfmaddsub`, which does not round the products, even with `-ffp-contract=off`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import Template
from typing import Final

from rise.scalars import SCALARS, is_complex
from shine.imperative.naturals_text import PRIMARY, Text
from shine.targets.c.helpers import Helpers

#: the projections, with the field of each
_FIELDS: Final[Mapping[str, str]] = {"realPart": "re", "imagPart": "im"}
_FUNCTIONS: Final[Mapping[str, str]] = {
    "add": "$t add_$t($t a, $t b) { return $sum; }",
    "sub": "$t sub_$t($t a, $t b) { return $difference; }",
    "mul": "$t mul_$t($t a, $t b) { return $product; }",
    "div": """$t div_$t($t a, $t b) { // Smith's method: no square of a part, which could overflow
  const $part re = $abs(b.re), im = $abs(b.im);
  if (re >= im) {
    if (re == 0 && im == 0) return $by_zero;
    const $part ratio = b.im / b.re, scale = 1 / (b.re + b.im * ratio);
    return $by_real;
  }
  const $part ratio = b.re / b.im, scale = 1 / (b.im + b.re * ratio);
  return $by_imaginary;
}""",
    "fma": "$t fma_$t($t a, $t b, $t c) { return $fused; }",
    "neg": "$t neg_$t($t a) { return $negative; }",
    "conj": "$t conj_$t($t a) { return $conjugate; }",
    "eq": "bool eq_$t($t a, $t b) { return a.re == b.re && a.im == b.im; }",
    "ne": "bool ne_$t($t a, $t b) { return a.re != b.re || a.im != b.im; }",
}
_RESULTS: Final[Mapping[str, tuple[str, str]]] = {
    "sum": ("a.re + b.re", "a.im + b.im"),
    "difference": ("a.re - b.re", "a.im - b.im"),
    "product": ("a.re * b.re + -a.im * b.im", "a.re * b.im + a.im * b.re"),
    "fused": (
        "$fma(a.re, b.re, $fma(-a.im, b.im, c.re))",
        "$fma(a.re, b.im, $fma(a.im, b.re, c.im))",
    ),
    "by_zero": ("a.re / re", "a.im / re"),
    "by_real": ("(a.re + a.im * ratio) * scale", "(a.im + -a.re * ratio) * scale"),
    "by_imaginary": ("(a.re * ratio + a.im) * scale", "(a.im * ratio + -a.re) * scale"),
    "negative": ("-a.re", "-a.im"),
    "conjugate": ("a.re", "-a.im"),
}


def complex_operation(name: str, source: str, result: str, args: Sequence[Text], helpers: Helpers) -> Text:
    """Write an operation on complex numbers, or one that makes a complex number from its parts."""
    if name == "makeComplex":
        return joined_text(args[0], args[1], result, helpers)
    if name in _FIELDS:
        return Text(f"{args[0].at(PRIMARY)}.{_FIELDS[name]}", PRIMARY)
    helper, part = f"{name}_{source}", SCALARS[source].part
    c = helpers.element(source)
    if name == "div":
        helpers.headers |= {"math", "bool"}
    if name == "fma":
        helpers.headers.add("math")
    texts = {key: joined_text(Text(re), Text(im), source, helpers).code for key, (re, im) in _RESULTS.items()}
    suffix = "" if part == "f64" else "f"
    filled = Template(_FUNCTIONS[name]).safe_substitute(texts)
    text = Template(filled).substitute(
        t=c, part=helpers.element(part), abs=f"fabs{suffix}", fma=f"fma{suffix}"
    )
    return Text(f"{helpers.define(helper, text)}({', '.join(arg.code for arg in args)})")


def joined_text(real: Text, imaginary: Text, name: str, helpers: Helpers) -> Text:
    """A complex number of the given type with these parts."""
    return Text(helpers.dialect.complex.format(helpers.element(name), real.code, imaginary.code), PRIMARY)


def complex_cast(
    source: str, result: str, arg: Text, helpers: Helpers, cast: Callable[[str, str, Text, Helpers], Text]
) -> Text:
    """Convert a number to a complex one: each part, or the real part alone. `cast` converts real numbers."""
    part = SCALARS[result].part
    if not is_complex(source):
        zero = helpers.dialect.float_text(0.0, part)
        return joined_text(cast(source, part, arg, helpers), zero, result, helpers)
    own, c, of = f"{result}_of_{source}", helpers.element(result), helpers.element(source)
    re, im = (cast(SCALARS[source].part, part, Text(f"a.{field}"), helpers) for field in ("re", "im"))
    body = joined_text(re, im, result, helpers).code
    return Text(f"{helpers.define(own, f'{c} {own}({of} a) {{ return {body}; }}')}({arg.code})")
