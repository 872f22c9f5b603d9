"""Translates steps to strategies: each step becomes a strategy at the remaining specification, followed by a comparison
of the specification there with the predicted one.

Uses the parts of strategies for products. One subject: the strategy of each step, and the order of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from elevate import Strategy, id_, lChoice, named, normalize, not_, seq, topDown, try_, where
from rise.hardware import Architecture
from rise.terms import App, Expr
from rise.types import ArrayType, PairType, ScalarType
from strategies.fireiron.copies import copyInTiles, copyRow
from strategies.fireiron.limits import ANY_ARCHITECTURE, FitsLimits
from strategies.fireiron.micro_kernels import CallMicroKernel, CallOnArrays, CallOnFragments
from strategies.fireiron.orders import in_one_loop, reordered, strided
from strategies.fireiron.places import (
    Place,
    cancelFragments,
    cancelTiles,
    isOpenReduction,
    isOverSums,
    kept_as,
    place_in,
    sumsFirst,
)
from strategies.fireiron.programs import HasFactorsFor, HasOneArray, HasSpec, HasSumsFor, prepare
from strategies.fireiron.recognition import ProgramPart, numbers_of
from strategies.fireiron.specs import CA, FR, GL, RF, SH, Block, Core, Spec, Vector, Warp, move_of
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
    by_holders,
    hint_of_types,
    kernel_of_move,
    matrix_shape,
    trail_of,
)
from strategies.fireiron.tiles import TileStep
from strategies.fireiron.units import (
    by_units,
    grid_of,
    is_flat,
    levels_of,
    levels_of_move,
    swaps_of_units,
    units_on_one_dimension,
    width_of,
)
from strategies.lowering.levels import PAR, SEQ, block_level
from strategies.lowering.positions import Write, function_body
from strategies.lowering.predicates import isViewFunction
from strategies.parts.fragments import epilogueByLanes, epilogueInFragments, loadBeforeNest
from strategies.parts.nests import (
    isolateReductions,
    liftReduction,
    liftRowReduction,
    operationsOnVectors,
    reduceInOrder,
    tidy,
    tileLoop,
    tileNest,
    tileReduction,
    tileRowReduction,
)
from strategies.parts.product_chains import (
    computeWhereRead,
    hasReduction,
    inFirstProduct,
    inStoredProduct,
)
from strategies.parts.staging import copyByThreads
from strategies.rules.accumulators import (
    FRAGMENT_ACCUMULATORS,
    TILED_ACCUMULATORS,
    TILED_ROW_ACCUMULATORS,
)
from strategies.rules.cpu import callToLet
from strategies.rules.functions import betaReduction, letToCall
from strategies.rules.fusion import mapFusion
from strategies.rules.gpu import mapToMapLane, mapToMapThreads
from strategies.rules.gpu_reductions import reduceParts
from strategies.rules.lowering import (
    copy,
    etaAbstraction,
    mapToMapSeq,
    mapToMapSeqUnroll,
    reduceSeqToUnroll,
    reduceToReduceSeq,
    toMemLocal,
)
from strategies.rules.matrix_products import isProductNest, mulAddToFma
from strategies.rules.movement import splitJoin, zipBroadcast
from strategies.rules.reductions import stripReduce
from strategies.rules.shapes import removeId
from strategies.rules.shared_sums import shareSums
from strategies.rules.staging import (
    nameArray,
    padRows,
    splitOfJoin,
    toMemGlobal,
    toMemShared,
    transposeTwice,
)
from strategies.rules.strides import numbersInOneLoop, oneBlock
from strategies.rules.tensor_cores import storeTogether, tileProductAdd, tileProductAddPlain
from strategies.rules.vectors import copyVectors, vectorizeAfter, vectorizeAlignedAfter
from strategies.vocabulary.traversals import argument, body, mapped

#: the dimension of the grid along which the blocks of a batch are numbered
BATCH: Final = 2


def strategy_of(
    start: Spec, trail: Sequence[tuple[Step, Spec]], arch: Architecture = ANY_ARCHITECTURE
) -> Strategy:
    """The strategy of a schedule, for an architecture."""
    part: ProgramPart = "second" if start.kind.is_chain else "all"
    named = 0 if start.kind.is_chain else None
    place = replace(_place(start, trail), threads=_threads(trail, start), named=named)
    steps, last = _decomposed(place, start, trail, part)
    room = FitsLimits(start, tuple(trail), arch)
    return seq(prepare(start), HasSpec(start, part=part), room, *_fits(start, trail, arch), steps, last)


def _fits(start: Spec, trail: Sequence[tuple[Step, Spec]], arch: Architecture) -> Sequence[Strategy]:
    """Checks that a program has what steps need: factors that the matrix instruction of a schedule multiplies, if it
    ends in one, the rows of one array for a step that copies what a reduction reads, and no function of sums that a
    micro-kernel stores.
    """
    specs = (start, *(spec for _, spec in trail))
    part: ProgramPart = "second" if start.kind.is_chain else "all"
    checks = list(_stores(start, trail, part))
    for (step, _), before in zip(trail, specs, strict=False):
        if isinstance(step, LoadStep) and start.kind.reduces:
            checks.append(HasOneArray(start, str(step), before))
        if isinstance(step, FirstStep):
            checks += _stores(step.start(before), step.trail(before), "first")
    shape = matrix_shape(specs[-1])
    if shape is not None:
        before = next(spec for spec in reversed(specs) if matrix_shape(spec) is None)
        checks.append(HasFactorsFor(shape, start, before, None if arch is ANY_ARCHITECTURE else arch))
    return checks


def _stores(start: Spec, trail: Sequence[tuple[Step, Spec]], part: ProgramPart) -> Iterator[Strategy]:
    """Checks that there is no function of sums that a micro-kernel stores."""
    specs = (start, *(spec for _, spec in trail))
    for (step, _), before in zip(trail, specs, strict=False):
        kernel = kernel_of_move(by_holders(step.store)) if isinstance(step, EpilogStep) else None
        if kernel is not None:
            yield HasSumsFor(kernel, before, part)


def _place(start: Spec, trail: Sequence[tuple[Step, Spec]]) -> Place:
    """The place before all steps of a kernel."""
    flat = units_on_one_dimension(start, trail)
    return Place(start, width=0 if "Thread" in flat else width_of(start, trail), flat=flat)


def _decomposed(
    place: Place, spec: Spec, trail: Sequence[tuple[Step, Spec]], part: ProgramPart
) -> tuple[Strategy, Strategy]:
    """The steps of a schedule in a part of a program with its loops, and what follows when all loops are lowered."""
    within = inStoredProduct if part == "first" else inProgram
    place = replace(place, stages_tiles=stages_tiles([step for step, _ in trail]))
    parts: list[Strategy] = []
    last: list[Strategy] = []
    for step, left in trail:
        if isinstance(step, FirstStep):
            computed, lowered = _first(place, step, spec)
            parts.append(computed)
            last.append(lowered)
            named = 0 if step.location is GL else len(place.loops)
            place, strategies = replace(place, named=named), list[Strategy]((id_,))
        else:
            place, found = _step(place, step, spec, left)
            strategies = [within(strategy) for strategy in found]
        remains = HasSpec(left, place.is_element, str(step), part, spec)
        parts.append(lChoice(*(strategy >> remains for strategy in strategies)))
        spec = left
    if trail and isinstance(end := trail[-1][0], DoneStep) and end.kernel is not None:
        hint = hint_of_types(end.kernel, spec)
        if end.kernel.arrays:
            parts.append(CallOnArrays(end.kernel, spec, part, hint))
        elif matrix_shape(spec) is None:
            parts.append(CallMicroKernel(end.kernel, spec, part, hint))
        else:
            last.append(within(CallOnFragments(end.kernel, hint)))
    written = _written(place)
    if part == "first":
        written = written >> normalize(
            callToLet
        )  # names of copies, which the rest of the schedule does not inline
    return seq(*parts, within(written)), seq(within(_lowered(place)), *last)


def inProgram(inner: Strategy) -> Strategy:
    """Apply a strategy to the whole program."""
    return inner


def stages_tiles(steps: Sequence[Step]) -> bool:
    """Whether sums go through shared memory that units hold in tiles before the first split."""
    epilogs = [at for at, step in enumerate(steps) if isinstance(step, EpilogStep)]
    later = [step for at in epilogs[:1] for step in steps[at:]]
    before = next((step for step in later if isinstance(step, TileStep | SplitStep)), None)
    stored = later[0].store if later and isinstance(later[0], EpilogStep) else ()
    return isinstance(before, TileStep) and any(isinstance(step, StageStep) for step in stored)


def _first(place: Place, step: FirstStep, spec: Spec) -> tuple[Strategy, Strategy]:
    """Store the first product of a chain, or the part that is read here, and compute it by its own schedule."""
    start, trail = step.start(spec), step.trail(spec)
    stored = {GL: toMemGlobal, SH: toMemShared, CA: toMemLocal, RF: toMemLocal}[step.location]
    if step.location is GL:
        ways, inside = [inFirstProduct(stored)], _place(start, trail)
    else:
        numbers = range(1, len(spec.places) + 1)
        named = transposeTwice >> argument(stored) if spec.kind.first_factor else stored
        names = [place.at(nameArray(number) >> argument(named) >> callToLet) for number in numbers]
        # the loops of a function of sums stay where they are, while shapes are moved
        lowered = place.function(place.elements >> SEQ.map_rule >> function_body(SEQ.map_rule))
        ways = [
            try_(lowered) >> name >> computeWhereRead(len(place.loops)) >> try_(raiseFunction())
            for name in names
        ]
        inside = Place(start, width=place.width, flat=place.flat)
    computes = HasSpec(start, step=f"first({step.location}, ..)", part="first", before=spec)
    steps, last = _decomposed(inside, start, trail, "first")
    return lChoice(*(way >> computes for way in ways)) >> steps, last


def _threads(trail: Sequence[tuple[Step, Spec]], start: Spec) -> int:
    """The threads of a block that reduce parts."""
    count, spec = 1, start
    for step, left in trail:
        if isinstance(step, PartsStep) and step.unit not in (None, Block) and isinstance(spec.depth, int):
            count *= spec.depth // step.depth
        spec = left
    return count


def _step(place: Place, step: Step, spec: Spec, left: Spec) -> tuple[Place, Sequence[Strategy]]:
    """The place after a step, and strategies for it, of which the first one that leads to its specification is used."""
    match step:
        case TileStep():
            after, strategy = _tile(place, step, spec)
        case LoadStep():
            return place, _load(place, step, spec)
        case SplitStep():
            after, strategy = _split(place, step, spec)
        case PartsStep():
            after, strategy = _parts(place, step, spec)
        case ShareStep():
            after, strategy = _share(place, step)
        case StageStep() | FirstStep():
            raise AssertionError("only moves and chains have such a step")
        case EpilogStep():
            after = replace(place, epilog=step, sums=move_of(spec.shape, SH, GL, spec.unit))
            # until a split, the function of the sums is part of their nest
            strategy = place.at(_staged(after, step.store)) if place.stages_tiles else id_
        case MmaStep():
            after, strategy = _mma(place, step, spec)
        case DoneStep():
            after, strategy = _done(place, left)
    return after, (strategy,)


def _tile(place: Place, step: TileStep, spec: Spec) -> tuple[Place, Strategy]:
    levels = (*place.levels, *levels_of(step, place.flat))
    if step.is_element:
        return replace(place, levels=levels, is_element=True), id_
    shape = step.shape(spec)
    if step.unit is Vector:
        vectors = vectorizeAfter(shape[-1]) >> argument(operationsOnVectors | copyVectors)
        return replace(place, levels=levels), place.at(mapped(body(vectors)) if len(shape) > 1 else vectors)
    is_held = place.epilog is not None and not place.loops
    loops = tuple(count + len(shape) for count in place.loops)
    after = replace(place, levels=levels, loops=loops, held=place.held + is_held)
    parts: list[Strategy] = []
    if step.strides:
        (rows, columns), (row_stride, column_stride), (row, column) = spec.shape, step.strides, step.sizes
        parts.append(
            strided(
                place,
                (int(rows) // row_stride, row_stride // row, row),
                (int(columns) // column_stride, column_stride // column, column),
            )
        )
    parts.append(_tiles(place, after, shape))
    if is_flat(step, place.flat):
        grid = grid_of(step, spec)
        parts.append(in_one_loop(place))
        parts += [reordered(place, swap) for swap in (swaps_of_units(step, grid) if grid is not None else ())]
        after = replace(after, loops=tuple(count + 1 for count in place.loops))
    return after, seq(*parts)


def _tiles(place: Place, after: Place, shape: tuple[int, ...]) -> Strategy:
    """Tile the remaining nest, its accumulators in each loop, and the function of its results."""
    tiled = tileNest(*shape) if len(shape) > 1 else tileLoop(*shape)
    if not place.loops:
        return place.at(tiled)
    kept = TILED_ACCUMULATORS if len(shape) > 1 else TILED_ROW_ACCUMULATORS
    accumulators = [kept_as(place, number, kept[count](*shape)) for number, count in enumerate(place.loops)]
    inside = place.within(1, place_in(place).at(tiled) >> cancelTiles >> place_in(after).at(sumsFirst))
    zeros = place.init(topDown(place.elements >> tiled) >> cancelTiles)
    function = try_(place.function(place.elements >> tiled))
    return seq(*accumulators, inside, zeros, function, cancelTiles)


def _load(place: Place, step: LoadStep, spec: Spec) -> Sequence[Strategy]:
    """Ways to name an array that the remaining nest reads, an operand or sums, and to store it."""
    if step.location is FR:
        return (id_,)  # `done` makes fragments of factors
    if step.location is SH:
        stored = _shared(place, step, spec)
    elif step.location is CA:
        stored = _packed(place, step, spec)
    else:
        is_matrix = spec.kind.multiplies and not _is_row(place, step, spec)
        # a row that is copied by an open map would be a nest of its own
        copied = copy >> mapToMapSeqUnroll if len(spec.shape) < 2 else copy
        stored = _in_registers(place, step, spec) if step.move or is_matrix else copied >> toMemLocal
    numbers = range(1, len(spec.places) + 1)
    return [place.at(nameArray(number) >> argument(stored) >> callToLet) for number in numbers]


def _shared(place: Place, step: LoadStep, spec: Spec) -> Strategy:
    """Store an operand in shared memory, by rows or by columns."""
    moved, is_turned = step.moved(spec), step.order == "columns"
    each = copy >> mapToMapLane(0) if spec.unit is Warp else copyByThreads(place.width)
    if _is_row(place, step, spec):
        return toMemShared >> argument(each)
    columns = moved.shape[0 if is_turned else -1]
    room = step.room + -(int(columns) + step.room) % step.multiple
    in_one_row = splitOfJoin >> argument(each)
    move = copyInTiles(step.move, moved, place.flat, is_turned) if step.move else in_one_row
    padded = padRows(room) >> argument(argument(argument(move))) if room else argument(move)
    stored = toMemShared >> padded
    by_columns = spec.kind.is_turned(step.operand) != is_turned
    return transposeTwice >> argument(stored) if by_columns else stored


def _is_row(place: Place, step: LoadStep, spec: Spec) -> bool:
    """Whether an operand is a row in the program: also that of a part, and that of sums of one product each."""
    return len(spec.array(step.operand)) < 2 or place.in_parts or place.in_rows


def _packed(place: Place, step: LoadStep, spec: Spec) -> Strategy:
    """Store an operand of a core without gaps, by rows or by columns."""
    if _is_row(place, step, spec):
        return copy >> SEQ.map_rule >> toMemLocal
    stored = toMemLocal >> argument(copyInTiles((), step.moved(spec), place.flat))
    by_columns = spec.kind.is_turned(step.operand) != (step.order == "columns")
    return transposeTwice >> argument(stored) if by_columns else stored


def _in_registers(place: Place, step: LoadStep, spec: Spec) -> Strategy:
    """Store a factor in registers by the tiles of a move; if each sum has only one product, the factor is a row."""
    if place.in_rows:
        return toMemLocal >> argument(copyRow(step.move))
    is_turned = spec.kind.is_turned(step.operand)
    stored = toMemLocal >> argument(copyInTiles(step.move, step.moved(spec), place.flat))
    return transposeTwice >> argument(stored) if is_turned else stored


def _by_threads(place: Place) -> Strategy:
    return splitOfJoin >> argument(copyByThreads(place.width))


def _split(place: Place, step: SplitStep, spec: Spec) -> tuple[Place, Strategy]:
    # parts of the first product of a chain are matrices, also of one column
    in_rows = step.depth == 1 and not spec.kind.is_chain
    loops, unrolled = (*place.loops, 0), (*place.unrolled, step.unrolled)
    after = replace(place, loops=loops, unrolled=unrolled, in_rows=in_rows)
    is_row = len(place.spec.shape) < 2
    apart = id_ if place.loops else place.besides(_sums(place))
    if in_rows:
        return after, apart >> place.at(liftRowReduction if is_row else liftReduction)
    tiled = tileRowReduction(step.depth) if is_row else tileReduction(step.depth)
    return after, apart >> place.within(len(place.loops), tiled)


def _parts(place: Place, step: PartsStep, spec: Spec) -> tuple[Place, Strategy]:
    """Reduce parts of the remaining reduction, in a loop or by units, and then their results."""
    count = int(spec.depth) // step.depth if isinstance(spec.depth, int) else 0
    parts = stripReduce(count) if step.order == "columns" else reduceParts(step.depth)
    if step.unit is None:
        results = reduceToReduceSeq >> (reduceSeqToUnroll if step.unrolled else id_)
    else:
        results = by_units(step.unit, count, place.threads)
    levels = place.levels if place.in_parts else (*place.levels, *(SEQ for _ in spec.shape))
    after = replace(place, in_parts=True, levels=levels)
    return after, topDown(where(isOpenReduction) >> parts >> results)


def _share(place: Place, step: ShareStep) -> tuple[Place, Strategy]:
    """Sum parts by units, store their sums in shared memory, and add these by all threads."""
    level = SEQ if step.unit is None else step.unit.level(0)
    shared = shareSums(step.depth, step.count) >> argument(toMemShared) >> betaReduction
    added = where(isNestOfSums) >> numbersInOneLoop >> tidy >> argument(mapToMapThreads(0))
    strategy = place.besides(_sums(place)) >> place.at(shared) >> cancelTiles >> topDown(added)
    return replace(place, levels=(*place.levels, level)), strategy


def isNestOfSums(e: Expr) -> bool:
    """Two maps that add numbers, or compute a function of their sum, without products."""
    number = numbers_of(e, 2)
    return number is not None and hasReduction(number) and not isProductNest(e)


def _mma(place: Place, step: MmaStep, spec: Spec) -> tuple[Place, Strategy]:
    """Tile the product by the shape of an instruction, and use the instruction."""
    m, n, k = step.shape
    parts: list[Strategy] = []
    if spec.depth != k:
        place, split = _split(place, SplitStep(k), spec)
        parts.append(split)
    if spec.shape != (m, n):
        place, tiles = _tile(place, TileStep((m, n)), spec)
        parts += [tiles, _fragments(place, step.shape), place.besides(loadBeforeNest)]
    else:
        parts.append(_fragments(place, step.shape))
    return replace(place, has_fragments=True), seq(*parts)


def _fragments(place: Place, shape: tuple[int, int, int]) -> Strategy:
    """Use instructions of a shape for the products of tiles, and keep their accumulators in fragments in each loop."""
    keep = [
        kept_as(place, number, FRAGMENT_ACCUMULATORS[count](shape[-1]))
        for number, count in enumerate(place.loops)
    ]
    function = place.besides(epilogueInFragments >> try_(epilogueByLanes(*shape)))
    product = place.besides(topDown(tileProductAdd | tileProductAddPlain))
    return product >> seq(*keep, cancelFragments, function)


def _done(place: Place, spec: Spec) -> tuple[Place, Strategy]:
    if (shape := matrix_shape(spec)) is not None:
        return place, id_ if place.has_fragments else _fragments(place, shape)
    if not spec.kind.multiplies:
        return place, try_(reduceInOrder)
    in_order = id_ if place.epilog else place.besides(try_(isolateReductions >> reduceInOrder))
    return place, in_order >> normalize(mulAddToFma)


def isMapToArrays(e: Expr) -> bool:
    """A map that computes arrays."""
    return e.root == ("map", 2) and isinstance(e.type, ArrayType) and isinstance(e.type.element, ArrayType)


def _sums(place: Place) -> Strategy:
    """Compute the sums of a unit in a nest of their own, before the function of them."""
    apart = isolateReductions >> reduceInOrder
    if len(place.spec.shape) < 2:
        # sums of rows are reductions as well, so the loops around them are apart, too
        together = where(isMapToArrays) >> mapFusion >> mapped(body(betaReduction))
        apart = apart >> normalize(together)
    written_out = apart >> normalize(where(isMapToNumbers) >> etaAbstraction)
    in_fragments = place.epilog is not None and place.epilog.location is FR
    return written_out >> normalize(zipBroadcast.inv) if in_fragments else written_out


def isMapToNumbers(e: Expr) -> bool:
    """A map that computes numbers."""
    return e.root == ("map", 2) and isinstance(e.type, ArrayType) and isinstance(e.type.element, ScalarType)


def isLoopOverSums(e: Expr) -> bool:
    """A sequential loop over sums, or over views, maps and zips of them."""
    return e.root == ("mapSeq", 2) and isinstance(e, App) and isOverSums(e.arg)


def raiseFunction() -> Strategy:
    """Make maps of the loops of a function of sums."""
    loops = where(isLoopOverSums) >> mapToMapSeq.inv >> function_body(mapToMapSeq.inv)
    return named("raiseFunction", topDown(loops))


def isViewOfBlocks(e: Expr) -> bool:
    """A view of blocks that are only rearranged: unlike a loop over tiles, no unit computes them."""
    return isinstance(e, App) and isinstance(e.arg, App) and isViewFunction(e.arg.fun)


def isStoredResult(e: Expr) -> bool:
    """The results of a block as a matrix of numbers: its sums, or a function of them."""
    t = e.type
    if not isinstance(t, ArrayType) or not isinstance(t.element, ArrayType) or e.root == ("toMem", 1):
        return False
    return not isinstance(t.element.element, ArrayType | PairType) and isOverSums(e)


def _written(place: Place) -> Strategy:
    """Lower loops to levels: those of the epilog according to its moves, and all others according to the tiles."""
    parts: list[Strategy] = [normalize(letToCall | where(isViewOfBlocks) >> oneBlock >> try_(betaReduction))]
    if not place.spec.kind.summed:
        parts.append(normalize(removeId))  # numbers that are only copied: their maps remain, and become loops
    if place.epilog is not None and place.epilog.init:
        parts.append(place.init(Write((*levels_of_move(place.epilog.init[place.held :], place.flat), SEQ))))
    if place.epilog is not None and place.epilog.store:
        parts.append(_stored(place, place.epilog.store))
    batch = (PAR if PAR in place.levels else block_level(BATCH),) if place.spec.kind.batch else ()
    return seq(*parts, Write((*batch, *place.levels, SEQ)))


def _lowered(place: Place) -> Strategy:
    """What changes when all loops are lowered: where sums are kept, and loops that are unrolled."""
    parts: list[Strategy] = []
    is_core = place.sums is not None and place.sums.unit is Core
    if place.epilog is not None and place.epilog.location is RF and not is_core:
        parts.append(place.init(toMemLocal))  # otherwise the target chooses a memory that all threads share
    for number in reversed(range(len(place.loops))):
        if place.unrolled[number]:
            parts.append(place.loop(number, reduceSeqToUnroll))
    return seq(*parts)


def _stored(place: Place, steps: Sequence[Step]) -> Strategy:
    """Move the sums to C: through shared memory, or directly by the units that hold them."""
    first, *_ = steps
    if not isinstance(first, StageStep):
        return _moved_by_holders(place, steps)
    through = place.within(0, topDown(where(isStoredResult) >> _staged(place, steps)))
    staged = id_ if place.stages_tiles else through
    return staged >> _moved_by_holders(place, first.move) if first.move else staged


def _staged(place: Place, steps: Sequence[Step]) -> Strategy:
    """Store an array in shared memory, and move it on from there."""
    first, *rest = steps
    assert place.sums is not None and isinstance(first, StageStep)
    copied = copyInTiles(rest, place.sums, place.flat) if rest else _by_threads(place)
    return toMemShared >> (padRows(first.room) if first.room else id_) >> copied


def _moved_by_holders(place: Place, steps: Sequence[Step]) -> Strategy:
    """Let the units that hold sums move them, or a function of them, one by one, as vectors of neighbours, or by a
    micro-kernel.
    """
    steps, kernel = steps[place.held :], kernel_of_move(steps)
    levels = (*levels_of_move(steps, place.flat), SEQ)
    last = steps[-1] if steps else None
    width = max(last.sizes) if isinstance(last, TileStep) and last.vector else 1
    row = place.loops[0] + 1
    copies = id_ if kernel is None else _copied_by(steps, place)
    for number in reversed(range(row + 1 if kernel is None else row - 1)):
        level = levels[min(number, len(levels) - 1)]
        copies = copy >> level.map_rule >> function_body(copies)
        if number == row and width > 1:
            copies = vectorizeAlignedAfter(width) >> argument(copies)
    if kernel is not None:
        return named("noFunctionOfSums", not_(place.function(place.elements))) >> place.loop(0, copies)
    outer, inner = (levels[min(number, len(levels) - 1)] for number in (row - 1, row))
    together = splitJoin(width) >> argument(inner.map_rule >> function_body(storeTogether(width)))
    computed = outer.map_rule >> function_body(together if width > 1 else inner.map_rule)
    return place.function(place.elements >> computed) | place.loop(0, copies)


def _copied_by(steps: Sequence[Step], place: Place) -> Strategy:
    """Copy the sums that a unit holds by the micro-kernel that its move ends in, perhaps in tiles."""
    assert place.sums is not None
    last = max((at for at, step in enumerate(steps) if isinstance(step, TileStep) and step.unit), default=-1)
    _, held = trail_of(place.sums, steps[: last + 1])[-1] if last >= 0 else (None, place.sums)
    return copyInTiles(steps[last + 1 :], held, place.flat)
