"""The places of parts of an array, one for each iteration of a loop, where the parts may differ in length.

If the lengths are polynomials of the index, so are their sums. If they are the lengths of the rows of an array, the sum
of the lengths of the rows before is an element of the table of this array, which the kernel has loaded.
"""

from __future__ import annotations

from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatVar, const, nat
from rise.records import dataclass
from rise.size_functions import SizeFunction, SizeSum, has_functions, size_at, size_map, size_sum
from rise.types import abstract_dependent
from shine.imperative.levels import level_of
from shine.imperative.nodes import Block, DefineIndex, For, Load, Procedure
from shine.imperative.walk import statements


@dataclass(frozen=True, slots=True)
class RowSums:
    """The variables of a kernel that are sums of functions of sizes.

    `elements` are elements of tables, each with its function and row: the sum of the values before the row. `measures`
    are sizes of the procedure, by the sums that they are.
    """

    elements: dict[NatVar, tuple[SizeFunction, Nat]]
    measures: dict[Atom, Nat]

    def parts(self, size: Nat, loop: For) -> tuple[Nat, Nat] | None:
        """The sum of a size over the iterations before the current one, and over all; None if they are not known. Only
        iterations of loops over levels, or with sizes that differ, have parts of their own.
        """
        index = nat(loop.index)
        rows = {v: self.elements[v] for v in size.free if v in self.elements}
        starts = {function: nat(v) for v, (function, row) in rows.items() if row is index}
        if loop.index not in size.free and not starts:
            return (const(0), size) if level_of(loop) is None else (size * index, size * loop.count)
        ends = {
            v: starts[function] + size_at(function, index)
            for v, (function, row) in rows.items()
            if function in starts and row is index + 1
        }
        each = substitute_naturals(size, ends)
        if any(start.free <= each.free for start in starts.values()):
            return None
        lengths = size_map("i", abstract_dependent(each, loop.index))
        known = {
            atom: start for function, start in starts.items() for atom in _atoms(size_sum(index, function))
        }
        before = substitute_naturals(size_sum(index, lengths), known)
        total = substitute_naturals(size_sum(loop.count, lengths), self.measures)
        return None if has_functions(before) or has_functions(total) else (before, total)


def row_sums(body: Block, procedure: Procedure) -> RowSums:
    """The sums of functions of sizes in a kernel of a procedure."""
    functions = {table.starts.buffers[0].name: table.function for table in procedure.tables}
    elements = {}
    for statement, _ in statements(body):
        match statement:
            case DefineIndex(name, Load(buffer, row)) if buffer.name in functions:
                elements[name] = functions[buffer.name], row
    return RowSums(elements, {atom: nat(name) for name, a in procedure.measures for atom in _atoms(a)})


def _atoms(a: Nat) -> tuple[Atom, ...]:
    """A sum without a formula, if a natural is nothing else."""
    match a.terms:
        case ((((SizeSum() as total, 1),), 1),):
            return (total,)
    return ()
