"""No name in a program clashes with other names in the printed texts: all names in headers are tried.

The contents of headers are determined with the installed compilers: with gcc for the headers that C texts include, and
for the simulator's, which include none of the system's; with nvcc for CUDA's, including all that these include.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from rise.naturals import nat
from rise.text.names import is_name
from shine.imperative.identifiers import KEYWORDS, identifier, is_free
from shine.imperative.nodes import Allocate, Buffer, Define, Local, Parameter, Procedure, Statement
from shine.simulator.compiler import INCLUDE, find_compiler
from shine.targets.c.c11 import C11
from shine.targets.c.library import LIBRARY
from shine.targets.c.names import RESERVED, exported
from shine.targets.c.printer import print_procedure
from shine.targets.cuda.compiler import find_compiler as find_compiler_of_cuda
from shine.targets.cuda.dialect import cuda_dialect
from shine.targets.cuda.names import RESERVED as RESERVED_IN_CUDA
from shine.targets.cuda.names import exported as exported_in_cuda
from shine.targets.cuda.nvcc import find_program
from shine.targets.cuda.printer import print_program
from shine.targets.openmp.calls import PACKED, packed_text
from shine.targets.openmp.threads import waking_text
from tests import required_tools
from tests.examples import in_whole, some
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter, procedure, size
from tests.shine.targets.cuda import program_parts

TESTS: Final = Path(__file__).resolve().parents[2]
GCC: Final = shutil.which("gcc")
OF_C: Final = "".join(f"#include <{one}>\n" for one in (*sorted(C11.headers.values()), "omp.h"))
OF_CUDA: Final = "".join(f"#include <{one}>\n" for one in sorted(cuda_dialect(False, False).headers.values()))
OF_SIMULATOR: Final = '#include "simulator/vocabulary.h"\n' + OF_CUDA
C_FLAGS: Final = ("-x", "c", "-std=c11", "-fopenmp", "-w")
CUDA_FLAGS: Final = ("-x", "c++", "-std=c++17", "-nostdinc", "-w", f"-I{INCLUDE}")
#: names in other headers, and words of other dialects
_OTHERS: Final = """
signbit fpclassify isunordered ilogb omp_get_max_threads half float4 dim3 warpSize min max y0 j1 stdin errno NULL I
linux unix INFINITY M_PI class new template _x __a index environ complex bool typeof asm kernel output status N xs
free exp expf report f32x8 max_f32 int64_t size_t shine_wake sim_thread threadIdx main v i_x i_f32 SIM_INLINE
"""
OTHERS: Final = _OTHERS.split()
NVCC: Final = find_program("nvcc")
needs_nvcc: Final = required_tools.needs("nvcc", required_tools.has_cuda_compiler("nvcc"))
needs_nvrtc: Final = required_tools.needs("NVRTC", required_tools.has_cuda_compiler("nvrtc"))
needs_gcc: Final = required_tools.needs("gcc", GCC is not None)
needs_cxx: Final = required_tools.needs(required_tools.CXX, required_tools.has_cxx())
OF_NVIDIA: Final = (pytest.param("nvcc", marks=needs_nvcc), pytest.param("nvrtc", marks=needs_nvrtc))
HEADERS: Final = (
    pytest.param("c", marks=needs_gcc),
    pytest.param("simulator", marks=needs_gcc),
    pytest.param("cuda", marks=needs_nvcc),
)


def preprocessed(language: str, how: str) -> str:
    """The headers after preprocessing (`-P`), or their macros (`-dM`)."""
    match language:
        case "c":
            command, text = [str(GCC), *C_FLAGS, "-E", how, "-"], OF_C
        case "simulator":
            command, text = [str(GCC), *CUDA_FLAGS, "-E", how, "-"], OF_SIMULATOR
        case _:
            command, text = [str(NVCC), "-x", "cu", "-std=c++17", "-E", "-Xcompiler", how, "-"], OF_CUDA
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@cache
def said(language: str) -> tuple[str, ...]:
    """All words in the headers, in declarations and in macros, and others that may be names."""
    found = [*OTHERS, *sorted(KEYWORDS), *_words(waking_text(None))]
    if NVCC if language == "cuda" else GCC:
        found += _words(preprocessed(language, "-P"))
        found += re.findall(r"^#define (\w+)", preprocessed(language, "-dM"), re.MULTILINE)
    return tuple(dict.fromkeys(found))


def _words(text: str) -> list[str]:
    return re.findall(r"\b[A-Za-z_]\w*", text)


def used(parameters: Sequence[Parameter], output: Parameter) -> list[Statement]:
    return [
        assign(
            output.buffers[0], 0, op("exp", op("add", load(output.buffers[0], 0), load(one.buffers[0], 0)))
        )
        for one in parameters
    ]


def named(role: str, names: Sequence[str]) -> tuple[list[Any], list[Parameter], list[Statement], Parameter]:
    """Sizes, inputs, statements and output of a program in which the given role has these names."""
    output = parameter("result", array(2))
    match role:
        case "sizes":
            sizes = [size(name) for name in names]
            statements = [
                loop("i", nat(one), lambda i: [assign(output.buffers[0], 0, number(1.0))]) for one in sizes
            ]
            return sizes, [], statements, output
        case "arrays" | "numbers":
            inputs = [parameter(name, F32 if role == "numbers" else array(2)) for name in names]
            return [], inputs, used(inputs, output), output
        case "locals":
            value: Any = number(2.0)
            found: list[Statement] = []
            for name in names:
                local = Local(name, F32)
                found.append(Define(local, op("exp", value), (1,)))
                value = local
            return [], [], [*found, assign(output.buffers[0], 0, value)], output
        case "temporaries":
            statements = []
            for name, count in ((name, count) for name in names for count in (1, 4)):
                buffer = Buffer(name, F32, nat(count), "Local", (2,))
                statements += [Allocate(buffer, (3,)), assign(buffer, 0, number(1.0))]
            return [], [], statements, output
    loops = [loop(name, 2, lambda i: [assign(output.buffers[0], i, number(1.0))]) for name in names]
    return [], [], list(loops), output


ROLES: Final = ("sizes", "arrays", "numbers", "locals", "temporaries", "loops")


def shared_out(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Each role with every third word: texts with all words in all roles are long. A word has two of the roles."""
    return [(role, some(words, 3, first=number)) for number, role in enumerate(ROLES)]


