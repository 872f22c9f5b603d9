"""`shine.einsum` and `shine.contraction`: contractions in numpy's notation, as programs and as kernels.

A contraction of several operands is a sequence of contractions of two, each with its own kernel, which is cached by
specification and types. Independent of tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, Final

import numpy as np

from rise.arguments.libraries import NUMPY, are_plain, as_numpy, given_as, library_for
from rise.diagnostics import Diagnostic, Label, RiseError
from rise.einsum.axis_numbers import from_numbers, text_of
from rise.einsum.elaboration import Operators, einsum_text
from rise.einsum.specs import Spec, Term, read_spec, sizes_of_letters
from rise.programs.contraction_operators import operators_of
from rise.programs.program import parse
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.tracebacks import ends_at_the_users_line
from shine.front.compilation import compile
from shine.front.paths import path_of
from shine.front.result_orders import Axes, array_in_order, axes_in_memory, in_order
from shine.front.scaled_results import ALPHA, BETA, check_out, factor, scaling
from shine.kernel import Kernel

#: plans that are kept
MAX_PLANS: Final = 1 << 12
#: what a size that is a name counts as, where the order of operands is chosen
TYPICAL_SIZE: Final = 100
#: the target for which contractions have a special strategy
PROCESSOR: Final = "openmp"
#: bits, and the bytes after which the places of numbers in the sets of the first cache repeat
BYTE: Final = 8
PAGE: Final = 4096
#: numpy's rules for conversions
SAFE: Final = "safe"
CASTINGS: Final = ("no", "equiv", SAFE, "same_kind", "unsafe")
STRATEGY: Final = "strategies.contractions:contraction"


@dataclass(frozen=True, slots=True)
class Step:
    """A kernel, and the positions of its operands among the remaining ones; its result is appended."""

    kernel: Kernel
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The kernels of a contraction in order; `dtype` is the type that operands are converted to, None if they
    have it. `axes` and `out_axes` are the orders of axes in which kernels take operands and `out`: those of memory.
    """

    steps: tuple[Step, ...]
    dtype: np.dtype[Any] | None
    result: tuple[tuple[int, ...], str, Operators]
    target: str
    axes: tuple[Axes, ...] = ()
    out_axes: Axes = None

    def run(self, arrays: Sequence[Any], out: Any) -> Any:
        """The result of a contraction of these arrays, with its axes in the order of `out_axes`."""
        if self.axes:
            arrays = [
                one if axes is None else one.transpose(axes)
                for one, axes in zip(arrays, self.axes, strict=True)
            ]
        if self.dtype is not None:
            arrays = [np.asarray(array, self.dtype) for array in arrays]
        if len(self.steps) == 1:
            return self.steps[0].kernel(*arrays, out=out)
        left = list(arrays)
        for step in self.steps:
            taken = [left[position] for position in step.operands]
            left = [array for position, array in enumerate(left) if position not in step.operands]
            left.append(step.kernel(*taken, out=None if left else out))
        return left[-1]

    def scaled(self, arrays: Sequence[Any], out: Any, alpha: Any, beta: Any) -> Any:
        """The result multiplied by `alpha`, plus `out` multiplied by `beta`, where these are given."""
        check_out(out, beta)
        shape, scalar, operators = self.result
        dtype = SCALARS[scalar].dtype
        factors = [
            None if value is None else factor(name, value, dtype)
            for name, value in ((ALPHA, alpha), (BETA, beta))
        ]
        last = scaling(shape, scalar, operators, alpha is not None, beta is not None, self.target)
        found = self.run(arrays, None if beta is not None else out)
        return last.run(found, out, *factors)


