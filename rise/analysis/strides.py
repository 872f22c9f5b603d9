"""The strides in memory of the elements that a reduction, or a nest of maps, reads one after the other.

Independent of strategies and targets.

A term is read on demand, as in `rise.analysis.reads`: views and maps are followed to the arrays in memory, which are
the parameters, and what is stored. For each of these, a reduction has a step for its own loop, and one for each loop
around it: the distance between the numbers that neighbouring iterations read, a natural, in numbers of the array.

Note [Views by their types]
~~~~~~~~~~~~~~~~~~~~~~~~~~~
Only `transpose` and the parts of pairs are followed by name. Any other view of one array is classified by its types:
with one more axis it splits rows, and with one fewer it joins them, where most steps are within a row; with as many
axes it takes elements at the ends, or adds some, which have no place in the array, so that joined rows are not even;
and with the type of an element it selects one. At an index that is read from memory, the distance to the next element
is unknown. Of several arrays, the last one counts. All other views are treated like an array in memory.

One subject: each kind of term is read in its own way, but all by one walk.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Final, TypeAlias

from rise.analysis.reads import reads_in
from rise.naturals import UNIT, ZERO, Nat
from rise.primitives import PROJECTIONS, has_trait, lookup
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive, Var, primitives_in, shift, spine
from rise.types import ArrayType, FunType, IndexType, PairType, ScalarType, Type, is_data

Path: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A distance in memory; None if it is unknown. For joined rows, it is the distance within a row; if the distance
    from one row to the next differs, `row` is the number of elements of a row. `in_parts`: along an axis with
    elements of other arrays, or of none, such as that of a padded array.
    """

    distance: Nat | None
    row: Nat | None = None
    in_parts: bool = False


STAYS: Final = Step(ZERO)


@dataclass(frozen=True, slots=True)
class Reference:
    """Numbers of one array in memory: the step of each remaining axis, and of each enclosing loop, by its number."""

    axes: tuple[Step, ...]
    turns: Mapping[int, Step] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Halves:
    """A pair, or an array of pairs, as the values of both halves."""

    first: Value
    second: Value


Value: TypeAlias = "tuple[Reference, ...] | Halves"
NOTHING: Final[Value] = ()


@dataclass(frozen=True, slots=True)
class Reduction:
    """A reduction to a number: where it is, its steps along its own loop, and those across the map around it.

    There is a step for each array that it reads. If no map is around, or another loop is nearer, `across` is None;
    `around` is the place of that map, `columns` the number of its iterations, and `outer` has the steps across the map
    around that one, if there is one. `selects`: an index is searched.
    `is_repeated`: inside of any loop. `is_demanded`: for an element that a map reads, and computes, more than once.
    """

    path: Path
    along: tuple[Step, ...]
    selects: bool
    is_repeated: bool = False
    is_demanded: bool = False
    across: tuple[Step, ...] | None = None
    around: Path | None = None
    columns: Nat | None = None
    outer: tuple[Step, ...] | None = None


def reductions(e: Expr, selects: bool = False) -> list[Reduction]:
    """The reductions to numbers in a term, or its searches, inner ones first; if read twice, listed twice."""
    if not any(has_trait(name, "reduces") or has_trait(name, "selects") for name in primitives_in(e)):
        return []
    walk = _Walk()
    _run(walk.read(e, (), None, None))
    return [one for one in walk.found if one.selects == selects]


def joins_rows(e: Expr) -> bool:
    """Whether a view in a term may join rows. Otherwise no reduction in it runs over joined rows."""
    stack, seen = [e], {e}
    while stack:
        node = stack.pop()
        if type(node.root) is tuple and _may_join(node, node.root[0]):
            return True
        new = [child for child in node.children if child not in seen]
        stack.extend(new)
        seen.update(new)
    return False


def _may_join(e: Expr, name: str) -> bool:
    """Whether a term is a view without its last array that joins the array's rows, or a view of another kind."""
    t = e.type
    if not isinstance(t, FunType) and not isinstance(e, DepApp):
        return False
    record = lookup(name)
    if record is None or record.level != "view":
        return False
    if not isinstance(t, FunType):
        return is_data(t)  # the last argument is a size: its array is not looked for
    of, to = t.parameter, t.result
    if not isinstance(of, ArrayType) or not isinstance(of.element, ArrayType) or of.element == to:
        return False
    return isinstance(to, ArrayType) and of.element.element == to.element


