"""The phases of a contraction on CPUs after its normal form: roles of operands, method, tiles, copies, threads.

Each phase is a strategy of its own, so that they can be combined by hand. `strategies.contractions` combines them by a
model, and `strategies.spaces.contractions` is the space of their choices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from elevate import Diagnostic, Predicate, Strategy, StrategyError, id_, lChoice, named, topDown, try_, where
from rise.hardware import DEFAULT, Processor
from rise.records import dataclass
from rise.terms import Bound, Expr, spine
from strategies.costs.contractions import BLOCKS, PANELS
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import Write
from strategies.parts.contraction_nests import (
    columnsAreOfLeft,
    columnsAreOfRight,
    matricise,
)
from strategies.parts.machine_tiles import (
    ProductTile,
    block_height,
    edge_columns,
    machine_of,
    packed_columns,
    size_or_default,
    step_depth,
)
from strategies.parts.nests import tidy
from strategies.parts.packed_tiles import (
    blockLoops,
    onlyBlock,
    packBlocks,
    packLeftAndPanels,
    packPanel,
    panelLoops,
    rowPanelLoops,
)
from strategies.parts.parameters import check_sizes, check_switches, shown_value
from strategies.parts.products import called, isNest
from strategies.parts.register_tiles import store, tilesByDepth
from strategies.parts.schedules import allowBorders
from strategies.rules.contractions import interchangeJoined, nameColumnsOfNest, nameRowsOfNest
from strategies.rules.fusion import reduceSeqMapFusion
from strategies.rules.lowering import etaAbstraction, toMemLocal
from strategies.rules.movement import columnsFirst, mapJoin
from strategies.rules.zips import zipSwap
from strategies.vocabulary.traversals import argument, body, mapped

#: the method that sums in steps
STEPS: Final = "steps"
#: whether the columns are those of an operand, by its name
COLUMNS: Final[Mapping[str, Predicate]] = MappingProxyType(
    {"left": where(columnsAreOfLeft), "right": where(columnsAreOfRight)}
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of tiles, blocks and steps: `row` is the length of rows of columns that have panels of their own, or 0;
    `height` the rows of a block; `depth` the products of a step. What is None follows from the machine.
    """

    rows: int
    columns: int
    machine: Processor
    row: int = 0
    height: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """A way to compute a product: `tiles` cuts its nest into loops, `copies` stores operands, and `prepare` rearranges
    the nest before.
    """

    name: str
    tiles: Callable[[Shape], Strategy]
    copies: Strategy
    prepare: Strategy = id_


def _panels(shape: Shape) -> Strategy:
    return panelLoops(shape.rows, shape.columns)


def _panels_or_rows(shape: Shape) -> Strategy:
    if shape.row:
        return rowPanelLoops(shape.rows, shape.columns, shape.row)
    return _panels(shape)


def _blocks(shape: Shape) -> Strategy:
    height = size_or_default(shape.height, block_height(shape.machine, shape.rows))
    return blockLoops(shape.rows, shape.columns, height)


def _steps(shape: Shape) -> Strategy:
    together = packed_columns(shape.machine, ProductTile(shape.rows, shape.columns))
    edge = edge_columns(shape.machine, shape.columns)
    depth = size_or_default(shape.depth, step_depth(shape.machine))
    return tilesByDepth(shape.rows, shape.columns, edge, depth, together)


#: store both operands and the result as matrices; the result is then copied to its place
storeMatrices: Strategy = named(
    "storeMatrices",
    try_(topDown(isNest >> nameColumnsOfNest >> store))
    >> try_(topDown(isNest >> nameRowsOfNest >> store))
    >> toMemLocal,
)
#: a product for each element of the outer group of subscripts of the rows, instead of one product of all rows; never
#: fails, since one subscript has no outer group
loopOverRows: Strategy = named("loopOverRows", try_(mapJoin >> argument(etaAbstraction)))


