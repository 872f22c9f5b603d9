"""Measures work as the number of functions called, Python's own included. Independent of what is done."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls_of(work: Callable[[], object]) -> int:
    """How many calls it takes. Unlike a time, it is the same on every machine."""
    count = 0

    def notice(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def forget(package: str) -> None:
    """Empty the caches of a package that hold so many answers at most: what was done before makes nothing cheaper."""
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            for value in vars(module).values():
                if hasattr(value, "cache_parameters") and value.cache_parameters()["maxsize"] is not None:
                    value.cache_clear()
