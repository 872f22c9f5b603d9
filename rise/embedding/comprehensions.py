"""Comprehensions and generator expressions over arrays and symbolic ranges.

A list of values is an array. `sum`, `any` and `all` of a generator are loops, whose range may depend on the variables
of enclosing loops, and on data. Depends on loops, but not on syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from rise.dsl.printer import TypeNode
from rise.embedding.cells import Cell, view_of
from rise.embedding.loop_numbers import loop_variable
from rise.embedding.places import refuse
from rise.embedding.ranges import Turns, data_range_of, turns_of
from rise.embedding.states import part_of
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, apply, computed, function, result_of
from rise.embedding.values import Value, wrap
from rise.naturals import nat
from rise.records import dataclass
from rise.types import BOOL, ArrayType, IndexType

#: values of a generator that are added without a loop
MOST_LISTED: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Generated:
    """A generator expression: what it runs over, the value of an item, and whether an item has one.

    The value is a generator itself if the expression `is_nested`, as in `x[i, j] for i in range(n) for j in range(m)`.
    `statements` are the statements of the program.
    """

    iterable: Any
    value: Callable[[Any], Any]
    test: Callable[[Any], Any] | None
    is_nested: bool
    statements: Any

    def __iter__(self) -> Iterator[Any]:
        turns = turns_of(self.iterable)
        if isinstance(turns, Turns) and turns.runs is None and isinstance(turns.count.constant, int):
            items = map(turns.item, range(turns.count.constant))
        else:
            items = iter(self.iterable)
        for item in items:
            if self.test is None or self.test(item):
                yield from self.value(item) if self.is_nested else (self.value(item),)

    def folded(self, start: Any, combine: Callable[[Any, Callable[[], Any]], Any]) -> Any:
        """The last state of a loop over the values, each of which is combined with the state before."""

        def step(item: Any, state: Any) -> tuple[Any]:
            if self.is_nested:
                return (self.value(item).folded(state, combine),)
            return (combine(state, lambda: self.value(item)),)

        def body(item: Any, state: Any) -> Any:
            if self.test is None:
                return step(item, state)
            return self.statements.branch(
                self.test(item), lambda now: step(item, now), lambda now: (now,), ["result"], [lambda: state]
            )

        return self.statements.loop(
            self.iterable, body, ["result"], [lambda: start], "", False, False, False
        )[0]

    def summed(self, start: Any = 0) -> Any:
        """`sum`."""
        return self.folded(start, lambda state, value: state + value())

    def any(self) -> Any:
        """`any`."""
        return self.folded(False, self.statements.either)

    def all(self) -> Any:
        """`all`."""
        return self.folded(True, self.statements.both)

    def listed(self) -> Any:
        """The list of the values: an array if there is one for each element of an array, or of a symbolic range."""
        turns = turns_of(self.iterable)
        if turns is None or turns.count.constant is not None or turns.runs is not None:
            return [*self]
        if self.test is not None and not self.is_nested:
            return self._chosen(turns, self.test)
        if self.test is not None:
            title = "expected a list of as many elements as what it runs over has, found one with a condition"
            refuse(
                "data-dependent-size",
                title,
                "keep all of them, `np.where(test, y, 0)`; or state their number, `compress(test, x, n)`",
            )
        whole = _mapped(turns, lambda item: self.value(item).listed() if self.is_nested else self.value(item))
        return whole.reshape(-1) if self.is_nested else whole

    def _chosen(self, turns: Turns, test: Callable[[Any], Any]) -> Any:
        """The values of the items that pass a test, as a mask selects them."""

        def value(item: Any) -> Any:
            is_chosen = part_of(test(item), turns.trace.root, BOOL)
            return turns.trace.where(is_chosen, lambda: self.value(item))

        return _mapped(turns, value)[_mapped(turns, test)]


def _mapped(turns: Turns, value: Callable[[Any], Any]) -> Value:
    """The array of the values of all items."""
    trace, count = turns.trace, turns.count
    start, shared = next(trace.clock), list[Cell]()
    variable, index = loop_variable("i", count, trace), IndexType(count)

    def turn(position: Part) -> Part:
        trace.loops[variable] = position
        try:
            item = turns.item(SymbolicSize(nat(variable), position.scope))
            one = value(item)
            if isinstance(one, Value) and one.ndim and one.cell.root.born < start:
                shared[:] = [one.cell.root]
            return part_of(one, position.scope)
        finally:
            del trace.loops[variable]

    f = function(trace, ["i"], [index], turn, [TypeNode(index)])
    result = computed(ArrayType(count, result_of(f)), apply("generate", f.syntax), f)
    if not shared:
        return wrap(result)
    cell = view_of(shared[0], lambda _: result)  # numpy's list contains views of the array
    cell.since = "a list of its rows"
    return Value(cell)


def is_unknown(given: Generated) -> bool:
    """Whether a generator runs, or may run, over something that Python cannot run over."""
    turns = turns_of(given.iterable)
    is_symbolic = data_range_of(given.iterable) is not None or (
        turns is not None and turns.count.constant is None
    )
    return is_symbolic or given.is_nested


def is_long(given: Generated) -> bool:
    """Whether a generator runs over a known range, and so often that a loop may be compiled faster than all values."""
    return isinstance(given.iterable, range) and len(given.iterable) > MOST_LISTED
