"""Lower bounds on the time of matrix products in register tiles, from the loops that each strategy generates.

A product is a sequence of phases: factors are packed, whole tiles are computed, then the remaining rows and columns.
Each phase is bounded by the units that it uses most, or by the latency of its sums. Bounds are optimistic: caches
contain what fits into them, and processors begin a phase as early as their window of instructions allows. Independent
of imperative programs; nothing is measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from elevate import Success
from rise.hardware import Processor
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import Expr, shift, spine
from rise.types import ArrayType, ScalarType
from strategies.parts.nests import fuse
from strategies.parts.products import factors, isTransposedOperand, nests, readsLeftByColumns, summed
from strategies.spaces.bounds import Bound, Use
from strategies.spaces.models import BYTE_BITS, FMA_OPERATIONS, UNKNOWN, Setting
from strategies.spaces.tile_code import ANY_COMPILER, TileCode, tile_code

#: the resources of a core, as bounds name them
MULTIPLY_ADDS: Final = "multiply-add units"
L1_LOADS: Final = "loads from L1"
LOAD_INSTRUCTIONS: Final = "load instructions"
L1_STORES: Final = "stores to L1"
L2_LOADS: Final = "loads from L2"
LATENCY: Final = "the latency of sums"
#: types whose multiply-adds run on the units that records describe
FLOAT_TYPES: Final = ("f32", "f64")


@dataclass(frozen=True, slots=True)
class TiledProduct:
    """The sizes of a product: rows and columns of the result, and the length of its sums."""

    rows: int
    columns: int
    depth: int


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of an iteration: its use of resources, and the least number of its instructions."""

    use: Use
    instructions: float


@dataclass(frozen=True, slots=True)
class SharedLoop:
    """A loop whose iterations threads share: their number, and the phases of one."""

    iterations: int
    phases: tuple[Phase, ...]


def tiled_product(at: Setting) -> TiledProduct | None:
    """The sizes of a program that is one product of two matrices, of which the left one is read by rows, perhaps with
    an epilogue; None for others, such as products of batches.
    """
    found = _sizes_of_only_product(at.term)
    if found is None or at.operations >= 2 * FMA_OPERATIONS * found.rows * found.columns * found.depth:
        return None
    return found


@lru_cache(maxsize=64)
def _sizes_of_only_product(program: Expr) -> TiledProduct | None:
    """The sizes of the only product in a program with fixed sizes."""
    fused = fuse(program)
    term = fused.program if isinstance(fused, Success) else program
    assert isinstance(term, Expr), term
    found = list(nests(term))
    if len(found) != 1 or readsLeftByColumns(found[0]):
        return None
    (nest,) = found
    read, numbers = summed(nest), factors(nest)
    match nest.type, None if read is None else read.type:
        case ArrayType(m, ArrayType(n, ScalarType(name) as scalar)), ArrayType(k, _):
            sizes = (m.constant, n.constant, k.constant)
        case _:
            return None
    if name not in FLOAT_TYPES or numbers != (scalar, scalar) or _is_symmetric(nest):
        return None
    rows, columns, depth = (int(size or 0) for size in sizes)
    return TiledProduct(rows, columns, depth) if rows * columns * depth else None


def _is_symmetric(nest: Expr) -> bool:
    """Whether both factors may be one matrix, so that strategies compute half of the product."""
    function, left = spine(nest)[1]
    assert isinstance(left, Expr) and isinstance(function, Expr), nest
    body = function.children[0]
    right = spine(body)[1][-1] if body.root == ("map", 2) else None
    while isinstance(right, Expr) and isTransposedOperand(right) and right.root == ("transpose", 1):
        right = spine(right)[1][0]
    return right is None or right == shift(left, 1)


@lru_cache(maxsize=1 << 6)
def _resources(machine: Processor, scalar: str) -> dict[str, float]:
    found: dict[str, float] = {MULTIPLY_ADDS: machine.fma_units}
    if machine.l1_load:
        vector = max(machine.vector_bits, SCALARS[scalar].bits) / BYTE_BITS
        found[L1_LOADS] = machine.l1_load / vector
        found[L1_STORES] = (machine.l1_store or machine.l1_load) / vector
    if machine.vector_loads:
        found[LOAD_INSTRUCTIONS] = machine.vector_loads
    if machine.l2_load:
        found[L2_LOADS] = machine.l2_load
    return found


