"""Statements of the imperative IR as C: loops, assignments, temporaries. Knows no procedures and no compiler.

A temporary of one element is a variable, one of known and modest size an array on the stack, any other comes
from the heap: the statements after it stand in `if (t != NULL) { ... }`, and it is freed behind them, so that
no path leaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from rise.naturals import NatVar
from rise.scalars import SCALARS
from rise.types import VectorType
from shine.imperative import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    DefineIndex,
    For,
    If,
    Origin,
    Statement,
)
from shine.naturals_text import UNARY
from shine.targets.c.expressions import (
    Context,
    Place,
    bounds_text,
    condition_text,
    element_text,
    index_text,
    trusted,
    value_text,
)
from shine.targets.c.names import Scope
from shine.targets.c.operations import memory_access, vector_type
from shine.targets.c.types import ALIGNMENT, element_name, lanes_of

STACK_PER_BUFFER: Final = 4 * 1024  # bytes; beside a longer one gcc keeps no accumulators in registers
STACK_IN_ALL: Final = 256 * 1024
LONGEST_UNROLLED: Final = 256  # iterations that a compiler is asked to unroll


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source, and the path of what it was translated from."""

    text: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """What encloses statements: the scope, how far they are indented, stack in use, a surrounding parallel
    loop.
    """

    scope: Scope
    indent: int
    stack: int
    is_parallel: bool
    threads: int | None

    def inside(self, *, stack: int | None = None, is_parallel: bool = False) -> Around:
        """One block further in."""
        return Around(
            self.scope.block(),
            self.indent + 1,
            self.stack if stack is None else stack,
            self.is_parallel or is_parallel,
            self.threads,
        )

    def line(self, text: str, origin: Origin | None = None) -> Line:
        """A line of this block."""
        return Line("  " * self.indent + text, origin)


def print_statements(statements: Sequence[Statement], around: Around, context: Context) -> list[Line]:
    """The lines of the statements of a block, in order."""
    lines: list[Line] = []
    for at, statement in enumerate(statements):
        place = Place(context, around.scope, statement.origin)
        match statement:
            case Allocate(buffer) if _is_on_heap(buffer, around.stack):
                return lines + _heap(statements, at, around, context)
            case Allocate(buffer, origin):
                lines.append(around.line(_automatic(buffer, place), origin))
                around = Around(
                    around.scope,
                    around.indent,
                    around.stack + _bytes(buffer),
                    around.is_parallel,
                    around.threads,
                )
            case Assign():
                lines.append(around.line(_assign(statement, place), statement.origin))
            case Define(local, value, origin):
                text = value_text(value, place).code
                name = around.scope.bind(local, local.name)
                lines.append(around.line(f"const {value_type(local.type, context)} {name} = {text};", origin))
            case DefineIndex(variable, value, origin):
                text = value_text(value, place).at(UNARY)
                cast = "" if element_name(value.type) == "i64" else "(int64_t)"
                name = around.scope.bind(variable, variable.name, around.scope.enter_loop())
                lines.append(around.line(f"const int64_t {name} = {cast}{text};", origin))
            case For():
                lines += _loop(statement, around, context)
            case If(condition, body, origin):
                test = condition_text(condition, place)
                if test is not False:
                    head = "{" if test is True else f"if ({test.code}) {{"
                    inner = print_statements(body.statements, around.inside(), context)
                    lines += [around.line(head, origin), *inner, around.line("}", origin)]
            case _:
                assert_never(statement)
    return lines


def value_type(t: object, context: Context) -> str:
    """The C type of a variable, declared."""
    if isinstance(t, VectorType):
        return vector_type(t, context.helpers)
    return context.helpers.element(getattr(t, "name", ""))


def _assign(statement: Assign, place: Place) -> str:
    buffer, value = statement.buffer, statement.value
    element = element_text(buffer, statement.index, place)
    text = value_text(value, place)
    if isinstance(value.type, VectorType) and not isinstance(buffer.element, VectorType):
        aligned = trusted(statement.aligned, buffer)
        store = memory_access(value.type, aligned, place.context.helpers, store=True)
        done = f"{store}(&{element}, {text.code});"
    else:
        done = f"{element} = {text.code};"
    within = bounds_text(buffer, statement.index, lanes_of(value.type), place)
    return f"if ({within}) {done}" if within else done


