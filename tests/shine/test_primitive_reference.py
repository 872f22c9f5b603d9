"""The reference of primitives, docs/primitives.md, is complete and agrees with the records.

Independent of primitives.
"""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
from elevate import FloatClass
from rise.inference.schemes import scheme_of
from rise.nodes import postorder
from rise.primitives import PRIMITIVES, THEMES
from rise.primitives.record import PrimitiveRecord
from rise.scalars import SCALARS
from rise.terms import Primitive
from shine.cli.primitives import facts_of, literal_text, value_of
from strategies import rule
from strategies.testing import check, sweeps
from tests.examples import THOROUGH, examples, some
from tests.shine.primitive_page import PAGE, page
from tests.strategies.rules.proved_rules import OTHER_SIZES

each = pytest.mark.parametrize("record", PRIMITIVES.values(), ids=lambda record: record.name)
with_law = pytest.mark.parametrize(
    "record", some((one for one in PRIMITIVES.values() if one.law), 2), ids=lambda record: record.name
)


def test_the_page_agrees_with_the_records() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.shine.primitive_page regenerates it"


def test_every_primitive_has_one_theme() -> None:
    assert [one.name for records in THEMES.values() for one in records] == list(PRIMITIVES)


@each
def test_a_primitive_has_all_parts(record: PrimitiveRecord) -> None:
    facts = facts_of(record)
    assert scheme_of(record.scheme).body is not None
    assert facts["doc"].endswith(".")
    assert record.law or record.words.endswith("."), "a law: an equation, or words"
    assert facts["targets"], "a target that has it"
    assert set(facts["targets"]) <= shine.TARGETS.keys()
    assert (record.float_class == "approximate") == bool(record.units)
    named = {n.name for n in postorder(rise.parse_expr(record.example)) if isinstance(n, Primitive)}
    assert any(one == record.name or one.rstrip("0123456789") == record.name for one in named), "its example"
    assert facts["example"]["value"]


@with_law
def test_a_law_holds(record: PrimitiveRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an equation whose sides compute the same, except for rounding, at as many small sizes as rules."""
    if not THOROUGH:
        monkeypatch.setattr(sweeps, "MOST_SIZES", OTHER_SIZES[0])
        monkeypatch.setattr(sweeps, "FEW_SIZES", OTHER_SIZES[1])
    law = rule(record.law, why=record.doc, float_class=FloatClass.APPROXIMATE, names=("sz",))
    assert check(law, examples=examples(6))


def test_a_value_is_written_as_a_literal() -> None:
    assert value_of("[[1.5, 2.0], [0.1, 1e10]]") == "[[1.5, 2.0], [0.1, 1e+10]]"
    assert value_of("pair(true, [3i8])") == "(true, [3])"
    assert literal_text(np.array([np.nan, np.inf, -0.0], SCALARS["bf16"].dtype)) == "[nan, inf, -0.0]"
