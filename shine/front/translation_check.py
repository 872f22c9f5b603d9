"""Compares kernels with the low-level programs that they were translated from, exactly, at all small sizes.

A derivation is checked for all sizes by `strategies.proof`; this checks what is below the term: the imperative program
and the text of a target. Independent of strategies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from rise.analysis.integer_programs import INTEGERS, with_integers
from rise.argument_checks import Termlike, term_of
from rise.arguments.leaves import Leaf, leaves_of, tree_of
from rise.arguments.ragged_arrays import lengths_at, rows_in
from rise.diagnostics import Diagnostic, RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import Atom
from rise.nodes import postorder
from rise.programs.evaluation import evaluate
from rise.programs.heads import specialise
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.size_functions import SizeFunVar
from rise.terms import Expr
from rise.types import FragmentType
from rise.values import Leaf as Array
from rise.values import poison
from shine.front.size_conditions import small_sizes
from shine.front.verify import arrays
from shine.imperative.nodes import Procedure
from shine.kernel import Kernel
from shine.pipeline import build

COUNT: Final = 5
MAX_COMBINATIONS: Final = 1_000
MAX_OTHERS: Final = 50
MIN_CALLS: Final = 30
#: errors of a program at some sizes or numbers, about which it promises nothing
ERRORS_OF_PROGRAMS: Final = ("division-by-zero", "index-out-of-range", "size-not-natural")


@dataclass(frozen=True, slots=True)
class Numbers:
    """What random arrays contain: integers of a magnitude up to the `greatest`, and any integers at a rate `large`."""

    greatest: int
    large: float


#: in turns from call to call: numbers that are often equal, numbers within the bounds of arrays, all numbers
NUMBERS: Final = (Numbers(1, 0.0), Numbers(9, 0.5), Numbers(1, 1.0))
#: for products in fragments: floating-point numbers represent all results
DIGITS: Final = Numbers(2, 0.0)


@dataclass(frozen=True, slots=True)
class Compared:
    """How a kernel was compared with its low-level program.

    - `sizes`: how many combinations of sizes; `is_all`: whether these include all combinations of the smallest ones.
    - `numbers`: how many numbers were compared.
    - `skipped`: the combinations at which evaluating the program is an error, such as a division by zero.
    - `functions`: the functions that linear ones stand for.
    - `on_integers`: whether integers stood for floating-point numbers.
    """

    sizes: int
    is_all: bool
    numbers: int
    skipped: int
    functions: tuple[str, ...]
    on_integers: bool


@dataclass(frozen=True, slots=True)
class Comparable:
    """A low-level program over integers, and the program whose kernel is compared with it: the same one, or the
    original one on small integers if its products are computed in fragments, which exist for some types only.
    """

    reference: Expr
    program: Expr
    functions: tuple[str, ...]
    on_integers: bool


def check_translation(
    e: Termlike, target: str = "interpret", count: int = COUNT, seed: int = 0, **options: Any
) -> Compared:
    """Check that the kernel of a low-level program computes the same as the program, to the last bit, for the first
    `count` sizes of each name that its conditions allow (0 to 4 if there are none), in all combinations; and for some
    combinations of these with sizes of one or two tiles, and one more.

    Floating-point numbers are replaced by integers of the same width, whose sums are equal in any order, and functions
    that integers do not have by linear ones; the loops, indices and buffers of the kernel stay the same. `options` are
    those of `shine.pipeline.build`.

    Raises RiseError for the first different result (`wrong-translation`), for a program that cannot be compared in this
    way (`no-integers`), and the errors of `build`.

    >>> import rise
    >>> low = rise.parse_expr("fun(n: nat, xs: n.f32 => xs |> mapSeq(fun(x => exp(x) + 0.5)))")
    >>> found = check_translation(low)
    >>> found.sizes, found.numbers, found.functions
    (8, 111, ('exp',))
    """
    if type(count) is not int or count < 1:
        title = f"expected a number of sizes, an integer >= 1, found {count!r}"
        raise RiseError(Diagnostic("argument-type", title, hint="for example count=5"))
    pair = comparable(term_of(e))
    return compare_kernel(pair, build(pair.program, target, **options), count, seed)


def comparable(e: Expr) -> Comparable:
    """The programs to compare for a low-level program. Raises RiseError if there are none."""
    found = with_integers(e)
    if not any(isinstance(node, FragmentType) for node in postorder(e)) or not found.has_floats:
        return Comparable(found.term, found.term, found.functions, found.has_floats)
    if found.functions:
        title = f"expected sums and products around fragments, found {', '.join(found.functions)}"
        raise RiseError(Diagnostic("no-integers", title, hint="compare results: shine run --verify"))
    return Comparable(found.term, e, (), False)


def compare_kernel(pair: Comparable, kernel: Kernel, count: int = COUNT, seed: int = 0) -> Compared:
    """Compare a kernel of `pair.program` with the value of `pair.reference`. Raises RiseError for the first different
    result.
    """
    procedure = kernel.procedure
    _refuse_functions_of_sizes(procedure)
    found = small_sizes([size.name for size in procedure.sizes], procedure.checks, pair.program, count)
    small, others = found.all_small[:MAX_COMBINATIONS], found.beyond_tiles[:MAX_OTHERS]
    combinations = (*small, *others)
    numbers, compared = 0, set[int]()
    is_on_digits = pair.program is not pair.reference
    for number in range(max(len(combinations), MIN_CALLS) if combinations else 0):
        sizes = combinations[number % len(combinations)]
        numbers_drawn = DIGITS if is_on_digits else NUMBERS[number % len(NUMBERS)]
        values = _values(procedure, sizes, np.random.default_rng((seed, number)), numbers_drawn)
        try:
            wanted = _evaluated(pair.reference, procedure, values, sizes)
        except RiseError as error:
            if error.diagnostic.code not in ERRORS_OF_PROGRAMS:
                raise
            continue
        result = list(arrays(kernel(*_arguments(procedure, values, sizes), sizes=sizes)))
        _compare(kernel, sizes, wanted, result)
        compared.add(number % len(combinations))
        numbers += sum(int(np.size(one)) for one in wanted)
    if not compared:
        title = "expected small sizes at which the program can be evaluated, found none"
        raise RiseError(Diagnostic("no-sizes", title, hint="compare results: shine run --verify"))
    skipped = len(combinations) - len(compared)
    is_all = len(small) == len(found.all_small)
    return Compared(len(compared), is_all, numbers, skipped, pair.functions, pair.on_integers)


def _refuse_functions_of_sizes(procedure: Procedure) -> None:
    for table in procedure.tables:
        if isinstance(table.function, SizeFunVar):
            title = f"expected sizes that are numbers, found the function of sizes `{table.function.name}`"
            hint = f'define it: --size "{table.function.name}=(i |-> i + 1)"'
            raise RiseError(Diagnostic("size-unknown", title, hint=hint))


def _values(
    procedure: Procedure, sizes: Mapping[str, int], generator: np.random.Generator, numbers: Numbers
) -> list[tuple[Leaf, Array]]:
    """A random array for each array that a kernel takes."""
    known: dict[Atom, int] = {size: sizes[size.name] for size in procedure.sizes}

    def value(leaf: Leaf) -> Array:
        shape = tuple(int(evaluate_natural(size, known)) for size in leaf.shape)
        if leaf.end is not None:
            end = int(evaluate_natural(leaf.end, known))
            return generator.integers(0, max(end, 1), shape, np.int64)
        if leaf.dtype.kind == "b":
            return generator.integers(0, 2, shape).astype(leaf.dtype)
        least = 0 if leaf.dtype.kind == "u" else -numbers.greatest
        small = generator.integers(least, numbers.greatest + 1, shape).astype(leaf.dtype)
        any_bits = generator.integers(0, 256, (*shape, leaf.dtype.itemsize), np.uint8).view(leaf.dtype)
        return np.where(generator.random(shape) < numbers.large, any_bits.reshape(shape), small)

    leaves = [leaf for parameter in procedure.given for leaf in leaves_of(parameter.name, parameter.type)]
    return [(leaf, value(leaf)) for leaf in leaves]


def _arguments(procedure: Procedure, values: list[tuple[Leaf, Array]], sizes: Mapping[str, int]) -> list[Any]:
    """The arguments of a call: the arrays as parts of the parameters, cut into rows where these differ in length."""
    known: dict[Atom, int] = {size: sizes[size.name] for size in procedure.sizes}
    parts = iter(values)
    arguments: list[Any] = []
    for parameter in procedure.given:
        found: list[Any] = []
        for leaf, array in (next(parts) for _ in leaves_of(parameter.name, parameter.type)):
            rows = leaf.rows
            if rows is None:
                found.append(array)
                continue
            lengths = lengths_at(rows.lengths, int(evaluate_natural(rows.count, known)), known)
            found.append(rows_in(array, lengths, rows.axis))
        arguments.append(tree_of(parameter.type, found))
    for pair in procedure.pairs:
        arguments[pair.position] = (known[pair.size], arguments[pair.position])
    return arguments


def _evaluated(
    reference: Expr, procedure: Procedure, values: list[tuple[Leaf, Array]], sizes: Mapping[str, int]
) -> list[Array]:
    """The arrays of the reference's value, which is over integers. Raises RiseError as `evaluate` does."""
    integers = [(leaf, array.astype(_integer(array.dtype))) for leaf, array in values]
    pair_sizes = {pair.size.name for pair in procedure.pairs}
    own = {name: size for name, size in sizes.items() if name not in pair_sizes}
    fixed = specialise(reference, **own) if own else reference
    return list(arrays(evaluate(fixed, *_arguments(procedure, integers, sizes))))


def _integer(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of integers that stand for numbers of a type."""
    name = next((INTEGERS[name] for name in INTEGERS if SCALARS[name].dtype == dtype), None)
    return dtype if name is None else SCALARS[name].dtype


def _compare(kernel: Kernel, sizes: Mapping[str, int], wanted: list[Array], found: list[Array]) -> None:
    """Raise RiseError unless all specified numbers are equal."""
    for expected, result in zip(wanted, found, strict=True):
        differs = np.asarray(expected != result)
        if not kernel.procedure.is_specified and expected.size:
            differs &= expected != poison((), expected.dtype)
        if not differs.any():
            continue
        place = tuple(np.argwhere(differs)[0].tolist())
        at = " ".join(f"{name}={size}" for name, size in sizes.items())
        where = f" at {place}" if place else ""
        title = f"expected {expected[place]}{where} of the result, found {result[place]}"
        title += f", where {at}" if at else ""
        note = f"{int(differs.sum())} of {differs.size} numbers differ, on {kernel.target}"
        hint = "a pass or the printer is wrong: `shine show --stage passes` shows the program after each pass"
        raise RiseError(Diagnostic("wrong-translation", title, notes=(note,), hint=hint))
