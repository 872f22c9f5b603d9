"""Terms as Python values: operators, calls, functions from Python functions. Independent of the names of primitives."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from rise.diagnostics import Diagnostic, RiseError
from rise.dsl.printer import (
    Annotation,
    Application,
    ArrayLiteral,
    EmbeddedTerm,
    Function,
    ImplicitApplication,
    Parenthesized,
    Syntax,
    TextPiece,
    TypeNode,
    TypeText,
    Variable,
    write,
)
from rise.inference.definitions import define as infer
from rise.inference.definitions import elaboration
from rise.naturals import NatVar
from rise.printer.terms import show
from rise.programs.program import Program, context_variables, parse
from rise.records import dataclass
from rise.scalars import SCALARS, is_complex, is_only_stored
from rise.terms import Expr, Var
from rise.text.names import bounded
from rise.text.reader import read_expression
from rise.text.type_printer import show_kind, show_type
from rise.tracebacks import ends_at_the_users_line
from rise.types import Type, TypeVar

#: values that can be used as terms: terms, numbers, lists, pairs, Python functions, typed terms
TermLike: TypeAlias = Any
Operator: TypeAlias = Callable[["Term", TermLike], "Term"]
_SCALAR_NAMES: Final = {facts.dtype: name for name, facts in SCALARS.items()}


def _operators(symbol: str) -> tuple[Operator, Operator]:
    """The methods for an operator whose left operand is a term, and for one whose right operand is."""

    @ends_at_the_users_line
    def of_left(term: Term, other: TermLike) -> Term:
        return _infix(term, symbol, other)

    @ends_at_the_users_line
    def of_right(term: Term, other: TermLike) -> Term:
        return _infix(other, symbol, term)

    return of_left, of_right


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Term:
    """A term that is being built. It has no type yet: `build` infers it."""

    syntax: Syntax

    @ends_at_the_users_line
    def __call__(self, *arguments: TermLike) -> Term:
        if not arguments:
            _refuse("expected at least one argument, found none", "omit the parentheses")
        return Term(Application(self.syntax, tuple(lift(argument).syntax for argument in arguments)))

    @ends_at_the_users_line
    def __getitem__(self, inside: object) -> Term:
        items = inside if isinstance(inside, tuple) else (inside,)
        return Term(ImplicitApplication(self.syntax, tuple(map(_argument, items))))

    @ends_at_the_users_line
    def __or__(self, function: TermLike) -> Term:
        return lift(function)(self)

    @ends_at_the_users_line
    def __ror__(self, argument: TermLike) -> Term:
        return self(argument)

    __rshift__, __rrshift__ = _operators(">>")
    __add__, __radd__ = _operators("+")
    __sub__, __rsub__ = _operators("-")
    __mul__, __rmul__ = _operators("*")
    __truediv__, __rtruediv__ = __floordiv__, __rfloordiv__ = _operators("/")
    __mod__, __rmod__ = _operators("%")
    __pow__, __rpow__ = _operators("^")
    __lt__, __gt__ = _operators("<")[0], _operators(">")[0]
    __le__, __ge__ = _operators("<=")[0], _operators(">=")[0]
    __eq__, __ne__ = _operators("==")[0], _operators("!=")[0]  # type: ignore[assignment]  # they build terms, as numpy's build arrays
    __hash__ = object.__hash__

    def __neg__(self) -> Term:
        # in parentheses, so that `-lift(1.0)` is not a literal
        return Term(Parenthesized(("-(", self.syntax, ")")))

    def __invert__(self) -> Term:
        return Term(Parenthesized(("!", self.syntax)))

    @ends_at_the_users_line
    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it never returns
        _refuse(
            "a term has no truth value while it is built",
            "write `if_(condition, then, otherwise)`, `and_`, `or_`",
        )

    @ends_at_the_users_line
    def __iter__(self) -> Iterator[NoReturn]:
        _refuse(
            "a term has no elements while it is built",
            "take a pair apart with `fst` and `snd`; apply a function to elements with `map`",
        )

    @ends_at_the_users_line
    def __contains__(self, item: object) -> NoReturn:
        _refuse("a term has no elements while it is built", "compare with `map` and `reduce`")

    def __str__(self) -> str:
        return write(self.syntax, is_whole=False).text

    def __repr__(self) -> str:
        return bounded(str(self))


@ends_at_the_users_line
def build(term: TermLike) -> Expr:
    """Infer the types of a term. Raises RiseError, which shows the text that was built."""
    if isinstance(term, Expr):
        return term
    text, context, embedded = write(lift(term).syntax)
    return infer(elaboration(text, "", embedded, context_variables(context)), read_expression(text))


@ends_at_the_users_line
def define(**definitions: TermLike) -> Program:
    """A program of definitions: `define(dot=fun(...), mm=fun(...))`; `definition("dot")` refers to an earlier one."""
    lines: list[str] = []
    for name, term in definitions.items():
        if isinstance(term, Expr):
            term = Term(TextPiece(show(term)))
        text, context, embedded = write(lift(term).syntax)
        if context:
            title = f"the definition `{name}` has the free variable `{next(iter(context))}`"
            _refuse(title, "make it a parameter of a `fun`")
        if embedded:
            title = f"the definition `{name}` contains a typed term"
            _refuse(title, "make it a separate definition, and refer to it with `definition`")
        lines.append(f"val {name} = {text}")
    return parse("\n".join(lines))


@ends_at_the_users_line
def definition(name: str) -> Term:
    """A reference to an earlier definition of the same `define`."""
    return Term(TextPiece(name, True, name))


@ends_at_the_users_line
def lift(value: TermLike) -> Term:
    """Convert a value to a term. Raises RiseError if that is not possible."""
    match value:
        case Term():
            return value
        case Expr():
            return Term(EmbeddedTerm(value, context_of(value)))
        case bool() | np.bool_():
            return Term(TextPiece("true" if value else "false"))
        case np.generic():
            return _typed(value)
        case int():
            return _number(str(value))
        case float():
            return _number(repr(value))
        case list():
            if not value:
                _refuse("expected a term, found an empty list", "an array literal has at least one element")
            return Term(ArrayLiteral(tuple(lift(element).syntax for element in value)))
        case (first, second):
            return Term(TextPiece("pair"))(first, second)
    if callable(value):
        return fun(value)
    found = f"the string {value!r}" if isinstance(value, str) else f"{type(value).__name__}"
    hint = "a term is built from primitives, `fun`, `var`, numbers, lists and pairs"
    _refuse(f"expected a term, found {bounded(found, 80)}", hint)


@ends_at_the_users_line
def fun(function: Callable[..., TermLike], /, *types: str | Type | None, **named: str | Type | None) -> Term:
    """`fun(lambda x, y: x + y, "f32", "f32")`, or by name, `x="f32"`: each is a type, or a kind such as `nat`.

    A kind in braces, `"{nat}"`, declares an implicit parameter. Types that are not given are inferred.
    """
    names = _parameter_names(function)
    if len(types) > len(names):
        _refuse(
            f"the function has {len(names)} parameters, found {len(types)} types", "give one type for each"
        )
    given: dict[str, str | Type | None] = dict(zip(names, types, strict=False))
    for name, t in named.items():
        if name not in names or name in given:
            problem = (
                "already has a type" if name in given else f"is not among the parameters {', '.join(names)}"
            )
            _refuse(f"`{name}` {problem}", "name each parameter once")
        given[name] = t
    variables = [Variable(name) for name in names]
    body = lift(function(*map(Term, variables)))
    parameters = tuple((v, _annotation(given.get(v.name))) for v in variables)
    return Term(Function(parameters, body.syntax))


def _parameter_names(function: Callable[..., TermLike]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        _refuse(
            f"expected a Python function, found {bounded(repr(function), 80)}", "write `fun(lambda x: ...)`"
        )
    if not parameters or any(p.kind > p.POSITIONAL_OR_KEYWORD for p in parameters):
        _refuse(
            "expected a Python function of named parameters",
            "write `fun(lambda x, y: ...)`, without `*` or `**`",
        )
    return [p.name for p in parameters]


@ends_at_the_users_line
def var(name: str, type: str | Type) -> Term:
    """A free variable: `var("xs", "n.f32")`. The sizes in its type are free, too."""
    return Term(Variable(name, show_type(type) if isinstance(type, Type) else _written(type).text))


@ends_at_the_users_line
def nat(name: str) -> Term:
    """A free size."""
    return Term(Variable(name, "nat"))


@ends_at_the_users_line
def literal(value: float, type: str | Type) -> Term:
    """A number of a type: `literal(0.5, "f16")`."""
    return ascribe(value, type)


@ends_at_the_users_line
def ascribe(term: TermLike, type: str | Type) -> Term:
    """`(term : type)`."""
    written = TypeNode(type) if isinstance(type, Type) else _written(type)
    return Term(Parenthesized((lift(term).syntax, " : ", written)))


@ends_at_the_users_line
def if_(condition: TermLike, then: TermLike, otherwise: TermLike) -> Term:
    """`if condition then ... else ...`."""
    parts = (lift(condition).syntax, lift(then).syntax, lift(otherwise).syntax)
    return Term(Parenthesized(("if ", parts[0], " then ", parts[1], " else ", parts[2])))


@ends_at_the_users_line
def exact_quotient(size: TermLike, divisor: TermLike) -> Term:
    """`size /^ divisor`, for sizes where the divisor divides the size."""
    return _infix(size, "/^", divisor)


def context_of(e: Expr) -> dict[str, str]:
    """The types of a term's free variables, in the form that `parse_expr` takes."""
    context: dict[str, str] = {}
    for variable in e.free:
        match variable:
            case NatVar(name):
                context[name] = "nat"
            case TypeVar(name, kind):
                context[name] = show_kind(kind)
            case Var(name, given):
                context[name] = show_type(given)
    return dict(sorted(context.items()))