@ends_at_the_users_line
def einsum(
    spec: Any,
    *operands: Any,
    out: Any = None,
    alpha: Any = None,
    beta: Any = None,
    dtype: Any = None,
    order: str | None = None,
    casting: str = SAFE,
    operators: Any = None,
    memory_limit: int | None = None,
    target: str = PROCESSOR,
) -> Any:
    """The contraction of arrays, in the notation and with the meaning of `numpy.einsum`.

    `einsum(a, [0, 1], b, [1, 2], [0, 2])`, with numbers in place of letters, is supported too. `out` is an array for
    the result, of its shape and type. All operands have one type, or are converted to `dtype` if `casting` allows it,
    by default if that loses nothing. `order` is that of a new result in memory, as in numpy: C (by default), F, A or K.
    `operators` are two functions in place of `add` and `mul`, such as `("max", "add")`, each the name of a primitive or
    RISE text, and perhaps the neutral element of the first; truth values are combined by `("or", "and")`. More than two
    operands are contracted in the order that opt_einsum finds if it is installed, otherwise from left to right;
    `memory_limit` is the most numbers that an intermediate result may have. Kernels are cached by specification, shapes
    and types.

    With the factors `alpha` and `beta`, the result is `alpha * contraction + beta * out`, by the contraction's
    operators. Without `beta`, the elements of `out` are not read.

    Operands are arrays of any library, and the result is one of the first operand's.

    Raises RiseError with the specification underlined.
    """
    if not isinstance(spec, str):
        spec, operands = from_numbers((spec, *operands))
    if isinstance(operators, list):
        operators = tuple(operators)
    try:
        return _computed(
            spec, operands, out, alpha, beta, order, dtype, operators, memory_limit, target, casting
        )
    except RiseError as error:
        raise underlined(error, spec) from None


def underlined(error: RiseError, text: Any) -> RiseError:
    """The error, at the specification if it has no other place; unchanged if there is no text of one."""
    found = error.diagnostic
    if found.labels or not isinstance(text, str):
        return error
    return RiseError(replace(found, labels=(Label(0, max(1, len(text))),), source=text))


def _computed(
    spec: str,
    operands: Sequence[Any],
    out: Any,
    alpha: Any,
    beta: Any,
    order: Any,
    dtype: Any,
    operators: Any,
    memory_limit: Any,
    target: Any,
    casting: Any,
) -> Any:
    """The contraction; the arguments are those of `einsum`."""
    arrays = [one if type(one) is np.ndarray else as_array(spec, one) for one in operands]
    is_numpys = are_plain((*operands, out))
    library = NUMPY if is_numpys else library_for(operands, out)
    try:
        hash(choices := (dtype, operators, memory_limit, target, casting))
    except TypeError:
        title = f"expected types, functions and a target by name, found {choices!r:.60}"
        raise RiseError(
            Diagnostic("einsum-types", title, hint='for example dtype=np.float64, operators=("max", "add")')
        ) from None
    types = tuple([(one.shape, one.dtype, axes_in_memory(one)) for one in arrays])
    place = out if is_numpys else as_numpy("out", out)
    if order is not None:
        new = array_in_order(spec, arrays, order, *_result_type(spec, types, dtype, casting))
        place = new if out is None else place
    axes = axes_in_memory(place)
    given = None if axes is None else (axes, place.shape, place.dtype)
    plan = _plan(spec, types, dtype, operators, memory_limit, target, casting, given)
    inside = place if plan.out_axes is None else place.transpose(axes)
    if alpha is None and beta is None:
        result = plan.run(arrays, inside)
    else:
        result = plan.scaled(arrays, inside, alpha, beta)
    if place is not None:
        result = place
    return result if is_numpys else given_as(library, result) if out is None else out


def as_array(spec: str, value: Any) -> np.ndarray[Any, Any]:
    """An operand as an array. Raises RiseError if it is not an array."""
    try:
        return np.asarray(as_numpy("operand", value))
    except (TypeError, ValueError):
        title = f"expected arrays of numbers as operands, found {value!r:.60}"
        raise RiseError(Diagnostic("einsum-types", title, hint="pass arrays", source=spec)) from None


def type_parts(text: Any) -> tuple[tuple[str, ...], str]:
    """The sizes and the type of the numbers of an array's type."""
    if isinstance(text, str):
        *sizes, scalar = text.replace(" ", "").split(".")
        if scalar in SCALARS and all(size.isdecimal() or size.isidentifier() for size in sizes):
            return tuple(sizes), scalar
    title = f"expected the type of an array of numbers, found {text_of(text)}"
    raise RiseError(Diagnostic("einsum-types", title, hint='write sizes and a type, as in "M.K.f32"'))


