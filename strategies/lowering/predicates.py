"""Predicates on terms that decide how they are lowered: what is written, read, computed, stored."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from elevate import Predicate, where
from rise.analysis.reads import numbers_in
from rise.primitives import PROJECTIONS, applied, has_trait, lookup, operands_of, with_trait
from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, Var, has_primitive, primitives_in, spine
from rise.types import ArrayType, DepPairType, FragmentType, PairType, is_data
from strategies.costs.decisions import is_cheaper_again
from strategies.lowering.rows import isAppliedRowMap, isRowLoop
from strategies.lowering.scatters import (
    isOrdered,
    isReordered,
    isScattered,
)
from strategies.rules.lowering import (
    holdsArray,
)
from strategies.vocabulary.traversals import (
    isAppliedMap,
    isAppliedReduce,
    isAppliedScan,
    isFunction,
)

#: views of one array through which results can be written
UNARY_FUNCTIONS: Final[frozenset[Hashable]] = frozenset(
    (name, 0) for name in with_trait("writable") if operands_of(name) == 1
)
#: primitives that compute an array, or a value by a loop
COMPUTING: Final = with_trait("computes")
#: primitives that read an element of their argument more than once
REREADING: Final = with_trait("rereads")
#: applied primitives that write a fragment, or a matrix from a fragment
FRAGMENTS: Final = applied(with_trait("fragments"))
#: the loops that maps are lowered to
LOOPING_MAPS: Final = with_trait("maps", "loops")


def isCall(e: Expr) -> bool:
    """An immediately applied function, as `let` is after lowering."""
    return isinstance(e, App) and isinstance(e.fun, Lam)


def isLowered(e: Expr) -> bool:
    """A map that is already lowered to a loop."""
    return head(e) in LOOPING_MAPS


def isWritable(e: Expr) -> bool:
    """A view through which results can be written, or code that computes an array."""
    return has_trait(head(e), "writable") or isCode(e)


def isCode(e: Expr) -> bool:
    """A foreign function of an array."""
    return isinstance(e, App) and isinstance(e.fun, Var) and isinstance(e.type, ArrayType)


def isStored(e: Expr) -> bool:
    """`toMem(a, xs)`."""
    return e.root == ("toMem", 1)


#: a value that is stored
stored: Predicate = where(isStored)


def isPlain(e: Expr) -> bool:
    """A value without arrays."""
    return not holdsArray(e.type)


def isLeaf(e: Expr) -> bool:
    """A variable, a literal or a primitive without arguments."""
    return isinstance(e, Var | Bound | Literal | Primitive)


def isRereading(e: Expr) -> bool:
    """A term that reads elements of its argument more than once."""
    return head(e) in REREADING


def isChosenPair(e: Expr) -> bool:
    """A choice between stored dependent pairs: each is taken apart in its branch, and none is copied."""
    if e.root != ("select", 3) or not isinstance(e.type, DepPairType):
        return False
    _, *pairs = (operand for operand in spine(e)[1] if isinstance(operand, Expr))
    return all(isChosenPair(pair) or not isComputed(pair) for pair in pairs)


def isComputed(e: Expr) -> bool:
    """An array that is computed: neither a mere view, nor recomputed by its readers."""
    names = primitives_in(e)
    if all(map(isViewPrimitive, names)) or not holdsArray(e.type):
        return False
    if "toMem" not in names and not any(has_trait(name, "recomputes") for name in names):
        return True
    stack = [e]
    while stack:
        node = stack.pop()
        if head(node) == "toMem" or has_trait(head(node), "recomputes"):
            continue
        if isinstance(node, Primitive) and not isViewPrimitive(node.name):
            return True
        stack.extend(node.children)
    return False


def isFragmentWork(e: Expr) -> bool:
    """A term that writes a fragment, or a matrix from a fragment."""
    return e.root in FRAGMENTS


#: applied primitives whose last two operands are computed only where elements of the result are read
DEFERRED: Final = applied(with_trait("forwards"))


def isDeferred(e: Expr) -> bool:
    """A pair of arrays or a choice between two, computed only where an element is read."""
    return e.root in DEFERRED and holdsArray(e.type)


def isViewPrimitive(name: str) -> bool:
    """A primitive that computes nothing itself."""
    record = lookup(name)
    return name == "map" or (record is not None and record.level == "view")


def isViewFunction(e: Expr) -> bool:
    """A function that moves no data: `join`, `split(4)`, `map(transpose)`, `fun(x => join(transpose(x)))`."""
    waiting = [e]
    while waiting:
        function = waiting.pop()
        if function.root == ("map", 1):
            waiting.append(function.children[1])
        elif isinstance(function, Lam):
            inner = function.body
            while isinstance(inner, App):
                waiting.append(inner.fun)
                inner = inner.arg
            if inner is function.body or not (isinstance(inner, Bound) and inner.index == 0):
                return False
        elif function.root not in UNARY_FUNCTIONS:
            return False
    return True


def isViewMap(e: Expr) -> bool:
    """A map that only rearranges each element, so that results can be written through it."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    return isinstance(function, Expr) and isViewFunction(function)


