"""Looks for inputs for which two programs of a derivation differ, at small sizes. Independent of strategies.

A step that the checker cannot check may be right. If both programs are evaluated on small integers, and differ by far
more than rounding, it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from rise.analysis.obligations import check_obligations, obligations
from rise.arguments.leaves import leaves_of, tree_of
from rise.arguments.ragged_arrays import lengths_at, rows_in
from rise.diagnostics import RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import NatVar
from rise.printer.terms import show
from rise.programs.evaluation import evaluate
from rise.programs.heads import open_head, specialise
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import Expr
from rise.types import FunType
from rise.values import poison
from shine.front.size_conditions import small_sizes
from shine.front.verify import arrays

#: the first sizes of each name, and the numbers of combinations and of inputs that are tried
COUNT: Final = 4
MAX_COMBINATIONS: Final = 60
MIN_INPUTS: Final = 20
#: numbers in arrays, so that sums and products are exact
GREATEST_NUMBER: Final = 3
#: the difference that no rounding explains, as a part of the greatest result
MIN_DIFFERENCE: Final = 1 / 16
MAX_SHOWN: Final = 6_000  # characters of a program in a counterexample


@dataclass(frozen=True, slots=True)
class Searched:
    """How many inputs were tried, and whether the programs differ for the last one; then its sizes, and code that
    evaluates both programs there, which is empty if that is too long.
    """

    inputs: int
    is_wrong: bool = False
    sizes: str = ""
    code: str = ""


def search(before: Expr, after: Expr) -> Searched:
    """Look for inputs for which the second program differs from the first one, at sizes that both allow."""
    head = open_head(before)
    names = [one.name for one in head.binders if isinstance(one.variable, NatVar)]
    others = [one.kind for one in head.binders if one.kind and not isinstance(one.variable, NatVar)]
    if others or before.free or after.free:
        return Searched(0)
    checks = (*obligations(before), *obligations(after))
    found = small_sizes(names, checks, before, COUNT)
    combinations = (*found.all_small, *found.beyond_tiles)[:MAX_COMBINATIONS]
    inputs = 0
    for number in range(max(len(combinations), MIN_INPUTS) if combinations else 0):
        sizes = combinations[number % len(combinations)]
        if check_obligations(list(checks), sizes) is not None:
            continue
        sides = [specialise(side, **sizes) if sizes else side for side in (before, after)]
        try:
            arguments = list(_arguments(sides[0], np.random.default_rng(number)))
            with np.errstate(all="ignore"):
                results = [evaluate(side, *arguments) for side in sides]
        except RiseError:  # an error of the program, or inputs of another form
            continue
        inputs += 1
        if any(map(_differs, *(list(arrays(result)) for result in results))):
            text = " ".join(f"{name}={size}" for name, size in sizes.items())
            return Searched(inputs, True, text, "\n".join(_code(sides, arguments)))
    return Searched(inputs)


def _arguments(program: Expr, generator: np.random.Generator) -> Iterator[Any]:
    """Random arguments of a program of known sizes. Raises RiseError for types that kernels do not take."""
    t: Any = program.type
    while isinstance(t, FunType):
        parts: list[Any] = []
        for leaf in leaves_of("input", t.parameter):
            shape = tuple(int(evaluate_natural(size, {})) for size in leaf.shape)
            least, end = -GREATEST_NUMBER, GREATEST_NUMBER + 1
            if leaf.end is not None:
                least, end = 0, max(int(evaluate_natural(leaf.end, {})), 1)
            elif leaf.dtype.kind in "ub":
                least = 0
            array = generator.integers(least, end, shape).astype(leaf.dtype)
            if leaf.dtype.kind == "c":
                array += leaf.dtype.type(1j) * generator.integers(least, end, shape)
            if leaf.rows is None:
                parts.append(array)
                continue
            count = int(evaluate_natural(leaf.rows.count, {}))
            parts.append(rows_in(array, lengths_at(leaf.rows.lengths, count, {}), leaf.rows.axis))
        yield tree_of(t.parameter, parts)
        t = t.result


def _differs(first: Any, second: Any) -> bool:
    """Whether two arrays differ by more than rounding, where the first one is specified and finite."""
    is_open = first == poison((), first.dtype)
    if first.dtype.kind in "biu":
        return bool(np.any((first != second) & ~is_open))
    if first.dtype not in {facts.dtype for facts in SCALARS.values()}:
        return False
    wide = "c16" if first.dtype.kind == "c" else "f8"
    one, other = (np.asarray(side).astype(wide) for side in (first, second))
    with np.errstate(all="ignore"):
        is_known = np.isfinite(one)
        scale = float(np.max(np.abs(one), initial=1.0, where=is_known))
        return bool(np.any(is_known & ~(np.abs(one - other) <= MIN_DIFFERENCE * scale)))


def _code(sides: list[Expr], arguments: list[Any]) -> Iterator[str]:
    texts = [show(side) for side in sides]
    if max(map(len, texts)) > MAX_SHOWN:
        return
    yield "import ml_dtypes, numpy as np, rise"
    yield f"arguments = [{', '.join(map(_text, arguments))}]"
    for name, text in zip(("before", "after"), texts, strict=True):
        yield f"{name} = rise.evaluate(rise.parse_expr({text!r}), *arguments)"


def _text(value: Any) -> str:
    """A value as Python code: its numbers are integers."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))},)"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    whole: Mapping[str, str] = {"c": "c16", "b": "?"}  # others are integers
    numbers = np.asarray(value).astype(whole.get(value.dtype.kind, "i8"))
    made = f"np.array({numbers.tolist()}, np.dtype('{value.dtype.name}'))"
    return made if numbers.size else f"np.empty({numbers.shape}, np.dtype('{value.dtype.name}'))"