def in_c(role: str, names: Sequence[str]) -> Procedure:
    sizes, inputs, statements, output = named(role, names)
    return procedure(f"kernel_{role}", sizes, inputs, output, *statements)


def compiles(command: Sequence[str], text: str) -> None:
    """Assert that a compiler accepts a text."""
    ran = subprocess.run(
        [*command, "-fsyntax-only", "-"], input=text, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, "\n".join(line for line in ran.stderr.split("\n") if "error" in line)[:4000]


def joined(texts: Iterable[str]) -> str:
    """One text of several, with each function that they share once."""
    return "\n\n".join(dict.fromkeys(part for text in texts for part in text.split("\n\n")))


@needs_gcc
def test_all_words_of_c_headers_are_valid_names() -> None:
    text = joined(print_procedure(in_c(*one)).text for one in shared_out(said("c")))
    assert all(text.count(f"int kernel_{role}(") == 1 for role in ROLES)
    compiles([str(GCC), *C_FLAGS], OF_C + text + waking_text(None))


@in_whole("test_all_words_of_c_headers_are_valid_names")
@needs_gcc
def test_all_words_of_c_headers_are_valid_names_of_kernels() -> None:
    texts: dict[str, str] = {}
    for name in some(said("c"), 3):
        x, output = parameter("x", F32), parameter("output", array(1))
        made = print_procedure(procedure(name, [], [x], output, *used([x], output)))
        before, function = made.text.split(f"int {made.symbol}(", 1)
        texts[made.symbol] = f"int {made.symbol}({function}"
    compiles([str(GCC), *C_FLAGS], "".join([OF_C, before, *texts.values(), waking_text(None)]))


@needs_gcc
def test_any_word_is_the_name_of_a_kernel_that_is_called_with_packed_arguments() -> None:
    texts = []
    for position, name in enumerate(dict.fromkeys((*said("c"), *_words(packed_text("mm", 1, [None]))))):
        symbol = exported(name)
        called = packed_text(symbol, 1, [None]).replace(f"int {PACKED}", f"int packed_{position}_")
        texts.append(f"int {symbol}(int64_t, const void *);\n{called}")
    compiles([str(GCC), *C_FLAGS], "".join([OF_C, *texts]))


@needs_gcc
def test_any_word_of_a_library_is_a_size_that_decides_how_many_threads_run() -> None:
    """A function of the sizes tells whether several threads pay; its own names are no names of sizes."""
    form = "fun({sizes}, xs: ({product}).f32 => xs |> mapPar(fun(x => exp(x))))"

    def compiled(names: Sequence[str]) -> str:
        sizes = "}, {".join(f"{name}: nat" for name in names)
        text = form.format(sizes=f"{{{sizes}}}", product=" * ".join(names))
        kernel = shine.compile(rise.parse(text), threads=2)
        shares: str = kernel.plan.source.shares
        return shares

    text = compiled(["N", "M"])
    assert "< M * N" in text
    compiled(list(dict.fromkeys(_words(text))))


def cuda_text(name: str, role: str, names: Sequence[str]) -> str:
    sizes, inputs, statements, output = named(role, names)
    body = program_parts.kernel(name, [1], (32, 1, 1), *statements)
    return print_program(program_parts.program(name, sizes, inputs, output, body), "sm_80", False).source


def in_simulator() -> list[str]:
    compiler = find_compiler(None)
    return [compiler.path, "-x", "c++", *compiler.text_flags(False), f"-I{INCLUDE}"]


@needs_cxx
def test_all_words_of_the_simulators_headers_are_valid_names() -> None:
    text = joined(cuda_text(f"kernel_{role}", role, names) for role, names in shared_out(said("simulator")))
    assert all(text.count(f") kernel_{role}(") == 1 for role in ROLES)
    compiles(in_simulator(), OF_SIMULATOR + text)


@in_whole("test_all_words_of_the_simulators_headers_are_valid_names")
@needs_cxx
def test_all_words_of_the_simulators_headers_are_valid_names_of_kernels() -> None:
    texts = {exported_in_cuda(name): cuda_text(name, "numbers", ["x"]) for name in some(said("simulator"), 3)}
    functions = [text[text.index('extern "C"') :] for text in texts.values()]
    assert all(f" {name}(" in text for name, text in zip(texts, functions, strict=True))
    compiles(in_simulator(), OF_SIMULATOR + "\n".join(functions))


@pytest.mark.parametrize("toolchain", some(OF_NVIDIA, 2))
def test_all_words_of_cuda_headers_are_valid_names_of_kernels(toolchain: str) -> None:
    names = dict.fromkeys(exported_in_cuda(name) for name in said("cuda"))
    text = "".join(f'extern "C" __global__ void {name}(float *x);\n' for name in names)
    made = find_compiler_of_cuda(toolchain).run(OF_CUDA + text, "sm_80", "ptx")
    assert made.image is not None, made.log[:4000]


@in_whole("test_all_words_of_cuda_headers_are_valid_names_of_kernels")
@pytest.mark.parametrize("toolchain", some(OF_NVIDIA, 2))
def test_names_of_all_kinds_are_accepted_by_cuda_compilers(toolchain: str) -> None:
    text = "".join(cuda_text(f"kernel_{role}", role, OTHERS) for role in ROLES)
    made = find_compiler_of_cuda(toolchain).run(OF_CUDA + text, "sm_80", "ptx")
    assert made.image is not None, made.log[:4000]


@pytest.mark.parametrize("language", HEADERS)
def test_macros_are_recognised_by_their_form(language: str) -> None:
    """Macros of headers are in no list: `shine.imperative.identifiers` recognises them by their form."""
    macros = re.findall(r"^#define ([A-Za-z]\w*) ", preprocessed(language, "-dM"), re.MULTILINE)
    assert len(macros) > 5
    assert [one for one in macros if is_free(one, RESERVED if language == "c" else RESERVED_IN_CUDA)] == []
    assert not re.findall(r"^#define ([A-Za-z]\w*_)\b", preprocessed(language, "-dM"), re.MULTILINE)


@pytest.mark.parametrize(
    ("pattern", "reserved"), [("golden/**/*.c", RESERVED), ("golden/**/*.cu", RESERVED_IN_CUDA)]
)
def test_names_that_printed_texts_use_are_not_given_to_programs(
    pattern: str, reserved: frozenset[str]
) -> None:
    """Functions that are called in texts, which a local name would hide."""
    texts = list(TESTS.glob(pattern))
    assert texts
    for path in texts:
        text = re.sub(r"//.*|^\s*#.*|__attribute__.*", "", path.read_text("utf-8"), flags=re.MULTILINE)
        used = set(re.findall(r"(?<![\w.:])[A-Za-z]\w*(?=\()", text))
        own = set(re.findall(r"^(?:int|extern.*) (\w+)\(", text, re.MULTILINE))
        assert [name for name in used - own if is_free(name, reserved)] == [], path


def test_common_names_are_unchanged() -> None:
    usual = "x xs a b N M K n image rows row_2 alpha output acc stored i_row dot softmax kernel N1 x_ h2 T camelCase"
    for name in usual.split():
        assert identifier(name) == exported(name) == exported_in_cuda(name) == name


def test_names_of_the_library_are_exported_with_a_prefix() -> None:
    for form in (exported, exported_in_cuda):
        assert [name for name in LIBRARY if form(name) != f"shine_{name}"] == []
        assert form("shine_wake") == "shine_shine_wake"
    assert {"ilogb", "signbit", "memcpy", "y0", "isalpha", "towupper", "read"} <= LIBRARY


@needs_gcc
def test_a_library_exports_its_entry_and_names_with_the_prefix(tmp_path: Path) -> None:
    kernel = shine.compile(rise.parse("fun(xs: N.f32 => xs |> mapPar(exp))").main, target="openmp", name="mm")
    library = tmp_path / "mm.so"
    library.write_bytes(kernel.machine_code())
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    )
    symbols = {line.split()[-1] for line in listed.stdout.splitlines()}
    assert kernel.exported == ("mm",)
    assert {name for name in symbols if not name.startswith("shine_")} == {"mm"}


