"""Measures work as the number of functions called, Python's own included. Independent of what is done."""

import sys
from collections.abc import Callable
from cProfile import Profile
from typing import Final

OWN: Final = 1  # call that the profile counts of itself, which ends it


def calls_of(work: Callable[[], object]) -> int:
    """How many calls it takes. Unlike a time, it is the same on every machine."""
    before = sys.getprofile()
    sys.setprofile(None)
    profile = Profile()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        sys.setprofile(before)
    return sum(one.callcount for one in profile.getstats()) - OWN


def forget(package: str) -> None:
    """Empty the caches of a package that hold so many answers at most: what was done before makes nothing cheaper."""
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            for value in vars(module).values():
                if hasattr(value, "cache_parameters") and value.cache_parameters()["maxsize"] is not None:
                    value.cache_clear()
