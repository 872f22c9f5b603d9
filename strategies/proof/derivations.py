"""Checks derivations: the result against what was given, then parts of it. Trusts no rule and no strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elevate import FloatClass
from elevate.derivations.derivation import Derivation, expected_derivation
from rise.checker import Answer, check
from rise.terms import Expr
from strategies.proof.operators import operators_of


@dataclass(frozen=True, slots=True)
class Part:
    """Steps of a derivation, counted from 1; the program after the last step computes the same as the one before the
    first."""

    first: int
    last: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on a derivation, for all sizes and inputs.

    - `parts`: parts that are checked, in order: one if the result was checked against what was given at once.
    - `stopped`: the number of the first step that is not checked, and why; 0 if there is none. It may be right.
    - `uses`, `laws`: what the check rests on, and the operations whose order of operands it ignores.
    """

    parts: tuple[Part, ...]
    stopped: int
    reason: str
    uses: tuple[str, ...]
    laws: tuple[str, ...]


def check_derivation(derivation: Derivation[Expr]) -> Checked:
    """Check that each program of a derivation computes what the one before it does, for all sizes and inputs.

    Sums may be in another order if the derivation is reassociating. Raises StrategyError if it is no derivation, and
    what replaying the steps raises.
    """
    programs = list(expected_derivation(derivation).programs())
    float_class = derivation.float_class
    parts: list[Part] = []
    stopped = _check(programs, 0, len(programs) - 1, float_class, parts)
    used = {use for part in parts for use in part.answer.uses}
    operators = operators_of(derivation.given, derivation.result)
    laws = tuple(str(one) for one in operators if str(one) in used)
    uses = tuple(sorted(used.difference(laws)))
    number, reason = (0, "") if stopped is None else stopped
    return Checked(tuple(parts), number, reason, uses, laws)


def _check(
    programs: Sequence[Expr], first: int, last: int, float_class: FloatClass, parts: list[Part]
) -> tuple[int, str] | None:
    """Check the steps between two programs at once, or in two halves; the first step that is not checked, and why."""
    given, result = programs[first], programs[last]
    if first == last:
        return None
    contracts = float_class >= FloatClass.CONTRACTING
    answer = check(given, result, contracts=contracts)
    if not answer and float_class >= FloatClass.REASSOCIATING:
        answer = check(given, result, operators_of(given, result), contracts)
    if answer:
        parts.append(Part(first + 1, last, answer))
        return None
    if last == first + 1:
        return last, answer.reason
    middle = (first + last) // 2
    return _check(programs, first, middle, float_class, parts) or _check(
        programs, middle, last, float_class, parts
    )
