"""The table of interned nodes: every live node by its key. Independent of what a node is."""

from __future__ import annotations

import weakref
from typing import Any, Final, TypeVar

from rise.forks import Lock

N = TypeVar("N", bound=object)

_TABLE: Final[dict[tuple[Any, ...], weakref.ref[Any]]] = {}
_LOCK: Final = Lock()
_MIN_SWEPT_ENTRIES: Final = 1 << 15
"""A table with fewer entries is not swept for dead ones."""
_sweep_at: Final = [_MIN_SWEPT_ENTRIES]
#: the entry of a key, a weak reference: calling it returns the node, or None if the node is dead
lookup: Final = _TABLE.get
_claim: Final = _TABLE.setdefault
_reference: Final = weakref.ref


def find(table_key: tuple[Any, ...]) -> Any:
    """The live node of this key, or None. A key consists of the class and the fields; nodes among the fields are given
    by `id`.
    """
    entry = lookup(table_key)
    return None if entry is None else entry()


def publish(table_key: tuple[Any, ...], node: N) -> N:
    """Add a new node to the table. Returns the node of another thread if that added one first. See Note [Interning]."""
    entry: weakref.ref[Any] = _reference(node)
    while (present := _claim(table_key, entry)) is not entry:
        existing = present()
        if existing is not None:
            return existing  # type: ignore[no-any-return]  # the key names the class
        with _LOCK.held():
            if lookup(table_key) is present:
                del _TABLE[table_key]
    if len(_TABLE) > _sweep_at[0]:
        _forget_dead()
    return node


def _forget_dead() -> None:
    """Remove dead nodes from the table; the next sweep takes place when it has twice as many entries."""
    with _LOCK.held():  # other threads only append, so keys and entries have the same order
        keys, entries = list(_TABLE), list(_TABLE.values())  # not pairs, which the collector would track
        dead = [table_key for table_key, entry in zip(keys, entries, strict=False) if entry() is None]
        for table_key in dead:
            del _TABLE[table_key]
        _sweep_at[0] = max(_MIN_SWEPT_ENTRIES, 2 * len(_TABLE))


def live_nodes() -> int:
    """The number of live nodes (for tests of memory)."""
    _forget_dead()
    return len(_TABLE)


# Note [Interning]
# The table holds its nodes weakly. Entries are only added by `setdefault`, which is atomic, and only removed under the
# lock, so that a live node is never replaced. The entries of dead nodes stay until the table has twice as many; then
# all are removed together, which costs less per node than a callback at its death. A key may still name nodes by `id`:
# a live node keeps its parts alive, and the entry of a dead node returns None.
