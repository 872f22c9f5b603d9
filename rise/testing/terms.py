"""Generates well-typed terms, as Hypothesis strategies: top-down, from a type and a scope.

Uses all primitives whose result has the wanted type, including primitives that are added later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final
from typing import TypeVar as TypeVariable

from hypothesis import reject
from hypothesis import strategies as st

from rise.arguments.mismatches import holds_dependent_pair
from rise.dsl.terms import context_of
from rise.inference.schemes import instantiate_primitive
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node
from rise.primitives import PRIMITIVES, lookup
from rise.records import dataclass
from rise.scalars import SPACES
from rise.terms import App, DepApp, DepLam, Expr, Fact, Lam, Literal, Primitive, Var, abstract
from rise.testing.literals import literals
from rise.testing.schemes import Instance, giving, instance, shapes_of
from rise.testing.types import data_types, scalars, sizes
from rise.types import (
    ArrayType,
    DepFunType,
    DepPairType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    Type,
    TypeVar,
    VectorType,
    abstract_dependent,
    instantiate_dependent,
    type_at,
)

#: the names of binders: names that shadow each other, names of primitives and free variables, and the empty name
NAMES: Final = ("x", "xs", "y", "x", "n", "x1", "N", "acc", "map", "")
DEPTH: Final = 4
T = TypeVariable("T")


@dataclass(frozen=True, slots=True)
class Open:
    """A term with the types of its free variables, as arguments of `parse_expr`."""

    expr: Expr
    context: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Scope:
    """The named variables that a term may mention: values, sizes and types."""

    values: tuple[Var, ...] = ()
    sizes: tuple[Nat, ...] = ()
    types: tuple[TypeVar, ...] = ()


@dataclass(slots=True)
class Maker:
    """Generates one term. `holes` are free variables of types that have no other terms."""

    draw: st.DrawFn
    is_runnable: bool = False
    count: int = 0
    holes: list[Var] = field(default_factory=list)

    def choose(self, items: Sequence[T]) -> T:
        """One of several items; shrinks to the first."""
        return self.draw(st.sampled_from(items))

    def one_in(self, count: int) -> bool:
        """True in one of `count` cases."""
        return self.draw(st.integers(0, count - 1)) == count - 1

    def unique(self) -> str:
        """A name that no text can contain, for a variable that will be bound."""
        self.count += 1
        return f"%{self.count}"

    def parameter(self, scope: Scope) -> Callable[[str], Any]:
        """A function that draws undetermined parameters of a primitive."""

        def draw(kind: str) -> Any:
            if kind == "nat":
                return self.draw(sizes(scope.sizes))
            if kind == "space":
                return Space(self.choose(SPACES))
            if kind == "data":
                return self.draw(data_types(scope.sizes, scope.types, max_leaves=2))
            return self.draw(scalars(kind))

        return draw

    def term(self, t: Type, depth: int, scope: Scope) -> Expr:
        """A term of a type."""
        if depth <= 0:
            return self.leaf(t, scope)
        match self.draw(st.integers(0, 9)):
            case 0:
                return self.leaf(t, scope)
            case 1:
                return self.redex(t, depth, scope)
            case 2:
                return self.dependent_redex(t, depth, scope)
            case 3 if isinstance(t, FunType):
                return self.function(t, depth, scope)
            case 3:
                return self.call(t, depth, scope)
        result = self.by_primitive(t, depth, scope)
        return self.leaf(t, scope) if result is None else result

    def by_primitive(self, t: Type, depth: int, scope: Scope) -> Expr | None:
        """The application of a primitive whose result has the type, or an array literal; None if no primitive was
        found.
        """
        if isinstance(t, ArrayType) and t.size.constant in (1, 2, 3) and self.one_in(4):
            record = lookup(f"makeArray{t.size.constant}")
            assert record is not None
            array: Expr = instantiate_primitive(record, (t.element,))
            for _ in range(t.size.constant):
                array = App(array, self.term(t.element, depth - 1, scope))
            return array
        fitting = giving(t)
        for _ in range(3 if fitting else 0):
            candidate = instance(self.choose(fitting), t, self.parameter(scope))
            if candidate is not None and self.is_fit(candidate):
                return self.applied(candidate, depth, scope)
        return None

    def is_fit(self, candidate: Instance) -> bool:
        """Whether an instance can be evaluated, if that is required, which excludes `cast` of vectors."""
        implicits = candidate.primitive.implicits
        return not (self.is_runnable and any(isinstance(t, VectorType) for t in implicits))

    def applied(self, chosen: Instance, depth: int, scope: Scope) -> Expr:
        """A primitive applied to arguments of its parameters' types."""
        e: Expr = chosen.primitive
        for argument, is_value in zip(chosen.arguments, chosen.takes_value, strict=True):
            if is_value:
                assert isinstance(argument, Type)
                e = App(e, self.term(argument, depth - 1, scope))
            else:
                e = DepApp(e, argument)
        return e

    def redex(self, t: Type, depth: int, scope: Scope) -> Expr:
        """`(fun(x: s => ...))(...)`."""
        s = self.draw(data_types(scope.sizes, scope.types, max_leaves=2))
        return App(self.function(FunType(s, t), depth, scope), self.term(s, depth - 1, scope))

    def dependent_redex(self, t: Type, depth: int, scope: Scope) -> Expr:
        """A function of an explicit or implicit size, applied to a size that occurs in the type of its parameter."""
        given = self.draw(sizes(scope.sizes))
        variable = NatVar(self.unique(), None)
        inside = replace(scope, sizes=(*scope.sizes, nat(variable)))
        element = self.draw(scalars())
        xs = Var(self.unique(), ArrayType(nat(variable), element))
        body = self.term(t, depth - 1, replace(inside, values=(*scope.values, xs)))
        function = self.bind(variable, self.draw(st.booleans()), abstract(body, xs, self.choose(NAMES)))
        argument = self.term(ArrayType(given, element), depth - 1, scope)
        return App(DepApp(function, given), argument)

    def call(self, t: Type, depth: int, scope: Scope) -> Expr:
        """The application of a function in scope whose result has the type; otherwise a leaf."""
        functions = [v for v in scope.values if isinstance(v.given, FunType) and v.given.result == t]
        if not functions:
            return self.leaf(t, scope)
        f = self.choose(functions)
        assert isinstance(f.given, FunType)
        return App(f, self.term(f.given.parameter, depth - 1, scope))

    def function(self, t: FunType, depth: int, scope: Scope) -> Expr:
        """`fun(x: s => ...)`."""
        x = Var(self.unique(), t.parameter)
        body = self.term(t.result, depth - 1, replace(scope, values=(*scope.values, x)))
        return abstract(body, x, self.choose(NAMES))

    def bind(self, variable: NatVar, is_implicit: bool, body: Expr) -> DepLam:
        """A function of a size."""
        inside = abstract_dependent(body, variable)
        return DepLam(self.choose(NAMES), "nat", is_implicit, (), inside)

    def leaf(self, t: Type, scope: Scope) -> Expr:
        """A small term of a type: a variable in scope, or a term built by the type's constructors."""
        known = [v for v in scope.values if v.given == t]
        if known and not self.one_in(4):
            return self.choose(known[::-1])
        type_literals = literals(t)
        if type_literals is not None:
            literal: Expr = self.draw(type_literals)
            return literal
        match t:
            case PairType(first, second):
                pair = self.primitive("pair", first, second)
                return App(App(pair, self.leaf(first, scope)), self.leaf(second, scope))
            case DepPairType(family):
                number = self.choose([nat(known) for known in range(4)])
                pair_at_number = DepApp(self.primitive("makeDepPair", family), number)
                return App(pair_at_number, self.leaf(type_at(family, number), scope))
            case ArrayType() if holds_dependent_pair(t):
                reject()  # not a value: rows of different lengths form a dependent array
            case ArrayType(size, element):
                f = self.function(FunType(IndexType(size), element), 0, scope)
                return App(self.primitive("generate", size, element), f)
            case VectorType(size, element):
                return App(self.primitive("vectorFromScalar", size, element), self.leaf(element, scope))
            case FragmentType(rows, columns, depth, element, role):
                return self.fragment(rows, columns, depth, element, role, scope)
            case FunType():
                return self.function(t, 0, scope)
            case DepFunType(_, "nat", implicit, result):
                variable = NatVar(self.unique(), None)
                inside = replace(scope, sizes=(*scope.sizes, nat(variable)))
                body = self.term(instantiate_dependent(result, variable), 1, inside)
                return self.bind(variable, implicit, body)
        return self.hole(t)

    def fragment(self, m: Nat, n: Nat, k: Nat, t: Type, role: str, scope: Scope) -> Expr:
        """A fragment of any role."""
        if role == "Accum":
            return App(self.primitive("generateFragment", m, n, k, t), self.leaf(t, scope))
        matrix = self.leaf(ArrayType(m, ArrayType(n, t)), scope)
        if role == "AMatrix":
            return App(self.primitive("asFragmentA", m, k, n, t), matrix)
        return App(self.primitive("asFragmentB", k, n, m, t), matrix)

    def primitive(self, name: str, *implicits: Any) -> Primitive:
        """A primitive by its name."""
        return instantiate_primitive(PRIMITIVES[name], implicits)

    def hole(self, t: Type) -> Var:
        """A new free variable, or an existing one of this type."""
        if any(getattr(name, "name", "").startswith("%") for name in t.free):
            reject()
        same = [v for v in self.holes if v.given == t]
        if same:
            return self.choose(same)
        self.holes.append(Var(f"h{len(self.holes)}", t))
        return self.holes[-1]