def isShortened(e: Expr) -> bool:
    """A part of an array in memory; copying the part avoids copying the whole array."""
    array = e
    while isinstance(array, App) and (isWritable(array) or isViewMap(array)):
        views = primitives_in(array.fun)
        if not all(has_trait(name, "rearranges") or has_trait(name, "maps") for name in views):
            return False
        array = array.arg
    if not isinstance(e, App) or not isinstance(array, Bound | Var):
        return False
    return numbers_in(e.type) != numbers_in(e.arg.type)


def isPartOfVariable(e: Expr) -> bool:
    """A variable or a part of one."""
    while isinstance(e, App) and head(e) in PROJECTIONS:
        e = e.arg
    return isinstance(e, Bound | Var)


def isOfFragments(e: Expr) -> bool:
    """An array of fragments, or one fragment."""
    t = e.type
    while isinstance(t, ArrayType):
        t = t.element
    return isinstance(t, FragmentType)


def isChoiceOfLoops(e: Expr) -> bool:
    """A choice between two arrays in which the elements of one need loops: the chosen array is written as a whole."""
    return (
        e.root == ("select", 3)
        and isinstance(e.type, ArrayType)
        and any(
            name in COMPUTING and not has_trait(name, "maps")
            for operand in spine(e)[1][1:]
            if isinstance(operand, Expr)
            for name in primitives_in(operand)
        )
    )


def isRead(e: Expr) -> bool:
    """A term that cannot be written to a place directly, so that it must be copied there."""
    shaped = (
        isFunction.holds,
        isCall,
        isAppliedMap.holds,
        isLowered,
        isIterate,
        isAppliedScan.holds,
        isAppliedRowMap,
        isRowLoop,
    )
    fills = (*shaped, isFragmentWork, isWritable, isScattered, isOrdered, isReordered)
    return not any(holds(e) for holds in fills)


def isReadAgain(e: Expr) -> bool:
    """A term that only reads arrays in memory, or numbers that are as cheap to recompute as to load."""
    read = [one for one in spine(e)[1] if isinstance(one, Expr) and is_data(one.type)]
    return all(not isComputed(one) or is_cheaper_again(one) for one in read)


def isComputedPair(e: Expr) -> bool:
    """A loop with a state that is a pair of arrays, or such a part of its state. Copying each component separately
    would repeat it.
    """
    return isinstance(e.type, PairType) and (isLoopWithState(e) or isPartOfLoop(e)) and holdsArray(e.type)


def isPartOfLoop(e: Expr) -> bool:
    """Arrays that are a part of the state of a loop."""
    part = e
    while isinstance(part, App) and isinstance(part.fun, Primitive) and part.fun.name in PROJECTIONS:
        part = part.arg
    return part is not e and isLoopWithState(part) and holdsArray(e.type)


def isLoopWithState(e: Expr) -> bool:
    """A reduction, or a loop that ends by a condition."""
    return isAppliedReduce.holds(e) or isIterateWhile(e)


def isIterate(e: Expr) -> bool:
    """`iterate k f xs`."""
    return e.root == ("iterate", 2)


def isIterateWhile(e: Expr) -> bool:
    """`iterateWhile k p f x`."""
    return e.root == ("iterateWhile", 3)


def hasLoop(e: Expr) -> bool:
    """Whether a pattern in a term runs a loop."""
    return has_primitive(e, *COMPUTING)


def head(e: Expr) -> str:
    """The name of the primitive that a term applies; empty for other terms."""
    return e.root[0] if isinstance(e.root, tuple) else ""
