"""Prints a procedure of the imperative IR as C source. Independent of compilers and loaders.

The function returns 0, or the number of the first place that failed: a division by zero, a number that is not a valid
index, a temporary that could not be allocated, or, in a check build, an access out of bounds. Note [Calls] defines how
it is called.

Note [Calls]
The function takes the sizes in order as `int64_t`; then for each array of scalars in the inputs, in order, a
pointer, or the value itself where the input is a number; then for each array in the output a pointer. A
number of type f16 is passed as its 16 bits, since foreign function interfaces have no such type.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final

from rise.naturals import Nat, NatVar
from rise.types import ScalarType, VectorType
from shine.imperative.axes import names_for
from shine.imperative.limits import limits_of, note_bytes
from shine.imperative.naturals_text import EITHER, Text
from shine.imperative.nodes import Block, Buffer, Condition, For, Procedure
from shine.imperative.omitted_variables import repeats, used_once
from shine.imperative.scopes import Scope
from shine.imperative.signature import passed_by_value, signature_text
from shine.imperative.walk import body_of, statements
from shine.targets.c.assignments import array_type, element_type
from shine.targets.c.c11 import C11
from shine.targets.c.constants import constant_lines
from shine.targets.c.expressions import Context, Place, worth_text
from shine.targets.c.foreign import foreign_texts
from shine.targets.c.gcc_defects import choices, divides_integers
from shine.targets.c.helpers import Helpers
from shine.targets.c.lines import Line, function_head, preamble, whole_text
from shine.targets.c.names import RESERVED, exported
from shine.targets.c.source import SHARES, CSource
from shine.targets.c.statements import Around, print_statements

_F16_OF_BITS: Final = """_Float16 f16_of_bits(uint16_t bits) {
  union { uint16_t bits; _Float16 value; } r = {bits};
  return r.value;
}"""

#: what was no index, and the size of its array, in the last call of this thread that failed so
LAST_FAILURE: Final = (
    "static _Thread_local int64_t last_failure[2]; // what was no index, and the size of its array"
)


def print_procedure(procedure: Procedure, check: bool = False, threads: int | None = None) -> CSource:
    """Write a procedure as C11 with OpenMP; a check build tests every access.

    Raises TranslationError if it would compute a number that is too large for 64 bits at all sizes.
    """
    context = Context(
        check,
        known_integers(procedure),
        Helpers(C11),
        repeats(procedure.body),
        used_once(procedure.body),
        divides_integers(procedure.body),
        choices(procedure.body),
    )
    words = RESERVED | {function.name for function in procedure.foreign}
    foreign = foreign_texts(procedure.foreign, context.helpers)
    scope = Scope(words=words, called=names_for(procedure.body, procedure.inputs, procedure.output))
    symbol = scope.take(procedure, exported(procedure.name, words))
    around = Around(scope, 1, 0, False, threads)
    parameters, first = _parameters(procedure, around, context)
    known = constant_lines(procedure.body, around, context)
    body = print_statements(procedure.body.statements, around, context)
    shares = _sharing_text(procedure, context, words)
    fails = bool(context.sites)
    has_numbers = any(site.mistake == "index" for site in context.sites)
    if has_numbers:
        context.helpers.functions["last_failure"] = LAST_FAILURE
    lines = [
        Line(f"// {signature_text(procedure)}"),
        *preamble(context.helpers, foreign),
        Line(function_head(f"int {symbol}", parameters or ["void"])),
        *first,
        *([around.line("int status = 0;")] if fails else []),
        *([around.line("int64_t *const failure = last_failure;")] if has_numbers else []),
        *known,
        *body,
        around.line("return status;" if fails else "return 0;"),
        Line("}"),
    ]
    text, origins = whole_text(lines)
    note_bytes(context.noted, procedure.output.buffers)
    limits = limits_of(procedure, context.noted)
    return CSource(text, symbol, origins, tuple(context.sites), limits, shares)


def _sharing_text(procedure: Procedure, context: Context, words: Container[str]) -> str:
    """The function `SHARES` of a procedure; empty if several threads always run, or never."""
    found = list(_worth_of_threads(procedure.body))
    conditions = [one for one in found if one is not None]
    if not found or len(conditions) < len(found):
        return ""
    scope = Scope(words=words)
    names = {size: scope.bind(size, size.name) for size in procedure.sizes}
    texts = [worth_text(one, Place(context, scope, ())) for one in dict.fromkeys(conditions)]
    used = {size for one in conditions for pair in one.below for part in pair for size in part.free}
    sizes = [
        f"  const int64_t {names[size]} = shine_sizes[{position}];\n"
        for position, size in enumerate(procedure.sizes)
        if size in used
    ]
    worth = " || ".join(text.at(EITHER) if isinstance(text, Text) else str(int(text)) for text in texts)
    return f"\nint {SHARES}(const int64_t *shine_sizes) {{\n{''.join(sizes)}  return {worth};\n}}\n"


def _worth_of_threads(block: Block) -> Iterator[Condition | None]:
    """For each of the outermost parallel loops, the condition under which it has enough work for several threads."""
    for statement in block.statements:
        if isinstance(statement, For) and statement.kind == "parallel":
            yield statement.worth
        else:
            body = body_of(statement)
            yield from () if body is None else _worth_of_threads(body)


def _parameters(procedure: Procedure, around: Around, context: Context) -> tuple[list[str], list[Line]]:
    """The function's parameters, and the lines that convert f16 parameters from their bits."""
    scope = around.scope
    texts = [f"int64_t {scope.bind(size, size.name)}" for size in procedure.sizes]
    first: list[Line] = []
    for parameter in procedure.inputs:
        for buffer, by_value in zip(parameter.buffers, passed_by_value(parameter), strict=True):
            c = element_type(buffer, context.helpers)
            name = scope.bind(buffer, buffer.name)
            if not by_value:
                texts.append(f"const {caller_type(buffer, c, context)} *restrict {name}")
                continue
            context.variables.add(buffer)
            context.given.add(buffer)
            if c == "_Float16":
                bits = scope.bind(("bits", buffer), f"{name}_bits")
                context.helpers.define("f16_of_bits", _F16_OF_BITS)
                texts.append(f"uint16_t {bits}")
                first.append(around.line(f"const _Float16 {name} = f16_of_bits({bits});"))
            else:
                texts.append(f"{c} {name}")
    for buffer in procedure.output.buffers:
        c = array_type(buffer, context.helpers)
        texts.append(f"{c} *restrict {scope.bind(buffer, buffer.name)}")
    return texts, first


