"""How the tests run: hypothesis profiles, and what a machine lacks. Knows no test.

`ci` is the default and gives the same examples on every run; `--hypothesis-profile=soak` searches. A test that needs
the simulator is skipped, and says so, where there is no C++ compiler.
"""

import gc
import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from shine.simulator import SimulatorError
from shine.simulator.compiler import SEARCHED

HAS_CXX = any(shutil.which(name) for name in SEARCHED)

# A test never times anything: no deadline, and no complaint that an example was slow to make.
UNTIMED = (HealthCheck.too_slow,)

settings.register_profile(
    "ci", derandomize=True, max_examples=14, deadline=None, suppress_health_check=UNTIMED, print_blob=True
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


USUAL = 50  # examples of a law, of more of which a profile asks for everything
MANY = 40


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test with very many cases, four of seven are run, spread evenly; all of them in soak."""
    usual = settings.default
    if usual is None or usual.max_examples > USUAL or config.args != config.getini("testpaths"):
        return
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left = {
        id(item)
        for family in families.values()
        if len(family) > MANY
        for number, item in enumerate(family)
        if number * 5 % 7 > 3
    }
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left])
    items[:] = [item for item in items if id(item) not in left]
