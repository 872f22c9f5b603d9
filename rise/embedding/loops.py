"""Loops with a symbolic number of iterations, as terms: the body is run on symbolic values that stand for any
iteration.

Depends on what a body changes, but not on Python's syntax.

One subject: a run of a body under a plan, and whether the plan holds.

Note [What a loop carries]
The state of a loop consists of the values of the names that its body assigns and that are read afterwards, and of the
arrays that it assigns to. A first run of the body determines these arrays and the types of numbers; only the term of
the last run is used. If the body only uses the part of an array at one path, such as `c[i, j]`, the state has that
part. The parts of a long state are bound to the user's names in the body. A loop that carries no names, and whose
iteration `i` uses only the elements `i + k` of the arrays that it assigns to, has no state: it is a `generate`. A loop
that only combines a number with others by an associative function is a `reduce`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import RiseError
from rise.dsl.printer import TypeNode
from rise.embedding import ordered_iterations
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.assignments import assigned
from rise.embedding.cells import Cell, Held, Path, UnfocusedError, recorded, restore
from rise.embedding.control_flow import ended_by
from rise.embedding.elementwise import wider_type, with_elements
from rise.embedding.indexing import element_at
from rise.embedding.loop_forms import accumulating, independent, ordered
from rise.embedding.loop_numbers import loop_variable
from rise.embedding.loop_plans import Plan
from rise.embedding.loop_terms import reduced, repeated
from rise.embedding.operands import Size, Unassigned, shown_name
from rise.embedding.places import names_here, refuse
from rise.embedding.ranges import Turns
from rise.embedding.states import (
    is_same,
    is_value,
    is_weak,
    leaves,
    like,
    packed,
    packed_type,
    part_of,
    unpacked,
    zero,
)
from rise.embedding.stores import part_at, put
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, apply, computed, function, shown
from rise.embedding.values import Value, wrap
from rise.naturals import Nat, NatVar, const, nat
from rise.records import dataclass
from rise.types import BOOL, F64, I64, ArrayType, IndexType, PairType, Type, element_of

#: states of more parts than this get a name for each part: the projections `fst(snd(snd(state)))` become long
MOST_UNNAMED: Final = 3
#: the types of a body are found after a few runs, unless they grow endlessly
_MOST_RUNS: Final = 10


class _RunAgainError(Exception):
    """Raised if a body changed more than was planned."""


class GrownError(RiseError):
    """Raised if a name that has a number before a loop has an array after an iteration."""


class UnlikeTurnsError(Exception):
    """Raised if the iterations of a loop over a known range may differ in more than values of arrays."""


class _FormError(Exception):
    """Raised if an iteration assigns a tuple to the name at a position, which has no value before the loop."""

    def __init__(self, position: int, value: tuple[Any, ...]) -> None:
        super().__init__(position)
        self.position, self.value = position, value


def loop(
    turns: Turns,
    body: Callable[..., Any],
    names: Sequence[str],
    values: Sequence[Any],
    target: str,
    flag: str = "",
) -> tuple[Any, ...]:
    """The values of names after a loop. Arrays are changed in place. `flag` is the name of a truth value that the
    iterations change, if one is known.
    """
    trace, born = turns.trace, next(turns.trace.clock)
    trace.turn[-1] += 1
    position = tuple(trace.turn)
    plan = trace.plans.get(position)
    if plan is not None and plan.may_hold(leaves(tuple(values))):
        with recorded(trace) as undo:
            try:
                return _Run(turns, body, names, tuple(values), target, plan, born).result()
            except (_RunAgainError, UnfocusedError, _FormError, UnlikeTurnsError, RiseError, ArithmeticError):
                undo()
    trace.plans.pop(position, None)
    owners = [name for name, value in zip(names, values, strict=True) for _ in leaves(value)]
    plan = Plan([BOOL if flag and name == flag else None for name in owners])
    for _ in range(_MOST_RUNS):
        try:
            result = _Run(turns, body, names, tuple(values), target, plan, born).result()
            if len(position) > 1 and (kept := plan.remembered()) is not None:
                trace.plans[position] = kept
            return result
        except _RunAgainError:
            continue
        except UnfocusedError as error:
            if error.cell not in plan.cells or plan.is_whole:
                raise
            plan.is_whole = plan.is_careful
            plan.is_careful = True
            plan.paths = plan.around if plan.is_whole else plan.paths
        except _FormError as error:
            name = names[error.position]
            none = like(error.value, [Unassigned(name) for _ in leaves(error.value)])
            values = [none if place == error.position else value for place, value in enumerate(values)]
            plan = Plan([None] * len(leaves(tuple(values))))
        except (RiseError, ArithmeticError):
            if turns.is_tried or not plan.carry_numbers(leaves(tuple(values)), turns.trace):
                raise
    title = "expected values of the same type in each iteration of a loop, found types that change"
    refuse("type-mismatch", title, "convert the values: `x.astype(...)`")


@dataclass(frozen=True, slots=True)
class _State:
    """What one iteration passes to the next, under a plan.

    `flat` are the values of names before the loop, `owners` their names, `carried` the positions of those in the state;
    `starts` are the parts of arrays before the loop; `types` are those of the state.
    """

    flat: list[Any]
    owners: list[str]
    carried: list[int]
    starts: list[Part]
    types: list[Type]


@dataclass(slots=True)
class _Run:
    """One run of a loop's body for a plan."""

    turns: Turns
    body: Callable[..., Any]
    names: Sequence[str]
    values: tuple[Any, ...]
    target: str
    plan: Plan
    born: int
    journal: dict[Cell, Held] = field(default_factory=dict)
    #: numbers that each iteration assigns to names without a value before the loop, by their positions
    known: dict[int, bool | int | float] = field(default_factory=dict)
    #: the elements of each array that independent iterations use, if they are written in order
    windows: list[Part] = field(default_factory=list)
    #: whether independent iterations read elements of their arrays by indices that are computed
    is_computed: bool = False

    def result(self) -> tuple[Any, ...]:
        """The values of names after the loop. If the plan does not hold, raises an error that `loop` handles."""
        state, sized = self._state(), self.turns.sized
        starting = [
            _start(state.flat[place], state.owners[place], self.plan.types[place], self.turns.trace)
            for place in state.carried
        ]
        if sized is None:
            return self._after(state, self._end(state, starting))

        def end(count: Nat) -> Part:
            self.turns = replace(self.turns, count=count, sized=None)
            ended = self._end(state, starting, is_inside=True)
            return t.literal(0, I64, self.turns.trace.root) if ended is None else ended

        ended = sized(packed_type(state.types) if state.types else I64, end)
        return self._after(state, ended if state.types else None)

    def _end(self, state: _State, starting: list[Part], is_inside: bool = False) -> Part | None:
        """The state after the loop; None if there is no state, or if the arrays have been assigned to already, unless
        this `is_inside` of a function whose result the state is.
        """
        plan, count = self.plan, self.turns.count
        variable = loop_variable(self.target or "i", count, self.turns.trace)
        f = self._iteration(state, variable)
        if not state.types:
            return None
        if plan.is_apart:
            form = "reduceSeq" if self._is_in_order else "generate"
            self.turns.trace.note_loop(form, independent(self._arrays(), self.is_computed))
            return self._apart(f, state.starts, is_inside)
        start, name = packed([*starting, *state.starts]), self.target or "i"
        flag = ended_by(name, state.owners, state.carried)
        if flag is None:
            end, operation = reduced(f, start, count, name)
            self._note(state, operation)
            return end
        self.turns.trace.note_loop("iterateWhile", "data decide when it ends")
        return repeated(f, start, count, flag, len(state.types))

    def _after(self, state: _State, end: Part | None) -> tuple[Any, ...]:
        """The values of names after the loop."""
        if end is None:
            return self._values(state, self.known)
        return self._assigned(state, unpacked(end, len(state.types)))

    def _note(self, state: _State, operation: str) -> None:
        """Note why this is a `reduce` or a `reduceSeq`."""
        names = list(dict.fromkeys(state.owners[place] for place in state.carried))
        if operation:
            name = names[0] if names else (self._arrays() or [""])[0]
            self.turns.trace.note_loop("reduce", accumulating(name, operation))
            return
        visible = [name for name in names if not name.startswith("__")]
        self.turns.trace.note_loop("reduceSeq", ordered(visible, self._arrays()))

    def _arrays(self) -> list[str]:
        """The user's names for the arrays to which the loop assigns."""
        roots = [cell.root for cell in self.plan.cells]
        return [name for name, value in _arrays_here() if value.cell.root in roots]

    @property
    def _is_in_order(self) -> bool:
        """Whether independent iterations are written one after the other."""
        return self.turns.trace.is_in_order and self.plan.is_apart and not self.plan.is_in_any_order

    def _state(self) -> _State:
        plan = self.plan
        plan.convert_numbers()
        starts = [
            self._if_any(path, partial(part_at, cell, path))
            for cell, path in zip(plan.cells, plan.paths, strict=True)
        ]
        return _State(
            leaves(self.values),
            [name for name, value in zip(self.names, self.values, strict=True) for _ in leaves(value)],
            [position for position, each in enumerate(plan.types) if each is not None],
            starts,
            [each for each in plan.types if each is not None] + [start.type for start in starts],
        )

    def _if_any(self, path: Path, access: Callable[[], Any]) -> Any:
        """Access the part of an array that all iterations use, which only has to be there if there is an iteration."""
        starts = self.turns.starts() if path and self.turns.starts is not None else True
        return self.turns.trace.where(starts.part, access) if isinstance(starts, Value) else access()

    def _iteration(self, state: _State, variable: NatVar) -> Part:
        """The function from the state and the turn's number to the next state. What the body changes is undone."""
        plan, trace = self.plan, self.turns.trace
        logged, loops, forget = len(trace.accesses), dict(trace.loops), trace.results_so_far()
        for cell in plan.cells:
            cell.record()
        before: dict[Cell, Held] = {cell: (cell.now, cell.focus) for cell in plan.cells}
        trace.journals.append(self.journal)
        for cell in plan.moved:
            cell.root.is_moved = True
        index, name = IndexType(self.turns.count), self.target or "i"
        try:
            turn = partial(self._turn, state, variable, logged)
            if self._is_in_order:
                kept = ordered_iterations.state_type(state.starts, self.turns.count)
                arrays = len(plan.cells)
                return function(trace, ["state"] * arrays + [name], [kept] * arrays + [index], turn, ())
            if not state.types or plan.is_apart:
                return function(trace, [name], [index], turn, [TypeNode(index)])
            is_value = len(state.types) == 1 and bool(state.carried)
            state_name = state.owners[state.carried[0]] if is_value else "state"
            return function(trace, [state_name, name], [packed_type(state.types), index], turn, ())
        except BaseException:
            del trace.accesses[logged:]
            forget()
            raise
        finally:
            trace.journals.pop()
            trace.loops.clear()
            trace.loops.update(loops)
            restore(self.journal | before)

    def _turn(self, state: _State, variable: NatVar, logged: int, *given: Part) -> Part:
        """Run the body on the parameters of an iteration: the state, if there is one, and the turn's number."""
        turn = self.turns.trace.turn
        turn.append(0)
        try:
            return self._run(state, variable, logged, given)
        finally:
            turn.pop()

    def _run(self, state: _State, variable: NatVar, logged: int, given: Sequence[Part]) -> Part:
        plan, position = self.plan, given[-1]
        self.turns.trace.loops[variable] = position
        self.windows, self.is_computed = [], False
        has_state = bool(state.types) and not plan.is_apart
        parts = unpacked(given[0], len(state.types)) if has_state else []
        if len(parts) > MOST_UNNAMED:
            self._bind_names(state, parts)
        inside = list(state.flat)
        for place, part in zip(state.carried, parts, strict=False):
            inside[place] = wrap(part)
        number = Size(nat(variable), position.scope)
        for place, cell in enumerate(plan.cells):
            path, step = plan.paths[place], plan.steps[place]
            if plan.is_apart and step is not None:
                at = number.nat + step
                read = element_at(state.starts[place], Size(at, number.scope))
                self._note_window(state.starts[place], read, place, given)
                cell.focus = (*path, at), read
            elif path:
                cell.focus = path, parts[len(state.carried) + place]
            else:
                cell.now = parts[place + len(state.carried)]
        item = self.turns.item(SymbolicSize(number.nat, number.scope))
        results = self.body(item, *like(self.values, inside))
        if plan.has_found_numbers(state.starts):
            raise _RunAgainError
        ended = self._ended(results, state.flat, inside, state.owners, position, variable, logged)
        return packed(ended) if state.types else position

    def _note_window(self, start: Part, read: Part, place: int, given: Sequence[Part]) -> None:
        """Note the elements of an array that independent iterations use, given the one that this iteration reads. If
        the iterations are written in order, read it from their state.
        """
        window = ordered_iterations.window_of(read, given[-1])
        if window is None and self.turns.trace.repeated.get(id(start.syntax)) is not read:
            self.is_computed = True
            if self._is_in_order:
                self.plan.is_in_any_order = True
                raise _RunAgainError
        elif self._is_in_order:
            if window is not None:
                ordered_iterations.read_from(given[:-1], place, read, given[-1])
            used = start.syntax if window is None else window.syntax
            self.windows.append(Part(ArrayType(self.turns.count, read.type), used, start.scope))

    def _bind_names(self, state: _State, parts: Sequence[Part]) -> None:
        """Give the parts of a state the names that their values have in the user's function."""
        arrays = {value.cell.root: name for name, value in _arrays_here()}
        names = [state.owners[place] for place in state.carried]
        names += [arrays.get(cell.root, "") for cell in self.plan.cells]
        for part, name in zip(parts, names, strict=True):
            t.bind(part.trace, part.syntax, "" if name.startswith("__") else name)

    def _assigned(self, state: _State, ends: list[Part]) -> tuple[Any, ...]:
        """The values of names at the end of the loop; arrays are assigned to."""
        plan = self.plan
        after = self.known | dict(zip(state.carried, map(wrap, ends), strict=False))
        for cell, path, part in zip(plan.cells, plan.paths, ends[len(state.carried) :], strict=True):
            self._if_any(path, partial(put, cell, path, (), part))
        return self._values(state, after)

    def _values(self, state: _State, after: Mapping[int, Any]) -> tuple[Any, ...]:
        """The values of names after the loop: those of `after`, by position, and others as before the loop."""
        values = [after.get(position, leaf) for position, leaf in enumerate(state.flat)]
        return tuple(like(self.values, values))

    def _ended(
        self,
        results: tuple[Any, ...],
        flat: list[Any],
        inside: list[Any],
        owners: list[str],
        index: Part,
        variable: NatVar,
        logged: int,
    ) -> list[Part]:
        """The state after an iteration. Raises an error if the plan is not complete."""
        plan = self.plan
        is_complete = True
        ended: list[Part] = []
        for position, (old, leaf) in enumerate(
            zip(inside, _leaves_like(results, self.values, self.names), strict=True)
        ):
            wanted = plan.types[position]
            if plan.is_remembered and wanted is not None:
                if (
                    is_same(old, leaf)
                    or _type_of(flat[position], leaf, index.scope, owners[position]) != wanted
                ):
                    raise _RunAgainError
            if wanted is None:
                if is_same(old, leaf):
                    continue
                if self.turns.is_tried and not (isinstance(leaf, Value) and _is_exact(flat[position], leaf)):
                    if not isinstance(old, Unassigned) or not isinstance(leaf, bool | int | float):
                        raise UnlikeTurnsError
                    self.known[position] = leaf
                    continue
                check_leaf(leaf, owners[position])
                plan.types[position] = _type_of(flat[position], leaf, index.scope, owners[position])
                is_complete = False
                continue
            part = part_of(leaf, index.scope, wanted)
            if part.type != wanted:
                wider = wider_type(wanted, part.type)
                has_type = not is_weak(flat[position]) and not isinstance(flat[position], Unassigned)
                if has_type and wider is None:
                    _changed_type(owners[position], wanted, part.type)
                part = part if wider is None else with_elements(part, element_of(wider))
                if part.type != wanted:
                    plan.types[position] = part.type
                    is_complete = False
            ended.append(part)
        for leaf, one in zip(flat, inside, strict=True):
            is_new = isinstance(leaf, Value) and leaf is not one and leaf.cell not in plan.moved
            if is_new and one.cell in self.journal:
                if self.turns.is_tried:
                    raise UnlikeTurnsError
                plan.moved.append(leaf.cell)
                is_complete = False
        for cell in self.journal:
            if cell.born < self.born and cell not in plan.cells:
                plan.cells.append(cell)
                focus = self.journal[cell][1]
                plan.around.append(() if focus is None else focus[0])
                is_complete = False
        if plan.is_remembered:
            assigned = [cell for cell in self.journal if cell.born < self.born]
            if not is_complete or not plan.is_found(
                assigned, index.trace.accesses[logged:], variable, index.trace
            ):
                raise _RunAgainError
        if not is_complete:
            plan.choose(index.trace.accesses[logged:], variable, index.trace)
            raise _RunAgainError
        return [*ended, *(cell.now if cell.focus is None else cell.focus[1] for cell in plan.cells)]

    def _apart(self, f: Part, starts: Sequence[Part], is_inside: bool) -> Part | None:
        """Assign the results of independent iterations, or return the parts of arrays with them."""
        plan, count = self.plan, self.turns.count
        if self._is_in_order:
            whole = ordered_iterations.in_order(f, self.windows, count, self.target or "i")
        else:
            whole = computed(ArrayType(count, t.result_of(f)), apply("generate", f.syntax), f)
        ends: list[Part] = []
        for place, (cell, path, step) in enumerate(zip(plan.cells, plan.paths, plan.steps, strict=True)):
            assert step is not None
            is_last = place == len(plan.cells) - 1
            rows = whole if is_last else sh.component(whole, 0)
            whole = whole if is_last else sh.component(whole, 1)
            root = cell.trace.root
            cut = slice(Size(step, root), Size(step + count, root))
            is_all = step == const(0) and count == starts[place].shape[0]
            if is_inside:
                ends.append(assigned(starts[place], (cut,), rows))
            else:
                put(cell, path, () if is_all else (cut,), rows)
        return packed(ends) if is_inside else None


