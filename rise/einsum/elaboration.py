"""The program of a contraction, as RISE text: loops over the letters of the result around sums.

The loops are in the order of the result's letters; how the contraction is computed is left to strategies. Contractions
of several operands are computed two at a time, and each intermediate result gets a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rise.einsum.specs import Spec, sizes_of_letters, spec_of_letters
from rise.records import dataclass

#: the size that is broadcast to all others
ONE: Final = "1"


@dataclass(frozen=True, slots=True)
class Operators:
    """The operators that replace sums and products, as text: the function that combines two numbers, the function that
    multiplies them, and the neutral element of the first. The second function distributes over the first.
    """

    combine: str
    multiply: str
    neutral: str


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of the program: its text, the letter of each axis, and the sizes of the axes as text."""

    text: str
    letters: str
    sizes: tuple[str, ...]


#: sums of products of numbers of any type
SUMS_OF_PRODUCTS: Final = Operators("add", "mul", "0")


def text_of_letters(text: str) -> str:
    """The program of a contraction of arrays of any sizes and numbers, for a specification without ellipses; operands
    are contracted from left to right. Raises RiseError with the specification underlined.

    >>> text_of_letters("ab->ba")
    'fun({n_a: nat}, {n_b: nat}, {t: castable}, a: n_a.n_b.t => a |> transpose)'
    """
    spec = spec_of_letters(text)
    shapes = [[f"n_{letter}" for letter in term.letters] for term in spec.operands]
    computes = len(shapes) > 1 or not set(spec.operands[0].letters) <= set(spec.result)
    sizes = ", ".join(
        f"{{{size}: nat}}" for size in dict.fromkeys(size for shape in shapes for size in shape)
    )
    head = f"fun({sizes}{sizes and ', '}{{t: {'ring' if computes else 'castable'}}}, "
    whole = einsum_text(spec, shapes, "t", SUMS_OF_PRODUCTS, from_left_to_right(len(shapes)))
    return head + whole.removeprefix("fun(")


def from_left_to_right(count: int) -> list[tuple[int, int]]:
    """The path that contracts the first two of `count` operands, and then the result with each of the others."""
    return [(0, 1), *((left, 0) for left in range(count - 2, 0, -1))][: max(0, count - 1)]


def einsum_text(
    spec: Spec,
    shapes: Sequence[Sequence[str]],
    scalar: str | None,
    operators: Operators,
    path: Sequence[tuple[int, int]],
    loops: str | None = None,
) -> str:
    """The program of a contraction: a function of its operands, which have these sizes and this scalar type; if
    `scalar` is None, their types are left open.

    `path` has, for each step, the positions of two operands among the remaining ones, to which the result is appended,
    as in `numpy.einsum_path`. `loops` has the letters of the result in the order in which the last step loops over
    them, if that differs from their order in the result. Raises RiseError for sizes that do not fit.
    """
    sizes = sizes_of_letters(spec, shapes, ONE)
    names = (
        [f"x{position}" for position in range(len(shapes))]
        if len(shapes) > 3
        else ["a", "b", "c"][: len(shapes)]
    )
    head = ", ".join(
        name if scalar is None else f"{name}: {'.'.join((*shape, scalar))}"
        for name, shape in zip(names, shapes, strict=True)
    )
    operands = [
        _prepared(Operand(name, term.letters, tuple(shape)), sizes)
        for name, term, shape in zip(names, spec.operands, shapes, strict=True)
    ]
    result = spec.result
    lets = ""
    for number, (first, second) in enumerate(path):
        a, b = operands[first], operands[second]
        operands = [one for position, one in enumerate(operands) if position not in (first, second)]
        if not operands:
            order = result if loops is None else loops
            product = Operand(_product(a, b, order, operators), order, tuple(sizes[c] for c in order))
            return f"fun({head} => {lets}{_permuted(product, result).text})"
        needed = {*result, *(c for one in operands for c in one.letters)}
        letters = "".join(c for c in dict.fromkeys(a.letters + b.letters) if c in needed)
        lets += f"let y{number} = {_product(a, b, letters, operators)} in "
        operands.append(Operand(f"y{number}", letters, tuple(sizes[c] for c in letters)))
    (last,) = operands
    return f"fun({head} => {lets}{_permuted(_summed(last, result, operators), result).text})"


def _mapped(depth: int, function: str) -> str:
    for _ in range(depth):
        function = f"map({function})"
    return function


def _view(operand: Operand, depth: int, view: str, letters: str, sizes: tuple[str, ...]) -> Operand:
    return Operand(f"{operand.text} |> {_mapped(depth, view)}", letters, sizes)


