"""The two functions of the translation: read an expression, or write it to a place. Independent of primitives.

They are the continuation and the acceptor translation of DPIA (Atkey, Steuwer, Lindley, Dubach: "Strategy
Preserving Compilation for Parallel Functional Code", 2017, section 5): `read` emits the statements that must
run first and gives a symbolic value; `write` emits the statements that fill a place. Each primitive's
`Translation` says how it is read and written.

One subject: both functions, and `place_before`, take applications apart in the same way, and call each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NoReturn, TypeAlias

from rise.analysis.uses import is_used_often
from rise.diagnostics import RiseError
from rise.naturals import Nat, const
from rise.primitives import PARALLEL, PRIMITIVES, has_trait
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var, spine
from rise.text.nat_printer import show_nat
from rise.types import Argument as Dependent
from rise.types import DepFunType, FunType, IndexType, Type, VectorType, instantiate_dependent
from shine.imperative.errors import TranslationError, fail, no_such_level, not_stored, not_written, still_high
from shine.imperative.nodes import Constant, Operation, scalar_of
from shine.imperative.temporaries import REDUCING
from shine.translate.access import holds_array
from shine.translate.context import Context
from shine.translate.memory import share, share_deep, store
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import GuardedPlace, IndexReader, Place, Reader, ScalarReader, as_index


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An expression with its variables, its position, and its names in the program, if any: `called` is the name of
    exactly its value, `name` that of its value or of one computed from it.
    """

    expr: Expr
    variables: Variables
    path: Path
    name: str = ""
    called: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A value that has been read. `is_own`: whether it is read from its own memory, and not through a view."""

    reader: Reader
    type: Type
    is_own: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Hole:
    """The argument of a function whose result has a known place: `place_before` finds the argument's place."""


Operand: TypeAlias = Term | Known | Hole
Variables: TypeAlias = tuple[Operand, "Variables"] | None


