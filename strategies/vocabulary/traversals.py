"""Traversals and predicates for RISE terms, named as in the papers.

Depends on the forms of terms, but not on rules.

`body`, `argument` and the like select one part of a term, and fail for terms without it. The three orders determine
which part of an application is visited first by traversals of whole terms: `inOrder(default)(topDown(s))`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from elevate import Predicate, Strategy, Traversal, applyNTimes, child, id_, named, normalize, where
from elevate.congruences import Focus, HasRoot, focus, test
from elevate.directed_strategies import Directed, Orders
from elevate.orders import Order, firstToLast, lastToFirst
from rise.primitives import PARALLEL, applied, running_on, with_trait
from rise.primitives.record import RunsOn
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var
from rise.types import FunType, ScalarType, Type


def _default(e: Expr) -> Sequence[int]:
    return (1, 0) if isinstance(e, App) and not isinstance(e.arg.type, FunType) else range(len(e.children))


#: RISE's order: the argument before the function, unless the argument is a function itself
default: Final = Order("default", _default)
#: the function first; the order of this library unless a strategy says otherwise
alternative: Final = Order("alternative", firstToLast.indices)
#: the argument first
alternative2: Final = Order("alternative2", lastToFirst.indices)

#: the primitives that map a function over an array, with that function first
MAPS: Final = with_trait("maps")
#: the primitives that combine elements from the left, on one thread or in a way that is not specified yet
FOLDS: Final = with_trait("reduces") - PARALLEL
#: the primitives that also return the result after each element
SCANS: Final = with_trait("scans") - PARALLEL
#: the same, applied to all of their operands
FOLDED: Final = applied(FOLDS)
SCANNED: Final = applied(SCANS)


def maps_on(*levels: RunsOn) -> frozenset[Hashable]:
    """The roots of maps over elements or rows that run on one of these levels."""
    return applied((MAPS | with_trait("rows")) & running_on(*levels))


@dataclass(frozen=True, slots=True)
class Applied(Predicate):
    """Holds for applications of primitives to as many arguments as `roots` says."""

    label: str
    roots: frozenset[Hashable]

    @property
    def depth(self) -> int:
        return 0

    def holds(self, term: Any) -> bool:
        return bool(term.root in self.roots)

    def show(self, binding: int = 0) -> str:
        return self.label


@partial(where, roots=("Lam",), depth=0)
def isLambda(e: Expr) -> bool:
    """`fun(x => b)`"""
    return isinstance(e, Lam)


@partial(where, roots=("DepLam",), depth=0)
def isDepLambda(e: Expr) -> bool:
    """`fun(n: nat => b)`"""
    return isinstance(e, DepLam)


@partial(where, roots=("Lam", "DepLam"), depth=0)
def isFunction(e: Expr) -> bool:
    """A lambda over a value, a size or a type."""
    return isinstance(e, Lam | DepLam)


@partial(where, depth=0)
def isApplication(e: Expr) -> bool:
    """`f(x)`"""
    return isinstance(e, App)


@partial(where, depth=0)
def isDepApplication(e: Expr) -> bool:
    """A function applied to a size, a type or an address space."""
    return isinstance(e, DepApp)


@partial(where, roots=("Bound", "Var"), depth=0)
def isIdentifier(e: Expr) -> bool:
    """A variable."""
    return isinstance(e, Bound | Var)


@partial(where, roots=("Literal",), depth=0)
def isLiteral(e: Expr) -> bool:
    """A number."""
    return isinstance(e, Literal)


@partial(where, depth=0)
def isPrimitive(e: Expr) -> bool:
    """A primitive without arguments."""
    return isinstance(e, Primitive)


@where
def isAppliedLet(e: Expr) -> bool:
    """`let v f`, or an immediately applied function: both name a value."""
    return e.root == ("let", 2) or (isinstance(e, App) and isinstance(e.fun, Lam))


@where
def isVectorizeablePrimitive(e: Expr) -> bool:
    """A primitive from numbers to a number, which vector units apply lane by lane."""
    if not isinstance(e, Primitive) or not isinstance(e.type, FunType):
        return False
    t: Type = e.type
    while isinstance(t, FunType):
        if not isinstance(t.parameter, ScalarType):
            return False
        t = t.result
    return isinstance(t, ScalarType)


isAppliedMap: Final = Applied("isAppliedMap", applied(["map"]))
isAppliedReduce: Final = Applied("isAppliedReduce", FOLDED)
isAppliedScan: Final = Applied("isAppliedScan", SCANNED)
isAppliedZip: Final = Applied("isAppliedZip", applied(["zip"]))
isAppliedTranspose: Final = Applied("isAppliedTranspose", applied(["transpose"]))
_isAnyMap: Final = Applied("isAnyMap", applied(MAPS))


def is_(*names: str) -> Strategy:
    """Holds for these primitives without arguments: `is_("map", "mapSeq")`."""
    return Applied(f"is_({', '.join(map(repr, names))})", frozenset((name, 0) for name in names))


#: the function of an application
function: Traversal = focus("function", isApplication, (0,))
#: the argument of an application
argument: Traversal = focus("argument", isApplication, (1,))
#: the function that is applied to a size, a type or an address space
depFunction: Traversal = focus("depFunction", isDepApplication, (0,))
#: the body of a function
body: Traversal = focus("body", isFunction, (0,))
#: the function of a map of any kind, applied to an array: `map HERE xs`
mapped: Traversal = focus("mapped", _isAnyMap, (0, 1))
#: apply a strategy as a condition: succeed where it does, without a change
check: Callable[[Strategy], Strategy] = test
#: apply a strategy wherever possible, until it applies nowhere
everywhere: Callable[[Strategy], Strategy] = normalize


def argumentOf(primitive: str, inner: Strategy) -> Strategy:
    """The first argument of a primitive: `argumentOf("map", s)`."""
    return Focus("argumentOf", (primitive,), HasRoot((primitive, 1)), (1,), inner)


def fmap(inner: Strategy) -> Strategy:
    """The body of the function of a map: `map (fun(x => HERE)) xs`, as the paper's function(argumentOf(map, body))."""
    written = _isAnyMap >> child(0)(child(1)(isLambda))
    return Focus("fmap", (), written, (0, 1, 0), inner)


