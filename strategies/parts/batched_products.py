"""Computes batches of matrix products that share their right factor as one product of all rows.

An example is `x @ w` for `x` of three axes. Otherwise each product of the batch would pack the right factor again.
Independent of how a product is tiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from elevate import Predicate, Strategy, named, normalize
from elevate.strategy import CHOICE
from rise.hardware import DEFAULT, Processor
from rise.naturals import Nat, const
from rise.primitives import PROJECTIONS
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, Primitive, mention
from rise.types import ArrayType, Type
from strategies.costs.products import is_nest
from strategies.parts.machine_tiles import machine_of
from strategies.parts.register_tiles import byLength, product_tiles
from strategies.rules.contractions import joinPairedRows, joinRows, joinSwappedRows
from strategies.rules.movement import joinSplit
from strategies.rules.sharing import storeOnce


def isBatchOfRows(e: Expr) -> bool:
    """A map over maps of one function, each a matrix product or a batch of them, so that rows may be joined."""
    function = e.children[0].children[1] if e.root == ("map", 2) else None
    if not isinstance(function, Lam) or function.body.root != ("map", 2):
        return False
    row, rows = function.body.children[0].children[1], function.body.children[1]
    if not _is_of_element(rows) or row.mentions & mention(0):
        return False
    return is_nest(function.body)


def _is_of_element(rows: Expr) -> bool:
    """Whether this is the innermost variable, or the zip of its components in either order."""
    match rows:
        case Bound(0):
            return True
        case App(App(Primitive("zip"), App(Primitive(one), Bound(0))), App(Primitive(other), Bound(0))):
            return {one, other} == set(PROJECTIONS)
    return False


@dataclass(frozen=True, slots=True)
class IsOneProduct(Predicate):
    """A batch of products that share their right factor, each with fewer than `rows` rows or more than `columns`
    columns, as far as is known.

    Threads divide the panels of columns of a product among them. If a product is known to have one panel at most, they
    divide the batch instead, unless each packed factor is read by one tile only.
    """

    rows: int
    columns: int
    roots: ClassVar[frozenset[object]] = frozenset((("map", 2),))
    depth: ClassVar[None] = None

    def holds(self, term: Expr) -> bool:
        if not isBatchOfRows(term):
            return False
        _, rows, *_, columns = _sizes(term.type)
        return is_nonnegative(const(self.rows - 1) - rows) or not is_nonnegative(
            const(self.columns) - columns
        )

    def show(self, binding: int = CHOICE) -> str:
        return f"isOneProduct({self.rows}, {self.columns})"


def _sizes(t: Type | None) -> Iterator[Nat]:
    """The sizes of an array of arrays, outermost first."""
    while isinstance(t, ArrayType):
        yield t.size
        t = t.element


@named
def joinBatches(
    rows: int | None = None, columns: int | None = None, machine: Processor | str = DEFAULT
) -> Strategy:
    """Compute each batch of products that share their right factor as one product of all their rows; never fails.

    Tiles have `rows` and `columns`, as for `productsInRegisters`.
    """
    tiles = product_tiles(machine_of(machine), rows, columns)
    batch = byLength(lambda words: IsOneProduct(tiles[words].rows, tiles[words].columns))
    return normalize(storeOnce | batch >> (joinRows | joinPairedRows | joinSwappedRows) | joinSplit)
