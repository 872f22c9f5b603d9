"""Where reading stopped: what was found, what could have followed, what was open. Says nothing about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput

from rise.diagnostics import Label, quoted
from rise.text.builder import span_of
from rise.text.hints import CLOSERS, TERMINALS
from rise.text.trees import Syntax

DEEPEST_TRIAL: Final = 2000  # open constructs up to which each expected token is tried, not looked up

# What stands at a place, more generously than the grammar reads: whole words, whole numbers, any operator.
_STANDING: Final = re.compile(
    r"[A-Za-z_][A-Za-z0-9_']*|[0-9](?:[eE][+-][0-9]|[A-Za-z0-9_]|\.[0-9])*"
    r"|=>|->|>=|<=|===?|!=|>>|\|->|\|>|\|\||&&|/\^|\.\.|/\*|:=|::|\*\*|.",
    re.DOTALL,
)
# Foreign operators whose first character RISE reads as one of its own
_SPLIT: Final = frozenset({"->", "/*", ":=", "::", "**", "===", "!==", "++", "<>", "=<", "<|", ">>=", "+="})
_WHOLE_BEFORE: Final = re.compile(r"(?<![A-Za-z0-9_'.])[0-9]+\.\Z")
_WORD_BEFORE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']*\Z")


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stopped: what was found there, what could have followed, what was open."""

    text: str
    start: int
    end: int  # = start at the end of the text
    accepts: frozenset[str]  # names of terminals
    open: tuple[Token, ...]  # tokens that wait for the rest of their construct, from the innermost bracket on
    before: int  # where the text before ends, spaces left out
    kind: str  # of the text: program, expression, equation, type

    @property
    def found(self) -> str:
        """What stands at the place, "" at the end of the text."""
        return self.text[self.start : self.end]

    @property
    def bracket(self) -> Token | None:
        """The innermost open bracket."""
        return self.open[0] if self.open and self.open[0].value in CLOSERS else None

    @property
    def opener(self) -> str:
        """Which bracket is open, "" for none."""
        return self.bracket.value if self.bracket is not None else ""

    @property
    def last(self) -> str:
        """The character before, spaces left out."""
        return self.text[max(self.before - 1, 0) : self.before]

    @property
    def word_before(self) -> str:
        """The name or number's end before, spaces left out."""
        found = _WORD_BEFORE.search(self.text[max(self.before - 100, 0) : self.before])
        return found[0] if found else ""

    @property
    def is_at_end(self) -> bool:
        """Whether the text, or a definition, ends here."""
        return not self.found or (self.found == "val" and self._begins_line())

    def _begins_line(self) -> bool:
        before = self.text[max(self.start - 200, 0) : self.start].rstrip(" \t\f")
        return before == "" or before[-1] in "\r\n"

    @property
    def is_foreign(self) -> bool:
        """Whether what was found is an operator of other languages, which the lexer cut in two."""
        return self.found in _SPLIT

    def expects(self, *terminals: str) -> bool:
        """Whether one of the terminals could have followed."""
        return any(one in self.accepts for one in terminals)

    def name(self) -> str:
        """The found, as a diagnostic names it."""
        return quoted(self.found) if self.found else "the end of the text"

    def label(self, text: str = "") -> Label:
        """The place where reading stopped."""
        at = self.start if self.found else self.before
        return Label(at, max(self.end, at), text)

    def labels(self) -> tuple[Label, ...]:
        """The place, and the bracket that waits for its end where that may be the reason."""
        bracket = self.bracket
        if bracket is not None and (self.is_at_end or self.expects(TERMINALS[CLOSERS[bracket.value]])):
            return (label_of(bracket, f"`{bracket.value}` is open since here"), self.label())
        return (self.label(),)


def stop_at(parser: Lark, error: UnexpectedInput, text: str, kind: str) -> Stop:
    """Read again up to the place of the error, where the parser has not yet acted on what it refuses."""
    place: Any = error  # lark declares these attributes on no common class
    if isinstance(error, UnexpectedCharacters):
        start: int = place.pos_in_stream
    else:
        start = len(text) if place.token.type == "$END" else span_of(place.token).start
    interactive: Any = parser.parse_interactive(text, kind)
    state = interactive.parser_state
    with suppress(UnexpectedInput):
        for token in interactive.lexer_thread.lex(state):
            if span_of(token).start >= start:
                break
            interactive.feed_token(token)
    is_small = len(state.state_stack) <= DEEPEST_TRIAL
    accepts = interactive.accepts() if is_small else {one for one in interactive.choices() if one.isupper()}
    ends = (span_of(one).end for one in reversed(state.value_stack) if isinstance(one, Token | Syntax))
    start, end = _found(text, start, "FLOAT" in accepts)
    return Stop(text, start, end, frozenset(accepts), _open(state.value_stack), next(ends, 0), kind)


def _open(values: Sequence[Any]) -> tuple[Token, ...]:
    """The tokens that wait for the rest of their construct, from the innermost open bracket on."""
    found: list[Token] = []
    closed = 0
    for value in reversed(values):
        if not isinstance(value, Token):
            continue
        if value.value in CLOSERS.values():
            closed += 1
        elif value.value in CLOSERS and closed:
            closed -= 1
        elif not closed:
            found.append(value)
            if value.value in CLOSERS:
                break
    return tuple(reversed(found))


def _found(text: str, start: int, is_float: bool) -> tuple[int, int]:
    """What stands at a place, together with what stands right before it where both are one foreign token."""
    for size in (2, 1):
        if start >= size and text[start - size : start + 1] in _SPLIT and start < len(text):
            return start - size, start + 1
    whole = _WHOLE_BEFORE.search(text, max(start - 100, 0), start) if is_float else None
    if whole and text[start : start + 1].isdigit():
        start = whole.start()
    found = _STANDING.match(text, start)
    return start, found.end() if found else start


def label_of(token: Token, text: str) -> Label:
    """A label on a token."""
    return Label(*span_of(token), text)
