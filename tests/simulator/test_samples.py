"""The corpus of correct kernels: each gives what numpy gives and nothing is found, in both builds.

Here under one schedule; `THOROUGH` runs, and `python -m benchmarks.mutants --corpus`, take all of them.
"""

from collections.abc import Callable

import pytest

from shine.simulator import Program
from tests.examples import THOROUGH
from tests.simulator.corpus import Case
from tests.simulator.samples import samples

SCHEDULES = ("ascending", "descending", *(f"random:{seed}" for seed in range(8)))
SAMPLES = samples()


def test_there_are_at_least_sixty_and_each_is_there_once() -> None:
    names = [(sample.file, sample.kernel) for sample in SAMPLES]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.kernel)
def test_nothing_is_found_and_results_are_those_of_numpy(
    sample: Case, programs: Callable[[str, bool], Program]
) -> None:
    for schedule in SCHEDULES if THOROUGH else SCHEDULES[:1]:
        report, result = sample.launch(programs(sample.file, True), schedule)
        assert report.findings == (), schedule
        assert report.finished and sample.is_expected(result), schedule