def readsColumnFirst(e: Expr) -> bool:
    """`zip y x` in a product of rows x and columns y."""
    first = spine(e)[1][0] if e.root == ("zip", 2) else None
    return isinstance(first, Bound) and first.index == 0


#: zip rows with columns, in this order, as the rules for sums in steps expect
zipRowsFirst: Strategy = named(
    "zipRowsFirst",
    try_(topDown(where(readsColumnFirst) >> zipSwap) >> topDown(reduceSeqMapFusion) >> tidy),
)

#: the methods by name
METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method(BLOCKS, _blocks, packBlocks >> called(onlyBlock)),
            Method(PANELS, _panels_or_rows, packLeftAndPanels),
            Method("one", _panels, packPanel),
            Method("views", _panels, id_),
            Method("matrices", _panels, packLeftAndPanels, storeMatrices),
            Method("loops", _panels, packPanel, loopOverRows),
            Method(STEPS, _steps, id_, zipRowsFirst),
        )
    }
)


def method_of(name: object) -> Method:
    """A method by name. Raises StrategyError if there is none."""
    found = METHODS.get(name) if isinstance(name, str) else None
    if found is None:
        *names, last = METHODS
        title = f"expected {', '.join(names)} or {last} for `method`, found {shown_value(name)}"
        raise StrategyError(
            Diagnostic("tiles", title, hint="a contraction without `method` has it chosen by a model")
        )
    return found


@named
def roles(columns: str | None = None, rows_turned: bool = False, columns_turned: bool = False) -> Strategy:
    """Choose which operand of a contraction in normal form has the columns of its tiles, "left" or "right", and the
    order of subscripts: if `rows_turned`, the outer group of subscripts of the rows becomes the inner one.

    The groups are those that `matricise` has joined last, so of two subscripts, each may be the inner one. The result
    is in normal form again. Fails for a single subscript, which has no other order.
    """
    if columns not in (None, *COLUMNS):
        title = f"expected left or right for `columns`, found {shown_value(columns)}"
        raise StrategyError(Diagnostic("tiles", title, hint='for example -p columns="left"'))
    check_switches(rows_turned=rows_turned, columns_turned=columns_turned)
    chosen: Strategy = id_
    if columns is not None:
        chosen = lChoice(COLUMNS[columns], topDown(isNest >> columnsFirst) >> matricise)
    if rows_turned:
        chosen = chosen >> topDown(isNest >> interchangeJoined) >> matricise
    if columns_turned:
        chosen = chosen >> topDown(isNest >> mapped(body(interchangeJoined))) >> matricise
    return chosen


@named
def byMethod(method: str) -> Strategy:
    """Rearrange a product for a method: "matrices" stores operands and result as matrices, "loops" computes a product
    for each of the outer subscripts of the rows; other methods leave it as it is.
    """
    return method_of(method).prepare


@named
def tileLoops(
    method: str,
    rows: int,
    columns: int,
    row: int = 0,
    height: int | None = None,
    depth: int | None = None,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Cut a matrix product into the loops of a method, around tiles of rows x columns in registers.

    "blocks" has blocks of `height` rows. "steps" has steps of `depth` products, whose operands it also copies. `row` is
    the length of the rows of which columns consist, none of whose panels spans two of them, or 0. What is not given
    follows from `machine`.
    """
    check_sizes(rows=rows, columns=columns, height=size_or_default(height, rows))
    check_sizes(depth=size_or_default(depth, 1))
    check_sizes(0, row=row)
    return method_of(method).tiles(Shape(rows, columns, machine_of(machine), row, height, depth))


@named
def copies(method: str) -> Strategy:
    """Store what the tiles of a method read, in the order in which they read it: both operands by "blocks", "panels"
    and "matrices", the one with the columns by "one" and "loops", and none by "views".
    """
    return method_of(method).copies


@named
def threads(parallel: bool = True) -> Strategy:
    """Place loops and memory: outermost loops on threads, unless `parallel` is False, and all others sequential."""
    check_switches(parallel=parallel)
    return Write((PAR, SEQ) if parallel else (SEQ,)) >> allowBorders
