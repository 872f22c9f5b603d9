"""Diagnostics for arrays that cannot be distributed over registers. Runs no kernel."""

from __future__ import annotations

import pytest

from rise.naturals import NatLike, const, var
from rise.quotients import remainder
from rise.types import VectorType
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import (
    Allocate,
    FillFragment,
    Load,
    Matrix,
    Piece,
    Statement,
    StoreFragment,
)
from shine.passes.gpu.distribute_registers import distribute_registers
from tests.shine.passes.gpu.kernels import (
    LANE,
    fragment_type,
    kernel,
    memory,
    numbered,
    registers,
    threads,
    warp,
)
from tests.shine.procedures import F32, assign, load, loop, number


def refused(before: GpuKernel) -> str:
    with pytest.raises(TranslationError) as caught:
        distribute_registers(before)
    assert caught.value.origin
    return str(caught.value)


def of_threads(*body: Statement, size: NatLike = 32) -> GpuKernel:
    """A kernel of 32 threads that fill an array and run more statements."""
    array = registers("tile", size)
    fill = loop("t", 32, lambda t: [assign(array, t, numbered(t))], threads(0))
    return kernel(Allocate(array, (1,)), fill, *body, block=(32, 1, 1))


TILE = registers("tile", 32)
OUT = memory("out", 64)


def test_a_thread_can_only_read_its_own_registers() -> None:
    neighbour = loop("u", 31, lambda t: [assign(OUT, t, load(TILE, t + 1))], threads(0))
    assert refused(of_threads(neighbour)) == (
        "error[registers]: expected each thread to read its own registers of the array tile, found that thread u reads "
        "those of thread u + 1\nhint: keep it in shared memory with `toMem(Shared)`"
    )
    first = assign(OUT, 0, load(TILE, 3))
    assert refused(of_threads(first)) == (
        "error[registers]: expected each thread to read its own registers of the array tile, found that all threads "
        "read those of thread 3\nhint: keep it in shared memory with `toMem(Shared)`"
    )


def test_a_thread_can_only_fill_its_own_registers() -> None:
    reverse = loop("u", 32, lambda t: [assign(TILE, 31 - t, numbered(t))], threads(0))
    assert refused(of_threads(reverse)) == (
        "error[registers]: expected each thread to fill its own part of the array tile, found thread u that stores "
        "element 31 - u\nhint: keep it in shared memory with `toMem(Shared)`"
    )
    columns = loop(
        "u", 4, lambda t: [loop("i", 8, lambda i: [assign(TILE, 8 * t + i, numbered(t))])], threads(0)
    )
    assert refused(of_threads(columns)) == (
        "error[registers]: expected all loops to distribute the array tile the same way, found parts of different "
        "threads 1 apart and 8 apart\n"
        "hint: fill it in the same order everywhere, or keep it in shared memory with `toMem(Shared)`"
    )
    beside = loop("u", 31, lambda t: [assign(TILE, t + 1, numbered(t))], threads(0))
    assert refused(of_threads(beside)) == (
        "error[registers]: expected each thread to fill its own registers of the array tile, found that thread u fills "
        "those of thread u + 1\nhint: keep it in shared memory with `toMem(Shared)`"
    )


def test_fragments_cannot_be_used_by_other_warps() -> None:
    tile, out = registers("tile", 2, fragment_type("Accum")), memory("out", 2)
    fill = loop("w", 2, lambda w: [FillFragment(Piece(tile, w), number(0.0), (3,))], warp(0))
    other = loop(
        "v", 2, lambda w: [StoreFragment(Matrix(out, w, const(16), True), Piece(tile, 1 - w), (4,))], warp(0)
    )
    assert refused(kernel(Allocate(tile, (1,)), fill, other, warps=(2, 1, 1))) == (
        "error[registers]: expected each warp to read its own registers of the array tile, found that warp v reads "
        "those of warp 1 - v\nhint: keep it in shared memory with `toMem(Shared)`"
    )


def test_a_vector_is_not_split() -> None:
    pairs = Load(memory("x", 64), const(0), 2, False, VectorType(const(2), F32))
    array = registers("tile", 96)
    cut = loop("t", 32, lambda t: [assign(array, 3 * t + 2, pairs)], threads(0))
    assert refused(kernel(Allocate(array, (1,)), cut, block=(32, 1, 1))) == (
        "error[registers]: expected vectors in the registers of one thread, found one of 2 elements of the array "
        "tile that threads would share\n"
        "hint: give each thread whole vectors, or keep it in shared memory with `toMem(Shared)`"
    )


def test_the_number_of_registers_must_be_known() -> None:
    n = var("n")
    rows = registers("rows", n)
    body: list[Statement] = [Allocate(rows, (1,)), loop("i", n, lambda i: [assign(rows, i, numbered(i))])]
    assert refused(kernel(loop("t", 32, lambda t: body, threads(0)), block=(32, 1, 1))) == (
        "error[registers-size]: expected an array of a known size in a thread's registers, found rows of n elements\n"
        "hint: fix the size with rise.specialise or a tile, or keep it in memory with `toMem(Global)`"
    )


def of_lanes(*body: Statement, size: int = 32) -> GpuKernel:
    """A warp that fills an array and runs more statements."""
    array = registers("tile", size)
    fill = loop("l", size, lambda l: [assign(array, l, numbered(l))], LANE)
    return kernel(Allocate(array, (1,)), fill, *body, warps=(1, 1, 1))


def test_all_lanes_must_take_part_in_an_exchange() -> None:
    uneven = loop(
        "v", 16, lambda l: [loop("k", l + 1, lambda k: [assign(OUT, 16 * l + k, load(TILE, k))])], LANE
    )
    assert refused(of_lanes(uneven)) == (
        "error[registers]: expected lanes of a warp to exchange registers together, found an exchange in a loop of "
        "v_lane + 1 iterations, which not all of them run\n"
        "hint: move it out with `toMem(Local)`, or keep it in shared memory with `toMem(Shared)`"
    )
    threads_of_it = loop("t", 8, lambda t: [assign(OUT, t, load(TILE, 0))], threads(0))
    assert refused(of_lanes(threads_of_it)) == (
        "error[registers]: expected lanes of a warp to exchange registers together, found an exchange in a loop over "
        "8 threads, which not all of them run\n"
        "hint: move it out with `toMem(Local)`, or keep it in shared memory with `toMem(Shared)`"
    )


def test_lanes_cannot_choose_among_many_registers() -> None:
    many = loop(
        "v", 32, lambda l: [assign(OUT, l, load(registers("tile", 2048), remainder(77 * l, 2048)))], LANE
    )
    assert refused(of_lanes(many, size=2048)) == (
        "error[registers]: expected lanes to read one register of the array tile at a time, found each at another "
        "index, 2 * v + 13 * v / 32 - 64 * (77 * v / 2048)\nhint: keep it in shared memory with `toMem(Shared)`"
    )
