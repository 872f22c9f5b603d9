"""Small texts that could hang the program or exhaust memory: each is processed, and the work grows no faster than the
text.

The work is counted in calls, not timed: `benchmarks/texts.py` measures seconds.
"""

from __future__ import annotations

from typing import Final

import pytest

from rise.inference.schemes import substitute_names
from rise.naturals import UNIT, nat, var
from rise.text.type_printer import show_type
from rise.types import F32, ArrayType, Type
from tests.call_counts import calls_of, forget
from tests.examples import THOROUGH, in_whole, some
from tests.growing.answers import answer
from tests.growing.families import FAMILIES
from tests.growing.family import Family, long

SMALL: Final = 600  # characters
TIMES: Final = 3  # as long a text
LINEAR: Final = 1.35 * TIMES  # as much work: the logarithm, and what is done in blocks
LARGEST: Final = 100_000 if THOROUGH else 20_000
MOST_CALLS: Final = 30_000_000  # for one text, however it grows
#: what is refused because it grows beyond all bounds
TOO_MUCH: Final = (
    "size-too-large",
    "too-deep",
    "too-much-work",
    "type-too-large",
    "too-long-to-print",
    "too-many-conditions",
)
#: some of each kind; all of them if everything is tried
USUAL: Final = (
    "types: arrays names",
    "sizes: sum names",
    "sizes: product sums",
    "terms: nested fun",
    "terms: nested fun size used",
    "terms: array floats",
    "terms: lets untyped",
    "terms: pairs doubling",
    "programs: chain",
    "programs: chain num",
    "programs: chain arrays untyped",
    "programs: facts order",
    "programs: synonyms doubling",
    "mistakes: unknown in long scope",
)


@pytest.mark.parametrize("name", some(FAMILIES if THOROUGH else USUAL, 2))
def test_work_grows_with_the_text_or_the_text_is_rejected(name: str) -> None:
    family = FAMILIES[name]
    answer(
        long(family, SMALL // 2)
    )  # files that are read once for all texts, but not types of arrays of both lengths
    less, more = work(family, SMALL), work(family, TIMES * SMALL)
    if more > LINEAR * less:
        assert answer(long(family, LARGEST)) in TOO_MUCH
    assert more < MOST_CALLS


def test_a_long_product_is_substituted_at_once() -> None:
    """If factors were substituted one by one, each intermediate product would be as long as the factors before."""

    def put_in(count: int) -> int:
        product = nat(UNIT)
        for number in range(count):
            product = product * var(f"factor{number}_of{count}")  # that no other test keeps
        variables = {one: var(f"other{number}_of{count}") for number, one in enumerate(product.parts)}
        return calls_of(lambda: substitute_names(product, variables))

    assert put_in(300) <= LINEAR * put_in(100)


def test_the_sizes_of_a_long_type_are_printed_once() -> None:
    def printed(count: int) -> int:
        t: Type = F32
        for number in range(count):
            t = ArrayType(var(f"n{number % 2}") + 1, t)
        return calls_of(lambda: show_type(t))

    assert printed(200) - printed(100) <= 4 * 100  # per level: its size was printed before


@in_whole(
    "tests/rise/inference/test_effort.py::test_a_type_with_more_parameters_in_each_definition_is_refused"
)
@pytest.mark.parametrize(
    ("name", "characters", "most"),
    some([("programs: arrays doubling", 1_000, 12_000_000), ("terms: splits names", 12_000, 12_000_000)], 2),
)
def test_texts_that_are_rejected_are_rejected_early(name: str, characters: int, most: int) -> None:
    text = long(FAMILIES[name], characters)
    found: list[str] = []
    assert calls_of(lambda: found.append(answer(text))) < most
    assert found == ["too-much-work"]


def work(family: Family, characters: int) -> int:
    """The calls for a text of a family."""
    text = long(family, characters)
    forget("rise")
    return calls_of(lambda: answer(text))


def test_work_that_grows_faster_than_the_text_is_found() -> None:
    def quadratic(count: int) -> int:
        return calls_of(lambda: [len(str(j)) for i in range(count) for j in range(i)])

    assert quadratic(TIMES * 100) > LINEAR * quadratic(100)
