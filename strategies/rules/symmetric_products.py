"""Products of a matrix with its own transpose, in which swapping two rows does not change their entry.

Contains equations and a predicate for symmetric values. In blocks of b rows, a product of n rows takes n * (n + b) / 2
pairs of rows instead of n * n.
"""

from __future__ import annotations

from typing import Any, Final

from rise.checker import Operator
from rise.primitives import PROJECTIONS
from rise.quotients import floor_quotient
from rise.terms import App, Bound, Expr, Lam, Primitive, mention, spine
from rise.types import ArrayType
from strategies.equations.laws import ensures
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.reductions import IDEMPOTENT, MONOIDS
from strategies.vocabulary.traversals import FOLDED

#: operations whose operands may be swapped
_COMMUTATIVE: Final = MONOIDS | IDEMPOTENT


def holdsWholeBlocks(bindings: Bindings) -> bool:
    """A length that the block size divides for all sizes"""
    rows, block = bindings.term("xs").type, bindings.size("n")
    return isinstance(rows, ArrayType) and floor_quotient(rows.size, block) * block == rows.size


@ensures((Operator("e", commutes=True, associates=False),))
def isSymmetric(e: Expr) -> bool:
    """A value that does not change if its two innermost variables are swapped, such as a dot product of both.

    It reads them only in reductions over the zip of both, whose steps combine the two numbers by a commutative
    operation.
    """
    waiting, is_read = [(e, 0)], False
    while waiting:
        node, inner = waiting.pop()
        rows = mention(inner) | mention(inner + 1)
        if not node.mentions & rows:
            continue
        if _reduces_both(node, inner):
            is_read = True
        elif isinstance(node, Bound):
            return False
        else:
            waiting += [(child, inner + isinstance(node, Lam)) for child in node.children]
    return is_read


def _reduces_both(e: Expr, inner: int) -> bool:
    """Whether a term is a reduction over the zip of two variables that does not change if they are swapped."""
    if e.root not in FOLDED:
        return False
    function, start, xs = spine(e)[1]
    steps: list[Any] = [function]
    while isinstance(xs, Expr) and xs.root == ("map", 2):
        function, xs = spine(xs)[1]
        steps.append(function)
    assert isinstance(start, Expr) and isinstance(xs, Expr), e
    rows = mention(inner) | mention(inner + 1)
    if start.mentions & rows or any(step.mentions & rows for step in steps) or xs.root != ("zip", 2):
        return False
    sides = {side.index for side in spine(xs)[1] if isinstance(side, Bound)}
    body, pair = steps[-1], 1 if steps[1:] else 2
    while isinstance(body, Lam) and pair:
        body, pair = body.body, pair - 1
    return sides == {inner, inner + 1} and not pair and _commutes(body)


def _commutes(body: Expr) -> bool:
    """Whether a value computed from a pair, the innermost variable, does not change if its components are swapped."""
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if not node.mentions & mention(0):
            continue
        match node:
            case App(App(Primitive(name), left), right) if name in _COMMUTATIVE and _mirrors(left, right):
                continue
            case App(fun, arg) if not (isinstance(fun, Primitive) and fun.name in PROJECTIONS):
                waiting += (fun, arg)
            case _:
                return False
    return True


def _mirrors(left: Expr, right: Expr) -> bool:
    """Whether one term is the other with the components of the innermost variable swapped."""
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        match one, other:
            case App(Primitive(first), Bound(0)), App(Primitive(second), Bound(0)) if {first, second} == set(
                PROJECTIONS
            ):
                continue
            case App(), App():
                waiting += zip(one.children, other.children, strict=True)
            case _:
                if one != other or one.mentions & mention(0):
                    return False
    return True


nameBothRows = rule(
    "map (fun(r => map (fun(c => e)) (transpose xs))) (transpose xs)"
    " = (fun(rows => map (fun(r => map (fun(c => e)) rows)) rows)) (transpose xs)",
    why="Name the columns of a matrix that are multiplied by each other, so that they are stored as rows once.",
)
symmetricRest = family(
    "map (fun(r => map (fun(c => e)) xs)) (xs : m.s)"
    " = (fun(rest => concat (transpose (concat (transpose (map (fun(r => map (fun(c => e)) (take (n * (m / n)) xs)))"
    " (take (n * (m / n)) xs))) (transpose (take (n * (m / n)) rest)))) (transpose rest)))"
    " (map (fun(r => map (fun(c => e)) (drop (n * (m / n)) xs))) xs)",
    parameters=("n",),
    why="Cut a symmetric product into one of whole blocks of n rows, and the remainder, which is transposed as well.",
    of={"e": isSymmetric},
)
symmetricBlocks = family(
    "map (fun(r => map (fun(c => e)) xs)) (xs : m.s)"
    " = (fun(upper => join (depMap (fun(p: nat, columns => transpose (concat (take (n * p) (transpose columns))"
    " (transpose (map (drop (n * p)) (take n (drop (n * p) upper))))))) (split n (transpose upper)))))"
    " (transpose (join (depMap (fun(p: nat, block => transpose (padEmpty (m - n * (p + 1)) (map (fun(r =>"
    " map (fun(c => e)) block)) (take (n * (p + 1)) xs))))) (split n xs))))",
    parameters=("n",),
    demands=("n divides m",),
    why="Compute the blocks of a symmetric product above its diagonal, and copy those below from them.",
    of={"e": isSymmetric},
    where=holdsWholeBlocks,
)
