"""Prints statements on fragments, with the instructions of an architecture. Independent of loops over threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from rise.diagnostics import RiseError
from rise.hardware import Architecture, MatrixInstruction, family_of, find, multiplied
from rise.indices import is_multiple
from rise.naturals import NatVar, const
from rise.programs.foreign import Foreign
from rise.records import dataclass
from rise.text.type_printer import brief_type
from rise.types import FragmentType
from shine.imperative.errors import TranslationError, fail
from shine.imperative.fragments import instructions_of, number_of, shape_of
from shine.imperative.nodes import (
    Block,
    Buffer,
    FillFragment,
    FragmentStatement,
    LoadFragment,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Origin,
    Piece,
    StoreFragment,
)
from shine.targets.c.assignments import value_type
from shine.targets.c.expressions import Context, Place, element_text, index_text, value_text
from shine.targets.c.lines import Line, Page
from shine.targets.cuda.instruction_text import InstructionText
from shine.targets.cuda.instructions import TEXTS
from shine.targets.cuda.usage import Usage


def check_products(usage: Usage, arch: Architecture) -> None:
    """Raise TranslationError unless the architecture has an instruction for every product."""
    for product in usage.products:
        try:
            if product.foreign is None:
                _product(product, arch)
        except RiseError as refused:
            raise TranslationError(refused.diagnostic, product.origin) from None


def _product(product: MultiplyAdd, arch: Architecture) -> MatrixInstruction:
    """The instruction of a product. Raises RiseError if there is none."""
    a, b, c = product.left.type, product.right.type, product.addend.type
    types = multiplied((number_of(a), number_of(b), number_of(c)))
    return find(family_of(shape_of(c)), shape_of(c), types, arch)


def instruction_of(t: FragmentType, arch: Architecture, origin: Origin) -> MatrixInstruction:
    """An instruction of the architecture that takes fragments of a type; all of them have the same text for the
    fragment.
    """
    existing = instructions_of(t)
    for instruction in existing:
        if instruction.exists_on(arch):
            return instruction
    hint = (
        f"it is available from {existing[0].since} on"
        if existing
        else "16 x 16 x 16 of f16 is available on all architectures"
    )
    fail("no-instruction", f"expected a fragment that {arch.name} has, found {brief_type(t)}", hint, origin)


@dataclass(frozen=True, slots=True)
class Fragments:
    """Prints fragments for an architecture, given the layouts of the matrices that they are loaded from.

    `divisors` are numbers that divide sizes.
    """

    arch: Architecture
    found: Usage
    divisors: Mapping[NatVar, int]

    def text(self, piece: Piece, place: Place) -> InstructionText:
        """The text of the instruction for a fragment."""
        return self._text(piece.type, place.context, place.origin)

    def _text(self, t: FragmentType, context: Context, origin: Origin) -> InstructionText:
        text = TEXTS[instruction_of(t, self.arch, origin).name]
        context.helpers.headers |= set(text.headers)
        return text

    def declaration(self, buffer: Buffer, place: Place) -> str:
        """Declare a fragment, or an array of fragments."""
        t = buffer.element
        assert isinstance(t, FragmentType), buffer
        place.context.helpers.element(number_of(t))
        text = self._text(t, place.context, place.origin)
        type_text = text.fragment(t.role, self.found.by_rows.get(buffer, True))
        registers = text.registers(t.role)
        name = place.scope.bind(buffer, buffer.name)
        if buffer.size.constant == 1:
            place.context.variables.add(buffer)
            return f"{type_text} {name}{registers};"
        return f"{type_text} {name}[{max(buffer.size.constant or 0, 1)}]{registers};"

    def lines(
        self,
        statement: FragmentStatement,
        page: Page,
        place: Place,
        inner: Callable[[Block, Page], list[Line]],
    ) -> list[Line]:
        """Print a statement; `inner` prints the statements inside it."""
        match statement:
            case LoadFragment(target, source):
                text = self.text(target, place)
                pointer, stride = _pointer(source, place)
                piece, space = _piece(target, place), source.buffer.space
                by_rows, together = source.by_rows, self._together(source)
                written = text.load(target.type.role, piece, pointer, stride, by_rows, space, together)
            case StoreFragment(Matrix(Buffer(space="Local")) as matrix, piece):
                return self._keep(matrix, piece, page, place)
            case StoreFragment(matrix, piece):
                pointer, stride = _pointer(matrix, place)
                by_rows, together = matrix.by_rows, self._together(matrix)
                written = self.text(piece, place).store(
                    pointer, _piece(piece, place), stride, by_rows, together
                )
            case FillFragment(target, value):
                number = value_text(value, place).code
                written = self.text(target, place).fill(_piece(target, place), number)
            case MultiplyAdd(foreign=Foreign() as foreign):
                written = self._called(foreign, statement, place)
            case MultiplyAdd(target, left, right, addend):
                pieces = [_piece(piece, place) for piece in (target, left, right, addend)]
                written = TEXTS[_product(statement, self.arch).name].multiply_add(*pieces)
            case MapFragment():
                return self._map(statement, page, place, inner)
            case _:
                assert_never(statement)
        return page.lines(written.split("\n"), statement.origin)

    def _called(self, foreign: Foreign, statement: MultiplyAdd, place: Place) -> str:
        """Copy the addend to the target, unless it is there, and let a foreign function add the product."""
        target, left, right, addend = (
            _piece(piece, place)
            for piece in (statement.target, statement.left, statement.right, statement.addend)
        )
        call = f"{foreign.name}({target}, {left}, {right});"
        if target == addend:
            return call
        text = self.text(statement.target, place)
        copied = f"{text.number(target, 't')} = {text.number(addend, 't')};"
        return f"#pragma unroll\nfor (int t = 0; t < {text.count(target)}; t++) {copied}\n{call}"

    def _keep(self, matrix: Matrix, piece: Piece, page: Page, place: Place) -> list[Line]:
        """Copy the numbers that a lane holds to its own registers."""
        text, source = self.text(piece, place), _piece(piece, place)
        inside = page.inside()
        count = text.count(source)
        number = NatVar("e", const(int(count)))
        e = inside.scope.bind(number, number.name)
        kept = element_text(
            matrix.buffer, matrix.index + number, Place(place.context, inside.scope, place.origin)
        )
        return [
            page.line("#pragma unroll", place.origin),
            page.line(
                f"for (int {e} = 0; {e} < {count}; {e}++) {kept} = {text.number(source, e)};", place.origin
            ),
        ]

    def _together(self, matrix: Matrix) -> int:
        """A power of two, at most 8, such that a matrix and its lines start at multiples of so many numbers."""
        count = 8
        while count > 1 and not all(
            is_multiple(one, const(count), self.divisors) for one in (matrix.index, matrix.stride)
        ):
            count //= 2
        return count

    def _map(
        self, statement: MapFragment, page: Page, place: Place, inner: Callable[[Block, Page], list[Line]]
    ) -> list[Line]:
        """Print a loop over the numbers that a lane holds."""
        text, origin = self.text(statement.target, place), statement.origin
        inside = page.inside()
        within = Place(place.context, inside.scope, origin)
        e = inside.scope.bind(("number", statement), "e")
        lines = [
            page.line("#pragma unroll", origin),
            page.line(
                f"for (int {e} = 0; {e} < {text.count(_piece(statement.target, place))}; {e}++) {{", origin
            ),
        ]
        for parameter, source in zip(statement.parameters, statement.sources, strict=True):
            number = text.number(_piece(source, place), e)
            c = value_type(parameter.type, place.context.helpers)
            lines.append(
                inside.line(f"const {c} {inside.scope.bind(parameter, parameter.name)} = {number};", origin)
            )
        lines += inner(statement.body, inside)
        result = value_text(statement.value, within).code
        lines.append(inside.line(f"{text.number(_piece(statement.target, place), e)} = {result};", origin))
        return [*lines, page.line("}", origin)]


def _piece(piece: Piece, place: Place) -> str:
    return element_text(piece.buffer, piece.index, place)


def _pointer(matrix: Matrix, place: Place) -> tuple[str, str]:
    return f"&{element_text(matrix.buffer, matrix.index, place)}", index_text(matrix.stride, place).code
