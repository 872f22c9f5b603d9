"""Waiting threads of kernels spin, then sleep: the settings that OpenMP reports. Times nothing."""

import os
import subprocess
import sys

import pytest

from shine.cache import default_directory
from shine.targets.openmp.compiler import find_compiler
from shine.targets.openmp.threads import SPINS
from tests import required_tools
from tests.examples import some

CALL = """
import os
import numpy as np
import rise, shine
text = "fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))"
kernel = shine.compile(rise.parse(text).main, target="openmp", threads=2, team=False)
before = dict(os.environ)
assert kernel(np.zeros(4, np.float32)).tolist() == [1, 1, 1, 1]
assert dict(os.environ) == before
"""


def told(**environment: str) -> str:
    """The settings that OpenMP reports in a process that calls a kernel."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    shown = plain | {"OMP_DISPLAY_ENV": "VERBOSE"} | environment
    ran = subprocess.run([sys.executable, "-c", CALL], env=shown, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stderr


@pytest.mark.parametrize(
    ("environment", "expected"),
    some([({}, SPINS), ({"GOMP_SPINCOUNT": "17"}, "17"), ({"OMP_WAIT_POLICY": "passive"}, "0")], 3),
    ids=some(["by default", "as the user says", "as the user says by the policy"], 3),
)
def test_threads_sleep_soon_unless_configured_otherwise(environment: dict[str, str], expected: str) -> None:
    compiler = find_compiler(None, None, default_directory())
    if not compiler.has_threads or "clang" in os.path.basename(os.path.realpath(compiler.path)):
        required_tools.skip_without("gcc's OpenMP")
    assert f"GOMP_SPINCOUNT = '{expected}'" in told(**environment)
