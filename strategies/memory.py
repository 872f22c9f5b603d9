"""Parts of a program that are stored before they are used: which, how, and where. Knows no loop."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from elevate import FloatClass, Mismatch, Predicate, Rule, Strategy, named
from rise.terms import Expr
from strategies.rules.cpu import callToLet
from strategies.rules.lowering import toMemLocal
from strategies.rules.selection import isolated_by
from strategies.telling import shown
from strategies.traversals import argument


@dataclass(frozen=True, slots=True)
class NameSubterm(Rule):
    """`f[g] = (fun(packed => f[packed])) g` for the first part g of a term that a predicate holds for.

    All places where g stands are replaced. It must mention nothing that is bound between the term and its place.
    """

    what: Predicate

    @property
    def name(self) -> str:
        """With the predicate."""
        return f"nameSubterm({self.what})"

    @property
    def roots(self) -> frozenset[Hashable] | None:
        """Any term may hold it."""
        return None

    @property
    def depth(self) -> int | None:
        """It may stand anywhere."""
        return None

    @property
    def float_class(self) -> FloatClass:
        """What is computed stays the same."""
        return FloatClass.EXACT

    def apply(self, term: Expr) -> Expr | None:
        """The call, or None where no part is one that the predicate holds for."""
        return isolated_by(self.what.holds, "packed")(term)

    def mismatch(self, term: Expr) -> Mismatch:
        """There is no such part, or only such as mention what is bound around them."""
        wanted = (
            f"a part for which {self.what} holds, and which mentions nothing that is bound inside of the term"
        )
        return Mismatch((), wanted, shown(term))


@named
def storeInMemory(what: Predicate, how: Strategy) -> Strategy:
    """Compute a part of a program before all else, keep it in memory, and read it from there.

    `what` holds for the part, `how` says how it is computed. Apply it where everything is bound that the part
    mentions: `storeInMemory(what, how) @ inLambda`.
    """
    return NameSubterm(what) >> argument(how >> toMemLocal) >> callToLet
