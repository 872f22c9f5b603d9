"""From the syntax of types and sizes to types and naturals: names get their kinds here. Knows no terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from rise.diagnostics import RiseError, did_you_mean
from rise.inference.scope import General, Parameter, Scope, Shared, Synonym
from rise.naturals import Nat, NatBound, NatVar, const, exact_quotient, nat, power
from rise.nodes import Node
from rise.quotients import FUNCTIONS, call, floor_quotient, remainder
from rise.scalars import IMPLIES, ROLES, SCALARS, SPACES, SYNONYMS, is_type_kind, kind_classes, kind_name
from rise.terms import Fact
from rise.text import syntax as s
from rise.text.hints import BRACKETED, TYPES
from rise.text.names import bounded
from rise.text.trees import Span
from rise.types import (
    Argument,
    ArrayType,
    DepFunType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    SpaceBound,
    SpaceMeta,
    Type,
    VectorType,
    instantiate_dependent,
    shift_dependent,
)


def is_kind(syntax: s.Type) -> bool:
    """Whether a text that may be a type is the kind of a size or a class of types."""
    return all(
        isinstance(part, s.TypeName) and (part.name == "nat" or part.name in IMPLIES)
        for part in _summands(syntax)
    )


def _summands(syntax: s.Type) -> list[s.Type]:
    """What a text of types adds up: classes of types, where it is a kind."""
    found: list[s.Type] = []
    waiting = [syntax]
    while waiting:
        match waiting.pop():
            case s.TypeBinary(_, "+", left, right):
                waiting += [right, left]
            case part:
                found.append(part)
    return found


def read_kind(scope: Scope, kind: s.Type) -> str:
    """`nat`, `space`, or a class of types such as `num` or `floating + ord`."""
    match kind:
        case s.TypeName(_, "nat" | "space" as name):
            return name
    names = [part.name for part in _summands(kind) if isinstance(part, s.TypeName) and part.name in IMPLIES]
    if len(names) == len(_summands(kind)):
        return kind_name(frozenset().union(*map(kind_classes, names)))
    scope.fail(
        "unknown-kind",
        "expected a kind: nat, space, or a class of types (data, num, ord, floating, integral)",
        kind.span,
        "this is none",
    )


def read_argument(scope: Scope, kind: str, argument: s.Type) -> Argument:
    """What a dependent parameter of this kind is given."""
    if kind == "nat":
        return read_natural(scope, argument)
    if kind == "space":
        return read_space(scope, argument)
    return read_type(scope, argument)


def read_space(scope: Scope, syntax: s.Type) -> Space | SpaceBound | SpaceMeta:
    """`Global`, `Shared`, `Local`, `Constant`, or a space variable in scope."""
    match syntax:
        case s.TypeName(_, name) if name in SPACES:
            return Space(name)
        case s.TypeName(_, name):
            match scope.lookup(name):
                case SpaceBound() | SpaceMeta() as bound:
                    return bound
                case Node() | Parameter() | Shared() | General() as other:
                    scope.refuse("a memory space", name, other, syntax.span)
            hint = did_you_mean(name, SPACES)
            scope.fail("unknown-name", f"expected a memory space, found `{name}`", syntax.span, "", hint)
    scope.fail("unknown-name", f"expected a memory space ({', '.join(SPACES)})", syntax.span, "this is none")


_NAT_OPERATORS: Final[Mapping[str, Callable[[Nat, Nat], Nat]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": floor_quotient,
    "%": remainder,
    "/^": exact_quotient,
    "^": power,
}


def read_natural(scope: Scope, syntax: s.Type | s.Expr) -> Nat:
    """A size, from the syntax of types or (as an argument) of expressions. Iterative."""
    values: list[Nat] = []
    work: list[tuple[Any, bool]] = [(syntax, False)]
    while work:
        node, inside = work.pop()
        match node:
            case s.TypeNat(_, value):
                values.append(const(value))
            case s.Number(_, _, None, exact, False) if exact.denominator == 1:
                values.append(const(int(exact)))
            case s.TypeName(span, name) | s.Name(span, name):
                values.append(_natural_name(scope, name, span))
            case s.TypeBinary(_, op, left, right) | s.Binary(_, op, left, right) if op in _NAT_OPERATORS:
                if inside:
                    right_value, left_value = values.pop(), values.pop()
                    values.append(_operate(scope, op, left_value, right_value, node.span))
                else:
                    work += [(node, True), (right, False), (left, False)]
            case s.Power(_, left, right):
                if inside:
                    right_value, left_value = values.pop(), values.pop()
                    values.append(_operate(scope, "^", left_value, right_value, node.span))
                else:
                    work += [(node, True), (right, False), (left, False)]
            case s.TypeCall(_, name, args):
                if inside:
                    given = [values.pop() for _ in args][::-1]
                    values.append(_natural_call(scope, name, given, node.span))
                else:
                    work += [(node, True), *((a, False) for a in reversed(args))]
            case s.Apply():
                head, arguments = _flat(node)
                if not isinstance(head, s.Name):
                    scope.fail("expected-size", "expected a size", node.span, "this is none")
                if inside:
                    given = [values.pop() for _ in arguments][::-1]
                    values.append(_natural_call(scope, head.name, given, node.span))
                else:
                    work += [(node, True), *((a, False) for a in reversed(arguments))]
            case _:
                hint = "a size is a number, a name, or arithmetic; arithmetic in types stands in brackets"
                scope.fail("expected-size", "expected a size", node.span, "this is none", hint)
    (result,) = values
    return result


def _flat(node: s.Apply) -> tuple[s.Expr, list[s.Expr]]:
    arguments: list[s.Expr] = []
    head: s.Expr = node
    while isinstance(head, s.Apply):
        arguments.append(head.arg)
        head = head.fun
    return head, arguments[::-1]


def _operate(scope: Scope, op: str, left: Nat, right: Nat, span: Span) -> Nat:
    try:
        return _NAT_OPERATORS[op](left, right)
    except ZeroDivisionError:
        scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "divide by a size >= 1")


def _natural_call(scope: Scope, name: str, args: list[Nat], span: Span) -> Nat:
    if name not in FUNCTIONS or len(args) != 2:
        hint = did_you_mean(name, FUNCTIONS) or f"functions of two sizes are {', '.join(sorted(FUNCTIONS))}"
        scope.fail("unknown-name", f"`{name}` is no function of {len(args)} sizes", span, "", hint)
    try:
        return call(name, *args)
    except ZeroDivisionError:
        scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "divide by a size >= 1")


def _natural_name(scope: Scope, name: str, span: Span) -> Nat:
    match scope.lookup(name):
        case NatBound() | NatVar() as bound:
            return nat(bound)
        case None if name in scope.synonyms:
            hint = "a synonym is a type; a size has another name"
            scope.fail("wrong-kind", f"expected a size, found the type `{name}`", span, "", hint)
        case None:
            match scope.free(name, "nat"):
                case Nat() as found:
                    return found
                case NatVar() as found:
                    return nat(found)
        case other:
            scope.refuse("a size", name, other, span)
    if name in SCALARS or name in SYNONYMS:
        scope.fail("wrong-kind", f"expected a size, found the type `{name}`", span)
    visible = [n for n, kind in scope.bound if kind == "nat"]
    visible += [n for n, variable in scope.names if isinstance(variable, NatVar)]
    if scope.is_closed:
        otherwise = f"the sizes of the term are {', '.join(visible)}" if visible else "the term binds no size"
    else:
        otherwise = f"bind it, `fun({name}: nat, ...)`, or use a capital: it is bound by itself"
    hint = did_you_mean(name, visible) or otherwise
    scope.fail("unknown-name", f"the size `{name}` is bound nowhere", span, "not known here", hint)


def read_type(scope: Scope, syntax: s.Type) -> Type:
    """A type. Iterative in the nesting of arrays, arrows and pairs."""
    values: list[Type] = []
    sizes: list[Nat] = []
    depth = len(scope.bound)
    work: list[tuple[Any, bool]] = [(syntax, False)]
    while work:
        node, inside = work.pop()
        match node:
            case s.TypeName(span, name):
                values.append(_type_name(scope, name, span))
            case s.Arrow(_, left, right) | s.PairType(_, left, right):
                if inside:
                    second, first = values.pop(), values.pop()
                    made: Type = (
                        FunType(first, second) if isinstance(node, s.Arrow) else PairType(first, second)
                    )
                    values.append(made)
                else:
                    work += [(node, True), (right, False), (left, False)]
            case s.TypeCall(span, name, args) if name in scope.synonyms:
                synonym = scope.synonyms[name]
                _refuse_other_count(scope, synonym, len(args), span)
                kinds = [kind for _, kind in synonym.parameters]
                if inside:
                    given: list[Argument] = []
                    for kind in reversed(kinds):
                        given.insert(0, sizes.pop() if kind == "nat" else values.pop())
                    values.append(_expanded(synonym, given))
                else:
                    sizes += [
                        read_natural(scope, a) for a, kind in zip(args, kinds, strict=True) if kind == "nat"
                    ]
                    of_types = [a for a, kind in zip(args, kinds, strict=True) if kind != "nat"]
                    work += [(node, True), *((a, False) for a in reversed(of_types))]
            case s.ArrayType(_, size, element) | s.TypeCall(_, "Array" | "vec", (size, element)):
                if inside:
                    # Sizes are read on the way in, so that capitals are bound in order of the text.
                    sized = VectorType if isinstance(node, s.TypeCall) and node.name == "vec" else ArrayType
                    values.append(sized(sizes.pop(), values.pop()))
                else:
                    sizes.append(read_natural(scope, size))
                    work += [(node, True), (element, False)]
            case s.TypeCall(_, "idx", (size,)):
                values.append(IndexType(read_natural(scope, size)))
            case s.TypeCall(_, "Fragment", (m, n, k, element, role, *family)) if len(family) <= 1:
                if inside:
                    rows, columns, third = (read_natural(scope, size) for size in (m, n, k))
                    instructions = _family(scope, *family)
                    values.append(
                        FragmentType(rows, columns, third, values.pop(), _role(scope, role), instructions)
                    )
                else:
                    work += [(node, True), (element, False)]
            case s.ExplicitArrow(_, name, kind, result) | s.ImplicitArrow(_, name, kind, result):
                if inside:
                    _, found = scope.bound.pop()
                    implicit = isinstance(node, s.ImplicitArrow)
                    values.append(DepFunType(name, found, implicit, values.pop()))
                else:
                    scope.bound.append((name, read_kind(scope, kind)))
                    work += [(node, True), (result, False)]
            case _:
                del scope.bound[depth:]
                scope.fail(
                    "expected-type", "expected a type", node.span, "this is none", _type_hint(scope, node)
                )
    (found_type,) = values
    return found_type


def read_synonym(scope: Scope, syntax: s.Synonym) -> Synonym:
    """A name for a type; its parameters are all that the type may name."""
    parameters: list[tuple[str, str]] = []
    for param in syntax.parameters:
        kind = "nat" if param.type is None else read_kind(scope, param.type)
        if param.name in (name for name, _ in parameters):
            title = f"`{param.name}` is a parameter of `{syntax.name}` twice"
            scope.fail("defined-twice", title, param.span, "again here", "give one of them another name")
        if kind == "space":
            scope.fail("wrong-kind", "a parameter of a type is a size or a type, found a space", param.span)
        parameters.append((param.name, kind))
    scope.bound += parameters
    try:
        made = read_type(scope, syntax.type)
    except RiseError as error:
        if not error.diagnostic.title.startswith("the size"):
            raise
        hint = f"sizes are parameters: `type {syntax.name}[...] = ...`"
        raise RiseError(replace(error.diagnostic, hint=hint)) from None
    del scope.bound[:]
    return Synonym(syntax.name, tuple(parameters), made)


def _expanded(synonym: Synonym, given: list[Argument]) -> Type:
    """The type that a synonym stands for at its arguments."""
    t: Type = synonym.type
    for position in range(len(given) - 1, -1, -1):
        t = instantiate_dependent(t, shift_dependent(given[position], position))
    return t


def _refuse_other_count(scope: Scope, synonym: Synonym, count: int, span: Span) -> None:
    if count != len(synonym.parameters):
        title = f"expected {synonym.shown}, found `{synonym.name}` with {count} argument{'s' * (count != 1)}"
        scope.fail(
            "synonym", title, span, "", f"write {synonym.shown}, with what is meant in place of the names"
        )


def _type_hint(scope: Scope, syntax: Any) -> str:
    """How what is no type may have been meant."""
    match syntax:
        case s.TypeCall(_, name) if name in BRACKETED:
            return f"write {BRACKETED[name]}"
        case s.TypeCall(_, name, args) if name in SCALARS or name in SYNONYMS:
            sizes = (scope.source[size.span.start : size.span.end] for size in args)
            shown = ".".join(size if size.isalnum() else f"({size})" for size in sizes)
            return f"an array type is written size first: {bounded(shown)}.{name}"
        case s.TypeCall(_, name):
            return did_you_mean(name, [*BRACKETED, *scope.synonyms]) or TYPES
    return TYPES


def _role(scope: Scope, syntax: s.Type) -> str:
    match syntax:
        case s.TypeName(_, name) if name in ROLES:
            return name
    scope.fail(
        "expected-role", f"expected a fragment's role: {', '.join(ROLES)}", syntax.span, "this is none"
    )


def _family(scope: Scope, *syntax: s.Type) -> str:
    match syntax:
        case ():
            return "wmma"
        case (s.TypeName(_, name),):
            return name
    scope.fail("expected-family", "expected the name of an instruction family, such as wmma", syntax[0].span)


def _type_name(scope: Scope, name: str, span: Span) -> Type:
    known = SYNONYMS.get(name, name)
    bound = scope.lookup(name)
    if isinstance(bound, Type):
        return bound
    if bound is None and known in SCALARS:
        return ScalarType(known)
    if bound is None and name in scope.synonyms:
        _refuse_other_count(scope, scope.synonyms[name], 0, span)
        return scope.synonyms[name].type
    if bound is None:
        found = scope.free(name, "data")
        if isinstance(found, Type):
            return found
    else:
        scope.refuse("a type", name, bound, span)
    names = [*SCALARS, *SYNONYMS, *scope.synonyms, *(n for n, kind in scope.bound if is_type_kind(kind))]
    otherwise = TYPES if scope.is_closed else f"bind it: `fun({{{name}: data}}, ...)`"
    hint = did_you_mean(name, names) or otherwise
    scope.fail("unknown-name", f"the type `{name}` is bound nowhere", span, "not known here", hint)


def read_fact(scope: Scope, fact: s.Fact) -> Fact:
    """A promise about sizes."""
    if fact.relation == "!=":
        hint = "`divides`, `<`, `<=`, `>`, `>=` and `==` are facts"
        scope.fail("fact", "expected a fact of divisibility or order, found `!=`", fact.span, "", hint)
    return Fact(fact.relation, read_natural(scope, fact.left), read_natural(scope, fact.right))
