"""The memory of temporaries that is kept between calls: page faults, limits, threads, forks and its release."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import shine
from shine import jit
from shine.cache import directory_of
from shine.targets.openmp.compiler import find_compiler
from shine.targets.openmp.kept_memory import MOST_BYTES, SOURCE, kept_bytes
from tests import required_tools

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

HARNESS: Final = Path(__file__).parent / "memory_threads.c"
#: page faults of a call that are no sign of new memory
FEW: Final = 20


def shrinking(x):
    for _ in range(4):
        x = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * np.float32(0.25)
    return x


def padded(x):
    for _ in range(5):
        sums = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        x = np.pad(sums * np.float32(0.25), 1, mode="edge")
    return x


def separable(x):
    for _ in range(3):
        x = (x[:-2] + x[1:-1] + x[2:]) * np.float32(1 / 3)
        x = (x[:, :-2] + x[:, 1:-1] + x[:, 2:]) * np.float32(1 / 3)
    return x


def cumulative(x):
    return np.cumsum(x[::-1]) + np.cumsum(x)[::-1]


def faults_of_calls(call: Callable[[], object], count: int) -> float:
    for _ in range(4):
        call()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(count):
        call()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / count


@pytest.mark.parametrize("blurred", [shrinking, padded, separable], ids=lambda one: one.__name__)
def test_repeated_blurs_need_no_new_pages(blurred: Callable[[Any], Any]) -> None:
    """Four to six blurs of an image of 4 MB: a page fault for each 4 KiB that is new to the process."""
    image = np.random.default_rng(2).random((1024, 1024), dtype=np.float32)
    kernel = jit(blurred, threads=1)
    out = kernel(image)
    assert np.allclose(out, blurred(image), rtol=1e-4)
    assert faults_of_calls(lambda: kernel(image, out=out), 5) < FEW


def test_kept_memory_has_a_limit_and_can_be_released() -> None:
    shine.release_memory()
    assert kept_bytes() == 0
    kernel = jit(cumulative, threads=1)
    rng = np.random.default_rng(3)
    for millions in (1, 2, 5, 9, 12, 3):
        x = rng.random(millions * 1_000_000)
        assert np.allclose(kernel(x), cumulative(x))
        assert 0 < kept_bytes() <= MOST_BYTES
    x = np.ones(MOST_BYTES // 8 + 1)  # each temporary is larger than the limit
    kernel(x)
    assert kept_bytes() <= MOST_BYTES
    shine.release_memory()
    assert kept_bytes() == 0


def test_no_memory_is_kept_on_request() -> None:
    shine.release_memory()
    x = np.random.default_rng(4).random(200_000)
    kernel = jit(cumulative, threads=1, keep=False)
    assert np.allclose(kernel(x), cumulative(x))
    assert kept_bytes() == 0


def test_threads_share_the_pool() -> None:
    """Calls at the same time, with memory that fits several of them, and releases between them."""
    kernel = jit(cumulative, threads=1)
    inputs = [np.random.default_rng(one).random(20_000 + 3_000 * one) for one in range(6)]
    expected = [cumulative(one) for one in inputs]
    kernel(inputs[0])
    wrong: list[int] = []

    def run(place: int) -> None:
        for turn in range(60):
            if not np.allclose(kernel(inputs[place]), expected[place]):
                wrong.append(place)
            if turn % 20 == place:
                shine.release_memory()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@required_tools.needs(required_tools.FORK, hasattr(os, "fork"))
def test_a_forked_child_has_memory_of_its_own() -> None:
    kernel = jit(cumulative, threads=1)
    x = np.random.default_rng(5).random(100_000)
    first = kernel(x)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.allclose(kernel(x + 1), cumulative(x + 1)) else 1)
    assert np.array_equal(kernel(x), first)
    assert os.waitpid(child, 0)[1] == 0


def test_kept_memory_is_freed_before_memory_runs_out() -> None:
    """With room for one of two arrays only, the second call needs what the first one left."""
    text = f"""
import resource
import numpy as np
from shine import jit
from {__name__} import cumulative
from shine.targets.openmp.kept_memory import kept_bytes
kernel = jit(cumulative, threads=1)
kernel(np.ones(10_000))
small, large = np.ones(9_000_000), np.ones(18_000_001)
out = np.empty_like(large)
kernel(small)
assert kept_bytes() >= small.nbytes
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
needed = kept_bytes() // small.nbytes * large.nbytes
limit = used + needed - small.nbytes // 2
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
kernel(large, out=out)
assert out[0] == out[-1] == len(large) + 1
"""
    subprocess.run([sys.executable, "-c", text], check=True, cwd=Path(__file__).parents[4])


@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_sanitizers_find_nothing_in_the_pool(sanitizer: str, tmp_path: Path) -> None:
    compiler = find_compiler(None, None, directory_of(None))
    program = tmp_path / "program"
    flags = ["-std=gnu11", "-O1", "-g", f"-fsanitize={sanitizer}", "-DKEPT=400000ull"]
    built = subprocess.run(
        [compiler.path, *flags, HARNESS, SOURCE, "-o", program, "-lpthread"], capture_output=True, text=True
    )
    if built.returncode:
        required_tools.skip_without(required_tools.SANITIZERS)
    ran = subprocess.run([program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
