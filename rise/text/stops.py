"""Describes where parsing stopped: the token found, the tokens expected, the open brackets.

Does not explain mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput

from rise.diagnostics import Label, quoted
from rise.records import dataclass
from rise.text.builder import span_of
from rise.text.hints import CLOSERS, TERMINALS
from rise.text.trees import Syntax

MAX_TRIAL_DEPTH: Final = 2000  # of open constructs for which expected tokens are tried, not looked up

# The text at a place, in larger units than the grammar's tokens: whole words, whole numbers, any operator.
_WORD: Final = re.compile(
    r"[A-Za-z_][A-Za-z0-9_']*|[0-9](?:[eE][+-][0-9]|[A-Za-z0-9_]|\.[0-9])*"
    r"|=>|->|>=|<=|===?|!=|>>|\|->|\|>|\|\||&&|/\^|\.\.|/\*|:=|::|\*\*|.",
    re.DOTALL,
)
# Operators of other languages whose first characters are operators of RISE
_SPLIT: Final = frozenset({"->", "/*", ":=", "::", "**", "===", "!==", "++", "<>", "=<", "<|", ">>=", "+="})
_WHOLE_BEFORE: Final = re.compile(r"(?<![A-Za-z0-9_'.])[0-9]+\.\Z")
_WORD_BEFORE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']*\Z")


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stopped: the token found, the tokens expected, the open constructs."""

    text: str
    start: int
    end: int  # = start at the end of the text
    accepts: frozenset[str]  # names of terminals
    open: tuple[Token, ...]  # the tokens of unfinished constructs, from the innermost bracket on
    before: int  # where the previous text ends, without spaces
    kind: str  # the kind of text: program, expression, equation, type

    @property
    def found(self) -> str:
        """The text at the place, "" at the end of the text."""
        return self.text[self.start : self.end]

    @property
    def bracket(self) -> Token | None:
        """The innermost open bracket."""
        return self.open[0] if self.open and self.open[0].value in CLOSERS else None

    @property
    def opener(self) -> str:
        """The innermost open bracket's character, "" if there is none."""
        return self.bracket.value if self.bracket is not None else ""

    @property
    def last(self) -> str:
        """The previous character, ignoring spaces."""
        return self.text[max(self.before - 1, 0) : self.before]

    @property
    def word_before(self) -> str:
        """The previous name or the end of a number, ignoring spaces."""
        match = _WORD_BEFORE.search(self.text[max(self.before - 100, 0) : self.before])
        return match[0] if match else ""

    @property
    def is_at_end(self) -> bool:
        """Whether the text, or a definition, ends here."""
        return not self.found or (self.found == "val" and self._begins_line())

    def _begins_line(self) -> bool:
        before = self.text[max(self.start - 200, 0) : self.start].rstrip(" \t\f")
        return before == "" or before[-1] in "\r\n"

    @property
    def is_foreign(self) -> bool:
        """Whether the text found is an operator of another language, which the lexer split."""
        return self.found in _SPLIT

    def expects(self, *terminals: str) -> bool:
        """Whether one of the terminals is accepted here."""
        return any(terminal in self.accepts for terminal in terminals)

    def name(self) -> str:
        """The name of the text found in diagnostics."""
        return quoted(self.found) if self.found else "the end of the text"

    def label(self, text: str = "") -> Label:
        """The place where reading stopped."""
        start = self.start if self.found else self.before
        return Label(start, max(self.end, start), text)

    def labels(self) -> tuple[Label, ...]:
        """Labels for the place and, if it may be the reason, for the unclosed bracket."""
        bracket = self.bracket
        if bracket is not None and (self.is_at_end or self.expects(TERMINALS[CLOSERS[bracket.value]])):
            return (label_of(bracket, f"`{bracket.value}` was opened here"), self.label())
        return (self.label(),)


def stop_at(parser: Lark, error: UnexpectedInput, text: str, kind: str) -> Stop:
    """Read the text again up to the place of the error, where the parser has not yet processed the rejected token."""
    place: Any = error  # lark declares these attributes on different classes
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
    is_small = len(state.state_stack) <= MAX_TRIAL_DEPTH
    accepts = (
        interactive.accepts() if is_small else {value for value in interactive.choices() if value.isupper()}
    )
    ends = (span_of(value).end for value in reversed(state.value_stack) if isinstance(value, Token | Syntax))
    start, end = _found(text, start, "FLOAT" in accepts)
    return Stop(text, start, end, frozenset(accepts), _open(state.value_stack), next(ends, 0), kind)


def _open(values: Sequence[Any]) -> tuple[Token, ...]:
    """The tokens of unfinished constructs, from the innermost open bracket on."""
    tokens: list[Token] = []
    closed = 0
    for value in reversed(values):
        if not isinstance(value, Token):
            continue
        if value.value in CLOSERS.values():
            closed += 1
        elif value.value in CLOSERS and closed:
            closed -= 1
        elif not closed:
            tokens.append(value)
            if value.value in CLOSERS:
                break
    return tuple(reversed(tokens))


def _found(text: str, start: int, is_float: bool) -> tuple[int, int]:
    """The span of the text at a place, extended to the left if it is the end of a foreign token."""
    for size in (2, 1):
        if start >= size and text[start - size : start + 1] in _SPLIT and start < len(text):
            return start - size, start + 1
    whole = _WHOLE_BEFORE.search(text, max(start - 100, 0), start) if is_float else None
    if whole and text[start : start + 1].isdigit():
        start = whole.start()
    token = _WORD.match(text, start)
    return start, token.end() if token else start


def label_of(token: Token, text: str) -> Label:
    """A label on a token."""
    return Label(*span_of(token), text)
