"""The primitives in a term are known without visiting it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import rise
from rise.nodes import postorder
from rise.primitive_bits import bit_of, names_of
from rise.terms import Expr, Primitive, has_primitive, primitives_in
from strategies.costs.decisions import computes_product, is_computed, is_view
from strategies.costs.products import has_sum_of_products
from strategies.lowering.predicates import isComputed, isShortened
from strategies.parts.windows import hasSlide
from strategies.rules.invariants import isComputedAsAWhole
from tests.call_counts import calls_of, forget
from tests.examples import some

CASES: Final = sorted((Path(__file__).parents[2] / "cases").glob("*.rise"))[::7]
PREDICATES: Final = (
    computes_product,
    has_sum_of_products,
    hasSlide,
    is_computed,
    is_view,
    isComputed,
    isShortened,
    isComputedAsAWhole,
)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_they_are_those_of_its_nodes(path: Path) -> None:
    for node in postorder(rise.parse_file(path).main):
        if isinstance(node, Expr):
            names = {below.name for below in postorder(node) if isinstance(below, Primitive)}
            assert primitives_in(node) == names
            assert has_primitive(node, "reduce", "slide") is not names.isdisjoint({"reduce", "slide"})


def test_any_name_has_its_own_bit() -> None:
    names = [f"makeArray{count}" for count in range(100)]
    bits = {bit_of(name) for name in names}
    assert len(bits) == 100 and names_of(sum(bits)) == set(names)


@pytest.mark.parametrize("holds", some(PREDICATES, 2), ids=lambda holds: holds.__name__)
def test_predicates_on_parts_of_programs_do_not_visit_them(holds: Callable[[Expr], bool]) -> None:
    def effort(count: int) -> int:
        term = rise.parse(f"fun(x: 64.f32 => x{' |> map(fun(v => v * 2.0))' * count})").main.children[0]
        other = rise.parse(f"fun(x: 64.f32 => x{' |> map(neg)' * count})").main.children[0]
        holds(other)  # loads what it uses
        forget("strategies")
        return calls_of(lambda: holds(term))

    assert effort(200) <= effort(20) + 10