@st.composite
def open_terms(draw: st.DrawFn, wanted: Type | None = None, using: str = "", depth: int = DEPTH) -> Open:
    """A term over free sizes, types and values: of the type `wanted`, or with the primitive `using`, or an arbitrary
    one.
    """
    maker = Maker(draw)
    free_sizes = tuple(nat(NatVar(name, None)) for name in draw(st.sampled_from(("", "n", "nN", "nmN"))))
    kind = draw(st.sampled_from(("", "num", "floating", "data")))
    free_types = (TypeVar("t", kind),) if kind else ()
    values: list[Var] = []
    for name in draw(st.sampled_from(((), ("x",), ("xs", "x"), ("x", "xs", "f")))):
        given = draw(data_types(free_sizes, free_types, max_leaves=2))
        values.append(Var(name, FunType(given, given) if name == "f" else given))
    scope = Scope(tuple(values), free_sizes, free_types)
    if using:
        e = _with_primitive(maker, using, depth, scope)
    else:
        given = wanted or draw(data_types(free_sizes, free_types, max_leaves=3))
        e = maker.term(given, depth, scope)
    return Open(e, context_of(e))


def _with_primitive(maker: Maker, name: str, depth: int, scope: Scope) -> Expr:
    shape = maker.choose(list(shapes_of(PRIMITIVES[name]))[::-1])
    chosen = instance(shape, None, maker.parameter(scope))
    assert chosen is not None, name
    return maker.applied(chosen, depth, scope)


