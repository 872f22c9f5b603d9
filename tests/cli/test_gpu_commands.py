"""The commands on the way to a GPU: their output and files. Depends on the names of examples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from shine.front import derivation
from tests import required_tools
from tests.cli.commands import EXAMPLES, shine
from tests.cli.machines import with_compiler, without_compiler
from tests.examples import in_whole, some

GEMM = EXAMPLES / "gemm.rise"
DOT = EXAMPLES / "dot.rise"
SEQUENTIAL = ("--strategy", "strategies.sequential:sequential")
TILES = ("rows=32", "columns=32", "depth=16", "warp_rows=16", "warp_columns=16")
WMMA = ("--strategy", "strategies.tensor_core:wmma", "-p", *TILES)
CUDA = ("--target", "cuda", "--arch", "sm_80")
SIMULATOR = ("--target", "cuda-sim")


@pytest.fixture(scope="module", autouse=True)
def derived_once() -> Iterator[None]:
    """Most commands here lower one program by one strategy, which takes longer than all they do besides."""
    with patch.object(derivation, "attempt", cache(derivation.attempt)):
        yield


@pytest.mark.parametrize("target", some(["cuda", "cuda-sim"], 2))
def test_check_translates_for_the_target(target: str) -> None:
    said = shine("check", GEMM, "--target", target, *WMMA)
    assert said.status == 0, said
    lines = said.out.splitlines()
    assert (
        "wmma(rows=32, columns=32, depth=16, warp_rows=16, " in lines[1]
        and f" lowers `gemm` for {target} in " in lines[1]
    )
    assert "    needs 32 divides M: split(32) needs it" in lines
    facts = shine("check", GEMM, "--target", target, *WMMA, "--json").facts
    assert facts["target"] == target
    assert {"condition": "16 divides K", "reason": "split(16) needs it"} in facts["strategy_needs"]


def test_check_for_a_target_uses_its_strategy() -> None:
    said = shine("check", DOT, "--target", "cuda")
    assert said.status == 0 and " lowers `dot` for cuda in " in said.out
    assert "lowers" not in shine("check", DOT).out


def test_kernels_are_shown_with_their_launch() -> None:
    said = shine("show", GEMM, "--stage", "imperative", *CUDA, *WMMA)
    assert said.status == 0, said
    assert "kernel gemm: (N /^ 32) x " in said.out
    assert "blocks of 128 threads, which are 2 x 2 warps of 32" in said.out
    assert " in Shared from byte 0\n" in said.out
    assert "    barrier (block)\n" in said.out
    assert shine("show", GEMM, "--stage", "imperative", *CUDA, *WMMA, "--json").facts["text"] in said.out


@pytest.mark.parametrize(
    ("stage", "wanted", "target"),
    [
        ("high", "|> map(fun(ab:", CUDA),
        ("derivation", "tileProductAdd", SIMULATOR),
        ("low", "tensorMatMulAdd(", CUDA),
        ("source", 'extern "C" __global__ void', CUDA),
        ("source", 'extern "C" __global__ void', SIMULATOR),
    ],
)
def test_every_stage_is_shown(stage: str, wanted: str, target: tuple[str, ...]) -> None:
    with without_compiler():
        said = shine("show", GEMM, "--stage", stage, *target, *WMMA)
    assert said.status == 0, said
    assert wanted in said.out


def test_the_text_is_written_without_any_compiler(tmp_path: Path) -> None:
    place = tmp_path / "gemm.cu"
    with without_compiler():
        said = shine("compile", GEMM, *CUDA, *WMMA, "-o", place)
    assert said.status == 0 and said.out.endswith(f"wrote the source to {place}\n")
    assert "nvcuda::wmma::mma_sync(" in place.read_text(encoding="utf-8")
    assert [one.name for one in tmp_path.iterdir()] == ["gemm.cu"]


def test_machine_code_is_written_unchanged(tmp_path: Path) -> None:
    place = tmp_path / "gemm.cubin"
    with with_compiler():
        said = shine("compile", GEMM, *CUDA, *WMMA, "-o", place)
    assert said.status == 0 and said.out.endswith(f"wrote the machine code to {place}\n")
    assert place.read_bytes() == b"machine code"


@in_whole("tests/test_sass.py::test_the_default_strategy_has_the_pinned_counts")
@required_tools.needs_cuda_compiler()
def test_machine_code_is_that_of_the_architecture(tmp_path: Path) -> None:
    place = tmp_path / "dot.cubin"
    assert shine("compile", DOT, *CUDA, *SEQUENTIAL, "-o", place).status == 0
    assert place.read_bytes().startswith(b"\x7fELF")


@pytest.mark.parametrize("options", some([(), ("-O", "check"), ("-O", "check=true", "schedule=random:3")], 3))
def test_a_run_in_the_simulator_agrees_with_the_meaning(options: tuple[str, ...]) -> None:
    sizes = ("--size", "M=32", "N=64", "K=32")
    said = shine("run", GEMM, *SIMULATOR, *WMMA, *sizes, "--verify", "--json", *options)
    if said.status and said.facts["diagnostics"][0]["code"] == "no-compiler":
        required_tools.skip_without(required_tools.CXX)
    assert said.status == 0, said
    assert said.facts["target"] == "cuda-sim"
    assert said.facts["verify"]["error"] <= said.facts["verify"]["tolerance"]


def test_targets_are_listed_with_their_options() -> None:
    said = shine("list", "targets")
    assert (
        "    -O check=false  whether to detect races" in said.out
        and "    -O schedule=ascending  " in said.out
    )
    (found,) = [
        one for one in shine("list", "targets", "--json").facts["targets"] if one["name"] == "cuda-sim"
    ]
    options: dict[str, Any] = {one["name"]: one for one in found["options"]}
    assert options["seconds"]["type"] == "float" and options["seconds"]["default"] == 60.0
    assert options["arch"]["default"] is None


def test_an_option_may_be_given_in_several_ways() -> None:
    for words in (("-O", "check", "-O", "device=1"), ("-O", "check=true", "device=1"), ("--option", "check")):
        assert "__trap()" in shine("show", DOT, "--stage", "source", *CUDA, *SEQUENTIAL, *words).out
    assert shine("show", DOT, *CUDA, "-O", "=3").status == 2
