"""Stores parts of a program before they are used: which parts, how, and where. Knows no loop."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from importlib import import_module

from elevate import FloatClass, Mismatch, Predicate, Rule, Strategy, named
from rise.terms import App, Expr, Lam
from rise.types import is_data
from strategies.equations.contexts import abstracted, candidates
from strategies.equations.mismatches import shown_term
from strategies.rules.cpu import callToLet
from strategies.rules.lowering import toMemLocal
from strategies.vocabulary.traversals import argument


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
        if not is_data(term.type) or self.what.holds(term):
            return None
        found = next(candidates(term, self.what.holds), None)
        if found is None:
            return None
        return App(Lam("packed", found.type, abstracted(term, (found,))), found)

    def __reduce__(self) -> tuple[object, ...]:
        match self.what.__reduce__():
            case (_, (str() as module, str() as name)):
                return _loaded, (__name__, "nameSubterm", (f"{module}:{name}",))
        return NameSubterm, (self.what,)

    def mismatch(self, term: Expr) -> Mismatch:
        """There is no such part, or only such as mention what is bound around them."""
        wanted = (
            f"a part for which {self.what} holds, and which mentions nothing that is bound inside of the term"
        )
        return Mismatch((), wanted, shown_term(term))


def nameSubterm(what: Predicate) -> NameSubterm:
    """The rule `f[g] = (fun(packed => f[packed])) g` for the first part g of a term that a predicate holds for.

    A saved derivation may name it with a predicate of the library. Raises TypeError for what is no predicate.
    """
    if not isinstance(what, Predicate):
        raise TypeError(f"expected a predicate, found {what!r}")
    return NameSubterm(what)


def _loaded(module: str, name: str, parameters: tuple[str]) -> object:
    home, _, predicate = parameters[0].partition(":")
    return getattr(import_module(module), name)(getattr(import_module(home), predicate))


@named
def storeInMemory(what: Predicate, how: Strategy) -> Strategy:
    """Compute a part of a program before all else, keep it in memory, and read it from there.

    `what` holds for the part, `how` says how it is computed. Apply it where everything is bound that the part
    mentions: `storeInMemory(what, how) @ inLambda`.
    """
    return nameSubterm(what) >> argument(how >> toMemLocal) >> callToLet
