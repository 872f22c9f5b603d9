"""From the syntax of types and sizes to types and naturals: names get their kinds here. Knows no terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.naturals import Nat, NatBound, NatVar, const, exact_quotient, nat, power
from rise.nodes import Node
from rise.quotients import FUNCTIONS, call, floor_quotient, remainder
from rise.scalars import IMPLIES, ROLES, SCALARS, SPACES, SYNONYMS, is_type_kind, kind_classes, kind_name
from rise.terms import Fact
from rise.text import syntax as s
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
    TypeBound,
    VectorType,
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A function's variable: it hides sizes and types of its name. Its level counts from the outside."""

    level: int
    type: Type


@dataclass(slots=True)
class Scope:
    """The names that a text may use, innermost last.

    `names` are bound by functions around the text: dependent ones stand for unique variables, parameters for
    values; `bound`, (name, kind), are bound inside the type that is being read, and are indices. `free`
    answers for a name that is bound nowhere, given its kind ("nat" or "data"): a node, or None.
    """

    names: list[tuple[str, Node | Parameter]] = field(default_factory=list)
    bound: list[tuple[str, str]] = field(default_factory=list)
    free: Callable[[str, str], Node | None] = lambda name, kind: None
    source: str = ""
    file: str = ""
    _meanings: dict[str, list[Node | Parameter]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for name, meaning in self.names:
            self._meanings.setdefault(name, []).append(meaning)

    def enter(self, name: str, meaning: Node | Parameter) -> None:
        """Go into the function that binds a name."""
        self.names.append((name, meaning))
        self._meanings.setdefault(name, []).append(meaning)

    def leave(self) -> None:
        """Go out of the innermost function again."""
        name, _ = self.names.pop()
        self._meanings[name].pop()

    def lookup(self, name: str) -> Node | Parameter | None:
        """What a name means that is bound, as seen from inside all binders."""
        for index, (found, kind) in enumerate(reversed(self.bound)):
            if found == name:
                return bound_variable(index, kind)
        meanings = self._meanings.get(name)
        return meanings[-1] if meanings else None

    def fail(self, code: str, title: str, span: Span, label: str = "", hint: str = "") -> NoReturn:
        """Report one mistake of the text."""
        labels = (Label(span.start, span.end, label),)
        raise RiseError(Diagnostic(code, title, labels, hint, (), self.source, self.file))

    def refuse(self, expected: str, name: str, meaning: Node | Parameter, span: Span) -> NoReturn:
        """Report a name of another kind than is expected."""
        if isinstance(meaning, Parameter):
            hint = "sizes, types, spaces are parameters by kind: `fun(n: nat, ...)`, `fun({t: data}, ...)`"
            found = "value"
        else:
            hint = ""
            found = "type" if isinstance(meaning, Type) else "space" if _is_space(meaning) else "size"
        self.fail("wrong-kind", f"expected {expected}, found the {found} `{name}`", span, "", hint)


def _is_space(meaning: Node) -> bool:
    return isinstance(meaning, SpaceBound | SpaceMeta)


def bound_variable(index: int, kind: str) -> Node:
    """The dependent variable of a kind at an index."""
    if kind == "nat":
        return NatBound(index)
    if kind == "space":
        return SpaceBound(index)
    return TypeBound(index, kind)


def is_kind(syntax: s.Type) -> bool:
    """Whether a text that may be a type is the kind of a size or a class of types."""
    match syntax:
        case s.TypeName(_, name):
            return name == "nat" or name in IMPLIES
        case s.TypeBinary(_, "+", left, right):
            return is_kind(left) and is_kind(right)
    return False


def read_kind(scope: Scope, kind: s.Type) -> str:
    """`nat`, `space`, or a class of types such as `num` or `floating + ord`."""
    match kind:
        case s.TypeName(_, name) if name in IMPLIES or name in ("nat", "space"):
            return name
        case s.TypeBinary(_, "+", left, right):
            a, b = read_kind(scope, left), read_kind(scope, right)
            if is_type_kind(a) and is_type_kind(b):
                return kind_name(kind_classes(a) | kind_classes(b))
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
                case Node() | Parameter() as other:
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
    hint = (
        did_you_mean(name, visible)
        or f"bind it, `fun({name}: nat, ...)`, or use a capital: it is bound by itself"
    )
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
                known = {"Array": "Array[n, t]", "vec": "vec[n, t]", "idx": "idx[n]"}
                hint = "write Fragment[m, n, k, t, AMatrix | BMatrix | Accum]"
                if isinstance(node, s.TypeCall):
                    hint = f"write {known[node.name]}" if node.name in known else hint
                else:
                    hint = "a type is a scalar, n.t, (s, t), idx[n], vec[n, t], or s -> t"
                scope.fail("expected-type", "expected a type", node.span, "this is none", hint)
    (found_type,) = values
    return found_type


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
    if bound is None:
        found = scope.free(name, "data")
        if isinstance(found, Type):
            return found
    else:
        scope.refuse("a type", name, bound, span)
    names = [*SCALARS, *SYNONYMS, *(n for n, kind in scope.bound if is_type_kind(kind))]
    hint = did_you_mean(name, names) or f"bind it: `fun({{{name}: data}}, ...)`"
    scope.fail("unknown-name", f"the type `{name}` is bound nowhere", span, "not known here", hint)


def read_fact(scope: Scope, fact: s.Fact) -> Fact:
    """A promise about sizes."""
    if fact.relation == "!=":
        hint = "`divides`, `<`, `<=`, `>`, `>=` and `==` are facts"
        scope.fail("fact", "expected a fact of divisibility or order, found `!=`", fact.span, "", hint)
    return Fact(fact.relation, read_natural(scope, fact.left), read_natural(scope, fact.right))
