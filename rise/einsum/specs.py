"""Parses the notation of `numpy.einsum`: the letter of each axis of each operand. Independent of programs.

In `"ab,bc->ac"`, letters name axes, commas separate operands, and the result follows `->`. Without `->`, the result has
the letters that occur once, in alphabetical order. `...` stands for axes without letters, which are aligned at the last
one, as in broadcasting. A repeated letter is a diagonal. Spaces are ignored.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.records import dataclass

LETTERS: Final = string.ascii_letters
#: the first of the internal letters for the axes of an ellipsis, which no specification can contain
FIRST_UNNAMED: Final = 0x3B1
DOTS: Final = "..."
GRAMMAR: Final = 'write letters for axes, commas between operands, and `->` before the result: "ab,bc->ac"'


@dataclass(frozen=True, slots=True)
class Term:
    """An operand or the result: the letter of each axis, and the place where it is written. All axes of an ellipsis
    have the same place.
    """

    letters: str
    places: tuple[Label, ...]
    whole: Label


@dataclass(frozen=True, slots=True)
class Spec:
    """A contraction: `text` as it is written, with the letters of operands of known ranks, and of the result."""

    text: str
    operands: tuple[Term, ...]
    result: str

    def refuse(self, code: str, title: str, hint: str, *labels: Label) -> NoReturn:
        """Raise RiseError with the specification underlined."""
        raise RiseError(Diagnostic(code, title, labels, hint, source=self.text))


@dataclass(frozen=True, slots=True)
class _Written:
    """A list of letters with their offsets; an ellipsis is the item `...`."""

    items: tuple[tuple[str, int], ...]
    start: int
    end: int

    @property
    def named(self) -> int:
        return sum(item != DOTS for item, _ in self.items)

    @property
    def has_dots(self) -> bool:
        return any(item == DOTS for item, _ in self.items)


def read_spec(text: Any, ranks: Sequence[int]) -> Spec:
    """The letters of operands with these numbers of axes. Raises RiseError with the specification underlined."""
    if not isinstance(text, str):
        title = f"expected a specification as text, found {text!r:.60}"
        raise RiseError(Diagnostic("einsum-syntax", title, hint=GRAMMAR))
    blank = Spec(text, (), "")
    if not ranks:
        blank.refuse(
            "einsum-operands",
            "expected at least one operand, found none",
            "pass an operand for each part of the specification: arrays to `einsum`, types to `contraction`",
        )
    left, arrow, right = text.partition("->")
    written: list[_Written] = []
    start = 0
    for part in left.split(","):
        written.append(_read(blank, part, start))
        start += len(part) + 1
    if len(written) != len(ranks):
        title = f"expected {_count(len(written), 'operand')}, as the specification has, found {len(ranks)}"
        label = Label(0, max(1, len(left)), f"{_count(len(written), 'operand')} here")
        blank.refuse("einsum-operands", title, "separate operands by commas", label)
    unnamed = max(
        (rank - one.named for one, rank in zip(written, ranks, strict=True) if one.has_dots), default=0
    )
    operands = tuple(_term(blank, one, rank, unnamed) for one, rank in zip(written, ranks, strict=True))
    if arrow:
        result = _result(blank, _read(blank, right, len(left) + 2), operands, unnamed)
    else:
        all_letters = "".join(one.letters for one in operands)
        result = _dots(unnamed, unnamed) + "".join(
            c for c in sorted(set(all_letters)) if c in LETTERS and all_letters.count(c) == 1
        )
    return Spec(text, operands, result)


def spec_of_letters(text: str) -> Spec:
    """A specification whose operands have as many axes as letters, since the operands are not known yet. Raises
    RiseError for an ellipsis, which stands for an unknown number of axes.

    >>> spec_of_letters("ab,bc").result
    'ac'
    """
    blank = Spec(text, (), "")
    ranks, start = [], 0
    for part in text.partition("->")[0].split(","):
        written = _read(blank, part, start)
        dots = next((at for item, at in written.items if item == DOTS), None)
        if dots is not None:
            title = "expected a letter for each axis, found `...`"
            hint = "only the operands would say how many axes it stands for: write letters for them"
            blank.refuse("einsum-axes", title, hint, Label(dots, dots + len(DOTS)))
        ranks.append(written.named)
        start += len(part) + 1
    return read_spec(text, ranks)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _axes(number: int) -> str:
    return f"{number} ax{'i' if number == 1 else 'e'}s"


def _read(spec: Spec, part: str, start: int) -> _Written:
    """The letters of one operand or of the result."""
    items: list[tuple[str, int]] = []
    position = 0
    while position < len(part):
        c = part[position]
        if part.startswith(DOTS, position):
            if any(item == DOTS for item, _ in items):
                label = Label(start + position, start + position + 3, "the first one is here, before this")
                spec.refuse(
                    "einsum-syntax",
                    "expected at most one ellipsis in an operand, found two",
                    "one `...` stands for all axes without letters",
                    label,
                )
            items.append((DOTS, start + position))
            position += 3
            continue
        if c in LETTERS:
            items.append((c, start + position))
        elif not c.isspace():
            end = position + 1
            while c == "." and part[end : end + 1] == ".":
                end += 1
            title = f"expected a letter, a comma, `...` or `->`, found `{part[position:end]}`"
            hint = "write an ellipsis as three dots" if c == "." else GRAMMAR
            spec.refuse("einsum-syntax", title, hint, Label(start + position, start + end, "not a letter"))
        position += 1
    return _Written(tuple(items), start, start + len(part))


def _dots(shown: int, unnamed: int) -> str:
    """The last `shown` of the `unnamed` letters for axes of ellipses."""
    return "".join(chr(FIRST_UNNAMED + number) for number in range(unnamed - shown, unnamed))


def _term(spec: Spec, written: _Written, rank: int, unnamed: int) -> Term:
    """An operand with a letter for each of its axes."""
    count = rank - written.named
    whole = Label(written.start, max(written.end, written.start + 1))
    if count < 0 or (count and not written.has_dots):
        more = " or more" if written.has_dots else ""
        title = f"expected an operand of {_axes(written.named)}{more}, found one of {rank}"
        label = Label(whole.start, whole.end, f"an array of {_axes(rank)}")
        hint = "write a letter for each axis, or `...` for those that need none"
        spec.refuse("einsum-axes", title, hint, label)
    letters, places = "", []
    for item, at in written.items:
        if item == DOTS:
            letters += _dots(count, unnamed)
            places += [Label(at, at + 3)] * count
        else:
            letters += item
            places.append(Label(at, at + 1))
    return Term(letters, tuple(places), whole)


def _result(spec: Spec, written: _Written, operands: tuple[Term, ...], unnamed: int) -> str:
    """The letters of the result, which must occur in operands."""
    letters = ""
    for item, at in written.items:
        if item == DOTS:
            letters += _dots(unnamed, unnamed)
            continue
        label = Label(at, at + 1)
        if item in letters:
            title = f"expected different letters in the result, found `{item}` twice"
            spec.refuse(
                "einsum-output", title, "a result has no diagonals: give each axis its own letter", label
            )
        if not any(item in one.letters for one in operands):
            title = f"expected letters of operands in the result, found `{item}`"
            spec.refuse("einsum-output", title, f"no operand has `{item}`: omit it", label)
        letters += item
    if unnamed and not written.has_dots:
        label = Label(written.start - 2, max(written.end, written.start), "no `...` here")
        title = f"expected `...` in the result, for {_axes(unnamed)} without letters"
        spec.refuse("einsum-output", title, "write `...` where these axes are in the result", label)
    return letters


def sizes_of_letters(spec: Spec, shapes: Sequence[Sequence[Any]], one: Any) -> dict[str, Any]:
    """The size of each letter. An axis of length `one` is broadcast to any size. Raises RiseError for two sizes of one
    letter.
    """
    found: dict[str, tuple[Any, Label]] = {}
    for term, shape in zip(spec.operands, shapes, strict=True):
        for letter, size, place in zip(term.letters, shape, term.places, strict=True):
            if letter not in found or found[letter][0] == one:
                found[letter] = (size, place)
            elif size not in (found[letter][0], one):
                known, first = found[letter]
                name = f"`{letter}`" if letter in LETTERS else "an axis of `...`"
                title = f"expected one size for {name}, found {known} and {size}"
                labels = (
                    Label(first.start, first.end, f"{known} here"),
                    Label(place.start, place.end, f"{size} here"),
                )
                hint = "axes with the same letter have the same size, or 1"
                spec.refuse(
                    "einsum-sizes", title, hint, *(labels if first.start != place.start else labels[1:])
                )
    return {letter: size for letter, (size, _) in found.items()}
