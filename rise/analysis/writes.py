"""Finds the elements that a low-level program writes in each loop, and whether iterations may run in parallel.

It follows writes like the translation, through names, loops and views whose records say where their operands are
written. Everything else writes each element of its own type once. Knows no statements; that rows of dependent arrays
are disjoint is shown elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from rise.analysis.apart import Position, Store, iterations_apart, scattered_apart, turned
from rise.analysis.ways import Guards, Outwards, filled, first_kept, generating, rearranged, value_of
from rise.inference.schemes import sizes_of
from rise.naturals import Nat, NatVar, const, nat
from rise.nodes import postorder
from rise.primitives import lookup
from rise.primitives.record import Half, PrimitiveRecord, Way
from rise.size_functions import size_map, size_sum
from rise.terms import App, DepLam, Expr, Lam, Primitive, Var, occurs, spine
from rise.types import (
    ArrayType,
    DepArrayType,
    DepFunType,
    FunType,
    PairType,
    Type,
    VectorType,
    abstract_dependent,
    instantiate_dependent,
    type_at,
)

Path: TypeAlias = "tuple[int, ...]"

#: the traits of loops over arrays whose function computes the element
MAPPED: Final = frozenset({"loops", "maps"})


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop around a write: its path, and its index."""

    path: Path
    index: NatVar


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """The memory that a term is written to, its type, and the translation of places through the enclosing terms."""

    number: int
    type: Type
    through: Outwards | None = None
    outer: Target | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A store to an array of numbers, with the loops around it, and the other indices that its index depends on."""

    memory: tuple[int, tuple[int, ...]]
    store: Store
    loops: tuple[Loop, ...]
    moving: tuple[NatVar, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A written part of the program, and the loops around it; `around`: how many are around each variable's binder."""

    term: Expr
    path: Path
    target: Target
    loops: tuple[Loop, ...]
    around: tuple[int, ...]


def not_apart(e: Expr) -> tuple[Path, ...]:
    """The parallel loops of a program whose iterations are not proved to write different elements, outer ones first."""
    walk = _Walk()
    walk.run(e)
    return tuple(sorted(path for path, index in walk.together.items() if not walk.is_apart(path, index)))


