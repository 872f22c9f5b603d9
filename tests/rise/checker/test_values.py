"""The symbolic value of each primitive, at all small sizes: the same as in `rise.evaluate`."""

from typing import Any, Final

import numpy as np
import pytest

from rise.checker.evaluation import value_of
from rise.checker.meanings import MEANINGS
from rise.checker.state import State
from rise.dependent_binders import instantiate_all
from rise.naturals import NatVar, nat
from rise.primitives import PRIMITIVES, has_trait
from rise.primitives.traits import Trait
from rise.programs.evaluation import evaluate
from rise.terms import DepLam, Expr
from rise.types import FunType, Type
from tests.examples import some
from tests.rise.checker.denotation import Concrete
from tests.rise.primitives.cases import EXPANDED, SIZES, Case, Sizes
from tests.rise.primitives.scalar_cases import SCALAR_CASES
from tests.rise.primitives.test_meaning import has_values, random, same, sample, typed

each_case: Final = pytest.mark.parametrize(
    "case",
    [case for case in EXPANDED if case.name in MEANINGS or has_trait(case.name, "lanewise")]
    + some(SCALAR_CASES, 8),
    ids=lambda c: f"{c.name}: {', '.join(c.types)}",
)


def test_every_primitive_has_an_index_form_or_is_opaque() -> None:
    """Opaque are functions of numbers, which a value contains by name, and primitives that have no index form yet; `eq`
    is only for numbers other than indices.
    """
    opaque = {n for n in PRIMITIVES if n not in MEANINGS and not has_trait(n, "lanewise")}
    assert opaque == OPAQUE


TRAITS: Final[tuple[Trait, ...]] = ("compresses", "indexes", "predicate", "sorts")
OPAQUE: Final = {
    *(name for name in PRIMITIVES if name != "eq" and any(has_trait(name, one) for one in TRAITS)),
    "and",
    "depSlide",
    "depZip",
    "indexAsInt",
    "iterateWhile",
    "not",
    "or",
    "partition",
    "partitionPoint",
    "scatter",
}


def symbolic(e: Expr) -> tuple[Expr, Type]:
    """The body of a closed program with free sizes, and its type."""
    sizes: list[Any] = []
    while isinstance(e, DepLam):
        sizes.append(nat(NatVar(e.name, None)))
        e = e.body
    opened = instantiate_all(e, sizes)
    return opened, opened.type


@each_case
@pytest.mark.parametrize("sizes", some(SIZES, 4), ids=str)
def test_the_value_agrees_with_evaluation(case: Case, sizes: Sizes) -> None:
    program, rng = case.program(), random(case)
    types = typed(program, sizes)
    if not all(map(has_values, types)):
        return
    inputs = [sample(rng, t) for t in types]
    expected = evaluate(program, *inputs, sizes={name: sizes[name] for name in case.sizes})
    body, t = symbolic(program)
    state = State(effort=200_000)
    concrete = Concrete(state, sizes, {})
    value = value_of(state, body)
    for number, data in enumerate(inputs):
        assert isinstance(t, FunType)
        concrete.inputs[f"input {number}"] = data
        value, t = state.call(value, state.symbol(f"input {number}", t.parameter)), t.result
    with np.errstate(all="ignore"):
        same(concrete.data(value, t), expected)
