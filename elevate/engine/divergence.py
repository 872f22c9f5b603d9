"""How strategies run for ever or rules break, told as diagnostics. Knows steps as entries of a log, and no strategy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.term import Breach, Path, show_path, show_term
from elevate.trace import Entry

OFTEN = 128
"""Firings of one rule in a row, after which it is taken to circle where it raises."""

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


def grows(strategy: object, late: Sequence[Entry], count: int, first: int, now: int) -> StrategyError:
    """A repetition makes the program larger and larger by the same rules."""
    return StrategyError(
        Diagnostic(
            code="endless-growth",
            title=(
                f"{strategy} grows the program without end: from {amount(first)} to {amount(now)} nodes "
                f"in {count} firings; the rules that circle are {rule_names(late)}"
            ),
            notes=last_places(list({entry[0].name: entry for entry in late}.values())),
            hint=f"{MUST_FAIL}: guard one of these rules; where it does end, call `elevate.run` with the fuel it takes",
        )
    )


def amount(number: int) -> str:
    """A number as people read it."""
    return f"{number:,}" if number < 10**9 else "more than a billion"


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


def raised(
    strategy: object, path: Path, term: object, error: Exception, log: Sequence[Entry] = ()
) -> StrategyError:
    """A rule or predicate of the user raised: a bug in it, not a failure; unless it only fired on and on before."""
    if len(log) >= OFTEN and all(entry[0] is strategy for entry in log[-OFTEN:]):
        return _raised_at_last(strategy, error, log)
    return StrategyError(
        Diagnostic(
            code="rule-raised",
            title=f"{strategy} raised {type(error).__name__} at {show_path(path)}: {error}",
            notes=(f"it was tried on {show_term(term)}",),
            hint="a rule returns None and a predicate False where it does not match; neither raises",
        )
    )


def _raised_at_last(rule: object, error: Exception, log: Sequence[Entry]) -> StrategyError:
    count = next((number for number, entry in enumerate(reversed(log)) if entry[0] is not rule), len(log))
    return StrategyError(
        Diagnostic(
            code="endless-growth",
            title=(
                f"{rule} grows the program without end: after {count:,} firings of it in a row,"
                f" what it makes is too large for it: {type(error).__name__}: {str(error).partition(chr(10))[0]}"
            ),
            notes=last_places(log[-2:]),
            hint=f"{MUST_FAIL}: guard this rule, or apply it a number of times",
        )
    )


def excused(rule: object, breach: Breach) -> bool:
    """Whether a rule may put in variables that the redex has not: one from a scope says what stands around it."""
    return getattr(rule, "is_scoped", False) and breach[0] != "changes the type"


def broken(rule: object, path: Path, redex: object, contractum: object, breach: Breach) -> StrategyError:
    """A rule answered what cannot stand where its redex stood: a bug in it."""
    what, expected, found = breach
    return StrategyError(
        Diagnostic(
            code="rule-broken",
            title=f"{rule} {what} at {show_path(path)}: expected {expected}, found {found}",
            notes=(f"it turned {show_term(redex)} into {show_term(contractum)}",),
            hint="what a rule answers must fit wherever the redex may stand: of its type, and of its variables only",
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
