"""Prints terms in their canonical form. Primitives are identified only by their notation.

Law: reading the text gives the same term, and needs only matching, because every binder shows its type, every primitive
shows in braces the implicit parameters that its arguments do not determine, and every literal shows its type. Every
rule below is a generator that yields the parts whose documents it needs, and is resumed with these. One loop runs all
rules, so nesting does not use Python's stack.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from rise.argument_checks import Termlike, definitions_of, expected, term_of
from rise.garbage_collection import collections_off
from rise.inference.names import is_reserved
from rise.inference.schemes import scheme_of
from rise.nodes import Node
from rise.primitives import lookup
from rise.printer.allowance import Allowance
from rise.printer.implicits import Implicits
from rise.printer.layout import (
    LINE,
    SOFT_LINE,
    WIDTH,
    Doc,
    concat,
    group,
    is_parenthesised,
    layout,
    nest,
    parenthesised,
    separated,
    text,
)
from rise.printer.literals import literal_text
from rise.printer.operators import (
    ANYTHING,
    APPLIED,
    ATOM,
    COMPOSED,
    INFIX,
    LET,
    PIPED,
    PREFIX,
    SELECT,
    UNARY,
    is_array_literal,
)
from rise.printer.spines import (
    Implicit,
    Item,
    Range,
    VectorLiteral,
    applied,
    is_stage,
    literal_of,
    plain_indices,
    takes_function,
)
from rise.terms import App, Bound, DepApp, DepLam, Expr, Fact, Lam, Literal, Primitive, Var
from rise.text.names import Binding, Names, bounded, name_at
from rise.text.nat_printer import show_fact, show_nat
from rise.text.type_printer import argument_in, free_names, show_kind, show_type, type_in
from rise.tracebacks import ends_at_the_users_line
from rise.types import Argument, DepFunType, FunType, Type

#: the length of a brief text, in characters and in terms
MAX_BRIEF_CHARACTERS: Final = 400
ELLIPSIS: Final = text("...")

_Answer: TypeAlias = tuple[Doc, int]  # (a document, its precedence)
_Rule: TypeAlias = Generator[tuple[Expr, int], Doc, _Answer]


@ends_at_the_users_line
@collections_off()
def show(e: Termlike, width: int = WIDTH, is_typed: bool = True) -> str:
    """The canonical text of a term, in lines of at most `width` columns where that is possible.

    A variable bound outside of the term prints as `%0`, `%1` and so on, which cannot be read. `is_typed=False` omits
    the types of functions' parameters, for texts that are only displayed.
    """
    e = term_of(e)
    columns = expected(width, int, "the number of columns of a line", "for example width=100")
    return layout(_Printer(e, is_typed=is_typed).run(e, ANYTHING), columns)


def show_brief(e: Expr, limit: int = MAX_BRIEF_CHARACTERS, is_typed: bool = True) -> str:
    """The beginning of a term's text on one line, for a debugger; `...` marks omitted parts."""
    return bounded(layout(_Printer(e, limit, is_typed).run(e, ANYTHING), 1 << 30), limit)


@ends_at_the_users_line
@collections_off()
def show_program(definitions: Mapping[str, Expr], width: int = WIDTH) -> str:
    """The text of definitions as a program: the foreign functions that they call, then `val name = ...` for each."""
    free = {
        variable
        for e in definitions_of(definitions).values()
        for variable in e.free
        if isinstance(variable, Var)
    }
    foreign = sorted(f"foreign {variable.name} : {show_type(variable.type)}\n" for variable in free)
    texts = ["".join(foreign)] if foreign else []
    for name, e in definitions_of(definitions).items():
        body = _Printer(e).run(e, ANYTHING)
        texts.append(layout(group(f"val {name} =", nest(2, LINE, body)), width) + "\n")
    return "\n".join(texts)


