"""Rules that are computed by a function: which they are, why no equation states them, and how long their functions may
be.

Everything else in strategies/rules is an equation, with conditions that are named predicates.
"""

from collections.abc import Mapping
from typing import Final

#: the maximum number of rules by a function, and of lines of the functions that compute them, including what these call
#: in strategies/rules
MOST_RULES: Final = 20
MOST_LINES: Final = 600

BY_A_FUNCTION: Final[Mapping[str, str]] = {
    "betaReduction": "substitutes below binders, at most steps of a derivation: a context would be slower",
    "gentleBeta": "substitutes below binders, at most steps of a derivation: a context would be slower",
    "callAtSize": "substitutes below a binder of a size, which no pattern has",
    "sizeInside": "is of functions of sizes, which no pattern has",
    "callFunction": "substitutes a function below binders, and names the first costly one of any number of arguments",
    "narrowZip": "prunes zips of any depth, and the projections of their elements with them",
    "betaPair": "is tried at every call of a function on a pair: a context with two holes is five times as slow",
    "inlineCheap": "decides by counting reads",
    "storeReread": "finds the place by counting reads, below views and in zips of any depth",
    "storeRereadOnGpu": "is storeReread, with the prices of GPUs",
    "recomputeOnGpu": "decides by counting reads, with the prices of GPUs",
    "inOneLoop": "finds the only reader below calls and in zips of any depth",
    "vectorOperation": "is of operations of any number of operands, each of which varies or does not",
    "shareInWindows": "is of any number of functions that map over a window",
    "vectorsOfMap": "changes the type of a function of numbers, whatever it computes",
    "vectorsOfWindows": "changes the type of a function of numbers, whatever it computes",
    "sumWrittenOut": "has as many operands as an array has elements",
    "weightsWrittenOut": "has as many operands as an array has elements, and does arithmetic on literals",
    "idxMakeArray": "is of arrays of any number of elements that are written down",
    "mapMakeArray": "is of arrays of any number of elements that are written down",
}
"""The rules that cannot be written as an equation, and the part that an equation cannot express."""
