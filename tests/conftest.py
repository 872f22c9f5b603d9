"""Configuration of the tests: Hypothesis profiles, and tools that a machine lacks. Independent of tests.

`ci` is the default: it generates the same examples in every run, and runs some of many similar cases. `whole` runs all
of them, and `soak` searches. A test that needs the simulator is skipped, with this reason, if there is no C++ compiler.
"""

import gc
import os
import shutil
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from _pytest.doctest import DoctestModule
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from rise.hardware import DEFAULT
from shine.cache import default_directory, use
from shine.simulator import SimulatorError, builder
from shine.targets.openmp import calls, loader
from shine.targets.openmp.compiler import Compiler, find_compiler
from tests import required_tools
from tests.quick_runtime import quick_runtime
from tests.sharing import LongAndTogether

# Tests never measure time: no deadline, and no health check for examples that are slow to generate.
UNTIMED = (HealthCheck.too_slow,)

settings.register_profile(
    "ci", derandomize=True, max_examples=5, deadline=None, suppress_health_check=UNTIMED, print_blob=True
)
settings.register_profile(
    "whole", derandomize=True, max_examples=10, deadline=None, suppress_health_check=UNTIMED, print_blob=True
)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=UNTIMED)
settings.load_profile("ci")

# Programs that tests start share bytecode, even if the caller writes none.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# So do programs that draw examples: Hypothesis parses all modules of the packages for the constants in them.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).parents[1] / ".hypothesis"))
# Programs are lowered for one processor, whatever machine the tests run on, so that texts are the same everywhere.
os.environ["SHINE_MACHINE"] = DEFAULT.name
# What tests remember for each other lives long: collections are rare, and objects that survived one are not scanned
# again.
gc.set_threshold(10_000_000, 50, 100)


#: the number of tests that a run leaves out because they need a device, and the key under which a worker reports it
_LEFT_OUT = pytest.StashKey[int]()
_REPORTED = "left_out"