class _Printer:
    """The state of one printing: the names in scope, and a cache of types printed with the same names in scope."""

    def __init__(self, root: Expr, terms: int | None = None, is_typed: bool = True) -> None:
        free = {*free_names(root), *(variable.name for variable in root.free if isinstance(variable, Var))}
        self.names = Names(free=free, is_reserved=is_reserved)
        self.allowance = Allowance(root, terms)
        self.is_typed = is_typed
        self.types: dict[tuple[Node, int], str] = {}
        self.implicits = Implicits()

    def run(self, e: Expr, level: int) -> Doc:
        """The document of a term, in parentheses if its precedence is lower than `level`."""
        stack: list[tuple[_Rule, int]] = []
        rule = self.rule(e)
        while True:
            answer: Any = None
            if type(rule) is tuple:
                doc, own_level = rule
                answer = doc if own_level >= level else parenthesised(doc)
                if not stack:
                    return answer  # type: ignore[no-any-return]  # a document
            else:
                stack.append((rule, level))  # type: ignore[arg-type]  # not an answer
            try:
                inner, inner_level = stack[-1][0].send(answer)
            except StopIteration as stop:
                rule, level = stop.value, stack.pop()[1]
            else:
                rule, level = self.rule(inner), inner_level

    def rule(self, e: Expr) -> _Rule | _Answer:
        """The rule that prints the term, or what it returns if it prints no other term."""
        if not self.allowance.goes_on():
            return ELLIPSIS, ATOM
        match e:
            case Var(name):
                return _constant(name, ATOM)
            case Bound(index):
                return _constant(name_at(self.names.ordinary, index), ATOM)
            case Literal():
                return _constant(*self.literal(e))
            case Primitive():
                return _constant(self.primitive(e, ()), APPLIED)
            case Lam() | DepLam():
                return self.function(e)
            case App() | DepApp():
                return self.application(e)
        raise AssertionError(f"{type(e).__name__} is not a known term")

    def literal(self, literal: Literal) -> tuple[str, int]:
        """A literal, with its type if the digits do not determine it."""
        digits, is_ascribed = literal_text(literal)
        if is_ascribed:
            return f"({digits} : {self.type(literal.given)})", ATOM
        return digits, UNARY if digits.startswith("-") else ATOM

    def type(self, t: Type) -> str:
        """A type's text under the names in scope."""
        key = (t, self.names.scope if t.dep_loose else 0)
        type_text = self.types.get(key)
        if type_text is None:
            type_text = self.types[key] = type_in(t, self.names, self.allowance.room)
        return self.allowance.written(type_text)

    # Functions

    def function(self, e: Expr, *before_end: Doc) -> _Rule:
        """`fun(x: s, {n: nat} => body)`: directly nested functions share a `fun`."""
        bindings: list[tuple[Binding, list[str]]] = []
        parameters: list[Doc] = []
        while isinstance(e, Lam | DepLam) and self.allowance.goes_on():
            if isinstance(e, Lam):
                written = f": {self.type(e.parameter)}" if self.is_typed else ""
                binding = self.names.bind_ordinary(e.name)
                bindings.append((binding, self.names.ordinary))
                parameters.append(text(binding.name + written))
            else:
                binding = self.names.bind_dependent(e.name, e.kind)
                bindings.append((binding, self.names.dependent))
                parameters.append(text(self.dependent_parameter(binding.name, e)))
            e = e.body
        body = yield e, ANYTHING
        for binding, scope in reversed(bindings):
            self.names.release(binding, scope)
        head = group(nest(4, separated(parameters, ",", LINE)))
        return group("fun(", head, " =>", nest(2, LINE, body), *before_end, ")"), ATOM

    def block(self, e: Expr) -> _Rule:
        """`let x = e let y = e in body`: a binding shows its type if the value's text does not determine it."""
        bindings: list[Binding] = []
        shown: list[Doc | str] = []
        while not bindings or self.allowance.goes_on():
            match e:
                case App(App(Primitive("let") as head, value), Lam(name, parameter, body) as function):
                    if self.implicits.shown(head, (value, function)):
                        break
                case _:
                    break
            is_shown = self.is_typed and not self.implicits.says_type(value)
            written = f": {self.type(parameter)}" if is_shown else ""
            of_value = yield value, ANYTHING
            bindings.append(self.names.bind_ordinary(name))
            shown += [group(f"let {bindings[-1].name}{written} =", nest(2, LINE, of_value)), LINE]
            e = body
        result = yield e, ANYTHING
        for binding in reversed(bindings):
            self.names.release(binding, self.names.ordinary)
        return group(*shown, "in ", nest(2, result)), ANYTHING

    def dependent_parameter(self, name: str, e: DepLam) -> str:
        """`n: nat`, or `{n: nat where 32 divides n}`; the facts are in the scope of the parameter."""
        between = ", " if e.implicit else " where "
        facts = between.join(map(self.fact, e.facts))
        where = f" where {facts}" if facts else ""
        written = f"{name}: {show_kind(e.kind)}{where}"
        return f"{{{written}}}" if e.implicit else written

    def fact(self, fact: Fact) -> str:
        """A promise about sizes."""
        return show_fact(fact, self.names.dependent)

    # Applications

    def application(self, e: Expr) -> _Rule:
        """A special notation if all arguments are given, a pipeline if it iterates over arrays, or a call."""
        head, items = applied(e)
        operands = [item for item in items if isinstance(item, Expr)]
        if (
            isinstance(head, Primitive)
            and len(operands) == len(items)
            and not self.implicits.shown(head, items)
        ):
            if head.name in INFIX and len(operands) == 2:
                return self.infix(head.name, operands)
            if head.name in PREFIX and len(operands) == 1:
                return self.prefix(PREFIX[head.name], operands[0])
            if head.name == SELECT and len(operands) == 3:
                return self.selection(operands)
            if is_array_literal(head.name, len(operands)):
                return self.array(operands)
            if head.name == LET and len(operands) == 2 and isinstance(operands[1], Lam):
                return self.block(e)
        return self.literal_or_call(e, head, items)

    def literal_or_call(self, e: Expr, head: Expr, items: Sequence[Item]) -> _Rule:
        """`vec[a, b]` or `[0..n)` if possible, otherwise a pipeline or a call."""
        match literal_of(head, items):
            case VectorLiteral(maker, elements) if not self.implicits.shown(maker, elements):
                array, level = yield from self.array(elements)
                return concat("vec", array), level
            case Range(start, end):
                first, last = (show_nat(size, self.names.dependent) for size in (start, end))
                return text(f"[{first}..{last})"), ATOM
        return (yield from self.pipeline_or_call(e, head, items))

    def pipeline_or_call(self, e: Expr, head: Expr, items: Sequence[Item]) -> _Rule:
        """`xs |> map(f) |> join`, with a line for each stage if it does not fit."""
        source, source_head, source_items = e, head, items
        stages: list[tuple[Expr, Sequence[Item]]] = []
        while isinstance(source, App) and is_stage(source_head, source_items):
            if self.allowance.is_cut(stages):
                break
            stages.append((source_head, source_items))
            source = source.arg
            source_head, source_items = applied(source)
        if len(stages) < 2 and not (
            stages and (source_items or isinstance(head, Lam) or takes_function(items))
        ):
            return (yield from self.call(head, items, items))
        first = ELLIPSIS if self.allowance.is_cut(stages) else (yield source, COMPOSED)
        shown: list[Doc | str] = [first]
        for stage_head, stage_items in reversed(stages):
            stage, _ = yield from self.call(stage_head, stage_items, stage_items[:-1])
            shown += [LINE, "|> ", stage]
        return group(*shown), PIPED

    def call(self, head: Expr, items: Sequence[Item], shown: Sequence[Item]) -> _Rule:
        """`head{t}(a, b)`; of all `items` of the head, only those in `shown` are printed."""
        if isinstance(head, Primitive):
            function: Doc = text(self.primitive(head, items))
        elif isinstance(head, Lam | DepLam):
            function, _ = yield from self.function(head, *([SOFT_LINE] if shown else []))
        else:
            function = yield head, APPLIED
        parts: list[Doc] = [function]
        indices = plain_indices(head, items)
        for is_implicit, segment in groupby(shown, lambda item: isinstance(item, Implicit)):
            written: list[Doc] = []
            last: Item | None = None
            for last in segment:
                if not isinstance(last, Expr):
                    written.append(self.argument(last))
                elif indices and last is items[0]:
                    written.append(_indices(indices, is_array=not isinstance(last, Literal)))
                else:
                    written.append((yield last, ANYTHING))
            if is_implicit:
                parts.append(concat("{", separated(written, ", "), "}"))
            elif isinstance(last, Expr) and isinstance(last.type, FunType | DepFunType):
                *before, function = written  # a function's body needs no separate line
                parts.append(concat("(", *[concat(doc, ", ") for doc in before], function, ")"))
            else:
                parts.append(group("(", nest(2, SOFT_LINE, separated(written, ",", LINE)), ")"))
        return concat(*parts), APPLIED

    def argument(self, item: Argument | Implicit) -> Doc:
        """A natural, a type or a space."""
        match item:
            case Implicit(argument):
                return text(self.written(argument))
            case _:
                return text(self.written(item))

    def written(self, argument: Argument) -> str:
        """A dependent argument."""
        return self.allowance.written(argument_in(argument, self.names, self.allowance.room))

    def primitive(self, head: Primitive, items: Sequence[Item]) -> str:
        """A primitive's name, with the implicit parameters that its items do not determine."""
        positions = self.implicits.shown(head, items)
        if not positions:
            return head.name
        record = lookup(head.name)
        shown: list[str] = []
        for position in positions:
            written = self.written(head.implicits[position])
            if position > len(shown) and record is not None:
                written = f"{scheme_of(record.scheme).parameters[position][0]} = {written}"
            shown.append(written)
        return f"{head.name}{{{', '.join(shown)}}}"

    # Special notation of primitives

    def infix(self, name: str, operands: Sequence[Expr]) -> _Rule:
        """`a + b + c`: operators of the same level share a group."""
        operator = INFIX[name]
        left, right = operands
        operations = [(operator.symbol, right)]
        while operator.left == operator.level and not self.allowance.is_cut(operations):
            match left:
                case App(App(Primitive(inner) as head, first), second) if inner in INFIX:
                    if INFIX[inner].level != operator.level or self.implicits.shown(head, (first, second)):
                        break
                    operations.append((INFIX[inner].symbol, second))
                    left = first
                case _:
                    break
        first_operand = ELLIPSIS if self.allowance.is_cut(operations) else (yield left, operator.left)
        shown: list[Doc | str] = []
        for symbol, operand in reversed(operations):
            doc = yield operand, operator.right
            shown += [" " if is_parenthesised(doc) else LINE, f"{symbol} ", doc]
        return group(first_operand, nest(2, *shown)), operator.level

    def prefix(self, symbol: str, operand: Expr) -> _Rule:
        """`-x`, `!x`; `-(1.0)` and `-(inf)` are not literals."""
        is_number = isinstance(operand, Literal) and symbol == "-"
        doc = yield operand, ANYTHING if is_number else APPLIED
        return concat(symbol, "(", doc, ")") if is_number else concat(symbol, doc), UNARY

    def selection(self, operands: Sequence[Expr]) -> _Rule:
        """`if c then t else e`."""
        condition = yield operands[0], ANYTHING
        then = yield operands[1], ANYTHING
        otherwise = yield operands[2], ANYTHING
        branches = concat(nest(2, LINE, "then ", then), nest(2, LINE, "else "), otherwise)
        return group("if ", condition, branches), ANYTHING

    def array(self, operands: Sequence[Expr]) -> _Rule:
        """`[a, b, c]`."""
        elements: list[Doc] = []
        for operand in operands:
            elements.append((yield operand, ANYTHING))
        return group("[", nest(1, separated(elements, ",", LINE)), "]"), ATOM


def _indices(indices: Sequence[Literal], is_array: bool) -> Doc:
    shown = separated([text(str(index.value)) for index in indices], ",", LINE)
    return group("[", nest(1, shown), "]") if is_array else shown


def _constant(shown: str, level: int) -> _Answer:
    return text(shown), level
