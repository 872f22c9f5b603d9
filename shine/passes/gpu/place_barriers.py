"""Put barriers where a thread reads or changes what another one wrote or read, and nowhere else. Knows no target.

Statements are walked in order with the effects on memory since the last barrier; a barrier is put in front of the
statement that meets one of these, as late as possible. A loop is walked by itself first, each iteration after the
earlier ones; what meets effects from before the loop gets a barrier in front of it. In the end, barriers that later
ones made superfluous are taken out again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NoReturn

from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import Barrier, Block, For, If, Level, Statement
from shine.passes.gpu.conflicts import meet
from shine.passes.gpu.control import Control, Here, behind, control_of, inside
from shine.passes.gpu.effects import Around, Effect, effects_of, watched_buffers
from shine.passes.gpu.pending_accesses import Pending, State, Summary, after, earlier, join, needed, repeated


@dataclass(slots=True, eq=False)
class Walk:
    """One kernel; what is known of its statements, by identity."""

    launch: Launch
    effects: dict[int, tuple[Statement, list[Effect]]] = field(default_factory=dict)
    settled: dict[tuple[int, bool], tuple[Statement, Summary]] = field(default_factory=dict)

    def effects_of(self, statement: Statement, here: Here) -> list[Effect]:
        """The effects of a statement."""
        if id(statement) not in self.effects:
            self.effects[id(statement)] = statement, effects_of(statement, here.around)
        return self.effects[id(statement)][1]


def place_barriers(kernel: GpuKernel) -> GpuKernel:
    """The kernel with the barriers that it needs."""
    walk = Walk(kernel.launch)
    here = Here(Around(watched_buffers(kernel.body)))
    placed, _ = _place(walk, kernel.body, here, ())
    return replace(kernel, body=_thinned(walk, placed, here))


def _thinned(walk: Walk, body: Block, here: Here) -> Block:
    """A block without barriers, or with weaker ones, as far as all are in place still. Inner loops come first."""
    for barrier, _ in sorted(barriers_in(body), key=lambda found: -found[1]):
        for less in (None, replace(barrier, scope="warp")):
            if less == barrier:
                continue
            found = _put(body, barrier, less)
            if _place(walk, found, here, ())[0] is found:
                body = found
                break
    return body


def barriers_in(block: Block) -> list[tuple[Barrier, int]]:
    """The barriers in a block, and how many loops and conditions are around each."""
    found: list[tuple[Barrier, int]] = []
    waiting: list[tuple[Statement, int]] = [(one, 0) for one in reversed(block.statements)]
    while waiting:
        match waiting.pop():
            case Barrier() as barrier, depth:
                found.append((barrier, depth))
            case ((For(body=body) | If(body=body)), depth):
                waiting += [(one, depth + 1) for one in reversed(body.statements)]
            case _:
                pass
    return found


def _put(block: Block, barrier: Barrier, less: Barrier | None) -> Block:
    """The block with another barrier for one, or none."""
    statements: list[Statement] = []
    for statement in block.statements:
        if statement is barrier:
            statements += [] if less is None else [less]
        elif isinstance(statement, For | If):
            body = _put(statement.body, barrier, less)
            statements.append(statement if body is statement.body else replace(statement, body=body))
        else:
            statements.append(statement)
    return _rebuilt(block, statements)


def _rebuilt(block: Block, statements: list[Statement]) -> Block:
    """The block of the statements, the very same if they are."""
    same = len(statements) == len(block.statements) and all(map(_is, statements, block.statements))
    return block if same else Block(tuple(statements))


def _is(one: Statement, other: Statement) -> bool:
    return one is other


def _place(walk: Walk, block: Block, here: Here, state: State) -> tuple[Block, State]:
    """The block with barriers, after effects that are pending; and what is pending in the end."""
    statements: list[Statement] = []
    for statement in block.statements:
        made, state = _place_one(walk, statement, here, state)
        statements += made
        here = behind(statement, here)
    return _rebuilt(block, statements), state


def _place_one(
    walk: Walk, statement: Statement, here: Here, state: State
) -> tuple[tuple[Statement, ...], State]:
    if isinstance(statement, Barrier):
        return (statement,), after(state, statement.scope)
    made: Statement
    control = control_of(walk.launch, statement, here)
    if control in ("through", "perhaps") and isinstance(statement, For | If):
        body, found = _place(walk, statement.body, inside(walk.launch, statement, here), state)
        made = statement if body is statement.body else replace(statement, body=body)
        return (made,), join(state, found) if control == "perhaps" else found
    made, summary = _settle(walk, statement, here, control)
    barriers: list[Statement] = []
    need = needed(state, summary.first, walk.launch, here.is_warp)
    if need is not None:
        barriers.append(Barrier(*need))
        state = after(state, need[0])
    return (*barriers, made), join(after(state, summary.through), summary.last)


def _settle(walk: Walk, statement: Statement, here: Here, control: Control) -> tuple[Statement, Summary]:
    """A statement with the barriers that it needs by itself, and what it does."""
    made: Statement
    known = walk.settled.get((id(statement), here.is_warp))
    if known is not None:
        return known
    if control == "again":
        assert isinstance(statement, For), statement
        made, summary = _settle_loop(walk, statement, here)
    elif control == "warp":
        made, summary = _settle_warps(walk, statement, here)
    else:
        effects = walk.effects_of(statement, here)
        _refuse_meeting(walk, statement, effects, ("warp", "block"))
        pending = tuple(dict.fromkeys(map(Pending, effects)))
        made, summary = statement, Summary(pending, pending)
    walk.settled[(id(made), here.is_warp)] = made, summary
    return made, summary


def _settle_loop(walk: Walk, loop: For, here: Here) -> tuple[For, Summary]:
    """A loop that all threads run alike: barriers between its iterations, too."""
    within = inside(walk.launch, loop, here)
    body, _ = _place(walk, loop.body, within, ())
    while True:
        summary = _summary(walk, body, within)
        more, _ = _place(walk, body, within, earlier(summary, loop))
        if more is body:
            break
        body = more
    made = loop if body is loop.body else replace(loop, body=body)
    return made, repeated(summary, loop)


def _settle_warps(walk: Walk, statement: Statement, here: Here) -> tuple[Statement, Summary]:
    """A statement that not all warps run alike, each by itself: only lanes can wait for each other."""
    _refuse_meeting(walk, statement, walk.effects_of(statement, here), ("block",))
    alone = replace(here, same=here.in_warp, is_warp=True)
    (made,), _ = _place_one(walk, statement, alone, ())
    return made, replace(_summary(walk, Block((made,)), alone), through=None)


def _summary(walk: Walk, block: Block, here: Here) -> Summary:
    """What a block does in which all barriers stand."""
    found = Summary()
    for statement in block.statements:
        if isinstance(statement, Barrier):
            found = found.then(Summary(through=statement.scope))
            continue
        control = control_of(walk.launch, statement, here)
        if control in ("through", "perhaps") and isinstance(statement, For | If):
            inner = _summary(walk, statement.body, inside(walk.launch, statement, here))
            found = found.then(inner if control == "through" else replace(inner, through=None))
        else:
            found = found.then(_settle(walk, statement, here, control)[1])
        here = behind(statement, here)
    return found


def _refuse_meeting(
    walk: Walk, statement: Statement, effects: list[Effect], meetings: tuple[str, ...]
) -> None:
    """Raise a diagnostic if threads would have to wait for each other inside a statement that not all of them run."""
    for position, one in enumerate(effects):
        for other in effects[position + 1 :]:
            if meet(one, other, walk.launch) in meetings:
                _refuse(walk, statement, other)


def _refuse(walk: Walk, statement: Statement, effect: Effect) -> NoReturn:
    name = effect.buffer.name
    hint = f"keep {name} in memory of one thread with toMem(Local), or end the loop where others are to read {name}"
    match statement:
        case For(count=count, kind=Level(level) as kind):
            running = walk.launch.extent(kind)
            found = f"both inside of a loop over {show_nat(count)} for {show_nat(running)} units of {level}"
            hint = f"give the loop as many iterations as there are units, {show_nat(running)}; or keep {name} in Local"
        case For():
            found = "both inside of a loop whose length differs between threads"
        case If():
            found = "both inside of a condition that differs between threads"
        case _:
            found = "both in one statement"
    title = f"expected all threads to wait between two uses of {name}, by different threads, found {found}"
    fail("divergent-barrier", title, hint, effect.origin)
