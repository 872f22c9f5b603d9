"""Statements of the imperative IR as C: loops, assignments, temporaries. Independent of procedures and compilers.

A temporary of one element is a variable. One of a small known size is an array on the stack, any other is on the heap:
the statements after it are inside `if (t != NULL) { ... }`, and it is freed after them, so that no path leaks. All heap
temporaries of a block are allocated together, at the first of them, so that their blocks do not nest. In a loop, a
temporary of unknown size also has an array on the stack, which is used if it is large enough: rows are often short, and
allocating memory takes as long as computing a hundred numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Final, assert_never

from rise.diagnostics import Diagnostic, RiseError
from rise.natural_values import substitute_naturals
from rise.naturals import NatVar, const
from rise.programs.foreign import Foreign
from rise.records import dataclass
from rise.types import ScalarType
from shine.imperative.errors import fail
from shine.imperative.limits import element_bytes, note_bytes
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
    If,
    Level,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Prefetch,
    Statement,
    StoreFragment,
)
from shine.imperative.statements import opposite, while_true
from shine.targets.c.assignments import (
    array_type,
    conditional,
    count_text,
    element_type,
    simple_statement,
)
from shine.targets.c.c11 import ALIGNMENT
from shine.targets.c.expressions import (
    Context,
    Place,
    bounds_text,
    element_text,
    index_text,
    value_text,
    worth_text,
)
from shine.targets.c.foreign import call_of
from shine.targets.c.lines import Line, Page
from shine.targets.c.masked_loads import permutes_masked_loads
from shine.targets.c.shared_naturals import declarations

MAX_NESTED_BLOCKS: Final = 200  # blocks in each other; clang takes 256
STACK_PER_BUFFER: Final = 4 * 1024  # bytes; beside a longer one gcc keeps no accumulators in registers
STACK_IN_ALL: Final = 256 * 1024
TYPICAL_SIZE: Final = (
    256  # of a row in a loop that runs often; temporaries that fit at it get room on the stack
)
LONGEST_UNROLLED: Final = 256  # iterations that a compiler is asked to unroll
#: the types that processors update atomically
_ATOMIC_TYPES: Final = frozenset(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"))


@dataclass(frozen=True, slots=True)
class Around(Page):
    """The context of statements: the page, the bytes of stack in use, and whether a parallel loop encloses them."""

    stack: int
    is_parallel: bool
    threads: int | None
    is_repeated: bool = False  # in a loop

    def inside(
        self, *, stack: int | None = None, is_parallel: bool = False, is_repeated: bool = False
    ) -> Around:
        """The context one block further in."""
        return Around(
            self.scope.block(),
            self.indent + 1,
            self.stack if stack is None else stack,
            self.is_parallel or is_parallel,
            self.threads,
            self.is_repeated or is_repeated,
        )

    def with_stack(self, size: int) -> Around:
        """The same context with more bytes of stack in use."""
        return replace(self, stack=self.stack + size)


def print_statements(statements: Sequence[Statement], around: Around, context: Context) -> list[Line]:
    """The lines of the statements of a block, in order."""
    lines: list[Line] = []
    joined: If | None = None
    shared = declarations(statements, around, lambda one: Place(context, around.scope, one.origin))
    for at, statement in enumerate(statements):
        place = Place(context, around.scope, statement.origin)
        lines += shared(at)
        match statement:
            case Allocate(buffer) if _is_on_heap(buffer, around.stack):
                return lines + _heap(statements[at:], around, context)
            case Allocate(buffer, origin):
                lines.append(around.line(_automatic(buffer, place), origin))
                around = around.with_stack(_bytes(buffer))
            case Assign() | Define() | DefineIndex():
                lines += around.lines(simple_statement(statement, place), statement.origin)
            case For(code=Foreign()):
                lines.append(around.line(call_of(statement, place), statement.origin))
            case For():
                lines += _loop(statement, around, context)
            case If() if statement is joined:
                joined = None  # printed as the `else` of the previous one
            case If():
                joined = opposite(statements, at)
                lines += [] if joined is None else shared(at + 1)
                lines += conditional(statement, around, place, partial(_inside, around, context), joined)
            case AtomicUpdate():
                lines += around.lines(_atomic_update(statement, place), statement.origin)
            case Prefetch(buffer, index, stores, origin):
                address = f"&{element_text(buffer, index, place)}"
                lines.append(around.line(f"__builtin_prefetch({address}{', 1' if stores else ''});", origin))
            case Barrier() | AwaitCopies() | CommitCopies():
                raise AssertionError(f"a statement for the threads of a GPU: {statement!r}")
            case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd() | MapFragment():
                raise AssertionError(f"a statement for the threads of a GPU: {statement!r}")
            case _:
                assert_never(statement)
    return lines


def _inside(around: Around, context: Context, body: Block) -> list[Line]:
    """The lines of a block inside another one."""
    return print_statements(body.statements, around.inside(), context)


def _bytes(buffer: Buffer) -> int:
    """The number of bytes of a buffer; -1 if its size is symbolic."""
    count = buffer.size.constant
    return -1 if count is None else max(count, 1) * element_bytes(buffer)


def _is_on_heap(buffer: Buffer, stack: int) -> bool:
    size = _bytes(buffer)
    return size < 0 or size > STACK_PER_BUFFER or stack + size > STACK_IN_ALL


def _is_row(buffer: Buffer, fits: int) -> bool:
    """Whether a buffer's size is unknown, but small if sizes are, like that of one row and unlike that of many rows."""
    typical = substitute_naturals(buffer.size, dict.fromkeys(buffer.size.free, TYPICAL_SIZE)).constant
    return _bytes(buffer) < 0 and typical is not None and typical <= fits


