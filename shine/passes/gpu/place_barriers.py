"""Inserts barriers where a thread reads or overwrites what another thread wrote or read. Independent of targets.

Statements are visited in order with the memory effects since the last barrier; a barrier is placed before the first
statement that conflicts with one of them. A loop is visited by itself first, each iteration after the earlier ones; if
it conflicts with effects before it, a barrier is placed before the loop. Finally, barriers that later ones make
redundant are removed.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import NoReturn

from rise.records import dataclass
from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import Barrier, Block, For, If, Level, Statement
from shine.imperative.walk import enclosed, map_statements, rebuilt, with_body
from shine.passes.gpu.conflicts import meet
from shine.passes.gpu.effects import Around, Effect, effects_of, watched_buffers
from shine.passes.gpu.pending_accesses import (
    Pending,
    State,
    Summary,
    after,
    earlier,
    join,
    needed_barrier,
    repeated,
)
from shine.passes.gpu.uniformity import Control, Here, behind, control_of, inside


@dataclass(slots=True, eq=False)
class Walk:
    """One kernel, and cached results for its statements, by identity."""

    launch: Launch
    effects: dict[int, tuple[Statement, list[Effect]]] = field(default_factory=dict)
    settled: dict[tuple[int, bool], tuple[Statement, Summary]] = field(default_factory=dict)

    def effects_of(self, statement: Statement, here: Here) -> list[Effect]:
        """The effects of a statement."""
        if id(statement) not in self.effects:
            self.effects[id(statement)] = statement, effects_of(statement, here.around)
        return self.effects[id(statement)][1]


def place_barriers(kernel: GpuKernel) -> GpuKernel:
    """The kernel with the necessary barriers."""
    walk = Walk(kernel.launch)
    here = Here(Around(watched_buffers(kernel.body) - kernel.own_parts))
    placed, _ = _place(walk, kernel.body, here, ())
    return replace(kernel, body=_thinned(walk, placed, here))


def _thinned(walk: Walk, body: Block, here: Here) -> Block:
    """A block with redundant barriers removed or weakened. Inner loops come first."""
    for barrier, _ in sorted(barriers_in(body), key=lambda entry: -entry[1]):
        for weaker in (None, replace(barrier, scope="warp")):
            if weaker == barrier:
                continue
            candidate = _replace_barrier(body, barrier, weaker)
            if _place(walk, candidate, here, ())[0] is candidate:
                body = candidate
                break
    return body


def barriers_in(block: Block) -> list[tuple[Barrier, int]]:
    """The barriers in a block with the number of loops and conditions around each."""
    return [(one, len(around)) for one, around in enclosed(block) if isinstance(one, Barrier)]


def _replace_barrier(block: Block, barrier: Barrier, weaker: Barrier | None) -> Block:
    """The block with a barrier replaced by a weaker one, or removed."""
    weakened = () if weaker is None else (weaker,)
    return map_statements(block, lambda statement: weakened if statement is barrier else (statement,))


def _place(walk: Walk, block: Block, here: Here, state: State) -> tuple[Block, State]:
    """The block with barriers, given the effects that are pending before it; and the pending effects after it."""
    statements: list[Statement] = []
    for statement in block.statements:
        placed, state = _place_one(walk, statement, here, state)
        statements += placed
        here = behind(statement, here)
    return rebuilt(block, statements), state


def _place_one(
    walk: Walk, statement: Statement, here: Here, state: State
) -> tuple[tuple[Statement, ...], State]:
    if isinstance(statement, Barrier):
        return (statement,), after(state, statement.scope)
    placed: Statement
    control = control_of(walk.launch, statement, here)
    if control == "perhaps" and isinstance(statement, If):
        return _place_before_condition(walk, statement, here, state)
    if control in ("through", "perhaps") and isinstance(statement, For | If):
        body, pending = _place(walk, statement.body, inside(walk.launch, statement, here), state)
        return (with_body(statement, body),), join(state, pending) if control == "perhaps" else pending
    placed, summary = _settle(walk, statement, here, control)
    barriers: list[Statement] = []
    need = needed_barrier(state, summary.first, walk.launch, here.is_warp)
    if need is not None:
        barriers.append(Barrier(*need))
        state = after(state, need[0])
    return (*barriers, placed), join(after(state, summary.through), summary.last)


def _place_before_condition(
    walk: Walk, statement: If, here: Here, state: State
) -> tuple[tuple[Statement, ...], State]:
    """Process a condition that is the same for all threads. A barrier between statements before and inside it is placed
    before it, so that statements after it need no other barrier.
    """
    within = inside(walk.launch, statement, here)
    body, _ = _place(walk, statement.body, within, ())
    summary = _summary(walk, body, within)
    barriers: list[Statement] = []
    need = needed_barrier(state, summary.first, walk.launch, here.is_warp)
    if need is not None:
        barriers.append(Barrier(*need))
        state = after(state, need[0])
    return (*barriers, with_body(statement, body)), join(
        state, join(after(state, summary.through), summary.last)
    )


def _settle(walk: Walk, statement: Statement, here: Here, control: Control) -> tuple[Statement, Summary]:
    """A statement with the barriers that it needs by itself, and its summary."""
    settled: Statement
    cached = walk.settled.get((id(statement), here.is_warp))
    if cached is not None:
        return cached
    if control == "again":
        assert isinstance(statement, For), statement
        settled, summary = _settle_loop(walk, statement, here)
    elif control == "warp":
        settled, summary = _settle_warps(walk, statement, here)
    else:
        effects = walk.effects_of(statement, here)
        _refuse_meeting(walk, statement, effects, ("warp", "block"))
        pending = tuple(dict.fromkeys(map(Pending, effects)))
        settled, summary = statement, Summary(pending, pending)
    walk.settled[(id(settled), here.is_warp)] = settled, summary
    return settled, summary


def _settle_loop(walk: Walk, loop: For, here: Here) -> tuple[For, Summary]:
    """A loop that all threads run uniformly, with barriers between its iterations, too."""
    within = inside(walk.launch, loop, here)
    body, _ = _place(walk, loop.body, within, ())
    while True:
        summary = _summary(walk, body, within)
        next_body, _ = _place(walk, body, within, earlier(summary, loop))
        if next_body is body:
            break
        body = next_body
    return with_body(loop, body), repeated(summary, loop)


def _settle_warps(walk: Walk, statement: Statement, here: Here) -> tuple[Statement, Summary]:
    """A statement that warps run independently: only the lanes of a warp can wait for each other."""
    _refuse_meeting(walk, statement, walk.effects_of(statement, here), ("block",))
    alone = replace(here, same=here.in_warp, is_warp=True)
    (placed,), _ = _place_one(walk, statement, alone, ())
    return placed, replace(_summary(walk, Block((placed,)), alone), through=None)


def _summary(walk: Walk, block: Block, here: Here) -> Summary:
    """The summary of a block with all its barriers."""
    summary = Summary()
    for statement in block.statements:
        if isinstance(statement, Barrier):
            summary = summary.then(Summary(through=statement.scope))
            continue
        control = control_of(walk.launch, statement, here)
        if control in ("through", "perhaps") and isinstance(statement, For | If):
            inner = _summary(walk, statement.body, inside(walk.launch, statement, here))
            summary = summary.then(inner if control == "through" else replace(inner, through=None))
        else:
            summary = summary.then(_settle(walk, statement, here, control)[1])
        here = behind(statement, here)
    return summary


def _refuse_meeting(
    walk: Walk, statement: Statement, effects: list[Effect], meetings: tuple[str, ...]
) -> None:
    """Raise TranslationError if threads would have to wait for each other in a statement that not all of them run."""
    for position, first in enumerate(effects):
        for second in effects[position + 1 :]:
            if meet(first, second, walk.launch) in meetings:
                _refuse(walk, statement, second)


def _refuse(walk: Walk, statement: Statement, effect: Effect) -> NoReturn:
    name = effect.buffer.name
    hint = f"keep {name} in the memory of one thread with toMem(Local), or end the loop before others read {name}"
    match statement:
        case For(count=count, kind=Level(level) as kind):
            running = walk.launch.extent(kind)
            place_text = f"both inside a loop over {show_nat(count)} for {show_nat(running)} units of {level}"
            hint = f"give the loop {show_nat(running)} iterations, one for each unit; or keep {name} in Local"
        case For():
            place_text = "both inside a loop whose length differs between threads"
        case If():
            place_text = "both inside a condition that differs between threads"
        case _:
            place_text = "both in one statement"
    title = (
        f"expected all threads to wait between two uses of {name}, by different threads, found {place_text}"
    )
    fail("divergent-barrier", title, hint, effect.origin)