def _bytes(buffer: Buffer) -> int:
    """How many bytes a buffer takes; -1 where its size is symbolic."""
    count = buffer.size.constant
    width = lanes_of(buffer.element) * SCALARS[element_name(buffer.element)].bits // 8
    return -1 if count is None else max(count, 1) * width


def _is_on_heap(buffer: Buffer, stack: int) -> bool:
    size = _bytes(buffer)
    return size < 0 or size > STACK_PER_BUFFER or stack + size > STACK_IN_ALL


def _automatic(buffer: Buffer, place: Place) -> str:
    """Declare a variable or an array on the stack."""
    c = value_type(buffer.element, place.context)
    name = place.scope.bind(buffer, buffer.name)
    count = buffer.size.constant
    if count == 1:
        place.context.variables.add(buffer)
        return f"{c} {name};"
    return f"_Alignas({ALIGNMENT}) {c} {name}[{max(count or 0, 1)}];"


def _heap(statements: Sequence[Statement], at: int, around: Around, context: Context) -> list[Line]:
    """Allocate the buffers that are declared here in a row, and do the rest if there was memory."""
    allocated: list[tuple[Buffer, str]] = []
    lines: list[Line] = []
    origin = statements[at].origin
    context.helpers.use("allocate")
    while at < len(statements):
        statement = statements[at]
        if not (isinstance(statement, Allocate) and _is_on_heap(statement.buffer, around.stack)):
            break
        buffer = statement.buffer
        place = Place(context, around.scope, statement.origin)
        c = value_type(buffer.element, context)
        count = index_text(buffer.size, place).code
        name = around.scope.bind(buffer, buffer.name)
        allocated.append((buffer, name))
        lines.append(around.line(f"{c} *const {name} = allocate({count}, sizeof({c}));", statement.origin))
        at += 1
    site = context.site("memory", origin, allocated[0][0].name)
    test = " && ".join(f"{name} != NULL" for _, name in allocated)
    lines.append(around.line(f"if ({test}) {{", origin))
    lines += print_statements(statements[at:], around.inside(), context)
    lines.append(around.line("} else {", origin))
    lines.append(around.line(f"  report({site});", origin))
    lines.append(around.line("}", origin))
    lines += [around.line(f"free({name});", origin) for _, name in reversed(allocated)]
    return lines


def parallel_nest(loop: For) -> list[For]:
    """The parallel loops that stand directly in each other and may be run as one, outermost first."""
    nest = [loop]
    indices: set[NatVar] = {loop.index}
    while loop.kind == "parallel":
        match loop.body.statements:
            case (For(kind="parallel") as inner,) if not inner.count.free & indices:
                nest.append(inner)
                indices.add(inner.index)
                loop = inner
            case _:
                break
    return nest


def _loop(loop: For, around: Around, context: Context) -> list[Line]:
    outermost_parallel = loop.kind == "parallel" and not around.is_parallel
    nest = parallel_nest(loop) if outermost_parallel else [loop]
    lines: list[Line] = []
    pragma = _pragma(nest, around)
    if pragma:
        lines.append(around.line(pragma, loop.origin))
    ends: list[Line] = []
    for one in nest:
        count = index_text(one.count, Place(context, around.scope, one.origin)).code
        # Temporaries of a thread are on its own stack.
        inner = around.inside(stack=0 if outermost_parallel else None, is_parallel=outermost_parallel)
        name = inner.scope.bind(one.index, one.index.name, inner.scope.enter_loop())
        lines.append(around.line(f"for (int64_t {name} = 0; {name} < {count}; {name}++) {{", one.origin))
        ends.insert(0, around.line("}", one.origin))
        around = inner
    body: Block = nest[-1].body
    return [*lines, *print_statements(body.statements, around, context), *ends]


def _pragma(nest: Sequence[For], around: Around) -> str:
    loop = nest[0]
    match loop.kind:
        case "seq":
            return ""
        case "unroll":
            count = loop.count.constant
            return f"#pragma GCC unroll {count}" if count and 1 < count <= LONGEST_UNROLLED else ""
        case "parallel" if not around.is_parallel:
            collapse = f" collapse({len(nest)})" if len(nest) > 1 else ""
            threads = f" num_threads({around.threads})" if around.threads else ""
            return f"#pragma omp parallel for{collapse} schedule(static){threads}"
        case "parallel":
            return ""
        case "simd":
            return "#pragma omp simd"
        case _:
            assert_never(loop.kind)
