"""Builds surface syntax: one method per rule of the grammar, called while reading. Independent of source text.

The parser calls the methods with the children of a rule, bottom up, so nothing recurses. Mistakes that the grammar
cannot express (a parameter that is not a name, a number out of bounds) are raised here; the reader adds the source.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Final, TypeVar

from lark import Token, Transformer, v_args

from rise.diagnostics import Diagnostic, Label, RiseError, quoted
from rise.quotients import FUNCTIONS
from rise.text import syntax as s
from rise.text.names import RESERVED
from rise.text.patterns import as_param, bindings_of, without_patterns
from rise.text.trees import Span, Syntax, with_fields

MAX_DIGITS: Final = 1200  # also the largest exponent; any f64 can be written exactly

_NUMBER: Final = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?([a-z][a-z0-9]*)?")

AnySyntax = TypeVar("AnySyntax", bound=Syntax)
new_span: Final = tuple.__new__  # `Span(start, end)` calls a Python function, which takes five times as long


class Arguments(Syntax):
    """`(a, b)` after a function."""

    items: tuple[s.Expr, ...]


class Parts(Syntax):
    """`let (a, b) = e`: the binding of the value that a pattern decomposes, and the bindings of its parts."""

    bindings: tuple[s.Binding, ...]


Item = s.Expr | s.Param


def between(first: Token | Syntax, last: Token | Syntax) -> Span:
    """The span from the start of one token or node to the end of another."""
    start = first.span[0] if isinstance(first, Syntax) else first.start_pos
    end = last.span[1] if isinstance(last, Syntax) else last.end_pos
    assert start is not None and end is not None, (first, last)
    return new_span(Span, (start, end))


def span_of(part: Token | Syntax) -> Span:
    """The span of a token or a node."""
    if isinstance(part, Syntax):
        return part.span
    assert part.start_pos is not None and part.end_pos is not None, part
    return new_span(Span, (part.start_pos, part.end_pos))


@v_args(inline=True)
class Builder(Transformer[Token, Syntax]):
    """Builds surface syntax. Tokens that the grammar refers to by name are among the arguments."""

    # Texts

    def definitions(self, *parts: s.Import | s.Definition | s.Synonym | s.Foreign) -> s.Program:
        imports = tuple(part for part in parts if isinstance(part, s.Import))
        definitions = tuple(part for part in parts if isinstance(part, s.Definition))
        synonyms = tuple(part for part in parts if isinstance(part, s.Synonym))
        foreign = tuple(part for part in parts if isinstance(part, s.Foreign))
        return s.Program(between(parts[0], parts[-1]), definitions, None, imports, "", synonyms, foreign)

    def main(self, *parts: s.Import | s.Expr) -> s.Program:
        *imports, expression = parts
        assert not isinstance(expression, s.Import), expression
        imported = tuple(part for part in imports if isinstance(part, s.Import))
        return s.Program(between(parts[0], expression), (), expression, imported, "", (), ())

    def foreign(self, word: Token, name: Token, type: s.Type) -> s.Foreign:
        return s.Foreign(between(word, type), str(name), span_of(name), type)

    def synonym(self, word: Token, name: Token, *rest: Token | s.Param | s.Type) -> s.Synonym:
        parameters = tuple(part for part in rest if isinstance(part, s.Param))
        type = rest[-1]
        assert isinstance(type, Syntax) and not isinstance(type, s.Param), type
        return s.Synonym(between(word, type), str(name), span_of(name), parameters, type, "")

    def synonym_parameter(self, name: Token, kind: s.Type | None = None) -> s.Param:
        return s.Param(span_of(name) if kind is None else between(name, kind), str(name), kind, True, ())

    def import_(self, word: Token, module: s.Name, *names: Token) -> s.Import:
        chosen = tuple(s.Name(span_of(name), str(name)) for name in names)
        is_beside = module.name.startswith(".")
        parts = tuple(module.name.lstrip(".").split("."))
        end = chosen[-1] if chosen else module
        return s.Import(between(word, end), parts, is_beside, module.span, chosen)

    def module(self, *parts: Token) -> s.Name:
        first, *rest = map(str, parts)
        text = first + ".".join(rest) if first == "." else ".".join([first, *rest])
        return s.Name(between(parts[0], parts[-1]), text)

    def definition(
        self, val: Token, name: Token, annotation: s.Type | None, facts: tuple[s.Fact, ...], body: s.Expr
    ) -> s.Definition:
        return s.Definition(between(val, body), str(name), span_of(name), annotation, facts, body, "")

    def annotation(self, type: s.Type | None = None) -> s.Type | None:
        return type

    def facts(self, where: Token | None = None, *facts: s.Fact) -> tuple[s.Fact, ...]:
        return facts

    def fact(self, left: s.Type, relation: Token, right: s.Type) -> s.Fact:
        return s.Fact(between(left, right), str(relation), left, right)

    def equation(self, left: s.Expr, right: s.Expr) -> s.Equation:
        return s.Equation(between(left, right), left, right)

    # Expressions, loosest first

    def select(
        self, if_: Token, condition: s.Expr, _: Token, then: s.Expr, __: Token, other: s.Expr
    ) -> s.Select:
        return s.Select(between(if_, other), condition, then, other)

    def block(self, *parts: s.Binding | Parts | Token | s.Expr) -> s.Block:
        *_, body = parts
        bindings: list[s.Binding] = []
        for part in parts:
            if isinstance(part, s.Binding):
                bindings.append(part)
            elif isinstance(part, Parts):
                bindings += part.bindings
        first = parts[0]
        assert not isinstance(body, Token | s.Binding | Parts), body
        return s.Block(between(first, body), tuple(bindings), body)

    def binding(self, let: Token, name: Token, type: s.Type | None, value: s.Expr) -> s.Binding:
        return s.Binding(between(let, value), str(name), span_of(name), type, value, False)

    def parts(self, let: Token, pattern: s.Tuple, type: s.Type | None, value: s.Expr) -> Parts:
        return Parts(between(let, value), bindings_of(pattern, type, value))

    def pattern(self, left: Token, *rest: Token | s.Tuple) -> s.Tuple:
        right = rest[-1]
        assert isinstance(right, Token), right
        items = [part if isinstance(part, s.Tuple) else self.name(part) for part in rest[:-1]]
        return s.Tuple(between(left, right), tuple(items))

    def pipe(self, arg: s.Expr, fun: s.Expr) -> s.Apply:
        return s.Apply(between(arg, fun), fun, arg)

    def ascribe(self, expr: s.Expr, type: s.Type) -> s.Ascribe:
        return s.Ascribe(between(expr, type), expr, type)

    def compose(self, first: s.Expr, second: s.Expr) -> s.Compose:
        return s.Compose(between(first, second), first, second)

    def binary(self, left: s.Expr, op: Token, right: s.Expr) -> s.Binary:
        return s.Binary(between(left, right), str(op), left, right)

    def negate(self, minus: Token, operand: s.Expr) -> s.Number | s.Unary:
        span = between(minus, operand)
        match operand:
            case s.Number(text=text) if text[0] != "-" and len(text) == operand.span.end - operand.span.start:
                return s.Number(span, "-" + text, operand.suffix, -operand.exact, operand.is_float)
            case _:
                return s.Unary(span, "neg", operand)

    def not_(self, bang: Token, operand: s.Expr) -> s.Unary:
        return s.Unary(between(bang, operand), "not", operand)

    def power(self, base: s.Expr, exponent: s.Expr) -> s.Power:
        return s.Power(between(base, exponent), base, exponent)

    def after(self, second: s.Expr, first: s.Expr) -> s.After:
        return s.After(between(second, first), second, first)

    def apply(self, fun: s.Expr, argument: s.Expr | Arguments) -> s.Expr:
        match fun, argument:
            case s.Name(_, "vec"), s.ArrayLiteral():
                return s.VectorLiteral(between(fun, argument), argument)
            case s.Name(_, "typeHole" | "printType" as word), s.Text(_, message):
                return s.Asked(between(fun, argument), word, message)
            case s.Name(_, "einsum"), s.Text(_, spec):
                return s.Contraction(between(fun, argument), spec)
        if not isinstance(argument, Arguments):
            return s.Apply(between(fun, argument), fun, argument)
        *first, last = argument.items
        for item in first:
            fun = self.apply(fun, item)
        return s.Apply(between(fun, argument), fun, last)

    def arguments(self, left: Token, *rest: s.Expr | Token) -> Arguments:
        items, right = _items_and_end(rest)
        return Arguments(between(left, right), items)

    def instantiate(self, fun: s.Expr, *rest: s.Instance | Token) -> s.Instantiate:
        instances, right = _items_and_end(rest)
        return s.Instantiate(between(fun, right), fun, instances)

    def instance(self, *parts: Token | s.Type) -> s.Instance:
        *name, type = parts
        assert not isinstance(type, Token), type
        return s.Instance(between(parts[0], type), str(name[0]) if name else None, type)

    def name(self, name: Token) -> s.Name:
        return s.Name(span_of(name), str(name))

    def number(self, token: Token) -> s.Number:
        return read_number(str(token), span_of(token))

    def text(self, token: Token) -> s.Text:
        return s.Text(span_of(token), str(token)[1:-1])

    def parenthesised(self, left: Token, inner: AnySyntax, right: Token) -> AnySyntax:
        return with_fields(inner, span=between(left, right))

    def items(self, left: Token, *rest: s.Expr | Token) -> s.Tuple:
        items, right = _items_and_end(rest)
        return s.Tuple(between(left, right), items)

    def section(self, left: Token, op: Token, right: Token) -> s.Section:
        return s.Section(between(left, right), str(op))

    def array(self, left: Token, *rest: s.Expr | Token) -> s.ArrayLiteral:
        elements, right = _items_and_end(rest)
        return s.ArrayLiteral(between(left, right), elements)

    def range(self, left: Token, start: s.Expr, end: s.Expr, right: Token) -> s.Range:
        return s.Range(between(left, right), start, end)

    def fun(self, fun: Token, *rest: Item | Token) -> s.Fun:
        (*params, body), right = _items_and_end(rest)
        assert not isinstance(body, s.Param), body
        return s.Fun(between(fun, right), *without_patterns(params, body))

    def paper_fun(self, fun: Token, *rest: Item | Token) -> s.Fun:
        (*params, body), right = _items_and_end(rest)
        if isinstance(body, s.Param):
            raise _mistake(
                "fun-body", "expected a body, found only parameters", body, "write `fun(... => body)`"
            )
        if not params:
            raise _no_parameter(between(fun, right), body)
        return s.Fun(between(fun, right), *without_patterns(params, body))

    def implicit(
        self, left: Token, name: Token, kind: s.Type, facts: tuple[s.Fact, ...], right: Token
    ) -> s.Param:
        return s.Param(between(left, right), str(name), kind, True, facts)

    def promised(self, name: s.Expr, kind: s.Type, *rest: Token | s.Fact) -> s.Param:
        facts = tuple(part for part in rest if isinstance(part, s.Fact))
        param = as_param(s.Ascribe(between(name, facts[-1]), name, kind))
        return with_fields(param, facts=facts)

    # Types

    def arrow(self, parameter: s.Type, result: s.Type) -> s.Arrow:
        return s.Arrow(between(parameter, result), parameter, result)

    def explicit_arrow(self, left: Token, name: Token, kind: s.Type, result: s.Type) -> s.ExplicitArrow:
        return s.ExplicitArrow(between(left, result), str(name), kind, result)

    def implicit_arrow(self, left: Token, name: Token, kind: s.Type, result: s.Type) -> s.ImplicitArrow:
        return s.ImplicitArrow(between(left, result), str(name), kind, result)

    def array_type(self, size: s.Type, element: s.Type) -> s.ArrayType:
        return s.ArrayType(between(size, element), size, element)

    def dependent_array(self, size: s.Type, element: s.Type) -> s.DependentArray:
        return s.DependentArray(between(size, element), size, element)

    def type_name(self, name: Token) -> s.TypeName:
        return s.TypeName(span_of(name), str(name))

    def type_nat(self, token: Token) -> s.TypeNat:
        return s.TypeNat(span_of(token), read_number(str(token), span_of(token)).exact.numerator)

    def type_call(self, name: Token, *rest: s.Type | Token) -> s.TypeCall:
        args, right = _items_and_end(rest)
        return s.TypeCall(between(name, right), str(name), args)

    def size_call(self, name: Token, *rest: s.Type | Token) -> s.TypeCall:
        items = tuple(item for item in rest[1:] if not isinstance(item, Token))
        right = rest[-1]
        assert isinstance(right, Token), right
        if name in RESERVED and name not in FUNCTIONS:
            title = f"expected a function of sizes before `(` in a type, found {quoted(str(name))}"
            raise _mistake(
                "size-function", title, span_of(name), f"functions of sizes: {', '.join(FUNCTIONS)}"
            )
        return s.TypeCall(between(name, right), str(name), items)

    def pair_type(self, left: Token, *rest: s.Type | Token) -> s.PairType:
        (*firsts, type), right = _items_and_end(rest)
        for first in reversed(firsts[1:]):
            type = s.PairType(between(first, type), first, type)
        return s.PairType(between(left, right), firsts[0], type)

    def index_map(self, left: Token, name: Token, body: s.Type, right: Token) -> s.IndexMap:
        return s.IndexMap(between(left, right), str(name), body)

    def dependent_pair(
        self, left: Token, name: Token, kind: s.Type, body: s.Type, right: Token
    ) -> s.DependentPair:
        return s.DependentPair(between(left, right), str(name), kind, body)

    def type_binary(self, left: s.Type, op: Token, right: s.Type) -> s.TypeBinary:
        return s.TypeBinary(between(left, right), str(op), left, right)


def read_number(text: str, span: Span) -> s.Number:
    """The exact value of a number token. Raises RiseError for a number that is too long."""
    match = _NUMBER.fullmatch(text)
    assert match is not None, text
    whole, fraction, sign, exponent, suffix = match.groups(default="")
    size = exponent.lstrip("0")
    if len(whole) + len(fraction) > MAX_DIGITS or len(size) > 4 or int(size or "0") > MAX_DIGITS:
        title = (
            f"expected at most {MAX_DIGITS} digits and an exponent up to {MAX_DIGITS}, found {quoted(text)}"
        )
        raise _mistake("number-too-long", title, span, "write the number with fewer digits")
    is_written_as_float = bool(fraction or exponent)
    if is_written_as_float and suffix[:1] in ("i", "u"):
        title = f"expected an integer before {quoted(suffix)}, found {quoted(text)}"
        hint = "write the integer without a decimal point or exponent, or with a float suffix such as `f32`"
        raise _mistake("integer-suffix", title, span, hint)
    power = int(sign + (size or "0")) - len(fraction)
    digits = int(whole + fraction)
    exact = Fraction(digits, 10**-power) if power < 0 else Fraction(digits * 10**power)
    is_float = is_written_as_float or suffix[:1] in ("f", "b")
    return s.Number(span, text, suffix or None, exact, is_float)


def _items_and_end(rest: tuple[Any, ...]) -> tuple[tuple[Any, ...], Token]:
    """The items before the closing bracket, and the bracket."""
    *items, right = rest
    assert isinstance(right, Token), right
    return tuple(item for item in items if not isinstance(item, Token)), right


def _no_parameter(span: Span, body: s.Expr) -> RiseError:
    title = "expected a parameter and a body, found only one item in `fun(...)`"
    match body:
        case s.Binary(_, ">=", s.Name() | s.Ascribe(), _):
            return _mistake("fun-parameter", title, span, "`=>` separates parameters and body; `>=` compares")
        case _:
            return _mistake("fun-parameter", title, span, "write `fun(x => ...)`")


def _mistake(code: str, title: str, place: Span | Syntax, hint: str) -> RiseError:
    span = place.span if isinstance(place, Syntax) else place
    return RiseError(Diagnostic(code, title, (Label(span.start, span.end),), hint))