@dataclass(frozen=True, slots=True, eq=False)
class Spine:
    """Nested applications, taken apart: the head and its position, all arguments, and the types of the operands."""

    head: Expr
    path: Path
    arguments: list[Any]
    parameters: list[Type]
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A primitive and its arguments: implicits, dependent arguments, and operands, whose types are `parameters`.

    `called` is the name that the program gives its value, if that is known.
    """

    name: str
    implicits: tuple[Dependent, ...]
    dependent: tuple[Dependent, ...]
    operands: tuple[Operand, ...]
    parameters: tuple[Type, ...]
    type: Type
    path: Path
    called: str = ""

    @property
    def last(self) -> Operand:
        """The last operand, which is the one before `|>`."""
        return self.operands[-1]


@dataclass(frozen=True, slots=True)
class LoopState:
    """The state of a loop in memory: its type, its place, its current value, and the names of its buffers."""

    type: Type
    place: Place
    current: Reader
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Translation:
    """How a primitive is translated.

    - `access`: whether its arguments and its result are read or written; see `shine.translate.access`.
    - `read`: returns the value, for a primitive whose result is read.
    - `write`: emits the statements that fill a place.
    - `place`: for a view, the place to which its last argument must be written so that the view of it fills the given
      place.
    - `loop`: for a loop with a state, which starts from the operand number `start`: emits the loop for a state that
      contains its start value.
    """

    name: str
    access: str
    read: Callable[[Translator, Call], Task[Reader]] | None = None
    write: Callable[[Translator, Call, Place], Task[None]] | None = None
    place: Callable[[Translator, Call, Place], Task[Place]] | None = None
    loop: Callable[[Translator, Call, LoopState], Task[None]] | None = None
    start: int = -1


class Translator(Context):
    """The state of a translation, and the records that say how primitives are translated."""

    def __init__(self, levels: frozenset[str], records: Mapping[str, Translation]) -> None:
        super().__init__(levels)
        self._records = records

    def record(self, call: Call) -> Translation:
        """The translation of a primitive. Raises TranslationError if it is high-level."""
        name = "makeArray" if call.name.startswith("makeArray") else call.name
        translation = self._records.get(name)
        if translation is None:
            self.refuse_high(name, call.path)
        if name in PARALLEL and name not in self.levels:
            no_such_level(name, self.available("map"), call.path.origin)
        return translation

    def refuse_high(self, name: str, path: Path) -> NoReturn:
        """Raise the error for a high-level primitive, which names the primitives that it lowers to on this target."""
        still_high(name, self.available(name), path.origin)

    def available(self, name: str) -> list[str]:
        """The primitives that a high-level one lowers to on this target."""
        low_level = PRIMITIVES[name].lowers_to
        return [low for low in low_level if low not in PARALLEL or low in self.levels]


def read(tr: Translator, operand: Operand, *extra: Operand | Dependent) -> Task[Reader]:
    """The value of an expression, applied to further arguments if given."""
    rest: tuple[Any, ...] = extra
    name = operand.name if isinstance(operand, Term) else ""
    called = operand.called if isinstance(operand, Term) else ""
    while True:
        match operand:
            case Known(reader):
                assert not rest, "a value is applied"
                return reader
            case Hole():
                raise AssertionError("a hole is read")
            case Term():
                parts = unwind(operand, rest)
        match parts.head:
            case (Primitive() | Var()) as head if not calls_at_size(head):
                call = make_call(head, parts, operand.path, called)
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
                    known = yield share_deep(tr, known, call.type, call.path, name)
                    tr.remember(key, known)
                return known
            case Literal() as head:
                return literal(head)
            case _:
                operand, rest = yield enter(tr, parts, operand.variables)


def write(tr: Translator, place: Place, operand: Operand, *extra: Operand | Dependent) -> Task[None]:
    """Fill a place with the value of an expression, applied to further arguments if given."""
    rest: tuple[Any, ...] = extra
    unlowered: Call | None = None
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
            if unlowered is not None:
                tr.refuse_high(unlowered.name, unlowered.path)
            not_written("an array that is in memory", path.origin)
        parts = unwind(operand, rest)
        match parts.head:
            case (Primitive() | Var()) as head if not calls_at_size(head):
                call = make_call(head, parts, operand.path)
                record = tr.record(call)
                if record.write is not None:
                    yield record.write(tr, call, place)
                    return
                if record.place is None:
                    not_written(f"`{call.name}`", call.path.origin)
                place = yield record.place(tr, call, place)
                operand, rest = call.last, ()
                unlowered = call if call.name == "map" else unlowered
            case _:
                operand, rest = yield enter(tr, parts, operand.variables)


def place_before(tr: Translator, place: Place, function: Operand) -> Task[Place]:
    """The place to which the argument of a view must be written so that the view of it fills the given place."""
    if isinstance(place, GuardedPlace):
        inner: Place = yield place_before(tr, place.place, function)
        return GuardedPlace(place.condition, inner)
    hole = Hole()
    operand: Operand = function
    rest: tuple[Any, ...] = (hole,)
    while True:
        if operand is hole:
            return place
        assert isinstance(operand, Term), operand
        parts = unwind(operand, rest)
        match parts.head:
            case (Primitive() | Var()) as head if not calls_at_size(head):
                call = make_call(head, parts, operand.path)
                record = tr.record(call)
                if record.place is None:
                    tr.refuse_high("map", call.path)
                place = yield record.place(tr, call, place)
                operand, rest = call.last, ()
            case Lam(_, _, body):
                operand = Term(body, (parts.arguments[0], operand.variables), parts.path.child(0))
                rest = tuple(parts.arguments[1:])
            case _:
                operand, rest = yield enter(tr, parts, operand.variables)


def unwind(term: Term, extra: tuple[Any, ...]) -> Spine:
    """The head of nested applications, its position, and its arguments in order."""
    e, path = term.expr, term.path
    arguments: list[Any] = []
    parameters: list[Type] = []
    while True:
        match e:
            case App(fun, arg):
                arguments.append(Term(arg, term.variables, path.child(1)))
                parameters.append(arg.type)
            case DepApp(fun, argument):
                arguments.append(argument)
            case _:
                break
        e = fun
        path = path.child(0)
    if term.name and arguments and isinstance(arguments[0], Term) and _shares_name(e, arguments[0].expr):
        arguments[0] = replace(arguments[0], name=term.name)
    arguments.reverse()
    parameters.reverse()
    t = term.expr.type
    for argument in extra:
        arguments.append(argument)
        if isinstance(t, FunType):
            parameters.append(t.parameter)
        t = applied(t, argument, path)
    return Spine(e, path, arguments, parameters, t)


def _shares_name(head: Expr, last: Expr) -> bool:
    """Whether the last argument of a function can share the name of its result.

    An array does not share the name of the result of a loop that reads it, unless its elements are results of
    reductions or scans of parts. A number does not share the name of a value computed from it, unless that is the same
    number or one of several.
    """
    if not isinstance(head, Primitive):
        return False
    if not has_trait(head.name, "loops"):
        return not has_trait(head.name, "lanewise") or has_trait(head.name, "unrounded")
    return _has_combinations(last)


def _combines(name: str) -> bool:
    return has_trait(name, "reduces") or has_trait(name, "scans")


@lru_cache(maxsize=1 << 12)
def _has_combinations(e: Expr) -> bool:
    """Whether a value, or each of its elements, is itself the result of a reduction or a scan."""
    waiting: list[Any] = [e]
    while waiting:
        head, arguments = spine(waiting.pop())
        match head:
            case Primitive(name=name) if _combines(name):
                return True
            case Primitive(name=name) if has_trait(name, "loops"):
                waiting += [one for one in arguments[:-1] if isinstance(one, Expr)]
            case Primitive(name=name) if name in REDUCING and _joins_elements(arguments):
                return True
            case Primitive(name=name) if has_trait(name, "lanewise") and not has_trait(name, "unrounded"):
                pass
            case Lam() | DepLam():
                waiting += [head.body, *(one for one in arguments if isinstance(one, Expr))]
            case _:
                waiting += [one for one in arguments if isinstance(one, Expr)]
    return False


def _joins_elements(operands: Sequence[Any]) -> bool:
    """Whether two operands are different elements of one row, as in each step of a reduction by a tree."""
    match [spine(one) for one in operands if isinstance(one, Expr)]:
        case [(Primitive() as head, [first, one]), (Primitive() as other, [second, same])]:
            return head == other and one == same and first != second
    return False


def applied(t: Type, argument: Any, path: Path) -> Type:
    """The type of a function's result."""
    if isinstance(t, FunType):
        return t.result
    assert isinstance(t, DepFunType), f"{t!r} is applied"
    result: Type = at_argument(t.result, t.name, argument, path)
    return result


