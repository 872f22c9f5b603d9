"""Conditions of strategies for matrix products: sums of products, whose factors have vectors. Independent of levels."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from elevate import ExplainedPredicate, Path
from elevate.term import path_of, preorder
from rise.records import dataclass
from rise.terms import Expr, Lam, Primitive, spine
from rise.text.type_printer import show_type
from rise.types import Type, classes_of
from strategies.parts.products import factors, nests
from strategies.rules.matrix_products import isProductNest
from strategies.vocabulary.traversals import FOLDED

_WITHOUT_EDGES: Final = "set the parameter edges=0, for sizes that the tiles divide"


def combined_by(nest: Expr) -> str | None:
    """The name of the function by which a matrix product combines its products, such as `add`; None if it is not a
    primitive.
    """
    waiting = [nest]
    while waiting:
        node = waiting.pop()
        if node.root in FOLDED:
            function = next(argument for argument in spine(node)[1] if isinstance(argument, Expr))
            while isinstance(function, Lam):
                function = function.body
            head = spine(function)[0]
            return head.name if isinstance(head, Primitive) else None
        waiting += reversed(node.children)
    return None


class AboutProducts(ExplainedPredicate):
    """A predicate that objects to the first matrix product of a program."""

    __slots__ = ()
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def focus(self, term: Any) -> Path:
        """The path of the product."""
        places = (place for node, place in preorder(term) if isinstance(node, Expr) and isProductNest(node))
        return next(map(path_of, places), ())


@dataclass(frozen=True, slots=True)
class SumsProducts(AboutProducts):
    """Holds for a program with a matrix product that is a sum: tiles that overrun are padded by products of 0, and
    tensor cores only sum products.
    """

    tensor_cores: int = 0

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """What does not fit, and what would; None if everything fits."""
        names = [combined_by(nest) for nest in nests(term)]
        if not names or "add" in names:
            return None
        found = "another function" if names[0] is None else f"`{names[0]}`"
        advice = "choose a strategy without tensor cores" if self.tensor_cores else _WITHOUT_EDGES
        return f"expected products that are combined by `add`, found {found}", advice


@dataclass(frozen=True, slots=True)
class HasVectors(AboutProducts):
    """Holds for a program whose factors are numbers that are copied `vector` at a time."""

    vector: int

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """What does not fit, and what would; None if everything fits."""
        types: list[Type] = [t for nest in nests(term) for t in factors(nest) or ()]
        unfit = next((t for t in types if "num" not in (classes_of(t) or ("num",))), None)
        if self.vector == 1 or unfit is None:
            return None
        shown = show_type(unfit)
        return (
            f"expected factors that vectors of {self.vector} hold, found {shown}",
            "set the parameter vector=1",
        )
