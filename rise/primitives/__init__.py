"""Collects the primitives: all records by name, and by trait.

Depends on the files of the families, but not on the meanings of primitives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rise.primitives.arithmetic import ARITHMETIC
from rise.primitives.complex_parts import COMPLEX
from rise.primitives.compression import COMPRESSION
from rise.primitives.dependent import DEPENDENT
from rise.primitives.fragments import FRAGMENTS
from rise.primitives.functions import FUNCTIONS
from rise.primitives.index_numbers import INDEX_NUMBERS
from rise.primitives.integers import INTEGERS
from rise.primitives.orders import ORDERS
from rise.primitives.patterns import BINDING, MAPS, REDUCTIONS
from rise.primitives.permutations import PERMUTATIONS
from rise.primitives.record import PrimitiveRecord, RunsOn, collect
from rise.primitives.schedules import SCHEDULES
from rise.primitives.selections import SELECTIONS
from rise.primitives.streams import STREAMS
from rise.primitives.traits import DERIVED, IMPLIED, TRAITS, Trait, derived
from rise.primitives.views import INDEXING, PAIRS, SHAPES, VECTORS, array_record

__all__ = [
    "PARALLEL",
    "PRIMITIVES",
    "PROJECTIONS",
    "SCALAR_FUNCTIONS",
    "THEMES",
    "applied",
    "has_trait",
    "lookup",
    "operands_of",
    "running_on",
    "with_trait",
]

#: all records, by subject
THEMES: Final[Mapping[str, tuple[PrimitiveRecord, ...]]] = MappingProxyType(
    {
        "Arithmetic": ARITHMETIC,
        "Bits and integers": INTEGERS,
        "Functions of floating-point numbers": FUNCTIONS,
        "Complex numbers": COMPLEX,
        "Maps": MAPS,
        "Reductions and scans": REDUCTIONS,
        "Names and memory": BINDING,
        "Loop transformations": SCHEDULES,
        "Pairs": PAIRS,
        "Shapes": SHAPES,
        "Elements and indices": INDEXING,
        "Indices and numbers": INDEX_NUMBERS,
        "Scattering and reordering": PERMUTATIONS,
        "Minima and maxima": SELECTIONS,
        "Sorting and searching": ORDERS,
        "Compression": COMPRESSION,
        "Streams of windows": STREAMS,
        "Dependent arrays": DEPENDENT,
        "Vectors": VECTORS,
        "Tensor cores": FRAGMENTS,
    }
)
#: every record by its name; array literals are a family, represented by `makeArray`
PRIMITIVES: Final[Mapping[str, PrimitiveRecord]] = MappingProxyType(collect(*THEMES.values()))
#: the functions of numbers and truth values
SCALAR_FUNCTIONS: Final = (*ARITHMETIC, *INTEGERS, *FUNCTIONS, *COMPLEX)
_ARRAYS: Final = "makeArray"
_ARRAY: Final = re.compile(rf"{_ARRAYS}([1-9][0-9]{{0,5}})")
_ARROW: Final = " -> "
_OPENING: Final = ("(", "[", "{")
_CLOSING: Final = (")", "]", "}")
_BRACKET_OR_ARROW: Final = re.compile(r"( -> |[()\[\]{}])")
#: a parameter that is not a value: implicit, or a size, a type or a space by name
_PARAMETER: Final = re.compile(r"\{.*\}|\(\w+: \w+\)")


def lookup(name: str) -> PrimitiveRecord | None:
    """The record of a primitive, or None; also for array literals of any length.

    >>> lookup("makeArray3").scheme
    '{t: data} -> t -> t -> t -> 3.t'
    """
    record = PRIMITIVES.get(name)
    return _array(name) if record is None else record


@lru_cache(maxsize=1 << 10)
def _array(name: str) -> PrimitiveRecord | None:
    match = _ARRAY.fullmatch(name)
    return None if match is None else array_record(name, int(match[1]))


@lru_cache(maxsize=1 << 10)
def _traits_of(name: str) -> frozenset[Trait]:
    """The traits that a record declares, those they imply, and those that follow from its type and its lowerings."""
    record = lookup(name)
    if record is None:
        return frozenset()
    traits = {
        *record.traits,
        *derived(record.scheme),
        *(IMPLIED[trait] for trait in record.traits if trait in IMPLIED),
    }
    if any("computes" in _traits_of(lower) for lower in record.lowers_to):
        traits.add("computes")
    return frozenset(traits)


_BY_TRAIT: Final[Mapping[Trait, frozenset[str]]] = MappingProxyType(
    {
        trait: frozenset(name for name in PRIMITIVES if trait in _traits_of(name))
        for trait in (*TRAITS, *DERIVED)
    }
)
#: the primitives whose loops run their iterations in parallel
PARALLEL: Final = frozenset(name for name, record in PRIMITIVES.items() if record.runs_on)


def with_trait(trait: Trait, *others: Trait) -> frozenset[str]:
    """The names of the primitives that have all of these traits. Call it once, at module level.

    Array literals are included as `makeArray`; `has_trait` handles those of any length.

    >>> sorted(with_trait("scans"))
    ['scan', 'scanSeq']
    """
    return _BY_TRAIT[trait].intersection(*(_BY_TRAIT[other] for other in others))


def has_trait(name: str, trait: Trait) -> bool:
    """Whether a primitive has a trait; also for array literals of any length. False for other names.

    >>> has_trait("makeArray3", "writable"), has_trait("makeArray3", "maps"), has_trait("xs", "maps")
    (True, False, False)
    """
    return name in _BY_TRAIT[trait] or (name.startswith(_ARRAYS) and trait in _traits_of(name))


def running_on(*levels: RunsOn) -> frozenset[str]:
    """The names of the primitives whose loops run on one of these levels.

    >>> sorted(running_on("warp", "lane"))
    ['depMapLane', 'depMapWarp', 'mapLane', 'mapWarp']
    """
    return frozenset(name for name in PARALLEL if PRIMITIVES[name].runs_on in levels)


def operands_of(name: str) -> int:
    """The number of values that a primitive takes, without sizes, types and spaces.

    >>> operands_of("mapBlock"), operands_of("reduceSeq")
    (2, 3)
    """
    record = lookup(name)
    assert record is not None, name
    parts, depth = [""], 0
    for token in _BRACKET_OR_ARROW.split(record.scheme):
        depth += (token in _OPENING) - (token in _CLOSING)
        if token == _ARROW and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    return sum(_PARAMETER.fullmatch(part) is None for part in parts[:-1])


def applied(names: Iterable[str]) -> frozenset[tuple[str, int]]:
    """The roots of terms that apply one of these primitives to all of its operands.

    >>> sorted(applied(with_trait("scans")))
    [('scan', 3), ('scanSeq', 3)]
    """
    return frozenset((name, operands_of(name)) for name in names)


#: the primitives that return the first and the second element of a pair
PROJECTIONS: Final = tuple(name for name in PRIMITIVES if name in _BY_TRAIT["projects"])
