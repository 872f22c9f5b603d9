"""Origins of the contents of temporaries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rise.naturals import const
from shine.imperative.nodes import Buffer
from shine.imperative.temporaries import Temporary, first_found, origins_of
from tests.shine.procedures import F32

COUNT = 6
T = [Buffer(f"t{number}", F32, const(1), "Local", (1,)) for number in range(COUNT)]
X = Buffer("x", F32, const(1), "Global", ())
STEPS = st.lists(st.sampled_from([None, *T]), min_size=COUNT, max_size=COUNT)
FINDS = st.lists(st.sampled_from([None, None, "a", "b"]), min_size=COUNT, max_size=COUNT)


@given(STEPS, FINDS)
def test_the_first_value_found_agrees_with_following_step_by_step(
    steps: list[Buffer | None], finds: list[str | None]
) -> None:
    following, found_at = dict(zip(T, steps, strict=True)), dict(zip(T, finds, strict=True))
    expected = {}
    for start in T:
        at: Buffer | None = start
        for _ in T:
            if at is not None and found_at[at] is None:
                at = following[at]
        if at is not None and (found := found_at[at]) is not None:
            expected[start] = found
    assert first_found(T, following.__getitem__, found_at.__getitem__) == expected


def test_origins_are_arrays_of_the_caller() -> None:
    """A source is `None` if the value is computed."""
    copied, again, computed, mixed, turning, turned = T
    sources = {
        copied: {X},
        again: {copied},
        computed: {None},
        mixed: {X, copied},
        turning: {turned},
        turned: {turning},
    }
    kept = {buffer: Temporary((), [], set(found)) for buffer, found in sources.items()}
    origins = origins_of(kept, {X})
    assert {buffer: origins.get(buffer) for buffer in T} == dict.fromkeys(T) | {
        copied: X,
        again: X,
    }
