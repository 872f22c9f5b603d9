"""The conditions on the sizes of a kernel: those that it checks, and the facts that its program promises.

Also the small sizes that satisfy them. Independent of arrays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from math import prod
from typing import Final

from rise.analysis.obligations import Obligation, check_obligations
from rise.arguments.mismatches import refuse_not_computed
from rise.facts import evaluate_fact
from rise.naturals import Atom, NatVar
from rise.nodes import postorder
from rise.polynomials import NotComputed
from rise.programs.heads import open_head
from rise.quotients import NatCall
from rise.records import dataclass
from rise.terms import Expr
from rise.text.nat_printer import show_fact

SMALL_SIZES: Final = range(1 << 12)
SOME: Final = 5  # the size of a tile if there is none
MAX_COMBINATIONS: Final = 1 << 14
MAX_PRODUCT: Final = 10_000  # of the sizes of a combination


def makes_sense(checks: Sequence[Obligation], high: Expr, sizes: Mapping[str, int]) -> bool:
    """Whether these sizes pass checks, such as a kernel's, and keep the program's promises."""
    try:
        fits = check_obligations(list(checks), sizes) is None
    except NotComputed:
        return False
    return fits and promises_hold(high, sizes)


def promises_hold(high: Expr, sizes: Mapping[str, int]) -> bool:
    """Whether the facts that a program promises hold at these sizes."""
    return broken_promise(high, sizes) is None


def broken_promise(high: Expr, sizes: Mapping[str, int]) -> str | None:
    """A fact that a program promises and that does not hold at these sizes, as text."""
    head = open_head(high)
    values: dict[Atom, int] = {
        binder.variable: sizes[binder.name]
        for binder in head.binders
        if isinstance(binder.variable, NatVar) and binder.name in sizes
    }
    for fact in head.facts:
        if all(v in values for v in fact.free):
            try:
                if not evaluate_fact(fact, values):
                    return show_fact(fact)
            except ZeroDivisionError:
                return show_fact(fact)
            except NotComputed as error:
                refuse_not_computed(error)
    return None


@dataclass(frozen=True, slots=True)
class SmallSizes:
    """Combinations of small sizes that satisfy conditions: `all_small` has all of the first sizes of
    each name; `beyond_tiles` others, in which sizes are also a tile and more, in a random but fixed order.
    """

    all_small: tuple[Mapping[str, int], ...]
    beyond_tiles: tuple[Mapping[str, int], ...]


def small_sizes(names: Sequence[str], checks: Sequence[Obligation], e: Expr, count: int) -> SmallSizes:
    """The combinations of the first `count` sizes of each name that satisfy the conditions on this name alone, such as
    0, 8, 16 if 8 divides it, and of these with the sizes of one and two tiles, and one more.
    """
    tiles = _tiles(e)
    alone: dict[str, list[int]] = {}
    beyond: dict[str, list[int]] = {}
    for name in names:
        fit = partial(_fits_alone, checks, e, name)
        alone[name] = list(islice(filter(fit, SMALL_SIZES), count))
        edges = sorted({edge for tile in tiles.get(name, {SOME}) for edge in (tile, tile + 1, 2 * tile + 1)})
        beyond[name] = [edge for edge in edges if edge not in alone[name] and fit(edge)]
    every = {name: alone[name] + beyond[name] for name in alone}
    small = sorted(_fitting(checks, e, alone), key=lambda sizes: sum(sizes.values()))
    others = [sizes for sizes in _fitting(checks, e, every) if sizes not in small]
    random.Random(0).shuffle(others)
    return SmallSizes(tuple(small), tuple(others))


def _fits_alone(checks: Sequence[Obligation], e: Expr, name: str, size: int) -> bool:
    return makes_sense(checks, e, {name: size})


def _fitting(
    checks: Sequence[Obligation], e: Expr, choices: Mapping[str, Sequence[int]]
) -> Iterator[dict[str, int]]:
    for sizes in islice(product(*choices.values()), MAX_COMBINATIONS):
        found = dict(zip(choices, sizes, strict=True))
        if prod(size or 1 for size in sizes) <= MAX_PRODUCT and makes_sense(checks, e, found):
            yield found


def _tiles(e: Expr) -> dict[str, set[int]]:
    """For each size, the numbers by which it is divided anywhere in a program."""
    head = open_head(e)
    names = {binder.variable: binder.name for binder in head.binders if isinstance(binder.variable, NatVar)}
    found: dict[str, set[int]] = {}
    for node in postorder(head.body):
        match node:
            case NatCall("floor" | "ceil", (dividend, divisor)) if divisor.constant in SMALL_SIZES:
                for size in names.keys() & dividend.free:
                    found.setdefault(names[size], set()).add(divisor.constant or 1)
    return found
