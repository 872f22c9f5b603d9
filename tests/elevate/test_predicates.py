"""A predicate that is defined by a function of mismatches: whether it holds, the explanation and the hint come from
it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from elevate import ExplainedPredicate, Failure, Success, explain
from elevate.toy import tree


@dataclass(frozen=True, slots=True)
class IsLeaf(ExplainedPredicate):
    """Holds for trees without children."""

    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        count = len(term.children)
        return (f"expected no children, found {count}", "choose a leaf") if count else None


def test_it_holds_without_a_mismatch() -> None:
    found = IsLeaf()(tree("a"))
    assert isinstance(found, Success)
    assert found.program == tree("a")
    assert (IsLeaf().objection(tree("a")), IsLeaf().remedy(tree("a"))) == ("", "")


def test_the_mismatch_explains_the_failure() -> None:
    found = IsLeaf()(tree("f", "a", "b"))
    assert isinstance(found, Failure)
    why = explain(found)
    assert (why.reason, why.hint) == ("expected no children, found 2", "choose a leaf")
