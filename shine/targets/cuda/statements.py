"""Prints the statements of a kernel: loops, registers, barriers, copies.

Independent of launch arguments and compilers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, assert_never

from rise.programs.foreign import Foreign
from rise.records import dataclass
from rise.types import FragmentType
from shine.imperative.kernels import Launch
from shine.imperative.naturals_text import EITHER
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
    Define,
    DefineIndex,
    FillFragment,
    For,
    Guarded,
    If,
    Level,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Prefetch,
    Statement,
    StoreFragment,
)
from shine.imperative.rewrite import run_of
from shine.imperative.statements import opposite, while_true
from shine.passes.gpu.keep_copies import bytes_of, source_of
from shine.targets.c.assignments import conditional, element_type, simple_statement
from shine.targets.c.expressions import (
    Context,
    Place,
    condition_text,
    element_text,
    index_text,
    value_text,
)
from shine.targets.c.foreign import call_of
from shine.targets.c.lines import Line, Page
from shine.targets.c.shared_naturals import declarations
from shine.targets.cuda.atomics import atomic_text
from shine.targets.cuda.dialect import COPIES
from shine.targets.cuda.fragments import Fragments
from shine.targets.cuda.levels import Hardware, open_level, turns_of
from shine.targets.cuda.usage import Usage

MAX_UNROLLED_ITERATIONS: Final = 64
MAX_UNROLLED_TURNS: Final = 16  # of a thread in nests of loops over levels: unrolled, so that loads overlap
_BARRIERS: Final = {"block": "__syncthreads();", "warp": "__syncwarp();"}


@dataclass(frozen=True, slots=True)
class Kernel:
    """The context for printing the statements of a kernel."""

    context: Context
    hardware: Hardware
    found: Usage
    fragments: Fragments


def print_block(statements: Sequence[Statement], page: Page, kernel: Kernel) -> list[Line]:
    """The lines of the statements of a block, in order."""
    lines: list[Line] = []
    joined: If | None = None
    shared = declarations(statements, page, lambda one: Place(kernel.context, page.scope, one.origin))
    for at, statement in enumerate(statements):
        lines += shared(at)
        place, origin = Place(kernel.context, page.scope, statement.origin), statement.origin
        match statement:
            case Assign(asynchronous=True):
                lines.append(page.line(copy_text(statement, place), origin))
            case Assign() | Define() | DefineIndex():
                lines += page.lines(simple_statement(statement, place), origin)
            case Allocate(buffer):
                lines.append(page.line(_registers(buffer, place, kernel), origin))
            case For(code=Foreign()):
                lines.append(page.line(call_of(statement, place), origin))
            case For():
                lines += _loop(statement, page, place, kernel)
            case If() if statement is joined:
                joined = None  # printed as the `else` of the previous one
            case If():
                joined = opposite(statements, at)
                lines += [] if joined is None else shared(at + 1)
                lines += conditional(statement, page, place, partial(_inside, page, kernel), joined)
            case AtomicUpdate():
                lines.append(page.line(atomic_text(statement, place), origin))
            case Barrier(scope):
                lines.append(page.line(_BARRIERS[scope], origin))
            case Prefetch():
                raise AssertionError(f"a statement for CPUs only: {statement!r}")
            case CommitCopies():
                place.context.helpers.headers.add(COPIES)
                lines.append(page.line("__pipeline_commit();", origin))
            case AwaitCopies(_, prior):
                lines += page.lines(wait_texts(prior, place), origin)
            case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd() | MapFragment():

                def within(block: Block, inside: Page) -> list[Line]:
                    return print_block(block.statements, inside, kernel)

                lines += kernel.fragments.lines(statement, page, place, within)
            case _:
                assert_never(statement)
    return lines


def _inside(page: Page, kernel: Kernel, body: Block) -> list[Line]:
    """The lines of a block inside another one."""
    return print_block(body.statements, page.inside(), kernel)


def _registers(buffer: Buffer, place: Place, kernel: Kernel) -> str:
    """Declare a thread's own variable or array."""
    assert buffer.space == "Local", f"expected an array of one thread, found {buffer!r}"
    if isinstance(buffer.element, FragmentType):
        return kernel.fragments.declaration(buffer, place)
    count = buffer.size.constant
    assert count is not None, f"expected registers of a known size, found {buffer!r}"
    c, name = element_type(buffer, place.context.helpers), place.scope.bind(buffer, buffer.name)
    if count == 1:
        place.context.variables.add(buffer)
        return f"{c} {name};"
    return f"{c} {name}[{max(count, 1)}];"


