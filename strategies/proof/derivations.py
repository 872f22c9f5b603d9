"""Checks derivations: the result against what was given, then parts of it. Trusts no rule and no strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elevate import FloatClass
from elevate.derivations.derivation import Derivation, expected_derivation
from elevate.term import Path, replaced, subterm, surroundings
from rise.checker import Answer, check
from rise.checker.state import DEFAULT_EFFORT
from rise.naturals import NatVar, nat
from rise.nodes import Node, postorder
from rise.records import dataclass
from rise.scalars import is_type_kind
from rise.terms import App, DepApp, DepLam, Expr, Lam, Var, substitute
from rise.types import Argument, TypeVar, instantiate_dependent, is_data
from strategies.proof.operators import operators_of

EFFORT_OF_PARTS: Final = (
    4_000  # steps of several steps of a derivation: single ones are checked by themselves
)


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
    paths = [step.path for step in derivation.steps]
    float_class = derivation.float_class
    parts: list[Part] = []
    stopped = _check(programs, paths, 0, len(programs) - 1, float_class, parts)
    used = {use for part in parts for use in part.answer.uses}
    operators = operators_of(derivation.given, derivation.result)
    laws = tuple(str(one) for one in operators if str(one) in used)
    uses = tuple(sorted(used.difference(laws)))
    number, reason = (0, "") if stopped is None else stopped
    return Checked(tuple(parts), number, reason, uses, laws)


def _check(
    programs: Sequence[Expr],
    paths: Sequence[Path],
    first: int,
    last: int,
    float_class: FloatClass,
    parts: list[Part],
) -> tuple[int, str] | None:
    """Check the steps between two programs at once, or in two halves; the first step that is not checked, and why."""
    given, result = programs[first], programs[last]
    if first == last:
        return None
    answer = _by_itself(given, result, paths[first], float_class) if last == first + 1 else None
    if not answer:
        is_whole = last - first == len(paths)
        answer = _answer(given, result, float_class, DEFAULT_EFFORT if is_whole else EFFORT_OF_PARTS)
    if answer:
        parts.append(Part(first + 1, last, answer))
        return None
    if last == first + 1:
        return last, answer.reason
    middle = (first + last) // 2
    return _check(programs, paths, first, middle, float_class, parts) or _check(
        programs, paths, middle, last, float_class, parts
    )


def _answer(given: Expr, result: Expr, float_class: FloatClass, effort: int = DEFAULT_EFFORT) -> Answer:
    contracts = float_class >= FloatClass.CONTRACTING
    answer = check(given, result, contracts=contracts, effort=effort)
    if not answer and float_class >= FloatClass.REASSOCIATING:
        answer = check(given, result, operators_of(given, result), contracts, effort)
    return answer


def _by_itself(given: Expr, result: Expr, path: Path, float_class: FloatClass) -> Answer | None:
    """The answer on what a step changed, as a function of all variables around it, if it changed nothing else.

    A program computes the same if a part of it does, for all values of the variables around it, and also for all values
    of the arrays and numbers that both parts contain.
    """
    before, after = subterm(given, path), subterm(result, path)
    if not isinstance(before, Expr) or not isinstance(after, Expr) or replaced(given, path, after) != result:
        return None
    opened = _opened(given, result, path)
    answer = _answer(*_without_common_parts(*opened), float_class) if opened is not None else None
    if answer:
        return answer
    for around in reversed(surroundings(given, path)):
        if isinstance(around, Lam | DepLam):
            before, after = around.rebuild((before,)), around.rebuild((after,))
    return _answer(before, after, float_class)


def _opened(given: Expr, result: Expr, path: Path) -> tuple[Expr, Expr] | None:
    """The parts of two programs at a path, with the variables of the functions around them as inputs."""
    for number, index in enumerate(path):
        match given:
            case Lam(name, parameter, _):
                x = Var(f"{name}.{number}", parameter)  # no text can write it
                given, result = (substitute(side.children[0], x) for side in (given, result))
            case DepLam(name, kind) if kind == "nat" or is_type_kind(kind):
                name = f"{name}.{number}"
                free: Argument = nat(NatVar(name, None)) if kind == "nat" else TypeVar(name, kind)
                given, result = (instantiate_dependent(side.children[0], free) for side in (given, result))
            case DepLam():
                return None
            case _:
                given, result = given.children[index], result.children[index]
    return given, result


def _without_common_parts(before: Expr, after: Expr) -> tuple[Expr, Expr]:
    """Two terms with inputs for the arrays and numbers that both contain, the largest ones first."""
    parts = [{e for e in postorder(side) if _is_part(e)} for side in (before, after)]
    common = parts[0] & parts[1]
    inputs: dict[Expr, Expr] = {}
    sides: list[Expr] = []
    for side in (before, after):
        done: dict[Expr, Expr] = {}
        for e in postorder(side):
            if not isinstance(e, Expr):
                continue
            if e in common:
                done[e] = inputs.setdefault(e, Var(f"part.{len(inputs)}", e.type))
            else:
                done[e] = e.rebuild(tuple(done[child] for child in e.children))
        sides.append(done[side])
    return sides[0], sides[1]


def _is_part(e: Node) -> bool:
    return isinstance(e, App | DepApp) and is_data(e.type) and not e.mentions and not e.dep_loose
