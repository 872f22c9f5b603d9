"""Evaluates closed terms with an explicit stack. Depends on terms and records, but not on primitives.

A term is evaluated in an environment (the values of the enclosing functions' variables, each with its depth) and a
context (the batch). Nothing recurses: a meaning requests calls of functions (`rise.meanings`), so chains of
applications and lets may be as long as memory allows, and maps as deeply nested as numpy has axes.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from rise.arguments.sizes import dtype_of, instance, size_value
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.inference.schemes import parameter_names
from rise.meanings import Accumulation, At, ByName, Call, Context, Elementwise, Force, Function, bug
from rise.naturals import Nat
from rise.primitives import PRIMITIVES, lookup
from rise.primitives.record import PrimitiveRecord
from rise.records import dataclass
from rise.rounding import round_number
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var, occurs
from rise.types import FunType, IndexType, Type, VectorType
from rise.values import MAX_RANK, Data, Rows, leaves, lift, no_room, refuse_rank


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """A list of the values of variables, each with its depth. Looking up the i-th takes O(log i) steps.

    `jump` skips ahead as in Myers, "An applicative random-access stack" (Information Processing Letters,
    1983).
    """

    value: Any
    depth: int
    length: int
    rest: Environment | None
    jump: Environment | None

    def lookup(self, index: int) -> Environment:
        """The entry of the `index`-th variable outwards."""
        length = self.length - index
        entry: Environment = self
        while entry.length != length:
            jump = entry.jump
            following = jump if jump is not None and jump.length >= length else entry.rest
            entry = following if following is not None else bug("a variable is unbound")
        return entry


def bind(value: Any, depth: int, rest: Environment | None) -> Environment:
    """An environment with one more variable."""
    if rest is None:
        return Environment(value, depth, 1, None, None)
    near = rest.jump
    far = near.jump if near is not None else None
    gap = rest.length - (near.length if near else 0)
    is_even = gap == (near.length if near else 0) - (far.length if far else 0)
    return Environment(value, depth, rest.length + 1, rest, far if near is not None and is_even else rest)


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function of the program, with the values of its free variables."""

    body: Expr
    environment: Environment | None


