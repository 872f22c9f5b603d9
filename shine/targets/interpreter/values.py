"""Compiles naturals, conditions and values of the IR to Python functions of a frame. Independent of statements.

A frame is a list: slot 0 has the running parallel loops, the others the values of names. A `Place` finds the slots.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from rise.complex_numbers import joined
from rise.diagnostics import RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar
from rise.nodes import postorder
from rise.primitives import with_trait
from rise.programs.foreign import Foreign
from rise.quotients import NatCall, is_integral
from rise.records import dataclass
from rise.rounding import round_number
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType
from shine.imperative.errors import TranslationError
from shine.imperative.limits import Noted
from shine.imperative.nodes import (
    Buffer,
    Condition,
    Constant,
    Exchange,
    Guarded,
    Index,
    Load,
    Local,
    Operation,
    Origin,
    Value,
    ValueType,
    scalar_of,
)
from shine.imperative.vectors import lanes_of
from shine.targets.interpreter.arithmetic import OPERATIONS, cast
from shine.targets.interpreter.memory import Memory

Frame: TypeAlias = list[Any]
Natural: TypeAlias = Callable[[Frame], int]
Evaluated: TypeAlias = Callable[[Frame], Any]

#: the operations that fail for some numbers
FAILING: Final = with_trait("indexes") | with_trait("divides")
FUNCTIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "floor": operator.floordiv,
    "mod": operator.mod,
    "ceil": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
    "xor": operator.xor,
}


@dataclass(frozen=True, slots=True)
class Place:
    """The slots of visible names, the origin of the statement, and a record of what is computed from sizes."""

    slots: Mapping[Hashable, int]
    origin: Origin
    noted: Noted

    def slot(self, key: Hashable) -> int:
        """The slot of a size, a loop index, a variable or a buffer."""
        slot_number = self.slots.get(key)
        assert slot_number is not None, f"{key!r} is used where it is not visible, origin {self.origin}"
        return slot_number


def dtype_of(t: ValueType) -> np.dtype[Any]:
    """The numpy type of a scalar, or of the lanes of a vector."""
    match t:
        case ScalarType(name) | VectorType(_, ScalarType(name)):
            return SCALARS[name].dtype
    raise AssertionError(f"{t!r} is neither a scalar nor a vector of scalars")


def natural(a: Nat, place: Place) -> Natural:
    """The value of a natural, which must be an integer."""
    place.noted.note(a, place.origin)
    if a.constant is not None:
        constant = a.constant
        return lambda frame: constant
    products = _products(a, place)
    if products is None:
        return _fraction(a, place)
    if len(products) == 1 and products[0][0] == 1 and len(products[0][1]) == 1 and not products[0][2]:
        only = products[0][1][0]
        return lambda frame: int(frame[only])

    def total(frame: Frame) -> int:
        result = 0
        for number, slots, functions in products:
            for slot in slots:
                number *= frame[slot]
            for function in functions:
                number *= function(frame)
            result += number
        return result

    return total


def _products(a: Nat, place: Place) -> list[tuple[int, list[int], list[Natural]]] | None:
    """A natural as a sum of products: number, slots, functions. None if it contains an exact quotient."""
    products: list[tuple[int, list[int], list[Natural]]] = []
    for monomial, coefficient in a.terms:
        slots: list[int] = []
        functions: list[Natural] = []
        for base, exponent in monomial:
            if not isinstance(exponent, int) or exponent < 0:
                return None
            match base:
                case NatVar():
                    slots += [place.slot(base)] * exponent
                case NatCall(name, args) if name in FUNCTIONS and all(map(is_integral, args)):
                    functions += [_call(FUNCTIONS[name], [natural(arg, place) for arg in args])] * exponent
                case _:
                    return None
        if not isinstance(coefficient, int):
            return None
        products.append((coefficient, slots, functions))
    return products


def _call(function: Callable[[int, int], int], args: list[Natural]) -> Natural:
    left, right = args
    return lambda frame: function(left(frame), right(frame))


def _fraction(a: Nat, place: Place) -> Natural:
    """A natural with exact quotients, in rational arithmetic."""
    slots = [(v, place.slot(v)) for v in {n for n in postorder(a) if isinstance(n, NatVar)}]
    origin = place.origin

    def exact(frame: Frame) -> int:
        values: dict[Atom, int] = {v: frame[s] for v, s in slots}
        value = evaluate_natural(a, values)
        assert isinstance(value, int), f"{a!r} is {value}, no integer, where {values}, origin {origin}"
        return value

    return exact


def condition(test: Condition, place: Place) -> Callable[[Frame], bool]:
    """Whether a condition holds."""
    pairs = [(natural(a, place), natural(b, place)) for a, b in test.below]
    return lambda frame: all(a(frame) < b(frame) for a, b in pairs)


def value(v: Value, place: Place) -> Evaluated:
    """The value: a numpy scalar, or an array of the lanes of a vector."""
    match v:
        case Load():
            return _load(v, place)
        case Constant(number, t):
            constant = round_number(number, SCALARS[t.name].dtype)[()]
            return lambda frame: constant
        case Index(a, t):
            number_of, dtype = natural(a, place), SCALARS[t.name].dtype
            return lambda frame: np.int64(number_of(frame)).astype(dtype)
        case Local():
            slot = place.slot(v)
            return lambda frame: frame[slot]
        case Operation(_, arguments, _, Foreign() as foreign):
            parts = [value(argument, place) for argument in arguments]
            return lambda frame: foreign(*[part(frame) for part in parts])
        case Operation(name, arguments, t):
            evaluate = _operation(name, [value(argument, place) for argument in arguments], t)
            return _at(place.origin, evaluate) if name in FAILING else evaluate
        case Guarded(test, inner, otherwise, _):
            evaluate_test, yes, no = condition(test, place), value(inner, place), value(otherwise, place)
            return lambda frame: yes(frame) if evaluate_test(frame) else no(frame)
        case Exchange():
            raise AssertionError(f"{v!r} occurs only in GPU kernels, which are not interpreted")
        case _:
            assert_never(v)


def _at(origin: Origin, evaluate: Evaluated) -> Evaluated:
    """The same function, with the origin added to errors that it raises."""

    def run(frame: Frame) -> Any:
        try:
            return evaluate(frame)
        except TranslationError:
            raise
        except RiseError as error:
            raise TranslationError(error.diagnostic, origin) from None

    return run


def _operation(name: str, arguments: list[Evaluated], t: ValueType) -> Evaluated:
    dtype, lanes = dtype_of(t), lanes_of(t)
    match name, arguments:
        case "select", [chosen, yes, no]:
            if lanes == 1:
                return lambda frame: yes(frame) if chosen(frame) else no(frame)
            return lambda frame: _select(chosen(frame), yes, no, frame)
        case "cast", [inner]:
            return lambda frame: cast(inner(frame), dtype)
        case "makeComplex", [real, imaginary]:
            return lambda frame: joined(real(frame), imaginary(frame), dtype=dtype)[()]
        case "bitCast", [inner]:
            return lambda frame: np.asarray(inner(frame)).view(dtype)[()]
        case "broadcast", [inner]:
            return lambda frame: np.full(lanes, inner(frame), dtype)
        case "vector", parts:
            return lambda frame: np.array([part(frame) for part in parts], dtype)
        case "lane", [vector, lane]:
            return lambda frame: vector(frame)[int(lane(frame))]
        case _, [inner]:
            function = OPERATIONS[name]
            return lambda frame: function(inner(frame))
        case _, [left, right]:
            function = OPERATIONS[name]
            return lambda frame: function(left(frame), right(frame))
        case _:
            function = OPERATIONS[name]
            return lambda frame: function(*[argument(frame) for argument in arguments])


def _select(chosen: Any, yes: Evaluated, no: Evaluated, frame: Frame) -> Any:
    if np.ndim(chosen) == 0:
        return yes(frame) if chosen else no(frame)
    return np.where(chosen, yes(frame), no(frame))


def _load_constant(load: Load, place: Place) -> Evaluated:
    dtype, index, origin = (
        SCALARS[scalar_of(load.buffer.element).name].dtype,
        natural(load.index, place),
        place.origin,
    )
    numbers = np.array([round_number(number.value, dtype) for number in load.buffer.contents], dtype)
    memory, lanes = Memory(load.buffer, numbers, None, 0), lanes_of(load.type)

    def load_lanes(frame: Frame) -> Any:
        position = index(frame)
        memory.check_bounds(position, lanes, load.aligned, origin)
        return numbers[position] if lanes == 1 else numbers[position : position + lanes].copy()

    return load_lanes


def _load(load: Load, place: Place) -> Evaluated:
    if load.buffer.contents:
        return _load_constant(load, place)
    slot, index, origin, aligned = (
        place.slot(load.buffer),
        natural(load.index, place),
        place.origin,
        load.aligned,
    )
    lanes = accessed(load.buffer, load.type)

    def load_element(frame: Frame) -> Any:
        memory, position = frame[slot], index(frame)
        memory.check_bounds(position, 1, False, origin)
        memory.note_read(position, 1, frame[0], origin)
        element = memory.array[position]
        return element.copy() if vector else element

    def load_lanes(frame: Frame) -> Any:
        memory, position = frame[slot], index(frame)
        memory.check_bounds(position, lanes, aligned, origin)
        memory.note_read(position, lanes, frame[0], origin)
        return memory.array[position : position + lanes].copy()

    vector = isinstance(load.buffer.element, VectorType)
    return load_element if lanes == 1 else load_lanes


def accessed(buffer: Buffer, t: ValueType) -> int:
    """The number of buffer elements that an access of this type reads or writes."""
    return 1 if isinstance(buffer.element, VectorType) else lanes_of(t)