def _infix(left: TermLike, op: str, right: TermLike) -> Term:
    return Term(Parenthesized((lift(left).syntax, f" {op} ", lift(right).syntax)))


def _number(text: str) -> Term:
    return Term(TextPiece(text, not text.startswith("-")))


def _typed(value: np.generic) -> Term:
    return Term(TextPiece(_typed_text(value)))


def _typed_text(value: Any) -> str:
    name = _SCALAR_NAMES.get(value.dtype)
    if name is None:
        _refuse(f"expected a number of a scalar type, found {value.dtype}", f"types are {', '.join(SCALARS)}")
    if is_complex(name):
        return f"(makeComplex({_typed_text(value.real)}, {_typed_text(value.imag)}))"
    number = float(value.item()) if SCALARS[name].is_float else int(value.item())
    text = "nan" if isinstance(number, float) and math.isnan(number) else repr(number)
    return f"(cast{{{name}}}({text}))" if is_only_stored(name) else f"({text} : {name})"


def _argument(item: object) -> Syntax:
    match item:
        case Term():
            return item.syntax
        case Type():
            return TypeNode(item)
        case str():
            return TypeText(item.strip())
        case int():
            return TextPiece(str(item))
    title = f"expected a type or a size in braces, found {type(item).__name__}"
    _refuse(title, 'write `cast["f32"]`, `split["m = 4"]`')


def _annotation(t: str | Type | None) -> Annotation:
    if isinstance(t, Type):
        return TypeNode(t)
    return None if t is None or t == "" else _written(t)


def _written(t: object) -> TypeText:
    """The text of a type or a kind, as a user gave it."""
    if not isinstance(t, str):
        _refuse(f"expected a type or its text, found {bounded(repr(t), 80)}", 'write `"n.f32"`')
    return TypeText(t.strip())


def _refuse(title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic("dsl", title, hint=hint))
