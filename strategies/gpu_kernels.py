"""One kernel for each value that a program stores outside its loops.

After `share`, values that are computed outside of loops have names: arrays that are stored, and numbers. `EachKernel`
names the remaining ones, and lowers every such value separately, with a strategy that sees nothing else.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Predicate, Strategy, alltd, child, id_, named, normalize, not_, where
from rise.nodes import postorder
from rise.primitives import applied, lookup, with_trait
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, mention, spine
from rise.types import ArrayType, Space
from strategies.costs.decisions import is_computed
from strategies.lowering.positions import Operands
from strategies.lowering.predicates import head, isCall, isPlain, isStored, isViewMap, isWritable
from strategies.parts.launchable import startsThreads
from strategies.parts.memory import nameSubterm
from strategies.parts.register_tiles import RowsFirst
from strategies.parts.windows import storesInside
from strategies.rules.gpu_kernels import inOneLoop, joins, notStored, recomputeOnGpu, stored_value
from strategies.rules.lowering import etaAbstraction, holdsArray
from strategies.rules.sharing import callOutside, callWithin, storeRereadOnGpu
from strategies.rules.staging import toMemGlobal
from strategies.sharing import fillApart, meet, nameShared
from strategies.vocabulary.traversals import FOLDED, isFunction, maps_on


def isOfKernel(e: Expr) -> bool:
    """An array that is stored, or computed one step after the other."""
    return holdsArray(e.type) and (isStored(e) or e.root in IN_STEPS)


#: loops over the threads of a block
ON_THREADS: Final = maps_on("threads")
#: reductions and iterations
IN_STEPS: Final = FOLDED | applied(with_trait("loops", "rereads"))
isStoredPart: Predicate = where(isOfKernel)


def isInSteps(e: Expr) -> bool:
    """An array that is computed one step after the other."""
    return holdsArray(e.type) and e.root in IN_STEPS


def changesOneElement(e: Expr) -> bool:
    """A loop in which each step changes one element of an array: one thread can store it, whereas several threads would
    compare the index of every element.
    """
    if not isInSteps(e):
        return False
    step: Any = next((part for part in spine(e)[1] if isinstance(part, Lam)), None)
    while isinstance(step, Lam) or isCall(step):
        step = step.body if isinstance(step, Lam) else step.fun.body
    depth, t = 0, e.type
    while isinstance(step, Expr) and step.root == ("generate", 1) and isinstance(t, ArrayType):
        function = spine(step)[1][0]
        if not isinstance(function, Lam):
            return False
        step, t, depth = function.body, t.element, depth + 1
    if not isinstance(step, Expr) or step.root != ("select", 3) or holdsArray(t):
        return False
    return len(_places_compared(spine(step)[1][0], depth)) == depth > 0


def _places_compared(condition: object, depth: int) -> frozenset[int]:
    """Those of the innermost `depth` variables that a condition equates with values that mention none of these."""
    own = frozenset(range(depth))
    found: set[int] = set()
    waiting = [condition]
    while waiting:
        match waiting.pop():
            case App() as both if both.root == ("and", 2):
                waiting += spine(both)[1]
            case App() as equal if equal.root == ("eq", 2):
                sides = [side for side in spine(equal)[1] if isinstance(side, Expr)]
                for side, other in (sides, sides[::-1]):
                    index = side.arg if isinstance(side, App) and side.root == ("indexAsInt", 1) else side
                    if isinstance(index, Bound) and index.index in own:
                        if not any(other.mentions & mention(level) for level in own):
                            found.add(index.index)
    return frozenset(found)


def isViewOfRows(e: Expr) -> bool:
    """A view of rows whose computation stores arrays, which each reader would store again."""
    if not isinstance(e.type, ArrayType):
        return False
    while isinstance(e, App) and (record := lookup(head(e))) is not None and record.level == "view":
        e = e.arg
        if e.root == ("map", 2):
            function = spine(e)[1][0]
            return isinstance(function, Expr) and any(
                isinstance(node, Expr) and isStored(node) for node in postorder(function)
            )
    return False


viewsRows: Predicate = where(isViewOfRows)


@dataclass(frozen=True, slots=True)
class Unstored(Strategy):
    """Let the reader of a value determine where it is stored; never fails."""

    def unfold(self) -> Strategy:
        return where(isCall) >> child(0)(child(0)(self)) | notStored >> self | id_


@dataclass(frozen=True, slots=True)
class EachKernel(Strategy):
    """Lower each value that a program computes outside of loops, in the order in which they are computed."""

    inner: Strategy

    def unfold(self) -> Strategy:
        value = Unstored() >> self >> (where(isPlain) | toMemGlobal)
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> child(1)(value) >> child(0)(child(0)(self))
            | not_(where(isCall)) >> (nameSubterm(isStoredPart) | nameSubterm(viewsRows)) >> self
            | where(isWritable) >> where(is_computed) >> Operands(self)
            | self.inner
        )


def isReadBeforeAll(e: Expr) -> bool:
    """A call that names an array which only the next named value reads, in one loop."""
    match e:
        case App(Lam(_, ArrayType(), App(Lam(_, _, f), g)), v):
            is_map = stored_value(v).root == ("map", 2)
            return is_map and not f.mentions & mention(1) and joins(g, 0)
    return False


def isMapOfRows(e: Expr) -> bool:
    """A map over rows whose function is another map without an explicit parameter."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    return isinstance(function, Expr) and function.root == ("map", 1) and not isViewMap(e)


