"""The corpus of correct kernels: each agrees with numpy and has no findings, in both builds.

Here under one schedule; `THOROUGH` runs and `python -m benchmarks.mutants --corpus` use all of them.
"""

from collections.abc import Callable

import pytest

from shine.simulator import Program
from tests.examples import THOROUGH, some
from tests.simulator.corpus import Case
from tests.simulator.samples import samples

SCHEDULES = ("ascending", "descending", *(f"random:{seed}" for seed in range(8)))
SAMPLES = samples()


def test_there_are_at_least_sixty_samples_without_duplicates() -> None:
    names = [(sample.file, sample.kernel) for sample in SAMPLES]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.parametrize("sample", some(SAMPLES, 21), ids=lambda one: one.kernel)
def test_there_are_no_findings_and_results_agree_with_numpy(
    sample: Case, programs: Callable[[str, bool], Program]
) -> None:
    for schedule in SCHEDULES if THOROUGH else SCHEDULES[:1]:
        report, result = sample.launch(programs(sample.file, True), schedule)
        assert report.findings == (), schedule
        assert report.finished and sample.is_expected(result), schedule