def element_steps(e: Expr) -> tuple[tuple[Step, ...], ...]:
    """The steps of the axes of an array in each array in memory from which its numbers are computed."""
    return tuple(one.axes for one in _all(_run(_Walk().read(e, (), None, None))))


_Task: TypeAlias = Generator[Any, Any, Any]


def _run(task: _Task) -> Any:
    """Run a task and those that it waits for, without recursion: terms are as deep as pipelines are long."""
    stack, value = [task], None
    while stack:
        try:
            inner = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
        else:
            stack.append(inner)
            value = None
    return value


@dataclass(slots=True)
class _Names:
    """The values of the variables around a term, innermost first."""

    value: Value
    outer: _Names | None


@dataclass(frozen=True, slots=True)
class _Map:
    """A map: its number, its place, and its iterations."""

    number: int
    path: Path
    turns: Nat


@dataclass(slots=True)
class _Walk:
    """Follows reads; `around` is the nearest loop, if that is a map, and `depth` the number of all loops
    around; `demand` says whether what is read is computed for each of many reads, and `often` where such arrays are;
    `nest` has the numbers of the maps around, outermost first.
    """

    found: list[Reduction] = field(default_factory=list)
    loops: int = 0
    depth: int = 0
    demand: bool = False
    often: set[Path] = field(default_factory=set)
    nest: list[int] = field(default_factory=list)

    def read(self, e: Expr, path: Path, names: _Names | None, around: _Map | None) -> _Task:
        """The value of a term."""
        match e:
            case Bound(index):
                while index and names is not None:
                    names, index = names.outer, index - 1
                return in_memory(e.type) if names is None else names.value
            case Lam(_, parameter, body):
                yield self.read(body, (*path, 0), _Names(in_memory(parameter), names), around)
                return NOTHING
            case DepLam():
                yield self.read(e.body, (*path, 0), names, around)
                return NOTHING
            case App() | DepApp():
                return (yield self.application(e, path, names, around))
        return in_memory(e.type) if is_data(e.type) else NOTHING

    def application(self, e: Expr, path: Path, names: _Names | None, around: _Map | None) -> _Task:
        head, places, inner = e, [], path
        while isinstance(head, App | DepApp):
            if isinstance(head, App):
                places.append((head.arg, (*inner, 1)))
            head, inner = head.fun, (*inner, 0)
        operands = places[::-1]
        if isinstance(head, Lam):
            return (yield self.call(head, inner, operands, names, around))
        if not isinstance(head, Primitive) or not is_data(e.type):
            for one, place in operands:
                yield self.read(one, place, names, around)
            return in_memory(e.type) if is_data(e.type) else NOTHING
        demand = self.demand
        self.demand = (demand or path in self.often) and head.name != "toMem"
        value = yield self.primitive(head.name, e, path, operands, names, around)
        self.demand = demand
        return value

    def call(
        self,
        function: Expr,
        inner: Path,
        operands: list[tuple[Expr, Path]],
        names: _Names | None,
        around: _Map | None,
    ) -> _Task:
        """A function that is called immediately: the value that it names is stored, or read at its place."""
        outside = names
        for one, place in operands:
            demand, self.demand = self.demand, self.demand and not _is_stored(one)
            value = yield self.read(one, place, outside, around)
            self.demand = demand
            value = in_memory(one.type) if _is_stored(one) else value
            if not isinstance(function, Lam):
                return NOTHING
            names, function, inner = _Names(value, names), function.body, (*inner, 0)
        return (yield self.read(function, inner, names, around))

    def primitive(
        self,
        name: str,
        e: Expr,
        path: Path,
        operands: list[tuple[Expr, Path]],
        names: _Names | None,
        around: _Map | None,
    ) -> _Task:
        functions = [(one, place) for one, place in operands if not is_data(one.type)]
        values: list[Value] = []
        if has_trait(name, "maps") and functions:
            self.often.update(_read_often(*operands[-1], functions[-1][0]))
        for one, place in operands:
            if is_data(one.type):
                values.append((yield self.read(one, place, names, around)))
        if name in PROJECTIONS and values:
            whole = values[0]
            return NOTHING if not isinstance(whole, Halves) else _half(whole, name)
        if has_trait(name, "pairs") and len(values) == len(PROJECTIONS):
            return Halves(*values)
        if has_trait(name, "maps") and functions and values:
            return (yield self.mapped(e, path, functions[-1], values[-1], names))
        record = lookup(name)
        is_view = record is not None and record.level == "view"
        if is_view and functions and isinstance(functions[-1][0], DepLam):
            return (yield self.called(*functions[-1], names, around))
        for function in functions:
            elements = values[-1] if has_trait(name, "reduces") and values else None
            yield self.applied(function, elements, names)
        is_single, selects = not isinstance(e.type, ArrayType | PairType), has_trait(name, "selects")
        if values and is_single and (selects or has_trait(name, "reduces")):
            self.reduction(path, values[-1], around, selects)
            return NOTHING
        if is_view and not functions:
            return _viewed(name, e, operands, values)
        if is_single:
            return _distinct(one for value in values for one in _all(value) if not one.axes)
        return in_memory(e.type)

    def called(self, body: Expr, place: Path, names: _Names | None, around: _Map | None) -> _Task:
        """The value of a function of a size, which is called once."""
        while isinstance(body, Lam | DepLam):
            if isinstance(body, Lam):
                names = _Names(in_memory(body.parameter), names)
            body, place = body.body, (*place, 0)
        return (yield self.read(body, place, names, around))

    def mapped(
        self, e: Expr, path: Path, function: tuple[Expr, Path], xs: Value, names: _Names | None
    ) -> _Task:
        """An element of a map, with the step from one to the next as its first axis."""
        assert isinstance(e.type, ArrayType), e
        self.loops += 1
        loop = _Map(self.loops, path, e.type.size)
        body, place, binders = _opened(*function)
        for _ in range(binders):
            names = _Names(_each(xs, lambda one: _element(one, loop.number)), names)
        self.depth += 1
        self.nest.append(loop.number)
        value = yield self.read(body, place, names, loop)
        self.nest.pop()
        self.depth -= 1
        return _each(value, lambda one: _collected(one, loop.number))

    def applied(self, function: tuple[Expr, Path], elements: Value | None, names: _Names | None) -> _Task:
        """A function of another loop: its last parameter is an element, the others are where numbers are kept."""
        self.loops += 1
        number = self.loops
        body, place = function
        while isinstance(body, Lam | DepLam):
            if isinstance(body, Lam):
                is_last = not isinstance(body.body, Lam)
                one = in_memory(body.parameter)
                if elements is not None and is_last:
                    one = _each(elements, lambda one: _element(one, number))
                names = _Names(one, names)
            body, place = body.body, (*place, 0)
        if is_data(body.type):
            self.depth += 1
            yield self.read(body, place, names, None)
            self.depth -= 1

    def reduction(self, path: Path, xs: Value, around: _Map | None, selects: bool) -> None:
        read = [one for one in _all(xs) if one.axes]
        along = tuple(one.axes[0] for one in read)
        is_repeated = around is not None or self.depth > 0
        across = None if around is None else tuple(one.turns.get(around.number, STAYS) for one in read)
        place, columns = (None, None) if around is None else (around.path, around.turns)
        outer = None
        if around is not None and len(self.nest) > 1:
            outer = tuple(one.turns.get(self.nest[-2], STAYS) for one in read)
        self.found.append(
            Reduction(path, along, selects, is_repeated, self.demand, across, place, columns, outer)
        )


