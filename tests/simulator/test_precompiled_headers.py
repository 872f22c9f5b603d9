"""Precompiled headers: gcc reads them, programs can do without them, and damaged ones are rebuilt."""

from pathlib import Path
from unittest.mock import patch

import pytest

from shine.cache import is_whole
from shine.simulator import SimulatorError, build, builder
from shine.simulator.compiler import INCLUDE, Compiler, find_compiler
from shine.simulator.headers import leading_headers, precompiled, use_precompiled
from tests.examples import in_whole, some
from tests.required_tools import GCC, skip_without

NAMES = ("simulator/vocabulary.h", "cuda_fp16.h")
UNIT = "".join(f'#include "{name}"\n' for name in NAMES) + "__device__ float f(__half x) { return x; }\n"
DOUBLED = '#include <cuda_fp16.h>\nextern "C" __global__ void f(__half* x) { x[0] = x[0] + x[0]; }\n'


@pytest.fixture
def flags() -> tuple[str, ...]:
    if find_compiler(None).is_clang:
        skip_without(GCC)
    return find_compiler(None).text_flags(check=True)


def compiled(flags: tuple[str, ...], options: tuple[str | Path, ...], folder: Path) -> str:
    """The messages of gcc when it compiles the unit, with the headers that it reads: `!` marks a precompiled one."""
    unit = folder / "program.cpp"
    unit.write_text(UNIT)
    arch = "-D__CUDA_ARCH__=900"
    status, messages = find_compiler(None).run(
        folder, *flags, arch, *options, "-H", "-I", INCLUDE, "-c", unit, "-o", folder / "program.o"
    )
    assert status == 0
    return messages


def test_headers_are_precompiled_for_the_second_program_that_begins_with_them(tmp_path: Path) -> None:
    if find_compiler(None).is_clang:
        skip_without(GCC)
    built = []
    with patch.object(builder, "precompiled", precompiled):  # tests share headers, in another directory
        for number in range(3):
            build(f"{DOUBLED}// {number}\n", cache=tmp_path)
            built.append([file.stat().st_ino for file in tmp_path.glob("*.gch")])
    assert built[0] == [] and len(built[1]) == 1 and built[1] == built[2]


def precompiled_now(
    names: tuple[str, ...], flags: tuple[str, ...], compiler: Compiler, cache: Path
) -> Path | None:
    """What `precompiled` returns when it is asked again for headers that it did not precompile."""
    return precompiled(names, flags, compiler, cache) or precompiled(names, flags, compiler, cache)


def test_gcc_reads_one_file_instead_of_all_headers(flags: tuple[str, ...], tmp_path: Path) -> None:
    built = precompiled_now(NAMES, flags, find_compiler(None), tmp_path)
    assert built is not None
    read = compiled(flags, use_precompiled(NAMES, built, tmp_path), tmp_path)
    assert read.startswith("! ") and not any(name in read for name in NAMES)


def test_without_the_precompiled_file_gcc_reads_the_headers(flags: tuple[str, ...], tmp_path: Path) -> None:
    options = use_precompiled(NAMES, tmp_path / "deleted.gch", tmp_path)
    assert not compiled(flags, options, tmp_path).startswith("! ")


def test_a_damaged_precompiled_header_is_rebuilt(flags: tuple[str, ...], tmp_path: Path) -> None:
    built = precompiled_now(NAMES, flags, find_compiler(None), tmp_path)
    assert built is not None
    assert precompiled(NAMES, flags, find_compiler(None), tmp_path) == built
    built.write_bytes(built.read_bytes()[:-1000])
    assert precompiled(NAMES, flags, find_compiler(None), tmp_path) == built
    assert is_whole(built)


@in_whole("test_a_program_is_the_same_whatever_precedes_its_headers")
def test_other_flags_and_other_headers_need_another_file(flags: tuple[str, ...], tmp_path: Path) -> None:
    plain = find_compiler(None).text_flags(check=False)
    made = {
        precompiled_now(names, given, find_compiler(None), tmp_path)
        for names in (NAMES, NAMES[:1])
        for given in (flags, plain)
    }
    assert len(made) == 4


def test_headers_that_do_not_compile_are_not_precompiled(flags: tuple[str, ...], tmp_path: Path) -> None:
    # it needs definitions of the vocabulary
    assert precompiled_now(("mma.h",), flags, find_compiler(None), tmp_path) is None
    assert list(tmp_path.glob("*.gch")) == []


@pytest.mark.parametrize(
    "before", some(["", "// a comment\n\n", "/* a comment */\n", "#define N 1\n", "int x;\n"], 2)
)
def test_a_program_is_the_same_whatever_precedes_its_headers(before: str, tmp_path: Path) -> None:
    program = build(f"{before}{DOUBLED}", cache=tmp_path)
    assert [kernel.name for kernel in program.kernels] == ["f"]


def test_a_text_that_includes_nothing_lacks_the_types_of_headers(tmp_path: Path) -> None:
    build(DOUBLED, cache=tmp_path)
    with pytest.raises(SimulatorError, match="__half"):
        build(DOUBLED.split("\n", 1)[1], cache=tmp_path)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("#include <mma.h> // products", ("mma.h",)),
        ('  #  include "cuda_fp16.h"', ("cuda_fp16.h",)),
        ("#include <absent.h>\n#include <mma.h>", ()),
        ("#if 0\n#include <mma.h>\n#endif", ()),
        ("#include <cuda_fp16.h>\n#ifdef M\n#include <mma.h>\n#endif", ("cuda_fp16.h",)),
        ("#include HEADER\n#include <mma.h>", ()),
        ("// one \\\n#include <mma.h>", ()),
    ],
)
def test_only_headers_at_the_beginning_are_precompiled(text: str, names: tuple[str, ...]) -> None:
    assert leading_headers(text) == names
