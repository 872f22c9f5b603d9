"""Rules of the lambda calculus and of pairs."""

from __future__ import annotations

from typing import Any, Final

from elevate import Reach
from rise.diagnostics import RiseError
from rise.primitives import applied, with_trait
from rise.terms import (
    App,
    Bound,
    DepApp,
    DepLam,
    Expr,
    Lam,
    Literal,
    Primitive,
    Var,
    mention,
    shift,
    spine,
    substitute,
)
from rise.types import Argument, FunType, instantiate_dependent, is_data
from strategies.costs.decisions import is_stored
from strategies.equations.rule import rule
from strategies.vocabulary.element_names import named_elements


def _beta(term: Any) -> Expr | None:
    match term:
        case App(Lam(name, t, body), argument):
            return substitute(named_elements(name, t, body), argument)
    return None


def _gentle_beta(term: Any) -> Expr | None:
    match term:
        case App(Lam(name, t, body), argument) if isCheap(argument) or _used_at_most_once(body, argument):
            return substitute(named_elements(name, t, body), argument)
    return None


_PARTS: Final = applied(with_trait("pairs"))


def isCalledFunction(e: Expr) -> bool:
    """A call of a function that is written out."""
    return isinstance(e, App) and isinstance(e.fun, Lam)


def isCheap(e: Expr) -> bool:
    """Whether a term may be duplicated at no cost: a variable, a literal, a function, pairs and projections of
    these.
    """
    stack = [e]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and node.root in _PARTS:
            while isinstance(node, App):
                stack.append(node.arg)
                node = node.fun
        elif not isinstance(node, Var | Bound | Literal | Lam | Primitive):
            return False
    return True


def _gives_to_function(node: Expr, bit: int) -> bool:
    """Whether a variable occurs in a function that is passed as an argument, as in `map (mul x)`."""
    return isinstance(node, App) and isinstance(node.arg.type, FunType) and bool(node.arg.mentions & bit)


def _used_at_most_once(body: Expr, argument: Expr) -> bool:
    """At most one occurrence, none of a stored value, and none inside a function, which may run more than once."""
    bit, is_used = mention(0), is_stored(argument)
    stack = [body]
    while stack:
        node = stack.pop()
        if not node.mentions & bit:
            continue
        if isinstance(node, Lam) or _gives_to_function(node, bit):
            return False
        if isinstance(node, Bound):
            if is_used:
                return False
            is_used = True
        stack += node.children
    return True


def _size_inside(term: Any) -> Expr | None:
    match term:
        case DepApp(App(Lam(name, parameter, body), first), argument):
            return App(Lam(name, parameter, DepApp(body, argument)), first)
    return None


def _call_function(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, FunType(), body) as called, argument):
            head, arguments = spine(argument)
            place = next((place for place, e in enumerate(arguments) if isCostly(e)), None)
            if place is None:
                return substitute(body, argument)
            costly = arguments[place]
            assert isinstance(costly, Expr)
            call = shift(head, 1)
            for position, e in enumerate(arguments):
                if not isinstance(e, Expr):
                    call = DepApp(call, e)
                elif position == place:
                    call = App(call, Bound(0, costly.type))
                else:
                    call = App(call, shift(e, 1))
            return App(Lam("given", costly.type, App(shift(called, 1), call)), costly)
    return None


def isCostly(e: Expr | Argument) -> bool:
    """An argument that is computed, so that a copy of it repeats work."""
    return isinstance(e, Expr) and is_data(e.type) and not isCheap(e) and not isConstant(e)


def isConstant(e: Expr) -> bool:
    """A literal, or an array of literals."""
    waiting = [e]
    while waiting:
        head, arguments = spine(waiting.pop())
        if isinstance(head, Primitive) and head.name.startswith("makeArray"):
            waiting += [e for e in arguments if isinstance(e, Expr)]
        elif arguments or not isinstance(head, Literal):
            return False
    return True


def _call_at_size(term: Any) -> Expr | None:
    match term:
        case DepApp(DepLam(_, _, _, _, body), argument):
            try:
                called: Expr = instantiate_dependent(body, argument)
            except (RiseError, ZeroDivisionError):  # a size in the body becomes too large, or divides by 0
                return None
            return called
    return None


betaReduction = rule(
    "(fun(x => b)) v = b[v / x]",
    why="Replace a call by the body of the function, with the argument substituted.",
    by=_beta,
    roots=("App",),
    reach=Reach(1, whole=(), fits=isCalledFunction),
    tidies=True,
)
gentleBeta = rule(
    "(fun(x => b)) v = b[v / x], v cheap, or x used once and v not stored",
    why="Inline a call where that repeats no work; stored values keep their names, so that they are not recomputed.",
    by=_gentle_beta,
    roots=("App",),
    reach=Reach(1, whole=(1,), variables_of=((0,),), once=True, fits=isCalledFunction),
    tidies=True,
)
etaReduction = rule(
    "fun(x : any1 => (f x : any2)) = f",
    why="Replace a function that only calls another function by that function.",
    tidies=True,
)
callInside = rule(
    "(fun(x => f)) v w = (fun(x => f w)) v",
    why="Move the second argument of a function below its first parameter, so that each is named separately.",
    tidies=True,
)
partialCallInside = rule(
    "(fun(x => f)) v w = (fun(x => (f w : any1))) v",
    why="Move an argument of a function below its first parameter, also if the call lacks further arguments.",
    tidies=True,
)
arrayInside = rule(
    "map f ((fun(x => xs)) v) = (fun(x => map f xs)) v",
    also=(
        "reduce f i ((fun(x => xs)) v) = (fun(x => reduce f i xs)) v",
        "idx i ((fun(x => xs)) v) = (fun(x => idx i xs)) v",
        "zip xs ((fun(x => ys)) v) = (fun(x => zip xs ys)) v",
        "zip ((fun(x => xs)) v) ys = (fun(x => zip xs ys)) v",
    ),
    why="Name what an array is computed from outside of the loop that reads the array.",
)
sizeInside = rule(
    "(fun(x => f)) v n = (fun(x => f n)) v, n a size or a type",
    why="Move the size or type that a function takes after its first argument below its first parameter.",
    by=_size_inside,
    roots=("App",),
    tidies=True,
)
callFunction = rule(
    "(fun(f => b)) g = b[g / f], g a function",
    why="Substitute a function where it is called; a computed argument, as in `mul (a + b)`, is named first.",
    by=_call_function,
    roots=("App",),
    tidies=True,
)
callAtSize = rule(
    "(fun(n: nat => b)) m = b[m / n]",
    why="Replace a call with a size or a type by the body of the function, with the argument substituted.",
    by=_call_at_size,
    roots=("App",),
    tidies=True,
)
letToCall = rule("let v f = f v", why="Express a named value as a call of a function.", tidies=True)
mapFstWritten = rule(
    "mapFst f = fun(p => pair (f (fst p)) (snd p))", why="Take the pair apart and build the new one."
)
mapSndWritten = rule(
    "mapSnd f = fun(p => pair (fst p) (f (snd p)))", why="Take the pair apart and build the new one."
)
fstPair = rule("fst (pair a b) = a", why="Use the component of a pair that was just built.", tidies=True)
sndPair = rule("snd (pair a b) = b", why="Use the component of a pair that was just built.", tidies=True)
pairEta = rule("pair (fst p) (snd p) = p", why="Remove a pair that is taken apart and rebuilt.", tidies=True)
