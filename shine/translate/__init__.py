"""Translates low-level terms to imperative procedures. Depends on every translation record, but not on targets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final

from rise.garbage_collection import collections_off
from rise.programs.foreign import Foreign
from rise.terms import Expr
from shine.imperative.errors import TranslationError
from shine.imperative.nodes import Procedure
from shine.translate.atomics import ATOMICS
from shine.translate.compression import COMPRESSION
from shine.translate.context import CPU_LEVELS, GPU_LEVELS
from shine.translate.copies import COPIES
from shine.translate.core import Translation
from shine.translate.dependent import DEPENDENT
from shine.translate.entry import translate_with
from shine.translate.fragments import FRAGMENTS
from shine.translate.iterations import ITERATIONS
from shine.translate.orders import ORDERS
from shine.translate.pads import PADS
from shine.translate.parallel_reductions import PARALLEL_REDUCTIONS
from shine.translate.patterns import BINDING, MAPS, ON_DEMAND, REDUCTIONS
from shine.translate.permutations import PERMUTATIONS
from shine.translate.pipelines import PIPELINES
from shine.translate.scalars import SCALARS, VECTORS
from shine.translate.schedules import SCHEDULES
from shine.translate.selections import SELECTIONS
from shine.translate.streams import STREAMS
from shine.translate.views import INDEXING, PAIRS, SHAPES

__all__ = ["CPU_LEVELS", "GPU_LEVELS", "TRANSLATIONS", "TranslationError", "translate"]


def collect(*families: Iterable[Translation]) -> dict[str, Translation]:
    """All translation records by name. Two records with the same name are an error."""
    records: dict[str, Translation] = {}
    for record in chain.from_iterable(families):
        assert record.name not in records, f"{record.name} is translated twice"
        records[record.name] = record
    return records


#: how every low-level primitive and view is translated
TRANSLATIONS: Final[Mapping[str, Translation]] = MappingProxyType(
    collect(
        SCALARS,
        MAPS,
        REDUCTIONS,
        ITERATIONS,
        ATOMICS,
        BINDING,
        PAIRS,
        SHAPES,
        PADS,
        INDEXING,
        VECTORS,
        FRAGMENTS,
        PERMUTATIONS,
        SELECTIONS,
        ORDERS,
        COMPRESSION,
        STREAMS,
        PARALLEL_REDUCTIONS,
        DEPENDENT,
        COPIES,
        PIPELINES,
        SCHEDULES,
    )
)
_RECORDS: Final = MappingProxyType({**TRANSLATIONS, **collect(ON_DEMAND)})


@collections_off()
def translate(
    e: Expr, name: str = "kernel", levels: frozenset[str] = CPU_LEVELS, foreign: Iterable[Foreign] = ()
) -> Procedure:
    """The procedure that computes a low-level term and writes its result.

    `e` is closed. Its size parameters, implicit or not, become the procedure's sizes, and its other parameters the
    inputs. `levels` names the parallel maps that the target supports; `foreign` are the foreign functions that the term
    may call. Raises TranslationError.
    """
    return translate_with(_RECORDS, e, name, levels, foreign)
