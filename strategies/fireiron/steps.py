"""The steps of a schedule: decompositions with their refinements. Depends on specifications, but not on terms.

A step predicts the remaining specification; it rejects, with a StrategyError, a specification that it does not fit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, NoReturn, TypeAlias

from elevate import Diagnostic, StrategyError
from rise.records import dataclass
from strategies.fireiron.specs import (
    FR,
    GL,
    RF,
    SH,
    Location,
    MatMulSpec,
    MoveSpec,
    Size,
    Spec,
    Unit,
    divides,
    divisors,
)
from strategies.parts.parameters import check_sizes, types_of

#: the shape of the matrix instruction that `mmaTile` decomposes to
MMA_SHAPE = (16, 16, 16)


@dataclass(frozen=True, slots=True)
class Strided:
    """Tiles with strides: `Strided((4, 32), (4, 16))` takes 4 of every 32 rows and 4 of every 16 columns."""

    rows: tuple[int, int]
    columns: tuple[int, int]

    def __post_init__(self) -> None:
        for pair in (self.rows, self.columns):
            if not isinstance(pair, tuple) or len(pair) != 2:  # type: ignore[redundant-expr]  # of a user
                title = f"expected a part and a stride for rows and for columns, found {self}"
                raise StrategyError(Diagnostic("schedule", title, hint="write Strided((4, 32), (4, 16))"))
            check_sizes(part=pair[0], stride=pair[1])

    def __str__(self) -> str:
        return f"Strided({self.rows}, {self.columns})"


@dataclass(frozen=True, slots=True)
class TileStep:
    """Tiles of rows x columns or, with strides, of all parts of rows x columns that are a stride apart.

    `bits` are the positions of the bits of a unit's number in the number of its tile, lowest first; empty if unit and
    tile have the same number.
    """

    rows: int
    columns: int
    unit: Unit | None = None
    unrolled: bool = False
    order: str = "rows"
    vector: bool = False
    strides: tuple[int, int] | None = None
    bits: tuple[int, ...] = ()
    name: ClassVar[str] = "tile"
    refinements: ClassVar[tuple[str, ...]] = ("to", "unroll", "layout", "swizzle", "vector")

    def shape(self, spec: Spec) -> tuple[int, int]:
        """The rows and columns of a tile."""
        if self.strides is None:
            return self.rows, self.columns
        whole, strides = _whole(spec), self.strides
        parts = ((self.rows, whole[0], strides[0]), (self.columns, whole[1], strides[1]))
        for part, size, stride in parts:
            if not isinstance(size, int) or size % stride or stride % part:
                title = f"expected parts that divide strides that divide {whole[0]} x {whole[1]}, found {self._form}"
                refuse_step(title, spec)
        rows, columns = (part * int(size) // stride for part, size, stride in parts)
        return rows, columns

    @property
    def is_element(self) -> bool:
        """Whether its tiles are single numbers within a unit."""
        return (self.rows, self.columns) == (1, 1) and self.unit is None and self.strides is None

    @property
    def units(self) -> tuple[object, ...]:
        """The fields that determine which numbers a unit has."""
        return self.rows, self.columns, self.strides, self.bits

    def predict(self, spec: Spec) -> Spec:
        """The specification of a tile."""
        whole = _whole(spec)
        if self.strides is not None and isinstance(spec, MoveSpec) and isinstance(spec.rows, str):
            return replace(spec, unit=self._unit(spec))
        rows, columns = self.shape(spec)
        for what, part, size in zip(("rows", "columns"), (rows, columns), whole, strict=True):
            if not divides(part, size):
                refuse_step(f"expected a tile with {divisors(size)} {what}, found {part}", spec)
        unit = self._unit(spec)
        if self.bits:
            self._check_bits(whole, (rows, columns), spec)
        if isinstance(spec, MatMulSpec):
            return replace(spec, m=rows, n=columns, unit=unit)
        return replace(spec, rows=rows, columns=columns, unit=unit)

    def _unit(self, spec: Spec) -> Unit:
        """The unit of a tile."""
        if self.unit is not None and self.unit.name not in spec.unit.inside:
            inside = " or ".join(spec.unit.inside) or "no unit"
            refuse_step(f"expected tiles of a {spec.unit} to go to {inside}, found {self.unit}", spec)
        return self.unit or spec.unit

    def _check_bits(self, whole: tuple[Size, Size], tile: tuple[int, int], spec: Spec) -> None:
        if self.unit is None:
            refuse_step("expected units to swizzle, found tiles without units", spec, "write `.to(..)` first")
        if not all(isinstance(size, int) for size in whole):
            if isinstance(spec, MatMulSpec):
                refuse_step(
                    f"expected a known number of units to swizzle, found {whole[0]} x {whole[1]}", spec
                )
            return
        count = (int(whole[0]) // tile[0]) * (int(whole[1]) // tile[1])
        if count != 1 << len(self.bits):
            title = (
                f"expected the places of the bits of {count} units' numbers, found {len(self.bits)} places"
            )
            refuse_step(title, spec, "the number of units must be a power of two")

    @property
    def _form(self) -> str:
        if self.strides is None:
            return f"{self.rows}, {self.columns}"
        return str(Strided((self.rows, self.strides[0]), (self.columns, self.strides[1])))

    def __str__(self) -> str:
        text = f"tile({self._form})"
        text += f".to({self.unit})" if self.unit else ""
        text += ".unroll" if self.unrolled else ""
        text += ".layout(ColMajor)" if self.order == "columns" else ""
        text += f".swizzle({', '.join(map(str, self.bits))})" if self.bits else ""
        return text + (".vector" if self.vector else "")


def _whole(spec: Spec) -> tuple[Size, Size]:
    return (spec.m, spec.n) if isinstance(spec, MatMulSpec) else (spec.rows, spec.columns)


@dataclass(frozen=True, slots=True)
class LoadStep:
    """A copy of a factor in another memory, made by a move, or by all threads if there is none."""

    operand: str
    location: Location
    move: tuple[Step, ...] = ()
    room: int = 0
    multiple: int = 1
    order: str = "rows"
    waits: bool = True
    name: ClassVar[str] = "load"
    refinements: ClassVar[tuple[str, ...]] = (
        "noSync",
        "storageLayout",
        "toColMajor",
        "toRowMajor",
        "pad",
        "align",
    )

    def predict(self, spec: Spec) -> Spec:
        """The same product, which reads the copy."""
        if not isinstance(spec, MatMulSpec):
            refuse_step(f"expected a product to load a factor of, found {spec}", spec)
        source = spec.a if self.operand == "A" else spec.b
        further = {GL: (SH, RF, FR), SH: (RF, FR)}.get(source, ())
        if self.location not in further:
            names = " or ".join(map(str, further)) or "no other location"
            refuse_step(
                f"expected {self.operand} to be loaded from {source} to {names}, found {self.location}", spec
            )
        units = {SH: ("Block", "Warp"), RF: ("Lane", "Thread"), FR: ("Warp",)}[self.location]
        if spec.unit.name not in units:
            refuse_step(
                f"expected a {' or '.join(units)} to load to {self.location}, found a {spec.unit}", spec
            )
        rows, columns = (spec.m, spec.k) if self.operand == "A" else (spec.k, spec.n)
        if not isinstance(rows, int) or not isinstance(columns, int):
            title = f"expected a matrix of known size in {self.location}, found {rows} x {columns} of {self.operand}"
            refuse_step(title, spec)
        if self.location is not SH and self.refined:
            refuse_step(f"expected a layout for a copy in SH, found one in {self.location}", spec)
        if self.location is FR and self.move:
            refuse_step("expected a move for a copy in SH or RF, found one in FR", spec)
        if self.operand == "A":
            return replace(spec, a=self.location)
        return replace(spec, b=self.location)

    @property
    def refined(self) -> bool:
        """Whether the copy has a layout different from the matrix."""
        return self.room > 0 or self.multiple > 1 or self.order != "rows"

    def moved(self, spec: Spec) -> MoveSpec:
        """The specification of its move."""
        assert isinstance(spec, MatMulSpec)
        rows, columns = (spec.m, spec.k) if self.operand == "A" else (spec.k, spec.n)
        source = spec.a if self.operand == "A" else spec.b
        return MoveSpec(rows, columns, source, self.location, spec.unit)

    def check_vectors(self, spec: Spec) -> None:
        """Check that vectors are parts of rows of the copy, or of its columns if it is stored by columns."""
        along = "columns" if self.order == "columns" else "rows"
        for step in self.move:
            if not isinstance(step, TileStep) or not step.vector or self.location is not SH:
                continue
            if (step.columns if along == "columns" else step.rows) != 1:
                title = f"expected vectors along {along}, as {self.operand} is stored, found `{step}`"
                other = "toRowMajor" if along == "columns" else "toColMajor"
                refuse_step(title, spec, f"write `.{other}` after the load, or transpose the tile")

    def __str__(self) -> str:
        move = f", {show_move(self.move)}" if self.move else ""
        text = f"load({self.operand}, {self.location}{move})"
        text += ".toColMajor" if self.order == "columns" else ""
        text += f".pad({self.room})" if self.room else ""
        text += f".align({self.multiple})" if self.multiple > 1 else ""
        return text + ("" if self.waits else ".noSync")


@dataclass(frozen=True, slots=True)
class SplitStep:
    """A loop over parts of the sum, of `depth` products each."""

    depth: int
    unrolled: bool = False
    waits: bool = False
    name: ClassVar[str] = "split"
    refinements: ClassVar[tuple[str, ...]] = ("unroll", "sync")

    def predict(self, spec: Spec) -> Spec:
        """The product that each iteration adds."""
        if not isinstance(spec, MatMulSpec):
            refuse_step(f"expected a product to split the sum of, found {spec}", spec)
        if spec.c is GL:
            refuse_step("expected sums in RF or FR, found C in GL", spec, "write `.epilog(RF)` before")
        if not divides(self.depth, spec.k):
            refuse_step(f"expected a step of {divisors(spec.k)} products, found {self.depth}", spec)
        return replace(spec, k=self.depth)

    def __str__(self) -> str:
        return f"split({self.depth})" + (".unroll" if self.unrolled else "") + (".sync" if self.waits else "")


@dataclass(frozen=True, slots=True)
class EpilogStep:
    """The sums are kept in registers or fragments, with a move of zeros before and a move to C after."""

    location: Location
    init: tuple[Step, ...] = ()
    store: tuple[Step, ...] = ()
    name: ClassVar[str] = "epilog"
    refinements: ClassVar[tuple[str, ...]] = ()

    def predict(self, spec: Spec) -> Spec:
        """The same product, with sums in the location."""
        if not isinstance(spec, MatMulSpec):
            refuse_step(f"expected a product with an epilog, found {spec}", spec)
        if self.location not in (RF, FR):
            refuse_step(f"expected sums in RF or FR, found {self.location}", spec)
        if spec.c is not GL or spec.unit.name == "Kernel":
            refuse_step(f"expected C in GL, computed by a Block or below, found C in {spec.c}", spec)
        return replace(spec, c=self.location)

    def __str__(self) -> str:
        parts = "".join(
            f", {name}={show_move(move)}"
            for name, move in (("init", self.init), ("store", self.store))
            if move
        )
        return f"epilog({self.location}{parts})"


@dataclass(frozen=True, slots=True)
class StageStep:
    """A move through another memory."""

    location: Location
    room: int = 0
    name: ClassVar[str] = "stage"
    refinements: ClassVar[tuple[str, ...]] = ("pad",)

    def predict(self, spec: Spec) -> Spec:
        """The remaining move, from the other memory."""
        if not isinstance(spec, MoveSpec):
            refuse_step(f"expected a move to stage, found {spec}", spec)
        if self.location is not SH or spec.source is SH:
            refuse_step(f"expected a move from {spec.source} through SH, found {self.location}", spec)
        return replace(spec, source=SH)

    def __str__(self) -> str:
        room = f".pad({self.room})" if self.room else ""
        return f"stage({self.location})" + room


@dataclass(frozen=True, slots=True)
class MmaStep:
    """Tiles of the shape of a matrix instruction, in fragments."""

    name: ClassVar[str] = "mmaTile"
    refinements: ClassVar[tuple[str, ...]] = ()

    def predict(self, spec: Spec) -> Spec:
        """The instruction."""
        if not isinstance(spec, MatMulSpec) or spec.c is not FR or spec.unit.name != "Warp":
            refuse_step(f"expected a product of a Warp with sums in FR, found {spec}", spec)
        m, n, k = MMA_SHAPE
        for part, whole in ((m, spec.m), (n, spec.n), (k, spec.k)):
            if not divides(part, whole):
                refuse_step(
                    f"expected multiples of {m} x {n} x {k}, found {spec.m} x {spec.n} x {spec.k}", spec
                )
        return replace(spec, m=m, n=n, k=k, a=FR, b=FR)

    def __str__(self) -> str:
        return "mmaTile"


@dataclass(frozen=True, slots=True)
class DoneStep:
    """The remaining specification is an instruction."""

    name: ClassVar[str] = "done"
    refinements: ClassVar[tuple[str, ...]] = ()

    def predict(self, spec: Spec) -> Spec:
        """The same specification, if there is an instruction for it."""
        if instruction(spec) is None:
            refuse_step(f"expected a specification that an instruction executes, found {spec}", spec)
        return spec

    def __str__(self) -> str:
        return "done"


Step: TypeAlias = TileStep | LoadStep | SplitStep | EpilogStep | StageStep | MmaStep | DoneStep


def instruction(spec: Spec) -> str | None:
    """The instruction that executes a specification: a multiply-add, a loop of these, or a matrix instruction."""
    if not isinstance(spec, MatMulSpec):
        return None
    shape, places = (spec.m, spec.n, spec.k), (spec.a, spec.b, spec.c)
    if spec.unit.name in ("Lane", "Thread") and shape[:2] == (1, 1):
        if shape[2] == 1 and places == (RF, RF, RF):
            return "fma"
        return "dot" if FR not in places else None
    if spec.unit.name == "Warp" and places == (FR, FR, FR) and all(isinstance(size, int) for size in shape):
        m, n, k = (int(size) for size in shape)
        return "wmma" if types_of((m, n, k)) else None
    return None


def legal_steps(spec: Spec) -> str:
    """The steps that fit a specification, as text of a hint."""
    found: list[str] = []
    rows, columns = (spec.m, spec.n) if isinstance(spec, MatMulSpec) else (spec.rows, spec.columns)
    if (rows, columns) != (1, 1):
        units = f", to({' or '.join(spec.unit.inside)})" if spec.unit.inside else ""
        found.append(f"tile(r, c) with {divisors(rows)} rows and {divisors(columns)} columns{units}")
    trials: list[Step] = []
    if isinstance(spec, MatMulSpec):
        trials = [LoadStep(operand, place) for place in (SH, RF, FR) for operand in ("A", "B")]
        trials += [EpilogStep(RF), EpilogStep(FR), MmaStep(), DoneStep()]
        if spec.c is not GL and spec.k != 1:
            found.append(f"split(k) with k {divisors(spec.k)}")
    for step in trials:
        try:
            step.predict(spec)
        except StrategyError:
            continue
        found.append(str(step))
    return ", ".join(found)


def refuse_step(title: str, spec: Spec, hint: str = "") -> NoReturn:
    """Raise the diagnostic of a step that does not fit a specification."""
    raise StrategyError(
        Diagnostic("schedule", title, hint=hint, notes=(f"the specification here is {spec}",))
    )


def show_move(steps: tuple[Step, ...]) -> str:
    """The schedule of a move as source text."""
    return ".".join(("Move", *map(str, steps)))
