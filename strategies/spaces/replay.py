"""Replays decisions: runs a space from its start, up to its first hole without a value. Independent of search.

The same decisions give the same result in every process, since it depends on nothing else. A candidate is dead because
of, in this order: `where` of a hole, a parameter that a strategy rejects, a strategy that does not apply to the
program, or an obligation on sizes of the derived term. The reason is recorded as a diagnostic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import rise
from elevate import Failure, FloatClass, Strategy, StrategyError, run
from rise.analysis.obligations import check_obligations
from rise.argument_checks import Termlike, term_of
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.records import dataclass
from rise.terms import Expr
from strategies.lookup import cause_of, import_module_of
from strategies.parts.parameters import shown_value
from strategies.spaces.holes import (
    Decisions,
    HoleValue,
    Space,
    SpaceError,
    Undecided,
    Unfit,
    filling,
)

SPACE_HINT: Final = "`strategies.spaces.products:product` is one that comes with rise-shine"


@dataclass(frozen=True, slots=True)
class Open:
    """A candidate that is not complete: its next hole, the values that fit there, and the decisions so far."""

    choice: str
    domain: tuple[HoleValue, ...]
    partial: Decisions


@dataclass(frozen=True, slots=True)
class Leaf:
    """A complete candidate. If a program was given, `term` is the lowered program with fixed sizes, and `float_class`
    says how the derivation may change floating-point results.
    """

    strategy: Strategy
    decisions: Decisions
    term: Expr | None = None
    float_class: FloatClass = FloatClass.EXACT


@dataclass(frozen=True, slots=True)
class Dead:
    """Decisions that no candidate can have, and the reason."""

    diagnostic: Diagnostic
    decisions: Decisions


Outcome: TypeAlias = Open | Leaf | Dead


def replay(
    space: Space,
    decisions: Decisions,
    program: Termlike | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Outcome:
    """Run a space with these decisions. With a program and its sizes, complete candidates are derived.

    Raises SpaceError for mistakes of the space's author, and for decisions that do not belong to the space.
    """
    with filling(decisions) as one:
        try:
            strategy = space.make(*space.arguments)
        except Undecided as stop:
            return Open(stop.choice, stop.domain, dict(one.made))
        except Unfit as stop:
            return Dead(stop.diagnostic, dict(one.made))
        except SpaceError:
            raise
        except (StrategyError, RiseError) as error:
            return Dead(of_rise(error), dict(one.made))
        except (Exception, SystemExit) as error:  # the user's function may raise any exception
            title = f"calling the space `{space.name}` failed: {cause_of(error)}"
            made = ", ".join(f"{name} = {shown_value(value)}" for name, value in one.made.items())
            hint = f"it fails for {made}" if made else "fix it"
            raise SpaceError(Diagnostic("broken-space", title, hint=hint)) from None
    for name in decisions:
        if name not in one.made:
            title = f"the space `{space.name}` has no hole `{name}` for these decisions"
            hint = (
                did_you_mean(name, one.made)
                or "the decisions are those of another space, or of an earlier one"
            )
            raise SpaceError(Diagnostic("unknown-decision", title, hint=hint))
    if not isinstance(strategy, Strategy):
        found = type(strategy).__name__
        title = (
            f"expected the space `{space.name}` to return a strategy, found a Python value of type {found}"
        )
        raise SpaceError(Diagnostic("no-strategy", title, hint="return what lowers the program"))
    leaf = Leaf(strategy, dict(one.made))
    return leaf if program is None else derived(leaf, program, sizes or {})


def derived(leaf: Leaf, program: Termlike, sizes: Mapping[str, int]) -> Leaf | Dead:
    """The leaf with its lowered program at these sizes, or the reason why there is none."""
    term = term_of(program)
    try:
        outcome = run(leaf.strategy, term)
        if isinstance(outcome.result, Failure):
            title = f"{str(leaf.strategy)[:72]} does not apply to the program"
            reason = " ".join(str(outcome.result.explain()).split())[:400]
            return Dead(Diagnostic("strategy-failed", title, notes=(reason,)), leaf.decisions)
        low = outcome.result.program
        assert isinstance(low, Expr), low
        failed = check_obligations(rise.obligations(low), sizes)
        if failed is not None:
            given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
            title = f"expected {failed.condition}, found {given}"
            return Dead(Diagnostic("size-mismatch", title, notes=(failed.reason,)), leaf.decisions)
        fixed = rise.specialise(low, **sizes)
        return Leaf(leaf.strategy, leaf.decisions, fixed, outcome.result.float_class)
    except (StrategyError, RiseError) as error:
        return Dead(of_rise(error), leaf.decisions)


def leaves(space: Space, decisions: Decisions | None = None) -> Iterator[Leaf]:
    """All complete candidates below these decisions, in the order of the domains."""
    waiting: list[Decisions] = [decisions or {}]
    while waiting:
        match replay(space, waiting.pop()):
            case Leaf() as leaf:
                yield leaf
            case Open(choice, domain, partial):
                waiting += [{**partial, choice: value} for value in reversed(domain)]
            case Dead():
                pass


def text_of(decisions: Decisions) -> str:
    """Decisions as canonical JSON, with names in alphabetical order, by which stored decisions are compared."""
    return json.dumps(dict(decisions), sort_keys=True)


def decisions_of(text: str) -> dict[str, HoleValue]:
    """Decisions from JSON. Raises ValueError for other text."""
    found: Any = json.loads(text)
    kinds = (str, int, float, bool, type(None))
    if not isinstance(found, dict) or not all(type(value) in kinds for value in found.values()):
        raise ValueError("expected an object of strings, numbers, true, false and null")
    return found


def load_space(address: str) -> Space:
    """The space that a module defines under a name, as `module:name`. Imports the module, so addresses must come from
    the user, never from a file. Raises StrategyError or SpaceError if there is none.
    """
    module_name, colon, name = address.partition(":")
    is_address = colon and name.isidentifier() and all(part.isidentifier() for part in module_name.split("."))
    if not is_address:
        raise SpaceError(
            Diagnostic(
                "unknown-space", f"expected a space as module:name, found `{address}`", hint=SPACE_HINT
            )
        )
    module = import_module_of(module_name, name)
    found = getattr(module, name, None)
    if not isinstance(found, Space):
        known = [own for own, value in vars(module).items() if isinstance(value, Space)]
        title = f"{module_name} has no space `{name}`"
        hint = did_you_mean(name, known) or (f"it has {', '.join(known)}" if known else SPACE_HINT)
        raise SpaceError(Diagnostic("unknown-space", title, hint=hint))
    return found


def of_rise(error: StrategyError | RiseError) -> Diagnostic:
    """The diagnostic of an error, as values that this package stores."""
    one = error.diagnostic
    return Diagnostic(one.code, one.title, hint=one.hint, notes=one.notes)