def _automatic(buffer: Buffer, place: Place) -> str:
    """Declare a variable or an array on the stack."""
    name = place.scope.bind(buffer, buffer.name)
    count = buffer.size.constant
    if count == 1:
        place.context.variables.add(buffer)
        return f"{element_type(buffer, place.context.helpers)} {name};"
    c = array_type(buffer, place.context.helpers)
    return f"_Alignas({ALIGNMENT}) {c} {name}[{max(count or 0, 1)}];"


def _heap(statements: Sequence[Statement], around: Around, context: Context) -> list[Line]:
    """Allocate the buffers that these statements of one block declare, and run the other statements if that
    succeeds.
    """
    if around.indent > MAX_NESTED_BLOCKS:
        title = f"expected at most {MAX_NESTED_BLOCKS} blocks nested in each other, found more"
        hint = "store fewer arrays whose lengths are read from arrays, or compile parts of the program separately"
        raise RiseError(Diagnostic("too-deep", title, hint=hint))
    lines: list[Line] = []
    names: list[str] = []
    frees: list[Line] = []
    origin = statements[0].origin
    context.helpers.use("allocate")
    declared, rest = _declared(statements, around.stack)
    buffers = [statement.buffer for statement in declared]
    for statement in declared:
        buffer = statement.buffer
        place = Place(context, around.scope, statement.origin)
        c = array_type(buffer, context.helpers)
        count = count_text(buffer, place)
        note_bytes(context.noted, (buffer,))
        name = around.scope.bind(buffer, buffer.name)
        names.append(name)
        memory, free = f"allocate({count}, sizeof({c}))", f"give_memory({name});"
        fits = STACK_PER_BUFFER // element_bytes(buffer)
        if around.is_repeated and _is_row(buffer, fits) and around.stack + STACK_PER_BUFFER <= STACK_IN_ALL:
            near = around.scope.bind(name, f"{name}_near")
            lines.append(around.line(f"_Alignas({ALIGNMENT}) {c} {near}[{fits}];", statement.origin))
            memory, free = f"{count} <= {fits} ? {near} : {memory}", f"if ({name} != {near}) {free}"
            around = around.with_stack(STACK_PER_BUFFER)
        lines.append(around.line(f"{c} *const {name} = {memory};", statement.origin))
        frees.insert(0, around.line(free, origin))
    site = context.site("memory", origin, *buffers)
    test = " && ".join(f"{name} != NULL" for name in names)
    lines.append(around.line(f"if ({test}) {{", origin))
    lines += print_statements(rest, around.inside(), context)
    lines.append(around.line("} else {", origin))
    lines.append(around.line(f"  report({site});", origin))
    lines.append(around.line("}", origin))
    return [*lines, *frees]


