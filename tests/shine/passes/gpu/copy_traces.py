"""Traces of asynchronous copies: whether any access precedes the completion of its copy.

Independent of the placement of waits.
"""

from __future__ import annotations

from shine.imperative.kernels import LANES
from tests.shine.passes.gpu.barrier_kernels import Trace


def early(trace: Trace) -> tuple[str, int, int] | None:
    """An element that a thread copies to, and the thread, if another access, or the end, precedes the completion of the
    copy.
    """
    following: dict[int, tuple[int, int, int]] = {}
    waits: dict[
        int, tuple[int, int, int] | None
    ] = {}  # the next wait of each copy's thread: when, and its phases
    for when, (_, _, block, warp, kind, thread) in reversed(list(enumerate(trace.accesses))):
        if kind == "wait":
            following[thread] = when, block, warp
        elif kind == "copy":
            waits[when] = following.get(thread)
    touched: dict[tuple[str, int], list[int]] = {}
    for when, access in enumerate(trace.accesses):
        touched.setdefault(access[:2], []).append(when)
    for when, wait in waits.items():
        buffer, element, block, warp, _, thread = trace.accesses[when]
        for later in touched[buffer, element]:
            _, _, at_block, at_warp, _, other = trace.accesses[later]
            near = other // LANES == thread // LANES
            if other == thread:
                is_after, is_early = later > when, wait is None or wait[0] > later
            else:
                is_after = at_block > block or (near and at_warp > warp)
                is_early = wait is None or not (at_block > wait[1] or (near and at_warp > wait[2]))
            if is_after and is_early:
                return buffer, element, thread
        if wait is None:
            return buffer, element, thread
    return None
