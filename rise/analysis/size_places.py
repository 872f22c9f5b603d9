"""Finds the sizes in a term that must be natural numbers, over the names of their binders.

Independent of conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple, TypeAlias, overload

from rise.diagnostics import RiseError
from rise.facts import Facts
from rise.inference.schemes import scheme_of
from rise.naturals import Base, Exponent, Nat, NatBound, NatVar, nat
from rise.node_predicates import Everywhere
from rise.nodes import Node, transform
from rise.primitives import lookup
from rise.printer.spines import Range, literal_of
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeCall, SizeFunBound, SizeFunVar, SizeSum
from rise.terms import App, DepApp, DepLam, Expr, Fact, Lam, Literal, Primitive, Var, spine
from rise.text.names import bounded
from rise.text.nat_printer import show_nat
from rise.types import (
    ArrayType,
    DepArrayType,
    DepFunType,
    FragmentType,
    IndexType,
    Type,
    TypeFamily,
    VectorType,
)

MAX_SCOPE_VARIABLES: Final = 64  # stored in one scope; others are in its outer scope
MAX_SIZE_CHARACTERS: Final = 200  # of a size in a reason

#: terms, and types by their identity, each with the identity of its scope, or of the facts if its sizes need no scope;
#: the values keep the scopes alive, so that identities stay valid
Seen: TypeAlias = dict[tuple[Node | int, int], "Scope"]
Way: TypeAlias = tuple[Any, int] | None  # the way to the parent, and the number of the child
Applications: TypeAlias = tuple["Place", Any] | None  # the first of some applications, and the others


class Path(Sequence[int]):
    """The child indices on the way from a term to a place in it; equal to a tuple of them.

    Until it is first read, it is a chain of steps shared with paths to other places: in a term of n places, tuples
    would hold n * n numbers.
    """

    __slots__ = ("_steps", "_way")

    def __init__(self, way: Way) -> None:
        self._way = way
        self._steps: tuple[int, ...] | None = None

    @property
    def steps(self) -> tuple[int, ...]:
        """The child indices."""
        if self._steps is None:
            numbers: list[int] = []
            way = self._way
            while way is not None:
                way, step = way
                numbers.append(step)
            self._steps = tuple(reversed(numbers))
        return self._steps

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        return self.steps[index]

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path | tuple) and self.steps == tuple(other)

    def __hash__(self) -> int:
        return hash(self.steps)

    def __repr__(self) -> str:
        return repr(self.steps)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.steps,)


def has_plain_size(node: Node) -> bool:
    """Whether a node is not a size, or a plain one: a sum of products of names, which is always natural."""
    kind = type(node)
    if kind is Nat:
        return is_plain(node)  # type: ignore[arg-type]  # as its class says
    return kind is not Literal or type(node.bits) is not int or type(node.given) is not IndexType  # type: ignore[attr-defined]  # as its class says


def is_plain(a: Nat) -> bool:
    """Whether a is trivially a natural."""
    return all(isinstance(c, int) and c > 0 and all(map(_is_plain_power, m)) for m, c in a.terms)


def _is_plain_power(power: tuple[Base, Exponent]) -> bool:
    base, exponent = power
    is_name = isinstance(base, NatVar | NatBound | SizeCall | SizeSum)
    return isinstance(exponent, int) and exponent > 0 and is_name


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The dependent binders around a term, with known facts: the variables of the nearest binders, innermost last, and
    the scope of the outer binders. `values` has the sizes that functions are applied to.
    """

    variables: tuple[NatVar | SizeFunVar | None, ...]
    facts: Facts
    outer: Scope | None = None
    values: tuple[Nat | None, ...] = ()
    #: the results of `named` so far, by the identity of the natural
    _named: dict[int, tuple[Nat, Nat]] = field(default_factory=dict)

    def inside(self, variable: NatVar | SizeFunVar | None, facts: Facts, value: Nat | None = None) -> Scope:
        """The scope below another binder, whose function is applied to a value, if that is known."""
        if len(self.variables) < MAX_SCOPE_VARIABLES:
            return Scope((*self.variables, variable), facts, self.outer, (*self.values, value))
        return Scope((variable,), facts, self, (value,))

    def variable(self, index: int, has_values: bool) -> NatVar | SizeFunVar | Nat:
        """The variable of the `index`-th binder outwards, or its value if that is known and `has_values`."""
        scope = self
        while index >= len(scope.variables):
            index -= len(scope.variables)
            assert scope.outer is not None, f"nothing binds the {index}-th variable"
            scope = scope.outer
        if has_values and (value := scope.values[-1 - index]) is not None:
            return value
        variable = scope.variables[-1 - index]
        assert variable is not None, f"the {index}-th variable is not a size"
        return variable

    def named(self, node: Nat) -> Nat:
        """A natural over the names of the binders, and the values that they have, where it has a value for these."""
        if node.dep_loose == 0:
            return node
        known = self._named.get(id(node))
        if known is None:
            try:
                over_names = self._over(node, has_values=True)
            except (ZeroDivisionError, RiseError):  # divided by 0, or too large
                over_names = self._over(node, has_values=False)
            known = self._named[id(node)] = node, over_names  # the natural is kept alive
        return known[1]

    def _over(self, node: Nat, has_values: bool) -> Nat:
        def visit(part: Node, depth: int, dep_depth: int) -> Node | None:
            match part:
                case NatBound(index) | SizeFunBound(index) if index >= dep_depth:
                    variable = self.variable(index - dep_depth, has_values)
                    return nat(variable) if isinstance(variable, NatVar) else variable
            return None

        with_names: Nat = transform(node, visit, lambda part, depth, dep_depth: part.dep_loose <= dep_depth)
        return with_names


