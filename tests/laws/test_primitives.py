"""Laws of records: every low-level primitive or view, and nothing else, has one translation of the same name; a view is
written through if its record says so.

Depends on the two tables, but not on primitives.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from rise.primitives import PRIMITIVES, with_trait
from rise.primitives.record import collect as collect_primitives
from shine.translate import TRANSLATIONS
from shine.translate import collect as collect_translations
from shine.translate.streams import STREAMED

TRANSLATED = ("low", "view")
LEVELS = ("high", *TRANSLATED)


def mismatches(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> list[str]:
    """The differences between the two tables."""
    needed = {name for name, record in primitives.items() if record.level in TRANSLATED}
    return [
        *(f"{n} is filed under {k}" for k, r in primitives.items() if (n := r.name) != k),
        *(f"{k} has no level of {LEVELS}" for k, r in primitives.items() if r.level not in LEVELS),
        *(f"{name} has no translation" for name in sorted(needed - translations.keys())),
        *(f"{name} has a translation but is high-level" for name in high(primitives, translations)),
        *(
            f"{name} has a translation but is not a primitive"
            for name in sorted(translations.keys() - primitives.keys())
        ),
    ]


def high(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> list[str]:
    return sorted(n for n, r in primitives.items() if r.level not in TRANSLATED and n in translations)


def misstated(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> list[str]:
    """Views whose records and translations disagree about what is written through them."""
    views = [
        record for record in primitives.values() if record.level == "view" and record.name in translations
    ]
    return [
        *(
            f"{one.name} is {'' if 'writable' in one.traits else 'not '}writable, and {translations[one.name].access}"
            for one in views
            if ("writable" in one.traits) != is_written_through(translations[one.name])
        ),
        *(
            f"{one.name} is writable, but only read"
            for one in views
            if "writable" in one.traits
            and translations[one.name].read is not None
            and translations[one.name].place is None
            and translations[one.name].write is None
        ),
    ]


def is_written_through(translation: Any) -> bool:
    """Whether what is written to a result is written to every operand, and what is read is read from it."""
    return set(translation.access.split(" -> ")) == {"a"}


def test_writable_views_are_written_through_places() -> None:
    assert misstated(PRIMITIVES, TRANSLATIONS) == []
    assert {name for name in with_trait("writable") if PRIMITIVES[name].level == "view"} == with_trait(
        "writable"
    )


def test_scattering_views_write_their_last_operand() -> None:
    lowered = [TRANSLATIONS[name] for name in with_trait("scatters") if name in TRANSLATIONS]
    assert lowered
    for one in lowered:
        *others, last, result = one.access.split(" -> ")
        assert (set(others), last, result) == ({"read"}, "write", "write"), one.name


def test_streaming_patterns_are_translated_in_order() -> None:
    """So are `map` and `zip`, whose elements may also be requested in any order."""
    assert set(STREAMED) - {"map", "zip"} == with_trait("streams")


@pytest.mark.parametrize(
    ("traits", "access", "place"),
    [((), "a -> a", print), (("writable",), "read -> read", print), (("writable",), "a -> a", None)],
)
def test_a_view_that_disagrees_with_its_translation_is_found(
    traits: tuple[str, ...], access: str, place: Any
) -> None:
    view = SimpleNamespace(name="turned", level="view", traits=traits)
    how = SimpleNamespace(access=access, read=print, write=None, place=place)
    assert misstated({"turned": view}, {"turned": how}) != []
    right = SimpleNamespace(name="turned", level="view", traits=("writable",))
    assert (
        misstated(
            {"turned": right},
            {"turned": SimpleNamespace(**{**vars(how), "access": "a -> a", "place": print})},
        )
        == []
    )


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
def test_a_mismatch_is_found(primitives: Mapping[str, Any], translations: Mapping[str, Any]) -> None:
    assert mismatches(primitives, translations) != []
