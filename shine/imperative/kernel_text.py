"""Prints GPU kernels for people: launches, arrays in shared memory, barriers. Knows no target's syntax."""

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
    """The text, with the path in the low-level program from which each line was translated."""
    lines: list[tuple[str, Origin | None]] = [(signature_text(program.procedure), None)]
    lines += [(f"  {function.text}", None) for function in program.procedure.foreign]
    lines += [(f"  {_array(buffer)} in Global", buffer.origin) for buffer in program.temporaries]
    for kernel in program.kernels:
        lines += write_kernel(kernel)
    return "".join(f"{text}\n" for text, _ in lines), tuple(origin for _, origin in lines)


def write_kernel(kernel: GpuKernel) -> Iterator[tuple[str, Origin | None]]:
    """The lines of a kernel, each with its origin."""
    launch = kernel.launch
    grid = _extents([show_nat(extent) for extent in launch.grid])
    threads = _extents(list(map(str, launch.block)))
    yield "", None
    yield f"kernel {kernel.name}: {grid} blocks of {threads} threads{_warps(launch.warps)}", None
    for buffer, offset in kernel.shared:
        yield f"  {_array(buffer)} in Shared from byte {offset}", buffer.origin
    yield from write_block(kernel.body, "  ")


def _warps(warps: tuple[int, int, int] | None) -> str:
    if warps is None or prod(warps) == 1:
        return ""
    return f", which are {_extents(list(map(str, warps)))} warps of {LANES}"


def _extents(extents: list[str]) -> str:
    """The text of extents along dimensions 0, 1, 2, without trailing ones that are 1."""
    while len(extents) > 1 and extents[-1] == "1":
        extents.pop()
    return " x ".join(f"({text})" if " " in text and len(extents) > 1 else text for text in extents)


def _array(buffer: Buffer) -> str:
    size: Nat = buffer.size
    return f"new {buffer.name} : {show_type(buffer.element)} [{show_nat(size)}]"