class Place(NamedTuple):
    """A term, the binders around it, its path, and the outermost application whose function it is part of.

    `applied` has the places of the applications that give the term its arguments, the first argument first, as a
    linked list: the places in a term of n arguments share it.
    """

    term: Expr
    scope: Scope
    way: Way
    top: Place | None
    upper: Nat | None  # the exclusive upper bound of the natural that a dependent function binds, if known
    applied: Applications

    @property
    def path(self) -> Path:
        return Path(self.way)

    @property
    def reason(self) -> str:
        """Why the sizes of the term must be natural: `split(32) needs it`."""
        head, arguments = spine((self.top or self).term)
        match literal_of(head, arguments):
            case Range(start, end):
                first, last = (self._shown(size) for size in (start, end))
                return f"[{first}..{last}) needs it"
        match head:
            case Primitive(name):
                shown = [self._shown(a) for a in arguments if isinstance(a, Nat)]
                return f"{name}({', '.join(shown)}) needs it" if shown else f"{name} needs it"
            case Literal(index):
                return f"the index {index!r} needs it"
            case Var(name) | Lam(name):
                return f"the type of `{name}` needs it" if name else "a type needs it"
        return "a type needs it"

    def _shown(self, size: Nat) -> str:
        return bounded(show_nat(self.scope.named(size)), MAX_SIZE_CHARACTERS)


def naturals_in(root: Expr, are_plain: Everywhere | None = None) -> Iterator[tuple[Nat, Place]]:
    """The naturals in a term, over named sizes, each with its place: arguments before functions. With `are_plain`,
    terms for which it holds are skipped.
    """
    outside = Scope((), Facts())
    name_counts = {name.name: 1 for name in root.free if isinstance(name, NatVar)}
    seen: Seen = {}
    stack: list[tuple[Place, bool]] = [(Place(root, outside, None, None, None, None), False)]
    while stack:
        place, is_finished = stack.pop()
        term, scope, way, top, _, _ = place
        if is_finished:
            for a in _own_naturals(term, scope, seen, has_sizes=not _is_at_size(place)):
                yield a, place
            continue
        key = (term, id(scope if term.dep_loose else scope.facts))
        if key in seen or (are_plain is not None and are_plain(term)):
            continue
        seen[key] = scope
        kind = type(term)
        if kind is Lam:
            for a in _sizes(term.parameter, scope, seen):  # type: ignore[attr-defined]  # as its class says
                yield a, place
        elif kind is DepLam:
            scope = _inside(term, scope, name_counts, place)  # type: ignore[arg-type]  # as its class says
        stack.append((place, True))
        is_applied = kind is App or kind is DepApp
        for step, child in enumerate(term.children):
            if step == 0:
                whole = (top or place) if is_applied else None
                below = Place(child, scope, (way, 0), whole, None, _applications(place))
            else:
                upper = _range(term, scope) if isinstance(child, DepLam) and step == 1 else None
                below = Place(child, scope, (way, step), None, upper, None)
            stack.append((below, False))


