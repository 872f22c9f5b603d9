"""The CUDA text of matrix instructions: every record has one, and compilers accept it for the architectures that the
record states.

Tests that compile need NVRTC (`pip install 'rise-shine[nvrtc]'`) or nvcc, and no GPU.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from rise.diagnostics import RiseError
from rise.hardware import ARCHITECTURES, INSTRUCTIONS, MatrixInstruction, architecture, find
from rise.scalars import ROLES
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.instructions import TEXTS
from tests import required_tools
from tests.examples import THOROUGH, in_whole, some

#: one architecture of each generation, and with the features of one processor alone
SPACES = ("Shared", "Global")
APART = ("sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120")
needs_compiler = required_tools.needs_cuda_compiler()


def held(one: MatrixInstruction, role: str) -> str:
    """The number of elements that a lane holds, according to the text."""
    if one.coordinates is None:
        return TEXTS[one.name].count(f"f{role}")
    return f"sizeof f{role} / sizeof f{role}[0]"


def kernel(one: MatrixInstruction, name: str, a_by_rows: bool, b_by_rows: bool, space: str = "Shared") -> str:
    """A kernel that adds a product to a matrix whose numbers are doubled."""
    text = TEXTS[one.name]
    pointers = [f"const {text.element[role]}* {role}" for role in ROLES]
    layouts = dict(zip(ROLES, (a_by_rows, b_by_rows, True), strict=True))
    body = [
        *(
            f"{text.fragment(role, by_rows)} f{role}{text.registers(role)};"
            for role, by_rows in layouts.items()
        ),
        f"{text.fragment('Accum', False)} sum{text.registers('Accum')};",
        *(f'static_assert({held(one, role)} == {one.elements_of(role)}, "");' for role in ROLES),
        *(text.load(role, f"f{role}", role, "stride", by_rows, space) for role, by_rows in layouts.items()),
        text.fill("sum", "0"),
        text.multiply_add("sum", "fAMatrix", "fBMatrix", "sum"),
        f"for (int t = 0; t < {text.count('sum')}; t++)"
        f" {text.number('sum', 't')} = {text.number('sum', 't')} + {text.number('fAccum', 't')};",
        text.store("out", "sum", "stride", a_by_rows),
    ]
    parameters = ", ".join([*pointers, f"{text.element['Accum']}* out", "unsigned stride"])
    return f'extern "C" __global__ void {name}({parameters}) {{\n  ' + "\n  ".join(body) + "\n}\n"


def source(kernels: Iterable[str], instructions: Iterable[MatrixInstruction]) -> str:
    headers = dict.fromkeys(header for one in instructions for header in TEXTS[one.name].headers)
    return "".join(f"#include <{header}>\n" for header in headers) + "\n".join(kernels)


def test_every_instruction_has_a_text() -> None:
    assert TEXTS.keys() == INSTRUCTIONS.keys()


def test_the_text_of_an_instruction_is_as_in_the_guide() -> None:
    text = TEXTS[find("wmma", (16, 16, 16), ("f16", "f16", "f32")).name]
    assert text.element == {"AMatrix": "__half", "BMatrix": "__half", "Accum": "float"}
    assert text.fragment("BMatrix", False) == (
        "nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major>"
    )
    assert text.load("AMatrix", "a", "p", "64", True) == "nvcuda::wmma::load_matrix_sync(a, p, 64);"
    assert text.load("Accum", "c", "p", "n", True) == (
        "nvcuda::wmma::load_matrix_sync(c, p, n, nvcuda::wmma::mem_row_major);"
    )
    assert text.store("p", "c", "n", False) == (
        "nvcuda::wmma::store_matrix_sync(p, c, n, nvcuda::wmma::mem_col_major);"
    )
    assert text.multiply_add("d", "a", "b", "c") == "nvcuda::wmma::mma_sync(d, a, b, c);"


def test_numbers_of_32_bits_are_rounded_when_they_are_loaded() -> None:
    text = TEXTS[find("wmma", (16, 16, 8), ("tf32", "tf32", "f32")).name]
    assert "__float_to_tf32(a.x[t])" in text.load("AMatrix", "a", "p", "64", True)
    assert "tf32" not in text.load("Accum", "c", "p", "64", True)
    assert text.element["AMatrix"] == "float"


def compiled_for(arch: str) -> list[MatrixInstruction]:
    """The instructions of which the oldest or the newest architecture is this one; in soak, all that exist on it."""
    existing = [one for one in INSTRUCTIONS.values() if one.exists_on(architecture(arch))]
    if THOROUGH:
        return existing
    return [
        one
        for one in existing
        if arch in (ends := [each for each in APART if one.exists_on(architecture(each))])[:1] + ends[-1:]
    ]


@needs_compiler
@pytest.mark.parametrize("arch", some(ARCHITECTURES if THOROUGH else some(filter(compiled_for, APART), 3), 2))
def test_texts_compile_for_all_architectures_with_the_instruction(arch: str, cache: Path) -> None:
    existing = compiled_for(arch)
    text = source((kernel(one, one.name, True, True) for one in existing), existing)
    made = compile_text(text, arch, [one.name for one in existing], cache=cache)
    assert not made.warnings
    assert all(taken.registers for taken in made.resources.values())


@in_whole("test_texts_compile_for_all_architectures_with_the_instruction")
@needs_compiler
def test_every_layout_compiles(cache: Path) -> None:
    every = INSTRUCTIONS.values()
    kernels = {
        name: kernel(one, name, a, b, space)
        for number, one in enumerate(every)
        for (a, b), space in some(
            product(one.layouts, SPACES[: 2 if one.coordinates else 1]), 6, first=number
        )
        for name in [f"{one.name}_{a:d}{b:d}_{space}"]
    }
    compile_text(source(kernels.values(), every), "sm_90", list(kernels), strict=True, cache=cache)


@needs_compiler
def test_an_instruction_does_not_compile_for_older_architectures(cache: Path) -> None:
    """Every ninth instruction that is newer; in `whole`, all."""
    for one in some([each for each in INSTRUCTIONS.values() if each.since == "sm_80"], apart=9):
        with pytest.raises(RiseError):
            compile_text(source([kernel(one, "k", True, True)], [one]), "sm_75", ["k"], cache=cache)
