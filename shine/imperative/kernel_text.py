"""Prints GPU kernels for people: launches, arrays in shared memory, barriers. Independent of the syntax of targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from rise.naturals import Nat
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from shine.imperative.axes import accesses
from shine.imperative.contents import Names
from shine.imperative.kernel_names import kernel_names
from shine.imperative.kernels import LANES, GpuKernel, GpuProgram, named_units
from shine.imperative.nodes import Buffer, For, Level, Origin
from shine.imperative.signature import signature_text
from shine.imperative.text import write_block, write_constants
from shine.imperative.visibility import Visible, visible_in
from shine.imperative.walk import statements


def write_program(program: GpuProgram) -> tuple[str, tuple[Origin | None, ...]]:
    """The text, with the path in the low-level program from which each line was translated."""
    lines: list[tuple[str, Origin | None]] = [(signature_text(program.procedure), None)]
    lines += [(f"  {function.text}", None) for function in program.procedure.foreign]
    names = kernel_names(program)
    between = next(iter(names), {})  # all kernels use the same names for the arrays between them
    lines += [
        (f"  {_array(buffer, between.get(buffer, buffer.name))} in Global", buffer.origin)
        for buffer in program.temporaries
    ]
    for kernel, called in zip(program.kernels, names, strict=True):
        lines += _write_kernel(kernel, program, called)
    return "".join(f"{text}\n" for text, _ in lines), tuple(origin for _, origin in lines)


def _write_kernel(
    kernel: GpuKernel, program: GpuProgram, called: Names
) -> Iterator[tuple[str, Origin | None]]:
    """The lines of a kernel of a program, each with its origin."""
    page = _page(kernel, program, called)
    launch = kernel.launch
    grid = _extents([show_nat(extent) for extent in launch.grid])
    threads = _extents(list(map(str, launch.block)))
    yield "", None
    yield f"kernel {kernel.name}: {grid} blocks of {threads} threads{_warps(launch.warps)}", None
    for buffer, offset in kernel.shared:
        yield f"  {_array(buffer, page.bind(buffer))} in Shared from byte {offset}", buffer.origin
    yield from write_constants(kernel.body, "  ", page)
    yield from write_block(kernel.body, "  ", page)


def _page(kernel: GpuKernel, program: GpuProgram, called: Names) -> Visible:
    """What is visible in a kernel: the arrays, numbers and sizes that it uses."""
    procedure = program.procedure
    loops = [one for one, _ in statements(kernel.body) if isinstance(one, For)]
    launch = kernel.launch if _is_launched(kernel, loops) else None
    page = visible_in(kernel.body, called, procedure.inputs, launch)
    used = {buffer for buffer, _ in accesses(kernel.body)}
    parameters = [buffer for one in procedure.inputs for buffer in one.buffers]
    numbers = [buffer for buffer in parameters if buffer in page.given]
    arrays = [buffer for buffer in parameters if buffer not in page.given]
    arrays += [*program.temporaries, *procedure.output.buffers, *numbers]
    page.bind_all(buffer for buffer in arrays if buffer in used)
    page.bind_all(procedure.sizes)
    for unit in () if launch is None else named_units(launch, loops):
        page.bind_unit(unit)
    return page


def _is_launched(kernel: GpuKernel, loops: Sequence[For]) -> bool:
    """Whether the numbers of a kernel's threads have been chosen, which early passes do not know."""
    has_warps = any(isinstance(loop.kind, Level) and loop.kind.name == "warp" for loop in loops)
    return kernel.launch.warps is not None or not has_warps


def _warps(warps: tuple[int, int, int] | None) -> str:
    if warps is None or prod(warps) == 1:
        return ""
    return f", which are {_extents(list(map(str, warps)))} warps of {LANES}"


def _extents(extents: list[str]) -> str:
    """The text of extents along dimensions 0, 1, 2, without trailing ones that are 1."""
    while len(extents) > 1 and extents[-1] == "1":
        extents.pop()
    return " x ".join(f"({text})" if " " in text and len(extents) > 1 else text for text in extents)


def _array(buffer: Buffer, name: str) -> str:
    size: Nat = buffer.size
    return f"new {name} : {show_type(buffer.element)} [{show_nat(size)}]"
