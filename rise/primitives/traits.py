"""What can be true of several primitives, each by a name: the traits that strategies, inference and targets ask for.

Knows no primitive. `tests/rise/test_traits.py` holds the records to what is said here.
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
    "computes",
    "divides",
    "fragments",
    "lanewise",
    "loads",
    "loops",
    "maps",
    "pairs",
    "parametric",
    "predicate",
    "projects",
    "rearranges",
    "reduces",
    "rereads",
    "rows",
    "scans",
    "scatters",
    "selects",
    "streams",
    "takes",
    "unrounded",
    "unspecified",
    "writable",
]

#: what each says of a primitive that states it
TRAITS: Final[Mapping[Trait, str]] = MappingProxyType(
    {
        "atomic": "a function of two numbers by which memory can be updated undivided",
        "buffers": "computes each element of an array once, in order, and keeps those that later windows need",
        "chooses": "a function of two values of a type that gives one of them, by an order",
        "computes": "computes an array, or a value by a loop; what does not is a view, or one operation on numbers",
        "divides": "a function of integers that fails where the last one is 0",
        "loads": "loads a factor of a product into a fragment",
        "loops": "a loop: its function runs once for each element, or for each step; so it computes",
        "maps": "applies its function, the first operand, to each element of an array, in its place",
        "pairs": "puts values or arrays side by side, or takes them apart; every index stays as it is",
        "projects": "gives a part of a pair; in the order of the records: the first, the second",
        "rearranges": "shows the elements of arrays in another order or grouping, or some of them; adds none",
        "reduces": "combines a start value and all elements of an array by a function",
        "rereads": "may ask for an element of its last operand more than once",
        "rows": "applies its function to each row of a dependent array; the function gets the row's index first",
        "scans": "as a reduction, and gives what there is after each element",
        "scatters": "writes elements where indices say: its last operand is written, all others are read",
        "selects": "gives the index of an element of its array, by an order",
        "streams": "has its elements one after the other, in order, each once",
        "takes": "takes the elements of its last operand one after the other, in order, each once",
        "unrounded": "gives one of its operands or its bits, but for the sign; so nothing is rounded in any type",
        "unspecified": "may have elements that nothing specifies",
        "writable": "a view through which a place is filled, by filling each of its operands",
    }
)
#: what no record states, as its type says it
DERIVED: Final[Mapping[Trait, str]] = MappingProxyType(
    {
        "fragments": "works on fragments, which all lanes of a warp hold together",
        "lanewise": "a function of numbers to a number; of vectors it is done lane by lane",
        "parametric": "does the same to values of any type: it moves them, or calls functions",
        "predicate": "a function that gives a truth value, of which there are no vectors",
    }
)
#: what a trait says besides; and a high-level primitive computes where one that it lowers to does
IMPLIED: Final[Mapping[Trait, Trait]] = MappingProxyType(
    {"buffers": "computes", "loops": "computes", "scatters": "computes"}
)
_LANEWISE: Final = re.compile(r"(\{[st]: (?!data)\w+\} -> )+(s -> |(t -> )+)t")
#: what a type of any values has not: classes of types, types of its own, functions from sizes
_PARTICULAR: Final = re.compile(
    r"\b(num|ord|floating|integral|bool|[iuf][0-9]+)\b|vec\[|Fragment\[|nat -> |\*\*|\.\."
)


def derived(scheme: str) -> frozenset[Trait]:
    """The traits that a type scheme says.

    >>> sorted(derived("{t: num} -> t -> t -> t")), sorted(derived("{n: nat} -> {t: data} -> n.t -> n.t"))
    (['lanewise'], ['parametric'])
    """
    found: dict[Trait, bool] = {
        "fragments": "Fragment[" in scheme,
        "lanewise": _LANEWISE.fullmatch(scheme) is not None,
        "parametric": _PARTICULAR.search(scheme) is None,
        "predicate": scheme.endswith("-> bool"),
    }
    return frozenset(trait for trait, is_so in found.items() if is_so)