#: decide what is stored; each matrix product, and each value from which a factor of one is computed, becomes a separate
#: value, and values that are computed from the rows of the same array are computed in one loop
storedApart: Strategy = named(
    "storedApart",
    nameShared
    >> normalize(storeRereadOnGpu)
    >> fillApart
    >> alltd(RowsFirst())
    >> normalize(where(isReadBeforeAll, roots=["App"]) >> callOutside | inOneLoop)
    >> meet
    >> normalize(callWithin)
    >> normalize(recomputeOnGpu)
    >> meet
    >> normalize(where(isMapOfRows, roots=[("map", 2)]) >> etaAbstraction),
)


def runsStepsOnThreads(e: Expr) -> bool:
    """A lowered program in which several threads compute each step of a loop."""
    return any(isinstance(node, Expr) and hasStepsOnThreads(node) for node in postorder(e))


def hasStepsOnThreads(e: Expr) -> bool:
    """A loop in steps, each of which several threads compute."""
    return e.root in IN_STEPS and startsThreads(next(part for part in spine(e)[1] if isinstance(part, Expr)))


def keepsNothingOfThreads(e: Expr) -> bool:
    """A lowered program in which no thread of a block stores an array outside of its registers, or computes one in
    steps, which would have to be stored there, too.
    """
    if storesInside(ON_THREADS, e, frozenset({Space("Global"), Space("Shared")})):
        return False
    loops = (node for node in postorder(e) if isinstance(node, Expr) and node.root in ON_THREADS)
    functions = (part for loop in loops for part in spine(loop)[1] if isinstance(part, Lam))
    return not any(map(hasSteps, functions))


def nestsNoSteps(e: Expr) -> bool:
    """A lowered program in which no loop that computes an array in steps contains another loop that computes an array
    in steps, or that runs on threads; a thread may compute numbers in steps.
    """
    loops = (node for node in postorder(e) if isinstance(node, Expr) and isInSteps(node))
    functions = (part for loop in loops for part in spine(loop)[1] if isinstance(part, Lam))
    inner = (node for part in functions for node in postorder(part) if isinstance(node, Expr))
    return not any(isInSteps(node) or hasStepsOnThreads(node) for node in inner)


def hasSteps(e: Expr) -> bool:
    """A term that computes an array in steps."""
    return any(isinstance(node, Expr) and isInSteps(node) for node in postorder(e))
