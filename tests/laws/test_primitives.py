"""Laws of records: every low-level primitive or view has one translation of its name, and nothing else has.

Knows the two tables, and no primitive.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from rise.primitives import PRIMITIVES
from rise.primitives.record import collect as collect_primitives
from shine.translate import TRANSLATIONS
from shine.translate import collect as collect_translations

TRANSLATED = ("low", "view")
LEVELS = ("high", *TRANSLATED)


def mismatches(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> list[str]:
    """What keeps the two tables from matching."""
    needed = {name for name, record in primitives.items() if record.level in TRANSLATED}
    return [
        *(f"{n} is filed under {k}" for k, r in primitives.items() if (n := r.name) != k),
        *(f"{k} has no level of {LEVELS}" for k, r in primitives.items() if r.level not in LEVELS),
        *(f"{name} has no translation" for name in sorted(needed - translations.keys())),
        *(f"{name} has a translation and is high-level" for name in high(primitives, translations)),
        *(
            f"{name} has a translation and is no primitive"
            for name in sorted(translations.keys() - primitives.keys())
        ),
    ]


def high(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> list[str]:
    return sorted(n for n, r in primitives.items() if r.level not in TRANSLATED and n in translations)


def test_every_low_level_primitive_and_view_is_translated_and_nothing_else_is() -> None:
    assert PRIMITIVES
    assert mismatches(PRIMITIVES, TRANSLATIONS) == []


def test_two_records_of_one_name_are_refused() -> None:
    one = next(iter(PRIMITIVES.values()))
    with pytest.raises(AssertionError, match=one.name):
        collect_primitives((one,), (one,))
    other = next(iter(TRANSLATIONS.values()))
    with pytest.raises(AssertionError, match=other.name):
        collect_translations((other,), (other,))


def records(**levels: str) -> dict[str, SimpleNamespace]:
    return {name: SimpleNamespace(name=name, level=level) for name, level in levels.items()}


def test_matching_tables_pass() -> None:
    assert mismatches(records(map="high", mapSeq="low", split="view"), {"mapSeq": 1, "split": 2}) == []


@pytest.mark.parametrize(
    ("primitives", "translations"),
    [
        (records(mapSeq="low"), {}),
        (records(split="view"), {}),
        (records(map="high"), {"map": 1}),
        ({}, {"mapSeq": 1}),
        (records(mapSeq="lowish"), {}),
        ({"mapPar": SimpleNamespace(name="mapSeq", level="low")}, {"mapPar": 1}),
    ],
)
def test_a_mismatch_is_caught(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> None:
    assert mismatches(primitives, translations) != []
