"""The input of a check and its verdict. Independent of rules: takes two terms, and trusts only its own lemmas."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

from rise.analysis.obligations import Obligation, obligations
from rise.argument_checks import Termlike, term_of
from rise.checker.comparison import Comparison, Lemma
from rise.checker.evaluation import value_of
from rise.checker.folds import as_one_fold, contracted
from rise.checker.fusion import fused
from rise.checker.laws import by_laws
from rise.checker.operators import Operator
from rise.checker.sizes import follows
from rise.checker.state import DEFAULT_EFFORT, DifferentError, OutOfEffortError, State
from rise.checker.values import Value
from rise.diagnostics import Diagnostic, RiseError
from rise.facts import Facts, holds
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION, is_type_kind
from rise.size_functions import SizeFunVar
from rise.terms import DepLam, Expr, Fact, Var
from rise.text.type_printer import brief_type
from rise.types import Argument, DepFunType, FunType, Type, TypeVar, instantiate_dependent

MAX_RECURSION: Final = 20_000


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a term computes the same as another one, for all sizes at which both are valid.

    - `is_checked`: it does, wherever the other term is specified. If this is False, nothing is known: it may or may
      not.
    - `uses`: what this relies on besides computation, such as the lemmas about folds and the promises of primitives.
    - `demands`: the conditions on sizes under which the second term is valid, without those of the first term.
    - `reason`: why it is not checked, with both sides at the place where the check stopped.
    """

    is_checked: bool
    uses: tuple[str, ...] = ()
    demands: tuple[Obligation, ...] = ()
    reason: str = ""

    def __bool__(self) -> bool:
        return self.is_checked


def check(
    given: Termlike,
    result: Termlike,
    operators: tuple[Operator, ...] = (),
    contracts: bool = False,
    effort: int = DEFAULT_EFFORT,
    others: tuple[Lemma, ...] = (),
    denoted: Callable[[State, dict[Node, Any], Type], Value] | None = None,
) -> Answer:
    """Decide whether `result` computes the same as `given`, for all sizes and inputs; free variables are inputs.

    Nothing is assumed about functions except the laws of `operators`, by which sums may be in another order. With
    `contracts`, a product and a sum may be rounded once together. Errors of functions of numbers, such as a division by
    zero, are not compared. `effort` limits the number of steps. `others` are lemmas that the caller trusts. If
    `denoted` is given, it computes the value of `result`, from the sizes that are replaced by products, and its type.

    Raises RiseError under `python -O`, which removes the assertions that guarantee the types of terms.

    >>> import rise
    >>> one = rise.parse_expr("fun(n: nat, xs: (4*n).f32 => xs |> split(4) |> join)")
    >>> check(one, rise.parse_expr("fun(n: nat, xs: (4*n).f32 => xs)")).is_checked
    True
    >>> check(one, rise.parse_expr("fun(n: nat, xs: (4*n).f32 => map(neg, xs))")).reason
    "stopped at xs'1[k'4] and neg(xs'1[k'4])"
    """
    if not __debug__:
        title = "expected Python with assertions for a check, found `python -O`"
        raise RiseError(Diagnostic("optimised-python", title, hint="run it without -O and PYTHONOPTIMIZE"))
    left, right = term_of(given), term_of(result)
    if left.type != right.type:
        return Answer(False, reason=f"types {brief_type(left.type)} and {brief_type(right.type)} differ")
    left, right, facts = _opened(left, right)
    facts += [one.fact for one in obligations(left)]
    more, stated = obligations(right), Facts(tuple(facts))
    demands = tuple(one for one in more if not implied(one, stated))
    facts += [one.fact for one in more]
    multiples = _multiples(facts)
    left, right = substitute_names(left, multiples), substitute_names(right, multiples)
    known = [one for one in operators if all(_is_of_two(one, side) for side in (left, right))]
    associative = [one for one in known if one.associates]
    lemmas = (as_one_fold, *([contracted] if contracts else []), by_laws(*associative), fused, *others)
    swapped = frozenset(one.name for one in known if one.commutes and not one.associates)
    state = State(_assumed([substitute_names(fact, multiples) for fact in facts]), effort)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MAX_RECURSION))
    try:
        try:
            second = value_of(state, right) if denoted is None else denoted(state, multiples, left.type)
            Comparison(state, lemmas, (fused,), swapped).compare(value_of(state, left), second, left.type)
        except DifferentError as error:
            return Answer(False, reason=f"stopped at {error}")
    except OutOfEffortError:
        return Answer(False, reason=f"stopped after {effort:,} steps")
    except (RiseError, ZeroDivisionError):
        return Answer(False, reason="stopped at sizes that are too long, or that divide by 0")
    except RecursionError:
        return Answer(False, reason="stopped at terms that are nested too deeply")
    finally:
        sys.setrecursionlimit(limit)
    return Answer(True, tuple(sorted(state.used)), demands)


