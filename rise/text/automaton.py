"""Runs the grammar's generated tables: an LALR(1) automaton whose lexer only matches terminals that its state accepts.

Returns the same results as lark for the same tables, several times faster. Independent of the rules of the grammar and
of the explanation of errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from lark import Token

from rise.records import dataclass

Match: TypeAlias = Callable[[str, int], "re.Match[str] | None"]
Build: TypeAlias = Callable[..., Any]

END: Final = "$END"


class StoppedError(Exception):
    """Raised if the text is not in the language."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """A reduction by a rule: the number of values that it takes, those from which it builds its own value, and how.

    `kept` has the positions of these values, and for each whether it is a list to be spliced in; None if all values are
    kept as they are. Without `build`, the value of the rule is the list of these values. `is_unit` if the value of the
    rule is the single value that it takes.
    """

    origin: str
    size: int
    kept: tuple[tuple[int, bool], ...] | None
    build: Build | None
    is_optional: bool  # whether a single value is the rule's value
    is_unit: bool


class Automaton:
    """The automaton for generated tables, whose values are built by the methods of a builder."""

    __slots__ = (
        "_actions",
        "_blank",
        "_chains",
        "_ends",
        "_lexers",
        "_matchers",
        "_skip",
        "_starts",
        "_terminals",
    )

    def __init__(self, data: Mapping[str, Any], memo: Mapping[int, Any], builder: object) -> None:
        table, conf = data["parser"]["parser"], data["parser"]["lexer_conf"]
        names = table["tokens"]
        rules = {at: _reduction(one, builder) for at, one in memo.items() if one["__type__"] == "Rule"}
        #: for each state and the name of a symbol: the state to go to, or the rule to reduce by
        self._actions: dict[int, dict[str, int | Reduction]] = {
            state: {names[at]: to if kind == 0 else rules[to["@"]] for at, (kind, to) in row.items()}
            for state, row in table["states"].items()
        }
        self._starts, self._ends = table["start_states"], table["end_states"]
        #: for the state below, the state and the next terminal: the state after all reductions by rules with one symbol
        self._chains: dict[tuple[int, int, str], int] = {}
        self._terminals = {memo[one["@"]]["name"]: memo[one["@"]] for one in conf["terminals"]}
        blank = "|".join(f"(?:{_regexp(self._terminals.pop(name))})" for name in conf["ignore"])
        self._skip: Final = f"(?:{blank})*+"
        self._blank: Final = re.compile(self._skip).fullmatch
        #: the lexer of each state reached so far; states that accept the same terminals share one
        self._lexers: dict[int, Match] = {}
        self._matchers: dict[frozenset[str], Match] = {}

    def parse(self, text: str, start: str) -> Any:
        """The value of a text. Raises StoppedError if the text cannot be read."""
        actions, lexers, chains = self._actions, self._lexers, self._chains
        state: int = self._starts[start]
        end = self._ends[start]
        states: list[int] = [state]
        values: list[Any] = []
        position = 0
        while True:
            match = (lexers.get(state) or self._lexer(state))(text, position)
            kind: Any = END if match is None else match.lastgroup  # each alternative is a group
            if match is None and not self._blank(text, position, len(text)):
                raise StoppedError
            while True:
                action: Any = actions[state].get(kind)
                if type(action) is int:
                    break
                if action is None:
                    raise StoppedError
                if action.is_unit:
                    chain = (states[-2], state, kind)
                    state = chains.get(chain, _UNKNOWN)
                    if state == _UNKNOWN:
                        state = chains[chain] = self._after_units(*chain)
                    states[-1] = state
                else:
                    size = action.size
                    taken = values[-size:] if size else []
                    if size:
                        del values[-size:], states[-size:]
                    values.append(_built(action, taken))
                    state = actions[states[-1]][action.origin]  # type: ignore[assignment]  # after a reduction
                    states.append(state)
                if state == end and kind is END:
                    return values[-1]
            assert match is not None
            states.append(action)
            state = action
            first, position = match.span(kind)
            token: Any = _new_token(Token, match[kind])
            token.type, token.value = kind, match[kind]
            token.start_pos, token.end_pos = first, position
            values.append(token)

    def _lexer(self, state: int) -> Match:
        """A function that skips blanks and comments and matches a terminal: the first by priority, length and name, as
        in lark.
        """
        accepted = frozenset(self._actions[state].keys() & self._terminals.keys())
        if accepted not in self._matchers:
            ordered = sorted([self._terminals[name] for name in accepted], key=_order)
            words = "|".join(f"(?P<{one['name']}>{_regexp(one)})" for one in ordered) or "(?!)"
            self._matchers[accepted] = re.compile(f"{self._skip}(?:{words})").match
        self._lexers[state] = self._matchers[accepted]
        return self._lexers[state]

    def _after_units(self, below: int, state: int, kind: str) -> int:
        """The state after all reductions by rules with a single symbol."""
        while True:
            action = self._actions[state].get(kind)
            if not isinstance(action, Reduction) or not action.is_unit:
                return state
            state = self._actions[below][action.origin]  # type: ignore[assignment]  # a state


_UNKNOWN: Final = -1
_new_token: Final = str.__new__


def _built(rule: Reduction, values: list[Any]) -> Any:
    """The value of a rule, from the values of its symbols."""
    if rule.kept is not None:
        kept: list[Any] = []
        for at, is_list in rule.kept:
            if not is_list:
                kept.append(values[at])
            elif kept:
                kept += values[at]
            else:
                kept = values[at]  # nothing else refers to it, so the items of a long list are copied once
        values = kept
    if rule.build is None:
        return values
    return values[0] if rule.is_optional and len(values) == 1 else rule.build(*values)


def _reduction(rule: Mapping[str, Any], builder: object) -> Reduction:
    symbols, origin = rule["expansion"], rule["origin"]["name"]
    keeps_all = rule["options"]["keep_all_tokens"]
    kept = [
        (at, symbol["__type__"] == "NonTerminal" and symbol["name"].startswith("_"))
        for at, symbol in enumerate(symbols)
        if keeps_all or not symbol.get("filter_out")
    ]
    is_plain = kept == [(at, False) for at in range(len(symbols))]
    is_optional = rule["options"]["expand1"] and not rule["alias"]
    built = getattr(builder, rule["alias"] or origin, None)
    assert built is not None or origin.startswith("_") or (is_optional and len(kept) == 1), rule
    return Reduction(
        origin,
        len(symbols),
        None if is_plain else tuple(kept),
        getattr(built, "__wrapped__", built),  # without lark's wrapper, which passes the values unchanged
        is_optional,
        is_plain and is_optional and len(symbols) == 1,
    )


def _regexp(terminal: Mapping[str, Any]) -> str:
    pattern = terminal["pattern"]
    assert not pattern["flags"], terminal
    value: str = pattern["value"]
    return value if pattern["__type__"] == "PatternRE" else re.escape(value)


def _order(terminal: Any) -> tuple[Any, ...]:
    pattern = terminal["pattern"]
    widest = pattern["_width"][1] if "_width" in pattern else len(pattern["value"])
    return -terminal["priority"], -widest, -len(pattern["value"]), terminal["name"]
