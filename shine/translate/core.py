"""The two functions of the translation: read an expression, write it into a place. Knows no primitive.

They are the continuation and the acceptor translation of DPIA (Atkey, Steuwer, Lindley, Dubach: "Strategy
Preserving Compilation for Parallel Functional Code", 2017, section 5): `read` emits what must run first and
gives a symbolic value; `write` emits what fills a place. Each primitive says how it is read and written in
its `Translation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias

from rise.diagnostics import RiseError
from rise.naturals import Nat, const
from rise.primitives import PARALLEL, PRIMITIVES
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var
from rise.text.nat_printer import show_nat
from rise.types import Argument as Dependent
from rise.types import DepFunType, FunType, IndexType, Type, VectorType, instantiate_dependent
from shine.imperative.errors import TranslationError, fail, no_such_level, not_stored, not_written, still_high
from shine.imperative.nodes import Constant, Operation, scalar_of
from shine.translate.access import holds_array
from shine.translate.context import Context
from shine.translate.memory import share, share_deep, store
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import GuardedPlace, IndexReader, Place, Reader, ScalarReader


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An expression, what its variables are, where it stands, and what the program calls its value, if it does."""

    expr: Expr
    variables: Variables
    path: Path
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A value that was read."""

    reader: Reader
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Hole:
    """The argument of a function whose result's place is known: `place_before` asks for this one's."""


Operand: TypeAlias = Term | Known | Hole
Variables: TypeAlias = tuple[Operand, "Variables"] | None


@dataclass(frozen=True, slots=True, eq=False)
class Spine:
    """Nested applications taken apart: the head and where it stands, all arguments, the types of operands."""

    head: Expr
    path: Path
    arguments: list[Any]
    parameters: list[Type]
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A primitive and all its arguments: implicit and dependent ones apart, `parameters` are the types of
    the others.
    """

    name: str
    implicits: tuple[Dependent, ...]
    dependent: tuple[Dependent, ...]
    operands: tuple[Operand, ...]
    parameters: tuple[Type, ...]
    type: Type
    path: Path

    @property
    def last(self) -> Operand:
        """The argument that flows through: what stands before `|>`."""
        return self.operands[-1]


@dataclass(frozen=True, slots=True)
class Translation:
    """How a primitive is translated.

    - `access`: for its arguments and its result, whether they are read in memory or written to it; see
      `shine.translate.access`.
    - `read`: gives the value, for a primitive whose result is read.
    - `write`: emits what fills a place.
    - `place`: for a view, where its last argument is written so that the view of it is in the place.
    """

    name: str
    access: str
    read: Callable[[Translator, Call], Task[Reader]] | None = None
    write: Callable[[Translator, Call, Place], Task[None]] | None = None
    place: Callable[[Translator, Call, Place], Task[Place]] | None = None


class Translator(Context):
    """A translation under way, and the records that say how primitives are translated."""

    def __init__(self, levels: frozenset[str], records: Mapping[str, Translation]) -> None:
        super().__init__(levels)
        self._records = records

    def record(self, call: Call) -> Translation:
        """How a primitive is translated; a diagnostic if it is high-level."""
        name = "makeArray" if call.name.startswith("makeArray") else call.name
        found = self._records.get(name)
        if found is None:
            self.refuse_high(name, call.path)
        if name in PARALLEL and name not in self.levels:
            no_such_level(name, self.available("map"), call.path.origin)
        return found

    def refuse_high(self, name: str, path: Path) -> NoReturn:
        """Raise the diagnostic for a high-level primitive: what it lowers to for this target."""
        still_high(name, self.available(name), path.origin)

    def available(self, name: str) -> list[str]:
        """What a high-level primitive lowers to for this target."""
        return [one for one in PRIMITIVES[name].lowers_to if one not in PARALLEL or one in self.levels]


