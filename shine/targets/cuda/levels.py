"""Prints loops over a GPU's levels: which hardware unit runs which iteration. Handles no other statements.

A loop with one iteration per unit is printed as a name for the unit, one with fewer as a condition. If all units have
the same known number of iterations, the loop counts them, so that it can be unrolled.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import prod
from typing import Final

from rise.naturals import NatVar, const
from rise.records import dataclass
from shine.imperative.kernels import LANES, Launch, named_units
from shine.imperative.names import plain
from shine.imperative.naturals_text import PRODUCT, SUM, UNARY, Text
from shine.imperative.nodes import For, Level
from shine.imperative.scopes import TURNS, UNITS, Scope
from shine.targets.c.expressions import Place, index_text
from shine.targets.c.lines import Line, Page

_AXES: Final = "xyz"
#: the word of a name for the unit that runs a loop
_UNIT: Final = re.compile(r"(^|_)(?:block|thread|warp|lane)(?=_|$)")


@dataclass(frozen=True, slots=True)
class Hardware:
    """The units that a kernel is launched with. `warp` and `lane` are the variables for a thread's numbers, if
    declared.
    """

    launch: Launch
    counting: str
    is_wide: bool
    warp: str | None = None
    lane: str | None = None

    def unit(self, level: Level) -> Text:
        """The index of the unit that runs the text, along a dimension of a level."""
        d = level.dimension
        match level.name:
            case "block":
                return Text(f"blockIdx.{_AXES[d]}")
            case "threads":
                return Text(f"threadIdx.{_AXES[d]}")
            case "global":
                block = f"({self.counting})blockIdx.{_AXES[d]}" if self.is_wide else f"blockIdx.{_AXES[d]}"
                return Text(f"{block} * {self.launch.block[d]} + threadIdx.{_AXES[d]}", SUM)
            case "warp":
                assert self.launch.warps is not None, "a kernel without warps maps over them"
                number = Text(self.warp) if self.warp else Text(f"threadIdx.x / {LANES}", PRODUCT)
                return _along(d, self.launch.warps, number)
            case "lane":
                number = Text(self.lane) if self.lane else Text(f"threadIdx.x % {LANES}", PRODUCT)
                return _along(d, self.launch.lanes, number)

    def extent(self, level: Level) -> Text:
        """The number of units."""
        d = level.dimension
        known = self.launch.extent(level).constant
        if known is not None:
            return Text(str(known))
        blocks = f"({self.counting})gridDim.{_AXES[d]}" if self.is_wide else f"gridDim.{_AXES[d]}"
        return (
            Text(f"{blocks} * {self.launch.block[d]}", PRODUCT)
            if level.name == "global"
            else Text(blocks, UNARY)
        )


def _along(d: int, extents: tuple[int, int, int], number: Text) -> Text:
    """The index along a dimension of a unit with a number. Units are numbered along dimension 0 first."""
    below, own = prod(extents[:d]), extents[d]
    if own == 1:
        return Text("0")
    divided = number if below == 1 else Text(f"{number.at(PRODUCT)} / {below}", PRODUCT)
    is_last = below * own == prod(extents)
    return divided if is_last else Text(f"{divided.at(PRODUCT)} % {own}", PRODUCT)


def name_units(hardware: Hardware, loops: Sequence[For], scope: Scope) -> tuple[Hardware, list[str]]:
    """Declare variables for a thread's warp and lane if they are used more than once; returns the declarations too."""
    named = {name: scope.bind(name, name) for name in named_units(hardware.launch, loops)}
    signs = {"warp": "/", "lane": "%"}
    lines = [
        f"const {hardware.counting} {text} = threadIdx.x {signs[name]} {LANES};"
        for name, text in named.items()
    ]
    return replace(hardware, warp=named.get("warp"), lane=named.get("lane")), lines


@dataclass(frozen=True, slots=True)
class Opened:
    """The lines before and after a loop's body, and the page for the body. `naming` are lines before the body that
    declare `named`; they are omitted if the body uses none of these.
    """

    before: tuple[Line, ...]
    body: Page
    after: tuple[Line, ...]
    naming: tuple[Line, ...] = ()
    named: tuple[Hashable, ...] = ()


