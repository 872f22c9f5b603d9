"""Compares two functions of numbers: for all numbers of narrow types, or for some. Independent of arrays and proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from rise.diagnostics import RiseError
from rise.inference.schemes import instantiate_primitive
from rise.naturals import const
from rise.primitives import PRIMITIVES, has_trait, operands_of
from rise.printer.terms import show
from rise.programs.evaluation import evaluate
from rise.scalars import SCALARS
from rise.terms import Expr, Var, abstract, apply, primitives_in
from rise.types import ArrayType, ScalarType

#: all numbers of these many bits are enumerated
MAX_BITS: Final = 16


def _inputs(left: Expr, right: Expr) -> list[tuple[Var, ScalarType]] | None:
    """The inputs of both sides, if all are numbers."""
    found: list[tuple[Var, ScalarType]] = []
    for one in sorted((v for v in left.free | right.free if isinstance(v, Var)), key=lambda v: v.name):
        if not isinstance(one.given, ScalarType):
            return None
        found.append((one, one.given))
    return found if isinstance(left.type, ScalarType) else None


def enumerated(left: Expr, right: Expr) -> bool | Mapping[str, Any]:
    """Whether both sides are equal for all numbers of their inputs, or an input for which they differ; False if there
    are too many numbers, or if a side is an error for some.
    """
    inputs = _inputs(left, right)
    if (
        not inputs
        or len(inputs) > 2
        or _has_any_zero(left, right)
        or sum(SCALARS[t.name].bits for _, t in inputs) > MAX_BITS
    ):
        return False
    arrays = [_all_numbers(t) for _, t in inputs]
    try:
        with np.errstate(all="ignore"):
            first, second = (evaluate(_of_arrays(side, inputs), *arrays) for side in (left, right))
    except RiseError:
        return False
    differs = np.argwhere(~_same(first, second))
    if not len(differs):
        return True
    place = differs[0].tolist()
    return {one.name: numbers[at] for (one, _), numbers, at in zip(inputs, arrays, place, strict=True)}


def _has_any_zero(*sides: Expr) -> bool:
    """Whether a side has an operation that may return either zero."""
    names = {name for side in sides for name in primitives_in(side)}
    is_fused = {name: has_trait(name, "multiplies") and operands_of(name) == 3 for name in names}
    return any(has_trait(name, "chooses") or is_fused[name] or name == "clamp" for name in names)


def _all_numbers(t: ScalarType) -> Any:
    facts = SCALARS[t.name]
    if facts.dtype.kind == "b":
        return np.array([False, True])
    return np.arange(1 << facts.bits, dtype=f"u{facts.bits // 8}").view(facts.dtype)


def _of_arrays(side: Expr, inputs: list[tuple[Var, ScalarType]]) -> Expr:
    """A side as a function of arrays: for each number of the first one, for each number of the second."""
    body, element = side, side.type
    arrays = [Var(f"{one.name}s", ArrayType(const(len(_all_numbers(t))), t)) for one, t in inputs]
    for (one, t), array in zip(reversed(inputs), reversed(arrays), strict=True):
        size = const(len(_all_numbers(t)))
        loop = instantiate_primitive(PRIMITIVES["map"], (size, t, element))
        body, element = apply(loop, abstract(body, one), array), ArrayType(size, element)
    for array in reversed(arrays):
        body = abstract(body, array)
    return body


def _same(first: Any, second: Any) -> Any:
    """Whether numbers have the same bits, or are both NaN."""
    first, second = np.asarray(first), np.asarray(second)
    if first.dtype.kind == "b":
        return first == second
    bits = f"u{first.dtype.itemsize}"
    same = np.ascontiguousarray(first).view(bits) == np.ascontiguousarray(second).view(bits)
    with np.errstate(invalid="ignore"):
        return same | ((first != first) & (second != second))


def counterexample(left: Expr, right: Expr, values: Mapping[str, Any]) -> str:
    """Code that evaluates both sides on these inputs; empty if they are equal there, or if inputs are not numbers."""
    inputs = _inputs(left, right)
    if inputs is None or any(one.name not in values for one, _ in inputs):
        return ""
    sides = []
    for side in (left, right):
        for one, _ in reversed(inputs):
            side = abstract(side, one)
        sides.append(side)
    arguments = [values[one.name] for one, _ in inputs]
    try:
        with np.errstate(all="ignore"):
            results = [evaluate(side, *arguments) for side in sides]
    except RiseError:
        return ""
    is_zero = _has_any_zero(left, right) and bool(np.all(results[0] == results[1]))
    if is_zero or bool(np.all(_same(*results))):
        return ""
    return "\n".join(_lines(sides, inputs, arguments, results))


def _lines(
    sides: list[Expr], inputs: list[tuple[Var, ScalarType]], arguments: list[Any], results: list[Any]
) -> Iterator[str]:
    yield "import ml_dtypes, numpy as np, rise"
    texts = []
    for (one, t), value in zip(inputs, arguments, strict=True):
        facts = SCALARS[t.name]
        made = f"np.array({bits_of(value)}, 'u{facts.bits // 8}').view(np.dtype('{facts.dtype.name}'))"
        texts.append(f"{made}  # {one.name} = {value}")
    for place, text in enumerate(texts):
        yield f"x{place} = {text}"
    given = ", ".join(f"x{place}" for place in range(len(texts)))
    for name, side, result in zip(("before", "after"), sides, results, strict=True):
        yield f"{name} = rise.evaluate(rise.parse_expr({show(side)!r}), {given})  # {result}"


def bits_of(number: Any) -> int:
    """The bits of a numpy scalar as a natural."""
    one = np.asarray(number).reshape(1)
    return int(one.view(f"u{one.dtype.itemsize}")[0])


def of_bits(bits: int, t: ScalarType) -> Any:
    """The numpy scalar of a type with these bits."""
    facts = SCALARS[t.name]
    return np.array([bits], f"u{facts.bits // 8}").view(facts.dtype)[0]
