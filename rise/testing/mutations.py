"""Mutates texts at random: deletes, replaces, moves or repeats tokens of a program. Independent of messages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from rise.primitives import PRIMITIVES

#: the tokens to insert; brackets occur more often than others
INSERTED_TOKENS: Final = (
    "()",
    "()",
    "()",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ".",
    "..",
    "->",
    "=>",
    "=",
    "|>",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "/^",
    "^",
    "<",
    "==",
    "&&",
    "!",
    "0",
    "1",
    "2",
    "16",
    "1.5",
    "2f16",
    "300u8",
    "1e40",
    "n",
    "m",
    "N",
    "x",
    "y",
    "xs",
    "f",
    "t",
    "i",
    "fun",
    "val",
    "if",
    "then",
    "else",
    "where",
    "divides",
    "nat",
    "space",
    "data",
    "num",
    "f32",
    "i32",
    "bool",
    "vec",
    "in",
    "type",
    "import",
    "**",
    "Fragment",
    "Local",
    "inf",
    "nan",
    "true",
    "asFragment",
    "_",
    "foreign",
    "|->",
    *PRIMITIVES,
)
#: replacements for an argument in parentheses
ARGUMENTS: Final = (
    "x",
    "xs",
    "1.0",
    "n",
    "(x)",
    "(neg)",
    "(xs)",
    "(split(2))",
    "(take(n))",
    "(fun(x => x))",
    "(fun(a, b => a))",
    "(f(x))",
    "(2*n)",
    "(map(neg))",
    "(fun(n: nat => take(n)))",
    "(x : f16)",
    "(fun({n: nat}, y: n.f32 => y))",
    "(zip(xs, xs))",
    "{n = 4}",
    "{f16}",
)
#: characters and numbers that are rare in programs
RARE_TOKENS: Final = (
    "\0",
    "\t",
    "\r",
    "\u00e9",
    "\u2192",
    "\u200b",
    "\U0001f600",
    "\ufeff",
    "'",
    '"',
    "\\",
    "#",
    "//",
    "/*",
    str((1 << 31) - 1),
    str(1 << 63),
    str(1 << 64),
    "1" * 400,
    "1e400",
    "0x1",
    "1_000",
    "-0",
    "1.",
    ".5",
)
TOKEN: Final = re.compile(r"\s+|[A-Za-z_][A-Za-z0-9_']*|[0-9][0-9a-z.]*|=>|\|>|>>|/\^|->|.", re.DOTALL)
CALL: Final = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
#: the numbers of repetitions of tokens, and the depths to which they are nested; most texts keep a realistic size
_TIMES: Final = (2, 3, 10, 100)

_Change = Callable[[list[str], random.Random], None]


def mutated(text: str, seed: int, others: Sequence[str] = ()) -> str:
    """The text with one to three changes, or six; some of them insert tokens of another text."""
    chance = random.Random(seed)
    tokens = TOKEN.findall(text)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 6))):
        if others and chance.randrange(10) == 0:
            other = TOKEN.findall(chance.choice(others))
            start = chance.randrange(len(other) + 1)
            at = chance.randrange(len(tokens) + 1)
            tokens[at:at] = other[start : start + chance.randrange(1, 30)]
        else:
            chance.choice(_CHANGES)(tokens, chance)
    return "".join(tokens)


def _at(tokens: list[str], chance: random.Random) -> int:
    return chance.randrange(len(tokens) + 1)


def _insert(tokens: list[str], chance: random.Random) -> None:
    tokens.insert(_at(tokens, chance), chance.choice(INSERTED_TOKENS))


def _insert_odd(tokens: list[str], chance: random.Random) -> None:
    tokens.insert(_at(tokens, chance), chance.choice(RARE_TOKENS))


def _replace(tokens: list[str], chance: random.Random) -> None:
    at = _at(tokens, chance)
    tokens[at : at + 1] = [chance.choice(INSERTED_TOKENS)]


def _delete(tokens: list[str], chance: random.Random) -> None:
    at = _at(tokens, chance)
    tokens[at : at + chance.randrange(4)] = []


def _copy(tokens: list[str], chance: random.Random) -> None:
    at = _at(tokens, chance)
    tokens[at : at + 1] = [chance.choice(tokens or [""])]


def _swap(tokens: list[str], chance: random.Random) -> None:
    if tokens:
        first, second = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        tokens[first], tokens[second] = tokens[second], tokens[first]


def _argument(tokens: list[str], chance: random.Random) -> None:
    """Replace an argument."""
    whole = "".join(tokens)
    groups = list(CALL.finditer(whole))
    if groups:
        group = chance.choice(groups)
        tokens[:] = TOKEN.findall(whole[: group.start()] + chance.choice(ARGUMENTS) + whole[group.end() :])


def _lines(tokens: list[str], chance: random.Random) -> None:
    """Delete, duplicate or move a line."""
    lines = "".join(tokens).split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.randrange(3)):
        lines.insert(chance.randrange(len(lines) + 1), line)
    tokens[:] = TOKEN.findall("\n".join(lines))


def _repeat(tokens: list[str], chance: random.Random) -> None:
    """Repeat consecutive tokens."""
    at = _at(tokens, chance)
    run = tokens[at : at + chance.randrange(1, 8)]
    tokens[at:at] = run * chance.choice(_TIMES)


def _nest(tokens: list[str], chance: random.Random) -> None:
    """Nest a token in brackets."""
    at = _at(tokens, chance)
    opening, closing = chance.choice((("(", ")"), ("map(", ")"), ("fun(x => ", ")"), ("[", "]"), ("-", "")))
    times = chance.choice(_TIMES)
    tokens[at : at + 1] = [opening * times, *tokens[at : at + 1], closing * times]


def _number(tokens: list[str], chance: random.Random) -> None:
    """Replace a number."""
    places = [at for at, token in enumerate(tokens) if token[:1].isdigit()]
    if places:
        tokens[chance.choice(places)] = chance.choice(("0", "1", "7", "33", *RARE_TOKENS[-9:]))


def _cut(tokens: list[str], chance: random.Random) -> None:
    """Truncate the text."""
    del tokens[_at(tokens, chance) :]


_CHANGES: Final[tuple[_Change, ...]] = (
    _insert,
    _replace,
    _delete,
    _copy,
    _argument,
    _insert,
    _replace,
    _delete,
    _copy,
    _argument,
    _insert_odd,
    _swap,
    _lines,
    _repeat,
    _nest,
    _number,
    _cut,
)