def in_memory(t: Type, sizes: tuple[Nat, ...] = ()) -> Value:
    """An array in memory, its last axis the densest. Numbers are in registers."""
    match t:
        case ArrayType(size, element):
            return in_memory(element, (*sizes, size))
        case PairType(first, second):
            return Halves(in_memory(first, sizes), in_memory(second, sizes))
        case ScalarType() | IndexType() if sizes:
            axes: list[Step] = []
            step = UNIT
            for size in reversed(sizes):
                axes.append(Step(step))
                step = step * size
            return (Reference(tuple(reversed(axes))),)
    return NOTHING


def _viewed(name: str, e: Expr, operands: list[tuple[Expr, Path]], values: list[Value]) -> Value:
    """See Note [Views by their types]."""
    of = operands[-1][0].type if operands else None
    if not isinstance(of, ArrayType) or not values:
        return in_memory(e.type)
    if of.element == e.type:
        unknown = {loop: Step(None) for value in values[:-1] for loop in _loops(value)}
        return _each(values[-1], lambda one: Reference(one.axes[1:], {**one.turns, **unknown}))
    if not isinstance(e.type, ArrayType):
        return in_memory(e.type)
    if name == "transpose":
        return _each(values[0], lambda one: Reference((*one.axes[1::-1], *one.axes[2:]), one.turns))
    if of.element == e.type.element:
        is_chosen = isinstance(operands[0][0].type, ArrayType) and isinstance(
            operands[0][0].type.element, IndexType
        )
        if not is_chosen and has_trait(name, "rearranges"):
            return values[-1]
        return _each(values[-1], _anywhere if is_chosen else _in_parts)
    if isinstance(e.type.element, ArrayType) and e.type.element.element == of.element:
        row = e.type.element.size if has_trait(name, "rearranges") else None
        return _each(values[0], lambda one: _cut(one, row))
    if isinstance(of.element, ArrayType) and of.element.element == e.type.element:
        row = of.element.size
        return _each(values[-1], lambda one: _joined(one, row))
    return in_memory(e.type)


