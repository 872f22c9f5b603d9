"""Missing compilers, and compilers that the system kills: the diagnostics, and what is cached."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import Diagnostic, RiseError
from shine import simulator
from shine.cache import clear, contents
from shine.kernel import make_kernel
from shine.programs import call
from tests import required_tools
from tests.cli.processes import set_interrupts
from tests.examples import in_whole, some
from tests.shine.procedures import axpy

ROOT = Path(__file__).parents[2]
ADD = 'extern "C" __global__ void f(int* x) { x[threadIdx.x] += 1; }'
RACE = 'extern "C" __global__ void f(int* x) {\n  x[0] = threadIdx.x;\n}'


def program(path: Path, body: str, first: str = "#!/bin/sh\n") -> str:
    """A program in place of a compiler."""
    path.write_text(f"{first}{body}\n", encoding="utf-8")
    path.chmod(0o700)
    return str(path)


def for_kernels(body: str) -> str:
    """A compiler that behaves like gcc except for our kernels."""
    return f'case "$*" in *try.c*) exec gcc "$@";; esac; {body}'


def diagnostic_of(work: Callable[[], object]) -> Diagnostic:
    """The diagnostic that a function raises."""
    with pytest.raises(RiseError) as caught:
        work()
    return caught.value.diagnostic


def build_with(cc: str, cache: Path) -> Callable[[], Any]:
    """Build a kernel with this compiler."""
    return lambda: make_kernel(axpy(), "openmp", cc=cc, cache=str(cache))


@pytest.mark.parametrize(
    ("error", "flag"),
    [
        ("x.s:1: Error: unsupported masking for `vmovsh", "-mno-avx512fp16"),
        ("kernel.c:39:5: internal compiler error: Segmentation fault", "-fno-tree-vectorize"),
    ],
)
def test_bugs_of_compilers_are_avoided(error: str, flag: str, tmp_path: Path) -> None:
    """gcc 12 stores some selections of f16 with an instruction that its assembler rejects; its vectorizer may crash."""
    fails = f"printf '%s' \"{error.replace('`', '')}\" >&2; exit 1"
    cc = program(tmp_path / "cc", for_kernels(f'case "$*" in *{flag}*) exec gcc "$@";; esac; {fails}'))
    half = rise.parse("fun(x: f16, y: f16 => max(x, y))").main
    kernel = shine.compile(half, "openmp", cc=cc, cache=str(tmp_path / "cache"))
    assert kernel(np.float16(2), np.float16(3)) == 3
    broken = program(tmp_path / "broken", for_kernels(fails))
    assert diagnostic_of(build_with(broken, tmp_path / "cache")).code == "compiler-failed"


@pytest.mark.parametrize("x", ["x", "fma(x, c, y)"])
def test_no_compiler_rounds_a_product_and_a_sum_together(x: str) -> None:
    """gcc 12.2 does if sums and differences of products alternate, despite `-ffp-contract=off`."""
    turned = f"let z = {x} in [z * c - y * s, z * s + y * c]"
    point = f"let x = p |> idx(0) in let y = p |> idx(1) in {turned}"
    text = f"fun(ps: N.2.f64, c: f64, s: f64 => ps |> map(fun(p => {point})))"
    program = rise.parse(text).main
    points = np.random.default_rng(0).standard_normal((65, 2))
    kernel = shine.compile(program, strategy="strategies.sequential:sequential")
    np.testing.assert_array_equal(kernel(points, 0.3, 0.7), rise.evaluate(program, points, 0.3, 0.7))


@pytest.mark.parametrize("operation", ["fst(p) / snd(p)", "fst(p) / x"])
def test_complex_numbers_are_computed_with_the_usual_flags(
    operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other flags, with which gcc 12.2 rounds each product, make all loops of a program slower."""
    tried: list[str] = []

    def others(text: str) -> tuple[tuple[str, ...], ...]:
        tried.append(text)
        return (("-fno-tree-vectorize",),)

    monkeypatch.setattr("shine.targets.openmp.compiler._flags_against_contraction", others)
    text = f"fun(x: c128, xs: N.c128, ys: N.c128 => zip(xs, ys) |> map(fun(p => {operation})))"
    numbers = np.random.default_rng(1).standard_normal((3, 40, 2)).view(np.complex128)[..., 0]
    program = rise.parse(text).main
    kernel = shine.compile(program, "openmp", cache=str(tmp_path))
    np.testing.assert_array_equal(
        kernel(numbers[0, 0], *numbers[1:]), rise.evaluate(program, numbers[0, 0], *numbers[1:])
    )
    assert not tried


