"""Lengths of axes: the shapes that result from broadcasting, and the lengths that a program promises to be equal.

Independent of arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError
from rise.embedding.places import here, located, refuse
from rise.indices import is_below
from rise.naturals import Nat, NatVar, const
from rise.text.nat_printer import show_nat

ONE: Final = const(1)


def may_be_equal(one: Nat, other: Nat) -> bool:
    """Whether two sizes that differ as formulas may be equal for some values of the parameters, as far as is known."""
    if is_below(one, other) or is_below(other, one):
        return False
    variables = [atom for atom in (one - other).free if isinstance(atom, NatVar)]
    return bool(variables) and all(atom.upper is None for atom in variables)


def may_be_promised(one: Nat, other: Nat, numbers: Collection[str]) -> bool:
    """Whether a program may assume that two sizes are equal, which the call then checks: if one is computed from one of
    the parameters named in `numbers`, or if both are computed from the same sizes, such as the halves of an array.

    >>> from rise.naturals import var
    >>> from rise.quotients import floor_quotient
    >>> half = floor_quotient(var("n"), 2)
    >>> may_be_promised(half, var("n") - half, ()), may_be_promised(var("n"), var("m"), ())
    (True, False)
    """
    if not may_be_equal(one, other):
        return False
    names, others = ({atom.name for atom in size.free if isinstance(atom, NatVar)} for size in (one, other))
    return names == others or not names.union(others).isdisjoint(numbers)


class UnequalLengthsError(RiseError):
    """Two axes that must have one length, and may differ."""

    def __init__(self, diagnostic: Diagnostic, lengths: tuple[Nat, Nat]) -> None:
        super().__init__(diagnostic)
        self.lengths = lengths


def refuse_lengths(one: Nat, other: Nat, title: str, hint: str) -> NoReturn:
    """Raise the error for two lengths that must be equal, with the place in the user's file."""
    said = f"{show_nat(one)} and {show_nat(other)} may differ"
    raise UnequalLengthsError(
        located(Diagnostic("shape-mismatch", title, hint=hint), here(), said), (one, other)
    )


def refuse_shapes(one: Sequence[Nat], other: Sequence[Nat], title: str, hint: str) -> NoReturn:
    """Raise the error for two shapes that must be equal: that for two lengths, if the shapes differ only in lengths
    that may be equal.
    """
    differing = [lengths for lengths in zip(one, other, strict=False) if lengths[0] != lengths[1]]
    if len(one) == len(other) and differing and all(may_be_equal(*lengths) for lengths in differing):
        refuse_lengths(*differing[0], title, hint)
    refuse("shape-mismatch", title, hint)


def broadcast(shapes: Sequence[tuple[Nat, ...]]) -> tuple[Nat, ...]:
    """The shape to which all of these shapes are broadcast. Raises RiseError if there is none."""
    sizes: list[Nat] = []
    for axis in range(1, max(map(len, shapes)) + 1):
        lengths = [shape[-axis] for shape in shapes if len(shape) >= axis]
        long_ones = [one for one in lengths if one != ONE] or [ONE]
        for other in long_ones[1:]:
            if other != long_ones[0]:
                texts = " and ".join(shape_text(shape) for shape in dict.fromkeys(shapes) if shape)
                title = f"expected arrays of the same shape, found {texts}"
                refuse_lengths(long_ones[0], other, title, _hint_of_lengths(long_ones[0], other))
        sizes.append(long_ones[0])
    return tuple(reversed(sizes))


def _hint_of_lengths(one: Nat, other: Nat) -> str:
    """The hint for giving two axes the same length."""
    number, symbolic = (one, other) if one.constant is not None else (other, one)
    if number.constant is None or symbolic.constant is not None:
        return "use the same name for equal sizes; only axes of length 1 are repeated"
    length = "`x.shape[0]`, as in `np.arange(x.shape[0])`"
    said = f"take the length {show_nat(symbolic)} from its array, {length}: it need not be {show_nat(number)}"
    return f"{said}; pass an array from outside of the function as a parameter"


def shape_text(shape: Sequence[Nat]) -> str:
    """A shape in Python's notation."""
    return f"({', '.join(show_nat(one) for one in shape)}{',' if len(shape) == 1 else ''})"
