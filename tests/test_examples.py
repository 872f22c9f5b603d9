"""Examples that are programs run, at small sizes, and say what they did."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def ran(*command: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_seven_matrix_products_run_and_agree() -> None:
    lines = ran(str(ROOT / "examples" / "cpu_gemm.py"), "32").splitlines()
    assert [line.split()[0] for line in lines[1:8]] == [
        *("baseline", "blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "parallel")
    ]
    assert lines[1].endswith("M, N, K")
    assert lines[-1] == "sizes are free where 32 divides N, 32 divides M, 4 divides K"


def test_a_matrix_transposed_twice_is_itself() -> None:
    """In a language that is defined in the example."""
    lines = ran(str(ROOT / "examples" / "f_smooth.py")).splitlines()
    assert lines[0].strip() == "transpose(transpose(m))"
    assert lines[-1].split() == ["buildGet", "m"]


def test_functions_of_numpy_are_programs_and_kernels() -> None:
    lines = ran(str(ROOT / "examples" / "embedding.py"), "8").splitlines()
    assert [line.split()[0] for line in lines] == ["softmax", "layer", "heat", "blur"]
    assert all(line.endswith("agrees") for line in lines)
