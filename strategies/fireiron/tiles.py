"""Tiles of results: the step that all kinds of specifications have. Depends on specifications, but not on terms."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import ClassVar, Final

from elevate import Diagnostic, StrategyError
from rise.records import dataclass
from strategies.fireiron.specs import (
    MOVE,
    SIDES,
    Spec,
    Unit,
    Vector,
    check_numbers,
    divides,
    divisors,
    refuse_step,
    shown_sizes,
)
from strategies.parts.parameters import MAX_VECTOR_LENGTH


@dataclass(frozen=True, slots=True)
class Strided:
    """Tiles with strides: `Strided((4, 32), (4, 16))` takes 4 of every 32 rows and 4 of every 16 columns."""

    rows: tuple[int, int]
    columns: tuple[int, int]

    def check(self) -> None:
        """Raise StrategyError unless these are two pairs of sizes."""
        for pair in (self.rows, self.columns):
            if not isinstance(pair, tuple) or len(pair) != 2:  # type: ignore[redundant-expr]  # of a user
                title = f"expected a part and a stride for rows and for columns, found {self}"
                raise StrategyError(Diagnostic("schedule", title, hint="write Strided((4, 32), (4, 16))"))
            check_numbers(part=pair[0], stride=pair[1])

    def __str__(self) -> str:
        return f"Strided({self.rows}, {self.columns})"


#: the lengths of vectors
LENGTHS: Final = tuple(1 << power for power in range(1, MAX_VECTOR_LENGTH.bit_length()))


@dataclass(frozen=True, slots=True)
class TileStep:
    """Tiles of the result, of these sizes or, with strides, of all parts of these sizes that are a stride apart.

    `bits` are the positions of the bits of a unit's number in the number of its tile, lowest first; empty if unit and
    tile have the same number.
    """

    sizes: tuple[int, ...]
    unit: Unit | None = None
    unrolled: bool = False
    order: str = "rows"
    vector: bool = False
    strides: tuple[int, ...] = ()
    bits: tuple[int, ...] = ()
    name: ClassVar[str] = "tile"
    refinements: ClassVar[tuple[str, ...]] = ("to", "unroll", "layout", "swizzle", "vector")

    def shape(self, spec: Spec) -> tuple[int, ...]:
        """The sizes of a tile."""
        if not self.strides:
            return self.sizes
        for part, size, stride in zip(self.sizes, spec.shape, self.strides, strict=True):
            if not isinstance(size, int) or size % stride or stride % part:
                whole = shown_sizes(spec.shape)
                refuse_step(
                    f"expected parts that divide strides that divide {whole}, found {self._form}", spec
                )
        return tuple(
            part * int(size) // stride
            for part, size, stride in zip(self.sizes, spec.shape, self.strides, strict=True)
        )

    @property
    def is_element(self) -> bool:
        """Whether its tiles are single numbers within a unit."""
        return set(self.sizes) == {1} and self.unit is None and not self.strides

    @property
    def units(self) -> tuple[object, ...]:
        """The fields that determine which numbers a unit has."""
        return self.sizes, self.strides, self.bits

    def predict(self, spec: Spec) -> Spec:
        """The specification of a tile."""
        sides = SIDES[len(spec.shape)]
        if len(self.sizes) != len(sides) or not sides:
            form = f"tiles of {' and '.join(sides)}" if sides else "no tiles of a single number"
            refuse_step(f"expected {form}, found `{self}`", spec)
        if spec.unit is Vector:
            refuse_step(f"expected the end after a vector, found `{self}`", spec, "write `.done`")
        if len(sides) < 2 and (self.order == "columns" or self.bits):
            refuse_step(
                f"expected tiles of rows and columns to number in another order, found `{self}`", spec
            )
        if self.strides and any(isinstance(size, str) for size in spec.shape) and spec.kind is MOVE:
            return replace(spec, unit=self._unit(spec))
        shape = self.shape(spec)
        for side, part, size in zip(sides, shape, spec.shape, strict=True):
            if not divides(part, size):
                refuse_step(f"expected a tile with {divisors(size)} {side}, found {part}", spec)
        unit = self._unit(spec)
        self._check_order(spec)
        if self.bits:
            self._check_bits(shape, spec)
        if unit is Vector:
            self._check_vector(spec)
        if unit.is_row and self.order == "columns" and any(isinstance(size, str) for size in spec.shape):
            whole = shown_sizes(spec.shape)
            refuse_step(f"expected a known number of {unit}s to number along columns, found {whole}", spec)
        return spec.tile(shape, unit)

    def _check_vector(self, spec: Spec) -> None:
        *outer, length = self.sizes
        if set(outer) - {1} or length not in LENGTHS or self.strides:
            lengths = " or ".join(map(str, LENGTHS))
            refuse_step(f"expected a vector of {lengths} numbers of a row, found `{self}`", spec)
        if self.order == "columns" or self.bits:
            refuse_step(f"expected vectors in the order of rows, found `{self}`", spec)
        if (spec.kind.reduces and not spec.keeps_sums) or spec.depth != 1:
            what = "element" if spec.kind.reduces else "product"
            title = f"expected a vector of results with one {what} each, found {spec}"
            refuse_step(title, spec, "write `.epilog(RF).split(1)` before the vectors of sums")

    def _unit(self, spec: Spec) -> Unit:
        """The unit of a tile."""
        if self.unit is not None and self.unit.name not in spec.unit.inside:
            inside = " or ".join(spec.unit.inside) or "no unit"
            refuse_step(f"expected tiles of a {spec.unit} to go to {inside}, found {self.unit}", spec)
        return self.unit or spec.unit

    def _check_order(self, spec: Spec) -> None:
        """Check that there are units to number, or a loop to unroll."""
        if self.order == "columns" and self.unit is None:
            title = f"expected units to number along columns, found `{self}` without units"
            refuse_step(title, spec, "write `.to(..)` first")
        if self.unrolled and self.unit not in (None, Vector) and spec.kind is not MOVE:
            title = f"expected a loop over tiles to unroll, found `{self}`, of which each unit has one"
            refuse_step(title, spec, "omit `.unroll`, or tile once more without units")

    def _check_bits(self, tile: tuple[int, ...], spec: Spec) -> None:
        if self.unit is None:
            refuse_step("expected units to swizzle, found tiles without units", spec, "write `.to(..)` first")
        if any(isinstance(size, str) for size in spec.shape):
            if spec.kind is not MOVE:
                whole = shown_sizes(spec.shape)
                refuse_step(f"expected a known number of units to swizzle, found {whole}", spec)
            return
        count = prod(int(size) // part for size, part in zip(spec.shape, tile, strict=True))
        if count != 1 << len(self.bits):
            title = (
                f"expected the places of the bits of {count} units' numbers, found {len(self.bits)} places"
            )
            refuse_step(title, spec, "the number of units must be a power of two")

    @property
    def _form(self) -> str:
        if not self.strides:
            return ", ".join(map(str, self.sizes))
        rows, columns = zip(self.sizes, self.strides, strict=True)
        return str(Strided(rows, columns))

    def __str__(self) -> str:
        text = f"tile({self._form})"
        text += f".to({self.unit})" if self.unit else ""
        text += ".unroll" if self.unrolled else ""
        text += ".layout(ColMajor)" if self.order == "columns" else ""
        text += f".swizzle({', '.join(map(str, self.bits))})" if self.bits else ""
        return text + (".vector" if self.vector else "")
