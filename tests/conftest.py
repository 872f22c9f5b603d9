"""How the tests run: hypothesis profiles, and what a machine lacks. Knows no test.

`ci` is the default and gives the same examples on every run; `--hypothesis-profile=soak` searches. A test that needs
the simulator is skipped, and says so, where there is no C++ compiler.
"""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from shine.simulator import SimulatorError, builder
from shine.simulator.compiler import SEARCHED

HAS_CXX = any(shutil.which(name) for name in SEARCHED)

# A test never times anything: no deadline, and no complaint that an example was slow to make.
UNTIMED = (HealthCheck.too_slow,)

settings.register_profile(
    "ci", derandomize=True, max_examples=10, deadline=None, suppress_health_check=UNTIMED, print_blob=True
)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=UNTIMED)
settings.load_profile("ci")

# Programs that tests start share bytecode, wherever and whether or not the caller keeps it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode"))
# What tests remember for each other lives long: it is looked through seldom.
gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    try:
        return (yield)
    except SimulatorError as error:
        if HAS_CXX or error.diagnostic.code != "no-compiler":
            raise
        pytest.skip(error.diagnostic.title)


@pytest.fixture(scope="session", autouse=True)
def one_runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The simulator's runtime takes seconds to build: once for all caches that tests make, and for all processes."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    built = folder / "runtime-of-the-simulator"
    built.mkdir(exist_ok=True)
    build_runtime = builder._runtime
    with patch.object(builder, "_runtime", lambda compiler, _folder: build_runtime(compiler, built)):
        yield
