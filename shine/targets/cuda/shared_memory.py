"""Prints the declarations of arrays in shared memory. Does not decide where they are."""

from __future__ import annotations

from shine.imperative.kernels import GpuKernel
from shine.imperative.limits import element_bytes
from shine.imperative.nodes import Buffer
from shine.imperative.scopes import Scope
from shine.passes.gpu.alignment import DEFAULT_ALIGNMENT, FRAGMENT_ALIGNMENT, alignments, bytes_in
from shine.passes.gpu.lay_out_shared import Places, end_of, overlapping, shared_bytes
from shine.targets.c.assignments import element_type
from shine.targets.c.helpers import Helpers
from shine.targets.c.lines import Line, Page
from shine.targets.cuda.module import SharedArray


def declare_shared(
    kernel: GpuKernel, static: int, page: Page, helpers: Helpers
) -> tuple[list[Line], tuple[SharedArray, ...]]:
    """The lines that declare a kernel's arrays, and the arrays that are declared as pointers into other memory;
    `static` is the maximal number of bytes that a text may declare. Of arrays that share bytes, the largest is declared
    if it has all of the bytes; otherwise the bytes are declared.
    """
    aligned = alignments(kernel.body)
    alignment_of = {buffer: aligned.get(buffer.name, DEFAULT_ALIGNMENT) for buffer, _ in kernel.shared}
    runs = overlapping(kernel.shared)
    lines: list[Line] = []
    within: list[SharedArray] = []
    if shared_bytes(kernel) > static:
        alignment = max([FRAGMENT_ALIGNMENT, *alignment_of.values()])
        text = f"extern __shared__ __align__({alignment}) unsigned char shared_memory[];"
        lines.append(page.line(text))
        lines += [_in_bytes(buffer, "shared_memory", start, page, helpers) for buffer, start in kernel.shared]
        return lines, tuple(_array(buffer, start, "", page.scope) for run in runs for buffer, start in run)
    for run in sorted(runs, key=lambda run: kernel.shared.index(run[0])):
        alignment = max(alignment_of[buffer] for buffer, _ in run)
        (first, start), size = run[0], end_of(run) - run[0][1]
        if _has_all(first, run):
            c, name = element_type(first, helpers), page.scope.bind(first, first.name)
            count = max(first.size.constant or 0, 1)
            lines.append(page.line(f"__shared__ __align__({alignment}) {c} {name}[{count}];", first.origin))
            lines += [_in_array(one, name, at - start, page, helpers) for one, at in run[1:]]
            within += [_array(one, at - start, name, page.scope) for one, at in run[1:]]
        else:
            name = page.scope.bind(run, f"{page.scope.called.get(first, first.name)}_bytes")
            pointers = [_in_bytes(one, name, at - start, page, helpers) for one, at in run]
            lines.append(page.line(f"__shared__ __align__({alignment}) unsigned char {name}[{size}];"))
            lines += pointers
            within += [_array(one, at - start, name, page.scope) for one, at in run]
    return lines, tuple(within)


def _has_all(first: Buffer, run: Places) -> bool:
    """Whether the first array of a run has all bytes of the run, and the type of the other arrays."""
    width = element_bytes(first)
    return bytes_in(first) == end_of(run) - run[0][1] and all(
        one.element == first.element and (at - run[0][1]) % width == 0 for one, at in run
    )


def _in_array(buffer: Buffer, first: str, offset: int, page: Page, helpers: Helpers) -> Line:
    """Declare an array that starts a number of bytes after another array of its type."""
    c, name = element_type(buffer, helpers), page.scope.bind(buffer, buffer.name)
    at = f"{first} + {offset // element_bytes(buffer)}" if offset else first
    return page.line(f"{c}* const {name} = {at};", buffer.origin)


def _in_bytes(buffer: Buffer, memory: str, offset: int, page: Page, helpers: Helpers) -> Line:
    """Declare an array that starts at an offset in bytes."""
    c, name = element_type(buffer, helpers), page.scope.bind(buffer, buffer.name)
    return page.line(f"{c}* const {name} = reinterpret_cast<{c}*>({memory} + {offset});", buffer.origin)


def _array(buffer: Buffer, offset: int, within: str, scope: Scope) -> SharedArray:
    """An array that is declared as a pointer, with the pointer's name in the text."""
    return SharedArray(scope.known(buffer) or buffer.name, offset, bytes_in(buffer), buffer.origin, within)
