"""Finds the free names in a user's text of a type, a kind or a size. Independent of variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from rise.diagnostics import RiseError
from rise.inference.kinds import is_kind
from rise.text import syntax as s
from rise.text.names import RESERVED
from rise.text.reader import read_expression
from rise.text.trees import Syntax, children

_WORD: Final = re.compile(r"(?<![A-Za-z0-9_'])[A-Za-z_][A-Za-z0-9_']*")
_OF_PARAMETER: Final = "fun(x: ", " => x)"
_IN_BRACES: Final = "x{", "}"


class Mention(NamedTuple):
    """A name in a text, from `start` to `end` (exclusive)."""

    name: str
    start: int
    end: int


class Mentions(NamedTuple):
    """The free names of a text, and whether the text is the kind of a size, a type or an address space.

    `others` are the names that it binds, as in `n..(i |-> i.f32)`; if the text cannot be read, these are all its words.
    """

    names: tuple[Mention, ...]
    others: frozenset[str]
    is_kind: bool


@lru_cache(maxsize=1 << 10)
def mentions(text: str, of_parameter: bool = False) -> Mentions:
    """The free names of a text: the type or the kind of a parameter, or implicit arguments in braces.

    >>> [mention.name for mention in mentions("(2 * n).m.t").names]
    ['n', 'm', 't']
    >>> mentions("nat where 4 divides n", of_parameter=True).is_kind
    True
    >>> [mention.name for mention in mentions("m = k").names]
    ['k']
    """
    before, after = _OF_PARAMETER if of_parameter else _IN_BRACES
    try:
        read = read_expression(f"{before}{text}{after}")
    except RiseError:
        return _unread(text)
    match read:
        case s.Fun(_, (s.Param(_, _, Syntax() as type, _, facts),), s.Name()) if of_parameter:
            parts: list[Syntax] = [type, *facts]
            is_of_kind = is_kind(type) or (isinstance(type, s.TypeName) and type.name == "space")
        case s.Instantiate(_, s.Name(), instances) if not of_parameter:
            parts = [argument.type for argument in instances]
            is_of_kind = False
        case _:
            return _unread(text)
    names: list[Mention] = []
    bound: set[str] = set()
    for part in parts:
        for name, at, is_bound in _names(part):
            if is_bound:
                bound.add(name)
            elif name not in RESERVED:
                start = text.index(name, at - len(before))  # the text may be in parentheses
                names.append(Mention(name, start, start + len(name)))
    return Mentions(tuple(sorted(names, key=lambda mention: mention.start)), frozenset(bound), is_of_kind)


def words(text: str) -> frozenset[str]:
    """All words of a text.

    >>> sorted(words("fun(i: idx[n] => 1i64)"))
    ['fun', 'i', 'idx', 'n']
    """
    return frozenset(_WORD.findall(text))


def _unread(text: str) -> Mentions:
    """The result for a text that cannot be read; it is reported when the whole term is read."""
    return Mentions((), words(text), False)


def _names(root: Syntax) -> Iterator[tuple[str, int, bool]]:
    """The names in a tree, each with its start, and whether the tree binds it or it is a keyword."""
    work: list[tuple[Syntax, frozenset[str]]] = [(root, frozenset())]
    while work:
        node, bound = work.pop()
        match node:
            case s.TypeName(span, name) | s.TypeCall(span, name) if name not in bound:
                yield name, span.start, False
        match node:
            case s.ExplicitArrow(_, name, kind, body) | s.ImplicitArrow(_, name, kind, body):
                yield name, 0, True
                work += [(kind, bound), (body, bound | {name})]
            case s.DependentPair(_, name, kind, body):
                yield name, 0, True
                work += [(kind, bound), (body, bound | {name})]
            case s.IndexMap(_, name, body):
                yield name, 0, True
                work.append((body, bound | {name}))
            case s.TypeCall(_, "Fragment", (*sizes, role)):  # the last ones are keywords
                work += [(size, bound) for size in sizes[:4]]
                keywords = (word for word in (*sizes[4:], role) if isinstance(word, s.TypeName))
                yield from ((word.name, 0, True) for word in keywords)
            case _:
                work += [(child, bound) for child in children(node)]
