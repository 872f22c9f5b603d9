"""Texts of all cases under default strategies: equal to tests/golden/texts, to the byte, and to what the stage before
shows. Compiles nothing.
"""

from __future__ import annotations

import difflib
from typing import Final

import pytest

import shine
from cases.case_files import Case
from shine.imperative.kernels import GpuProgram
from tests.cases.derived import ARCH, CASES, passed, text
from tests.cases.outlines import of_stage, of_text
from tests.cases.shared_bytes import lines_of, listed_of
from tests.cases.texts import ENDINGS, TEXTS, files, golden


@pytest.mark.parametrize("target", ENDINGS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_text_is_the_golden_one(case: Case, target: str) -> None:
    path = golden(case.name, target)
    expected, found = path.read_text(encoding="utf-8"), text(case, target)
    difference = difflib.unified_diff(expected.splitlines(), found.splitlines(), path.name, "printed now")
    assert found == expected, "\n".join([*difference, "`make texts` writes them; say in CHANGELOG.md why"])


def stage_imperative(case: Case, target: str) -> str:
    """What `--stage imperative` prints for a case under the strategy of the target."""
    shown, _ = shine.TARGETS[target].outline(passed(case, target), {"arch": ARCH})
    return shown


@pytest.mark.parametrize("target", ENDINGS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_stage_imperative_is_what_is_printed_next(case: Case, target: str) -> None:
    """The same loops, stores, values, prefetches and barriers in the same order, with the same names."""
    stage = of_stage(stage_imperative(case, target))
    assert of_text(golden(case.name, target).read_text(encoding="utf-8"), stage) == stage.lines


@pytest.mark.parametrize("case", CASES, ids=str)
def test_kernels_take_the_shared_memory_that_is_listed(case: Case) -> None:
    made = passed(case, "cuda")
    assert isinstance(made, GpuProgram)
    expected, found = listed_of(case.name), lines_of(case.name, made)
    assert found == expected, "`python -m tests.cases.shared_bytes` writes the table; say in CHANGELOG.md why"


STAGE: Final = """f(xs: N.f32) -> N.f32 for all N
  for n_block < N / 8 (parallel if 65535 < N)
    new acc : f32 [8] in Local
    for n < 8 (simd)
      twice : f32 = add(xs[8 * n_block + n], xs[8 * n_block + n])
      acc[n] := mul(twice, xs[0])
    for n < 8 (seq)
      output[8 * n_block + n] := acc[n]
"""
TEXT: Final = """int f(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < N)
  for (int64_t n_block = 0; n_block < N / 8; n_block++) {
    _Alignas(64) float acc[8];
    for (int64_t n = 0; n < 8; n++) {
      const int64_t at_n = n_block * 8 + n;
      const float twice = xs[at_n] + xs[at_n];
      acc[n] = twice * xs[0];
    }
    for (int64_t n = 0; n < 8; n++) {
      output[n_block * 8 + n] = acc[n];
    }
  }
  return 0;
}
"""


@pytest.mark.parametrize(
    ("printed", "instead"),
    [
        ("for (int64_t n = 0; n < 8; n++) {\n      output", "{\n      output"),
        ("int64_t n_block = 0", "int64_t n_strip = 0"),
        ("acc[n] = twice * xs[0]", "acc[n] = twice"),
        ("acc[n] = twice * xs[0]", "acc[n] = twice * acc[0]"),
        ("acc[n] = twice * xs[0];", ""),
        ("acc[n] = twice * xs[0];", "acc[n] = twice * xs[0];\n      acc[0] = 0.0f;"),
        ("const float twice = xs[at_n] + xs[at_n];", "__builtin_prefetch(&xs[at_n]);"),
        ("return 0;", "computed();\n  return 0;"),
    ],
)
def test_a_text_that_says_something_else_is_found(printed: str, instead: str) -> None:
    stage = of_stage(STAGE)
    assert of_text(TEXT, stage) == stage.lines and TEXT.count(printed) == 1
    assert of_text(TEXT.replace(printed, instead), stage) != stage.lines


def test_every_case_has_its_texts_and_no_other_is_there() -> None:
    assert set(TEXTS.iterdir()) == set(files())
    assert len(files()) == len(CASES) * len(ENDINGS)
