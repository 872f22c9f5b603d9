"""Sums of products that units of a block share: each sums some of the products, and then their sums are added.

Contains equations only.
"""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from rise.checker import Operator
from rise.terms import Literal
from strategies.equations.laws import ensures
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family


@ensures((Operator("add", neutral="z", commutes=True),))
def startsAtZero(bindings: Bindings) -> bool:
    """A sum that starts at zero"""
    start = bindings.term("z")
    return isinstance(start, Literal) and start.value == 0


#: the sums of the products of all rows of `{0}` and of `{1}`
_SUMS: Final = (
    "map (fun(a{2} => map (fun(b{2} =>"
    " reduceSeq (fun(acc{2}, ab => acc{2} + e)) z (zip a{2} b{2}))) ({1}))) ({0})"
)
#: `{0}` as an array of matrices: matrix i has the i-th `d` columns of every `p * d`
_PARTS: Final = (
    "transpose (map (fun(row =>"
    " map join (transpose (map (fun(strip => split d strip)) (split (p * d) row))))) ({0}))"
)

shareSums = family(
    _SUMS.format("as : n.(c * p * d).t", "bs : m.(c * p * d).u", "")
    + " = (fun(partial => map (fun(row => map (fun(sums => reduceSeq (fun(acc, x => acc + x)) z sums)) row))"
    " (map transpose (transpose partial))))"
    f" (map (fun(both => {_SUMS.format('fst both', 'snd both', '_')}))"
    f" (zip ({_PARTS.format('as')}) ({_PARTS.format('bs')})))",
    parameters=("d", "p"),
    why="Sum d of every p * d products by one unit, the next d by another one, and then add the sums of all p units.",
    where=startsAtZero,
    float_class=FloatClass.REASSOCIATING,
)
