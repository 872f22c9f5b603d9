"""Sets of free names: they have the right elements, and large ones share their parts."""

from dataclasses import dataclass
from functools import reduce
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rise.free_names import MAX_COPIED_NAMES, NOTHING_FREE, FreeNames, ManyNames, joined, surely_apart, union
from rise.inference.effort import Effort
from rise.inference.substitution import Substitution
from rise.naturals import NatMeta, nat
from rise.types import ArrayType, FunType, ScalarType, TypeMeta
from tests.call_counts import calls_of
from tests.growing.answers import answer

SETS = st.lists(st.frozensets(st.integers(0, 200), max_size=3 * MAX_COPIED_NAMES), max_size=8)


@given(SETS, st.frozensets(st.integers(0, 200), max_size=5))
def test_joins_and_unions_have_the_elements_of_their_sets(
    sets: list[frozenset[int]], others: frozenset[int]
) -> None:
    expected = frozenset().union(*sets)
    one_by_one: FreeNames = NOTHING_FREE
    for some in sets:
        one_by_one = joined(one_by_one, some)
    for names in (one_by_one, union(list[FreeNames](sets)), joined(union(list[FreeNames](sets)), one_by_one)):
        assert names == expected
        assert hash(names) == hash(expected)
        assert sorted(names) == sorted(expected)
        assert len(names) == len(expected)
        assert bool(names) == bool(expected)
        assert [name for name in range(201) if name in names] == sorted(expected)
        assert names.isdisjoint(others) == expected.isdisjoint(others)
        assert others.isdisjoint(names) == expected.isdisjoint(others)
        assert (others <= names) == (others <= expected)
        assert (names <= others) == (expected <= others)
        assert names | others == expected | others == others | names
        assert names & others == expected & others
        assert names - others == expected - others


def test_sets_that_grow_by_a_name_share_their_parts() -> None:
    count = 2_000
    made: FreeNames = NOTHING_FREE
    parts: dict[int, frozenset[int]] = {}
    for name in range(count):
        made = joined(made, frozenset((name,)))
        assert isinstance(made, ManyNames) == (name >= MAX_COPIED_NAMES)
        for part in made.parts if isinstance(made, ManyNames) else ():
            parts[id(part)] = part
    assert len(made) == count
    assert sum(map(len, parts.values())) < 2 * count * count.bit_length()


def test_a_union_with_a_subset_is_the_larger_set() -> None:
    large: FreeNames = frozenset(range(MAX_COPIED_NAMES + 5))
    assert joined(large, frozenset((3, 4))) is large
    assert joined(frozenset((3, 4)), large) is large
    more = joined(large, frozenset((100,)))
    assert joined(more, frozenset((100,))) is more
    assert joined(more, large) is more
    assert union([large, frozenset((1,))]) is large


def test_a_large_set_is_computed_only_on_request() -> None:
    """A chain of joins costs as much as its links, and a set of it that is requested costs as much as its names."""
    names = [_Numbered(number) for number in range(1, 2_001)]

    def chain(count: int) -> FreeNames:
        made: FreeNames = NOTHING_FREE
        for name in names[:count]:
            made = joined(made, frozenset((name,)))
        return made

    def asked(count: int) -> list[object]:
        made = chain(count)
        assert isinstance(made, ManyNames)
        assert made.ranges == {_Numbered: (1, count)}
        assert _Numbered(count + 1) not in made
        return list(made)

    assert calls_of(lambda: asked(2_000)) <= 12 * calls_of(lambda: asked(200))
    apart = chain(2_000)
    assert not surely_apart(apart, frozenset((_Numbered(3_000),)))  # it is not computed
    assert names[0] in apart
    assert surely_apart(apart, frozenset((_Numbered(3_000),)))


def test_unknown_sizes_are_not_searched_for_known_types() -> None:
    """In nested maps, all types become known and no sizes, and their numbers alternate."""
    solver = Substitution(Effort())
    names: FreeNames = NOTHING_FREE
    for number in range(1, 200, 2):
        solver.assign(TypeMeta(number), ScalarType("f32"))
        names = joined(names, frozenset((NatMeta(number + 1),)))
    types: Any = reduce(FunType, [ArrayType(nat(one), ScalarType("f32")) for one in names])
    assert isinstance(types.free, ManyNames)
    assert calls_of(lambda: solver.resolve(types)) < 20
    assert solver.resolve(types) is types


def test_the_cost_of_nested_maps() -> None:
    """The calls for inferring, checking and printing each of them are counted. There were once 1,670."""

    def calls(count: int) -> int:
        text = f"fun(x => x |> {'map(' * count}neg{')' * count})"
        return calls_of(lambda: answer(text))

    calls(10)  # values that are created only once
    assert calls(600) - calls(300) < 1_550 * 300


@dataclass(frozen=True)
class _Numbered:
    """A name with a number, like the unknowns of inference."""

    ident: int
