"""Checks derivations: first the result against the given program, then parts. Trusts no rule and no strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from elevate import FloatClass
from elevate.derivations.derivation import Derivation, expected_derivation
from elevate.term import Path, replaced, subterm, surroundings
from rise.analysis.obligations import obligations
from rise.checker import Answer, check, implied
from rise.checker.state import DEFAULT_EFFORT
from rise.facts import Facts
from rise.naturals import NatVar, nat
from rise.nodes import Node, postorder
from rise.records import dataclass
from rise.scalars import is_type_kind
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive, Var, apply, substitute
from rise.tracebacks import ends_at_the_users_line
from rise.types import Argument, FunType, TypeVar, instantiate_dependent, is_data
from strategies.proof.operators import operators_of

EFFORT_OF_WHOLE: Final = 400_000  # steps of the checker for a whole derivation
EFFORT_OF_PARTS: Final = (
    4_000  # steps of the checker for several steps of a derivation; if exceeded, single steps are checked
)


@dataclass(frozen=True, slots=True)
class Part:
    """Steps of a derivation, counted from 1; the programs before the first and after the last compute the same."""

    first: int
    last: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on a derivation, for all sizes and inputs.

    - `parts`: the parts that are checked, in order; a single one if the result was checked against the given program.
    - `stopped`: the number of the first step that could not be checked, and why; 0 if there is none. The step may be
      correct.
    - `uses`, `laws`: the lemmas and assumptions of the check, and the operations whose order of operands it ignores.
    - `conditions`: the conditions on sizes that the result adds to those of the given program: `4 divides n`.
    """

    parts: tuple[Part, ...]
    stopped: int
    reason: str
    uses: tuple[str, ...]
    laws: tuple[str, ...]
    conditions: tuple[str, ...]


@ends_at_the_users_line
def check_derivation(derivation: Derivation[Expr]) -> Checked:
    """Check that each program of a derivation computes the same as the previous one, for all sizes and inputs.

    Sums may be in another order if the derivation is reassociating. Raises StrategyError if the argument is not a
    derivation, and the errors of replaying the steps.
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
    conditions = added_conditions(derivation.given, derivation.result)
    return Checked(tuple(parts), number, reason, uses, laws, conditions)


def added_conditions(given: Expr, result: Expr) -> tuple[str, ...]:
    """The conditions on sizes of a term that do not follow from those of another one: `4 divides n`."""
    more = obligations(result)
    stated = Facts(tuple(one.fact for one in obligations(given))) if more else None
    return tuple(one.condition for one in more if stated is not None and not implied(one, stated))


def _check(
    programs: Sequence[Expr],
    paths: Sequence[Path],
    first: int,
    last: int,
    float_class: FloatClass,
    parts: list[Part],
) -> tuple[int, str] | None:
    """Check the steps between two programs at once, or in two halves; returns the first unchecked step, and why."""
    given, result = programs[first], programs[last]
    if first == last:
        return None
    answer = _by_itself(given, result, paths[first], float_class) if last == first + 1 else None
    if not answer:
        effort = EFFORT_OF_WHOLE if last - first == len(paths) else EFFORT_OF_PARTS
        answer = _answer(given, result, float_class, effort)
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
    reorders = float_class >= FloatClass.REASSOCIATING
    without = min(effort, EFFORT_OF_PARTS) if reorders else effort  # laws only where they are needed
    answer = check(given, result, contracts=contracts, effort=without)
    if not answer and reorders:
        answer = check(given, result, operators_of(given, result), contracts, effort)
    return answer


def _by_itself(given: Expr, result: Expr, path: Path, float_class: FloatClass) -> Answer | None:
    """The answer for the part that a step changed, as a function of all enclosing variables; None if it changed
    anything else.

    A program computes the same if a part of it does, for all values of the enclosing variables, and also for all values
    of the arrays and numbers that both versions of the part contain, as functions of the variables in them.
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
    """The parts of two programs at a path, with the variables of enclosing functions as inputs; None if one of these is
    neither a value, a size nor a type.
    """
    for number, index in enumerate(path):
        match given:
            case Lam(name, parameter, _):
                x = Var(f"{name}.{number}", parameter)  # a name that no program text can contain
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
    """Two terms in which inputs replace the arrays and numbers that both contain, the largest ones first. An input for
    a part that mentions variables of enclosing functions is applied to them.
    """
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
                done[e] = inputs.get(e) or inputs.setdefault(e, _input(f"part.{len(inputs)}", e))
            else:
                done[e] = e.rebuild(tuple(done[child] for child in e.children))
        sides.append(done[side])
    return sides[0], sides[1]


def _input(name: str, e: Expr) -> Expr:
    """An input in place of a term, applied to the variables that the term mentions."""
    variables = list(_mentioned(e))
    t = e.type
    for one in reversed(variables):
        t = FunType(one.given, t)
    return apply(Var(name, t), *variables)


def _mentioned(e: Expr) -> Iterator[Bound]:
    """The variables of enclosing functions in a term, each once."""
    found: dict[Bound, None] = {}
    waiting: list[tuple[Expr, int]] = [(e, 0)]
    seen: set[tuple[Expr, int]] = set()
    while waiting:
        node, inner = waiting.pop()
        if (node, inner) in seen or not node.mentions:
            continue
        seen.add((node, inner))
        if isinstance(node, Bound) and node.index >= inner:
            found[Bound(node.index - inner, node.given)] = None
        for child in node.children:
            waiting.append((child, inner + isinstance(node, Lam)))
    yield from found


def _is_part(e: Node) -> bool:
    """Whether an input may replace a term: a computed value, and not only a primitive of a variable, such as the number
    of an index, which says more than an input.
    """
    if isinstance(e, App) and isinstance(e.fun, Primitive) and isinstance(e.arg, Bound):
        return False
    return isinstance(e, App | DepApp) and is_data(e.type) and not e.dep_loose