@pytest.mark.parametrize("t", some(["f64", "f32"], 2))
def test_no_compiler_drops_a_rounding(t: str) -> None:
    """gcc 12.2 does if two f64 in straight-line code are converted to f32 and back."""
    narrow = {"f64": "f32", "f32": "f16"}[t]
    back = f"map(fun(x => cast{{{t}}}(cast{{{narrow}}}(x)) * x))"
    program = rise.parse(f"fun(xs: N.10.{t} => xs |> map({back}))").main
    xs = np.random.default_rng(0).standard_normal((67, 10)).astype(rise.scalars.SCALARS[t].dtype)
    for strategy in ("strategies.sequential:sequential", "strategies.openmp:parallel"):
        found = shine.compile(program, strategy=strategy)(xs)
        np.testing.assert_array_equal(found, rise.evaluate(program, xs))


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("exit 0", "no-compiler", "writes nothing"),
        (for_kernels("exit 0"), "compiler-failed", "wrote nothing"),
        (for_kernels("exec gcc --version"), "compiler-failed", "wrote nothing"),
        ("kill -9 $$", "compiler-stopped", "SIGKILL"),
        (for_kernels("kill -15 $$"), "compiler-stopped", "SIGTERM"),
        (
            "echo 'gcc: fatal error: Killed signal terminated program cc1' >&2; exit 1",
            "compiler-stopped",
            "cc1",
        ),
        ("echo 'virtual memory exhausted: Cannot allocate memory' >&2; exit 1", "compiler-stopped", "memory"),
        ("echo 'x.s: No space left on device' >&2; exit 1", "disk-full", "No space left"),
        (for_kernels("echo 'Disk quota exceeded' >&2; exit 1"), "disk-full", "quota"),
    ],
)
def test_messages_about_compilers(body: str, code: str, said: str, tmp_path: Path) -> None:
    cc = program(tmp_path / "cc", body)
    found = diagnostic_of(build_with(cc, tmp_path / "cache"))
    assert found.code == code and said in found.title and found.hint
    assert contents(tmp_path / "cache").building == 0


def test_an_unloadable_library_is_reported(tmp_path: Path) -> None:
    body = 'while [ "$1" != -o ]; do shift; done; echo none > "$2"'
    found = diagnostic_of(build_with(program(tmp_path / "cc", for_kernels(body)), tmp_path / "cache"))
    assert found.code == "cannot-load"


def test_a_compiler_that_is_not_executable_is_reported(tmp_path: Path) -> None:
    cc = program(tmp_path / "cc", "\x7fELF", first="")
    assert diagnostic_of(build_with(cc, tmp_path / "cache")).code == "compiler-not-run"
    found = diagnostic_of(lambda: simulator.build(ADD, cxx=cc, cache=tmp_path / "cache"))
    assert found.code == "compiler-not-run" and cc in found.title


def test_a_killed_compiler_is_not_taken_for_one_without_openmp(tmp_path: Path) -> None:
    """A compiler that was killed while OpenMP was tested may still support OpenMP."""
    stopped = tmp_path / "stopped"
    body = f'case "$* " in *"-fopenmp "*) [ -e {stopped} ] || {{ touch {stopped}; kill -9 $$; }};; esac; exec gcc "$@"'
    cc, cache = program(tmp_path / "cc", body), tmp_path / "cache"
    assert diagnostic_of(build_with(cc, cache)).code == "compiler-stopped"
    assert contents(cache).entries == 0
    make_kernel(axpy(), "openmp", cc=cc, threads=2, cache=str(cache))
    (known,) = cache.glob("compiler-*.json")
    assert '"threads": true' in known.read_text(encoding="utf-8", errors="replace")


def test_compilers_print_english_and_keep_temporary_files_in_one_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    folder = tmp_path / "making-x"
    folder.mkdir()
    ran = call(["sh", "-c", 'echo "$LC_ALL $TMPDIR"; cat'], folder)
    assert ran.stdout == f"C {folder}\n" and ran.status == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [("exit 0", "compiler-failed"), ("kill -9 $$", "compiler-stopped")],
    ids=["idle", "killed"],
)
def test_messages_about_compilers_of_the_simulator(body: str, code: str, tmp_path: Path) -> None:
    if not shutil.which("g++"):
        required_tools.skip_without("g++")
    cxx = program(tmp_path / "cxx", f'case "$*" in --version) exec g++ --version;; esac; {body}')
    assert diagnostic_of(lambda: simulator.build(ADD, cxx=cxx, cache=tmp_path / "cache")).code == code


def test_findings_have_lines_after_the_library_was_deleted(cache: Path, tmp_path: Path) -> None:
    built = simulator.build(RACE, check=True, cache=tmp_path)
    clear(tmp_path)
    report = built.launch("f", 1, 32, [np.zeros(1, np.int32)])
    assert report.findings and report.findings[0].lines[0] == 2


INTERRUPTED = """
import sys
from shine.kernel import make_kernel
from tests.shine.procedures import axpy
make_kernel(axpy(), "openmp", cc=sys.argv[1], cache=sys.argv[2])
"""


@in_whole("tests/cli/test_interrupts.py::test_an_interrupt_while_it_compiles")
def test_a_build_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    started = tmp_path / "started"
    cc = program(tmp_path / "cc", for_kernels(f"touch {started}; exec sleep 60"))
    command = [sys.executable, "-c", INTERRUPTED, cc, str(tmp_path / "cache")]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, preexec_fn=set_interrupts)
    while not started.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT and b"KeyboardInterrupt" in said
    names = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert [name.partition("-")[0] for name in names] == ["compiler", "stored"]
    assert os.path.getsize(tmp_path / "cache" / names[0])