def _applications(place: Place) -> Applications:
    """The applications that give arguments to the function of an application, or to the body of a function."""
    kind = type(place.term)
    if kind is App or kind is DepApp:
        return place, place.applied
    if (kind is Lam or kind is DepLam) and place.applied:
        return place.applied[1]  # type: ignore[no-any-return]  # the other ones
    return None


def _inside(term: DepLam, scope: Scope, name_counts: dict[str, int], place: Place) -> Scope:
    """The scope of a dependent function's body, which includes the function's facts."""
    value: Nat | None = None
    match place.applied:
        case (Place(DepApp(_, Nat() as argument), outer), _):
            value = outer.named(argument)
    variable: NatVar | SizeFunVar | None = None
    if term.kind in ("nat", SIZE_FUNCTION):
        stem = name = term.name or "n"
        while name in name_counts:
            name_counts[stem] += 1
            name = f"{stem}{name_counts[stem]}"
        name_counts[name] = 1
        variable = NatVar(name, place.upper) if term.kind == "nat" else SizeFunVar(name)
    inner = scope.inside(variable, scope.facts, value)
    if not term.facts:
        return inner
    facts = (Fact(f.relation, inner.named(f.left), inner.named(f.right)) for f in term.facts)
    return scope.inside(variable, scope.facts.and_also(*facts), value)


def _range(e: Expr, scope: Scope) -> Nat | None:
    """The exclusive upper bound of the natural that a primitive passes to its function, if known."""
    match e:
        case App(fun, DepLam()):
            head, _ = spine(fun)
    record = lookup(head.name) if isinstance(head, Primitive) else None
    if record is None or not record.ranges or not isinstance(head, Primitive):
        return None
    names = [name for name, _ in scheme_of(record.scheme).parameters]
    (parameter,) = record.ranges.values()
    size = head.implicits[names.index(parameter)]
    return scope.named(size) if isinstance(size, Nat) else None


def _is_at_size(place: Place) -> bool:
    """Whether a term is applied to a size, so that its type is that of a dependent function."""
    return place.applied is not None and type(place.applied[0].term) is DepApp


def _own_naturals(term: Expr, scope: Scope, seen: Seen, *, has_sizes: bool) -> list[Nat]:
    found: list[Nat] = []
    match term:
        case Primitive(_, implicits):
            found += [scope.named(a) for a in implicits if isinstance(a, Nat)]
        case DepApp(_, Nat() as argument):
            found.append(scope.named(argument))
        case Literal(int() as index, IndexType(size)):
            found.append(scope.named(size) - index - 1)
    if has_sizes:
        found += _sizes(term.type, scope, seen)
    return found


def _sizes(root: Type, scope: Scope, seen: Seen) -> list[Nat]:
    """The sizes in a type, except those under its own binders, which are arguments of its applications."""
    found: list[Nat] = []
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        key = (id(node), id(scope if node.dep_loose else scope.facts))
        if key in seen:
            continue
        seen[key] = scope
        kind = type(node)
        if kind in _OF_SIZE:
            found.append(scope.named(node.size))  # type: ignore[attr-defined]  # as its class says
        elif kind is FragmentType:
            found += map(scope.named, (node.rows, node.columns, node.depth))  # type: ignore[attr-defined]  # as its class says
        elif kind is DepFunType or kind is TypeFamily:
            continue
        stack.extend([part for part in reversed(node.parts) if isinstance(part, Type)])
    return found


#: the types with one size
_OF_SIZE: Final = frozenset((ArrayType, DepArrayType, VectorType, IndexType))
