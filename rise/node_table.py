"""The table of interned nodes: every node that is alive, by its key. Knows nothing of what a node is."""

from __future__ import annotations

import weakref
from typing import Any, Final, TypeVar

from rise.forks import Lock

N = TypeVar("N", bound=object)

_TABLE: Final[dict[tuple[Any, ...], weakref.ref[Any]]] = {}
_LOCK: Final = Lock()
_FEWEST: Final = 1 << 15
"""Entries that are not looked through for dead ones."""
_swept: Final = [_FEWEST]
lookup: Final = (
    _TABLE.get
)  # the entry of a key, which answers its node when called, or None when that is dead
_claim: Final = _TABLE.setdefault
_reference: Final = weakref.ref


def find(table_key: tuple[Any, ...]) -> Any:
    """The live node of this key, or None. A key names its class and its fields, nodes among them by `id`."""
    entry = lookup(table_key)
    return None if entry is None else entry()


def publish(table_key: tuple[Any, ...], node: N) -> N:
    """Put a new node in the table; if another thread was faster, its node is the answer. See Note [Interning]."""
    entry: weakref.ref[Any] = _reference(node)
    while (present := _claim(table_key, entry)) is not entry:
        found = present()
        if found is not None:
            return found  # type: ignore[no-any-return]  # the key names the class
        with _LOCK.held():
            if lookup(table_key) is present:
                del _TABLE[table_key]
    if len(_TABLE) > _swept[0]:
        _forget_dead()
    return node


def _forget_dead() -> None:
    """Take dead nodes out of the table; the next time is when it has twice as many entries."""
    with _LOCK.held():  # the others only add, at the end: keys and entries stand in one order
        keys, entries = list(_TABLE), list(_TABLE.values())  # pairs would be many, and collected as garbage
        dead = [table_key for table_key, entry in zip(keys, entries, strict=False) if entry() is None]
        for table_key in dead:
            del _TABLE[table_key]
        _swept[0] = max(_FEWEST, 2 * len(_TABLE))


def live_nodes() -> int:
    """How many nodes are alive (for tests of memory)."""
    _forget_dead()
    return len(_TABLE)


# Note [Interning]
# The table holds its nodes weakly. It is only ever claimed for by `setdefault`, which is one step for all threads,
# and only forgotten from under the lock, so that a live node is never replaced. The entries of dead nodes stay until
# the table has twice as many; then all are forgotten together, which costs a node less than a callback at its death
# would. A key may name nodes by `id` even so: while a node lives so do its parts, and once it is dead its entry
# answers nothing.
