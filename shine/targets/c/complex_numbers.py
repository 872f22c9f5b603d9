"""The text of operations on complex numbers in C and similar languages. Independent of programs.

A complex number is a struct of its parts, which lie in memory as in numpy's arrays. C's own `_Complex` is not used: its
product tests for NaN and calls a function, where numpy computes four products, a difference and a sum.
`docs/semantics.md` defines each operation.

Note [Differences of products]
`a.re * b.re - a.im * b.im` is written as a sum with a negated factor, which gives the same bits. From a difference
and a sum of products, gcc 12 makes `vfmaddsub`, which does not round the products, even with `-ffp-contract=off`. It
also does if it finds such a pair in what it vectorizes, so `rounded` hides from it that the summands are products.

Note [Parts apart]
A helper function takes complex numbers, which gcc copies into its parameters. In a long function it does not remove
these copies, and does not vectorize the loops that contain them. So products of elements and variables, and sums of
these products, are written without helpers, each part for itself, and the helper for their multiply-add takes parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from string import Template
from typing import Final

from rise.records import dataclass
from rise.scalars import SCALARS, is_complex
from shine.imperative.naturals_text import PRIMARY, PRODUCT, SUM, Text
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
#: an element of an array, or a variable
_PLACE: Final = re.compile(r"\w+(\[.*\])?")
_RESULTS: Final[Mapping[str, tuple[str, str]]] = {
    "sum": ("a.re + b.re", "a.im + b.im"),
    "difference": ("a.re - b.re", "a.im - b.im"),
    "product": (
        "$rounded(a.re * b.re) + $rounded(-a.im * b.im)",
        "$rounded(a.re * b.im) + $rounded(a.im * b.re)",
    ),
    "fused": (
        "$fma(a.re, b.re, $fma(-a.im, b.im, c.re))",
        "$fma(a.re, b.im, $fma(a.im, b.re, c.im))",
    ),
    "by_zero": ("a.re / re", "a.im / re"),
    "by_real": ("(a.re + $rounded(a.im * ratio)) * scale", "(a.im + $rounded(-a.re * ratio)) * scale"),
    "by_imaginary": ("($rounded(a.re * ratio) + a.im) * scale", "($rounded(a.im * ratio) + -a.re) * scale"),
    "negative": ("-a.re", "-a.im"),
    "conjugate": ("a.re", "-a.im"),
}


@dataclass(frozen=True, slots=True)
class Parts(Text):
    """A complex number and its parts."""

    real: Text = Text("")
    imaginary: Text = Text("")


def complex_operation(name: str, source: str, result: str, args: Sequence[Text], helpers: Helpers) -> Text:
    """Write an operation on complex numbers, or one that makes a complex number from its parts."""
    if name == "makeComplex":
        return joined_text(args[0], args[1], result, helpers)
    if name in _FIELDS:
        return Text(f"{args[0].at(PRIMARY)}.{_FIELDS[name]}", PRIMARY)
    if (parts := _apart(name, source, args, helpers)) is not None:
        return Parts(joined_text(*parts, source, helpers).code, PRIMARY, *parts)
    if name == "fma" and all(_PLACE.fullmatch(arg.code) for arg in args):
        return _fused_parts(source, args, helpers)
    helper, part = f"{name}_{source}", SCALARS[source].part
    c = helpers.element(source)
    if name == "div":
        helpers.headers |= {"math", "bool"}
    if name == "fma":
        helpers.headers.add("math")
    texts = {key: joined_text(Text(re), Text(im), source, helpers).code for key, (re, im) in _RESULTS.items()}
    suffix = "" if part == "f64" else "f"
    filled = Template(_FUNCTIONS[name]).safe_substitute(texts)
    if "$rounded" in filled and helpers.dialect.fuses:
        filled = filled.replace("$rounded", helpers.use(f"rounded_{part}"))
    text = Template(re.sub(r"\$rounded\(([^()]*)\)", r"\1", filled)).substitute(
        t=c, part=helpers.element(part), abs=f"fabs{suffix}", fma=f"fma{suffix}"
    )
    return Text(f"{helpers.define(helper, text)}({', '.join(arg.code for arg in args)})")


def _apart(name: str, source: str, args: Sequence[Text], helpers: Helpers) -> tuple[Text, Text] | None:
    """The parts of a product of elements or variables, or of a sum with such a product; None for other operations. See
    Note [Parts apart].
    """
    parts = [_parts(arg) for arg in args]
    if not all(parts) or (name == "mul" and not all(_PLACE.fullmatch(arg.code) for arg in args)):
        return None
    part = SCALARS[source].part
    match name, parts:
        case "mul", ((a, b), (c, d)):
            products = ((a, c), (Text(f"-{b.code}"), d)), ((a, d), (b, c))
            real, imaginary = (_sum(*(_product(x, y, part, helpers) for x, y in pair)) for pair in products)
            return real, imaginary
        case "add", ((a, b), (c, d)) if any(isinstance(arg, Parts) for arg in args):
            return _sum(a, c), _sum(b, d)
        case "sub", ((a, b), (c, d)) if any(isinstance(arg, Parts) for arg in args):
            real, imaginary = (Text(f"{x.at(SUM)} - {y.at(PRODUCT)}", SUM) for x, y in ((a, c), (b, d)))
            return real, imaginary
    return None


def _fused_parts(source: str, args: Sequence[Text], helpers: Helpers) -> Text:
    """A multiply-add of elements and variables by a helper that takes their parts."""
    helpers.headers.add("math")
    part = SCALARS[source].part
    fma, c, t = "fma" if part == "f64" else "fmaf", helpers.element(source), helpers.element(part)
    real = f"{fma}(a_re, b_re, {fma}(-a_im, b_im, c_re))"
    imaginary = f"{fma}(a_re, b_im, {fma}(a_im, b_re, c_im))"
    parameters = ", ".join(f"{t} {name}_{field}" for name in "abc" for field in ("re", "im"))
    body = joined_text(Text(real), Text(imaginary), source, helpers).code
    own = f"fma_parts_{source}"
    helper = helpers.define(own, f"{c} {own}({parameters}) {{ return {body}; }}")
    return Text(f"{helper}({', '.join(f'{arg.code}.{field}' for arg in args for field in ('re', 'im'))})")


def _parts(text: Text) -> tuple[Text, Text] | None:
    """The parts of a number, if no operation is written twice to read both."""
    if isinstance(text, Parts):
        return text.real, text.imaginary
    return (Text(f"{text.code}.re"), Text(f"{text.code}.im")) if _PLACE.fullmatch(text.code) else None


def _sum(a: Text, b: Text) -> Text:
    return Text(f"{a.at(SUM)} + {b.at(PRODUCT)}", SUM)


def _product(a: Text, b: Text, part: str, helpers: Helpers) -> Text:
    """A product that is rounded before it is added: see Note [Differences of products]."""
    product = f"{a.code} * {b.code}"
    return (
        Text(f"{helpers.use(f'rounded_{part}')}({product})")
        if helpers.dialect.fuses
        else Text(product, PRODUCT)
    )


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
