"""A procedure of the imperative IR as a C source. Knows no compiler and no loader.

The function returns 0, or the number of the first place that failed: a division by zero, a temporary without
memory, or, in a check build, an access out of bounds. Note [Calls] says how it is called.

Note [Calls]
The function takes the sizes in order as `int64_t`; then for each array of scalars in the inputs, in order, a
pointer, or the value itself where the input is a number; then for each array in the output a pointer. A
number of type f16 is passed as its 16 bits, since foreign function interfaces have no such type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rise.naturals import Nat
from rise.types import ArrayType, PairType, Type, VectorType
from shine.imperative import Block, Buffer, For, If, Origin, Parameter, Procedure
from shine.signature import signature_text
from shine.targets.c.expressions import Context, Site
from shine.targets.c.names import Scope
from shine.targets.c.statements import Around, Line, print_statements, value_type

_HEADERS: Final = {
    "math": "math.h",
    "stdbool": "stdbool.h",
    "stddef": "stddef.h",
    "stdint": "stdint.h",
    "stdlib": "stdlib.h",
}
WIDEST: Final = 110  # characters
_F16_OF_BITS: Final = """_Float16 f16_of_bits(uint16_t bits) {
  union { uint16_t bits; _Float16 value; } r = {bits};
  return r.value;
}"""


@dataclass(frozen=True, slots=True)
class CSource:
    """A C source: its text, the function's symbol, for each line its origin, and the places that may fail."""

    text: str
    symbol: str
    origins: tuple[Origin | None, ...]
    sites: tuple[Site, ...]


def print_procedure(procedure: Procedure, check: bool = False, threads: int | None = None) -> CSource:
    """Write a procedure as C11 with OpenMP; a check build tests every access."""
    context = Context(check, known_integers(procedure))
    scope = Scope()
    symbol = scope.bind(procedure, procedure.name)
    around = Around(scope, 1, 0, False, threads)
    parameters, first = _parameters(procedure, around, context)
    body = print_statements(procedure.body.statements, around, context)
    fails = bool(context.sites)
    lines = [
        Line(f"// {signature_text(procedure)}"),
        *_preamble(context),
        Line(_head(symbol, parameters)),
        *first,
        *([around.line("int status = 0;")] if fails else []),
        *body,
        around.line("return status;" if fails else "return 0;"),
        Line("}"),
    ]
    flat = [Line(text, line.origin) for line in lines for text in line.text.split("\n")]
    text = "".join(f"{line.text}\n" for line in flat)
    return CSource(text, symbol, tuple(line.origin for line in flat), tuple(context.sites))


def _head(symbol: str, parameters: list[str]) -> str:
    """The function's first line, or lines."""
    one_line = f"int {symbol}({', '.join(parameters) or 'void'}) {{"
    if len(one_line) <= WIDEST:
        return one_line
    return f"int {symbol}(\n" + ",\n".join(f"    {parameter}" for parameter in parameters) + "\n) {"


def passed_by_value(parameter: Parameter) -> list[bool]:
    """For each buffer of an input, whether the function takes the number itself."""
    found: list[bool] = []
    work: list[tuple[Type, bool]] = [(parameter.type, True)]
    while work:
        t, is_number = work.pop()
        match t:
            case PairType(first, second):
                work += [(second, is_number), (first, is_number)]
            case ArrayType(_, element) | VectorType(_, element):
                work.append((element, False))
            case _:
                found.append(is_number)
    return found


def _parameters(procedure: Procedure, around: Around, context: Context) -> tuple[list[str], list[Line]]:
    """The function's parameters, and the lines that make f16 numbers of their bits."""
    scope = around.scope
    texts = [f"int64_t {scope.bind(size, size.name)}" for size in procedure.sizes]
    first: list[Line] = []
    for parameter in procedure.inputs:
        for buffer, by_value in zip(parameter.buffers, passed_by_value(parameter), strict=True):
            c = value_type(buffer.element, context)
            name = scope.bind(buffer, buffer.name)
            if not by_value:
                texts.append(f"const {c} *restrict {name}")
                continue
            context.variables.add(buffer)
            if c == "_Float16":
                bits = scope.bind(("bits", buffer), f"{name}_bits")
                context.helpers.define("f16_of_bits", _F16_OF_BITS)
                texts.append(f"uint16_t {bits}")
                first.append(around.line(f"const _Float16 {name} = f16_of_bits({bits});"))
            else:
                texts.append(f"{c} {name}")
    for buffer in procedure.output.buffers:
        c = value_type(buffer.element, context)
        texts.append(f"{c} *restrict {scope.bind(buffer, buffer.name)}")
    return texts, first


def _preamble(context: Context) -> list[Line]:
    helpers = context.helpers
    lines = [Line(f"#include <{_HEADERS[header]}>") for header in sorted(helpers.headers)]
    if helpers.types:
        lines += [Line(""), *(Line(text) for text in helpers.types.values())]
    for text in helpers.functions.values():
        lines += [Line(""), Line(text)]
    return [*lines, Line("")]


def known_integers(procedure: Procedure) -> tuple[Nat, ...]:
    """Fractions of sizes, of one term, that are integers since the program counts with them: loops and
    buffers.
    """
    found: dict[Nat, None] = {}
    work: list[Block] = [procedure.body]
    naturals: list[Nat] = [b.size for p in (*procedure.inputs, procedure.output) for b in p.buffers]
    while work:
        for statement in work.pop().statements:
            match statement:
                case For(_, count, _, body):
                    naturals.append(count)
                    work.append(body)
                case If(_, body):
                    work.append(body)
                case _:
                    pass
    sizes = frozenset(procedure.sizes)
    for a in naturals:
        if len(a.terms) == 1 and a.free <= sizes:
            ((monomial, coefficient),) = a.terms
            broken = not isinstance(coefficient, int) or any(
                isinstance(e, int) and e < 0 for _, e in monomial
            )
            if broken:
                found[a] = None
    return tuple(sorted(found, key=lambda a: (len(a.terms[0][0]), a.order)))


def buffers_of(parameters: tuple[Parameter, ...]) -> list[Buffer]:
    """The buffers of parameters, in the order of a call's arguments."""
    return [buffer for parameter in parameters for buffer in parameter.buffers]
