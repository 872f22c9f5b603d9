"""The value of a term for all sizes. Primitives are used only through their records."""

from __future__ import annotations

from typing import Any, Final

from rise.checker.meanings import MEANINGS, Meaning, operation
from rise.checker.state import State
from rise.checker.values import Array, Function, Index, Number, Value
from rise.inference.schemes import parameter_names, sizes_of
from rise.naturals import const
from rise.primitives import PRIMITIVES, has_trait, lookup
from rise.primitives.record import PrimitiveRecord
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive, Var
from rise.types import DepFunType, FunType, IndexType, Type, VectorType, instantiate_dependent

_ARRAYS: Final = "makeArray"


def value_of(state: State, e: Expr, variables: tuple[Value, ...] = ()) -> Value:
    """The value of a term; `variables` has the values of the enclosing functions' variables, the innermost last."""
    arguments: list[App | DepApp] = []
    while isinstance(e, App | DepApp):
        arguments.append(e)
        e = e.fun
    value = _head(state, e, variables)
    for application in reversed(arguments):
        match application:
            case App(_, argument):
                value = value.call(value_of(state, argument, variables))
            case DepApp(_, given):
                value = value.call(given)
    return value


def _head(state: State, e: Expr, variables: tuple[Value, ...]) -> Value:
    state.spend()
    match e:
        case Bound(index, _):
            return variables[-1 - index]
        case Var(name, given):
            return state.symbol(name, given)
        case Lam(name, _, body):
            return Function(lambda x: value_of(state, body, (*variables, x)), name)
        case DepLam(_, _, _, _, body):
            return Function(lambda x: value_of(state, instantiate_dependent(body, x), variables))
        case Literal(bits, given):
            return _number(bits, given, e)
        case Primitive(name, implicits, given):
            record = lookup(name)
            assert record is not None, name
            return _applied(state, record, implicits, (), (), given)
    raise AssertionError(f"{e!r} is no term")


def _number(bits: Any, given: Type, literal: Literal) -> Value:
    match given:
        case IndexType():
            return Index(const(int(literal.value)))
        case VectorType(size, element):
            return Array(size, lambda i: Number(bits, element))
    return Number(bits, given)


def _applied(
    state: State,
    record: PrimitiveRecord,
    implicits: tuple[Any, ...],
    dependent: tuple[Any, ...],
    operands: tuple[tuple[Value, Type], ...],
    t: Type,
) -> Value:
    """A primitive applied to its arguments so far, of type t."""
    match t:
        case FunType(parameter, result) if not _is_complete(record, dependent, operands):
            return Function(
                lambda x: _applied(state, record, implicits, dependent, (*operands, (x, parameter)), result)
            )
        case DepFunType() if not _is_complete(record, dependent, operands):
            return Function(
                lambda x: _applied(
                    state, record, implicits, (*dependent, x), operands, instantiate_dependent(t.result, x)
                )
            )
    meaning = _meaning(record.name)
    at = sizes_of(record, implicits, dependent)
    if meaning is not None:
        value = meaning.value(state, at, *(x for x, _ in operands))
        if value is not None:
            if record.promise and record.float_class == "reassociating":
                state.used.add(f"{record.name}: {record.promise}")
            return value
    name, parameters = _opaque(record, implicits, dependent)
    return operation(state, name, parameters, *operands, result=t)


def _is_complete(record: PrimitiveRecord, dependent: tuple[Any, ...], operands: tuple[Any, ...]) -> bool:
    return len(parameter_names(record.scheme)[1]) == len(dependent) + len(operands)


def _meaning(name: str) -> Meaning | None:
    return MEANINGS.get(_ARRAYS if name.startswith(_ARRAYS) else name)


def _opaque(
    record: PrimitiveRecord, implicits: tuple[Any, ...], dependent: tuple[Any, ...]
) -> tuple[str, tuple[Any, ...]]:
    """The opaque operation for a primitive, and its parameters. A low-level primitive that sorts or compresses is the
    same operation as its high-level pattern.
    """
    if any(has_trait(record.name, trait) for trait in ("sorts", "compresses")):
        pattern = next(one.name for one in PRIMITIVES.values() if record.name in (one.name, *one.lowers_to))
        return pattern, (*implicits, *dependent)
    return record.name, (*implicits, *dependent)
