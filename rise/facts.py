"""Derives consequences of facts about sizes: signs, divisibility, equality. Independent of terms other than `Fact`.

An answer is True only if proved; False means unknown. Every named or bound natural is an integer >= 0, and
every divisor that occurs is >= 1 (a separate obligation for each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from rise.diagnostics import RiseError
from rise.known_facts import Known, is_at_least_zero, is_known_integral, known_from
from rise.natural_values import evaluate_natural
from rise.naturals import ONE, ZERO, Atom, Nat, exact_quotient, scale
from rise.nodes import Node
from rise.records import dataclass
from rise.terms import Fact

RELATIONS: Final = ("divides", "<=", "<", "==", ">=", ">")
MAX_FACTS_IN_PROOF: Final = 24


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that are known: promises of the author, or obligations that are already proved."""

    facts: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        assert all(fact.relation in RELATIONS for fact in self.facts), f"a relation is not one of {RELATIONS}"

    def and_also(self, *more: Fact) -> Facts:
        """These facts and more."""
        return Facts((*self.facts, *more))

    def about(self, *goals: Nat) -> Facts:
        """The facts that a proof about some naturals may use: all if they are few; if many, those that share names with
        the naturals, then those that share names with these. Of lower bounds that differ only in a number, the
        strongest is used.
        """
        if len(self.facts) <= MAX_FACTS_IN_PROOF:
            return self
        facts = _strongest(self.facts)
        by_name: dict[Node, list[int]] = {}
        for position, fact in enumerate(facts):
            for name in fact.free:
                by_name.setdefault(name, []).append(position)
        names = list(dict.fromkeys(name for goal in goals for name in goal.free))
        chosen: dict[int, None] = {}
        for name in names:
            for position in by_name.pop(name, ()):
                if position not in chosen and len(chosen) < MAX_FACTS_IN_PROOF:
                    chosen[position] = None
                    names += facts[position].free
            if len(chosen) == MAX_FACTS_IN_PROOF:
                break
        return Facts(tuple(facts[position] for position in sorted(chosen)))


def evaluate_fact(fact: Fact, values: Mapping[Atom, int]) -> bool:
    """Whether a fact holds for given numbers. Raises what `evaluate_natural` raises."""
    left, right = evaluate_natural(fact.left, values), evaluate_natural(fact.right, values)
    match fact.relation:
        case "divides":
            return right == 0 if left == 0 else Fraction(right) % Fraction(left) == 0
        case "<=":
            return left <= right
        case "<":
            return left < right
        case "==":
            return left == right
        case ">=":
            return left >= right
        case relation:
            assert relation == ">", f"{relation} is not a relation"
            return left > right


def holds(fact: Fact, facts: Facts) -> bool:
    """Whether a fact follows from others."""
    match fact.relation:
        case "divides":
            return holds_divides(fact.left, fact.right, facts)
        case "==":
            return holds_equal(fact.left, fact.right, facts)
        case "<=":
            return holds_nonnegative(fact.right - fact.left, facts)
        case ">=":
            return holds_nonnegative(fact.left - fact.right, facts)
        case "<":
            return holds_positive(fact.right - fact.left, facts)
        case relation:
            assert relation == ">", f"{relation} is not a relation"
            return holds_positive(fact.left - fact.right, facts)


def holds_nonnegative(a: Nat, facts: Facts) -> bool:
    """Whether a >= 0."""
    return _proved(facts, (a,), lambda known: _is_at_least_zero(a, known))


def holds_positive(a: Nat, facts: Facts) -> bool:
    """Whether a >= 1."""
    return holds_nonnegative(a - 1, facts)


def holds_integral(a: Nat, facts: Facts) -> bool:
    """Whether a is an integer."""

    def proof(known: Known) -> bool:
        goal = known.rewrite(a)
        return goal is not None and is_known_integral(goal, known)

    return _proved(facts, (a,), proof)


def holds_divides(d: Nat, a: Nat, facts: Facts) -> bool:
    """Whether a is a multiple of d."""
    return holds_equal(a, ZERO, facts) if not d.terms else holds_integral(exact_quotient(a, d), facts)


def holds_equal(a: Nat, b: Nat, facts: Facts) -> bool:
    """Whether a = b."""

    def proof(known: Known) -> bool:
        difference = known.rewrite(a - b)
        if difference is None:
            return False
        if difference is ZERO:
            return True
        return is_at_least_zero(difference, known) and is_at_least_zero(scale(difference, -1), known)

    return _proved(facts, (a, b), proof)


def _is_at_least_zero(a: Nat, known: Known) -> bool:
    goal = known.rewrite(a)
    return goal is not None and is_at_least_zero(goal, known)


def _proved(facts: Facts, goals: tuple[Nat, ...], proof: Callable[[Known], bool]) -> bool:
    """Whether a proof from some facts succeeds; a proof that would need sizes that are too long fails."""
    try:
        return proof(known_from(facts.about(*goals).facts))
    except RiseError:
        return False


def _strongest(facts: Iterable[Fact]) -> list[Fact]:
    """The facts without duplicates; of lower bounds on one natural, only the strongest."""
    strongest: dict[Any, tuple[Any, Fact]] = {}
    for fact in facts:
        match fact.relation:
            case "<=" | "<" as relation:
                difference = fact.right - fact.left
            case ">=" | ">" as relation:
                difference = fact.left - fact.right
            case _:
                strongest.setdefault(fact, (0, fact))
                continue
        least = next((c for monomial, c in difference.terms if monomial == ONE), 0)
        key = (len(relation), tuple(t for t in difference.terms if t[0] != ONE))
        if key not in strongest or least < strongest[key][0]:
            strongest[key] = (least, fact)
    return [fact for _, fact in strongest.values()]
