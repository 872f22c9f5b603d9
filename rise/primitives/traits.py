"""Defines the traits of primitives: named properties that strategies, inference and targets query.

Independent of primitives. `tests/rise/test_traits.py` checks the records against these descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Trait: TypeAlias = Literal[
    "atomic",
    "buffers",
    "chooses",
    "compresses",
    "computes",
    "divides",
    "forwards",
    "fragments",
    "indexes",
    "lanewise",
    "loads",
    "loops",
    "maps",
    "multiplies",
    "pairs",
    "parametric",
    "predicate",
    "projects",
    "rearranges",
    "recomputes",
    "reduces",
    "rereads",
    "rows",
    "scans",
    "scatters",
    "selects",
    "sizes",
    "sorts",
    "streams",
    "takes",
    "unrounded",
    "unspecified",
    "unzips",
    "writable",
]

#: the traits, and what each means for a primitive that declares it
TRAITS: Final[Mapping[Trait, str]] = MappingProxyType(
    {
        "atomic": "a function of two numbers with which memory can be updated atomically",
        "buffers": "computes each element of an array once, in order, and keeps those that later windows need",
        "chooses": "a function of two values of a type that returns one of them, by an order",
        "compresses": "keeps the elements of its last operand at which its first is true; computes all of them at once",
        "computes": "computes an array, or a value by a loop; the others are views, or single operations on numbers",
        "divides": "a function of integers that fails if the last one is 0",
        "indexes": "a function of a number to an index of an array of n elements; fails where there is none",
        "loads": "loads a factor of a product into a fragment",
        "loops": "a loop: its function runs once for each element or step; so it computes",
        "maps": "applies its function, the first operand, to each element of an array, and keeps their order",
        "multiplies": "a function of numbers that multiplies its first two operands; what it adds comes after them",
        "pairs": "pairs values or arrays, or takes pairs apart; every index stays the same",
        "projects": "returns a part of a pair; in the order of the records: the first, the second",
        "rearranges": "gives the elements of arrays, or some of them, in another order or grouping; adds none",
        "recomputes": "its operand is computed again wherever it is read: no strategy stores it or names it",
        "reduces": "combines a start value and all elements of an array with a function",
        "rereads": "may read an element of its last operand more than once",
        "rows": "applies its function to each row of a dependent array; the function gets the row's index first",
        "scans": "like a reduction, but gives the intermediate result after each element",
        "scatters": "writes elements at given indices: its last operand is written, all others are read",
        "selects": "returns the index of an element of its array, by an order",
        "sizes": "calls its last operand, a function of a size, with an index",
        "sorts": "gives the elements of its array, or their indices, in ascending order; computes all of them at once",
        "streams": "produces its elements in order, each once",
        "takes": "takes the elements of its last operand in order, each once",
        "unrounded": "returns one of its operands, its parts or its bits, up to signs; nothing is rounded in any type",
        "unspecified": "may have unspecified elements",
        "unzips": "takes an array of pairs apart into a pair of arrays; every index stays the same",
        "writable": "a view that can be written through, by writing each of its operands",
    }
)
#: the traits that no record declares, since they follow from its type
DERIVED: Final[Mapping[Trait, str]] = MappingProxyType(
    {
        "forwards": "returns one of its last two operands, or both as a pair, whatever their types; computes no number",
        "fragments": "works on fragments, which the lanes of a warp hold together",
        "lanewise": "a function of numbers to a number; on vectors it works lane by lane",
        "parametric": "works the same for values of any type: it moves them, or calls functions",
        "predicate": "a function that returns a truth value, of which there are no vectors",
    }
)
#: the traits that imply another one; in addition, a high-level primitive computes if one of its lowerings does
IMPLIED: Final[Mapping[Trait, Trait]] = MappingProxyType(
    {
        "buffers": "computes",
        "compresses": "computes",
        "loops": "computes",
        "scatters": "computes",
        "sorts": "computes",
    }
)
#: two operands of any types, and one of them or their pair as the result
_FORWARDS: Final = re.compile(
    r"(\{\w: data\} -> )+(\w+ -> )*(?P<s>\w) -> (?P<t>\w) -> ((?P=t)|\((?P=s), (?P=t)\))"
)
_LANEWISE: Final = re.compile(r"(\{[st]: (?!data)\w+\} -> )+((s -> )+|(t -> )+)t")
#: what a parametric type does not contain: classes of types, concrete types, functions from sizes
_PARTICULAR: Final = re.compile(
    r"\b(ring|comparable|inexact|num|ord|complex|floating|integral|bool|[iuf][0-9]+)\b"
    r"|vec\[|Fragment\[|nat -> |\*\*|\.\."
)


def derived(scheme: str) -> frozenset[Trait]:
    """The traits that follow from a type scheme.

    >>> sorted(derived("{t: num} -> t -> t -> t")), sorted(derived("{n: nat} -> {t: data} -> n.t -> n.t"))
    (['lanewise'], ['parametric'])
    """
    holds: dict[Trait, bool] = {
        "forwards": _FORWARDS.fullmatch(scheme) is not None,
        "fragments": "Fragment[" in scheme,
        "lanewise": _LANEWISE.fullmatch(scheme) is not None,
        "parametric": _PARTICULAR.search(scheme) is None,
        "predicate": scheme.endswith("-> bool"),
    }
    return frozenset(trait for trait, is_true in holds.items() if is_true)
