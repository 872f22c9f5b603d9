"""Propagating moves between loops in temporaries agrees with repeated passes, in which the first move decides."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shine.imperative.axes import _Moves, _spread

HELD = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)
KNOWN = st.dictionaries(st.integers(0, 9), st.sampled_from("abc"), max_size=4)


def by_passes(held: Any, found: Any) -> None:
    known = -1
    while known != len(found.of) + len(found.inside):
        known = len(found.of) + len(found.inside)
        for variable, place in held:
            if variable in found.of:
                found.inside.setdefault(place, found.of[variable])
            elif place in found.inside:
                found.of[variable] = found.inside[place]


@given(HELD, KNOWN, KNOWN)
def test_propagation_agrees_with_repeated_passes(held: Any, of: Any, inside: Any) -> None:
    found, expected = _Moves(dict(of), dict(inside)), _Moves(dict(of), dict(inside))
    _spread(held, found)
    by_passes(held, expected)
    assert found == expected
