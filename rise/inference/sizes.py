"""From the syntax of sizes, and of functions of them, to naturals: names get their kinds here. Knows no terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from rise.diagnostics import did_you_mean
from rise.inference.scope import Scope
from rise.naturals import Nat, NatBound, NatVar, const, exact_quotient, nat, power
from rise.quotients import FUNCTIONS, call, floor_quotient, remainder
from rise.scalars import SCALARS, SIZE_FUNCTION, SYNONYMS
from rise.size_functions import SizeFunction, size_at, size_map, size_sum
from rise.text import syntax as s
from rise.text.trees import Span

SUM: Final = "sum"  # of the values of a function of sizes
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
    found = _read_size(scope, syntax)
    return found if isinstance(found, Nat) else _function_as_size(scope, syntax.span)


def read_size_function(scope: Scope, syntax: s.Type | s.Expr) -> SizeFunction:
    """A function of sizes: `(i |-> i + 1)`, or a name."""
    found = _read_size(scope, syntax)
    if isinstance(found, Nat):
        title = "expected a function of sizes, found a size"
        scope.fail("wrong-kind", title, syntax.span, "", "write it out: `(i |-> i + 1)`")
    return found


def _function_as_size(scope: Scope, span: Span) -> NoReturn:
    hint = "apply it: `len(i)`, or add its values up: `sum(n, len)`"
    scope.fail("wrong-kind", "expected a size, found a function of sizes", span, "", hint)


def _read_size(scope: Scope, syntax: s.Type | s.Expr) -> Nat | SizeFunction:
    values: list[Any] = []
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
            case s.IndexMap(_, name, body):
                if inside:
                    scope.bound.pop()
                    values.append(size_map(name, _as_natural(scope, values.pop(), body.span)))
                else:
                    scope.bound.append((name, "nat"))
                    work += [(node, True), (body, False)]
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
    assert isinstance(result, Nat | SizeFunction), result
    return result


def _flat(node: s.Apply) -> tuple[s.Expr, list[s.Expr]]:
    arguments: list[s.Expr] = []
    head: s.Expr = node
    while isinstance(head, s.Apply):
        arguments.append(head.arg)
        head = head.fun
    return head, arguments[::-1]


def _as_natural(scope: Scope, value: Nat | SizeFunction, span: Span) -> Nat:
    return value if isinstance(value, Nat) else _function_as_size(scope, span)


def _operate(scope: Scope, op: str, left: Any, right: Any, span: Span) -> Nat:
    left, right = _as_natural(scope, left, span), _as_natural(scope, right, span)
    try:
        return _NAT_OPERATORS[op](left, right)
    except ZeroDivisionError:
        scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "divide by a size >= 1")


def _natural_call(scope: Scope, name: str, args: list[Any], span: Span) -> Nat:
    function = scope.lookup(name) or scope.free(name, SIZE_FUNCTION)
    if isinstance(function, SizeFunction) and len(args) == 1:
        return size_at(function, _as_natural(scope, args[0], span))
    if name == SUM and len(args) == 2 and isinstance(args[1], SizeFunction):
        return size_sum(_as_natural(scope, args[0], span), args[1])
    args = [_as_natural(scope, arg, span) for arg in args]
    if name not in FUNCTIONS or len(args) != 2:
        known = f"functions of two sizes are {', '.join(sorted(FUNCTIONS))}"
        bind = f"bind it, `fun({{{name}: nat -> nat}}, ...)`, or write the size out"
        hint = did_you_mean(name, FUNCTIONS) or (bind if len(args) == 1 else known)
        scope.fail("unknown-name", f"`{name}` is no function of {len(args)} sizes", span, "", hint)
    try:
        return call(name, *args)
    except ZeroDivisionError:
        scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "divide by a size >= 1")


def _natural_name(scope: Scope, name: str, span: Span) -> Nat | SizeFunction:
    match scope.lookup(name):
        case SizeFunction() as function:
            return function
        case NatBound() | NatVar() as bound:
            return nat(bound)
        case None if name in scope.synonyms:
            hint = "a synonym is a type; a size has another name"
            scope.fail("wrong-kind", f"expected a size, found the type `{name}`", span, "", hint)
        case None:
            match scope.free(name, "nat"):
                case SizeFunction() as function:
                    return function
                case Nat() as found:
                    return found
                case NatVar() as found:
                    return nat(found)
        case other:
            scope.refuse("a size", name, other, span)
    if name in SCALARS or name in SYNONYMS:
        scope.fail("wrong-kind", f"expected a size, found the type `{name}`", span)
    scope.refuse_word("a size", name, span)
    visible = [n for n, kind in scope.bound if kind == "nat"]
    visible += [n for n, variable in scope.names if isinstance(variable, NatVar)]
    if scope.is_closed:
        otherwise = f"the sizes of the term are {', '.join(visible)}" if visible else "the term binds no size"
    else:
        otherwise = f"bind it, `fun({name}: nat, ...)`, or use a capital: it is bound by itself"
    hint = did_you_mean(name, visible) or otherwise
    scope.fail("unknown-name", f"the size `{name}` is bound nowhere", span, "not known here", hint)
