"""How the tests run: hypothesis profiles, and what a machine lacks. Knows no test.

`ci` is the default and gives the same examples on every run; `--hypothesis-profile=soak` searches. A test that needs
the simulator is skipped, and says so, where there is no C++ compiler.
"""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from shine.cache import default_directory
from shine.simulator import SimulatorError, builder
from shine.simulator.compiler import SEARCHED
from tests.sharing import LongAndTogether

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
# What tests remember for each other lives long: it is looked through seldom, and what was collected never again.
gc.set_threshold(200_000, 50, 100)


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongAndTogether | None:
    return LongAndTogether(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    try:
        return (yield)
    except SimulatorError as error:
        if HAS_CXX or error.diagnostic.code != "no-compiler":
            raise
        pytest.skip(error.diagnostic.title)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where tests keep what compilers made: where all programs keep it, so that no text is built twice.

    Its entries are found by the text, the flags and the compiler: a change of any builds anew. `soak` builds all anew,
    in a folder of its own for all processes.
    """
    if settings.default.max_examples < settings.get_profile("soak").max_examples:
        return default_directory()
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    kept = folder / "kernels"
    kept.mkdir(mode=0o700, exist_ok=True)
    return kept


@pytest.fixture(scope="session", autouse=True)
def one_runtime(cache: Path) -> Iterator[None]:
    """The simulator's runtime takes seconds to build: once for all caches that tests make, and for all processes."""
    build_runtime = builder._runtime
    with patch.object(builder, "_runtime", lambda compiler, _, copy: build_runtime(compiler, cache, copy)):
        yield