def implied(condition: Obligation, known: Facts) -> bool:
    """Whether a condition on sizes follows from facts."""
    if holds(condition.fact, known):
        return True
    fact = condition.fact
    return condition.relation != "divides" and follows(fact.right - fact.left, _assumed(known.facts))


def _opened(left: Expr, right: Expr) -> tuple[Expr, Expr, list[Fact]]:
    """Both sides with the sizes and types of their leading binders as free variables, and the facts of the first."""
    facts: list[Fact] = []
    names = {str(getattr(free, "name", "")) for side in (left, right) for free in side.free}
    while isinstance(left, DepLam) and isinstance(right, DepLam) and left.kind == right.kind:
        if left.kind not in ("nat", SIZE_FUNCTION) and not is_type_kind(left.kind):
            break
        name = left.name
        while name in names:
            name += "'"
        names.add(name)
        free: Argument = nat(NatVar(name, None)) if left.kind == "nat" else TypeVar(name, left.kind)
        free = SizeFunVar(name) if left.kind == SIZE_FUNCTION else free
        facts += [instantiate_dependent(fact, free) for fact in left.facts]
        left, right = (instantiate_dependent(side.body, free) for side in (left, right))
    return left, right, facts


def _is_of_two(operator: Operator, e: Expr) -> bool:
    """Whether each input with this operator's name in a term is a function of two values of its result's type.

    If the operation does not associate, the result may have another type, but not a function type: applied to only two
    of its arguments, a function of three would look like a function of two.
    """
    for one in e.free:
        if isinstance(one, Var) and one.name == operator.name:
            match one.given:
                case FunType(first, FunType(second, result)) if first == second and (
                    result == first or not (operator.associates or isinstance(result, FunType | DepFunType))
                ):
                    continue
            return False
    return True


def _multiples(facts: Iterable[Fact]) -> dict[Node, Any]:
    """Sizes that are multiples of others, as products: n as `d * q` if d divides n."""
    found: dict[Node, Any] = {}
    for fact in facts:
        match fact.relation, fact.right.terms:
            case "divides", ((((NatVar() as variable, 1),), 1),):
                if variable not in found and fact.left.free.isdisjoint((variable, *found)):
                    found[variable] = fact.left * nat(NatVar(f"{variable.name}/", None))
    return found


def _assumed(facts: Iterable[Fact]) -> tuple[Nat, ...]:
    """The naturals that are >= 0 according to these facts."""
    found: dict[Nat, None] = {}
    for fact in facts:
        difference = fact.right - fact.left
        match fact.relation:
            case "<=" | "==":
                found[difference] = None
            case "<":
                found[difference - 1] = None
            case ">" | ">=":
                found[-1 * difference - (fact.relation == ">")] = None
        if fact.relation == "==":
            found[-1 * difference] = None
    return tuple(one for one in found if not one.dep_loose)
