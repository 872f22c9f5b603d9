"""The state of one translation: statements by scope, names, loops, temporaries. Independent of terms and primitives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Any, Final, NoReturn

from rise.indices import greatest, is_below, is_multiple
from rise.naturals import Nat, NatVar, const, nat
from rise.node_predicates import Everywhere
from rise.nodes import N, Node, transform
from rise.part_names import AND
from rise.primitives import PARALLEL, running_on
from rise.quotients import NatCall, is_nonnegative, minimum
from rise.records import dataclass
from rise.size_functions import SizeCall, SizeFunction, SizeFunVar, SizeSum, size_sum
from rise.types import ArrayType, FragmentType, Type
from shine.imperative.errors import fail
from shine.imperative.names import Names, part_names
from shine.imperative.nodes import (
    I64,
    Allocate,
    Block,
    Buffer,
    Condition,
    Define,
    DefineIndex,
    For,
    If,
    Load,
    Local,
    LoopKind,
    Operation,
    Parameter,
    Statement,
    Table,
    Value,
)
from shine.imperative.vectors import is_temporary
from shine.imperative.walk import loads
from shine.translate.choices import Choices
from shine.translate.layout import Cells, inner_cells, leaves_of
from shine.translate.measured_sizes import measured_head
from shine.translate.paths import Path
from shine.translate.slots import Slots
from shine.translate.trampoline import Task
from shine.translate.values import Reader, is_atomic

MAX_NESTING: Final = 200
#: the levels of a CPU and of a GPU; GPU targets allocate all arrays themselves, or check their alignment
CPU_LEVELS: Final = running_on("processor")
GPU_LEVELS: Final = PARALLEL - CPU_LEVELS


@dataclass(slots=True, eq=False)
class Scope:
    """An unfinished block."""

    parent: Scope | None
    statements: list[Statement] = field(default_factory=list)
    #: the block that this one became part of
    whole: Scope | None = None


class Context:
    """One translation: the current block, the names in use, the levels of the target."""

    def __init__(self, levels: frozenset[str]) -> None:
        self.levels = levels
        self.names = Names()
        self.mutable: set[str] = set()  # buffers that change after they were read
        self.sizes: set[NatVar] = set()  # the procedure's sizes
        self.divisors: dict[NatVar, int] = {}  # known divisors of sizes, from the program's obligations
        self.inputs: dict[str, tuple[Nat, ...]] = {}  # the shapes of the input arrays
        self.distinct: dict[str, Buffer] = {}  # inputs whose indices the entry checks to be distinct
        self.permutations: set[str] = set()  # temporaries whose rows contain each index once
        self.constants: dict[Any, Buffer] = {}  # by their contents
        self.merged: dict[str, Buffer] = {}  # by the name of an inner accumulator: the outer one
        self.tables: dict[SizeFunVar, Buffer] = {}  # the starts of rows, by the function of their lengths
        self.reaches: dict[tuple[SizeFunVar, Nat], None] = {}  # how many values of each are read
        self.derived: dict[SizeFunction, Table] = {}  # tables that are computed from the sizes
        self.measures: dict[Nat, NatVar] = {}  # sums and values of functions that are sizes of the procedure
        self.locals: dict[Local, Value] = {}  # the values of variables for integers
        self.perhaps_empty: set[Nat] = set()  # possible sizes 0 of arrays that numbers become indices of
        self.vectors = 0  # how many vectors are being read lane by lane, each inside of the next one
        self.has_copies = False  # whether a value is marked by `globalToShared`
        self.slots: Slots | None = None  # of the pipelined reduction whose elements are being loaded
        self.choices = Choices()
        self._scope = Scope(None)
        self._depth = 0
        self._has_no_functions = Everywhere(lambda node: not isinstance(node, SizeFunction))
        self._facts: list[tuple[Nat, Nat]] = []  # facts from the guards around the current block
        self._values: dict[tuple[int, int], tuple[Any, Scope, Reader]] = {}
        self._indices: dict[Load | Operation, tuple[Scope, Nat]] = {}

    @property
    def scope(self) -> Scope:
        """The block that statements go to now."""
        return self._scope

    def sees(self, scope: Scope) -> bool:
        """Whether definitions in a block are visible here."""
        while scope.whole is not None:
            scope = scope.whole
        enclosing: Scope | None = self._scope
        while enclosing is not None and enclosing is not scope:
            enclosing = enclosing.parent
        return enclosing is scope

    def emit(self, *statements: Statement) -> None:
        """Append to the current block."""
        self._scope.statements += statements

    @property
    def position(self) -> int:
        """The number of statements in the current block."""
        return len(self._scope.statements)

    def revise(self, start: int, change: Callable[[Block], Block]) -> None:
        """Replace the statements of the current block from a position on."""
        statements = self._scope.statements
        statements[start:] = change(Block(tuple(statements[start:]))).statements

    def open(self) -> None:
        """Begin a block inside the current one."""
        self._scope = Scope(self._scope)

    def close(self) -> Block:
        """End the current block and return it."""
        finished = self._scope
        assert finished.parent is not None, "a block is closed that was not opened"
        self._scope = finished.parent
        return Block(tuple(finished.statements))

    def merge(self) -> None:
        """End the current block and append its statements to the one around it, where what it defines is visible."""
        finished = self._scope
        finished.whole = finished.parent
        self.emit(*self.close().statements)

    def finish(self) -> Block:
        """Return the outermost block."""
        assert self._scope.parent is None, "a block was not closed"
        return Block(tuple(self._scope.statements))

    def lane_of_next(self, count: int) -> NatVar:
        """The variable for the lanes of the next vector: it differs from those of the vectors around it."""
        return NatVar(f"lane{self.vectors or ''}", const(count))

    def define(self, value: Value, name: str, path: Path) -> Value:
        """A new variable for a value, or the value itself if it is atomic."""
        if is_atomic(value):
            return value
        local = Local(self.names.fresh(name or "x"), value.type)
        self.emit(Define(local, value, path.origin))
        if local.type == I64:
            self.locals[local] = value
        return local

    def define_index(self, value: Value, size: Nat | None, path: Path) -> Nat:
        """A natural for an index that is read at run time; it is below `size`, if given."""
        key = value if isinstance(value, Load | Operation) else None
        if key is not None and not any(load.buffer.name in self.mutable for load in loads(key)):
            known_index = self._indices.get(key)
            if known_index is not None and self.sees(known_index[0]):
                return known_index[1]
        variable = NatVar(self.names.fresh("at"), size)
        self.emit(DefineIndex(variable, value, path.origin))
        if key is not None:
            self._indices[key] = (self._scope, nat(variable))
        return nat(variable)

    def measured(self, node: N, path: Path) -> N:
        """A type, size or term in which variables, read from tables, replace the values of size functions."""
        if node.free.isdisjoint(self.tables) and self._has_no_functions(node):
            return node

        def visit(inner: Node, depth: int, dep_depth: int) -> Node | None:
            match inner:
                case SizeSum(count, SizeFunVar() as function) if (
                    count.dep_loose == 0 and function in self.tables
                ):
                    return self._start(function, self.measured(count, path), path)
                case SizeCall(SizeFunVar() as function, row) if (
                    row.dep_loose == 0 and function in self.tables
                ):
                    row = self.measured(row, path)
                    return self._start(function, row + 1, path) - self._start(function, row, path)
                case SizeSum() | SizeCall() if inner.dep_loose == 0:
                    return self._measure(nat(inner), path)
            return measured_head(inner, lambda part: self.measured(part, path))

        return transform(node, visit, lambda inner, depth, dep_depth: not inner.parts)

    def _measure(self, a: Nat, path: Path) -> Nat:
        """A variable for a sum without a closed form: a size of the procedure, unless the sum depends on an index."""
        if not self._is_known(a):
            match a.terms:
                case ((((SizeSum(count, function), 1),), 1),) if self._is_known(function):
                    return self._start_of(function, count, path)
                case ((((SizeCall(function, row), 1),), 1),) if self._is_known(function):
                    return self._start_of(function, row + 1, path) - self._start_of(function, row, path)
            self._refuse_rows(path)
        known = self.measures.get(a)
        if known is None:
            known = self.measures[a] = NatVar(self.names.fresh("sum"), None)
        return nat(known)

    def _is_known(self, node: Node) -> bool:
        """Whether a type or size is known at entry to the procedure."""
        return all(v in self.sizes or v in self.tables for v in node.free)

    def _start_of(self, function: SizeFunction, row: Nat, path: Path) -> Nat:
        """The sum of the values before a row of a function with a formula: from a table computed at entry."""
        loops = [v for v in row.free if isinstance(v, NatVar) and v not in self.sizes]
        count = loops[0].upper if len(loops) == 1 else None
        if count is None or not self._is_known(count) or row.terms[0][0] != ((loops[0], 1),):
            self._refuse_rows(path)
        table = self.derived.get(function)
        if table is None:
            name = self.names.fresh("starts")
            rows = NatVar(self.names.fresh(f"{name}_rows"), None)
            buffer = Buffer(name, I64, nat(rows) + 1, "Global", ())
            table = Table(function, Parameter(name, ArrayType(nat(rows) + 1, I64), (buffer,)), rows, count)
            self.derived[function] = table
        if table.count is not count:
            self._refuse_rows(path)
        return self.define_index(Load(table.starts.buffers[0], row, 1, True, I64), None, path)

    def _refuse_rows(self, path: Path) -> NoReturn:
        title = "expected row lengths whose sum is a polynomial, or a function of sizes, found others"
        hint = "pass the lengths as a function of sizes: `{len: nat -> nat}`"
        fail("rows-without-starts", title, hint, path.origin)

    def _start(self, function: SizeFunVar, row: Nat, path: Path) -> Nat:
        """The sum of a size function's values before a row: a size of the procedure, or read inside the loop."""
        if row.constant == 0:
            return const(0)
        reach, sizes = greatest(row), self.sizes.union(self.measures.values())
        if all(v in sizes for v in reach.free):
            self.reaches[function, reach] = None
        else:  # not known at entry: clamp to the end of the last row
            row = minimum(row, self.tables[function].size - 1)
        if all(isinstance(v, NatVar) and v.upper is None and v in self.sizes for v in row.free):
            known = self.measures.get(size_sum(row, function))
            if known is None:
                known = NatVar(self.names.fresh(f"{function.name}_sum"), None)
                self.measures[size_sum(row, function)] = known
            return nat(known)
        return self.define_index(Load(self.tables[function], row, 1, True, I64), None, path)

    def is_aligned(self, buffer: Buffer, index: Nat, lanes: int) -> bool:
        """Whether a vector of `lanes` lanes at an index is aligned to its size."""
        starts_aligned = is_temporary(buffer) or not self.levels.isdisjoint(GPU_LEVELS)
        return starts_aligned and is_multiple(index, const(lanes), self.divisors)

    def remembered(self, key: tuple[object, object]) -> Reader | None:
        """The value of an expression with the given variables, if it was computed already and is visible here."""
        entry = self._values.get((id(key[0]), id(key[1])))
        return entry[2] if entry is not None and self.sees(entry[1]) else None

    def remember(self, key: tuple[object, object], value: Reader) -> None:
        """Cache the value of an expression for the current block."""
        self._values[(id(key[0]), id(key[1]))] = (key, self._scope, value)

    def allocate(self, t: Type, space: str, name: str, path: Path) -> Cells:
        """Temporaries that hold a value of the type."""
        return self._allocate(t, lambda size: space, name, path)

    def slot_of(self, slots: Slots, t: Type, space: str, name: str, path: Path) -> Cells:
        """The current slot of a temporary whose slots hold values of the type."""
        key = (path.origin, slots.calls[path.origin])
        slots.calls[path.origin] += 1
        if key not in slots.cells:
            self.open()
            cells = self._allocate(ArrayType(const(slots.stages), t), lambda size: space, name, path)
            self.close()
            cells = tuple((replace(buffer, stages=slots.stages), at) for buffer, at in cells)
            slots.allocations += [Allocate(buffer, path.origin) for buffer, _ in cells]
            slots.cells[key] = cells
            self.mutable.update(buffer.name for buffer, _ in cells)
        return inner_cells(slots.cells[key], const(slots.stages), nat(slots.slot))

    @property
    def is_gpu(self) -> bool:
        """Whether the target is a GPU."""
        return not self.levels.isdisjoint(GPU_LEVELS) and self.levels.isdisjoint(CPU_LEVELS)

    def allocate_state(self, t: Type, name: str, path: Path) -> Cells:
        """Temporaries for a loop's state: local, or on a GPU in global memory if the size is not fixed. If threads
        share a local one, the pass `choose_memory` moves it.
        """
        return self._allocate(
            t,
            lambda size: "Global" if self.is_gpu and size.constant is None else "Local",
            name,
            path,
            self.is_gpu,
        )

    def _allocate(
        self, t: Type, space_of: Callable[[Nat], str], name: str, path: Path, is_open: bool = False
    ) -> Cells:
        cells: Cells = ()
        leaves = leaves_of(t, path.origin)
        for leaf, part in zip(leaves, part_names(name, len(leaves)), strict=True):
            size: Nat = self.measured(leaf.size, path)
            buffer = Buffer(self.names.fresh(part), leaf.element, size, space_of(size), path.origin)
            self.emit(Allocate(buffer, path.origin, is_open and not isinstance(leaf.element, FragmentType)))
            cells = (*cells, (buffer, const(0)))
        return cells

    def loop(
        self, kind: LoopKind, count: Nat, name: str, path: Path, body: Callable[[Nat], Task[None]]
    ) -> Task[For | None]:
        """Emit a loop over the indices below the count. If there is at most one iteration, no loop is emitted."""
        known = count.constant
        if known == 0:
            return None
        if known == 1:
            yield body(const(0))
            return None
        self._refuse_deep(path)
        index = NatVar(self.names.fresh(f"i_{name}" if name and AND not in name else "i"), count)
        self._depth += 1
        fact_count = len(self._facts)
        self._facts += facts_inside(count)
        self.open()
        yield body(nat(index))
        block = self.close()
        del self._facts[fact_count:]
        self._depth -= 1
        if not block.statements:
            return None
        loop_statement = For(index, count, kind, block, path.origin)
        self.emit(loop_statement)
        return loop_statement

    def when(self, condition: Condition | None, path: Path, body: Callable[[], Task[None]]) -> Task[None]:
        """Emit the body under the condition (None: it never holds)."""
        if condition is None:
            return
        condition = self.undecided(condition)
        if not condition.below:
            yield body()
            return
        self._refuse_deep(path)
        self._depth += 1
        fact_count = len(self._facts)
        self._facts += condition.below
        self.open()
        yield body()
        block = self.close()
        del self._facts[fact_count:]
        self._depth -= 1
        if block.statements:
            self.emit(If(condition, block, path.origin))

    def _refuse_deep(self, path: Path) -> None:
        self.refuse_deep(self._depth + 1, path)

    def refuse_deep(self, depth: int, path: Path) -> None:
        """Raise TranslationError if loops and branches are nested deeper than passes and compilers support."""
        if depth > MAX_NESTING:
            title = f"expected at most {MAX_NESTING} nested loops and branches, found more"
            hint = "name the value of an inner `if` with `let`, or join dimensions before mapping over them"
            fail("too-deep", title, hint, path.origin)

    def assuming(self, facts: Sequence[tuple[Nat, Nat]], body: Callable[[], Task[None]]) -> Task[None]:
        """Emit the body with a < b known to hold for each pair."""
        fact_count = len(self._facts)
        self._facts += facts
        yield body()
        del self._facts[fact_count:]

    def undecided(self, condition: Condition) -> Condition:
        """The part of a condition that is not implied by the guards around the current block."""
        return Condition(tuple(pair for pair in condition.below if not self.knows(*pair)))

    def knows(self, a: Nat, b: Nat) -> bool:
        """Whether a < b follows from ranges, or from the guards around the current block."""
        return is_below(a, b) or any(is_nonnegative((b - a) - (d - c)) for c, d in self._facts)


def facts_inside(count: Nat) -> list[tuple[Nat, Nat]]:
    """Facts that hold inside a loop of this count, as pairs (a, b) with a < b."""
    facts = [(const(0), count)]
    match count.terms:
        case ((((NatCall("ceil", (dividend, _)), 1),), 1),):
            facts.append((const(0), dividend))
    return facts