def mapNest(d: int) -> Strategy:
    """Succeed, without a change, on d nested maps, each the whole body of the enclosing one's function."""
    return named("mapNest", d, applyNTimes(d)(fmap)(id_))


def moveTowardsArgument(i: int) -> Traversal:
    """The argument of the argument, and so on, i times."""
    return applyNTimes(i)(argument)


def isApplied(inner: Strategy) -> Strategy:
    """Test the function of an application: `isApplied(isApplied(is_("map")))` holds for `map f xs`."""
    return named("isApplied", inner, test(function(inner)))


def isApp(fun: Strategy, arg: Strategy) -> Strategy:
    """Test both parts of an application: `isApp(is_("transpose"), id_)`."""
    return named("isApp", fun, arg, test(onApp(fun, arg)))


def onApp(fun: Strategy, arg: Strategy) -> Strategy:
    """Apply one strategy to the function of an application, and another to its argument."""
    return isApplication >> child(0)(fun) >> child(1)(arg)


def onCall(primitive: str, *arguments: Strategy) -> Strategy:
    """Apply a strategy to each argument of a primitive: `onCall("map", f, xs)`; there must be as many arguments."""
    parts: Strategy = HasRoot((primitive, len(arguments)))
    for number, inner in enumerate(reversed(arguments)):
        if inner != id_:
            parts = parts >> applyNTimes(number)(child(0))(child(1)(inner))
    return named("onCall", primitive, *arguments, parts)


@dataclass(frozen=True, slots=True)
class InLambda(Strategy):
    """Apply a strategy below the lambdas around a term: `fun(x => fun(y => HERE))`, or at a lambda if that fails."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return isFunction >> child(0)(self) | self.inner


inLambda: Callable[[Strategy], Strategy] = InLambda


@dataclass(frozen=True, slots=True)
class LambdaBodyWithName(Directed):
    """Apply a strategy to the body of a function; it is built from the function's variable as seen from there."""

    strategy: Callable[[Bound], Strategy]

    def orders(self, term: Any) -> Orders:
        if not isinstance(term, Lam):
            return False
        return (yield self.strategy(Bound(0, term.parameter)), (0,)) is not None

    def show(self, binding: int = 0) -> str:
        return f"lambdaBodyWithName({getattr(self.strategy, '__name__', self.strategy)})"


lambdaBodyWithName: Callable[[Callable[[Bound], Strategy]], Strategy] = LambdaBodyWithName


@dataclass(frozen=True, slots=True)
class IsEqualToUntyped(Predicate):
    """Holds for terms that are equal to a given term except for types."""

    term: Expr

    @property
    def roots(self) -> frozenset[Any]:
        return frozenset([self.term.root])

    @property
    def depth(self) -> None:
        return None

    def holds(self, term: Any) -> bool:
        return equal_untyped(self.term, term)

    def show(self, binding: int = 0) -> str:
        return f"isEqualToUntyped({self.term!r})"


isEqualToUntyped: Callable[[Expr], Strategy] = IsEqualToUntyped


def equal_untyped(left: Expr, right: Expr) -> bool:
    """Whether two terms are equal except for types; sizes that functions are applied to are compared."""
    waiting = [(left, right)]
    while waiting:
        a, b = waiting.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            return False
        match a, b:
            case (Var(x, _), Var(y, _)) | (Primitive(x, _, _), Primitive(y, _, _)) if x != y:
                return False
            case (Bound(i, _), Bound(j, _)) if i != j:
                return False
            case (Literal(), Literal()) if a.value != b.value:
                return False
            case (DepApp(_, m), DepApp(_, n)) if m != n and not (isinstance(m, Type) and isinstance(n, Type)):
                return False
        waiting.extend(zip(a.children, b.children, strict=True))
    return True