@pytest.mark.parametrize(
    ("target", "entries"),
    some(
        [
            ("openmp", "signbit fpclassify isunordered ilogb omp_get_max_threads int 2d-conv NULL"),
            ("cuda-sim", "signbit ilogb"),
            ("interpret", "signbit"),
        ],
        2,
    ),
)
def test_programs_with_such_names_run(target: str, entries: str) -> None:
    names = [name for name in OTHERS if is_name(name)]
    sizes = ["NULL", "I", "M_PI", "INFINITY", "EOF", "linux", "signbit", "half", "size_t"]
    heads = ", ".join(
        [*(f"{{{one}: nat}}" for one in sizes), *(f"x{i}: {one}.f32" for i, one in enumerate(sizes))]
    )
    numbers = ", ".join(f"{name}: f32" for name in names)
    total = " + ".join([*(f"reduceSeq(fun(a, b => a + b), 0.0, x{i})" for i in range(len(sizes))), *names])
    main = rise.parse(f"fun({heads} => fun({numbers} => {total}))").main
    given = [np.ones(i + 1, np.float32) for i in range(len(sizes))] + [1.0] * len(names)
    lowered = strategies.load(shine.TARGETS[target].strategy)(main).program
    for entry in some(entries.split(), 3):
        kernel = shine.compile(lowered, target=target, name=entry)
        assert kernel(*given) == sum(range(1, len(sizes) + 1)) + len(names)
        if target == "openmp":
            assert kernel.exported == ("v2d_conv" if entry == "2d-conv" else f"shine_{entry}",)
