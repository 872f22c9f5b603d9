"""The target openmp: kernels agree with numpy and the interpreter; compilers, the cache, threads, failures."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rise.diagnostics import RiseError
from rise.naturals import Nat, exact_quotient, nat
from rise.quotients import ceiling_quotient, floor_quotient, minimum, remainder
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.cache import is_whole
from shine.imperative.nodes import Allocate, Buffer, Index, LoopKind, Procedure, Statement
from shine.kernel import Kernel, make_kernel
from shine.targets.openmp.compiler import find_compiler
from tests.examples import in_turns, some
from tests.shine.procedures import (
    F32,
    array,
    assign,
    axpy,
    dot,
    elementwise,
    gather,
    load,
    loop,
    matmul_tiled,
    number,
    op,
    parameter,
    procedure,
    rows_through_temporary,
    size,
    stencil,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


def agree(p: Procedure, kept: str, *arguments: Any, **options: Any) -> Any:
    """The results of the C code, which must equal the interpreter's bit by bit."""
    found = make_kernel(p, "openmp", cache=kept, **options)(*arguments)
    assert np.array_equal(found, make_kernel(p, "interpret")(*arguments))
    return found


@pytest.mark.parametrize(("n", "check"), in_turns([0, 1, 37, 1000], [False, True]))
def test_kernels_compute(n: int, check: bool, kept: str) -> None:
    random = np.random.default_rng(n)
    x, y = random.random(n, np.float32), random.random(n, np.float32)
    at = random.integers(0, max(n, 1), 2 * n)
    padded = np.pad(x, 1)
    options = {"check": check}
    assert (agree(axpy(), kept, 2, x, y, **options) == np.float32(2) * x + y).all()
    assert np.allclose(agree(dot(), kept, x, y, **options), x @ y)
    assert (agree(stencil(), kept, x, **options) == padded[:-2] + padded[1:-1] + padded[2:]).all()
    assert (agree(gather(), kept, at, x, **options) == x[at]).all()


@pytest.mark.parametrize("shape", [(4, 5, 8), (0, 5, 8), (4, 0, 8), (16, 17, 32)])
def test_a_tiled_product(shape: tuple[int, int, int], kept: str) -> None:
    n, k, m = shape
    random = np.random.default_rng(0)
    a, b = random.random((n, k), np.float32), random.random((k, m), np.float32)
    assert np.allclose(agree(matmul_tiled(4, 8), kept, a, b), a @ b)


KINDS: list[LoopKind] = ["seq", "parallel", "simd", "unroll"]


@pytest.mark.parametrize("kind", some(KINDS, 2))
def test_loops_of_every_kind(kind: LoopKind, kept: str) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    if kind != "simd":
        assert (agree(rows_through_temporary(kind), kept, x) == (2 * x)[:, ::-1]).all()
    n, output = size("n"), parameter("output", array(8))
    given_ = parameter("x", array(8, n))

    def body(i: Nat) -> Sequence[Statement]:
        return [assign(output.buffers[0], i, load(given_.buffers[0], i * n))]

    p = procedure("column", [n], [given_], output, loop("i", 8, body, kind))
    x = np.arange(24, dtype=np.float32).reshape(8, 3)
    assert (agree(p, kept, x) == x[:, 0]).all()


