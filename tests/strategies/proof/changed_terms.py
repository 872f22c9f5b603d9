"""Results of derivations with one part changed to another of the same type, most of which compute something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Final

from elevate import FloatClass
from elevate.term import path_of, preorder, replaced, surroundings
from rise.checker import check
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, make_literal
from rise.types import ScalarType
from strategies.proof.operators import operators_of
from tests.strategies import corpus

#: the strategy whose results are changed, by its number in the corpus
PARALLEL: Final = 1
EFFORT: Final = 8_000  # steps of the checker for one of them

#: operations of the same type, one for the other
EXCHANGED: Final[Mapping[str, tuple[str, ...]]] = {
    "add": ("sub", "mul"),
    "sub": ("add",),
    "mul": ("add", "div"),
    "div": ("mul",),
    "min": ("max",),
    "max": ("min", "add"),
    "lt": ("le", "gt"),
    "le": ("lt",),
    "gt": ("ge",),
    "ge": ("gt",),
    "exp": ("neg", "abs"),
    "fst": ("snd",),
    "snd": ("fst",),
}


@dataclass(frozen=True, slots=True)
class Changed:
    """A result with a change of a kind, and the program from which a derivation of a float class leads to the result
    without it.
    """

    case: str
    kind: str
    given: Expr
    result: Expr
    float_class: FloatClass

    def at_small_sizes(self) -> tuple[Expr, Expr]:
        """Both programs at the small sizes of the case."""
        sizes = corpus.sizes(self.case)
        return corpus.at(self.given, **sizes), corpus.at(self.result, **sizes)


def changes(case: str, most: int) -> Iterator[Changed]:
    """At most this many changes of the result of a case, drawn at random, the same ones each time."""
    derived = corpus.derived(case, PARALLEL)
    classes = [step.rule.float_class for step in derived.steps]
    found = list(changed_terms(derived.program))
    Random(case).shuffle(found)
    for kind, result in islice(found, most):
        yield Changed(case, kind, corpus.program(case), result, max(classes, default=FloatClass.EXACT))


def is_checked(one: Changed) -> bool:
    """Whether the checker says that a changed result computes the same."""
    operators = operators_of(one.given, one.result) if one.float_class >= FloatClass.REASSOCIATING else ()
    contracts = one.float_class >= FloatClass.CONTRACTING
    return check(one.given, one.result, operators, contracts, EFFORT).is_checked


def changed_terms(program: Expr) -> Iterator[tuple[str, Expr]]:
    """The kind of each change, and the program with it."""
    for node, place in preorder(program):
        assert isinstance(node, Expr)
        path = path_of(place)
        binders = [one for one in surroundings(program, path) if isinstance(one, Lam)]
        for kind, other in _others(node, binders):
            changed = replaced(program, path, other)
            if other != node and isinstance(changed, Expr):
                yield kind, changed


def _others(node: Expr, binders: list[Lam]) -> Iterator[tuple[str, Expr]]:
    match node:
        case Literal(_, ScalarType(name) as t) if name != "bool":
            yield "number", make_literal(1 if node.value == 0 else 0, t)
        case Primitive(name, implicits, t):
            for other in EXCHANGED.get(name, ()):
                if name not in ("fst", "snd") or len(set(implicits)) == 1:
                    yield "operation", Primitive(other, implicits, t)
        case Bound(index, t):
            for place, binder in enumerate(reversed(binders)):
                if place != index and binder.parameter == t and not t.dep_loose:
                    yield "variable", Bound(place, t)
        case App(App(f, x), y) if x.type == y.type:
            yield "operands swapped", App(App(f, y), x)
        case App(_, x) if x.type == node.type:
            yield "function dropped", x