class FilesWithDoctests:
    """Leaves out files without doctests: nine of ten, which pytest would import and search one by one."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if any(isinstance(each, DoctestModule) for each in found) and b">>>" not in file_path.read_bytes():
            return [each for each in found if not isinstance(each, DoctestModule)]
        return found


def pytest_configure(config: pytest.Config) -> None:
    """Register for all folders; functions of this file see those below it.

    Where some of many similar cases run, Hypothesis does not parse all modules for constants to draw, which takes
    seconds of each process in a fresh clone; its own list of constants is used in any case.
    """
    config.pluginmanager.register(FilesWithDoctests())
    if _is_sampled():
        providers._get_local_constants = lambda: providers._local_constants


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where some of many similar cases run, leave out tests that are marked `whole`, unless one is named."""
    if not _is_sampled() or any("::" in argument for argument in config.args):
        return
    left_out = [item for item in items if item.get_closest_marker("whole")]
    if left_out:
        items[:] = [item for item in items if not item.get_closest_marker("whole")]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    gc.freeze()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count tests that `-m "not gpu"` leaves out; those that `-k` and paths leave out lack nothing."""
    if items and all(item.get_closest_marker("gpu") for item in items):
        stash = items[0].config.stash
        stash[_LEFT_OUT] = stash.get(_LEFT_OUT, 0) + len(items)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of `pytest -n` sends its number to the process that reports.

    pytest's two last collections would scan millions of objects that are alive, and take seconds of each process.
    """
    gc.freeze()
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_REPORTED] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the number from any worker, since every worker collects all tests and leaves out the same ones."""
    stash = node.config.stash
    stash[_LEFT_OUT] = max(stash.get(_LEFT_OUT, 0), getattr(node, "workeroutput", {}).get(_REPORTED, 0))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what the machine lacks, and how many tests were not run because of it."""
    skipped = required_tools.by_tool(map(required_tools.reason_of, terminalreporter.stats.get("skipped", ())))
    left_out = config.stash.get(_LEFT_OUT, 0)
    if left_out:
        skipped[f"{required_tools.DEVICE} (run by `pytest -m gpu`)"] += left_out
    for line in required_tools.summary(skipped):
        terminalreporter.write_line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongAndTogether | None:
    return LongAndTogether(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In a worker of `pytest -n`, report the call of a test, and other phases only if they do not pass: half of what
    the processes send each other would say that a test begins, that it was set up, and that it was torn down.
    """
    if not hasattr(item.config, "workerinput") or item.config.getoption("durations") is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    try:
        return (yield)
    except SimulatorError as error:
        if required_tools.has_cxx() or error.diagnostic.code != "no-compiler":
            raise
        required_tools.skip_without(required_tools.CXX)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build into the user's cache, as all programs do, so that no text is built twice.

    Entries are found by the text, the flags and the compiler, so changing any of them causes a new build. In `soak`
    everything is rebuilt, in one folder for all processes.
    """
    if settings.default.max_examples < settings.get_profile("soak").max_examples:
        return default_directory()
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    kept = folder / "kernels"
    kept.mkdir(mode=0o700, exist_ok=True)
    return kept


@pytest.fixture(scope="session")
def compilers(cache: Path) -> list[Path]:
    """The properties of the C compiler, and the extension module for repeated calls; finding and building them runs the
    compiler about ten times.
    """
    if not required_tools.has_openmp():
        return []
    module = calls._module(find_compiler(None, None, cache), cache)
    built = [] if module is None else [Path(str(module.__file__))]
    return [*cache.glob("compiler-*.json*"), *built]


@pytest.fixture
def new_cache(compilers: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a new default cache for each test, which contains what the C compiler determines but no kernels."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    new = default_directory()
    for entry in compilers:
        shutil.copy2(entry, new)
    return new


def _is_sampled() -> bool:
    """Whether some of many similar cases run: `tests.examples.SAMPLED`, before tests are imported."""
    return settings.default.max_examples <= settings.get_profile("ci").max_examples


@pytest.fixture(scope="module", autouse=True)
def objects_of_other_files() -> None:
    """The collector does not visit what other files left, most of which is alive: millions of objects."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def quick_builds() -> Iterator[None]:
    """Where some of many similar cases run, one of sixteen C kernels is built with all optimisations, as for users, and
    one with few, with which loops that are marked are vectorised all the same. The others are built without any, in a
    third of the time.
    """

    def build(text: str, compiler: Compiler, *rest: Any) -> Any:
        level = ("-O3", "-O1", *["-O0"] * 14)[zlib.crc32(text.encode()) % 16]
        flags = tuple(level if flag == "-O3" else flag for flag in compiler.flags)
        return build_fully(text, replace(compiler, flags=flags), *rest)

    build_fully = loader.build
    with patch.object(loader, "build", build) if _is_sampled() else nullcontext():
        yield


@pytest.fixture(scope="session", autouse=True)
def builds_of_runtime() -> Iterator[None]:
    """Where some of many similar cases run, the simulator's runtime is built with few optimisations too."""
    with quick_runtime() if _is_sampled() else nullcontext():
        yield


@pytest.fixture(scope="session", autouse=True)
def one_runtime(cache: Path) -> Iterator[None]:
    """Building the simulator's runtime takes seconds, so it is built once for all caches that tests create and for all
    processes.

    So are its headers, together, and the extension module for repeated calls of CPU kernels.
    """
    build_runtime, build_host, build_headers = builder._runtime, builder._host, builder.precompiled
    with (
        patch.object(calls, "use", lambda entry, make, load: use(cache / entry.name, make, load)),
        patch.object(builder, "_runtime", lambda compiler, _, *rest: build_runtime(compiler, cache, *rest)),
        patch.object(builder, "_host", lambda compiler, _: build_host(compiler, cache)),
        patch.object(builder, "precompiled", lambda *given: build_headers(*given[:-1], cache)),
    ):
        yield
