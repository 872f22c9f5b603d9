"""Asynchronous copies as CUDA text: how one begins, and how a thread waits for its own. Knows no other statements.

The primitives of `cuda_pipeline.h` are instructions since sm_80; before, the header copies at once.
"""

from __future__ import annotations

from shine.imperative.naturals_text import EITHER
from shine.imperative.nodes import Assign, Guarded
from shine.imperative.rewrite import run_of
from shine.passes.gpu.keep_copies import bytes_of, source_of
from shine.targets.c.expressions import Place, condition_text, element_text
from shine.targets.cuda.dialect import COPIES


def copy_text(store: Assign, place: Place) -> str:
    """A statement that begins a copy; where a condition does not hold, it writes zeros and reads nothing."""
    load, lanes, size = source_of(store.value), run_of(store.buffer, store.value), bytes_of(store)
    assert load is not None, f"nothing that can be copied asynchronously: {store!r}"
    place.context.helpers.headers.add(COPIES)
    to = f"&{element_text(store.buffer, store.index, place, lanes)}"
    source = f"&{element_text(load.buffer, load.index, place, lanes)}"
    holds = condition_text(store.value.condition, place) if isinstance(store.value, Guarded) else True
    if holds is True:
        return f"__pipeline_memcpy_async({to}, {source}, {size});"
    nowhere = place.scope.name(load.buffer)
    if holds is False:
        return f"__pipeline_memcpy_async({to}, {nowhere}, {size}, {size});"
    test = holds.at(EITHER)
    return f"__pipeline_memcpy_async({to}, {test} ? {source} : {nowhere}, {size}, {test} ? 0 : {size});"


def wait_texts(place: Place) -> list[str]:
    """Statements that wait for all copies that a thread began."""
    place.context.helpers.headers.add(COPIES)
    return ["__pipeline_commit();", "__pipeline_wait_prior(0);"]
