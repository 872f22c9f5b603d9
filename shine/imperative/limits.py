"""The bounds of what kernels compute of sizes and loop indices: all of it stays below 2^63, as do the numbers of bytes.

A text notes each natural that it computes while it is written. What these can get to follows from the sizes: decided
when a kernel is built where sizes are numbers, else when it is called. Knows no target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, number_text
from rise.naturals import Nat, NatVar, const
from rise.scalars import SCALARS
from rise.text.names import bounded
from rise.text.nat_printer import show_nat
from rise.types import ScalarType, VectorType
from shine.imperative.errors import TranslationError
from shine.imperative.nodes import Buffer, Origin, Procedure
from shine.imperative.reach import Reach, UnknownSize

#: what the integers of a kernel are below
WIDE: Final = 1 << 63
REMEMBERED: Final = 256  # sets of sizes
LONGEST_NATURAL: Final = 120  # characters
HINT: Final = "give smaller sizes"


@dataclass(frozen=True, slots=True)
class Computed:
    """A natural that a text computes; or one that stands in none and counts `what`, which must be less than `below`."""

    value: Nat
    origin: Origin
    what: str = ""
    below: int = WIDE


class Noted:
    """What a text computes, noted while it is written: each natural once, with the first place that computes it."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[tuple[Nat, str], Computed] = {}

    def note(self, value: Nat, origin: Origin, what: str = "", below: int = WIDE) -> None:
        """Note a natural. Raises TranslationError for one with a number that no integer of a kernel holds."""
        if (value, what) not in self._found:
            self._found[value, what] = Computed(value, origin, what, below)
            for _, coefficient in value.terms:
                number = max(abs(coefficient.numerator), coefficient.denominator)
                if number >= WIDE:
                    refuse(Computed(const(number), origin, what, below), Reach({}))

    def __iter__(self) -> Iterator[Computed]:
        return iter(self._found.values())


class Limits:
    """What a kernel computes, and for which sizes that stays within bounds. See `limits_of`."""

    def __init__(
        self, sizes: Sequence[NatVar] = (), computed: Iterable[Computed] = (), tables: Sequence[int] = ()
    ) -> None:
        self.sizes = tuple(sizes)
        self.computed = tuple(computed)
        self._tables = tuple(tables)  # the places of tables among the arrays
        self._safe: dict[int, int] = {}
        self._known: dict[tuple[object, ...], Computed | None] = {}

    def too_large(self, numbers: Sequence[int], read: int = 0, below: int = WIDE) -> Computed | None:
        """What is `below` or more at these sizes, if anything; `read` is the most that the kernel reads of tables."""
        if max(*numbers, read, 0) <= self._safe_below(below):
            return None
        key = (*numbers, read, below)
        if key not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = self._first(self.reach(numbers, read), below)
        return self._known[key]

    def is_above(self, below: int) -> bool:
        """Whether something is `below` or more even where all sizes are 0."""
        return self._safe_below(below) < 0

    def check(self, name: str, numbers: Sequence[int], read: int, origins: Mapping[NatVar, str]) -> None:
        """Raise a diagnostic where something is too large at these sizes; `origins` says where sizes are from."""
        computed = self.too_large(numbers, read)
        if computed is not None:
            sizes = dict(zip(self.sizes, numbers, strict=True))
            free = (v for v in computed.value.free if isinstance(v, NatVar) and v in sizes)
            notes = (
                f"{v.name} = {number_text(sizes[v])}{f', from {origins[v]}' if v in origins else ''}"
                for v in sorted(free, key=lambda v: v.name)
            )
            refuse(computed, self.reach(numbers, read), f"{name}: ", tuple(notes))

    def reach(self, numbers: Sequence[int], read: int) -> Reach:
        """Bounds at these sizes."""
        return Reach({size: (n, n) for size, n in zip(self.sizes, numbers, strict=True)}, read)

    def most_read(self, arguments: Sequence[Any]) -> int:
        """The most that a kernel reads of tables, given its arrays in order: the last number of each is the sum."""
        return max((int(arguments[place][-1]) for place in self._tables), default=0)

    def _first(self, reach: Reach, below: int) -> Computed | None:
        for computed in self.computed:
            if reach.computing(computed.value) >= (computed.below if computed.what else below):
                return computed
        return None

    def _safe_below(self, below: int) -> int:
        """A number up to which all sizes may go, in any combination; -1 if there is none."""
        found = self._safe.get(below)
        if found is None:
            low, high = -1, below.bit_length()
            while high - low > 1:
                middle = (low + high) // 2
                most = (1 << middle) - 1
                fits = self._first(Reach(dict.fromkeys(self.sizes, (0, most)), most), below) is None
                low, high = (middle, high) if fits else (low, middle)
            found = self._safe[below] = -1 if low < 0 else (1 << low) - 1
        return found


def limits_of(procedure: Procedure, noted: Noted) -> Limits:
    """The limits of what a text of a procedure computes.

    Raises TranslationError for what is too large whatever the sizes are.
    """
    reach = Reach({})
    for computed in noted:
        try:
            found = reach.computing(computed.value)
        except UnknownSize:
            continue
        if found >= computed.below:
            refuse(computed, reach)
    arrays = [buffer for one in procedure.inputs for buffer in one.buffers]
    tables = [buffer for one in procedure.tables for buffer in one.starts.buffers]
    return Limits(procedure.sizes, noted, [place for place, one in enumerate(arrays) if one in tables])


def refuse(computed: Computed, reach: Reach, subject: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    """Say what is too large."""
    value = computed.value
    most = reach.most(value)
    what = computed.what or f"`{bounded(show_nat(value), LONGEST_NATURAL)}`"
    is_fixed = all(isinstance(base, NatVar) and base.upper is None for m, _ in value.terms for base, _ in m)
    found = number_text(most) if is_fixed else f"up to {number_text(most)}"
    if value.constant is not None:
        what = computed.what or "sizes and indices"
    elif most < computed.below:
        what, found = f"every part of {what}", f"up to {number_text(reach.computing(value))}"
    title = f"{subject}expected {what} below {number_text(computed.below)}, found {found}"
    raise TranslationError(Diagnostic("size-too-large", title, notes=notes, hint=HINT), computed.origin)


def element_bytes(buffer: Buffer) -> int:
    """How many bytes an element of a buffer in memory has."""
    match buffer.element:
        case ScalarType(name):
            return SCALARS[name].bits // 8
        case VectorType(size, ScalarType(name)) if size.constant is not None:
            return size.constant * SCALARS[name].bits // 8
    raise AssertionError(f"{buffer!r} is in no memory")


def note_bytes(noted: Noted, buffers: Iterable[Buffer]) -> None:
    """Note how many bytes arrays take that a call makes."""
    for buffer in buffers:
        what = f"the number of bytes of `{buffer.name}`"
        noted.note(buffer.size * element_bytes(buffer), buffer.origin, what)