def _declared(statements: Sequence[Statement], stack: int) -> tuple[list[Allocate], list[Statement]]:
    """The declarations of heap buffers whose sizes are known before these statements; and the other statements."""
    declared: list[Allocate] = []
    rest: list[Statement] = []
    later: set[NatVar] = set()
    for statement in statements:
        match statement:
            case Allocate(buffer) if _is_on_heap(buffer, stack) and not buffer.size.free & later:
                declared.append(statement)
                continue
            case Allocate(buffer) if not _is_on_heap(buffer, stack):
                stack += _bytes(buffer)
            case DefineIndex(name):
                later.add(name)
            case _:
                pass
        rest.append(statement)
    return declared, rest


def parallel_nest(loop: For) -> list[For]:
    """Directly nested parallel loops that may be collapsed into one, outermost first."""
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
    if len(nest) > 1:  # OpenMP counts all of them together
        iterations = prod((member.count for member in nest), start=const(1))
        context.noted.note(iterations, loop.origin, "the number of iterations of parallel loops")
    pragma = _pragma(nest, around, Place(context, around.scope, loop.origin))
    if pragma:
        lines.append(around.line(pragma, loop.origin))
    ends: list[Line] = []
    for member in nest:
        count = index_text(member.count, Place(context, around.scope, member.origin)).code
        # Temporaries of a thread are on its own stack.
        stack = 0 if outermost_parallel else None
        inner = around.inside(stack=stack, is_parallel=outermost_parallel, is_repeated=True)
        name = inner.scope.bind(member.index, member.index.name, inner.scope.enter_loop())
        going = while_true(member)
        also = (
            f" && {value_text(going[0], Place(context, around.scope, member.origin)).code}" if going else ""
        )
        head = f"for (int64_t {name} = 0; {name} < {count}{also}; {name}++) {{"
        lines.append(around.line(head, member.origin))
        ends.insert(0, around.line("}", member.origin))
        around = inner
    innermost = nest[-1]
    if context.helpers.dialect.language == "C" and permutes_masked_loads(innermost):
        lines.append(around.line(f"{context.helpers.use('keep_scalar')}();", innermost.origin))
    going = while_true(innermost)
    body = innermost.body if going is None else going[1]
    return [*lines, *print_statements(body.statements, around, context), *ends]


def _pragma(nest: Sequence[For], around: Around, place: Place) -> str:
    loop = nest[0]
    match loop.kind:
        case "seq":
            return ""
        case "unroll":
            count = loop.count.constant
            return f"#pragma GCC unroll {count}" if count and 1 < count <= LONGEST_UNROLLED else ""
        case "parallel" if not around.is_parallel and around.threads != 1:  # a team of one takes 0.3 us
            collapse = f" collapse({len(nest)})" if len(nest) > 1 else ""
            threads = f" num_threads({around.threads})" if around.threads else ""
            worth = True if loop.worth is None else worth_text(loop.worth, place)
            if worth is False:
                return ""
            short = "" if worth is True else f" if({worth.code})"
            return f"#pragma omp parallel for{collapse} schedule(static){threads}{short}"
        case "parallel":
            return ""
        case "simd":
            return "#pragma omp simd"
        case Level():
            raise AssertionError(f"a loop over the threads of a GPU: {loop!r}")
        case _:
            assert_never(loop.kind)


def _atomic_update(statement: AtomicUpdate, place: Place) -> list[str]:
    """The lines of an update, whose result is unused. Raises TranslationError for types without atomic updates."""
    assert statement.name == "add", f"OpenMP has no such update: {statement!r}"
    element = statement.value.type
    assert isinstance(element, ScalarType), f"an update of a vector: {statement!r}"
    if element.name not in _ATOMIC_TYPES:
        fail(
            "atomic-type",
            f"expected a type that CPUs can add atomically, found {element.name}",
            "add in f32, or use scatterAddSeq",
            statement.origin,
        )
    target = element_text(statement.buffer, statement.index, place)
    lines = ["#pragma omp atomic update", f"{target} += {value_text(statement.value, place).code};"]
    within = bounds_text(statement.buffer, statement.index, 1, place)
    return [f"if ({within}) {{", *(f"  {line}" for line in lines), "}"] if within else lines
