"""The programs of benchmarks/ run and print their tables. Nothing is timed here."""

import sys
from pathlib import Path

import pytest

from tests.examples import THOROUGH, some
from tests.forks import environment, run

ROOT = Path(__file__).resolve().parents[1]
WITH_PEERS = """
import sys
sys.path.insert(0, {folder!r})
from _race import race, variables
from peers import NAMES, find
"""
#: the slowest ones, which share all but their tables with others
LONG = (
    ()
    if THOROUGH
    else ("cpu_gemm", "latencies", "mutants", "npbench", "reductions", "simulator", "translation_mutants")
)
#: our own suite of functions in the form of NPBench
SUITE = ROOT / "tests" / "data" / "suite"
OPTIONS = {"npbench": ("--suite", str(SUITE))}
PROGRAMS = sorted((ROOT / "benchmarks").glob("[a-z]*.py"))
RESULTS = ROOT / "benchmarks" / "results"


@pytest.mark.parametrize(
    "program", some((path for path in PROGRAMS if path.stem not in LONG), 4), ids=lambda path: path.stem
)
def test_a_benchmark_prints_a_table_and_writes_nothing_when_quick(program: Path) -> None:
    before = kept()
    lines = printed(str(program), "--quick", *OPTIONS.get(program.stem, ())).splitlines()
    columns = [set(line) for line in lines].index({"-", " "})
    assert len(lines[columns + 1].split()) >= len(lines[columns].split())
    assert kept() == before


def of_suite(*options: str) -> str:
    return printed(str(ROOT / "benchmarks" / "npbench.py"), *options)


def test_a_suite_that_is_absent_is_named_and_skipped() -> None:
    for options in ((), ("--suite", str(SUITE / "none"))):
        assert of_suite(*options).startswith("skipped: NPBench, of which no checkout is given")


def test_functions_of_a_suite_are_right_or_rejected_by_name() -> None:
    table = of_suite("--suite", str(SUITE), "--only", "relaxation", "spectrum", "--sizes", "L").splitlines()
    [right], [refused] = (
        [line.split() for line in table if line.startswith(name)][:1] for name in ("relax", "spectrum")
    )
    assert right[1:4] == ["yes", "L", "any"]
    assert refused[1] == "no" and " ".join(refused).endswith("programs do not support `np.fft.fft` (line 7)")


def test_each_benchmark_has_its_results_on_the_page() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert PROGRAMS
    for program in PROGRAMS:
        _, opened, rest = page.partition(f"<!-- results: {program.stem} -->\n")
        table, closed, _ = rest.partition(f"\n<!-- end of results: {program.stem} -->")
        assert opened and closed
        assert table.strip() == (RESULTS / f"{program.stem}.md").read_text(encoding="utf-8").strip()


def said(*lines: str) -> str:
    """The output of a program with access to the modules of the benchmarks."""
    program = "\n".join([WITH_PEERS.format(folder=str(ROOT / "benchmarks")), *lines])
    return printed("-c", program).strip()


def test_a_peer_that_is_not_installed_is_named_and_skipped() -> None:
    lines = (
        "sys.modules['torch'] = None",
        "found, absent = find(1, ('numpy', 'torch'))",
        "print([peer.name for peer in found], absent)",
    )
    assert said(*lines) == "['numpy'] ['torch']"


def test_all_peers_have_a_module() -> None:
    modules = {path.stem for path in (ROOT / "benchmarks" / "peers").glob("[a-z]*.py")}
    assert said("print(sorted(NAMES))") == str(sorted(modules))


def test_all_take_the_same_number_of_turns_however_slow() -> None:
    lines = (
        "import time",
        "runs = {'quick': lambda: None, 'slow': lambda: time.sleep(0.01)}",
        "found = race(runs, 2, 5, 0.0)",
        "print({name: len(samples.seconds) for name, samples in found.items()})",
    )
    assert said(*lines) == "{'quick': 3, 'slow': 3}"


def test_the_environment_sets_the_threads_of_each_library() -> None:
    assert said("print(set(variables(2).values()), 'OMP_NUM_THREADS' in variables(2))") == "{'2'} True"


def printed(*words: str) -> str:
    """The output of Python with these arguments, which must not fail."""
    ran = run([sys.executable, *words], env=environment())
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode()


def kept() -> dict[str, bytes]:
    """The files that the benchmarks have written."""
    return {path.name: path.read_bytes() for path in [*RESULTS.iterdir(), ROOT / "docs" / "benchmarks.md"]}
