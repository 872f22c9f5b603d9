"""The data of a decision about a value: how often it is read, its work, and the cost of each option.

Independent of rules. Costs are those of a term at the time of the decision.
"""

from __future__ import annotations

from elevate.term import Path, replaced, subterm
from rise.analysis.reads import numbers_in, reads_in
from rise.diagnostics import RiseError
from rise.naturals import ZERO, Nat, exact_quotient
from rise.printer.terms import show_brief
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, shift
from rise.text.nat_printer import show_nat
from strategies.costs.decisions import Cost, cost, stored_part, typical
from strategies.costs.prices import PROCESSOR, Prices

MAX_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Weighed:
    """A value for which costs were compared.

    - `name`: as the program calls it, or its beginning as text, if it has no name.
    - `reads`: how often each of its elements is read; `work`: the additions that one takes.
    - `numbers`: how many it has, in each iteration of the loops around it.
    - `costs`: for one of its numbers, of either choice.
    """

    name: str
    value: Expr
    reads: Nat
    work: Nat
    numbers: Nat
    costs: Cost

    @property
    def said(self) -> str:
        """The numbers as shown in derivations."""
        return f"each element read {times(self.reads)}, {operations(self.work)}"


def weighed_as_stored(term: Expr, prices: Prices = PROCESSOR) -> Weighed | None:
    """The part of a term that is cheaper to store, with its costs; None if there is none."""
    path = stored_part(term, prices)
    return None if path is None else weighed_at(term, path)


def weighed_at(term: Expr, path: Path) -> Weighed | None:
    """The part of a term at a path, with its costs; None if counts are too large. It must not mention variables bound
    between the term and the part.
    """
    value = subterm(term, path)
    assert isinstance(value, Expr)
    body = replaced(shift(term, 1), path, Bound(0, value.type))
    assert isinstance(body, Expr)
    return weighed_in(body, value, _name(term, path, value))


def weighed_in(body: Expr, value: Expr, name: str) -> Weighed | None:
    """A value that a body reads by its innermost variable, with its costs; None if counts are too large."""
    numbers = numbers_in(value.type)
    if numbers is ZERO:
        return None
    try:
        reads = reads_in(body).of(0)
        work = exact_quotient(reads_in(value).work, numbers)
        return Weighed(name, value, reads, work, numbers, cost(value, reads))
    except RiseError:
        return None


def weighed_call(term: Expr) -> Weighed | None:
    """The value that a call names, with its costs; None for other terms."""
    match term:
        case App(Lam(name, _, body), value):
            return weighed_in(body, value, name)
    return None


def times(count: Nat) -> str:
    """A count as text: `2 times`, `once`; a quotient of sizes is shown for typical sizes, as `about 3 times`."""
    text = show_nat(count)
    if "/" in text and count.constant is None:
        text = f"about {typical(count):.3g}"
    return "once" if count.constant == 1 else f"{text} times"


def operations(count: Nat) -> str:
    """A count as text: `9 operations`, `1 operation`."""
    return f"{show_nat(count)} operation{'' if count.constant == 1 else 's'}"


def _name(term: Expr, path: Path, value: Expr) -> str:
    match term:
        case App(Lam(name), _) if path == (1,):
            return name
        case App(Lam(name), _):
            return f"a part of {name}"
    return show_brief(value, MAX_NAME_CHARACTERS, is_typed=False)
