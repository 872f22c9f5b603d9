"""Keeps Python's cyclic garbage collector from visiting new objects in vain. Independent of the work done meanwhile."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_MANY_OBJECTS: Final = 100_000  # fewer are left to the next collection
_MOST_UNSEEN_OBJECTS: Final = 4_000_000  # that are spared although they may be garbage
_made_since_full_collection: Final[list[int]] = []
_OFF: Final[list[None]] = []  # one entry for each active `collections_off` that switched the collector off


@contextmanager
def collections_off() -> Iterator[None]:
    """Do not collect cycles: for work that makes many objects and keeps nearly all of them.

    The collector scans all new objects repeatedly, which took a quarter of the time of reading a long text and found
    nothing. All threads share it: the thread that switched it off switches it on again, and from then on it runs as
    usual for the others, too.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    before = gc.get_count()[0]
    _OFF.append(None)
    try:
        yield
    finally:
        if _OFF:
            _OFF.pop()
        _keep_new_objects(gc.get_count()[0] - before)
        gc.enable()


@contextmanager
def new_objects_spared() -> Iterator[None]:
    """Spare the objects that are created meanwhile the next collections: for work that is collected seldom.

    Without this, the first collections after the work visit all of them, most of which its result or caches keep.
    """
    before, spared = gc.get_count()[0], len(_made_since_full_collection)
    try:
        yield
    finally:
        is_recounted = (
            len(_made_since_full_collection) != spared
        )  # from 0, by a use of `collections_off` within
        _keep_new_objects(gc.get_count()[0] - (0 if is_recounted else before))


def _keep_new_objects(made: int) -> None:
    """If very many objects were created, spare them the next collections by moving them to the oldest generation.

    A full collection finds the garbage among them; it is due once as many have been created again.
    """
    if made < _MANY_OBJECTS or gc.get_freeze_count():  # objects that a caller froze stay frozen
        return
    _made_since_full_collection.append(made)
    if sum(_made_since_full_collection) > _MOST_UNSEEN_OBJECTS:
        _made_since_full_collection.clear()
        gc.collect()
    else:
        gc.freeze()
        gc.unfreeze()


def _switch_on_in_child() -> None:
    """Switch the collector on in a child that was forked while another thread had switched it off."""
    if _OFF:
        _OFF.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_switch_on_in_child)
