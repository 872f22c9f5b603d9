"""`--verify`: correct kernels pass, and a derivation with a wrong rule does not, whatever the order of sums."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import rise
from shine.cli import request as requests
from tests.cli import commands
from tests.examples import some

ROOT = Path(__file__).resolve().parents[2]
GEMM = str(ROOT / "examples" / "gemm.rise")
SMALL = ("--size", "M=64", "--size", "N=64", "--size", "K=96")


def run(*arguments: str) -> commands.Said:
    return commands.shine("run", *arguments, "--verify")


@pytest.mark.parametrize("wrong", some(["inOrder", "onBlocks", "inTiles"], 3))
def test_a_wrong_product_is_noticed(wrong: str) -> None:
    said = run(GEMM, "--target", "cuda-sim", "--strategy", f"tests.cli.wrong_strategies:{wrong}", *SMALL)
    assert said.status == 1
    assert "error[wrong-result]" in said.err


@pytest.mark.parametrize(
    "strategy", some(["strategies.gpu:blocksAndThreads", "strategies.sequential:sequential"], 2)
)
def test_a_correct_product_passes(strategy: str) -> None:
    said = run(GEMM, "--target", "cuda-sim", "--strategy", strategy, *SMALL)
    assert said.status == 0, said.err
    assert "verified" in said.out


@pytest.mark.parametrize("wrong", some(["inOrder", "inParts"], 2))
def test_a_wrong_sum_of_many_is_noticed(wrong: str, tmp_path: Path) -> None:
    program = tmp_path / "sum.rise"
    program.write_text(
        "val sum = fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => x * y)) |> reduce(add, 0.0))"
    )
    said = run(
        str(program),
        "--target",
        "cuda-sim",
        "--strategy",
        f"tests.cli.wrong_strategies:{wrong}",
        "--size",
        "N=100000",
    )
    assert said.status == 1
    assert "error[wrong-result]" in said.err


def test_a_program_is_read_and_lowered_once(tmp_path: Path) -> None:
    """Also if arrays are so large that it is compared at smaller sizes."""
    files = [str(tmp_path / f"{name}.npy") for name in "AB"]
    for file in files:
        np.save(file, np.ones((400, 400), np.float32))
    with (
        patch.object(requests, "lower", side_effect=requests.lower) as lowered,
        patch.object(rise, "parse_file", side_effect=rise.parse_file) as parsed,
    ):
        said = run(str(ROOT / "examples" / "mm.rise"), "--input", *files)
    assert said.status == 0 and "smaller" in said.out, said
    assert (lowered.call_count, parsed.call_count) == (1, 1)
