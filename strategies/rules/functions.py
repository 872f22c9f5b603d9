"""Rules of the lambda calculus and of pairs."""

from __future__ import annotations

from typing import Any, Final

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
from strategies.equations.rule import rule


def _beta(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, _, body), argument):
            return substitute(body, argument)
    return None


def _gentle_beta(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, _, body), argument) if isCheap(argument) or _used_at_most_once(body):
            return substitute(body, argument)
    return None


_PARTS: Final = applied(with_trait("pairs"))


def isCheap(e: Expr) -> bool:
    """Whether a term costs nothing to have twice: a variable, a literal, a function, views of pairs of such."""
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


def _used_at_most_once(body: Expr) -> bool:
    """At most one occurrence, and none inside a function, which may run more than once."""
    bit, found = mention(0), False
    stack = [body]
    while stack:
        node = stack.pop()
        if not node.mentions & bit:
            continue
        if isinstance(node, Lam):
            return False
        if isinstance(node, Bound):
            if found:
                return False
            found = True
        stack += node.children
    return True


def _argument_inside(term: Any) -> Expr | None:
    match term:
        case App(App(Lam(name, parameter, body), first), second):
            return App(Lam(name, parameter, App(body, shift(second, 1))), first)
    return None


def _size_inside(term: Any) -> Expr | None:
    match term:
        case DepApp(App(Lam(name, parameter, body), first), argument):
            return App(Lam(name, parameter, DepApp(body, argument)), first)
    return None


def _call_function(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, FunType(), body) as called, argument):
            head, arguments = spine(argument)
            place = next((place for place, one in enumerate(arguments) if isCostly(one)), None)
            if place is None:
                return substitute(body, argument)
            given = arguments[place]
            assert isinstance(given, Expr)
            found = shift(head, 1)
            for position, one in enumerate(arguments):
                if not isinstance(one, Expr):
                    found = DepApp(found, one)
                elif position == place:
                    found = App(found, Bound(0, given.type))
                else:
                    found = App(found, shift(one, 1))
            return App(Lam("given", given.type, App(shift(called, 1), found)), given)
    return None


def isCostly(e: Expr | Argument) -> bool:
    """What is given to a function, and costs something to have twice."""
    return isinstance(e, Expr) and is_data(e.type) and not isCheap(e) and not isConstant(e)


def isConstant(e: Expr) -> bool:
    """A literal, or an array of such."""
    waiting = [e]
    while waiting:
        head, arguments = spine(waiting.pop())
        if isinstance(head, Primitive) and head.name.startswith("makeArray"):
            waiting += [one for one in arguments if isinstance(one, Expr)]
        elif arguments or not isinstance(head, Literal):
            return False
    return True


def _call_at_size(term: Any) -> Expr | None:
    match term:
        case DepApp(DepLam(_, _, _, _, body), argument):
            try:
                called: Expr = instantiate_dependent(body, argument)
            except (
                RiseError,
                ZeroDivisionError,
            ):  # a size of the body that is too large then, or divides by 0
                return None
            return called
    return None


betaReduction = rule(
    "(fun(x => b)) v = b[v / x]",
    why="Call a function: its body, with the argument put in.",
    by=_beta,
    roots=("App",),
    tidies=True,
)
gentleBeta = rule(
    "(fun(x => b)) v = b[v / x], v cheap or x used once",
    why="Call a function where no work is done twice by it.",
    by=_gentle_beta,
    roots=("App",),
    tidies=True,
)
etaReduction = rule(
    "fun(x : any1 => (f x : any2)) = f",
    why="A function that only calls another is that other.",
    tidies=True,
)
callInside = rule(
    "(fun(x => f)) v w = (fun(x => f w)) v",
    why="Give a function its second argument below its first parameter, so that each is named by itself.",
    tidies=True,
)
argumentInside = rule(
    "(fun(x => f)) v w = (fun(x => f w)) v, whatever f w is",
    why="Give a function of several arguments its second one below its first parameter.",
    by=_argument_inside,
    roots=("App",),
    tidies=True,
)
sizeInside = rule(
    "(fun(x => f)) v n = (fun(x => f n)) v, n a size or a type",
    why="Give a function the size, or the type, that it takes after its first argument.",
    by=_size_inside,
    roots=("App",),
    tidies=True,
)
callFunction = rule(
    "(fun(f => b)) g = b[g / f], g a function",
    why="Put a function where it is called: what is given to it before, as in `mul (a + b)`, is named first.",
    by=_call_function,
    roots=("App",),
    tidies=True,
)
callAtSize = rule(
    "(fun(n: nat => b)) m = b[m / n]",
    why="Call a function of a size, or of a type: its body, with the argument put in.",
    by=_call_at_size,
    roots=("App",),
    tidies=True,
)
letToCall = rule("let v f = f v", why="A value that is named is a function called on the spot.", tidies=True)
mapFstWritten = rule(
    "mapFst f = fun(p => pair (f (fst p)) (snd p))", why="Take a pair apart, and make the new one."
)
mapSndWritten = rule(
    "mapSnd f = fun(p => pair (fst p) (f (snd p)))", why="Take a pair apart, and make the new one."
)
fstPair = rule("fst (pair a b) = a", why="Take a pair apart that was just made.", tidies=True)
sndPair = rule("snd (pair a b) = b", why="Take a pair apart that was just made.", tidies=True)
pairEta = rule("pair (fst p) (snd p) = p", why="Forget that a pair was taken apart.", tidies=True)
