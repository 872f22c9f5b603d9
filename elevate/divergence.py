"""How strategies run for ever or rules break, told as diagnostics; and how a cycle is noticed.

Knows steps as entries of a log, and no strategy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.term import Path, same_place, show_path, show_term
from elevate.trace import Entry

FUEL = 200_000
"""Firings that a run may make where its caller does not say, discarded ones included."""

MUST_FAIL = "what is repeated must fail where nothing is left to do"


def fuel_spent(fuel: int, log: Sequence[Entry]) -> StrategyError:
    """More firings than the run may make."""
    return StrategyError(
        Diagnostic(
            code="fuel-spent",
            title=f"the strategy goes on after {fuel} firings; last fired {rule_names(log[-64:])}",
            notes=last_places(log),
            hint=f"{MUST_FAIL}: look at these rules, or call `elevate.run` with more fuel",
        )
    )


def cycle(strategy: object, period: Sequence[Entry]) -> StrategyError:
    """A repetition came back to a program it has met."""
    if period:
        title = f"{strategy} comes back to the same program by firing {rule_names(period)}"
        hint = f"{MUST_FAIL}: drop one of these rules, or guard it"
    else:
        title = f"{strategy} repeats a strategy that succeeds without changing the program"
        hint = f"{MUST_FAIL}: drop a `try_`, or seq a rule that fires to a predicate"
    return StrategyError(Diagnostic("endless-repeat", title, notes=last_places(period), hint=hint))


def endless(strategy: object, path: Path) -> StrategyError:
    """A definition calls itself on the very term it is given, or never ends."""
    return StrategyError(
        Diagnostic(
            code="endless-definition",
            title=f"the definition of {strategy} calls itself at the same place, {show_path(path)}",
            hint="a strategy may call itself on children only, as topDown(s) = s | one(topDown(s)) does",
        )
    )


def too_deep(constructor: str, limit: int) -> StrategyError:
    """Strategies inside strategies beyond what the engines take."""
    return StrategyError(
        Diagnostic(
            code="strategy-too-deep",
            title=f"strategies nest at most {limit} levels, found more at a {constructor}",
            hint="use a traversal or `position` to reach deep places, and `seq(a, b, ...)` for long chains",
        )
    )


def unknown(strategy: object) -> StrategyError:
    """A strategy that says nothing of what it means."""
    return StrategyError(
        Diagnostic(
            code="no-definition",
            title=f"{strategy} ({type(strategy).__name__}) has no definition",
            hint="define `unfold`, or make it a Rule or a Predicate",
        )
    )


def raised(strategy: object, path: Path, term: object, error: Exception) -> StrategyError:
    """A rule or predicate of the user raised: a bug in it, not a failure."""
    return StrategyError(
        Diagnostic(
            code="rule-raised",
            title=f"{strategy} raised {type(error).__name__} at {show_path(path)}: {error}",
            notes=(f"it was tried on {show_term(term)}",),
            hint="a rule returns None and a predicate False where it does not match; neither raises",
        )
    )


def rule_names(entries: Iterable[Entry]) -> str:
    """The rules of some steps, each once, in the order in which they first fired."""
    return ", ".join(dict.fromkeys(entry[0].name for entry in entries)) or "no rule"


def last_places(entries: Sequence[Entry]) -> tuple[str, ...]:
    """The last few steps, a line each."""
    return tuple(
        f"{rule.name}: {show_term(redex, 40)} = {show_term(contractum, 40)}"
        for rule, _, redex, contractum in entries[-4:]
    )


class CycleWatch:
    """Notices that a log repeats itself, in constant memory (Brent's algorithm on its entries).

    Two equal stretches of steps in a row prove a cycle: a stretch says what it writes at every place it
    writes to, so doing it again leaves the program as it was. Conversely a cycle repeats its steps.
    """

    __slots__ = ("_log", "_start", "_kept", "_next")

    def __init__(self, log: list[Entry]) -> None:
        self._log = log
        self._start = len(log)
        self._kept = -1
        self._next = len(log) + 64

    def check(self, strategy: object) -> None:
        """Call after each firing; raises StrategyError where a cycle is proved."""
        log = self._log
        last = len(log) - 1
        if last < self._next and self._kept < 0:
            return
        if self._kept >= 0 and _same(log[self._kept], log[last]):
            period = last - self._kept
            if last - 2 * period + 1 >= self._start and all(
                _same(log[index], log[index - period]) for index in range(last, last - period, -1)
            ):
                raise cycle(strategy, log[last - period + 1 :])
        if last >= self._next:
            self._kept = last
            self._next = 2 * last - self._start


def _same(one: Entry, other: Entry) -> bool:
    return one[0] is other[0] and one[3] == other[3] and one[2] == other[2] and same_place(one[1], other[1])