@dataclass(frozen=True)
class OneCore:
    """What one core does in a cycle with the code of a compiler, and the numbers of a product in its vectors and
    caches.
    """

    machine: Processor
    scalar: str
    window: int
    code: TileCode = ANY_COMPILER

    @staticmethod
    def of(at: Setting) -> OneCore:
        """A core of the setting's processor."""
        return OneCore(at.machine, at.scalar, at.window, tile_code(at.compiler, at.machine.vector_bits))

    @property
    def bytes(self) -> int:
        """Bytes of a number."""
        return SCALARS[self.scalar].bits // BYTE_BITS

    @property
    def lanes(self) -> int:
        """Numbers in a vector."""
        return self.machine.lanes_of(self.scalar)

    @property
    def has(self) -> dict[str, float]:
        """The resources of a cycle: multiply-adds, loads and stores of vectors, all loads, and bytes from L2."""
        return _resources(self.machine, self.scalar)

    def tiles(self, count: float, rows: int, vectors: int, depth: int) -> Phase:
        """Tiles of `rows` x `vectors` vectors, each of which sums `depth` products per number.

        A step adds one product to each number: it loads a number for each row and a vector for each vector of columns,
        or what the compiler's code loads. Steps of one tile wait for each other; other tiles begin as early as the
        window of instructions allows.
        """
        sums = rows * vectors
        steps = count * depth
        together = 1 + self.window / (depth * sums)
        latency = steps * self.machine.fma_latency / together
        loaded, stores = self.code.vectors(rows, vectors), self.code.stores(rows, vectors)
        use = {
            MULTIPLY_ADDS: steps * sums,
            L1_LOADS: steps * (loaded + rows / self.lanes),
            LOAD_INSTRUCTIONS: steps * (loaded + rows),
            L1_STORES: count * sums + steps * stores,
        }
        return Phase(Use(latency, use), steps * sums)

    def copies(self, numbers: float) -> Phase:
        """Copies of numbers, a vector at a time."""
        vectors = numbers / self.lanes
        return Phase(Use(0, {L1_LOADS: vectors, LOAD_INSTRUCTIONS: vectors, L1_STORES: vectors}), 2 * vectors)

    def from_l2(self, count: float, numbers: float) -> Phase:
        """What `count` pieces of work, each of which reads so many numbers, cannot find in L1."""
        missing = max(0.0, numbers * self.bytes - self.machine.l1)
        return Phase(Use(0, {L2_LOADS: count * missing}), 0.0)

    def cycles(self, loop: SharedLoop, threads: int) -> Bound:
        """The least time of the thread with the most iterations: all that it uses or, if that is more, the sum of the
        times of its phases without what may overlap.
        """
        iterations = ceil(loop.iterations / threads)
        starts = iterations if len(loop.phases) > 1 else 1
        used: dict[str, float] = {}
        sum_of_times, longest = 0.0, Bound(0.0, MULTIPLY_ADDS)
        for phase in loop.phases:
            one = _slowest(phase.use, self.has)
            time = iterations * float(one.time)
            instructions = phase.instructions * iterations
            hidden = starts * self.window / instructions if instructions else 1.0
            sum_of_times += time * max(0.0, 1.0 - hidden)
            longest = longest.at_least(Bound(time, one.why))
            for name, amount in phase.use.of.items():
                used[name] = used.get(name, 0.0) + iterations * amount
        together = _slowest(Use(0, used), self.has)
        return together if together.time >= sum_of_times else Bound(sum_of_times, longest.why)


def _slowest(use: Use, has: Mapping[str, float]) -> Bound:
    """`use.bound(has)` in floating-point numbers, for the many candidates of a space."""
    why, most = LATENCY, float(use.latency)
    for name, amount in use.of.items():
        if name in has and amount > most * has[name]:
            why, most = name, amount / has[name]
    return Bound(most, why)


