"""The costs of recomputing and of storing each named value, which option was chosen, and by whom.

The decisions are those of a derivation up to the end of `share`; the costs that they compared were recorded with them.
Independent of the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Final

from elevate import Strategy
from elevate.combinators import Named
from elevate.strategy import Seq
from elevate.term import subterm
from rise.analysis.reads import numbers_in
from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import UNIT, ZERO, Nat
from rise.part_names import ENDS
from rise.primitives import has_trait
from rise.printer.scopes import named
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import App, Expr, Lam, mention
from rise.types import ArrayType, DepArrayType, IndexType, PairType, ScalarType, Type, VectorType
from shine.front.derivation import Derivation, Stopped, attempt, brief, failure, place_of, steps_of
from strategies.choices import InlineValue, StoreValue
from strategies.costs.decisions import Cost, is_computed, is_recomputed, typical
from strategies.costs.option_costs import Weighed, weighed_as_stored, weighed_call, weighed_in
from strategies.costs.products import head_name
from strategies.parts.named_values import NamedValue, named_values
from strategies.rules.sharing import inlineCheap, storeReread
from strategies.sharing import share

INDEX_BYTES: Final = 8
STORED: Final = ("toMem", 1)
#: of a value without numbers
NOTHING: Final = Cost(0.0, 0.0)


class Choice(StrEnum):
    """The decision about a value."""

    STORED = "stored"
    AGAIN = "computed again"
    ONCE = "computed once"
    FUSED = "computed where it is read"
    PARTS = "taken apart"
    OPEN = "left to the loops that read it"


@dataclass(frozen=True, slots=True)
class Account:
    """The costs of a value.

    - `name`: its name in the program, or otherwise the beginning of its text; `is_of_program`: whether it is a name
      from the program.
    - `loop`: the parameter of the innermost loop around it, in each iteration of which it is computed; otherwise empty.
    - `reads`: how often each of its elements is read; `work`: the cost of one element, in additions.
    - `memory`: the bytes that it has in each iteration of the loops around it.
    - `cost`, `other_cost`: the costs of the chosen option and of the second best, per number, in additions at typical
      sizes; None if there is no other option.
    - `by_author`: whether the program or its strategy made the decision, instead of the cost model.
    - `view`: the view that repeats its elements, before which lowering stores it anyway; otherwise empty.
    """

    name: str
    loop: str
    reads: Nat
    work: Nat
    memory: Nat
    choice: Choice
    cost: float | None
    other: Choice | None
    other_cost: float | None
    by_author: bool = False
    is_of_program: bool = True
    view: str = ""

    @property
    def factor(self) -> float:
        """The number of times that each of its numbers is computed, at typical sizes."""
        is_repeated = self.choice is Choice.AGAIN and not self.view
        return max(1.0, typical(self.reads)) if is_repeated else 1.0


def accounts_of(
    strategy: Strategy, program: Expr, what: str = "the program"
) -> tuple[list[Account], Derivation]:
    """The accounts of a program's values under a strategy, in the order of the text, then those that have no name in
    it; and the derivation up to the end of `share`.

    Raises RiseError if the strategy does not apply, or does not compare costs (`no-costs`).
    """
    parts = _up_to_share(strategy)
    if parts is None:
        title = (
            f"expected a strategy that decides what is stored, found {brief(strategy)}, which has no `share`"
        )
        hint = "the default strategy of --target openmp has it; your own has with `share >> ...`"
        raise RiseError(Diagnostic("no-costs", title, hint=hint))
    outcome = attempt(Seq(parts) if len(parts) > 1 else parts[0], program)
    if isinstance(outcome, Stopped):
        raise RiseError(failure(outcome, what))
    originals = list(named_values(program))
    names = [value.name for value in originals]
    found = list(_decided(outcome))
    shown = {account.name for account in found}
    for value in named_values(outcome.result):
        account = _remaining(outcome.result, value)
        if account.name not in shown:
            found.append(account)
            shown.add(account.name)
    for value in originals:
        if value.name not in shown:
            account = _fused(program, value)
            if f"{value.name}{ENDS[0]}" in shown:
                account = replace(account, choice=Choice.PARTS, cost=None, other=None, other_cost=None)
            found.append(account)
            shown.add(value.name)
    marked = [replace(one, is_of_program=one.name in names) for one in found]
    place = {name: position for position, name in reversed(list(enumerate(names)))}
    return sorted(marked, key=lambda one: place.get(one.name, len(names))), outcome


def _up_to_share(strategy: Strategy) -> tuple[Strategy, ...] | None:
    """The parts of a strategy up to `share`, in order; None if it has no `share`."""
    found: list[Strategy] = []
    waiting = [strategy]
    while waiting:
        part = waiting.pop()
        if part == share:
            return (*found, part)
        match part:
            case Seq(parts):
                waiting += reversed(parts)
            case Named(body=body) if _has_share(body):
                waiting.append(body)
            case _:
                found.append(part)
    return None


def _has_share(strategy: Strategy) -> bool:
    waiting = [strategy]
    while waiting:
        part = waiting.pop()
        if part == share:
            return True
        match part:
            case Seq(parts):
                waiting += parts
            case Named(body=body):
                waiting.append(body)
            case _:
                pass
    return False


def _decided(derivation: Derivation) -> Iterator[Account]:
    """The values about which a step decided."""
    before = derivation.program
    for _, steps in steps_of(derivation):
        for shown in steps:
            rule, redex = shown.step.rule, named(shown.sides[0], shown.place.scope)
            loop = shown.place.loop
            match rule:
                case StoreValue(value_name=name, which=which) | InlineValue(value_name=name, which=which):
                    same = [value for value in named_values(before) if value.name == name]
                    yield _chosen(before, same[max(which, 1) - 1], isinstance(rule, StoreValue))
                case _ if rule == storeReread and (found := weighed_as_stored(redex)) is not None:
                    yield _account(found, loop, Choice.STORED)
                case _ if rule == inlineCheap and (found := weighed_call(redex)) is not None:
                    yield replace(_account(found, loop, Choice.AGAIN), view=_repeating_view(redex))
                case _:
                    pass
            before = shown.program


def _account(found: Weighed, loop: str, choice: Choice, by_author: bool = False) -> Account:
    stored, again = (Choice.STORED, found.costs.stored), (Choice.AGAIN, found.costs.again)
    if choice is Choice.AGAIN and typical(found.reads) <= 1:
        again = (Choice.FUSED, found.costs.again)
    (chosen, own), (other, other_cost) = (stored, again) if choice is Choice.STORED else (again, stored)
    memory = bytes_in(found.value.type)
    return Account(
        found.name, loop, found.reads, found.work, memory, chosen, own, other, other_cost, by_author
    )


def _repeating_view(call: Expr) -> str:
    """The view in a function's body that repeats elements of its argument; empty if there is none."""
    assert isinstance(call, App) and isinstance(call.fun, Lam), call
    waiting = [(call.fun.body, 0)]
    while waiting:
        node, depth = waiting.pop()
        if not node.mentions & mention(depth):
            continue
        name = head_name(node)
        if isinstance(node, App) and has_trait(name, "rereads") and node.arg.mentions & mention(depth):
            return name
        waiting += [(child, depth + isinstance(node, Lam)) for child in node.children]
    return ""