def test_indices_are_computed_exactly(kept: str) -> None:
    n, m, k = size("n"), size("m"), size("k")
    x = parameter("x", array(n, m))
    naturals = [
        exact_quotient(nat(n) * m, 32),
        exact_quotient(nat(n), 32) * m + 1,
        exact_quotient(nat(n) * n + n, 2),
        ceiling_quotient(n, 48),
        floor_quotient(nat(m) - n, 7),
        remainder(nat(m) - n, 7),
        minimum(n, m) * k - 3,
    ]
    i64 = ScalarType("i64")
    output = parameter("output", array(len(naturals), of=i64))
    from_index = [assign(output.buffers[0], at, Index(a, i64)) for at, a in enumerate(naturals)]
    p = procedure("naturals", [n, m, k], [x], output, *from_index)
    expected = [64 * 24 // 32, 2 * 24 + 1, 64 * 65 // 2, 2, -40 // 7, -40 % 7, 24 * 5 - 3]
    for target in ("openmp", "interpret"):
        options = {"cache": kept} if target == "openmp" else {}
        found = make_kernel(p, target, **options)(np.ones((64, 24), np.float32), sizes={"k": 5})
        assert found.tolist() == expected


@pytest.mark.parametrize("t", SCALARS)
def test_numbers_of_every_type_are_passed(t: str, kept: str) -> None:
    scalar = ScalarType(t)
    x, y, output = (
        parameter("x", scalar),
        parameter("y", array(1, of=scalar)),
        parameter("output", array(2, of=scalar)),
    )
    first = assign(output.buffers[0], 0, load(x.buffers[0], 0))
    second = assign(output.buffers[0], 1, load(y.buffers[0], 0))
    value = np.array(1.5 if "floating" in SCALARS[t].classes else 1).astype(SCALARS[t].dtype)
    found = agree(procedure("pass_", [], [x, y], output, first, second), kept, value[()], value.reshape(1))
    assert (found == value).all()


def test_a_temporary_without_memory_is_an_error(kept: str) -> None:
    n = size("n")
    output = parameter("output", array(1))
    t = Buffer("t", F32, nat(n) * n * n * n, "Local", (2, 1))
    p = procedure(
        "huge",
        [n],
        [],
        output,
        Allocate(t, (2, 1)),
        assign(t, 0, number(1.0)),
        assign(output.buffers[0], 0, load(t, 0)),
    )
    kernel = make_kernel(p, "openmp", cache=kept)
    assert kernel(sizes={"n": 3}) == 1
    with pytest.raises(RiseError, match="there is no memory for the temporary `t`") as caught:
        kernel(sizes={"n": 2**15})
    assert caught.value.diagnostic.notes == ("in the low-level program at 2.1",)


def test_a_check_build_finds_an_access_out_of_bounds(kept: str) -> None:
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", array(n))
    p = procedure(
        "shifted",
        [n],
        [x],
        output,
        loop("i", n, lambda i: [assign(output.buffers[0], i, load(x.buffers[0], i + 1))]),
    )
    kernel = make_kernel(p, "openmp", check=True, cache=kept)
    with pytest.raises(RiseError, match="an access is outside of `x`"):
        kernel(np.ones(4, np.float32))


def test_a_kernel_runs_in_several_threads(kept: str) -> None:
    kernel = make_kernel(axpy(), "openmp", cache=kept)
    wrong: list[int] = []

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for n in range(1, 60):
            x, y = random.random(n, np.float32), random.random(n, np.float32)
            if not (kernel(float(seed), x, y) == np.float32(seed) * x + y).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def build_and_run(folder: str) -> float:
    x = np.ones(10, np.float32)
    return float(make_kernel(axpy(), "openmp", cache=folder)(2, x, x).sum())


def test_processes_share_the_cache(tmp_path: Path, compilers: list[Path]) -> None:
    known = {Path(shutil.copy(facts, tmp_path)) for facts in compilers}
    code = (  # without pytest, whose import takes longer than everything else
        "import numpy as np\nfrom shine.kernel import make_kernel\nfrom tests.shine.procedures import axpy\n"
        f"x = np.ones(10, np.float32)\nkernel = make_kernel(axpy(), 'openmp', cache={str(tmp_path)!r})\n"
        "assert kernel(2, x, x).sum() == 30"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[4]) for _ in "ab"]
    assert [process.wait(timeout=300) for process in processes] == [0] * 2
    assert len(set(tmp_path.glob("*.so")) - known) == 1
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_a_damaged_entry_is_built_again(tmp_path: Path, compilers: list[Path]) -> None:
    known = {Path(shutil.copy(facts, tmp_path)) for facts in compilers}
    make_kernel(axpy(), "openmp", cache=str(tmp_path))
    (entry,) = set(tmp_path.glob("*.so")) - known
    assert is_whole(entry)
    damaged = entry.read_bytes()[:-2000]
    entry.unlink()
    entry.write_bytes(damaged)
    assert not is_whole(entry)
    assert build_and_run(str(tmp_path)) == 30.0
    assert is_whole(entry)


