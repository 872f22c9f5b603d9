"""Declarations of arrays in shared memory. Knows no statements.

What a block always may have is declared as arrays. More must be asked for at the launch, and is one run of bytes.
"""

from __future__ import annotations

from itertools import pairwise

from shine.imperative.kernels import GpuKernel
from shine.passes.gpu.alignment import OF_FRAGMENTS, USUAL, alignments, bytes_in
from shine.passes.gpu.lay_out_shared import shared_bytes
from shine.targets.c.assignments import element_type
from shine.targets.c.helpers import Helpers
from shine.targets.c.lines import Line, Page
from shine.targets.cuda.module import SharedArray


def declare_shared(
    kernel: GpuKernel, static: int, page: Page, helpers: Helpers
) -> tuple[list[Line], tuple[SharedArray, ...]]:
    """The lines that declare a kernel's arrays, and the arrays in dynamic memory; `static` is the most that a text may
    declare, in bytes.
    """
    total, aligned = shared_bytes(kernel), alignments(kernel.body)
    apart = all(
        start + bytes_in(one) <= following
        for (one, start), (_, following) in pairwise(sorted(kernel.shared, key=lambda place: place[1]))
    )
    if total <= static and apart:
        lines = []
        for buffer, _ in kernel.shared:
            alignment = aligned.get(buffer.name, USUAL)
            c, name = element_type(buffer, helpers), page.scope.bind(buffer, buffer.name)
            count = max(buffer.size.constant or 0, 1)
            lines.append(page.line(f"__shared__ __align__({alignment}) {c} {name}[{count}];", buffer.origin))
        return lines, ()
    length = f"[{total}]" if total <= static else "[]"
    external = "" if total <= static else "extern "
    alignment = max([OF_FRAGMENTS, *(aligned.get(buffer.name, USUAL) for buffer, _ in kernel.shared)])
    run = f"{external}__shared__ __align__({alignment}) unsigned char shared_memory{length};"
    lines, arrays = [page.line(run)], []
    for buffer, start in kernel.shared:
        c, name = element_type(buffer, helpers), page.scope.bind(buffer, buffer.name)
        pointer = f"{c}* const {name} = reinterpret_cast<{c}*>(shared_memory + {start});"
        lines.append(page.line(pointer, buffer.origin))
        arrays.append(SharedArray(name, start, bytes_in(buffer), buffer.origin))
    return lines, tuple(arrays) if total > static else ()