def _arrays_here() -> list[tuple[str, Value]]:
    """The arrays and other values of the user's function, with their names."""
    return [
        (name, value)
        for name, value in names_here().items()
        if isinstance(value, Value) and not name.startswith("__")
    ]


def _leaves_like(results: tuple[Any, ...], values: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """The values after an iteration. Raises RiseError if a tuple has another length than before the loop."""
    new: list[Any] = []
    for position, (name, before, after) in enumerate(zip(names, values, results, strict=True)):
        if isinstance(before, Unassigned) and isinstance(after, tuple):
            raise _FormError(position, after)
        found = leaves(after)
        if len(found) != len(leaves(before)):
            count = len(leaves(before))
            title = f"expected {count} values in {shown_name(name)} after an iteration of a loop, found {len(found)}"
            refuse("type-mismatch", title, "give the name a tuple of the same length before the loop")
        new += found
    return new


def _is_exact(before: Any, after: Value) -> bool:
    """Whether the value of a name before a loop is the same in the type that an iteration gives it."""
    if isinstance(before, Value | Unassigned | np.ndarray):
        return True
    return isinstance(before, bool | int | float) and (before in (0, 1) or after.part.type in (F64, I64))


def check_leaf(leaf: Any, name: str) -> None:
    """Refuse a value that cannot be part of the term."""
    if isinstance(leaf, Unassigned):
        leaf.fail()
    if not is_value(leaf):
        found = type(leaf).__name__
        title = f"expected a number or an array in {shown_name(name)}, which a loop or branch changes, found {found}"
        refuse(
            "symbolic-loop",
            title,
            "loops carry numbers, arrays and tuples of them; build lists with `generate`",
        )


def _type_of(before: Any, after: Any, scope: t.Scope, name: str) -> Type:
    """The type of a name in the state, from its values before the loop and after an iteration."""
    if isinstance(before, Unassigned) or (is_weak(before) and not is_weak(after)):
        found = part_of(after, scope).type  # what is no index may stand beside indices
        is_index = isinstance(element_of(found), IndexType)
        return t.array_of(t.shape_of(found), I64) if is_index else found
    check_leaf(before, name)
    if is_weak(before) and is_weak(after):
        types = [part_of(each, scope).type for each in (before, after)]
        return types[1] if types[0] != types[1] and isinstance(after, float | complex) else types[0]
    return part_of(before, scope).type


def _start(before: Any, name: str, wanted: Type | None, trace: t.Trace) -> Part:
    assert wanted is not None
    if isinstance(before, Unassigned):
        return zero(wanted, trace)
    if is_weak(before) and isinstance(wanted, ArrayType):
        _changed_type(name, part_of(before, trace.root).type, wanted)
    part = part_of(before, trace.root, wanted)
    if part.type != wanted and wider_type(part.type, wanted) == wanted:
        part = with_elements(part, element_of(wanted))
    if part.type != wanted:
        _changed_type(name, part.type, wanted)
    return part


def _changed_type(name: str, before: Type, after: Type) -> NoReturn:
    title = (
        f"expected {shown(before)} in {shown_name(name)} after an iteration of the loop, found {shown(after)}"
    )
    hint = f"{shown_name(name)} keeps its type in all iterations: convert it before the loop, or in it"
    try:
        refuse("type-mismatch", title, hint)
    except RiseError as error:
        if isinstance(after, ArrayType) and not isinstance(before, ArrayType | PairType):
            raise GrownError(error.diagnostic) from None
        raise
