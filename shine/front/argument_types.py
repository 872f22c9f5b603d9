"""Derives the types of a function's parameters from the arguments of a call: names for axes, types for numbers.

Independent of kernels.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from fractions import Fraction
from itertools import chain, count
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.arguments.libraries import as_numpy
from rise.diagnostics import Diagnostic, RiseError
from rise.embedding.symbolic_sizes import Comparison, Decision
from rise.facts import evaluate_fact
from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatVar, scale, var, variable_of
from rise.nodes import postorder
from rise.programs.boundary import accept
from rise.programs.heads import open_head
from rise.quotients import is_integral, is_nonnegative, linear_in
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.size_equations import value_at
from rise.terms import DepLam, Expr, Fact, Lam
from rise.text.nat_printer import show_nat

#: names of sizes, in the order in which they are given to axes
LETTERS: Final = "NMKLPQRSTUVWXYZABCDEFGHIJ"
#: the greatest length that is always a number of the program, such as that of coordinates, colours or small matrices:
#: loops over so few elements are unrolled, and sums of them need no loop
SHORT_AXIS: Final = 4
#: the least power of a number in a length for which a kernel is compiled for this number: little is known of the order
#: of polynomials of high degree, and `r ** k` is a length for few numbers r
HIGH_POWER: Final = 4
#: the type of floating-point numbers of Python among arrays without any
DEFAULT_FLOAT: Final = "f64"
#: the types of complex numbers of Python: among arrays of numbers of at most so many bits, and among others
SMALLEST_COMPLEX, PART_BITS, DEFAULT_COMPLEX = "c64", 32, "c128"
_BY_DTYPE: Final[Mapping[np.dtype[Any], str]] = {np.dtype(one.dtype): name for name, one in SCALARS.items()}


@dataclass(frozen=True, slots=True)
class Shape:
    """The type of an argument: a scalar's name, and for each axis a name, a number, or a length computed from those
    with names. A size has no scalar, but the name of its parameter, or that of the axes whose length it is.
    """

    scalar: str
    axes: tuple[str | int | Nat, ...] = ()
    name: str = ""

    @property
    def text(self) -> str:
        """The type as RISE text."""
        axes = [f"({show_nat(axis)})" if isinstance(axis, Nat) else str(axis) for axis in self.axes]
        return ".".join([*axes, self.scalar]) if self.scalar else "nat"


def raised_names(e: Expr) -> set[str]:
    """The names of sizes that occur in a program with a high power, as `r` in `r ** k` for a known k."""
    head = open_head(e)
    raised = {
        base
        for root in (head.body, *(size for fact in head.facts for size in (fact.left, fact.right)))
        for node in postorder(root)
        if isinstance(node, Nat)
        for monomial, _ in node.terms
        for base, exponent in monomial
        if isinstance(exponent, int) and exponent >= HIGH_POWER
    }
    return {binder.name for binder in head.binders if binder.variable in raised}


def views_of(arguments: Sequence[Any], names: Sequence[str], static: Container[str]) -> tuple[Any, ...]:
    """The arguments with arrays of other libraries replaced by numpy arrays that share their memory, except `static`
    ones.
    """
    return tuple(
        one if name in static else as_numpy(name, one) for one, name in zip(arguments, names, strict=True)
    )


def kind_of(argument: Any, is_static: bool) -> tuple[Any, ...]:
    """The properties of an argument that select the kernel: an array's type and shape, a number's type, any other value
    itself.

    A Python int that is not negative may be a size. Negative ones are part of the program.
    """
    if is_static:
        return exact(argument)
    if isinstance(argument, np.ndarray | np.generic):
        return argument.dtype, argument.shape
    if isinstance(argument, float | complex) or (type(argument) is int and argument >= 0):
        return (type(argument),)
    return exact(argument)


def exact(value: Any) -> tuple[Any, ...]:
    """A value with its types, as a key: `2 == 2.0` and `0.0 == -0.0`, but programs with these values differ.

    >>> exact((2, "a")) == exact((2.0, "a"))
    False
    """
    if isinstance(value, tuple):
        return type(value), value, tuple(map(exact, value))
    return type(value), value, repr(value) if isinstance(value, float | complex) else None


def short_lengths(kinds: Sequence[tuple[Any, ...]]) -> frozenset[int]:
    """The lengths that are numbers of the program: those of short axes, except first axes, which count things.

    >>> short_lengths([(np.dtype(np.float32), (4, 3)), (np.dtype(np.float32), (2,)), (float,)])
    frozenset({3})
    """
    shapes = (kind[1] for kind in kinds if isinstance(kind[0], np.dtype))
    return frozenset(size for shape in shapes for size in shape[1:] if 1 < size <= SHORT_AXIS)


def shapes_of(
    kinds: Sequence[tuple[Any, ...]],
    is_fixed: bool,
    parameters: Sequence[str],
    numbers: Collection[int] = (),
    given: Mapping[str, int] = MappingProxyType({}),
) -> list[Shape | None]:
    """The types of arguments from their kinds and the names of the parameters; None for a value that is part of the
    program. Lengths in `numbers` get no name. `given` has the values of parameters that are sizes: axes of such a
    length are named after the parameter if they come after it, and a parameter after such axes has their name. No axis
    has the name of another parameter.

    >>> f32 = np.dtype(np.float32)
    >>> kinds = [(f32, (5, 3)), (f32, (3,)), (f32, (5, 1)), (float,), (int,)]
    >>> [one and one.text for one in shapes_of(kinds, False, "xyzsN")]
    ['M.K.f32', 'K.f32', 'M.1.f32', 'f32', 'nat']
    >>> [one and one.text for one in shapes_of(kinds, False, "xyzsN", {3})]
    ['M.3.f32', '3.f32', 'M.1.f32', 'f32', 'nat']
    >>> [one and one.text for one in shapes_of([(int,), (f32, (5, 3))], False, "nx", given={"n": 5})]
    ['nat', 'n.N.f32']
    >>> [one and one.name for one in shapes_of([(f32, (5, 3)), (int,)], False, "xn", given={"n": 5})]
    ['', 'N']
    >>> [one and one.text for one in shapes_of([(f32, ()), (complex,)], False, "xy")]
    ['f32', 'c64']
    """
    names: dict[int, str] = {}
    named_before: dict[int, str] = {}
    dtypes = [kind[0] for kind in kinds if isinstance(kind[0], np.dtype)]
    scalars = [SCALARS[name].part or name for name in map(scalar_name, dtypes)]
    floats = [name for name in scalars if "floating" in SCALARS[name].classes]
    widest = max(floats, key=lambda name: SCALARS[name].bits, default=DEFAULT_FLOAT)
    letters = (
        name for name in chain(LETTERS, (f"N{number}" for number in count(1))) if name not in parameters
    )
    shapes: list[Shape | None] = []
    for kind, parameter in zip(kinds, parameters, strict=True):
        match kind:
            case (np.dtype() as dtype, tuple(axes)):
                named = [
                    size
                    if is_fixed or size == 1 or size in numbers
                    else names.get(size) or names.setdefault(size, named_before.get(size) or next(letters))
                    for size in axes
                ]
                shapes.append(Shape(scalar_name(dtype), tuple(named)))
            case (found,) if found is int:
                size = given.get(parameter, 1)
                shapes.append(Shape("", (), names.get(size, parameter)))
                if size > 1 and size not in numbers:
                    named_before.setdefault(size, parameter)
            case (found,) if issubclass(found, complex):
                shapes.append(
                    Shape(SMALLEST_COMPLEX if SCALARS[widest].bits <= PART_BITS else DEFAULT_COMPLEX)
                )
            case (_,):
                shapes.append(Shape(widest))
            case _:
                shapes.append(None)
    return shapes


def with_known(
    shapes: Sequence[Shape | None], annotations: Sequence[Any], arguments: Sequence[Any]
) -> list[Shape | None]:
    """The shapes with numbers for the lengths that are numbers in the annotations, if they are types such as
    `"N.3.f32"` and arguments have these lengths.

    >>> [one and one.text for one in with_known([Shape("f32", ("N", "M"))], ["K.3.f32"], [np.ones((5, 3))])]
    ['N.3.f32']
    """
    found = list(shapes)
    for position, (shape, text, argument) in enumerate(zip(shapes, annotations, arguments, strict=True)):
        written = text.strip(" '\"").split(".") if isinstance(text, str) else []
        if (
            shape is not None
            and shape.axes
            and len(written) == len(shape.axes) + 1
            and written[-1] in SCALARS
        ):
            axes = zip(shape.axes, written, argument.shape, strict=False)
            known = tuple(size if number == str(size) else axis for axis, number, size in axes)
            found[position] = Shape(shape.scalar, known)
    return found


def sizes_of(
    shapes: Sequence[Shape | None], arguments: Sequence[Any], numbers: Collection[int] = ()
) -> dict[Atom, int] | None:
    """The sizes of arguments by name; None if they do not have these shapes. A named axis does not have length 1: numpy
    broadcasts such an axis, and `squeeze` drops it; nor one of the lengths in `numbers`.
    """
    given = list(zip(shapes, arguments, strict=True))
    known: dict[str, int] = {}
    for shape, number in given:
        if shape and shape.name and known.setdefault(shape.name, number) != number:
            return None
    computed: list[tuple[Nat, int]] = []
    for shape, argument in given:
        for axis, size in zip(shape.axes, argument.shape, strict=True) if shape and shape.axes else ():
            if isinstance(axis, Nat):
                computed.append((axis, size))
            elif size != (axis if isinstance(axis, int) else known.setdefault(axis, size)):
                return None
            if (size == 1 or size in numbers) and not isinstance(axis, int):
                return None
    sizes: dict[Atom, int] = {NatVar(name, None): size for name, size in known.items()}
    return sizes if all(value_at(axis, sizes) == size for axis, size in computed) else None


def numbers_of(shapes: Sequence[Shape | None], arguments: Sequence[Any]) -> dict[Atom, int]:
    """The arguments that are sizes, by the names that they have in the program."""
    given = zip(shapes, arguments, strict=True)
    return {
        NatVar(shape.name, None): argument for shape, argument in given if shape is not None and shape.name
    }


def are_lengths(parameters: Container[str], shapes: Sequence[Shape]) -> bool:
    """Whether arrays have lengths that are called like these parameters, or computed from them."""
    axes = (axis for shape in shapes for axis in shape.axes)
    return any(
        axis in parameters
        if not isinstance(axis, Nat)
        else any(isinstance(atom, NatVar) and atom.name in parameters for atom in axis.free)
        for axis in axes
    )


def with_equal(
    shapes: tuple[Shape | None, ...], arguments: Sequence[Any], one: Nat, other: Nat
) -> tuple[Shape | None, ...]:
    """The shapes for which two lengths are equal, if they are equal in the arguments: a name in them becomes a number,
    or is computed from other names and from parameters that are sizes. The same shapes if the lengths differ, or no
    name can be computed.

    >>> from rise.naturals import const, var
    >>> shapes = tuple(shapes_of([(np.dtype(np.float32), (5, 3))], False, "x"))
    >>> [shape.text for shape in with_equal(shapes, [np.ones((5, 3))], var("M") - 1, const(2)) if shape]
    ['N.3.f32']
    >>> [shape.text for shape in with_equal(shapes, [np.ones((6, 3))], var("M"), var("N") - var("M")) if shape]
    ['(2 * M).M.f32']
    """
    sizes, difference = sizes_of(shapes, arguments) or {}, one - other
    if not difference.free <= sizes.keys() or value_at(difference, sizes) != 0:
        return shapes
    parameters = numbers_of(shapes, arguments)
    names = [name for name in sizes if name in difference.free and name not in parameters]
    solutions = [(name, _solved(difference, name)) for name in names]
    found = [
        (name, solution)
        for name, solution in solutions
        if solution is not None and _is_after(shapes, name, solution)
    ]
    if not found:
        return shapes
    name, solution = min(found, key=lambda one: (one[1].constant is None, not is_nonnegative(one[1])))
    return tuple(
        shape and Shape(shape.scalar, tuple(_put(axis, name, solution) for axis in shape.axes), shape.name)
        for shape in shapes
    )


def decision_at(comparison: Comparison, sizes: Mapping[Atom, int] | None) -> Decision | None:
    """Whether a comparison holds for these sizes; None if it depends on others."""
    if sizes is None or not {*comparison.left.free, *comparison.right.free} <= sizes.keys():
        return None
    left, right = value_at(comparison.left, sizes), value_at(comparison.right, sizes)
    return None if left is None or right is None else comparison.decision(left, right)


def _solved(difference: Nat, name: Atom) -> Nat | None:
    """The value of a name for which a difference of lengths is 0; None if it is not one integer for all sizes."""
    linear = linear_in(difference, name)
    slope = None if linear is None else linear[0].constant
    if linear is None or not slope:
        return None
    solution = scale(linear[1], Fraction(-1) / slope)
    return solution if is_integral(solution) else None


def _is_after(shapes: Sequence[Shape | None], name: Atom, solution: Nat) -> bool:
    """Whether the arrays that have a length of this name come after the parameters from which it is computed."""
    given = [shape for shape in shapes if shape is not None]
    uses = (
        place
        for place, shape in enumerate(given)
        if any(_put(axis, name, solution) != axis for axis in shape.axes)
    )
    numbers: dict[str, int] = {}
    for place, shape in enumerate(given):
        if shape.name and not any(shape.name in before.axes for before in given[:place]):
            numbers[shape.name] = place
    needed = [
        numbers[atom.name] for atom in solution.free if isinstance(atom, NatVar) and atom.name in numbers
    ]
    return max(needed, default=-1) < next(uses, len(given))


def _put(axis: str | int | Nat, name: Atom, value: Nat) -> str | int | Nat:
    """The length of an axis with a value in place of a name."""
    if isinstance(axis, int):
        return axis
    length = substitute_naturals(var(axis) if isinstance(axis, str) else axis, {name: value})
    variable = variable_of(length)
    number = length.constant
    return str(variable.name) if variable is not None else length if number is None else int(number)


def hold(facts: Sequence[Fact], sizes: Mapping[Atom, int]) -> bool:
    """Whether the facts that mention only these sizes hold. A call of the kernel checks all facts."""
    return all(evaluate_fact(fact, sizes) for fact in facts if all(name in sizes for name in fact.free))


def scalar_name(dtype: np.dtype[Any]) -> str:
    """The name of a scalar type. Raises RiseError if the language has none."""
    name = _BY_DTYPE.get(dtype if dtype.isnative else dtype.newbyteorder("="))
    if name is None:
        title = f"expected arrays of a scalar type of the language, found {dtype}"
        hint = f"convert them: `.astype('float32')`, or `.to(torch.float32)`; there are {', '.join(SCALARS)}"
        raise RiseError(Diagnostic("argument-type", title, hint=hint))
    return name


def sizes_in(term: Expr, arguments: Sequence[Any]) -> dict[str, int]:
    """The sizes of a program that its arguments determine, by name. Raises RiseError if they do not fit."""
    sizes: dict[str, int] = {}
    for value in accept(term, arguments, {}):
        assert isinstance(term, Lam | DepLam), term
        if isinstance(term, DepLam) and (number := getattr(value, "constant", None)) is not None:
            sizes[term.name] = int(number)
        term = term.body
    return sizes
