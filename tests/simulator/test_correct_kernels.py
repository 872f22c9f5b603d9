"""Correct kernels agree with numpy under all schedules and in both builds, without findings."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import some
from tests.simulator.corpus import SCHEDULES, Case, cases

BARRIERS = re.compile(
    r"__syncthreads\(\);|__syncwarp\(\);|__pipeline_commit\(\);|__pipeline_wait_prior\(\d\);"
)
CASES = cases()
MUTANTS = [(case, number) for case in CASES for number in range(len(BARRIERS.findall(case.text())))]


@pytest.mark.parametrize(
    ("case", "check"),
    some([(case, check) for at, case in enumerate(CASES) for check in some([False, True], 2, first=at)], 2),
    ids=lambda one: getattr(one, "file", "check" if one else "plain"),
)
def test_results_are_exact_and_there_are_no_findings(
    case: Case, check: bool, programs: Callable[[str, bool], Program]
) -> None:
    program = programs(case.file, check)
    for schedule in SCHEDULES:
        report, result = case.launch(program, schedule)
        assert report.finished
        assert report.findings == ()
        np.testing.assert_array_equal(result, case.expected)


@pytest.mark.parametrize(("case", "number"), some(MUTANTS, 5), ids=lambda one: getattr(one, "file", str(one)))
def test_a_missing_barrier_or_wait_is_found(
    case: Case, number: int, programs: Callable[[str, bool], Program]
) -> None:
    place = list(BARRIERS.finditer(case.text()))[number]
    text = case.text()[: place.start()] + case.text()[place.end() :]
    program = programs(text, True)
    for schedule in SCHEDULES:
        report, _ = case.launch(program, schedule)
        kinds = {finding.kind for finding in report.findings}
        assert kinds == {"race"} or (case.file == "copies.cu" and kinds == {"in-flight"}), schedule
