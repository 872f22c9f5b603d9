"""Checks that integers that kernels compute from sizes and loop indices, and numbers of bytes, stay below 2^63.

Each natural that a text computes is recorded while the text is written. Its bounds follow from the sizes: they are
checked when a kernel is built if sizes are numbers, otherwise when it is called. Independent of targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, number_text
from rise.naturals import Nat, NatVar, const
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.text.names import bounded
from rise.text.nat_printer import show_nat
from rise.types import ScalarType, VectorType
from shine.imperative.errors import TranslationError
from shine.imperative.intervals import Reach, UnknownSize
from shine.imperative.nodes import Buffer, Origin, Procedure

#: exclusive upper bound of the integers of a kernel
INTEGER_END: Final = 1 << 63
MAX_CACHED_SIZES: Final = 256  # sets of sizes
MAX_NATURAL_CHARACTERS: Final = 120
HINT: Final = "use smaller sizes"


@dataclass(frozen=True, slots=True)
class Computed:
    """A natural that a text computes, or another number, described by `what`; it must be less than `below`."""

    value: Nat
    origin: Origin
    what: str = ""
    below: int = INTEGER_END


class Noted:
    """The naturals that a text computes, each with the first place that computes it."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[tuple[Nat, str], Computed] = {}

    def note(self, value: Nat, origin: Origin, what: str = "", below: int = INTEGER_END) -> None:
        """Record a natural. Raises TranslationError if it contains a number that exceeds a kernel's integers."""
        if (value, what) not in self._found:
            self._found[value, what] = Computed(value, origin, what, below)
            for _, coefficient in value.terms:
                number = max(abs(coefficient.numerator), coefficient.denominator)
                if number >= INTEGER_END:
                    refuse(Computed(const(number), origin, what, below), Reach({}))

    def __iter__(self) -> Iterator[Computed]:
        return iter(self._found.values())


class Limits:
    """The naturals that a kernel computes, and the sizes for which they stay within bounds. See `limits_of`."""

    def __init__(
        self, sizes: Sequence[NatVar] = (), computed: Iterable[Computed] = (), tables: Sequence[int] = ()
    ) -> None:
        self.sizes = tuple(sizes)
        self.computed = tuple(computed)
        self._tables = tuple(tables)  # the positions of tables among the arrays
        self._safe: dict[int, int] = {}
        self._known: dict[tuple[object, ...], Computed | None] = {}

    def too_large(self, numbers: Sequence[int], read: int = 0, below: int = INTEGER_END) -> Computed | None:
        """A natural that may reach `below` at these sizes, or None; `read` is the largest value read from tables."""
        if max(*numbers, read, 0) <= self._safe_below(below):
            return None
        key = (*numbers, read, below)
        if key not in self._known:
            if len(self._known) >= MAX_CACHED_SIZES:
                self._known.clear()
            self._known[key] = self._first(self.reach(numbers, read), below)
        return self._known[key]

    def is_above(self, below: int) -> bool:
        """Whether a natural reaches `below` even if all sizes are 0."""
        return self._safe_below(below) < 0

    def check(self, name: str, numbers: Sequence[int], read: int, origins: Mapping[NatVar, str]) -> None:
        """Raise TranslationError if a natural is too large at these sizes; `origins` says where sizes come from."""
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
        """The bounds at these sizes."""
        return Reach({size: (n, n) for size, n in zip(self.sizes, numbers, strict=True)}, read)

    def most_read(self, arguments: Sequence[Any]) -> int:
        """The largest value that a kernel reads from tables, given its arrays in order: a table ends with its sum."""
        return max((int(arguments[place][-1]) for place in self._tables), default=0)

    def _first(self, reach: Reach, below: int) -> Computed | None:
        for computed in self.computed:
            if reach.computing(computed.value) >= (computed.below if computed.what else below):
                return computed
        return None

    def _safe_below(self, below: int) -> int:
        """A number up to which all sizes are safe, in any combination; -1 if there is none."""
        limit = self._safe.get(below)
        if limit is None:
            low, high = -1, below.bit_length()
            while high - low > 1:
                middle = (low + high) // 2
                size_limit = (1 << middle) - 1
                fits = (
                    self._first(Reach(dict.fromkeys(self.sizes, (0, size_limit)), size_limit), below) is None
                )
                low, high = (middle, high) if fits else (low, middle)
            limit = self._safe[below] = -1 if low < 0 else (1 << low) - 1
        return limit


def limits_of(procedure: Procedure, noted: Noted) -> Limits:
    """The limits of the naturals that a procedure's text computes.

    Raises TranslationError for a natural that is too large for all sizes.
    """
    reach = Reach({})
    for computed in noted:
        try:
            bound = reach.computing(computed.value)
        except UnknownSize:
            continue
        if bound >= computed.below:
            refuse(computed, reach)
    arrays = [buffer for parameter in procedure.inputs for buffer in parameter.buffers]
    tables = [buffer for table in procedure.tables for buffer in table.starts.buffers]
    return Limits(
        procedure.sizes, noted, [position for position, buffer in enumerate(arrays) if buffer in tables]
    )


def refuse(computed: Computed, reach: Reach, subject: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    """Raise TranslationError for a natural that is too large."""
    value = computed.value
    bound = reach.most(value)
    subject_text = computed.what or f"`{bounded(show_nat(value), MAX_NATURAL_CHARACTERS)}`"
    is_fixed = all(isinstance(base, NatVar) and base.upper is None for m, _ in value.terms for base, _ in m)
    found_text = number_text(bound) if is_fixed else f"up to {number_text(bound)}"
    if value.constant is not None:
        subject_text = computed.what or "sizes and indices"
    elif bound < computed.below:
        subject_text, found_text = (
            f"every part of {subject_text}",
            f"up to {number_text(reach.computing(value))}",
        )
    title = f"{subject}expected {subject_text} below {number_text(computed.below)}, found {found_text}"
    raise TranslationError(Diagnostic("size-too-large", title, notes=notes, hint=HINT), computed.origin)


def element_bytes(buffer: Buffer) -> int:
    """The number of bytes of an element of a buffer in memory."""
    match buffer.element:
        case ScalarType(name):
            return SCALARS[name].bits // 8
        case VectorType(size, ScalarType(name)) if size.constant is not None:
            return size.constant * SCALARS[name].bits // 8
    raise AssertionError(f"{buffer!r} is in no memory")


def note_bytes(noted: Noted, buffers: Iterable[Buffer]) -> None:
    """Record the sizes in bytes of arrays that a call allocates."""
    for buffer in buffers:
        what = f"the number of bytes of `{buffer.name}`"
        noted.note(buffer.size * element_bytes(buffer), buffer.origin, what)