def _chosen(program: Expr, value: NamedValue, is_stored: bool) -> Account:
    """The account of a value about which the author decided."""
    found = _weighed(program, value)
    return _account(found, _loop(value), Choice.STORED if is_stored else Choice.AGAIN, by_author=True)


def _remaining(program: Expr, value: NamedValue) -> Account:
    """The account of a value that is still named after all decisions, and about which no step decided."""
    found = _weighed(program, value)
    if value.value.root == STORED:
        return _account(found, _loop(value), Choice.STORED, by_author=True)
    account = _account(found, _loop(value), Choice.STORED)
    if isinstance(value.value.type, ArrayType):
        return replace(account, choice=Choice.OPEN, cost=None, other=None, other_cost=None)
    once = float(typical(found.work))
    again = typical(found.reads * found.work)
    return replace(account, choice=Choice.ONCE, cost=once, other=Choice.AGAIN, other_cost=again)


def _fused(program: Expr, value: NamedValue) -> Account:
    """The account of a value that was fused into its readers."""
    found = _weighed(program, value)
    if is_recomputed(value.value):
        return _account(found, _loop(value), Choice.AGAIN, by_author=True)
    if value.value.root == STORED:
        return _account(found, _loop(value), Choice.STORED, by_author=True)
    account = _account(found, _loop(value), Choice.AGAIN)
    is_free = not is_computed(value.value) or typical(found.reads) <= 1
    return replace(account, choice=Choice.FUSED) if is_free else account


def _weighed(program: Expr, value: NamedValue) -> Weighed:
    """The costs of a named value, with sizes called as in the program."""
    scope = place_of(program, value.path).scope
    call = subterm(program, value.path)
    assert isinstance(call, Expr)
    again = next(one for one in named_values(named(call, scope)) if one.path == ())
    found = weighed_in(again.body, again.value, value.name)
    if found is not None:
        return found
    return Weighed(value.name, again.value, ZERO, ZERO, numbers_in(again.value.type), NOTHING)


def _loop(value: NamedValue) -> str:
    return value.loops[-1].names[-1] if value.loops else ""


def bytes_in(t: Type) -> Nat:
    """The number of bytes of a value; rows of different lengths count as rows of middle length."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            return size * bytes_in(element)
        case PairType(first, second):
            return bytes_in(first) + bytes_in(second)
        case ScalarType(name):
            return UNIT * SCALARS[name].dtype.itemsize
        case DepArrayType():
            return numbers_in(t) * INDEX_BYTES
        case IndexType():
            return UNIT * INDEX_BYTES
    return numbers_in(t)
