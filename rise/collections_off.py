"""Python's collector of cycles, switched off for a while. Knows nothing of what is done meanwhile."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_OFF: Final[list[None]] = []  # one entry for each `collections_off` in progress that switched it off


@contextmanager
def collections_off() -> Iterator[None]:
    """Collect no cycles: for work that makes many objects and keeps nearly all of them.

    The collector looks through all new objects again and again, which took a quarter of the time of reading a long
    text and found nothing. It is one for all threads: the first that switches it off switches it on again, and what
    another thread does from then on is collected as usual.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    _OFF.append(None)
    try:
        yield
    finally:
        if _OFF:
            _OFF.pop()
        gc.enable()


def _on_again() -> None:
    """Switch it on in a child that was forked by one thread while another had it off."""
    if _OFF:
        _OFF.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_on_again)
