"""Documents and their layout: where lines break. Independent of what is printed.

A document consists of text, places where a line may break, indentation, and groups: a group is printed on one line if
it fits, and otherwise breaks at all places of its own (Wadler, *A prettier printer*; Oppen, *Prettyprinting*). Nothing
recurses, and the time is linear in the document: its width on one line is computed once, when it is built, and at most
one line of the text after a group is examined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

WIDTH: Final = 100
#: the deepest indentation, in columns; without a limit, the text of a term of depth n would have n * n characters
MAX_INDENT: Final = 60


class Text(NamedTuple):
    """Characters without a line end."""

    characters: str
    flat: int


class Line(NamedTuple):
    """A line end, replaced by these characters in a group that fits."""

    instead: str
    flat: int


class Concat(NamedTuple):
    """Documents one after the other."""

    parts: tuple[Doc, ...]
    flat: int


class Nest(NamedTuple):
    """A document whose lines are indented by more columns."""

    columns: int
    inner: Doc
    flat: int


class Group(NamedTuple):
    """A document that is printed on one line if it fits."""

    inner: Doc
    flat: int


Doc: TypeAlias = Text | Line | Concat | Nest | Group

LINE: Final = Line(" ", 1)
SOFT_LINE: Final = Line("", 0)


def text(characters: str) -> Text:
    """Characters as a document."""
    return Text(characters, len(characters))


def concat(*parts: Doc | str) -> Doc:
    """Documents one after the other; strings become texts."""
    docs = tuple([Text(part, len(part)) if isinstance(part, str) else part for part in parts])
    if len(docs) == 1:
        return docs[0]
    flat = 0
    for doc in docs:
        flat += doc.flat
    return Concat(docs, flat)


_OPENING: Final = text("(")


def nest(columns: int, *parts: Doc | str) -> Nest:
    """Documents whose lines are indented by more columns."""
    inner = concat(*parts)
    return Nest(columns, inner, inner.flat)


def group(*parts: Doc | str) -> Doc:
    """Documents that are printed on one line if they fit together."""
    inner = concat(*parts)
    return inner if isinstance(inner, Text | Group) else Group(inner, inner.flat)


def separated(docs: Iterable[Doc], *between: Doc | str) -> Doc:
    """Documents with separators between them."""
    parts: list[Doc | str] = []
    for doc in docs:
        if parts:
            parts += between
        parts.append(doc)
    return concat(*parts)


def parenthesised(doc: Doc) -> Doc:
    """A document in parentheses."""
    return concat(_OPENING, nest(2, doc), ")")


def is_parenthesised(doc: Doc) -> bool:
    """Whether `parenthesised` built this document."""
    return isinstance(doc, Concat) and doc.parts[0] is _OPENING


def layout(doc: Doc, width: int = WIDTH) -> str:
    """The text of a document, with lines of at most `width` columns where its line breaks allow.

    >>> words = group("f(", nest(2, SOFT_LINE, "one,", LINE, "two"), ")")
    >>> layout(words)
    'f(one, two)'
    >>> print(layout(words, width=8))
    f(
      one,
      two)
    """
    pieces: list[str] = []
    column = 0
    stack: list[_Item] = [(0, False, doc)]
    while stack:
        indent, flat, node = stack.pop()
        if type(node) is Text:
            pieces.append(node.characters)
            column += node.flat
        elif type(node) is Concat:
            stack += [(indent, flat, part) for part in node.parts[::-1]]
        elif type(node) is Nest:
            stack.append((min(indent + node.columns, MAX_INDENT), flat, node.inner))
        elif type(node) is Group:
            room = width - column - node.flat
            stack.append((indent, flat or (room >= 0 and _rest_fits(stack, room)), node.inner))
        elif type(node) is Line and flat:
            pieces.append(node.instead)
            column += node.flat
        else:
            pieces.append("\n" + " " * indent)
            column = indent
    return "".join(pieces)


_Item: TypeAlias = tuple[int, bool, Doc]


def _rest_fits(rest: Sequence[_Item], room: int) -> bool:
    """Whether the remaining documents, up to the next possible line end, fit into the room."""
    for _, flat, doc in reversed(rest):
        if flat:
            room -= doc.flat
        else:
            nested: list[Iterator[Doc]] = [iter((doc,))]
            while nested and room >= 0:
                match next(nested[-1], None):
                    case None:
                        nested.pop()
                    case Text(_, length):
                        room -= length
                    case Line():
                        return True
                    case Concat(parts):
                        nested.append(iter(parts))
                    case Nest(_, inner) | Group(inner):
                        nested.append(iter((inner,)))
        if room < 0:
            return False
    return True
