"""The records of compilers, compared with the instructions in the code that gcc generates. Runs no code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest

import rise
import shine
from rise.hardware import processor
from shine.programs import call
from shine.targets.openmp.compiler import Compiler, description
from strategies.spaces import Leaf, replay
from strategies.spaces.holes import Decisions
from strategies.spaces.products import product as products
from strategies.spaces.tile_code import ANY_COMPILER, GCC_12, GCC_12_ON_ZEN, tile_code
from tests.examples import some
from tests.required_tools import GCC, needs

TEXT: Final = Path("examples/mm.rise").read_text(encoding="utf-8")
#: what the target passes to gcc where vectors have 512 bits
FLAGS: Final = [
    "-std=c11",
    "-O3",
    "-ffp-contract=off",
    "-fwrapv",
    "-fopenmp",
    "-fPIC",
    "-S",
    "-Wno-psabi",
    "-fexcess-precision=16",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-semantic-interposition",
    "-march=sapphirerapids",
    "-mprefer-vector-width=512",
]
TUNINGS: Final = ("znver3", "sapphirerapids")
LOOPS: Final[tuple[Decisions, ...]] = (
    {"loops": "own", "prefetch": "none"},
    {"loops": "own", "prefetch": "all"},
    {"loops": "rows"},
    {"loops": "blocks", "tiles": 4},
    {"loops": "panels", "panels": 2, "edge": "whole", "depth": None, "prefetch": "none"},
)
TILES: Final = (
    (2, 2),
    (4, 2),
    (5, 2),
    (3, 3),
    (5, 3),
    (4, 4),
    (5, 4),
    (4, 6),
    (2, 8),
    (12, 1),
    (17, 1),
    (18, 1),
    (30, 1),
)


def is_gcc_12() -> bool:
    try:
        return description(Compiler("gcc", "", (), True, True)).startswith("gcc 12 for")
    except rise.RiseError:
        return False


def innermost(assembly: str) -> Iterator[list[str]]:
    """The instructions of the innermost loops."""
    lines = [line.strip() for line in assembly.splitlines()]
    labels = {line[:-1]: number for number, line in enumerate(lines) if re.fullmatch(r"\.L\w+:", line)}
    jumps = ((re.match(r"j\w+\s+(\.L\w+)$", line), number) for number, line in enumerate(lines))
    loops = [(labels[jump[1]], end) for jump, end in jumps if jump and labels.get(jump[1], end) < end]
    for start, end in loops:
        if not any(start <= first and last <= end and (first, last) != (start, end) for first, last in loops):
            yield lines[start:end]


def counted(code: list[str]) -> tuple[int, int, int]:
    """The multiply-adds, loads and stores of vectors, or of numbers of all lanes, among instructions."""
    vectors = [line for line in code if re.match(r"v(fn?m|mov|p?broadcast)", line)]
    stores = sum(line.endswith(")") for line in vectors)
    accesses = sum("(" in line for line in vectors)
    return sum(line.startswith(("vfm", "vfnm")) for line in code), accesses - stores, stores


@needs(GCC, is_gcc_12())
@pytest.mark.parametrize(
    ("loops", "tile", "scalar", "tuning"),
    some(
        [
            (loops, tile, scalar, tuning)
            for loops in LOOPS
            for tile in TILES
            for scalar in ("f32", "f64")
            for tuning in TUNINGS
        ],
        16,
    ),
)
def test_tiles_load_and_store_what_the_record_says(
    loops: Decisions, tile: tuple[int, int], scalar: str, tuning: str, tmp_path: Path
) -> None:
    """A step of the tile loads and stores as often as the record says."""
    (rows, vectors), machine = tile, processor("sapphirerapids")
    decisions = {"rows": rows, "vectors": vectors, **loops}
    if vectors == 1:
        decisions.pop("edge", None)
    program = rise.parse(TEXT.replace("f32", scalar)).main
    leaf = replay(products.on(machine), decisions, program, {"M": 510, "N": 768, "K": 384})
    assert isinstance(leaf, Leaf) and leaf.term is not None, leaf
    source = tmp_path / "kernel.c"
    kernel = shine.compile(leaf.term, target="openmp", threads=1, machine=machine)
    source.write_text(kernel.source, encoding="utf-8")
    ran = call(["gcc", *FLAGS, f"-mtune={tuning}", source, "-o", tmp_path / "kernel.s"], tmp_path)
    assert not ran.status, ran.stderr
    found = [counted(code) for code in innermost((tmp_path / "kernel.s").read_text(encoding="utf-8"))]
    steps = [(rows * vectors / fused, loads, stores) for fused, loads, stores in found if fused]
    code = tile_code(f"gcc 12 for {tuning}", machine.vector_bits)
    wanted = (code.vectors(rows, vectors) + rows, code.stores(rows, vectors))
    assert wanted in [(times * loads, times * stores) for times, loads, stores in steps]


def test_nothing_is_known_of_other_compilers_and_vectors() -> None:
    assert tile_code("gcc 12 for znver3", 512) is GCC_12_ON_ZEN
    assert tile_code("gcc 12 for generic", 512) is GCC_12
    others = (("gcc 13 for znver4", 512), ("gcc 12 for znver3", 256), ("clang 16", 512), ("", 512))
    assert {tile_code(*other) for other in others} == {ANY_COMPILER}


def test_a_record_never_counts_less_than_what_every_tile_needs() -> None:
    for code in (GCC_12, GCC_12_ON_ZEN):
        for rows, vectors in product(range(1, 32), range(1, 9)):
            assert code.vectors(rows, vectors) >= ANY_COMPILER.vectors(rows, vectors) == vectors
            assert code.stores(rows, vectors) >= ANY_COMPILER.stores(rows, vectors) == 0


@pytest.mark.parametrize(
    ("macros", "name"),
    [
        ("#define __GNUC__ 12\n  -mtune=  znver3", "gcc 12 for znver3"),
        ("#define __GNUC__ 12", "gcc 12"),
        ("#define __clang_major__ 16\n#define __GNUC__ 4", "clang 16"),
        ("#define __TINYC__ 1", ""),
    ],
)
def test_compilers_are_recognised_by_their_macros(macros: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "cc"
    path.write_text(f"#!/bin/sh\necho '{macros}'\n", encoding="utf-8")
    path.chmod(0o700)
    assert description(Compiler(str(path), "", (), True, True)) == name
