"""Results of derivations with one change: none is checked that computes something else.

`benchmarks/changed_results.py` counts them for all cases.
"""

import zlib

import pytest

from strategies.proof.operators import operators_of
from strategies.testing.rows import difference
from tests.examples import SAMPLED, THOROUGH
from tests.strategies import corpus
from tests.strategies.proof.changed_terms import Changed, changes, is_checked

#: every 20th case, or fifth in `whole`, selected by name, so that a new case does not change the selection
APART = 1 if THOROUGH else 20 if SAMPLED else 5
#: how many changes of a result are tried
MOST = 12 if THOROUGH else 6
TRIED = [name for name in corpus.NAMES if zlib.crc32(name.encode()) % APART == 3 % APART]


@pytest.mark.parametrize("name", TRIED)
def test_no_other_result_is_checked(name: str) -> None:
    for one in changes(name, MOST):
        if is_checked(one):
            assert difference(*one.at_small_sizes(), one.float_class)[1] is None, one.kind


def test_most_changes_compute_something_else() -> None:
    found = list(changes("gemv", MOST))
    assert len(found) == MOST
    assert sum(difference(*one.at_small_sizes(), one.float_class)[1] is not None for one in found) > MOST // 2


def test_laws_are_those_of_both_programs() -> None:
    one: Changed = next(iter(changes("gemv", 1)))
    assert {law.name for law in operators_of(one.given, one.result)} >= {"add", "mul"}
