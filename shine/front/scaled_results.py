"""The last step of a contraction with factors: `alpha * result + beta * out`, computed in place. Independent of how the
contraction is computed.

The operators of the contraction take the place of product and sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from rise.diagnostics import Diagnostic, RiseError
from rise.einsum.elaboration import Operators
from rise.embedding.programs import PythonProgram
from rise.programs.program import parse
from rise.records import dataclass
from shine.front.compilation import compile
from shine.kernel import Kernel

#: names of the parameters
RESULT: Final = "result"
OUT: Final = "out"
ALPHA: Final = "alpha"
BETA: Final = "beta"
#: the types of numbers in Python: each holds those before it
KINDS: Final = (bool, int, float, complex)


@dataclass(frozen=True, slots=True)
class Scaling:
    """A kernel that computes `alpha * result + beta * out`, of which the factors that are not given are omitted. It
    changes `out`, or `result` without `beta`; a single number, which has no elements, is returned.
    """

    kernel: Kernel
    has_alpha: bool
    has_beta: bool
    is_number: bool

    def run(self, result: Any, out: Any, alpha: Any, beta: Any) -> Any:
        """The scaled result, which is `out` if this is given."""
        arrays = (result, out) if self.has_beta else (result,)
        factors = [one for one, has in ((alpha, self.has_alpha), (beta, self.has_beta)) if has]
        if not self.is_number:
            self.kernel(*arrays, *factors)
            return arrays[-1]
        found = self.kernel(*(one[()] for one in arrays), *factors)
        if out is None:
            return found
        out[...] = found
        return out


@lru_cache(maxsize=256)
def scaling(
    shape: tuple[int, ...], scalar: str, operators: Operators, has_alpha: bool, has_beta: bool, target: str
) -> Scaling:
    """The kernel for results of a shape and a type of numbers, with the factors that are given."""
    text = scaled_text(shape, scalar, operators, has_alpha, has_beta)
    term = parse(text).main
    updates = ((0, 1 if has_beta else 0),) if shape else ()
    program = PythonProgram("scaled", term, python=_no_python, updates=updates)
    return Scaling(compile(program, target=target, name="scaled"), has_alpha, has_beta, not shape)


def scaled_text(
    shape: Sequence[int], scalar: str, operators: Operators, has_alpha: bool, has_beta: bool
) -> str:
    """The program as text: loops over all axes of the result and, if it is added, of `out`.

    >>> print(scaled_text((2, 3), "f32", Operators("add", "mul", "0.0f32"), True, False))
    fun(result: 2.3.f32, alpha: f32 => result |> map(map(fun(x => (mul)(alpha, x)))))
    """
    t = ".".join([*map(str, shape), scalar])
    x, y = ("fst(p)", "snd(p)") if shape else (RESULT, OUT)
    scaled = f"({operators.multiply})({ALPHA}, {x if has_beta or not shape else 'x'})" if has_alpha else x
    factors = [f"{name}: {scalar}" for name, has in ((ALPHA, has_alpha), (BETA, has_beta)) if has]
    if not has_beta:
        head = ", ".join([f"{RESULT}: {t}", *factors])
        return f"fun({head} => {_mapped(shape, RESULT, f'fun(x => {scaled})') if shape else scaled})"
    added = f"({operators.combine})({scaled}, ({operators.multiply})({BETA}, {y}))"
    head = ", ".join([f"{RESULT}: {t}", f"{OUT}: {t}", *factors])
    for depth in range(len(shape)):
        pairs = f"zip({RESULT}, {OUT})" if depth == len(shape) - 1 else "zip(fst(p), snd(p))"
        added = f"{pairs} |> map(fun(p => {added}))"
    return f"fun({head} => {added})"


def _mapped(shape: Sequence[int], xs: str, function: str) -> str:
    return f"{xs} |> {'map(' * len(shape)}{function}{')' * len(shape)}"


def check_out(out: Any, beta: Any) -> None:
    """Raise RiseError for a factor of `out` without `out`."""
    if out is None and beta is not None:
        title = "expected `out`, which `beta` multiplies, found None"
        raise RiseError(Diagnostic("einsum-factors", title, hint="pass `out`, or omit `beta`"))


def factor(name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """A factor as a number of the operands' type. Raises RiseError for other values, and numbers that do not fit."""
    number = value.item() if isinstance(value, np.generic) else value
    kind = KINDS.index(type(number)) if type(number) in KINDS else None
    of_operands = {"b": 0, "i": 1, "u": 1, "c": 3}.get(dtype.kind, 2)
    fits = kind is not None and kind <= of_operands and (kind == 0) == (of_operands == 0)
    if fits and of_operands == 1:
        fits = np.iinfo(dtype).min <= number <= np.iinfo(dtype).max
    if not fits:
        shown = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else f"{value!r:.60}"
        title = f"expected a number of type {dtype} for `{name}`, found {shown}"
        hint = "give the operands a type that holds it, by `dtype`"
        raise RiseError(Diagnostic("einsum-factors", title, hint=hint))
    return dtype.type(number)


def _no_python(*arguments: Any) -> Any:
    """Stands for the Python function of a program that was made from text; nothing calls it."""
    raise AssertionError(arguments)
