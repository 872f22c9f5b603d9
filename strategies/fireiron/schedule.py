"""Schedules as values: steps, and the remaining specification after each. Independent of terms.

A schedule is immutable: each step returns a new one, and so does a refinement, which changes the last step.
One subject: the methods by which an author writes steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, Final, NoReturn, ParamSpec

from elevate import Diagnostic, Strategy, StrategyError, Success
from rise.hardware import architecture
from rise.records import dataclass
from rise.terms import Expr
from rise.tracebacks import ends_at_the_users_line
from strategies.fireiron.derivation import strategy_of
from strategies.fireiron.kinds import CONTRACT, MAP, REDUCE, with_axes
from strategies.fireiron.limits import ANY_ARCHITECTURE, excess
from strategies.fireiron.micro_kernels import MicroKernel
from strategies.fireiron.picture import drawn
from strategies.fireiron.programs import fits_start, misfit, start_in
from strategies.fireiron.recognition import element_types
from strategies.fireiron.regions import Region, regions_of
from strategies.fireiron.specs import (
    CHAIN,
    GL,
    LOCATIONS,
    MATMUL,
    MOVE,
    SIDES,
    UNITS,
    Block,
    Core,
    Kind,
    Lane,
    Location,
    Size,
    Spec,
    Thread,
    Unit,
    Warp,
    check_numbers,
    refuse_step,
    start_of,
)
from strategies.fireiron.steps import (
    DoneStep,
    EpilogStep,
    FirstStep,
    LoadStep,
    MmaStep,
    PartsStep,
    ShareStep,
    SplitStep,
    StageStep,
    Step,
    predicted,
    trail_of,
    with_inner,
    with_legal_steps,
    with_types,
)
from strategies.fireiron.tiles import Strided, TileStep
from strategies.parts.parameters import check_powers, listed, shown_value

P = ParamSpec("P")
#: the maximum number of times that the accumulators of a loop over parts of the sum are tiled
MAX_TILES: Final = 4
#: the units by one of which a product or a move is made, if not by the whole kernel
OF_PRODUCTS: Final = (Block, Core, Lane, Thread)
OF_MOVES: Final = (Warp,)
ColMajor: Final = "columns"
RowMajor: Final = "rows"
A: Final = "A"
B: Final = "B"


def _shows_steps(
    method: Callable[Concatenate[Schedule, P], Schedule],
) -> Callable[Concatenate[Schedule, P], Schedule]:
    """A method whose diagnostics have the remaining specification and the steps that fit it."""

    @ends_at_the_users_line
    @wraps(method)
    def checked(schedule: Schedule, /, *arguments: P.args, **by_name: P.kwargs) -> Schedule:
        try:
            return method(schedule, *arguments, **by_name)
        except StrategyError as error:
            raise StrategyError(schedule.with_steps(error.diagnostic)) from None

    return checked


@dataclass(frozen=True, slots=True)
class Schedule:
    """A decomposition of a product or of a move, step by step: `MatMul.tile(64, 64).to(Block).epilog(RF).split(8)`.

    `MatMul` and `Move` have no steps; `MatMul(m, n, k)` is only for these sizes. A step that does not fit the remaining
    specification raises StrategyError, which lists the possible steps.
    """

    kind: Kind
    sizes: tuple[tuple[str, Size], ...] = ()
    steps: tuple[Step, ...] = ()
    unit: Unit | None = None

    @_shows_steps
    def __call__(self, /, *given: Size | MicroKernel, **sizes: Size) -> Schedule:
        """The same schedule for these sizes of all axes: `MatMul("M", "N", 8)`.

        For maps, the axes of arrays may come first, in the notation of einsum, with the sizes of some: `Map("ij->ji",
        i=64)`. A finished schedule takes a micro-kernel that executes the last specification: `.done(kernel)`.
        """
        kind = self.kind
        match given, self.steps:
            case (MicroKernel() as kernel,), (*before, DoneStep(None)):
                return replace(self, steps=tuple(before)).then(DoneStep(kernel))
        has_kernel = any(isinstance(one, MicroKernel) for one in given)
        if self.steps and (has_kernel or isinstance(self.steps[-1], DoneStep)):
            found = ", ".join(map(shown_value, given))
            _refuse(
                f"expected a micro-kernel at the end of a schedule, found {self}({found})",
                "write .done(kernel)",
            )
        if any(isinstance(one, Expr) for one in given):  # of a user
            _refuse(f"expected sizes, found a program: {self}(..)", "write schedule.strategy()(program)")
        if self.steps or kind is MOVE or self.unit is not None:
            _refuse(f"expected the sizes of a schedule without steps, found {self}", "write MatMul(m, n, k)")
        numbers = [size for size in given if not isinstance(size, MicroKernel)]
        match given:
            case (str(subscripts),) if kind.example and not subscripts.isidentifier():
                kind = with_axes(kind, subscripts)
                if unknown := [axis for axis in sizes if axis not in kind.axes]:
                    _refuse(f"expected sizes of {', '.join(kind.axes)}, found one of {unknown[0]}", "omit it")
            case _ if len(given) == len(numbers) == len(kind.axes) and not sizes:
                sizes = dict(zip(kind.axes, numbers, strict=True))
            case _:
                names = ", ".join(kind.axes)
                found = ", ".join(map(repr, (*given, *sizes)))
                title = f"expected the sizes {names} of {kind.name}, found {kind.name}({found})"
                _refuse(title, f"write {kind.name}({names.lower()})")
        for axis, size in sizes.items():
            if not isinstance(size, str) or not size.isidentifier():
                check_numbers(**{axis.lower(): size})
        return replace(self, kind=kind, sizes=tuple(sizes.items()))

    # decompositions

    @_shows_steps
    def tile(self, *sizes: int | Strided) -> Schedule:
        """Tiles of the result of these sizes, such as rows and columns, or with strides; `to` assigns them to units."""
        match sizes:
            case (Strided(rows, columns) as tile,):
                tile.check()
                return self.then(TileStep((rows[0], columns[0]), strides=(rows[1], columns[1])))
        sides = SIDES[len(self.start.shape)]
        if len(sizes) != len(sides) or not sides:
            wanted = f"the {' and '.join(sides)} of a tile" if sides else "no tiles of a single number"
            hint = (
                f"for example tile({', '.join('8' for _ in sides)})"
                if sides
                else "omit them, or split the sum"
            )
            _refuse(f"expected {wanted}, found tile({', '.join(map(str, sizes))})", hint)
        check_numbers(**dict(zip(sides, sizes, strict=True)))
        return self.then(TileStep(tuple(size for size in sizes if isinstance(size, int))))

    @_shows_steps
    def load(self, operand: str, location: Location, move: Schedule | None = None) -> Schedule:
        """A copy of A or B in another memory, for the following steps; the move says which unit copies what."""
        operands = self.residual.kind.read if self.kind is not MOVE else ()
        if operand not in operands:
            title = f"expected {' or '.join(operands) or 'no load in a move'}, found {operand!r}"
            _refuse(title, f"for example load({operands[0]}, SH)" if operands else "tile it, for example")
        return self.then(LoadStep(operand, _location(location), _move(move)))

    @_shows_steps
    def split(self, depth: int, every: int | None = None) -> Schedule:
        """Parts of the sum, of `depth` products or elements each: a loop, or for reductions also units.

        With `every`, the units of a block share the sum of its product: each sums `depth` products of every so many.
        """
        check_numbers(depth=depth)
        if every is not None:
            check_numbers(every=every)
            return self.then(ShareStep(depth, every))
        is_open = self.kind.reduces and self.residual.target is GL
        return self.then(PartsStep(depth) if is_open else SplitStep(depth))

    @_shows_steps
    def epilog(
        self, location: Location, init: Schedule | None = None, store: Schedule | None = None
    ) -> Schedule:
        """Sums in registers or fragments; `init` moves zeros there, and `store` moves the sums to C."""
        return self.then(EpilogStep(_location(location), _move(init), _move(store)))

    @_shows_steps
    def stage(self, location: Location, move: Schedule | None = None) -> Schedule:
        """For moves: first to another memory, by the units that hold the matrix; the next steps move it from there.

        `move` has the tiles of these units, and says whether they move vectors.
        """
        return self.then(StageStep(_location(location), _move(move)))

    @_shows_steps
    def first(self, location: Location, schedule: Schedule) -> Schedule:
        """For chains: compute the part of the first product that the next steps read, by a schedule of a product."""
        if not isinstance(schedule, Schedule) or schedule.kind is not MATMUL:  # type: ignore[redundant-expr]  # of a user
            _refuse(
                f"expected a schedule of a product, found {schedule}",
                "for example first(SH, MatMul.by(Block).tile(4, 4).to(Thread).tile(1, 1).done)",
            )
        sizes = tuple(size for _, size in schedule.sizes)
        return self.then(FirstStep(_location(location), schedule.steps, schedule.start.unit, sizes))

    @_shows_steps
    def by(self, unit: Unit) -> Schedule:
        """For first products of chains, and moves of warps: the same, computed or copied by one unit of this kind."""
        if self.steps or unit not in {MATMUL: OF_PRODUCTS, MOVE: OF_MOVES}.get(self.kind, ()):
            products, moves = listed(OF_PRODUCTS, "or"), listed(OF_MOVES, "or")
            title = f"expected a product without steps by a {products}, or a move by a {moves}, found {self} by {unit}"
            _refuse(title, "for example MatMul.by(Block), or Move.by(Warp)")
        return replace(self, unit=unit)

    @property
    def mmaTile(self) -> Schedule:
        """Tiles of the shape 16 x 16 x 16 of WMMA, in fragments."""
        return self.then(MmaStep())

    @_shows_steps
    def mma(self, m: int, n: int, k: int) -> Schedule:
        """Tiles of the shape m x n x k of another matrix instruction, in fragments: `mma(16, 8, 16)`."""
        check_numbers(m=m, n=n, k=k)
        return self.then(MmaStep((m, n, k)))

    @property
    def done(self) -> Schedule:
        """The end: an instruction executes the remaining specification."""
        return self.then(DoneStep())

    @_shows_steps
    def then(self, step: Step) -> Schedule:
        """A schedule with one more step. Raises StrategyError for one that does not fit, with those that do."""
        if self.steps and isinstance(self.steps[-1], DoneStep):
            title = f"expected no step after `done`, found `{step}`"
            _refuse(title, "omit it, or remove `done`")
        return self._with(step)

    def _with(self, step: Step) -> Schedule:
        """The schedule with a step that is checked together with those before it."""
        step.predict(self.residual)
        if isinstance(step, DoneStep):
            spec = self.start
            for place, (earlier, left) in enumerate(self.trail):
                if isinstance(earlier, EpilogStep):
                    earlier.check_tiles(self.steps[place:])
                if isinstance(earlier, LoadStep):
                    earlier.check_vectors(spec)
                spec = left
        if any(isinstance(earlier, PartsStep) for earlier in self.steps):
            self._check_part(step)
        elif any(isinstance(earlier, TileStep) and earlier.is_element for earlier in self.steps):
            if not isinstance(step, DoneStep | PartsStep):
                _refuse(f"expected the end after tiles of single numbers, found `{step}`", "write `.done`")
            if isinstance(step, DoneStep) and step.kernel is not None and step.kernel.arrays:
                title = f"expected a micro-kernel of numbers after tiles of single numbers, found `{step}` of arrays"
                _refuse(title, "omit the last tiles")
        if self._tiles_of_sums >= MAX_TILES and self._tiles(step):
            title = f"expected at most {MAX_TILES} tilings of sums after a split, found another: `{step}`"
            _refuse(title, "tile before `split`, or end with `tile(1, 1)`")
        if isinstance(step, EpilogStep) and any(isinstance(one, EpilogStep) for one in self.steps):
            step.refuse_sums(self.residual)
        if isinstance(step, TileStep):
            self._check_units(step)
        if isinstance(step, LoadStep):
            left = step.moved(self.residual)
            for inner in step.move:
                if isinstance(inner, TileStep) and inner.strides:
                    title = f"expected tiles without strides in the move of a factor, found `{inner}`"
                    refuse_step(title, left, "for example Move.tile(8, 16).to(Warp).tile(1, 4).to(Lane)")
                left = predicted(inner, left)
        return replace(self, steps=(*self.steps, step))._within_limits()

    def _within_limits(self) -> Schedule:
        """The same schedule, unless every kernel of it needs more than any architecture has."""
        found = excess(self.start, self.trail)
        if found is not None:
            refuse_step(found.title, found.spec, found.hint(self.start, self.trail))
        return self

    def _check_units(self, step: TileStep) -> None:
        """Check that tiles go to the same kind of units as those of the first product of a chain: blocks of a grid or
        cores, and in one block warps or threads.
        """
        for first in (one for one in self.steps if isinstance(one, FirstStep)):
            kinds = ((Block, Core),) if first.location is GL else ((Thread, Warp),)
            for unit in (inner.unit for inner in first.tiles):
                if any(unit in kind and step.unit in kind and unit is not step.unit for kind in kinds):
                    title = f"expected tiles for a {unit}, as those of the first product, found `{step}`"
                    _refuse(title, f"write .to({unit})")

    def _check_part(self, step: Step) -> None:
        """Check that a step fits a part of a reduction, whose result is a single number and whose operand is a row."""
        if isinstance(step, TileStep) and not step.is_element:
            _refuse(
                f"expected no tiles of the result of a part, found `{step}`", "tile before the first split"
            )
        if isinstance(step, LoadStep) and (step.move or step.refined):
            title = f"expected a part to be copied as it is, since it is a row, found `{step}`"
            _refuse(title, f"write .load({step.operand}, {step.location})")

    def _tiles(self, step: Step) -> bool:
        """Whether a step tiles the result, other than into single numbers."""
        if isinstance(step, MmaStep):
            return step.shape[:2] != self.residual.shape
        return isinstance(step, TileStep) and not step.is_element

    @property
    def _tiles_of_sums(self) -> int:
        """The number of times that the sums were tiled since the first split."""
        splits = [place for place, step in enumerate(self.steps) if isinstance(step, SplitStep)]
        return sum(isinstance(step, TileStep) for step in self.steps[splits[0] :]) if splits else 0

    @_shows_steps
    def apply(self, step: Callable[..., Schedule], *arguments: Any) -> Schedule:
        """A step or a refinement of a user's own: a function of this schedule, and of further arguments, that returns a
        schedule with more steps.
        """
        if not callable(step):
            _refuse(
                f"expected a function of schedules, found {step!r:.60}", "for example lambda s: s.tile(4, 4)"
            )
        found: object = step(self, *arguments)
        if not isinstance(found, Schedule):
            name = getattr(step, "__name__", str(step))
            _refuse(
                f"expected a schedule from `{name}`, found {found!r:.60}",
                "return schedule.tile(..), for example",
            )
        return found

    # refinements of the last step

    @_shows_steps
    def to(self, unit: Unit) -> Schedule:
        """Assign the tiles, or the parts of a reduction, to units of this kind."""
        if unit not in UNITS:
            _refuse(f"expected {listed(UNITS[1:], 'or')}, found {unit!r:.60}", "for example .to(Block)")
        return self._refined("to", unit=unit)

    @property
    def unroll(self) -> Schedule:
        """Unroll the loop over tiles, or over parts of the sum."""
        return self._refined("unroll", unrolled=True)

    @_shows_steps
    def layout(self, order: str) -> Schedule:
        """Number units along rows, or along columns with `ColMajor`."""
        if order not in (RowMajor, ColMajor):
            _refuse(f"expected RowMajor or ColMajor, found {order!r}", "for example .layout(ColMajor)")
        return self._refined("layout", order=order)

    @_shows_steps
    def swizzle(self, *bits: int) -> Schedule:
        """Let units process tiles in another order: bit i of a unit's number is bit `bits[i]` of its tile's number."""
        if not bits or set(bits) != set(range(len(bits))):
            title = f"expected the place of each bit of a unit's number, lowest first, found {bits}"
            _refuse(
                title, "for example .swizzle(3, 0, 1, 2, 4), which moves the lowest bit of five to place 3"
            )
        return self._refined("swizzle", bits=bits)

    @_shows_steps
    def storageLayout(self, order: str) -> Schedule:
        """Store the copy by rows, or by columns with `ColMajor`."""
        if order not in (RowMajor, ColMajor):
            _refuse(f"expected RowMajor or ColMajor, found {order!r}", "for example .storageLayout(ColMajor)")
        return self._refined("storageLayout", order=order)

    @property
    def toColMajor(self) -> Schedule:
        """Store the copy by columns."""
        return self._refined("toColMajor", order=ColMajor)

    @property
    def toRowMajor(self) -> Schedule:
        """Store the copy by rows."""
        return self._refined("toRowMajor", order=RowMajor)

    @_shows_steps
    def pad(self, room: int) -> Schedule:
        """Pad each row of the copy by `room` numbers."""
        check_numbers(0, room=room)
        return self._refined("pad", room=room)

    @_shows_steps
    def align(self, multiple: int) -> Schedule:
        """Let each row of the copy begin at a multiple of `multiple` numbers."""
        check_numbers(multiple=multiple)
        return self._refined("align", multiple=multiple)

    @property
    def vector(self) -> Schedule:
        """Move a tile of one row as one vector."""
        return self._refined("vector", vector=True)

    @property
    def noSync(self) -> Schedule:
        """A claim: no thread needs to wait for this copy."""
        return self._refined("noSync", waits=False)

    @property
    def reuseBuffer(self) -> Schedule:
        """A claim: this copy in shared memory lies in bytes of other copies, which are not needed any more."""
        return self._refined("reuseBuffer", reuses=True)

    @property
    def sync(self) -> Schedule:
        """A claim: threads need to wait for each other at the end of an iteration."""
        return self._refined("sync", waits=True)

    @_shows_steps
    def _refined(self, refinement: str, /, **changes: Any) -> Schedule:
        """The schedule with its last step changed."""
        last = self.steps[-1] if self.steps else None
        if last is None or refinement not in last.refinements:
            found = f"behind `{last}`" if last is not None else "before any step"
            takes = ", ".join(last.refinements) if last is not None else ""
            hint = f"refinements of `{last}`: {takes}" if takes else "write a step before"
            _refuse(f"expected a refinement of the last step, found `{refinement}` {found}", hint)
        if isinstance(last, TileStep) and changes.get("vector"):
            check_powers(2, 8, numbers=max(last.sizes))
            if self.kind is not MOVE or 1 not in last.sizes:
                _refuse(
                    f"expected vectors of one row of a move, found {last}",
                    "for example Move.tile(1, 4).vector",
                )
        before = replace(self, steps=self.steps[:-1])
        return before.then(replace(last, **changes))

    # facts about a schedule

    def with_steps(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic of a mistake in the next step, with the remaining specification and the steps that fit it."""
        is_finished = bool(self.steps) and isinstance(self.steps[-1], DoneStep)
        return with_legal_steps(diagnostic, self.residual, is_finished, self._accepts)

    def _accepts(self, step: Step) -> bool:
        try:
            self._with(step)
        except StrategyError:
            return False
        return True

    @property
    def start(self) -> Spec:
        """The specification before all steps."""
        start = start_of(self.kind, dict(self.sizes))
        return replace(start, unit=self.unit or start.unit)

    @property
    def trail(self) -> tuple[tuple[Step, Spec], ...]:
        """Each step with the specification that remains after it."""
        return trail_of(self.start, self.steps)

    @property
    def residual(self) -> Spec:
        """The remaining specification."""
        return self.trail[-1][1] if self.steps else self.start

    @property
    def kernels(self) -> tuple[MicroKernel, ...]:
        """The micro-kernels that it uses; their `code` is to be passed to the compiler, as `foreign`."""
        found = (one.kernel for one in with_inner(self.steps) if isinstance(one, DoneStep))
        return tuple(dict.fromkeys(kernel for kernel in found if kernel is not None))

    def specs(self, program: Expr | None = None) -> str:
        """The schedule with the specification after each step, as in the listings of the paper.

        For a program, it has the sizes, the types of numbers and the layouts of copies. Raises StrategyError if the
        schedule is not one for this program.
        """
        start, types = self.start_and_types(program)
        trail = trail_of(start, self.steps)
        shown = with_types(start, trail, types) if types else [str(start), *(str(spec) for _, spec in trail)]
        texts = (self._head, *(f"  .{step}" for step in self.steps))
        lines = list(zip(texts, shown, strict=True))
        width = max(len(line) for line, _ in lines)
        return "\n".join(f"{line:{width}}  // {spec}" for line, spec in lines)

    def regions(self, program: Expr | None = None) -> tuple[Region, ...]:
        """What each unit computes, outermost first, with its matrices and moves.

        The program determines the sizes and element types of a product, so that copies have sizes in bytes. Raises
        StrategyError if it has no product, or one that does not fit the schedule.
        """
        start, types = self.start_and_types(program)
        return regions_of(start, self.steps, types)

    def start_and_types(self, program: Expr | None) -> tuple[Spec, tuple[str, ...]]:
        """The specification before all steps with the sizes of a program, and the types of numbers there; without a
        program, the sizes of the schedule and no types.
        """
        wanted = self.start
        if program is None or self.kind is MOVE:
            return wanted, ()
        prepared = self.kind.prepare(program)
        found = start_in(program, self.kind)
        elements = element_types(prepared.program, wanted) if isinstance(prepared, Success) else None
        if found is None or elements is None or not fits_start(wanted, found):
            shown, hint = misfit(wanted, program, found)
            refuse_step(f"expected a program with {wanted}, {shown}", wanted, hint)
        return replace(wanted, sizes=found.sizes), elements

    def picture(self, program: Expr | None = None) -> str:
        """The `regions` as SVG: each is cut into tiles by the next one, and shows the locations of its matrices."""
        return drawn(self.regions(program))

    def _repr_svg_(self) -> str:
        """The picture, as shown in notebooks."""
        return self.picture()

    @property
    def _head(self) -> str:
        kind, values = self.kind, [repr(size) for _, size in self.sizes]
        if kind.subscripts:
            values = [repr(kind.subscripts), *(f"{axis}={size!r}" for axis, size in self.sizes)]
        by = f".by({self.unit})" if self.unit is not None else ""
        return kind.name + (f"({', '.join(values)})" if values else "") + by

    def strategy(self, arch: str | None = None) -> Strategy:
        """The schedule as a strategy.

        It fails for programs whose numbers are so wide that it needs more registers or shared memory than the GPU
        architecture has, such as `sm_80`; without one, than any has. Raises StrategyError if it is not finished, and
        RiseError for the name of no architecture.
        """
        if self.kind is MOVE or not self.steps or not isinstance(self.steps[-1], DoneStep):
            title = f"expected a schedule that ends in `done`, found {self}"
            raise StrategyError(self.with_steps(Diagnostic("schedule", title)))
        if self.unit is not None:
            title = f"expected the schedule of a whole program, found one by a {self.unit}"
            _refuse(title, "pass it to `first` of the schedule of a chain")
        return strategy_of(self.start, self.trail, ANY_ARCHITECTURE if arch is None else architecture(arch))

    def __str__(self) -> str:
        return ".".join((self._head, *map(str, self.steps)))

    def __repr__(self) -> str:
        return str(self)


def _location(location: object) -> Location:
    if isinstance(location, Location) and location in LOCATIONS:
        return location
    _refuse(f"expected {listed(LOCATIONS, 'or')}, found {location!r:.60}", "for example load(A, SH)")


def _move(move: object) -> tuple[Step, ...]:
    if move is None:
        return ()
    if isinstance(move, Schedule) and move.kind is MOVE:
        return move.steps
    _refuse(f"expected a schedule of a move, found {move}", "for example Move.tile(64, 32).to(Warp)")


def _refuse(title: str, hint: str) -> NoReturn:
    raise StrategyError(Diagnostic("schedule", title, hint=hint))


#: the product of two matrices, not decomposed yet
MatMul: Final = Schedule(MATMUL)
#: the product of two matrices, multiplied by a third one, not decomposed yet
Chain: Final = Schedule(CHAIN)
#: a map of arrays, not decomposed yet
Map: Final = Schedule(MAP)
#: a contraction of two tensors, not decomposed yet
Contract: Final = Schedule(CONTRACT)
#: a reduction of rows or of a whole array, not decomposed yet
Reduce: Final = Schedule(REDUCE)
#: a copy of a matrix, not decomposed yet
Move: Final = Schedule(MOVE)