@lru_cache(maxsize=MAX_PLANS)
def _result_type(
    text: str, types: tuple[tuple[tuple[int, ...], Any, Axes], ...], dtype: Any, casting: str
) -> tuple[tuple[int, ...], str]:
    """The shape and the type of numbers of a contraction's result."""
    shapes = [shape for shape, _, _ in types]
    spec = read_spec(text, [len(shape) for shape in shapes])
    sizes = sizes_of_letters(spec, shapes, 1)
    scalar = _common_type(spec, [given for _, given, _ in types], dtype, casting)[1]
    return tuple(sizes[c] for c in spec.result), scalar


@lru_cache(maxsize=MAX_PLANS)
def _plan(
    text: str,
    types: tuple[tuple[tuple[int, ...], Any, Axes], ...],
    dtype: Any,
    operators: Any,
    memory_limit: int | None,
    target: str,
    casting: str,
    out: tuple[tuple[int, ...], tuple[int, ...], Any] | None,
) -> Plan:
    """The kernels of a contraction of operands with these shapes, types and orders of axes in memory; `out` has the
    order, shape and type of an array for the result whose axes are in another order in memory.
    """
    shapes = [shape for shape, _, _ in types]
    spec = read_spec(text, [len(shape) for shape in shapes])
    found = sizes_of_letters(spec, shapes, 1)
    wanted, scalar = _common_type(spec, [given for _, given, _ in types], dtype, casting)
    functions = operators_of(operators, scalar)
    axes = tuple([order for _, _, order in types])
    terms = [
        ("".join(in_order(one.letters, order)), in_order(shape, order))
        for one, shape, order in zip(spec.operands, shapes, axes, strict=True)
    ]
    fits = out is not None and out[1:] == (tuple(found[c] for c in spec.result), SCALARS[scalar].dtype)
    out_axes = out[0] if out is not None and fits else None
    final = "".join(in_order(spec.result, out_axes))
    shapes = [shape for _, shape in terms]
    path = path_of([letters for letters, _ in terms], final, shapes, limit_of(spec, memory_limit))
    steps = []
    order: list[tuple[int, ...]] = [*path] or [(0,)]
    for taken in order:
        chosen = [terms[position] for position in taken]
        terms = [one for position, one in enumerate(terms) if position not in taken]
        here = "".join(letters for letters, _ in chosen)
        needed = {*final, *(c for letters, _ in terms for c in letters)}
        result = "".join(c for c in dict.fromkeys(here) if c in needed) if terms else final
        part = Spec(
            text,
            tuple(Term(letters, (Label(0, 0),) * len(letters), Label(0, 0)) for letters, _ in chosen),
            result,
        )
        sizes = sizes_of_letters(part, [shape for _, shape in chosen], 1)
        if terms:
            check_memory(spec, result, sizes, memory_limit)
        inner = [(0, 1)] if len(taken) == 2 else []
        loops = loop_order([letters for letters, _ in chosen], result, sizes, scalar) if inner else None
        texts = [[str(n) for n in shape] for _, shape in chosen]
        program = einsum_text(part, texts, scalar, functions, inner, loops)
        strategy = STRATEGY if target == PROCESSOR else None
        steps.append(
            Step(compile(parse(program), target=target, name="einsum", strategy=strategy), tuple(taken))
        )
        terms.append((result, tuple(sizes[c] for c in result)))
    permuted = axes if any(order is not None for order in axes) else ()
    return Plan(tuple(steps), wanted, (terms[0][1], scalar, functions), target, permuted, out_axes)


def limit_of(spec: Spec, memory_limit: Any) -> int | None:
    """The most numbers of an intermediate result. Raises RiseError for other values than numbers."""
    is_number = isinstance(memory_limit, int | np.integer) and not isinstance(memory_limit, bool)
    if memory_limit is not None and not (is_number and memory_limit > 0):
        title = f"expected a number of elements >= 1 as `memory_limit`, found {memory_limit!r:.60}"
        spec.refuse("einsum-memory", title, "for example memory_limit=10**8", *_whole(spec))
    return None if memory_limit is None else int(memory_limit)


