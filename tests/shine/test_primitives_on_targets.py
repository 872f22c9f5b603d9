"""Every primitive on every target that its record names: the default strategy's kernel agrees with the program's
meaning.

The primitives of a theme are combined in one kernel. Independent of primitives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from rise.nodes import postorder
from rise.primitives import PRIMITIVES, THEMES
from rise.primitives.record import PrimitiveRecord
from rise.terms import Primitive
from rise.values import leaves
from shine.cli.primitives import targets_of
from tests.examples import some
from tests.rise.primitives.test_meaning import sample, typed
from tests.shine.executors import in_turn
from tests.shine.primitive_kernels import kernel_cases, sizes_of, together

TARGETS: Final = ("interpret", "openmp", "cuda-sim")
OPTIONS: Final[dict[str, dict[str, Any]]] = {"cuda-sim": {"check": True}}
#: strategies replace these by calls
BECOMES_A_CALL: Final = {"let", "mapFst", "mapSnd"}


def of_target(theme: str, target: str) -> Sequence[PrimitiveRecord]:
    return [record for record in THEMES[theme] if target in targets_of(record)]


def names_in(e: rise.Expr) -> set[str]:
    """The primitives of a term; array literals as their specimen."""
    found = {node.name for node in postorder(e) if isinstance(node, Primitive)}
    return {"makeArray" if name.startswith("makeArray") else name for name in found}


def test_every_primitive_has_a_case_and_a_target() -> None:
    assert kernel_cases().keys() == PRIMITIVES.keys()
    assert [name for name, record in PRIMITIVES.items() if len(targets_of(record)) < 2] == []


def test_cuda_supports_the_same_primitives_as_its_simulator() -> None:
    """What runs in the simulator is also printed for devices: it is one text."""
    assert shine.TARGETS["cuda"].levels == shine.TARGETS["cuda-sim"].levels
    for record in PRIMITIVES.values():
        assert ("cuda" in targets_of(record)) == ("cuda-sim" in targets_of(record))


def themes_on_targets() -> list[tuple[str, str]]:
    """Themes with targets: compiled ones in turn, except if only one of them has a primitive of the theme, and the
    interpreter for every sixth.
    """
    found = [*in_turn(THEMES, TARGETS[1:]), *((theme, "interpret") for theme in some(THEMES, 6))]
    alone = [(theme, target) for theme in THEMES for target in TARGETS[1:] if not is_on_both(theme)]
    return sorted({*found, *alone}, key=lambda one: (list(THEMES).index(one[0]), TARGETS.index(one[1])))


def is_on_both(theme: str) -> bool:
    return of_target(theme, "openmp") == of_target(theme, "cuda-sim")


@pytest.mark.parametrize(("theme", "target"), themes_on_targets())
def test_a_kernel_of_each_theme_agrees_with_the_meaning(theme: str, target: str) -> None:
    records = of_target(theme, target)
    cases = [kernel_cases()[record.name] for record in records]
    program = together(cases)
    lowered = strategies.load(shine.TARGETS[target].strategy)(program)
    assert isinstance(lowered, elevate.Success), lowered.explain()
    low = names_in(lowered.program)
    gone = [one.name for one in records if low.isdisjoint(one.lowers_to or (one.name,))]
    assert set(gone) <= BECOMES_A_CALL
    random = np.random.default_rng(7)
    given = [sample(random, t) for t in typed(program, sizes_of(cases))]
    sizes = sizes_of(cases)
    kernel = shine.compile(lowered.program, target=target, **OPTIONS.get(target, {}))
    same(kernel(*given, sizes=sizes), rise.evaluate(program, *given, sizes=sizes))


@pytest.mark.parametrize("target", TARGETS)
def test_primitives_that_become_calls_are_translated_unchanged(target: str) -> None:
    cases = [kernel_cases()[name] for name in sorted(BECOMES_A_CALL)]
    program = together(cases)
    assert names_in(program) >= BECOMES_A_CALL
    given = [sample(np.random.default_rng(7), t) for t in typed(program, sizes_of(cases))]
    kernel = shine.compile(program, target=target, **OPTIONS.get(target, {}))
    same(kernel(*given), rise.evaluate(program, *given))


def same(found: Any, expected: Any) -> None:
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        if one.dtype.kind == "c":
            same((one.real, one.imag), (other.real, other.imag))
            continue
        units = float(np.finfo(one.dtype).eps) if one.dtype in (np.float32, np.float64) else 0.0
        tolerance = 32 * units or (0.01 if one.dtype.kind in "fV" else 0)
        np.testing.assert_allclose(
            one.astype(np.float64), other.astype(np.float64), tolerance, equal_nan=True
        )
