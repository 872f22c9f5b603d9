"""Diagnostics of endless runs and of broken rules. Depends on steps as log entries, but not on strategies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.term import Breach, Path, show_path, show_term
from elevate.trace import Entry

MIN_REPEATED_FIRINGS = 128
"""How many consecutive firings of a rule before it raises count as endless growth."""

FUEL = 200_000
"""How many firings a run may make by default, including discarded ones."""

MUST_FAIL = "a repeated strategy must fail when nothing is left to do"


def fuel_spent(fuel: int, log: Sequence[Entry]) -> StrategyError:
    """The error for more firings than the run may make."""
    return StrategyError(
        Diagnostic(
            code="fuel-spent",
            title=f"the strategy has not ended after {fuel} firings; the last rules fired are {rule_names(log[-64:])}",
            notes=last_places(log),
            hint=f"{MUST_FAIL}: check these rules, or call `elevate.run` with more fuel",
        )
    )


def cycle(strategy: object, period: Sequence[Entry]) -> StrategyError:
    """The error for a repetition that reaches a program twice."""
    if period:
        title = f"{strategy} reaches the same program again by firing {rule_names(period)}"
        hint = f"{MUST_FAIL}: remove one of these rules, or guard it"
    else:
        title = f"{strategy} repeats a strategy that succeeds without changing the program"
        hint = f"{MUST_FAIL}: remove a `try_`, or add a rule that fires after a predicate"
    return StrategyError(Diagnostic("endless-repeat", title, notes=last_places(period), hint=hint))


def grows(
    strategy: object, recent: Sequence[Entry], count: int, old_size: int, new_size: int
) -> StrategyError:
    """The error for a repetition that makes the program larger and larger by the same rules."""
    return StrategyError(
        Diagnostic(
            code="endless-growth",
            title=(
                f"{strategy} makes the program grow without bound: from {amount(old_size)} to {amount(new_size)} nodes "
                f"in {count} firings of the rules {rule_names(recent)}"
            ),
            notes=last_places(list({entry[0].name: entry for entry in recent}.values())),
            hint=f"{MUST_FAIL}: guard one of these rules; if it does end, call `elevate.run` with enough fuel",
        )
    )


def amount(number: int) -> str:
    """A number as text for people."""
    return f"{number:,}" if number < 10**9 else "more than a billion"


def endless(strategy: object, path: Path) -> StrategyError:
    """The error for a definition that applies itself to its own term, or never ends."""
    return StrategyError(
        Diagnostic(
            code="endless-definition",
            title=f"the definition of {strategy} applies itself at the same place, {show_path(path)}",
            hint="a strategy may apply itself only to children, as topDown(s) = s | one(topDown(s)) does",
        )
    )


def too_deep(constructor: str, limit: int) -> StrategyError:
    """The error for strategies nested more deeply than the engines support."""
    return StrategyError(
        Diagnostic(
            code="strategy-too-deep",
            title=f"strategies nest at most {limit} levels, found more at a {constructor}",
            hint="use a traversal or `position` to reach deep places, and `seq(a, b, ...)` for long chains",
        )
    )


def unknown(strategy: object) -> StrategyError:
    """The error for a strategy without a definition."""
    return StrategyError(
        Diagnostic(
            code="no-definition",
            title=f"{strategy} ({type(strategy).__name__}) has no definition",
            hint="define `unfold`, or make it a Rule or a Predicate",
        )
    )


def raised(
    strategy: object, path: Path, term: object, error: Exception, log: Sequence[Entry] = ()
) -> StrategyError:
    """The error for a rule or predicate that raised: a bug in it, unless it had fired repeatedly before."""
    if len(log) >= MIN_REPEATED_FIRINGS and all(
        entry[0] is strategy for entry in log[-MIN_REPEATED_FIRINGS:]
    ):
        return _raised_after_growth(strategy, error, log)
    return StrategyError(
        Diagnostic(
            code="rule-raised",
            title=f"{strategy} raised {type(error).__name__} at {show_path(path)}: {error}",
            notes=(f"it was tried on {show_term(term)}",),
            hint="a rule returns None and a predicate False where it does not match; neither raises",
        )
    )


def _raised_after_growth(rule: object, error: Exception, log: Sequence[Entry]) -> StrategyError:
    count = next((number for number, entry in enumerate(reversed(log)) if entry[0] is not rule), len(log))
    return StrategyError(
        Diagnostic(
            code="endless-growth",
            title=(
                f"{rule} makes the program grow without bound: after {count:,} consecutive firings"
                f" it raised {type(error).__name__}: {str(error).partition(chr(10))[0]}"
            ),
            notes=last_places(log[-2:]),
            hint=f"{MUST_FAIL}: guard this rule, or apply it a fixed number of times",
        )
    )


def excused(rule: object, breach: Breach) -> bool:
    """Whether a rule may introduce variables that the redex lacks: the rules of `elevate.scopes` may, and those that
    call foreign functions.
    """
    return getattr(rule, "is_scoped", False) and breach[0] != "changes the type"


def broken(rule: object, path: Path, redex: object, contractum: object, breach: Breach) -> StrategyError:
    """The error for a rule whose result cannot replace its redex: a bug in it."""
    violation, expected, found = breach
    return StrategyError(
        Diagnostic(
            code="rule-broken",
            title=f"{rule} {violation} at {show_path(path)}: expected {expected}, found {found}",
            notes=(f"it rewrote {show_term(redex)} to {show_term(contractum)}",),
            hint="the result of a rule must have the type of the redex, and only variables that occur in it",
        )
    )


def rule_names(entries: Iterable[Entry]) -> str:
    """The rules of some steps, each once, in the order of their first firings."""
    return ", ".join(dict.fromkeys(entry[0].name for entry in entries)) or "no rule"


def last_places(entries: Sequence[Entry]) -> tuple[str, ...]:
    """The last four steps, one per line."""
    return tuple(
        f"{rule.name}: {show_term(redex, 40)} = {show_term(contractum, 40)}"
        for rule, _, redex, contractum in entries[-4:]
    )