@dataclass(frozen=True, slots=True, eq=False)
class DepClosure:
    """A dependent function, and the arguments that it has so far."""

    function: DepLam
    environment: Environment | None
    given: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """A primitive, and the arguments that it has so far, each with its depth."""

    record: PrimitiveRecord
    missing: tuple[str | None, ...]  # for each missing argument: the name of a dependent one, or None
    parameters: dict[str, Any]
    given: tuple[tuple[Any, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Thunk:
    """An argument passed by name."""

    body: Expr
    environment: Environment | None


@dataclass(frozen=True, slots=True, eq=False)
class Argue:
    """Next, evaluate this argument of the function just computed."""

    argument: Expr
    environment: Environment | None
    context: Context


@dataclass(frozen=True, slots=True, eq=False)
class Enter:
    """Next, apply this function to the value just computed."""

    function: Function
    context: Context


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """Next, apply the function just computed to this argument."""

    argument: Any
    context: Context


@dataclass(frozen=True, slots=True, eq=False)
class Resume:
    """Next, send the value just computed to a meaning that waits for it."""

    steps: Generator[Call | Force, Any, Data]


Frame: TypeAlias = Argue | Enter | Apply | Resume
_NO_VALUE: Final = object()
_NO_FOREIGN: Final[Mapping[str, PrimitiveRecord]] = MappingProxyType({})


class Machine:
    """One evaluation. Caches the instances of dependent functions, primitives and literals."""

    def __init__(self, foreign: Mapping[str, PrimitiveRecord] = _NO_FOREIGN) -> None:
        self._foreign = foreign
        self._constants: dict[Primitive | Literal, Any] = {}
        self._instances: dict[tuple[Any, ...], Expr] = {}
        self._stack: list[Frame] = []

    def run(self, function: Expr, arguments: tuple[Any, ...]) -> Any:
        """The value of a closed term applied to arguments (values; naturals, types and spaces)."""
        start = Context()
        self._stack = [Apply(argument, start) for argument in reversed(arguments)]
        term: Expr | None = function
        environment: Environment | None = None
        context = start
        value: Any = _NO_VALUE
        while True:
            if term is not None:
                match term:
                    case App(fun, arg):
                        self._stack.append(Argue(arg, environment, context))
                        term = fun
                        continue
                    case DepApp(fun, argument):
                        self._stack.append(Apply(argument, context))
                        term = fun
                        continue
                    case _:
                        value = self._value(term, environment, context)
                        term = None
            if not self._stack:
                return value
            match self._stack.pop():
                case Argue(arg, environment, context):
                    if not (isinstance(value, Partial) and isinstance(value.record.meaning, ByName)):
                        self._stack.append(Enter(value, context))
                        term = arg
                        continue
                    following = self._apply(value, Thunk(arg, environment), context)
                case Enter(entered, context):
                    following = self._apply(entered, value, context)
                case Apply(argument, context):
                    following = self._apply(value, argument, context)
                case Resume(steps):
                    following = self._resume(steps, value)
            match following:
                case Goal(term, environment, context):
                    pass
                case _:
                    value = following

    def _value(self, term: Expr, environment: Environment | None, context: Context) -> Any:
        """The value of a term that is not an application."""
        match term:
            case Bound(index):
                entry = environment.lookup(index) if environment else bug("a variable is unbound")
                return _lifted(entry.value, entry.depth, context.depth)
            case Lam(_, _, body):
                return Closure(body, environment)
            case Primitive() | Literal():
                constant = self._constants.get(term)
                if constant is None:
                    constant = _partial(term) if isinstance(term, Primitive) else _literal(term)
                    self._constants[term] = constant
                return _lifted(constant, 0, context.depth)
            case DepLam():
                return DepClosure(term, environment)
            case Var(name, t):
                record = self._foreign.get(name)
                return Partial(record, (None,) * _arity(t), {}) if record else bug(f"{name} is free")
            case _:
                bug(f"{type(term).__name__} cannot be evaluated")

    def _apply(self, function: Function, argument: Any, context: Context) -> Any:
        """Apply a function to one more argument. Returns a value, or a goal whose evaluation gives the value."""
        match function:
            case Closure(body, environment):
                return Goal(body, bind(argument, context.depth, environment), context)
            case Partial(record, missing, parameters, given):
                name = missing[0]
                if name is None:
                    given = (*given, (argument, context.depth))
                else:
                    parameter = size_value(argument) if isinstance(argument, Nat) else argument
                    parameters = {**parameters, name: parameter}
                if len(missing) > 1:
                    return Partial(record, missing[1:], parameters, given)
                arguments = [_lifted(value, depth, context.depth) for value, depth in given]
                return self._follow(
                    _apply_meaning(record, At(parameters, context, self._accumulation), arguments)
                )
            case DepClosure(DepLam(bound, _, _, _, inner), environment, known, names):
                known, names = (*known, argument), (*names, bound)
                if isinstance(inner, DepLam):
                    return DepClosure(inner, environment, known, names)
                return Goal(self._instance(inner, known, names), environment, context)
            case _:
                bug(f"{function!r} is applied, but it is not a function")

    def _follow(self, result: Any) -> Any:
        """Process the result of a meaning: a value, a request, or steps."""
        match result:
            case Call(function, arguments, context):
                *first, last = reversed(arguments)
                self._stack += [Apply(argument, context) for argument in first]
                return self._apply(function, last, context)
            case Force(Thunk(body, environment), context):
                return Goal(body, environment, context)
            case Force(value, _):
                return value
            case Generator():
                return self._resume(result, None)
            case _:
                return result

    def _resume(self, steps: Generator[Call | Force, Any, Data], value: Any) -> Any:
        try:
            request = steps.send(value)
        except StopIteration as stop:
            return self._follow(stop.value)
        self._stack.append(Resume(steps))
        return self._follow(request)

    def _instance(self, body: Expr, arguments: tuple[Any, ...], names: tuple[str, ...]) -> Expr:
        key = (body, *arguments)
        specialised = self._instances.get(key)
        if specialised is None:
            specialised = self._instances[key] = instance(body, arguments, names)
        return specialised

    def _accumulation(self, function: Function) -> Accumulation | None:
        """The accumulation of a function `acc => x => p(acc, e)`, where p is elementwise and e does not mention acc;
        None for others.
        """
        match function:
            case Partial(PrimitiveRecord(meaning=Elementwise(ufunc)), (None, None)):
                return Accumulation(ufunc, None)
            case Closure(Lam(_, _, App(App(Primitive() as head, a), b)), environment):
                match self._value(head, None, Context()):
                    case Partial(PrimitiveRecord(meaning=Elementwise(ufunc, commutes)), (None, None)):
                        ends = ((a, b), (b, a)) if commutes else ((a, b),)
                        for acc, inner in ends:
                            if isinstance(acc, Bound) and acc.index == 1 and not occurs(inner, 1):
                                return Accumulation(ufunc, Closure(inner, bind(_NO_VALUE, 0, environment)))
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A term to evaluate."""

    term: Expr
    environment: Environment | None
    context: Context


def _arity(t: Type) -> int:
    """The number of arguments that a function takes."""
    count = 0
    while isinstance(t, FunType):
        count, t = count + 1, t.result
    return count


def _lifted(value: Any, depth: int, to: int) -> Any:
    is_data = depth != to and isinstance(value, np.ndarray | np.generic | tuple | Rows)
    return lift(value, depth, to) if is_data else value


def _apply_meaning(record: PrimitiveRecord, at: At, arguments: list[Any]) -> Any:
    """Apply a meaning to its arguments. numpy rejects a view with too many axes only when it is created."""
    try:
        return record.meaning(at, *arguments)
    except MemoryError as error:
        raise no_room(error, f"an array that `{record.name}` makes") or error from None
    except ValueError as error:
        too_large = no_room(error, f"an array that `{record.name}` makes")
        if too_large is not None:
            raise too_large from None
        data = [a for a in arguments if isinstance(a, np.ndarray | tuple | Rows)]
        if any(leaf.ndim >= MAX_RANK for value in data for leaf in leaves(value)):
            refuse_rank(MAX_RANK + 1)
        raise


def _partial(term: Primitive) -> Partial:
    record = lookup(term.name)
    if record is None:
        hint = did_you_mean(term.name, PRIMITIVES)
        raise RiseError(Diagnostic("unknown-primitive", f"there is no primitive `{term.name}`", hint=hint))
    names, missing = parameter_names(record.scheme)
    values = (size_value(i) if isinstance(i, Nat) else i for i in term.implicits)
    return Partial(record, missing, dict(zip(names, values, strict=True)))


def _literal(term: Literal) -> Data:
    if isinstance(term.given, IndexType):
        if int(term.value) >= size_value(term.given.size):
            title = f"expected an index below {size_value(term.given.size)}, found {term.value}"
            raise RiseError(Diagnostic("index-out-of-range", title, hint="index within the array"))
        return np.array(int(term.value), np.int64)
    number = round_number(term.value, dtype_of(term.given))
    match term.given:
        case VectorType(size, _):
            return np.broadcast_to(number, (size_value(size),))
        case _:
            return number