def test_facts_about_a_compiler_are_cached_and_may_be_damaged(tmp_path: Path) -> None:
    make_kernel(axpy(), "openmp", cache=str(tmp_path))
    (known,) = tmp_path.glob("compiler-*.json")
    for content in ("{", '{"flags": ["-no-such-flag"], "f16": true, "threads": true}', "[]"):
        known.write_text(content, encoding="utf-8")
        assert build_and_run(str(tmp_path)) == 30.0
        assert known.read_text(encoding="utf-8", errors="replace").startswith('{"flags": ["-std')


def compiler(path: Path, body: str) -> str:
    """A program in place of a compiler."""
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_no_compiler_is_an_error(kept: str) -> None:
    with pytest.raises(RiseError, match="found none: looked for `no-such-compiler`") as caught:
        make_kernel(axpy(), "openmp", cc="no-such-compiler", cache=kept)
    assert caught.value.diagnostic.code == "no-compiler"
    assert "install gcc" in caught.value.diagnostic.hint


def test_a_compiler_that_builds_nothing_is_an_error(tmp_path: Path) -> None:
    cc = compiler(tmp_path / "cc", "echo 'error: cc1 is not there' >&2; exit 1")
    with pytest.raises(RiseError, match="fails: error: cc1 is not there"):
        make_kernel(axpy(), "openmp", cc=cc, cache=str(tmp_path))


def test_without_openmp_kernels_run_on_one_thread_with_a_warning(tmp_path: Path) -> None:
    lacks = 'case " $* " in *" -fopenmp "*) echo error: no libgomp >&2; exit 1;; esac; exec gcc "$@"'
    cc = compiler(tmp_path / "cc", lacks)
    x = np.ones(3, np.float32)
    for _ in range(2):  # facts about the compiler are cached, and the warning is repeated
        with pytest.warns(
            RuntimeWarning, match="cc` compiles without OpenMP: parallel loops run on one thread"
        ):
            kernel = make_kernel(axpy(), "openmp", cc=cc, threads=2, cache=str(tmp_path))
        assert kernel(1, x, x).tolist() == [2, 2, 2]
    make_kernel(dot(), "openmp", cc=cc, cache=str(tmp_path))  # the kernel has no parallel loop


def test_an_error_in_our_text_is_reported_as_our_defect(tmp_path: Path) -> None:
    reject = 'case "$*" in *try.c*) exec gcc "$@";; esac; echo \'k.c:3:1: error: no\' >&2; exit 1'
    cc = compiler(tmp_path / "cc", reject)
    with pytest.raises(RiseError, match=r"found k\.c:3:1: error: no") as caught:
        make_kernel(axpy(), "openmp", cc=cc, cache=str(tmp_path))
    assert caught.value.diagnostic.code == "compiler-failed"
    (kept,) = tmp_path.glob("*.c")
    assert str(kept) in caught.value.diagnostic.hint
    assert "axpy" in kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("message", "most_runs"),
    some([("unknown", 20), ("unrecognized command-line option '-fno-math-errno'", 6)], 2),
)
def test_a_compiler_that_lacks_flags_is_used_without_them(
    message: str, most_runs: int, tmp_path: Path
) -> None:
    """They are tried one by one only if the compiler does not say which one it lacks."""
    runs = tmp_path / "runs"
    lacks = f'case "$*" in *math-errno*) echo "error: {message}" >&2; exit 1;; esac; exec gcc "$@"'
    cc = compiler(tmp_path / "cc", f'echo >>"{runs}"; {lacks}')
    x = np.ones(3, np.float32)
    kernel = make_kernel(axpy(), "openmp", cc=cc, cache=str(tmp_path))
    assert kernel(1, x, x).tolist() == [2, 2, 2]
    flags = find_compiler(cc, None, tmp_path).flags
    assert "-fno-math-errno" not in flags and "-fno-semantic-interposition" in flags
    assert runs.read_text(encoding="utf-8").count("\n") <= most_runs


def test_a_compiler_without_f16_is_an_error_for_f16_only(tmp_path: Path) -> None:
    lacks = 'for a in "$@"; do case "$a" in *.c) grep -q _Float16 "$a" && exit 1;; esac; done; exec gcc "$@"'
    cc = compiler(tmp_path / "cc", lacks)
    make_kernel(axpy(), "openmp", cc=cc, cache=str(tmp_path))
    half = elementwise("half", [ScalarType("f16")], lambda x: [op("add", x, x)])
    with pytest.raises(RiseError, match="has no 16-bit floating-point numbers"):
        make_kernel(half, "openmp", cc=cc, cache=str(tmp_path))