def read(tr: Translator, operand: Operand, *extra: Operand | Dependent) -> Task[Reader]:
    """The value of an expression, applied to more arguments if there are."""
    rest: tuple[Any, ...] = extra
    while True:
        match operand:
            case Known(reader):
                assert not rest, "a value is applied"
                return reader
            case Hole():
                raise AssertionError("a hole is read")
            case Term():
                found = unwind(operand, rest)
        match found.head:
            case (Primitive() | Var()) as head:
                call = make_call(head, found, operand.path)
                record = tr.record(call)
                if record.read is None:
                    not_stored(f"`{call.name}`", call.path.origin)
                if rest or holds_array(call.type):
                    value: Reader = yield record.read(tr, call)
                    return value
                key = (operand.expr, operand.variables)
                known = tr.remembered(key)
                if known is None:
                    known = yield record.read(tr, call)
                    known = yield share_deep(tr, known, call.type, call.path)
                    tr.remember(key, known)
                return known
            case Literal() as head:
                return literal(head)
            case _:
                operand, rest = yield enter(tr, found, operand.variables)


def write(tr: Translator, place: Place, operand: Operand, *extra: Operand | Dependent) -> Task[None]:
    """Fill a place with the value of an expression, applied to more arguments if there are."""
    rest: tuple[Any, ...] = extra
    passed: Call | None = None
    path = Path()
    while True:
        t = type_of(operand, rest)
        path = operand.path if isinstance(operand, Term) else path
        if isinstance(place, GuardedPlace):
            inner = place.place
            yield tr.when(place.condition, path, lambda: write(tr, inner, operand, *rest))  # noqa: B023  # runs now
            return
        if not holds_array(t):
            reader: Reader = yield read(tr, operand, *rest)
            yield store(tr, place, reader, t, path)
            return
        if not isinstance(operand, Term):
            if passed is not None:
                tr.refuse_high(passed.name, passed.path)
            not_written("an array that is in memory", path.origin)
        found = unwind(operand, rest)
        match found.head:
            case (Primitive() | Var()) as head:
                call = make_call(head, found, operand.path)
                record = tr.record(call)
                if record.write is not None:
                    yield record.write(tr, call, place)
                    return
                if record.place is None:
                    not_written(f"`{call.name}`", call.path.origin)
                place = yield record.place(tr, call, place)
                operand, rest = call.last, ()
                passed = call if call.name == "map" else passed
            case _:
                operand, rest = yield enter(tr, found, operand.variables)


def place_before(tr: Translator, place: Place, function: Operand) -> Task[Place]:
    """Where a function's argument is written so that its result is in the place: the function is a view."""
    if isinstance(place, GuardedPlace):
        inside: Place = yield place_before(tr, place.place, function)
        return GuardedPlace(place.condition, inside)
    hole = Hole()
    operand: Operand = function
    rest: tuple[Any, ...] = (hole,)
    while True:
        if operand is hole:
            return place
        assert isinstance(operand, Term), operand
        found = unwind(operand, rest)
        match found.head:
            case (Primitive() | Var()) as head:
                call = make_call(head, found, operand.path)
                record = tr.record(call)
                if record.place is None:
                    tr.refuse_high("map", call.path)
                place = yield record.place(tr, call, place)
                operand, rest = call.last, ()
            case Lam(_, _, body):
                operand = Term(body, (found.arguments[0], operand.variables), found.path.child(0))
                rest = tuple(found.arguments[1:])
            case _:
                operand, rest = yield enter(tr, found, operand.variables)


def unwind(term: Term, extra: tuple[Any, ...]) -> Spine:
    """The head of nested applications, where it stands, and its arguments in order."""
    e, path = term.expr, term.path
    arguments: list[Any] = []
    parameters: list[Type] = []
    while True:
        match e:
            case App(fun, arg):
                name = "" if arguments else term.name
                arguments.append(Term(arg, term.variables, path.child(1), name))
                parameters.append(arg.type)
            case DepApp(fun, argument):
                arguments.append(argument)
            case _:
                break
        e = fun
        path = path.child(0)
    arguments.reverse()
    parameters.reverse()
    t = term.expr.type
    for argument in extra:
        arguments.append(argument)
        if isinstance(t, FunType):
            parameters.append(t.parameter)
        t = applied(t, argument, path)
    return Spine(e, path, arguments, parameters, t)


def applied(t: Type, argument: Any, path: Path) -> Type:
    """The type of a function's result."""
    if isinstance(t, FunType):
        return t.result
    assert isinstance(t, DepFunType), f"{t!r} is applied"
    result: Type = at_argument(t.result, t.name, argument, path)
    return result


