"""Stores values of a program before they are used. Depends on terms and memory, but not on loops."""

from __future__ import annotations

from collections.abc import Hashable
from importlib import import_module

from elevate import FloatClass, Mismatch, Predicate, Rule, Strategy, named
from rise.records import dataclass
from rise.terms import App, Expr, Lam
from rise.types import is_data
from strategies.equations.contexts import abstracted, candidates
from strategies.equations.mismatches import shown_term
from strategies.lowering.predicates import stored
from strategies.rules.cpu import callToLet
from strategies.rules.lowering import toMemLocal
from strategies.vocabulary.element_names import name_by_elements
from strategies.vocabulary.traversals import argument


@dataclass(frozen=True, slots=True)
class NameSubterm(Rule):
    """The rule `f[g] = (fun(packed => f[packed])) g` for the first subterm g of a term for which a predicate holds.

    All occurrences of g are replaced. It must mention no variable that is bound between the term and g.
    """

    predicate: Predicate

    @property
    def name(self) -> str:
        """The name of the rule, with its predicate."""
        return f"nameSubterm({self.predicate})"

    @property
    def roots(self) -> frozenset[Hashable] | None:
        """None, since any term may have such a subterm."""
        return None

    @property
    def depth(self) -> int | None:
        """None, since the subterm may be at any depth."""
        return None

    @property
    def float_class(self) -> FloatClass:
        """Exact: no result changes."""
        return FloatClass.EXACT

    def apply(self, term: Expr) -> Expr | None:
        """The call, or None if the predicate holds for no subterm."""
        if not is_data(term.type) or self.predicate.holds(term):
            return None
        part = next(candidates(term, self.predicate.holds), None)
        if part is None:
            return None
        body = abstracted(term, (part,))
        return App(Lam(name_by_elements(body, "packed"), part.type, body), part)

    def __reduce__(self) -> tuple[object, ...]:
        match self.predicate.__reduce__():
            case (_, (str() as module, str() as name)):
                return _loaded, (__name__, "nameSubterm", (f"{module}:{name}",))
        return NameSubterm, (self.predicate,)

    def mismatch(self, term: Expr) -> Mismatch:
        """The reason: there is no such subterm, or each one mentions a variable that is bound inside the term."""
        expected = (
            f"a part for which {self.predicate} holds, and which mentions no variable bound inside the term"
        )
        return Mismatch((), expected, shown_term(term))


def nameSubterm(predicate: Predicate) -> NameSubterm:
    """The rule `f[g] = (fun(packed => f[packed])) g` for the first subterm g of a term for which a predicate holds.

    Saved derivations may name it if the predicate is in the library. Raises TypeError if the argument is not a
    predicate.
    """
    if not isinstance(predicate, Predicate):
        raise TypeError(f"expected a predicate, found {predicate!r}")
    return NameSubterm(predicate)


def _loaded(module: str, name: str, parameters: tuple[str]) -> object:
    predicate_module, _, predicate_name = parameters[0].partition(":")
    return getattr(import_module(module), name)(getattr(import_module(predicate_module), predicate_name))


#: name the first subterm that is stored
nameStored: Strategy = nameSubterm(stored)


@named
def storeInMemory(what: Predicate, how: Strategy) -> Strategy:
    """Compute a part of a program before everything else, store it, and read it from memory.

    `what` selects the part, and `how` is applied to it. Apply this strategy where all variables that the part mentions
    are bound: `storeInMemory(what, how) @ inLambda`.
    """
    return nameSubterm(what) >> argument(how >> toMemLocal) >> callToLet