def check_memory(spec: Spec, result: str, sizes: Mapping[str, int], limit: int | None) -> None:
    """Raise RiseError for an intermediate result that has too many numbers."""
    numbers = prod(sizes[c] for c in result)
    if limit is not None and numbers > limit:
        title = f"expected intermediate results of at most {limit} numbers, found one of {numbers}"
        hint = "raise `memory_limit`; if opt_einsum is installed, orders with smaller results are tried"
        spec.refuse("einsum-memory", title, hint, *_whole(spec))


def loop_order(operands: Sequence[str], result: str, sizes: Mapping[str, int], scalar: str = "f32") -> str:
    """The letters of the result of two operands in the order of loops: first those of both operands, then those of the
    operand without the last letter, then those of the other operand. If an operand is larger than the result, its
    letters are in its order, since reading it in another order costs more than writing the result in another order. A
    letter whose neighbours in the result are whole pages apart is not the innermost one, unless all are.

    >>> loop_order(["adb", "cd"], "cba", {"a": 164, "b": 164, "c": 12, "d": 164})
    'cab'
    >>> loop_order(["aed", "fe"], "fda", {"a": 8, "d": 8, "e": 2, "f": 8})
    'fda'
    >>> loop_order(["afbce", "df"], "edcba", {"a": 32, "b": 20, "c": 20, "d": 12, "e": 32, "f": 20})
    'deabc'
    """

    def numbers(letters: str) -> int:
        return prod(sizes[c] for c in letters)

    def is_apart(letter: str) -> bool:
        """Whether the results of a tile along a letter are in one set of the first cache, which cannot hold them."""
        distance = numbers(result[result.index(letter) + 1 :]) * SCALARS[scalar].bits // BYTE
        return sizes[letter] > 1 and distance % PAGE == 0

    both = "".join(c for c in result if all(c in one for one in operands))
    groups = []
    for operand in sorted(operands, key=lambda one: result[-1:] in one):
        order = operand if numbers(operand) > numbers(result) else result
        group = "".join(c for c in dict.fromkeys(order) if c in operand and c in result and c not in both)
        inner = next((position for position, c in reversed([*enumerate(group)]) if not is_apart(c)), None)
        groups.append(group if inner is None else group[inner + 1 :] + group[: inner + 1])
    return both + "".join(groups)


def _common_type(
    spec: Spec, given: Sequence[Any], dtype: Any, casting: str
) -> tuple[np.dtype[Any] | None, str]:
    """The type that operands are converted to, or None, and its name."""
    if casting not in CASTINGS:
        title = f"expected {', '.join(CASTINGS[:-1])} or {CASTINGS[-1]} as `casting`, found {casting!r:.60}"
        spec.refuse(
            "einsum-types", title, "omit it, or allow conversions that lose digits: same_kind", *_whole(spec)
        )
    kinds = list(dict.fromkeys(kind.newbyteorder("=") for kind in given))
    wanted = kinds[0] if dtype is None else _dtype(spec, dtype)
    if dtype is None and len(kinds) > 1:
        title = f"expected operands of one type, found {' and '.join(map(str, kinds))}"
        spec.refuse("einsum-types", title, f"choose one: dtype=np.{np.result_type(*kinds)}", *_whole(spec))
    for kind in kinds:
        if not np.can_cast(kind, wanted, casting):  # type: ignore[arg-type]  # it is one of these words
            title = f"expected operands that {wanted} holds, found {kind}"
            hint = 'convert the arrays before: `x.astype(...)`, or pass casting="unsafe"'
            spec.refuse("einsum-types", title, hint, *_whole(spec))
    name = next((name for name, facts in SCALARS.items() if facts.dtype == wanted), None)
    if name is None:
        title = f"expected numbers of a type that kernels have, found {wanted}"
        spec.refuse("einsum-types", title, f"kernels have {', '.join(SCALARS)}", *_whole(spec))
    return (None if all(kind == wanted for kind in given) else wanted), name


def _dtype(spec: Spec, given: Any) -> np.dtype[Any]:
    try:
        return np.dtype(SCALARS[given].dtype if isinstance(given, str) and given in SCALARS else given)
    except TypeError:
        title = f"expected a type of numbers as `dtype`, found {given!r:.60}"
        spec.refuse("einsum-types", title, "for example dtype=np.float64", *_whole(spec))


def _whole(spec: Spec) -> tuple[Label, ...]:
    return (Label(0, max(1, len(spec.text))),)
