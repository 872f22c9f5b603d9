"""Reads sizes and functions of sizes from syntax: names get their kinds here. Independent of terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

from rise.diagnostics import RiseError, did_you_mean
from rise.inference.effort import check_size, cost_of, cost_of_sum
from rise.inference.scope import Scope
from rise.naturals import Nat, NatBound, NatVar, Term, const, exact_quotient, nat, polynomial, power, scale
from rise.quotients import FUNCTIONS, call, floor_quotient, remainder
from rise.scalars import SCALARS, SIZE_FUNCTION, SYNONYMS
from rise.size_functions import SizeFunction, size_at, size_map, size_sum
from rise.text import syntax as s
from rise.text.trees import Span

SUM: Final = "sum"  # the name of the sum of the values of a function of sizes
CAST: Final = "cast"  # the primitive that takes a size as a number
_NAT_OPERATORS: Final[Mapping[str, Callable[[Nat, Nat], Nat]]] = {
    "*": lambda a, b: a * b,
    "/": floor_quotient,
    "%": remainder,
    "/^": exact_quotient,
    "^": power,
}


class _Sum(NamedTuple):
    """A sum whose summands are being read."""

    summands: list[tuple[int, Any]]
    span: Span


def read_natural(scope: Scope, syntax: s.Type | s.Expr) -> Nat:
    """A size, from the syntax of types or (as an argument) of expressions. Iterative."""
    size = _read_size(scope, syntax)
    return size if isinstance(size, Nat) else _function_as_size(scope, syntax.span)


def is_cast(fun: s.Expr) -> bool:
    """Whether a function is the primitive that takes sizes as numbers: `cast` or `cast{t}`."""
    if isinstance(fun, s.Instantiate):
        fun = fun.fun
    return isinstance(fun, s.Name) and fun.name == CAST


def is_size(scope: Scope, syntax: s.Expr, is_free_size: Callable[[str], bool]) -> bool:
    """Whether an expression is arithmetic on sizes: numbers, and at least one name of a size. Iterative."""
    has_name = False
    work = [syntax]
    while work:
        match work.pop():
            case s.Name(_, name):
                meaning = scope.lookup(name)
                if not (isinstance(meaning, NatBound | NatVar) or (meaning is None and is_free_size(name))):
                    return False
                has_name = True
            case s.Number(_, _, None, _, False):
                pass
            case s.Binary(_, op, left, right) if op in "+-" or op in _NAT_OPERATORS:
                work += (left, right)
            case s.Power(_, base, exponent):
                work += (base, exponent)
            case s.Apply() as call_of_sizes:
                head, arguments = _flat(call_of_sizes)
                if not isinstance(head, s.Name):
                    return False
                has_name |= isinstance(scope.lookup(head.name), SizeFunction)
                if head.name not in FUNCTIONS and not isinstance(scope.lookup(head.name), SizeFunction):
                    return False
                work += arguments
            case _:
                return False
    return has_name


def read_size_function(scope: Scope, syntax: s.Type | s.Expr) -> SizeFunction:
    """A function of sizes: `(i |-> i + 1)`, or a name."""
    function = _read_size(scope, syntax)
    if isinstance(function, Nat):
        title = "expected a function of sizes, found a size"
        scope.fail("wrong-kind", title, syntax.span, "", "write a function, such as `(i |-> i + 1)`")
    return function


def _function_as_size(scope: Scope, span: Span) -> NoReturn:
    hint = "apply it, as in `len(i)`, or sum its values, as in `sum(n, len)`"
    scope.fail("wrong-kind", "expected a size, found a function of sizes", span, "", hint)


def _read_size(scope: Scope, syntax: s.Type | s.Expr) -> Nat | SizeFunction:
    values: list[Any] = []
    work: list[tuple[Any, bool]] = [(syntax, False)]
    while work:
        node, inside = work.pop()
        match node:
            case s.TypeNat(_, value):
                values.append(_number(scope, value, node.span))
            case s.Number(_, _, None, exact, False) if exact.denominator == 1:
                values.append(_number(scope, int(exact), node.span))
            case s.TypeName(span, name) | s.Name(span, name):
                values.append(_natural_name(scope, name, span))
            case s.TypeBinary(_, "+" | "-") | s.Binary(_, "+" | "-"):
                summands = _summands(node)
                work += [
                    (_Sum(summands, node.span), True),
                    *((part, False) for _, part in reversed(summands)),
                ]
            case _Sum(summands, span):
                first = len(values) - len(summands)
                values[first:] = [_added(scope, summands, values[first:], span)]
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
                    scope.unbind()
                    values.append(size_map(name, _as_natural(scope, values.pop(), body.span)))
                else:
                    scope.bind(name, "nat")
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
                    scope.fail("expected-size", "expected a size", node.span, "this is not a size")
                if inside:
                    given = [values.pop() for _ in arguments][::-1]
                    values.append(_natural_call(scope, head.name, given, node.span))
                else:
                    work += [(node, True), *((a, False) for a in reversed(arguments))]
            case _:
                hint = "a size is a number, a name, or arithmetic; in types, write arithmetic in parentheses"
                if isinstance(node, s.PairType):
                    hint = "the sizes of an array with several axes are separated by dots: `M.N.f32`"
                scope.fail("expected-size", "expected a size", node.span, "this is not a size", hint)
    (result,) = values
    assert isinstance(result, Nat | SizeFunction), result
    return result


def _number(scope: Scope, value: int, span: Span) -> Nat:
    return _checked(scope, span, 1, lambda: const(value))


def _flat(node: s.Apply) -> tuple[s.Expr, list[s.Expr]]:
    arguments: list[s.Expr] = []
    head: s.Expr = node
    while isinstance(head, s.Apply):
        arguments.append(head.arg)
        head = head.fun
    return head, arguments[::-1]


def _as_natural(scope: Scope, value: Nat | SizeFunction, span: Span) -> Nat:
    return value if isinstance(value, Nat) else _function_as_size(scope, span)


def _summands(node: s.Type | s.Expr) -> list[tuple[int, s.Type | s.Expr]]:
    """The summands of nested sums with their signs, 1 or -1. They are added at once, in linear time."""
    summands: list[tuple[int, s.Type | s.Expr]] = []
    waiting: list[tuple[int, Any]] = [(1, node)]
    while waiting:
        sign, part = waiting.pop()
        match part:
            case s.TypeBinary(_, "+" | "-" as op, left, right) | s.Binary(_, "+" | "-" as op, left, right):
                waiting += [(sign if op == "+" else -sign, right), (sign, left)]
            case _:
                summands.append((sign, part))
    return summands


def _added(scope: Scope, summands: list[tuple[int, Any]], values: list[Any], span: Span) -> Nat:
    terms: list[Term] = []
    for (sign, part), value in zip(summands, values, strict=True):
        terms += scale(_as_natural(scope, value, part.span), sign).terms
    return _checked(scope, span, len(terms), lambda: polynomial(terms))


def _operate(scope: Scope, op: str, left: Any, right: Any, span: Span) -> Nat:
    left, right = _as_natural(scope, left, span), _as_natural(scope, right, span)
    return _checked(scope, span, cost_of(op, left, right), lambda: _NAT_OPERATORS[op](left, right))


def _checked(scope: Scope, span: Span, cost: int, compute: Callable[[], Nat]) -> Nat:
    """Compute a size, and count its cost. Errors are reported at its place."""
    try:
        scope.effort.spend(cost)
        size = check_size(compute())
        scope.effort.spend(size.weight)
    except ZeroDivisionError:
        scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "divide by a size >= 1")
    except RiseError as error:
        raise scope.placed(error, span) from None
    return size


def _natural_call(scope: Scope, name: str, args: list[Any], span: Span) -> Nat:
    function = scope.lookup(name) or scope.free(name, SIZE_FUNCTION)
    if isinstance(function, SizeFunction) and len(args) == 1:
        argument = _as_natural(scope, args[0], span)
        return _checked(scope, span, argument.weight, lambda: size_at(function, argument))
    if name == SUM and len(args) == 2 and isinstance(args[1], SizeFunction):
        count, summed = _as_natural(scope, args[0], span), args[1]
        return _checked(scope, span, cost_of_sum(count, summed), lambda: size_sum(count, summed))
    args = [_as_natural(scope, arg, span) for arg in args]
    if name not in FUNCTIONS or len(args) != 2:
        available = f"the functions of two sizes are {', '.join(sorted(FUNCTIONS))}"
        bind = f"make it a parameter, `fun({{{name}: nat -> nat}}, ...)`, or write the size out"
        hint = did_you_mean(name, FUNCTIONS) or (bind if len(args) == 1 else available)
        sizes = f"{len(args)} size{'s' * (len(args) != 1)}"
        scope.fail("unknown-name", f"there is no function `{name}` of {sizes}", span, "", hint)
    return _checked(scope, span, cost_of(name, *args), lambda: call(name, *args))


def _natural_name(scope: Scope, name: str, span: Span) -> Nat | SizeFunction:
    match scope.lookup(name):
        case SizeFunction() as function:
            return function
        case NatBound() | NatVar() as bound:
            return nat(bound)
        case None if name in scope.synonyms:
            hint = "a synonym is a name for a type, and cannot be a size"
            scope.fail("wrong-kind", f"expected a size, found the type `{name}`", span, "", hint)
        case None:
            match scope.free(name, "nat"):
                case SizeFunction() as function:
                    return function
                case Nat() as size:
                    return size
                case NatVar() as variable:
                    return nat(variable)
        case other:
            scope.refuse("a size", name, other, span)
    if name in SCALARS or name in SYNONYMS:
        scope.fail("wrong-kind", f"expected a size, found the type `{name}`", span)
    scope.refuse_word("a size", name, span)
    visible = [n for n, kind in scope.bound if kind == "nat"]
    visible += [n for n, variable in scope.names if isinstance(variable, NatVar)]
    if scope.is_closed:
        otherwise = (
            f"the sizes of the term are {', '.join(visible)}" if visible else "the term binds no sizes"
        )
    else:
        otherwise = f"make it a parameter, `fun({name}: nat, ...)`, or use a capital letter, which needs no declaration"
    hint = did_you_mean(name, visible) or otherwise
    scope.fail("unknown-name", f"the size `{name}` is not defined", span, "not defined here", hint)
