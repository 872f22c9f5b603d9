"""Forks: children run kernels, compile and simulate, whatever the parent and its threads did before."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shine.cache import default_directory
from shine.simulator.compiler import SEARCHED
from shine.targets.openmp.compiler import find_compiler
from tests.shine.forking import PATIENCE, SCENARIOS

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.skipif(
        not find_compiler(None, None, default_directory()).has_threads, reason="the C compiler has no OpenMP"
    ),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_forks(scenario: str, tmp_path: Path) -> None:
    if "simulat" in scenario and not any(map(shutil.which, SEARCHED)):
        pytest.skip("no C++ compiler here")
    command = [
        sys.executable,
        "-W",
        "ignore::DeprecationWarning",
        "-m",
        "tests.shine.forking",
        scenario,
        str(tmp_path),
    ]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=3 * PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        pytest.fail(f"stood still\n{said}")
    assert process.returncode == 0, said