def _loops(index: Value) -> Iterator[int]:
    """The loops whose iterations have different values of an index that is read from memory."""
    for one in _all(index):
        yield from (loop for loop, step in one.turns.items() if step != STAYS)


def _anywhere(one: Reference) -> Reference:
    """A reference whose first axis is at indices that are read from memory."""
    return Reference((Step(None), *one.axes[1:]), one.turns)


def _in_parts(one: Reference) -> Reference:
    """A reference whose first axis has elements besides those of the array."""
    first, *rest = one.axes
    return Reference((replace(first, in_parts=True), *rest), one.turns)


def _read_often(array: Expr, place: Path, function: Expr) -> Iterator[Path]:
    """Where the arrays of a zip are whose elements a function may read more than once."""
    counts = reads_in(_opened(function, ())[0])
    waiting: list[tuple[Expr, Path, tuple[str, ...]]] = [(array, place, ())]
    while waiting:
        e, at, part = waiting.pop()
        if e.root == ("zip", 2):
            waiting.append((e.children[0].children[1], (*at, 0, 1), (*part, PROJECTIONS[0])))
            waiting.append((e.children[1], (*at, 1), (*part, PROJECTIONS[1])))
        elif isinstance(e.type, ArrayType) and isinstance(e.type.element, ArrayType):
            continue  # a row that is read more than once is named, and stored
        elif not is_nonnegative(UNIT - counts.of(0, part)):
            yield at


def _is_stored(e: Expr) -> bool:
    """An array that is stored when it is named: all but views of variables."""
    if not isinstance(e.type, ArrayType):
        return False
    while isinstance(e, App):
        head = spine(e)[0]
        record = lookup(head.name) if isinstance(head, Primitive) else None
        if record is None or record.level != "view":
            return True
        e = e.arg
    return not isinstance(e, Bound | Var)


def _cut(one: Reference, row: Nat | None) -> Reference:
    step = one.axes[0].distance
    return Reference((Step(None if row is None or step is None else row * step), *one.axes), one.turns)


def _joined(one: Reference, row: Nat) -> Reference:
    outer, inner, *rest = one.axes
    if row is UNIT:
        return Reference((outer, *rest), one.turns)
    is_even = outer.row is None and inner.row is None and not outer.in_parts and not inner.in_parts
    if is_even and inner.distance is not None and outer.distance == row * inner.distance:
        return Reference((inner, *rest), one.turns)
    return Reference((Step(inner.distance, inner.row or row), *rest), one.turns)


def _half(whole: Halves, name: str) -> Value:
    return whole.first if name == PROJECTIONS[0] else whole.second


def _each(value: Value, change: Callable[[Reference], Reference]) -> Value:
    """A value whose references are changed."""
    if isinstance(value, Halves):
        return Halves(_each(value.first, change), _each(value.second, change))
    return tuple(change(one) for one in value)


def _distinct(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Remove duplicates: a number may be used often in what is computed from it, which may itself be used often."""
    found: list[Reference] = []
    for one in references:
        if one not in found:
            found.append(one)
    return tuple(found)


def _all(value: Value) -> tuple[Reference, ...]:
    if isinstance(value, Halves):
        return (*_all(value.first), *_all(value.second))
    return value


def _element(one: Reference, loop: int) -> Reference:
    return Reference(one.axes[1:], {**one.turns, loop: one.axes[0]}) if one.axes else one


def _collected(one: Reference, loop: int) -> Reference:
    turns = {number: step for number, step in one.turns.items() if number != loop}
    return Reference((one.turns.get(loop, STAYS), *one.axes), turns)


def _opened(function: Expr, place: Path) -> tuple[Expr, Path, int]:
    """The body of a function of one value, where it is, and how many values it names."""
    if isinstance(function, Lam):
        return function.body, (*place, 0), 1
    assert isinstance(function.type, FunType), function
    return App(shift(function, 1), Bound(0, function.type.parameter)), (*place, 0), 1