@dataclass(slots=True)
class _Walk:
    """One walk; `together` has the parallel loops, `permuted` the indices that differ because their positions do."""

    together: dict[Path, NatVar] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    permuted: dict[NatVar, Position] = field(default_factory=dict)
    scattered: list[NatVar] = field(default_factory=list)
    waiting: list[Part] = field(default_factory=list)
    with_threads: dict[Expr, bool] = field(default_factory=dict)
    count: int = 0

    def run(self, e: Expr) -> None:
        """Find all stores in parallel loops."""
        self.alone(e, (), ())
        while self.waiting:
            self.follow(self.waiting.pop())

    def fresh(self, upper: Nat) -> NatVar:
        """A new index below a size."""
        self.count += 1
        return NatVar(f"#{self.count}", upper)

    def alone(self, e: Expr, path: Path, around: tuple[int, ...]) -> None:
        """A term that is not part of the enclosing write is written to separate memory; so are bodies of functions."""
        if not self.holds_threads(e):
            return
        while True:
            match e:
                case Lam(_, _, body):
                    e, path, around = body, (*path, 0), (0, *around)
                case DepLam(_, kind, _, _, body):
                    size = self.fresh(const(0)) if kind == "nat" else None
                    e = body if size is None else instantiate_dependent(body, nat(NatVar(size.name, None)))
                    path = (*path, 0)
                case _:
                    break
        self.count += 1
        self.waiting.append(Part(e, path, Target(self.count, e.type), (), (0,) * len(around)))

    def holds_threads(self, e: Expr) -> bool:
        """Whether a term contains a parallel loop."""
        if e not in self.with_threads:
            for node in postorder(e):
                if isinstance(node, Expr) and node not in self.with_threads:
                    inside = any(self.with_threads[child] for child in node.children)
                    record = lookup(node.name) if isinstance(node, Primitive) else None
                    self.with_threads[node] = inside or (record is not None and _runs_together(record))
        return self.with_threads[e]

    def follow(self, part: Part) -> None:
        """Go one step inwards."""
        head, arguments = spine(part.term)
        paths = _paths(part)
        match head:
            case Lam(_, _, body) if arguments:
                self.enter(part, body, len(arguments), arguments, paths)
            case Primitive("let") if len(arguments) == 2 and isinstance(arguments[1], Lam):
                self.alone(_term(arguments[0]), paths[0], part.around)
                self.inside(part, arguments[1].body, (*paths[1], 0), len(part.loops))
            case Primitive(name, implicits):
                record = lookup(name)
                dependent = [argument for argument in arguments if not isinstance(argument, Expr)]
                values = [
                    (argument, at)
                    for argument, at in zip(arguments, paths, strict=True)
                    if isinstance(argument, Expr)
                ]
                if record is None or isinstance(part.term.type, FunType | DepFunType):
                    self.fill(part, values)
                else:
                    self.primitive(part, record, (*implicits,), dependent, values)
            case _:
                self.fill(
                    part,
                    [(_term(a), at) for a, at in zip(arguments, paths, strict=True) if isinstance(a, Expr)],
                )

    def enter(
        self, part: Part, body: Expr, count: int, arguments: Sequence[Any], paths: Sequence[Path]
    ) -> None:
        """A function that is applied directly: its body, and its arguments."""
        for argument, at in zip(arguments, paths, strict=True):
            if isinstance(argument, Expr):
                self.alone(argument, at, part.around)
        if count == 1:
            self.inside(part, body, (*part.path, *(0,) * count, 0), len(part.loops))
        else:
            self.fill(part, [])

    def inside(self, part: Part, body: Expr, path: Path, loops: int) -> None:
        """A body with another variable, written to the same place as the whole."""
        around = (loops, *part.around)
        self.waiting.append(Part(body, path, part.target, part.loops, around))

    def primitive(
        self,
        part: Part,
        record: PrimitiveRecord,
        implicits: tuple[Any, ...],
        dependent: Sequence[Any],
        values: list[tuple[Expr, Path]],
    ) -> None:
        """A primitive with all its arguments."""
        terms = [term for term, _ in values]
        match record.name, terms:
            case _, [function, xs] if {*record.traits} >= MAPPED and isinstance(xs.type, ArrayType):
                self.loop(part, record, function, values, xs.type.size)
            case "map", [function, _] if (through := rearranged(function)) is not None:
                self.within(part, values[1], lambda way: first_kept(way, through))
            case "scatter", [indices, xs] if isinstance(xs.type, ArrayType) and isinstance(
                part.term.type, ArrayType
            ):
                base = None if xs.type.size.constant == 1 else self.base(indices, part)
                permuted = self.permutation(generating(indices), part.term.type.size, base)
                self.alone(indices, values[0][1], part.around)
                self.within(part, values[1], lambda way: ((permuted(way[0]), *way[1:]), ()))
            case "reorder", [_, back, xs] if isinstance(xs.type, ArrayType):
                permuted = self.permutation(back, xs.type.size, self.base(back, part))
                for term, at in values[:2]:
                    self.alone(term, at, part.around)
                self.within(part, values[2], lambda way: ((permuted(way[0]), *way[1:]), ()))
            case _ if record.places and len(record.places) == len(values):
                sizes = sizes_of(record, implicits, dependent)
                for place, value in zip(record.places, values, strict=True):
                    self.within(part, value, filled(place, sizes))
            case _:
                self.fill(part, values)

    def within(self, part: Part, value: tuple[Expr, Path], through: Outwards) -> None:
        """An operand that is part of the write."""
        target = Target(part.target.number, part.target.type, through, part.target)
        self.waiting.append(Part(*value, target, part.loops, part.around))

    def loop(
        self, part: Part, record: PrimitiveRecord, function: Expr, values: list[tuple[Expr, Path]], size: Nat
    ) -> None:
        """A loop: the body writes element i. A function that is not a `fun` writes the whole element."""
        (_, place), (xs, at) = values
        self.alone(xs, at, part.around)
        if size.constant == 0:
            return
        index: Nat = const(0)
        loops = part.loops
        if size.constant != 1:
            new_loop = Loop(part.path, self.fresh(size))
            if _runs_together(record):
                self.together[part.path] = new_loop.index
            index, loops = nat(new_loop.index), (*loops, new_loop)
        target = Target(part.target.number, part.target.type, lambda way: ((index, *way), ()), part.target)
        if isinstance(function, Lam):
            self.waiting.append(Part(function.body, (*place, 0), target, loops, (len(loops), *part.around)))
        else:
            assert isinstance(function.type, FunType), function
            unseen = Var("unseen", function.type.result)
            self.waiting.append(Part(unseen, place, target, loops, part.around))

    def fill(self, part: Part, values: Sequence[tuple[Expr, Path]]) -> None:
        """A term that writes each element of its type; its operands are only read."""
        for value, at in values:
            self.alone(value, at, part.around)
        if not any(loop.path in self.together for loop in part.loops):
            return
        for way, moving in self.leaves(part.term.type):
            self.stored(part, way, moving)

    def leaves(self, t: Type) -> Iterator[tuple[Way, tuple[NatVar, ...]]]:
        """The steps to the numbers of a value, and the new indices among them."""
        match t:
            case ArrayType(size, element) | VectorType(size, element):
                if size.constant == 0:
                    return
                step = self.fresh(size)
                index = const(0) if size.constant == 1 else nat(step)
                for way, moving in self.leaves(element):
                    yield (index, *way), (step, *moving)
            case DepArrayType(size, family):
                step = self.fresh(size)
                for way, moving in self.leaves(type_at(family, nat(step))):
                    yield (nat(step), *way), (step, *moving)
            case PairType(first, second):
                for which, half in enumerate((first, second)):
                    for way, moving in self.leaves(half):
                        yield (Half(which), *way), moving
            case _:
                yield (), ()

    def stored(self, part: Part, way: Way, moving: tuple[NatVar, ...]) -> None:
        """Record the store of a number."""
        guards: Guards = ()
        target: Target | None = part.target
        while target is not None and target.through is not None:
            outer = target.through(way)
            if outer is None:
                return
            way, guards = outer[0], (*guards, *outer[1])
            target = target.outer
        halves = tuple(step.which for step in way if isinstance(step, Half))
        index, digits = self.flat(part.target.type, way)
        scattered = tuple(variable for variable in self.scattered if variable in index.free)
        others = (*scattered, *moving, *digits)
        self.written.append(
            Written((part.target.number, halves), Store(index, 1, guards), part.loops, others)
        )

    def flat(self, t: Type, way: Way) -> tuple[Nat, tuple[NatVar, ...]]:
        """The index of a number in memory of a type, row by row; numbers of a dependent array may be anywhere in it."""
        index: Nat = const(0)
        digits: tuple[NatVar, ...] = ()
        for step in way:
            match t, step:
                case ((ArrayType(size, element) | VectorType(size, element)), Nat()):
                    index, t = index * size + step, element
                case DepArrayType(size, family), Nat():
                    t = type_at(family, step)
                    total = size_sum(size, size_map("i", _length(family)))
                    digit = self.fresh(total)
                    index, digits = index * total + digit, (*digits, digit)
                    if isinstance(t, ArrayType):
                        t = ArrayType(const(1), t.element)
                case PairType(first, second), Half(which):
                    t = second if which else first
                case _:
                    raise AssertionError(f"no step {step!r} into {t!r}")
        return index, digits

    def base(self, indices: Expr, part: Part) -> Nat:
        """The sum of the loop indices that `indices` may depend on: of loops around the binders of its variables."""
        depth = max((loops for index, loops in enumerate(part.around) if occurs(indices, index)), default=0)
        total: Nat = const(0)
        for loop in part.loops[:depth]:
            total = total + loop.index
        return total

    def permutation(self, function: Expr | None, size: Nat, base: Nat | None) -> Callable[[Any], Nat]:
        """The value of an injective function at an index: if unknown, a new variable, which differs for different
        positions. Without `base` there is only one index, which is not recorded as differing.
        """
        seen: dict[Nat, Nat] = {}

        def there(k: Nat) -> Nat:
            value = None if function is None else value_of(function, k)
            if value is None:
                value = seen.get(k)
            if value is None:
                variable = self.fresh(size)
                self.scattered.append(variable)
                if base is not None:
                    self.permuted[variable] = Position(k, base)
                value = seen[k] = nat(variable)
            return value

        return there

    def is_apart(self, path: Path, index: NatVar) -> bool:
        """Whether the iterations of a loop write different elements."""
        by_memory: dict[Any, dict[Store, Written]] = {}
        for written in self.written:
            if any(loop.path == path for loop in written.loops):
                by_memory.setdefault(written.memory, {})[written.store] = written
        alike = {frozenset(stores): list(stores.values()) for stores in by_memory.values()}
        return all(self.are_apart(index, stores) for stores in alike.values())

    def are_apart(self, index: NatVar, written: list[Written]) -> bool:
        """Whether a loop's stores to one memory do not overlap."""
        inner: dict[NatVar, None] = {}
        for write in written:
            around = [loop.index for loop in write.loops]
            inner |= dict.fromkeys((*around[around.index(index) + 1 :], *write.moving))
        stores = turned([index, *inner], [write.store for write in written])
        moved = list(inner)
        return any(
            scattered_apart(index, moved, stores, at, self.permuted[at])
            for at in inner
            if at in self.permuted
        ) or iterations_apart(index, moved, stores)


def _term(e: Any) -> Expr:
    assert isinstance(e, Expr), e
    return e


def _paths(part: Part) -> list[Path]:
    """The paths of the arguments of an application."""
    e, path = part.term, part.path
    paths: list[Path] = []
    while e.children:
        if isinstance(e, App):
            paths.append((*path, 1))
        elif isinstance(e, Lam | DepLam):
            break
        else:
            paths.append(path)
        e, path = e.children[0], (*path, 0)
    return paths[::-1]


def _length(family: Any) -> Nat:
    """The length of a row, over its index as the innermost dependent variable."""
    row = NatVar("#row", None)
    t = type_at(family, nat(row))
    length: Nat = t.size if isinstance(t, ArrayType) else const(1)
    with_index: Nat = abstract_dependent(length, row)
    return with_index


def _runs_together(record: PrimitiveRecord) -> bool:
    """Whether iterations of a loop over an array may run at the same time."""
    return bool(record.runs_on) and {*record.traits} >= MAPPED