def at_argument(body: Any, name: str, argument: Any, path: Path) -> Any:
    """The body of a dependent function for an argument. Raises a diagnostic where that makes a size of it one that
    divides by zero, or that is too large to be computed.
    """
    try:
        return instantiate_dependent(body, argument)
    except ZeroDivisionError:
        given = f"`{name}` = {show_nat(argument)}" if isinstance(argument, Nat) else f"this `{name}`"
        title = f"expected sizes that are natural numbers, found one that divides by zero at {given}"
        fail("size-not-natural", title, "call the function with a size that its divisions allow", path.origin)
    except RiseError as error:
        raise TranslationError(error.diagnostic, path.origin) from None


def enter(tr: Translator, found: Spine, variables: Variables) -> Task[tuple[Operand, tuple[Any, ...]]]:
    """One step of evaluation of a head that is no primitive: the operand that goes on, and its arguments."""
    arguments = found.arguments
    match found.head:
        case Lam(_, _, body) as function:
            assert arguments, "a function stands where a value is expected"
            bound: Operand = yield bind(tr, function, arguments[0], found.path)
            return Term(body, (bound, variables), found.path.child(0)), tuple(arguments[1:])
        case DepLam(name, _, _, _, body):
            assert arguments, "a dependent function stands where a value is expected"
            known: Expr = tr.measured(at_argument(body, name, arguments[0], found.path), found.path)
            return Term(known, variables, found.path.child(0)), tuple(arguments[1:])
        case Bound(index):
            for _ in range(index):
                assert variables is not None
                variables = variables[1]
            assert variables is not None, "a variable is bound nowhere"
            return variables[0], tuple(arguments)
        case _:
            raise AssertionError(f"{found.head!r} is no term that is translated")


def bind(tr: Translator, function: Lam, argument: Operand, path: Path) -> Task[Operand]:
    """What a function's variable stands for: an argument that is used once is put in its place, others are
    shared.
    """
    t = function.parameter
    if isinstance(t, FunType | DepFunType) or isinstance(argument, Hole):
        return argument
    if isinstance(argument, Term):
        argument = replace(argument, name=function.name)
    often = is_used_often(function.body)
    if not often:
        return argument
    reader: Reader = yield read(tr, argument)
    if not holds_array(t):
        path = argument.path if isinstance(argument, Term) else path
        reader = yield share(tr, reader, t, function.name, path)
    return Known(reader, t)


def is_used_often(body: Expr) -> bool:
    """Whether a function's variable is used more than once, or inside a function, which may run often."""
    waiting: list[tuple[Expr, int, bool]] = [(body, 0, False)]
    found = False
    while waiting:
        e, index, repeated = waiting.pop()
        if e.loose <= index:
            continue
        if isinstance(e, Bound):
            if e.index == index:
                if found or repeated:
                    return True
                found = True
            continue
        inner = index + 1 if isinstance(e, Lam) else index
        for child in e.children:
            is_function = (
                isinstance(e, App) and child is e.arg and isinstance(child.type, FunType | DepFunType)
            )
            waiting.append((child, inner, repeated or is_function))
    return False


def make_call(head: Primitive | Var, found: Spine, path: Path) -> Call:
    """A primitive, or a foreign function, with its arguments, sorted."""
    operands = tuple(a for a in found.arguments if isinstance(a, Operand))
    dependent = tuple(a for a in found.arguments if not isinstance(a, Operand))
    implicits = head.implicits if isinstance(head, Primitive) else ()
    return Call(head.name, implicits, dependent, operands, tuple(found.parameters), found.type, path)


def type_of(operand: Operand, extra: tuple[Any, ...]) -> Type:
    """The type of an operand applied to arguments."""
    if isinstance(operand, Known):
        return operand.type
    assert isinstance(operand, Term)
    t = operand.expr.type
    for argument in extra:
        t = applied(t, argument, operand.path)
    return t


def literal(e: Literal) -> Reader:
    """A number, or a vector of it."""
    value = e.value
    assert isinstance(value, int | float), f"{e!r} has no type yet"
    if isinstance(e.given, IndexType):
        return IndexReader(const(int(value)))
    constant = Constant(value, scalar_of(e.given))
    if isinstance(e.given, VectorType):
        return ScalarReader(Operation("broadcast", (constant,), e.given))
    return ScalarReader(constant)
