"""The steps of a schedule: decompositions with their refinements. Depends on specifications, but not on terms.

A step predicts the remaining specification; it rejects, with a StrategyError, a specification that it does not fit.
One subject: the steps, and which specifications they fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final, NoReturn, TypeAlias

from elevate import Diagnostic, StrategyError
from rise.hardware import INSTRUCTIONS, family_of, is_known
from rise.records import dataclass
from strategies.fireiron.micro_kernels import MicroKernel
from strategies.fireiron.specs import (
    CA,
    FR,
    GL,
    MATMUL,
    MOVE,
    RF,
    SH,
    SIDES,
    Block,
    Core,
    Kernel,
    Lane,
    Location,
    Size,
    Spec,
    Thread,
    Unit,
    Vector,
    Warp,
    divides,
    divisors,
    move_of,
    refuse_step,
    shown_sizes,
)
from strategies.fireiron.tiles import TileStep
from strategies.parts.parameters import LANES, MAX_BLOCK_THREADS, listed, types_of

#: the shape of the matrix instruction that `mmaTile` decomposes to, if it states no other one
MMA_SHAPE: Final = (16, 16, 16)


#: the beginning of a hint
LEGAL: Final = "steps that fit here: "
#: the units that make copies in each location
LOADING: Final[dict[Location, tuple[str, ...]]] = {
    SH: ("Block", "Warp"),
    RF: ("Lane", "Thread"),
    FR: ("Warp",),
    CA: ("Core",),
}
#: the units that compute the first product of a chain in each location
UNITS_OF_FIRST: Final[dict[Location, tuple[str, ...]]] = {
    GL: ("Kernel",),
    SH: ("Block",),
    RF: ("Lane", "Thread"),
    CA: ("Core",),
}


@dataclass(frozen=True, slots=True)
class LoadStep:
    """A copy of a factor in another memory, made by a move, or by all threads of the unit if there is none."""

    operand: str
    location: Location
    move: tuple[Step, ...] = ()
    room: int = 0
    multiple: int = 1
    order: str = "rows"
    waits: bool = True
    reuses: bool = False
    name: ClassVar[str] = "load"
    refinements: ClassVar[tuple[str, ...]] = (
        "noSync",
        "storageLayout",
        "toColMajor",
        "toRowMajor",
        "pad",
        "align",
        "reuseBuffer",
    )

    def predict(self, spec: Spec) -> Spec:
        """The same specification, which reads the copy."""
        operands = () if spec.kind is MOVE else spec.kind.read
        if self.operand not in operands:
            names = " or ".join(operands) or "no operand of a move"
            refuse_step(f"expected {names} to be loaded, found {self.operand}", spec)
        source = spec.place(self.operand)
        further: tuple[Location, ...] = {GL: (SH, RF, FR), SH: (RF, FR)}.get(source, ())
        if spec.unit is Core:
            further = (CA,) if source is GL else ()
        elif not spec.kind.multiplies or spec.kind.is_chain:
            further = tuple(place for place in further if place is not FR)
        if self.location not in further:
            names = " or ".join(map(str, further)) or "no other location"
            refuse_step(
                f"expected {self.operand} to be loaded from {source} to {names}, found {self.location}", spec
            )
        units = LOADING[self.location]
        if spec.unit.name not in units:
            refuse_step(
                f"expected a {' or '.join(units)} to load to {self.location}, found a {spec.unit}", spec
            )
        shape = spec.array(self.operand)
        if not shape:
            refuse_step(f"expected an array to load, found {self.operand}, which is a number", spec)
        if any(isinstance(size, str) for size in shape) and self.location is not CA:
            found = f"{shown_sizes(shape)} of {self.operand}"
            refuse_step(f"expected {_matrix(shape)} of known size in {self.location}, found {found}", spec)
        if self.reuses and self.location is not SH:
            refuse_step(f"expected bytes of SH to reuse, found a copy in {self.location}", spec)
        if not self.waits and self.location is not SH:
            title = f"expected a copy in SH, for which threads might wait, found one in {self.location}"
            refuse_step(title, spec, "omit `.noSync`")
        if self.location not in (SH, CA) and self.refined:
            refuse_step(f"expected a layout for a copy in SH, found one in {self.location}", spec)
        if self.location is CA and (self.room or self.multiple > 1):
            refuse_step("expected padded rows for a copy in SH, found them in CA", spec)
        if self.location in (FR, CA) and self.move:
            refuse_step(f"expected a move for a copy in SH or RF, found one in {self.location}", spec)
        is_row = self.location is not RF and spec.depth == 1 and spec.keeps_sums
        if (self.refined or self.move) and (is_row or len(shape) != 2):
            refuse_step(
                f"expected {self.operand} to be copied as it is, since it is a row, found `{self}`", spec
            )
        kernel = kernel_of_move(self.move)
        if kernel is not None and self.order == "columns":
            title = f"expected a copy by rows for `{kernel}`, found one by columns"
            refuse_step(title, spec, "omit `toColMajor`, or the micro-kernel")
        if kernel is not None and spec.depth == 1 and spec.keeps_sums:
            title = (
                f"expected a matrix that `{kernel}` copies, found a row: {self.operand} of single products"
            )
            refuse_step(title, spec, "omit the micro-kernel, or `split(1)`")
        check_move(self.move, self.moved(spec))
        return spec.at(self.operand, self.location)

    @property
    def refined(self) -> bool:
        """Whether the copy has a layout different from the matrix."""
        return self.room > 0 or self.multiple > 1 or self.order != "rows"

    def moved(self, spec: Spec) -> Spec:
        """The specification of its move."""
        return move_of(spec.array(self.operand), spec.place(self.operand), self.location, spec.unit)

    def check_vectors(self, spec: Spec) -> None:
        """Check that vectors are parts of rows of the copy, or of its columns if it is stored by columns."""
        along = "columns" if self.order == "columns" else "rows"
        for step in self.move:
            if not isinstance(step, TileStep) or not step.vector or self.location is not SH:
                continue
            rows, columns = step.sizes
            if (columns if along == "columns" else rows) != 1:
                title = f"expected vectors along {along}, as {self.operand} is stored, found `{step}`"
                other = "toRowMajor" if along == "columns" else "toColMajor"
                refuse_step(title, spec, f"write `.{other}` after the load, or transpose the tile")

    def __str__(self) -> str:
        move = f", {show_move(self.move)}" if self.move else ""
        text = f"load({self.operand}, {self.location}{move})"
        text += ".toColMajor" if self.order == "columns" else ""
        text += f".pad({self.room})" if self.room else ""
        text += f".align({self.multiple})" if self.multiple > 1 else ""
        text += "" if self.waits else ".noSync"
        return text + (".reuseBuffer" if self.reuses else "")


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
        if not spec.kind.summed:
            refuse_step(f"expected a sum to split, found {spec}", spec)
        if not spec.keeps_sums:
            title = f"expected sums in RF or FR, found {spec.kind.names[-1]} in {spec.target}"
            refuse_step(title, spec, "write `.epilog(RF)` before")
        if spec.depth == 1:
            refuse_step(f"expected sums of several products to split, found {spec}", spec)
        if not divides(self.depth, spec.depth):
            refuse_step(f"expected a step of {divisors(spec.depth)} products, found {self.depth}", spec)
        return replace(spec, sizes=(*spec.sizes[:-1], self.depth))

    def __str__(self) -> str:
        return f"split({self.depth})" + (".unroll" if self.unrolled else "") + (".sync" if self.waits else "")


@dataclass(frozen=True, slots=True)
class PartsStep:
    """Parts of `depth` elements that are reduced separately, by units or in a loop; then their results are reduced.

    A part consists of consecutive elements or, in the order of columns, of every n-th element for n parts.
    """

    depth: int
    unit: Unit | None = None
    unrolled: bool = False
    order: str = "rows"
    name: ClassVar[str] = "split"
    refinements: ClassVar[tuple[str, ...]] = ("to", "unroll", "layout")

    def predict(self, spec: Spec) -> Spec:
        """The reduction of a part."""
        if spec.depth == 1:
            refuse_step(f"expected several elements to reduce in parts, found {spec}", spec)
        if not divides(self.depth, spec.depth):
            refuse_step(f"expected parts of {divisors(spec.depth)} elements, found {self.depth}", spec)
        if self.unit is not None and (self.unit.name not in spec.unit.inside or self.unit is Vector):
            inside = " or ".join(name for name in spec.unit.inside if name != Vector.name) or "no unit"
            refuse_step(f"expected parts of a {spec.unit} to go to {inside}, found {self.unit}", spec)
        if set(spec.shape) - {1}:
            title = f"expected a single result to reduce in parts, found {shown_sizes(spec.shape)}"
            refuse_step(title, spec, "write `.tile(1)` before, with or without a unit")
        if self.unit in (Warp, Lane, Thread) or self.order == "columns":
            self._check_count(spec)
        return replace(spec, sizes=(*spec.shape, self.depth), unit=self.unit or spec.unit)

    def _check_count(self, spec: Spec) -> None:
        if isinstance(spec.depth, str):
            refuse_step(f"expected a known number of parts, found {spec.depth} / {self.depth}", spec)
        count, most = int(spec.depth) // self.depth, LANES if self.unit is not Thread else MAX_BLOCK_THREADS
        if self.unit is not None and (count > most or count & count - 1):
            refuse_step(
                f"expected a power of two up to {most} as the number of {self.unit}s, found {count}", spec
            )

    def __str__(self) -> str:
        text = f"split({self.depth})" + (f".to({self.unit})" if self.unit else "")
        return (
            text
            + (".unroll" if self.unrolled else "")
            + (".layout(ColMajor)" if self.order != "rows" else "")
        )


@dataclass(frozen=True, slots=True)
class ShareStep:
    """The sum of a block's product is shared among units: the first one sums `depth` products of each `every`, the next
    one the next `depth`, and so on. All threads add the sums of the units, which are in shared memory.
    """

    depth: int
    every: int
    unit: Unit | None = None
    name: ClassVar[str] = "split"
    refinements: ClassVar[tuple[str, ...]] = ("to",)

    @property
    def count(self) -> int:
        """The number of units."""
        return self.every // self.depth

    def predict(self, spec: Spec) -> Spec:
        """The product that each unit sums."""
        if not spec.kind.multiplies or spec.kind.is_chain or spec.unit is not Block or len(spec.shape) != 2:
            refuse_step(f"expected a product of a Block to share its sum among units, found {spec}", spec)
        result = spec.kind.names[-1]
        if spec.target is not GL:
            title = f"expected {result} in GL, to share its sum among units, found {result} in {spec.target}"
            refuse_step(title, spec, f"write `{self}` once, and before `.epilog(..)`")
        if any(isinstance(size, str) for size in spec.shape):
            found = shown_sizes(spec.shape)
            refuse_step(f"expected sums of known size, which units share in SH, found {found}", spec)
        if not divides(self.depth, self.every) or self.count < 2:
            title = f"expected a part of {self.every} products for each of several units, found {self.depth}"
            refuse_step(title, spec, f"for example split({max(self.every // 2, 1)}, {self.every})")
        if not divides(self.every, spec.depth):
            refuse_step(f"expected a divisor of the sum's {spec.depth} products, found {self.every}", spec)
        if self.unit is not None and self.unit.name not in spec.unit.inside:
            inside = " or ".join(spec.unit.inside)
            refuse_step(f"expected parts of a {spec.unit} to go to {inside}, found {self.unit}", spec)
        depth = spec.depth // self.count if isinstance(spec.depth, int) else f"{spec.depth}/{self.count}"
        return replace(spec.at(result, SH), sizes=(*spec.sizes[:-1], depth), unit=self.unit or spec.unit)

    def __str__(self) -> str:
        return f"split({self.depth}, {self.every})" + (f".to({self.unit})" if self.unit else "")


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
        is_single = spec.kind.reduces and not set(spec.shape) - {1}
        if not spec.kind.summed or is_single:
            refuse_step(f"expected several sums with an epilog, found {spec}", spec)
        has_fragments = spec.kind.multiplies and spec.unit in (Kernel, Block, Warp)
        places = (RF, FR) if has_fragments else (RF,)
        if self.location not in places:
            names = " or ".join(map(str, places))
            refuse_step(f"expected sums in {names}, found {self.location}", spec)
        if (self.init or self.store) and len(spec.shape) < 2:
            refuse_step("expected moves of a matrix of sums, found a row of sums", spec, "omit the moves")
        result = spec.kind.names[-1]
        if spec.target is SH and self.store:
            title = f"expected sums that units store in SH, where they are added, found `{self}`"
            refuse_step(title, spec, "omit the store")
        staged = next((step for step in self.store if isinstance(step, StageStep)), None)
        if staged is not None and spec.unit is not Block:
            title = f"expected sums of a Block to go through SH, found `{staged}` of a {spec.unit}"
            refuse_step(title, spec, "omit the stage, or write the epilog before these tiles")
        if spec.unit is Kernel:
            refuse_step(
                f"expected sums of a Block, a Core or below, found {spec}", spec, "tile before the epilog"
            )
        if spec.keeps_sums and spec.target is not self.location:
            self.refuse_sums(spec)
        if kernel_of_move(self.init) is not None:
            refuse_step(
                f"expected no micro-kernel in the move of zeros, found `{kernel_of_move(self.init)}`", spec
            )
        if len(spec.shape) == 2:
            check_move(self.store, move_of(spec.shape, self.location, spec.target, spec.unit))
        return spec.at(result, self.location)

    def refuse_sums(self, spec: Spec) -> NoReturn:
        """Raise StrategyError since the sums are in registers or fragments already."""
        result = spec.kind.names[-1]
        found = f"{result} in {spec.target}"
        refuse_step(f"expected {result} in GL, computed by a Block or below, found {found}", spec)

    def check_tiles(self, steps: Sequence[Step]) -> None:
        """Check that a loop adds to sums in registers, and that their moves have the tiles of the sums, since each lane
        or thread holds its own.

        `steps` are those from this one on.
        """
        if self.location is RF and not any(isinstance(step, SplitStep) for step in steps):
            _refuse(f"expected a split of the sums after `{self}`, found none", "for example .split(8)")
        wanted = [step for step in steps if isinstance(step, TileStep)]
        least = max((number for number, step in enumerate(wanted, 1) if step.unit is not None), default=0)
        for name, move in (("init", self.init), ("store", self.store)):
            found = [step for step in by_holders(move) if isinstance(step, TileStep)]
            if found and self.location is FR:
                title = f"expected no tiles in `{name}` of an epilog in FR, found {_tiles(found)}"
                _refuse(title, "omit the move")
            held = found[:-1] if found and found[-1].vector and found[-1].unit is None else found
            if kernel_of_move(by_holders(move)) is not None:
                held = found[
                    : max((at for at, step in enumerate(found, 1) if step.unit is not None), default=0)
                ]
            held = [step for step in held if not step.is_element]
            same = [step.units for step in held] == [step.units for step in wanted[: len(held)]]
            if found and (not same or len(held) < least):
                title = (
                    f"expected the tiles of the sums, {_tiles(wanted)}, in `{name}` of the epilog,"
                    f" found {_tiles(found)}"
                )
                _refuse(title, "each unit moves the sums in its own registers: use the same tiles")
            if found and found[-1].vector:
                _check_vectors(name, found[-1], held[-1])

    def __str__(self) -> str:
        parts = "".join(
            f", {name}={show_move(move)}"
            for name, move in (("init", self.init), ("store", self.store))
            if move
        )
        return f"epilog({self.location}{parts})"


@dataclass(frozen=True, slots=True)
class StageStep:
    """A move through another memory; `move` is that of the units to this memory."""

    location: Location
    move: tuple[Step, ...] = ()
    room: int = 0
    reuses: bool = False
    name: ClassVar[str] = "stage"
    refinements: ClassVar[tuple[str, ...]] = ("pad", "reuseBuffer")

    def predict(self, spec: Spec) -> Spec:
        """The remaining move, from the other memory."""
        if spec.kind is not MOVE:
            refuse_step(f"expected a move to stage, found {spec}", spec)
        source, target = spec.places
        if self.location is not SH or source is SH:
            refuse_step(f"expected a move from {source} through SH, found {self.location}", spec)
        if staged := next((step for step in self.move if isinstance(step, StageStep)), None):
            refuse_step(f"expected tiles in the move to {self.location}, found `{staged}`", spec)
        trail_of(self.moved(spec), self.move)
        return replace(spec, places=(SH, target))

    def moved(self, spec: Spec) -> Spec:
        """The specification of the move to the other memory."""
        return replace(spec, places=(spec.places[0], self.location))

    def __str__(self) -> str:
        move = f", {show_move(self.move)}" if self.move else ""
        room = f".pad({self.room})" if self.room else ""
        return f"stage({self.location}{move})" + room + (".reuseBuffer" if self.reuses else "")


@dataclass(frozen=True, slots=True)
class MmaStep:
    """Tiles of the shape m x n x k of a matrix instruction, in fragments."""

    shape: tuple[int, int, int] = MMA_SHAPE
    name: ClassVar[str] = "mmaTile"
    refinements: ClassVar[tuple[str, ...]] = ()

    def predict(self, spec: Spec) -> Spec:
        """The instruction."""
        if not spec.kind.multiplies or spec.kind.is_chain or spec.target is not FR or spec.unit is not Warp:
            refuse_step(f"expected a product of a Warp with sums in FR, found {spec}", spec)
        if not types_of(self.shape, family_of(self.shape)):
            shapes = listed([shown_sizes(shape) for shape in mma_shapes()], "or")
            refuse_step(
                f"expected the shape of a matrix instruction, found {shown_sizes(self.shape)}", spec, shapes
            )
        if not all(map(divides, self.shape, spec.sizes)):
            found = shown_sizes(spec.sizes)
            refuse_step(f"expected multiples of {shown_sizes(self.shape)}, found {found}", spec)
        return replace(spec, sizes=self.shape, places=(FR, FR, FR))

    def __str__(self) -> str:
        return "mmaTile" if self.shape == MMA_SHAPE else f"mma({', '.join(map(str, self.shape))})"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """The part of the first product of a chain that the rest of the schedule reads, computed by a schedule of its own.

    `sizes` are those that the schedule is for; empty if it is for all.
    """

    location: Location
    steps: tuple[Step, ...]
    unit: Unit = Kernel
    sizes: tuple[Size, ...] = ()
    name: ClassVar[str] = "first"
    refinements: ClassVar[tuple[str, ...]] = ()

    def predict(self, spec: Spec) -> Spec:
        """The product of the first product and the last operand."""
        if not spec.kind.is_chain:
            refuse_step(f"expected a chain of products with `first`, found {spec}", spec)
        units = UNITS_OF_FIRST.get(self.location)
        if units is None:
            names = " or ".join(map(str, UNITS_OF_FIRST))
            refuse_step(f"expected the first product in {names}, found {self.location}", spec)
        if spec.unit.name not in units:
            title = f"expected a {' or '.join(units)} to compute the first product in {self.location}"
            refuse_step(f"{title}, found a {spec.unit}", spec)
        start = self.start(spec)
        if self.lacks_sizes(spec):
            found = f"{shown_sizes(start.shape)} of the first product"
            refuse_step(
                f"expected {_matrix(start.shape)} of known size in {self.location}, found {found}", spec
            )
        if self.unit is not spec.unit:
            by = f"a schedule by a {self.unit}"
            hint = f"begin it with MatMul.by({spec.unit})" if spec.unit is not Kernel else "omit `by`"
            refuse_step(f"expected a schedule of the first product by a {spec.unit}, found {by}", spec, hint)
        for given, size in zip(self.sizes, start.sizes, strict=False):
            if isinstance(given, int) and isinstance(size, int) and given != size:
                found = shown_sizes(self.sizes)
                title = (
                    f"expected a first product of {shown_sizes(start.sizes)}, found a schedule for {found}"
                )
                refuse_step(title, spec)
        if any(isinstance(inner, StageStep) for step in self.steps for inner in _store(step)):
            refuse_step(f"expected sums that are stored in {self.location} directly, found `{self}`", spec)
        if not self.steps or not isinstance(self.steps[-1], DoneStep):
            refuse_step(f"expected a first product that ends in `done`, found `{self}`", spec)
        self.trail(spec)
        places = spec.kind.after_first(spec.places, self.location)
        return Spec(MATMUL, (*spec.shape, spec.depth), places, spec.unit)

    def lacks_sizes(self, spec: Spec) -> bool:
        """Whether its location is for arrays of known sizes, and the part that is read has other ones."""
        return self.location in (SH, RF) and any(isinstance(size, str) for size in self.start(spec).shape)

    @property
    def tiles(self) -> tuple[TileStep, ...]:
        """The tiles of its schedule."""
        return tuple(step for step in self.steps if isinstance(step, TileStep))

    def start(self, spec: Spec) -> Spec:
        """The specification of the first product, before the steps of its schedule."""
        left, right = spec.kind.operands_of_first(spec.kind.operands)
        rows, depth, columns = spec.extents((left[0], left[1], right[1]))
        places = (*spec.kind.operands_of_first(spec.places), self.location)
        return Spec(MATMUL, (rows, columns, depth), places, spec.unit)

    def trail(self, spec: Spec) -> tuple[tuple[Step, Spec], ...]:
        """The steps of its schedule, each with the specification that remains after it."""
        return trail_of(self.start(spec), self.steps)

    def __str__(self) -> str:
        sizes = f"({', '.join(map(repr, self.sizes))})" if self.sizes else ""
        by = f".by({self.unit})" if self.unit is not Kernel else ""
        steps = "".join(f".{step}" for step in self.steps)
        return f"first({self.location}, MatMul{sizes}{by}{steps})"


@dataclass(frozen=True, slots=True)
class DoneStep:
    """The remaining specification is an instruction, or what a micro-kernel executes."""

    kernel: MicroKernel | None = None
    name: ClassVar[str] = "done"
    refinements: ClassVar[tuple[str, ...]] = ()

    def predict(self, spec: Spec) -> Spec:
        """The same specification, if there is an instruction for it. Moves are checked where they are used."""
        if spec.kind is not MOVE:
            self.check(spec)
        return spec

    def check(self, spec: Spec) -> None:
        """Raise StrategyError if neither an instruction nor the micro-kernel executes a specification."""
        if self.kernel is not None and self.kernel.arrays:
            self._check_arrays(spec)
            self.kernel.check(spec)
            return
        if self.kernel is not None:
            self.kernel.check(spec)
            shape = matrix_shape(spec)
            is_known_matrix = shape is not None and is_known(shape)
            if spec.unit is Vector or not (instruction(spec) in ("fma", "call") or is_known_matrix):
                title = f"expected one call or one multiply-add of numbers, or fragments of `mma.sync`, found {spec}"
                refuse_step(title, spec)
        if instruction(spec) is None:
            refuse_step(f"expected a specification that an instruction executes, found {spec}", spec)

    def _check_arrays(self, spec: Spec) -> None:
        """Check that a micro-kernel of arrays may execute a specification: all that one thread or core does."""
        is_sum = spec.kind.summed
        if (
            spec.unit not in (Lane, Thread, Core)
            or (is_sum and not spec.kind.multiplies)
            or spec.kind.is_chain
        ):
            title = f"expected a product, a map or a move of a Thread, Lane or Core for `{self.kernel}`, found {spec}"
            refuse_step(title, spec)
        if is_sum and spec.target is not RF:
            title = f"expected sums in RF, to which `{self.kernel}` adds, found {spec}"
            refuse_step(title, spec, "write `.epilog(RF)` before")
        if any(isinstance(size, str) for size in spec.sizes):
            refuse_step(f"expected arrays of known sizes for `{self.kernel}`, found {spec}", spec)

    def __str__(self) -> str:
        return "done" if self.kernel is None else f"done({self.kernel})"


Step: TypeAlias = (
    TileStep
    | LoadStep
    | SplitStep
    | PartsStep
    | ShareStep
    | EpilogStep
    | StageStep
    | MmaStep
    | FirstStep
    | DoneStep
)


def predicted(step: Step, spec: Spec) -> Spec:
    """The specification after a step. Raises StrategyError for a step that does not fit, and lists those that do."""
    try:
        return step.predict(spec)
    except StrategyError as error:
        raise StrategyError(with_legal_steps(error.diagnostic, spec)) from None


def with_legal_steps(
    diagnostic: Diagnostic,
    spec: Spec,
    is_finished: bool = False,
    accepts: Callable[[Step], bool] = lambda step: True,
) -> Diagnostic:
    """The diagnostic of a step that does not fit, with the specification there and the steps that fit, unless it has
    them. None fits at the end of a schedule that `is_finished`.
    """
    notes = diagnostic.notes or (f"the specification here is {spec}",)
    if LEGAL in (diagnostic.hint or ""):
        return replace(diagnostic, notes=notes)
    steps = "none, since the schedule ends in `done`" if is_finished else legal_steps(spec, accepts)
    hint = "; ".join(filter(None, (diagnostic.hint, f"{LEGAL}{steps}")))
    return replace(diagnostic, notes=notes, hint=hint)


def trail_of(start: Spec, steps: Sequence[Step]) -> tuple[tuple[Step, Spec], ...]:
    """Steps, each with the specification that remains after it. Raises StrategyError for a step that does not fit."""
    found: list[tuple[Step, Spec]] = []
    for step in steps:
        start = predicted(step, start)
        found.append((step, start))
    return tuple(found)


def with_types(start: Spec, trail: Sequence[tuple[Step, Spec]], types: Sequence[str | None]) -> Iterator[str]:
    """The specifications of a schedule as text, with the type of the numbers of each array and the layout of each copy.

    `types` are those of the operands and of the result; a type that is not known is left out.
    """
    layouts: dict[str, str] = {}
    yield start.described(types, layouts)
    kind = start.kind
    for step, left in trail:
        if isinstance(step, LoadStep):
            layouts[step.operand] = " by columns" if step.order == "columns" else ""
        if isinstance(step, FirstStep):
            computed = types[-1] if len(set(types)) == 1 else None
            types, layouts = kind.after_first(types, computed), {}
        yield left.described(types, layouts)


def instruction(spec: Spec) -> str | None:
    """The instruction that executes a specification: a multiply-add, a matrix instruction, the call of a function of a
    map, or the loop of a reduction, on numbers or a vector of numbers; or the loops of one thread or core over these.
    """
    if spec.kind.is_chain:
        return None
    if spec.unit is Vector:
        return "fma" if spec.kind.multiplies else "call"
    if spec.unit in (Lane, Thread, Core) and FR not in spec.places:
        is_number = set(spec.shape) <= {1}
        if spec.kind is MOVE:
            return "copies"
        if not spec.kind.multiplies:
            return ("loop" if spec.kind.reduces else "call") if is_number else "loops"
        if is_number:
            return "fma" if spec.depth == 1 and set(spec.places) == {RF} else "dot"
        return "loops"
    shape = matrix_shape(spec)
    return family_of(shape) if shape is not None else None


def matrix_shape(spec: Spec) -> tuple[int, int, int] | None:
    """The shape of the matrix instruction that executes a specification; None if there is none."""
    if spec.unit is Warp and set(spec.places) == {FR} and all(isinstance(size, int) for size in spec.sizes):
        m, n, k = (int(size) for size in spec.sizes)
        return (m, n, k) if types_of((m, n, k), family_of((m, n, k))) else None
    return None


def mma_shapes() -> tuple[tuple[int, int, int], ...]:
    """The shapes of all matrix instructions that multiply factors as they are."""
    return tuple(dict.fromkeys(one.shape for one in INSTRUCTIONS.values() if types_of(one.shape, one.family)))


def legal_steps(spec: Spec, accepts: Callable[[Step], bool] = lambda step: True) -> str:
    """The steps that fit a specification, and that `accepts` allows, as text of a hint."""

    def fits(step: Step) -> bool:
        try:
            step.predict(spec)
        except StrategyError:
            return False
        return accepts(step)

    found: list[str] = []
    units = f", to({' or '.join(spec.unit.inside)})" if spec.unit.inside else ""
    whole = tuple(size if isinstance(size, int) else 2 for size in spec.shape)
    if set(whole) - {1} and fits(TileStep(whole)):
        sides = SIDES[len(spec.shape)]
        sized = zip(spec.shape, sides, strict=True)
        parts = " and ".join(f"{divisors(size) if size != side else 'any'} {side}" for size, side in sized)
        found.append(f"tile({'r, c' if len(sides) > 1 else 'n'}) with {parts}{units}")
    depth = spec.depth if isinstance(spec.depth, int) else 2
    is_open = spec.kind.reduces and spec.target is GL
    if depth > 1 and fits(PartsStep(depth) if is_open else SplitStep(depth)):
        found.append(f"split(k) with k {divisors(spec.depth)}" + (units if is_open else ""))
    if depth > 1 and fits(ShareStep(depth // 2, depth // 2 * 2)):
        found.append(f"split(k, n) with n {divisors(spec.depth)} and k a part of it{units}")
    if spec.kind.is_chain:
        firsts = (FirstStep(place, ()) for place, by in UNITS_OF_FIRST.items() if spec.unit.name in by)
        found += [f"first({step.location}, ..)" for step in firsts if not step.lacks_sizes(spec)]
    trials: list[Step] = [LoadStep(operand, place) for place in LOADING for operand in spec.kind.read]
    trials += [] if spec.keeps_sums else [EpilogStep(RF), EpilogStep(FR)]
    trials += [StageStep(SH), *map(MmaStep, mma_shapes()), DoneStep()]
    return ", ".join((*found, *map(str, filter(fits, trials))))


def hint_of_types(kernel: MicroKernel, spec: Spec) -> str:
    """What to do about a micro-kernel that is declared for other types of numbers than those of a program."""
    return f"declare the types of the program for `{kernel}`, at {kernel.spec}; {LEGAL}{legal_steps(spec)}"


def _matrix(shape: Sequence[Size]) -> str:
    return "a matrix" if len(shape) == 2 else "a row"


def kernel_of_move(steps: Sequence[Step]) -> MicroKernel | None:
    """The micro-kernel that a move ends in; None if there is none."""
    return steps[-1].kernel if steps and isinstance(steps[-1], DoneStep) else None


def with_inner(steps: Sequence[Step]) -> Iterator[Step]:
    """Steps with those of the moves and of the first products inside them, which come first."""
    for step in steps:
        match step:
            case LoadStep() | StageStep():
                yield from with_inner(step.move)
            case EpilogStep():
                yield from with_inner((*step.init, *step.store))
            case FirstStep():
                yield from with_inner(step.steps)
            case _:
                pass
        yield step


def check_move(steps: Sequence[Step], spec: Spec) -> None:
    """Check that the micro-kernels of a move execute what remains of it."""
    for step in steps:
        if isinstance(step, StageStep):
            check_move(step.move, step.moved(spec))
        if isinstance(step, DoneStep):
            try:
                step.check(spec)
            except StrategyError as error:
                raise StrategyError(with_legal_steps(error.diagnostic, spec)) from None
        spec = predicted(step, spec)


def show_move(steps: tuple[Step, ...]) -> str:
    """The schedule of a move as source text."""
    units = (step.unit for step in steps if isinstance(step, TileStep) and step.unit is not None)
    by = [f"by({Warp})"] if next(units, None) is Lane else []
    return ".".join(("Move", *by, *map(str, steps)))


def by_holders(move: Sequence[Step]) -> Sequence[Step]:
    """The part of a move of sums that the units make that hold them."""
    first = move[0] if move else None
    return first.move if isinstance(first, StageStep) else move


def _check_vectors(name: str, vector: TileStep, tile: TileStep) -> None:
    """Check that a unit holds the numbers of a vector as neighbours in a row, in which the result is stored."""
    rows, length = vector.sizes
    if name == "init" or rows != 1:
        title = f"expected vectors of sums in `store`, along rows, found `{vector}` in `{name}`"
        _refuse(title, "for example store=Move.tile(64, 32).to(Warp).tile(8, 8).to(Lane).tile(1, 4).vector")
    if tile.sizes[-1] % length:
        title = f"expected vectors of {divisors(tile.sizes[-1])} columns in `store`, found `{vector}`"
        _refuse(title, f"`{tile}` has {tile.sizes[-1]} neighbouring columns")


def _store(step: Step) -> tuple[Step, ...]:
    """The move of sums to the result that a step states."""
    return step.store if isinstance(step, EpilogStep) else ()


def _tiles(steps: Sequence[TileStep]) -> str:
    return " and ".join(f"`{step}`" for step in steps) or "none"


def _refuse(title: str, hint: str) -> NoReturn:
    raise StrategyError(Diagnostic("schedule", title, hint=hint))