def at_argument(body: Any, name: str, argument: Any, path: Path) -> Any:
    """The body of a dependent function for an argument. Raises TranslationError if a size in it divides by zero for
    this argument, or is too large to compute.
    """
    try:
        return instantiate_dependent(body, argument)
    except ZeroDivisionError:
        given = f"`{name}` = {show_nat(argument)}" if isinstance(argument, Nat) else f"this `{name}`"
        title = f"expected sizes that are natural numbers, found a division by zero for {given}"
        fail(
            "size-not-natural",
            title,
            "call the function with a size for which its divisions are defined",
            path.origin,
        )
    except RiseError as error:
        raise TranslationError(error.diagnostic, path.origin) from None


def enter(tr: Translator, parts: Spine, variables: Variables) -> Task[tuple[Operand, tuple[Any, ...]]]:
    """One evaluation step for a head that is not a primitive, or only calls a function: returns the next operand and
    its arguments.
    """
    arguments = parts.arguments
    match parts.head:
        case Primitive() as head if calls_at_size(head):
            size: Reader = yield read(tr, arguments[0])
            return arguments[1], (as_index(size), *arguments[2:])
        case Lam(_, _, body) as function:
            assert arguments, "a function where a value is expected"
            bound: Operand = yield bind(tr, function, arguments[0], parts.path)
            return Term(body, (bound, variables), parts.path.child(0)), tuple(arguments[1:])
        case DepLam(name, _, _, _, body):
            assert arguments, "a dependent function where a value is expected"
            instance: Expr = tr.measured(at_argument(body, name, arguments[0], parts.path), parts.path)
            return Term(instance, variables, parts.path.child(0)), tuple(arguments[1:])
        case Bound(index):
            for _ in range(index):
                assert variables is not None
                variables = variables[1]
            assert variables is not None, "a variable is not bound"
            return variables[0], tuple(arguments)
        case _:
            raise AssertionError(f"{parts.head!r} cannot be translated")


def calls_at_size(head: Expr) -> bool:
    """Whether a term applied to an index and a function is the function of the index as a size."""
    return isinstance(head, Primitive) and has_trait(head.name, "sizes")


def bind(tr: Translator, function: Lam, argument: Operand, path: Path) -> Task[Operand]:
    """The operand for a function's variable: an argument that is used once is substituted, others are shared."""
    t = function.parameter
    if isinstance(t, FunType | DepFunType) or isinstance(argument, Hole):
        return argument
    if isinstance(argument, Term):
        argument = replace(argument, name=function.name, called=function.name)
    if (isinstance(argument, Known) and holds_array(t)) or not is_used_often(function.body):
        return argument
    reader: Reader = yield read(tr, argument)
    if not holds_array(t):
        path = argument.path if isinstance(argument, Term) else path
        reader = yield share(tr, reader, t, function.name, path)
    return Known(reader, t, is_stored(argument))


def is_stored(operand: Operand) -> bool:
    """Whether a value is stored in its own memory."""
    match operand:
        case Term(expr):
            return expr.root == ("toMem", 1)
        case Known(_, _, is_own):
            return is_own
        case _:
            return False


def make_call(head: Primitive | Var, parts: Spine, path: Path, called: str = "") -> Call:
    """A call of a primitive or foreign function, with its arguments by kind."""
    operands = tuple(a for a in parts.arguments if isinstance(a, Operand))
    dependent = tuple(a for a in parts.arguments if not isinstance(a, Operand))
    implicits = head.implicits if isinstance(head, Primitive) else ()
    return Call(head.name, implicits, dependent, operands, tuple(parts.parameters), parts.type, path, called)


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