def _swapped(operand: Operand, axis: int) -> Operand:
    """The operand with an axis and the next one swapped."""
    letters, sizes = list(operand.letters), list(operand.sizes)
    letters[axis : axis + 2] = letters[axis + 1], letters[axis]
    sizes[axis : axis + 2] = sizes[axis + 1], sizes[axis]
    return _view(operand, axis, "transpose", "".join(letters), tuple(sizes))


def _moved(operand: Operand, axis: int, place: int) -> Operand:
    """The operand with an axis moved to an earlier position."""
    for position in reversed(range(place, axis)):
        operand = _swapped(operand, position)
    return operand


def _permuted(operand: Operand, letters: str) -> Operand:
    """The operand with its axes in the order of these letters."""
    for place, letter in enumerate(letters):
        operand = _moved(operand, operand.letters.index(letter, place), place)
    return operand


def _prepared(operand: Operand, sizes: Mapping[str, str]) -> Operand:
    """The operand without repeated letters, and without axes of length 1 that are broadcast."""
    axis = 0
    while axis < len(operand.letters):
        if operand.sizes[axis] == ONE != sizes[operand.letters[axis]]:
            operand = _without(operand, axis)
        else:
            axis += 1
    while (repeated := next((c for c in operand.letters if operand.letters.count(c) > 1), None)) is not None:
        operand = _diagonal(operand, repeated)
    return operand


def _without(operand: Operand, axis: int) -> Operand:
    """The operand without an axis of length 1."""
    letters = operand.letters[:axis] + operand.letters[axis + 1 :]
    sizes = operand.sizes[:axis] + operand.sizes[axis + 1 :]
    if not letters:
        return _view(operand, 0, "idx(0)", letters, sizes)
    return _view(operand, min(axis, len(letters) - 1), "join", letters, sizes)


def _diagonal(operand: Operand, letter: str) -> Operand:
    """The operand with the first two axes of a letter replaced by their diagonal."""
    operand = _moved(operand, operand.letters.index(letter), 0)
    operand = _moved(operand, operand.letters.index(letter, 1), 1)
    name = f"d{len(operand.letters)}"
    text = f"({operand.text}) |> fun({name} => generate(fun(i => {name} |> idx(i) |> idx(i))))"
    return Operand(text, operand.letters[1:], operand.sizes[1:])


def _summed(operand: Operand, kept: str, operators: Operators) -> Operand:
    """The sum over all letters except those in `kept`."""
    letters = "".join(c for c in operand.letters if c in kept)
    if letters == operand.letters:
        return operand
    operand = _permuted(operand, letters + "".join(c for c in operand.letters if c not in kept))
    depth = len(letters)
    joined = _joined(operand, depth)
    total = f"reduce({operators.combine}, {operators.neutral})"
    return Operand(f"({joined} |> {_mapped(depth, total)})", letters, operand.sizes[:depth])


def _joined(operand: Operand, depth: int) -> str:
    """The text of an operand with the axes from a depth on joined into one."""
    text = operand.text
    for _ in range(len(operand.letters) - depth - 1):
        text += f" |> {_mapped(depth, 'join')}"
    return text


def _product(a: Operand, b: Operand, result: str, operators: Operators) -> str:
    """Loops over the letters of the result around a sum of products. Other letters of only one operand are summed
    before.
    """
    a = _summed(a, result + b.letters, operators)
    b = _summed(b, result + a.letters, operators)
    summed = "".join(c for c in a.letters if c not in result)
    x = _rows(a, result, summed)
    y = _rows(b, result, summed)
    loops: list[tuple[str, str]] = []
    for number, letter in enumerate(result):
        if letter in a.letters and letter in b.letters:
            loops.append((f"p{number}", f"zip({x}, {y})"))
            x, y = f"fst(p{number})", f"snd(p{number})"
        elif letter in a.letters:
            loops.append((f"u{number}", x))
            x = f"u{number}"
        else:
            loops.append((f"v{number}", y))
            y = f"v{number}"
    text = (
        f"zip({x}, {y}) |> map({operators.multiply}) |> reduce({operators.combine}, {operators.neutral})"
        if summed
        else f"({operators.multiply})({x}, {y})"
    )
    for variable, over in reversed(loops):
        text = f"{over} |> map(fun({variable} => {text}))"
    return text


def _rows(operand: Operand, result: str, summed: str) -> str:
    """The text of an operand with its axes in the order of the loops, and those that are summed joined at the end."""
    free = "".join(c for c in result if c in operand.letters)
    text = _joined(_permuted(operand, free + summed), len(free)) if summed else _permuted(operand, free).text
    return f"({text})" if "|>" in text else text
