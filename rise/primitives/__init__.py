"""The primitives: all records by name. Knows the families' files, and nothing of what a primitive means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rise.primitives.arithmetic import ARITHMETIC
from rise.primitives.dependent import DEPENDENT
from rise.primitives.fragments import FRAGMENTS
from rise.primitives.functions import FUNCTIONS
from rise.primitives.integers import INTEGERS
from rise.primitives.patterns import BINDING, MAPS, REDUCTIONS
from rise.primitives.permutations import PERMUTATIONS
from rise.primitives.record import PrimitiveRecord, collect
from rise.primitives.selections import SELECTIONS
from rise.primitives.streams import STREAMS
from rise.primitives.views import INDEXING, PAIRS, SHAPES, VECTORS, array_record

__all__ = ["LANE_BY_LANE", "PREDICATES", "PRIMITIVES", "SCALAR_FUNCTIONS", "THEMES", "lookup"]

#: all records, by what they are about
THEMES: Final[Mapping[str, tuple[PrimitiveRecord, ...]]] = MappingProxyType(
    {
        "Arithmetic": ARITHMETIC,
        "Bits and whole numbers": INTEGERS,
        "Functions of floating-point numbers": FUNCTIONS,
        "Maps": MAPS,
        "Reductions and scans": REDUCTIONS,
        "Names and memory": BINDING,
        "Pairs": PAIRS,
        "Shapes": SHAPES,
        "Elements and indices": INDEXING,
        "Where elements go": PERMUTATIONS,
        "The least and the greatest": SELECTIONS,
        "Windows in order": STREAMS,
        "Rows of different lengths": DEPENDENT,
        "Vectors": VECTORS,
        "Tensor cores": FRAGMENTS,
    }
)
#: every record by its name; array literals are a family, of which `makeArray` is the specimen
PRIMITIVES: Final[Mapping[str, PrimitiveRecord]] = MappingProxyType(collect(*THEMES.values()))
#: the functions of numbers and truth values
SCALAR_FUNCTIONS: Final = (*ARITHMETIC, *INTEGERS, *FUNCTIONS)
#: those whose result is of their operands' type; on vectors they are done lane by lane
LANE_BY_LANE: Final = frozenset(
    record.name
    for record in SCALAR_FUNCTIONS
    if record.scheme.endswith("-> t") and not record.scheme.startswith("{t: data}")
)
#: those that give truth values, of which there are no vectors
PREDICATES: Final = frozenset(record.name for record in SCALAR_FUNCTIONS if record.scheme.endswith("-> bool"))
_ARRAY: Final = re.compile(r"makeArray([1-9][0-9]{0,5})")


def lookup(name: str) -> PrimitiveRecord | None:
    """The record of a primitive, members of the family of array literals included, or None.

    >>> lookup("makeArray3").scheme
    '{t: data} -> t -> t -> t -> 3.t'
    """
    found = PRIMITIVES.get(name)
    return _array(name) if found is None else found


@lru_cache(maxsize=1 << 10)
def _array(name: str) -> PrimitiveRecord | None:
    match = _ARRAY.fullmatch(name)
    return None if match is None else array_record(name, int(match[1]))