def _loop(loop: For, page: Page, place: Place, kernel: Kernel) -> list[Line]:
    if isinstance(loop.kind, Level):
        in_turns = _turns_inside(loop, kernel.hardware.launch) <= MAX_UNROLLED_TURNS
        opened = open_level(loop, page, place, kernel.hardware, in_turns)
        body = print_block(loop.body.statements, opened.body, kernel)
        naming = opened.naming
        if naming and opened.body.scope.written.isdisjoint(opened.named):
            opened.body.scope.forget(*opened.named)
            naming = ()
        return [*opened.before, *naming, *body, *opened.after]
    inside = page.inside()
    name = inside.scope.bind(loop.index, loop.index.name, inside.scope.enter_loop())
    count = index_text(loop.count, place).code
    lines = page.lines(["#pragma unroll"] if _is_unrolled(loop, kernel.found) else [], loop.origin)
    integer, going = kernel.hardware.counting, while_true(loop)
    test = f"{name} < {count}" if going is None else f"{name} < {count} && {value_text(going[0], place).code}"
    lines.append(page.line(f"for ({integer} {name} = 0; {test}; {name}++) {{", loop.origin))
    inner = loop.body if going is None else going[1]
    return [*lines, *print_block(inner.statements, inside, kernel), page.line("}", loop.origin)]


def _turns_inside(loop: For, launch: Launch) -> int:
    """How often a thread runs the body of a loop over threads of a block; more than the maximum if it contains other
    loops.
    """
    if not isinstance(loop.kind, Level) or loop.kind.name not in ("threads", "warp", "lane"):
        return MAX_UNROLLED_TURNS + 1
    inner = [_turns_inside(one, launch) for one in loop.body.statements if isinstance(one, For)]
    return (turns_of(loop, launch) or MAX_UNROLLED_TURNS + 1) * max(inner, default=1)


def _is_unrolled(loop: For, found: Usage) -> bool:
    """Whether a loop should be unrolled, or must be because it indexes registers."""
    known = loop.count.constant
    few = known is not None and known <= MAX_UNROLLED_ITERATIONS
    return loop.kind == "unroll" or (few and loop.index in found.counted)


def copy_text(store: Assign, place: Place) -> str:
    """A statement that starts a copy; if its condition does not hold, it writes zeros and reads nothing."""
    load, lanes, size = source_of(store.value), run_of(store.buffer, store.value), bytes_of(store)
    assert load is not None, f"nothing that can be copied asynchronously: {store!r}"
    place.context.helpers.headers.add(COPIES)
    to = f"&{element_text(store.buffer, store.index, place, lanes)}"
    source = f"&{element_text(load.buffer, load.index, place, lanes)}"
    holds = condition_text(store.value.condition, place) if isinstance(store.value, Guarded) else True
    if holds is True:
        return f"__pipeline_memcpy_async({to}, {source}, {size});"
    nowhere = place.scope.name(load.buffer)
    if holds is False:
        return f"__pipeline_memcpy_async({to}, {nowhere}, {size}, {size});"
    test = holds.at(EITHER)
    return f"__pipeline_memcpy_async({to}, {test} ? {source} : {nowhere}, {size}, {test} ? 0 : {size});"


def wait_texts(prior: int | None, place: Place) -> list[str]:
    """Statements that wait for the copies that the thread has started: for all, or for all groups except the latest
    ones.
    """
    place.context.helpers.headers.add(COPIES)
    if prior is None:
        return ["__pipeline_commit();", "__pipeline_wait_prior(0);"]
    return [f"__pipeline_wait_prior({prior});"]