@st.composite
def terms(draw: st.DrawFn, wanted: Type | None = None, using: str = "", depth: int = DEPTH) -> Expr:
    """A closed term: free variables become parameters, and free sizes and types become implicit or explicit ones."""
    e = draw(open_terms(wanted, using, depth)).expr
    return closed(draw, e)


def closed(draw: st.DrawFn, e: Expr) -> Expr:
    """A term with all free variables bound at its head, some sizes with a fact."""
    for variable in sorted((v for v in e.free if isinstance(v, Var)), key=lambda v: v.name):
        e = abstract(e, variable)
    free: list[Any] = sorted((v for v in e.free if not isinstance(v, Var)), key=lambda v: str(v.name))
    for name in free:
        is_size = isinstance(name, NatVar)
        is_implicit = not is_size or draw(st.booleans())
        facts: tuple[Fact, ...] = ()
        if is_size and is_implicit and draw(st.booleans()):
            facts = (Fact("divides", draw(sizes(())), nat(name)),)
        kind = "nat" if is_size else name.kind
        known = tuple(abstract_dependent(fact, name) for fact in facts)
        e = DepLam(name.name, kind, is_implicit, known, abstract_dependent(e, name))
    return e


def features(e: Expr) -> frozenset[str]:
    """The features of a term, for test coverage: its primitives, functions, literals, names that shadow others."""
    all_features: set[str] = set()
    work: list[tuple[Any, tuple[str, ...]]] = [(e, ())]
    while work:
        node, names = work.pop()
        all_features.update(_features_of(node, names))
        if isinstance(node, Lam | DepLam):
            names = (*names, node.name)
        work += [(part, names) for part in node.parts if isinstance(part, Expr)]
    return frozenset(all_features)


def _features_of(e: Node, names: tuple[str, ...]) -> set[str]:
    match e:
        case Primitive(name, implicits):
            features_found = {f"primitive {name}"}
            if any(isinstance(one, Nat) and one.constant is None for one in implicits):
                features_found.add("symbolic size")
            return features_found
        case Lam(name) | DepLam(name):
            features_found = {"hidden name"} if name and name in names else set()
            features_found |= {"three binders deep"} if len(names) >= 2 else set()
            if isinstance(e, DepLam):
                features_found.add("implicit function" if e.implicit else "explicit function")
                features_found |= {"fact"} if e.facts else set()
            return features_found
        case DepApp():
            return {"dependent application"}
        case App(Lam()):
            return {"redex"}
        case Var():
            return {"free variable"}
        case Literal(_, given):
            kind = given.name if isinstance(given, ScalarType) else type(given).__name__
            value = f"{e.value}" if isinstance(e.value, float) else ""
            return {f"literal {kind}", *([value] if value in ("nan", "inf", "-inf", "-0.0") else [])}
    return set()
