"""Derived kernels with asynchronous copies are correct under every schedule, need all their waits, and compile.

Entries are in tests/cuda/entries.py.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from shine.imperative.nodes import AwaitCopies
from shine.targets.cuda.compiler import find_compiler
from shine.targets.cuda.toolchain import Toolchain
from tests import required_tools
from tests.cuda.compilation import compiled_together, joined
from tests.cuda.entries import COPYING, Entry
from tests.cuda.kernels import (
    SCHEDULES,
    compiled_at,
    findings,
    gpu_program,
    launched,
    mistakes,
    printed,
    without_each,
    without_each_barrier,
)
from tests.examples import in_whole, some

CLAIMED: Final = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
#: findings for a missing wait or barrier
MISSED: Final = {"in-flight", "not-waited", "race", "uninitialised"}


@pytest.mark.parametrize(("number", "entry"), some(enumerate(COPYING), 5), ids=str)
def test_the_result_is_that_of_numpy_under_every_schedule(number: int, entry: Entry, cache: Path) -> None:
    """A finding of the check build is raised as an error. The schedules alternate."""
    for schedule in some(SCHEDULES, len(SCHEDULES), number // 3):
        assert mistakes(entry, schedule, cache) == [], schedule


@pytest.mark.parametrize("entry", some(COPYING, 7, 1), ids=str)
def test_a_missing_wait_or_barrier_is_found(entry: Entry, cache: Path) -> None:
    """Each step has one wait for its copies; without it, the check build has findings."""
    at = compiled_at(entry)[0]
    made = gpu_program(entry, at)
    waits = list(without_each(made, AwaitCopies))
    assert len(waits) == 1
    for _, changed in waits:
        found = {one.kind for one in findings(changed, entry, at or entry.sizes[0], "ascending", cache)}
        assert found
        assert found <= {"in-flight", "not-waited"}
    for barrier, changed in without_each_barrier(made):
        ways = ((sizes, few) for few in (False, True) for sizes in entry.sizes)
        runs = (launched(changed, entry, sizes, "descending", cache, few)[1] for sizes, few in ways)
        assert {one.kind for one in next(filter(None, runs))} <= MISSED, barrier


@pytest.mark.parametrize("entry", some(COPYING, 13), ids=str)
def test_the_header_is_included_if_it_is_used(entry: Entry) -> None:
    assert "#include <cuda_pipeline.h>" in printed(entry).source
    ordinary = replace(entry, is_asynchronous=False)
    assert "pipeline" not in printed(ordinary).source


def toolchain() -> Toolchain:
    """A CUDA compiler. Skips if none is installed."""
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    return find_compiler()


@in_whole("tests/cuda/test_machine_code.py::test_they_compile_without_spills")
@pytest.mark.parametrize("arch", some(CLAIMED, 7, 1))
def test_they_compile_without_spills(arch: str, tmp_path: Path) -> None:
    """Spills are errors."""
    toolchain()
    chosen = COPYING if arch == "sm_80" else (COPYING[CLAIMED.index(arch) % len(COPYING)],)
    modules = [printed(entry, arch, wide=arch == "sm_90") for entry in chosen]
    assert compiled_together(modules, arch, tmp_path)[0].image


@in_whole("tests/cuda/test_machine_code.py::test_factors_are_copied_sixteen_bytes_at_a_time")
@pytest.mark.parametrize(("arch", "are_there"), [("sm_80", True), ("sm_75", False)])
def test_copies_are_instructions_of_their_width(arch: str, are_there: bool) -> None:
    """From sm_80 on, so are waits; for older architectures, the header copies synchronously."""
    modules = [printed(entry, arch) for entry in some(COPYING, 2, first=are_there)]
    text, owners = joined(modules)
    made = toolchain().run(text, arch, "ptx").image
    assert made is not None
    kernels = {part.partition("(")[0]: part for part in made.decode().split(".visible .entry ")[1:]}
    assert kernels.keys() == owners.keys()
    for name, instructions in kernels.items():
        found = re.findall(r"cp\.async\.c[ag]\.shared\.global \[\S+\], \[\S+\], (\d+)", instructions)
        source = modules[owners[name]].source
        wanted = re.findall(r"memcpy_async\(.*, (4|8|16)(?:, [^&]*)?\);", source)
        assert set(found) == (set(wanted) if are_there else set()), source
        assert ("cp.async.wait_group" in instructions) == are_there