def open_level(loop: For, page: Page, place: Place, hardware: Hardware, in_turns: bool) -> Opened:
    """Begin a loop over a level; if `in_turns`, the iterations of each unit are counted and unrolled."""
    level, origin = loop.kind, loop.origin
    assert isinstance(level, Level), loop
    place.context.noted.note(loop.count + hardware.launch.extent(level), origin)  # a step beyond the end
    unit, integer = hardware.unit(level), hardware.counting
    end = (page.line("}", origin),)
    match hardware.launch.share(loop):
        case "one" if unit.code in (hardware.warp, hardware.lane):
            page.scope.alias(loop.index, unit.code, page.scope.enter_loop(UNITS))
            return Opened((), page, ())
        case "one":
            return _open_unit(loop, unit, integer, page)
        case "some":
            test = f"if ({unit.at(SUM)} < {index_text(loop.count, place).code}) {{"
            inside = page.inside()
            known = page.scope.known(_shared(loop, unit, page))
            if known is not None or unit.code in (hardware.warp, hardware.lane):
                inside.scope.alias(loop.index, known or unit.code, inside.scope.enter_loop(UNITS))
                page.scope.written.add(_shared(loop, unit, page))
                return Opened((page.line(test, origin),), inside, end)
            named = inside.line(_named(loop, unit, integer, inside), origin)
            return Opened((page.line(test, origin),), inside, end, (named,), (loop.index,))
        case "many":
            turns = turns_of(loop, hardware.launch)
            if turns is not None and in_turns:
                return _open_turns(loop, turns, page, hardware)
            count = index_text(loop.count, place).at(SUM)
            inside = page.inside()
            i = inside.scope.bind(loop.index, loop.index.name, inside.scope.enter_loop(TURNS))
            stride = hardware.extent(level).code
            head = f"for ({integer} {i} = {unit.code}; {i} < {count}; {i} += {stride}) {{"
            return Opened((page.line(head, origin),), inside, end)


def _open_unit(loop: For, unit: Text, integer: str, page: Page) -> Opened:
    """Begin a loop with one iteration per unit: declare a variable for its number, shared by loops over the
    same units.
    """
    index = loop.index
    shared = _shared(loop, unit, page)
    known = page.scope.known(shared)
    if known is not None:
        page.scope.alias(index, known, page.scope.enter_loop(UNITS))
        page.scope.name(shared)
        return Opened((), page, ())
    line = page.line(_named(loop, unit, integer, page), loop.origin)
    page.scope.alias(shared, page.scope.known(index) or "")
    return Opened((), page, (), (line,), (index, shared))


def _shared(loop: For, unit: Text, page: Page) -> Hashable:
    """The key of the variable for a unit's number: the text of the number and the name of the loop's index."""
    return "unit", unit.code, page.scope.called.get(loop.index, loop.index.name)


def _named(loop: For, unit: Text, integer: str, page: Page) -> str:
    name = page.scope.bind(loop.index, loop.index.name, page.scope.enter_loop(UNITS))
    return f"const {integer} {name} = {unit.code};"


def turns_of(loop: For, launch: Launch) -> int | None:
    """The maximal number of iterations of a loop over a level per unit, if known."""
    assert isinstance(loop.kind, Level), loop
    count, running = loop.count.constant, launch.extent(loop.kind).constant
    return -(-count // running) if count and running else None


def _turn_name(index: str) -> str:
    """The name of a loop over the turns of a unit: `m_turn` if the unit's iterations are called `m_thread`.

    >>> _turn_name("thread"), _turn_name("m_thread_y"), _turn_name("xs_1")
    ('turn', 'm_turn_y', 'xs_turn')
    """
    name, count = _UNIT.subn(r"\1turn", index, count=1)
    return name if count else f"{plain(index)}_turn"


def _open_turns(loop: For, turns: int, page: Page, hardware: Hardware) -> Opened:
    """Begin a loop over the iterations of a unit, with a condition inside if some units lack the last one."""
    level, origin = loop.kind, loop.origin
    assert isinstance(level, Level), loop
    extent, count = hardware.launch.extent(level), loop.count.constant
    assert extent.constant and count, loop
    inside = page.inside()
    turn = NatVar(_turn_name(inside.scope.called.get(loop.index, loop.index.name)), const(turns))
    t = inside.scope.bind(turn, turn.name, inside.scope.enter_loop())
    i = inside.scope.bind(loop.index, loop.index.name, inside.scope.enter_loop(TURNS))
    before = [
        *page.lines(["#pragma unroll", f"for (int {t} = 0; {t} < {turns}; {t}++) {{"], origin),
        inside.line(
            f"const {hardware.counting} {i} = {t} * {extent.constant} + {hardware.unit(level).at(SUM)};",
            origin,
        ),
    ]
    after = [page.line("}", origin)]
    if count % extent.constant == 0:
        return Opened(tuple(before), inside, tuple(after))
    before.append(inside.line(f"if ({i} < {count}) {{", origin))
    after.insert(0, inside.line("}", origin))
    return Opened(tuple(before), inside.inside(), tuple(after))
