"""`shine show --einsum`: the stages of a contraction in numpy's notation."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rise
from tests.cli import commands

SPEC = "abk,cdk->acbd"
TYPES = "A.B.K.f32, C.D.K.f32"


def test_each_phase_is_shown() -> None:
    said = commands.shine("show", TYPES, "--einsum", SPEC, "--stage", "derivation")
    assert said.status == 0
    heads = re.findall(r"^(\S.*?)  \d+ steps?, ", said.out, re.MULTILINE)
    assert heads[:2] == ["matricise", "readyForTiles"]
    assert "tilesBySizes" in heads[2] and heads[3] == "threads"


def test_the_program_is_text_that_can_be_read() -> None:
    said = commands.shine("show", TYPES, "--einsum", SPEC, "--stage", "high")
    a, b = np.ones((2, 3, 4), "f4"), np.ones((5, 6, 4), "f4")
    program = rise.parse(said.out)
    np.testing.assert_array_equal(rise.evaluate(program, a, b), np.einsum(SPEC, a, b))


@pytest.mark.parametrize(
    ("types", "spec", "stage", "found"),
    [
        (TYPES, SPEC, "source", "#pragma omp parallel"),
        ("3.4.f32, 4.f32", "ab,b->a", "source", "int "),
        ("2.3.f32, 3.4.f32, 4.5.f32", "ab,bc,cd->ad", "low", "toMem"),
    ],
)
def test_other_stages_are_shown(types: str, spec: str, stage: str, found: str) -> None:
    said = commands.shine("show", types, "--einsum", spec, "--stage", stage)
    assert said.status == 0 and found in said.out


def test_gpus_have_their_own_strategy() -> None:
    said = commands.shine("show", TYPES, "--einsum", SPEC, "--stage", "source", "--target", "cuda-sim")
    assert said.status == 0 and "__shared__" in said.out


@pytest.mark.parametrize(
    ("types", "spec", "message"),
    [
        (TYPES, "abk,cdk->acbe", "expected letters of operands in the result, found `e`"),
        ("A.B.K.f32", SPEC, "expected 2 operands, as the specification has, found 1"),
        ("A.B.K.f32, C.D", SPEC, "expected the type of an array of numbers, found 'C.D'"),
        ("program.rise", "ab->ba", "expected the type of an array of numbers, found 'program.rise'"),
    ],
)
def test_mistakes_have_one_diagnostic(types: str, spec: str, message: str) -> None:
    said = commands.shine("show", types, "--einsum", spec)
    assert said.status == 1 and message in said.err and said.err.count("error[") == 1
