"""Forks: children run kernels, compile and simulate, whatever the parent and its threads did before the fork."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import forks, required_tools
from tests.examples import some
from tests.shine.fork_programs import PATIENCE, SCENARIOS

ROOT = Path(__file__).parents[2]

pytestmark = [
    required_tools.needs(required_tools.FORK, required_tools.has_fork()),
    required_tools.needs(required_tools.OPENMP, required_tools.has_openmp()),
]


#: scenarios that need a process in which our packages are not loaded yet
LOADING: Final = ("another_thread_imports_what_is_loaded_on_first_use",)


@pytest.mark.parametrize("scenario", some(SCENARIOS, 2))
def test_forks(scenario: str, tmp_path: Path) -> None:
    if "simulat" in scenario and not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
    command = [sys.executable, "-m", "tests.shine.fork_programs", scenario, str(tmp_path)]
    its_own = {"PYTHONWARNINGS": "ignore::DeprecationWarning"} if scenario in LOADING else {}
    try:
        ran = forks.run(command, env=forks.environment(**its_own), timeout=3 * PATIENCE)
    except subprocess.TimeoutExpired:
        pytest.fail("stood still")
    assert ran.returncode == 0, (ran.stdout + ran.stderr).decode()


#: forks while another thread imports a package for the first time; the child imports it, too
IMPORTING = """
import os, signal, sys, threading, time
package, begun = sys.argv[1:]
thread = threading.Thread(target=__import__, args=(package,))
thread.start()
while begun not in sys.modules:
    time.sleep(0.001)
child = os.fork()
if child == 0:
    signal.alarm(20)
    __import__(package)
    import rise
    os._exit(0 if rise.parse("fun(x: f32 => x)").main else 1)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
thread.join()
sys.exit(abs(status))
"""


@pytest.mark.parametrize(
    ("package", "begun"),
    some(
        [
            ("rise", "rise.dsl"),
            ("strategies", "rise.dsl"),
            ("strategies", "strategies.lookup"),
            ("shine.kernel", "rise.dsl"),
        ],
        5,
    ),
)
def test_another_thread_imports_a_package(package: str, begun: str) -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", IMPORTING, package, begun]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr


def test_no_lock_may_stay_locked_after_a_fork() -> None:
    """Before Python 3.12, a `cached_property` has one lock for all objects of a class."""
    files = [
        path
        for package in ("rise", "elevate", "strategies", "shine")
        for path in (ROOT / package).rglob("*.py")
    ]
    assert [path for path in files if "cached_property" in path.read_text(encoding="utf-8")] == []
