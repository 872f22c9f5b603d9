"""Kernels of a GPU as text for people: launches, arrays in shared memory, barriers. Knows no target's syntax."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rise.naturals import Nat
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from shine.imperative.kernels import LANES, GpuKernel, GpuProgram
from shine.imperative.nodes import Buffer, Origin
from shine.imperative.signature import signature_text
from shine.imperative.text import write_block


def write_program(program: GpuProgram) -> tuple[str, tuple[Origin | None, ...]]:
    """The text, and for each of its lines the path in the low-level program that it was translated from."""
    lines: list[tuple[str, Origin | None]] = [(signature_text(program.procedure), None)]
    lines += [(f"  {one.text}", None) for one in program.procedure.foreign]
    lines += [(f"  {_array(one)} in Global", one.origin) for one in program.temporaries]
    for kernel in program.kernels:
        lines += write_kernel(kernel)
    return "".join(f"{text}\n" for text, _ in lines), tuple(origin for _, origin in lines)


def write_kernel(kernel: GpuKernel) -> Iterator[tuple[str, Origin | None]]:
    """The lines of a kernel, each with its origin."""
    launch = kernel.launch
    grid = _sides([show_nat(one) for one in launch.grid])
    threads = _sides(list(map(str, launch.block)))
    yield "", None
    yield f"kernel {kernel.name}: {grid} blocks of {threads} threads{_warps(launch.warps)}", None
    for buffer, offset in kernel.shared:
        yield f"  {_array(buffer)} in Shared from byte {offset}", buffer.origin
    yield from write_block(kernel.body, "  ")


def _warps(warps: tuple[int, int, int] | None) -> str:
    if warps is None or prod(warps) == 1:
        return ""
    return f", which are {_sides(list(map(str, warps)))} warps of {LANES}"


def _sides(extents: list[str]) -> str:
    """Extents along dimensions 0, 1, 2, without those at the end that are 1."""
    while len(extents) > 1 and extents[-1] == "1":
        extents.pop()
    return " x ".join(f"({one})" if " " in one and len(extents) > 1 else one for one in extents)


def _array(buffer: Buffer) -> str:
    size: Nat = buffer.size
    return f"new {buffer.name} : {show_type(buffer.element)} [{show_nat(size)}]"