def caller_type(buffer: Buffer, c: str, context: Context) -> str:
    """The type of the elements of an array that a caller gives: truth values are read as bytes."""
    match buffer.element:
        case ScalarType("bool") | VectorType(_, ScalarType("bool")):
            pass
        case _:
            return c
    context.bytes.add(buffer)
    return context.helpers.element("u8")


def known_integers(procedure: Procedure) -> tuple[Nat, ...]:
    """Fractions of sizes, with one term each, that are integers because they are the counts of loops or sizes of
    buffers.
    """
    sizes = [
        buffer.size for parameter in (*procedure.inputs, procedure.output) for buffer in parameter.buffers
    ]
    return integers_of(procedure.sizes, sizes, [procedure.body])


def integers_of(sizes: Sequence[NatVar], counts: Sequence[Nat], bodies: Sequence[Block]) -> tuple[Nat, ...]:
    """Fractions of sizes, with one term each, among these counts and those of loops in the bodies."""
    fractions: dict[Nat, None] = {}
    known = frozenset(sizes)
    loops = (one.count for body in bodies for one, _ in statements(body) if isinstance(one, For))
    for a in (*counts, *loops):
        if len(a.terms) == 1 and a.free <= known:
            ((monomial, coefficient),) = a.terms
            broken = not isinstance(coefficient, int) or any(
                isinstance(e, int) and e < 0 for _, e in monomial
            )
            if broken:
                fractions[a] = None
    return tuple(sorted(fractions, key=lambda a: (len(a.terms[0][0]), a.order)))