def test_an_arch_that_the_compiler_lacks_is_an_error(kept: str) -> None:
    with pytest.raises(RiseError, match="does not accept -march=sm_90") as raised:
        make_kernel(axpy(), "openmp", arch="sm_90", cache=kept)
    assert raised.value.diagnostic.hint == "that is a GPU: use target='cuda'"


def test_a_kernel_is_pickled_as_its_program_and_options(kept: str) -> None:
    kernel = make_kernel(axpy(), "openmp", cache=kept)
    build, parts = kernel.__reduce__()
    again: Kernel = build(*parts)
    x = np.ones(3, np.float32)
    assert again(2, x, x).tolist() == [3, 3, 3]
    assert again.source == kernel.source


def test_the_signature_and_the_origin_of_a_line(kept: str) -> None:
    kernel = make_kernel(gather(), "openmp", cache=kept)
    assert kernel.signature == "gather(at: n.idx[m], x: m.f32) -> n.f32 for all n, m"
    line = next(i for i, text in enumerate(kernel.source.split("\n"), 1) if "const int64_t j" in text)
    assert kernel.origin_of_line(line) == (5,)
    assert kernel.origin_of_line(0) is None and kernel.origin_of_line(10**6) is None


def test_timing_counts_samples(kept: str) -> None:
    x = np.ones(100, np.float32)
    timing = make_kernel(axpy(), "openmp", cache=kept).time(1, x, x, repeat=7)
    assert len(timing.samples) == 7
    assert 0 < timing.best <= timing.median


def deep(levels: int) -> Procedure:
    output = parameter("output", array(1))
    body: Statement = assign(output.buffers[0], 0, number(1.0))
    for level in range(levels):
        body = loop(f"i{level}", 1, lambda i, inner=body: [inner])  # type: ignore[misc]  # binds this level's body
    return procedure("deep", [], [], output, body)


def test_the_nesting_of_loops_is_limited(kept: str) -> None:
    assert agree(deep(100), kept) == 1
    with pytest.raises(RiseError, match="at most 200 nested loops") as caught:
        make_kernel(deep(201), "openmp", cache=kept)
    assert caught.value.diagnostic.code == "too-deep"


def test_the_nesting_of_values_is_limited(kept: str) -> None:
    def chain(count: int) -> Procedure:
        x, output = parameter("x", array(1)), parameter("output", array(1))
        value: Any = load(x.buffers[0], 0)
        for _ in range(count):
            value = op("neg", value)
        return procedure("chain", [], [x], output, assign(output.buffers[0], 0, value))

    one = np.ones(1, np.float32)
    assert agree(chain(150), kept, one) == 1
    with pytest.raises(RiseError, match="at most 200 nested operations"):
        make_kernel(chain(100_000), "interpret")


def test_an_unknown_target_is_reported() -> None:
    with pytest.raises(RiseError) as caught:
        make_kernel(axpy(), "openmpi")
    assert caught.value.diagnostic.code == "unknown-target"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"chek": True}, "did you mean `check`"),
        ({"check": 1}, "expected bool"),
        ({"threads": 0}, "from 1 to 1024"),
    ],
)
def test_wrong_options_are_reported(options: dict[str, Any], said: str) -> None:
    with pytest.raises(RiseError) as caught:
        make_kernel(axpy(), "openmp", **options)
    assert said in str(caught.value)


def test_threads_are_an_option(kept: str) -> None:
    kernel = make_kernel(axpy(), "openmp", threads=2, cache=kept)
    assert "num_threads(2)" in kernel.source
    x = np.ones(1000, np.float32)
    assert (kernel(1, x, x) == 2).all()


def test_one_thread_needs_no_team(kept: str) -> None:
    kernel = make_kernel(axpy(), "openmp", threads=1, cache=kept)
    assert "#pragma omp" not in kernel.source
    x = np.ones(1000, np.float32)
    assert (kernel(1, x, x) == 2).all()


def test_a_program_may_have_the_name_of_a_library_function(kept: str) -> None:
    x = np.ones(3, np.float32)
    assert make_kernel(replace(axpy(), name="free"), "openmp", cache=kept)(1, x, x).tolist() == [2, 2, 2]