def product_bound(at: Setting, loops: Sequence[SharedLoop], core: OneCore) -> Bound:
    """The bound of loops that follow each other, each run by all threads."""
    if not at.clock:
        return UNKNOWN
    total, longest = 0.0, Bound(0.0, MULTIPLY_ADDS)
    for loop in loops:
        one = core.cycles(loop, at.threads)
        total += float(one.time)
        longest = longest.at_least(one)
    return Bound(total / at.clock, longest.why)


def column_blocks(
    shape: TiledProduct, core: OneCore, rows: int, vectors: int, panels: int, edge: int, depth: int | None
) -> list[SharedLoop]:
    """Blocks of columns on threads, each of `panels` panels of `vectors` vectors; then the remaining columns, in panels
    of `edge` vectors, with tiles of rows on threads. Sums are stored after each `depth` products, if given.
    """
    width = panels * vectors * core.lanes
    blocks, rest = divmod(shape.columns, width)
    steps = _steps(shape.depth, depth)
    whole, single = divmod(shape.rows, rows)

    def block(of: int, count: int) -> list[Phase]:
        """The phases of some panels of `of` vectors."""
        found = [core.copies(shape.depth * of * core.lanes * count)]
        for length in steps:
            read = length * (of * core.lanes * count + rows)
            found += [
                core.tiles(whole * count, rows, of, length),
                core.from_l2(whole, read),
                core.tiles(single * count, 1, of, length),
            ]
        return found

    loops = [SharedLoop(blocks, tuple(block(vectors, panels)))] if blocks else []
    if rest:
        count = ceil(rest / (edge * core.lanes))
        loops.append(SharedLoop(1, (core.copies(shape.depth * rest),)))
        in_order = [length for length in steps if length == depth] if len(steps) > 1 else []
        for number, height in ((whole, rows), (single, 1)):
            # whole steps after each other are a loop of one thread, inside of which no threads start
            loops.append(
                SharedLoop(1, tuple(core.tiles(number * count, height, edge, length) for length in in_order))
            )
            others = steps[len(in_order) :]
            loops.append(
                SharedLoop(number, tuple(core.tiles(count, height, edge, length) for length in others))
            )
    return loops


def row_tiles(shape: TiledProduct, core: OneCore, rows: int, vectors: int) -> list[SharedLoop]:
    """The right factor packed, and tiles of rows on threads, each for all panels, the last of which overruns; then the
    remaining rows, one by one.
    """
    panels = ceil(shape.columns / (vectors * core.lanes))
    whole, single = divmod(shape.rows, rows)
    packs = core.copies(shape.depth * vectors * core.lanes)
    read = shape.depth * (panels * vectors * core.lanes + rows)
    loops = [SharedLoop(panels, (packs,))]
    for count, height in ((whole, rows), (single, 1)):
        tiles = core.tiles(panels, height, vectors, shape.depth)
        loops.append(SharedLoop(count, (tiles, core.from_l2(1, read))))
    return loops


def row_blocks(shape: TiledProduct, core: OneCore, rows: int, vectors: int, height: int) -> list[SharedLoop]:
    """Both factors packed, and blocks of `height` rows on threads, each multiplied by all panels; then the remaining
    rows, with panels on threads. The last tiles overrun.
    """
    panels = ceil(shape.columns / (vectors * core.lanes))
    blocks, rest = divmod(shape.rows, height)
    tiles, last = height // rows, ceil(rest / rows)
    each = shape.depth * rows
    read = shape.depth * (rows + vectors * core.lanes)
    loops = [SharedLoop(panels, (core.copies(shape.depth * vectors * core.lanes),))]
    whole = (
        core.copies(each * tiles),
        core.tiles(tiles * panels, rows, vectors, shape.depth),
        core.from_l2(tiles * panels, read),
    )
    if blocks:
        loops.append(SharedLoop(blocks, whole))
    if rest:
        loops.append(SharedLoop(panels, (core.tiles(last, rows, vectors, shape.depth),)))
    return loops


def _steps(depth: int, step: int | None) -> list[int]:
    """The lengths of the steps of sums of `depth` products."""
    if step is None or step >= depth:
        return [depth]
    whole, rest = divmod(depth, step)
    return [step] * whole + ([rest] if rest else [])
