"""Laws of numbers at each scalar type: by enumeration of narrow types, and by Z3, which is an extra.

Z3 knows the operations of `docs/semantics.md` on bits and on IEEE numbers of every width; anything else in a value,
such as an element of an array or the result of `exp`, is an unknown number of its type. Its work is limited by its own
count of steps, so that answers depend only on the input. It is no part of the trusted core: answers name it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from rise.checker.comparison import Comparison
from rise.checker.state import DifferentError, State
from rise.checker.values import Choice, Holds, Number, Operation, Symbol, Value
from rise.primitives import has_trait
from rise.programs.scalar_comparison import bits_of, of_bits
from rise.rounding import round_number
from rise.scalars import SCALARS
from rise.terms import Literal
from rise.types import ScalarType, Type

try:
    import z3
except ModuleNotFoundError:  # an extra: the types that are too wide to enumerate remain open
    z3 = None

#: what to do without Z3
ABSENT: Final = "Z3 is not installed: pip install 'rise-shine[prove]'"
#: the steps of Z3 for one question: products of f32 take most of them
BUDGET: Final = 40_000_000
#: bits of exponent and of fraction, with the hidden one
FLOATS: Final[Mapping[str, tuple[int, int]]] = {
    "f16": (5, 11),
    "bf16": (8, 8),
    "f32": (8, 24),
    "f64": (11, 53),
}


def has_solver() -> bool:
    """Whether Z3 is installed."""
    return z3 is not None


class UnknownValueError(Exception):
    """Raised for a value of a type that Z3 has no numbers for."""


class Solver:
    """The lemma that two numbers are equal if Z3 says so, under the known truths. `models` are the numbers of inputs
    for which it says that two values differ, the outermost values last.
    """

    def __init__(self) -> None:
        self.models: list[dict[str, Any]] = []

    def lemma(self, comparison: Comparison, a: Value, b: Value, t: Type | None) -> None:
        """Raises DifferentError."""
        try:
            comparison.by_parts(a, b, t)
            return
        except DifferentError as error:
            stopped = error
        if z3 is None or not isinstance(t, ScalarType):
            raise stopped
        formulas = Formulas(comparison.state)
        try:
            differ = formulas.of(a, t) != formulas.of(b, t)
            known = [formulas.of(truth, TRUTH) == holds for truth, holds in comparison.state.known.truths]
        except UnknownValueError:
            raise stopped from None
        solver = z3.Solver()
        solver.set("rlimit", BUDGET)
        solver.add(differ, *known)
        found = solver.check()
        if found == z3.unsat:
            comparison.state.used.add("Z3")
            return
        if found == z3.sat:
            self.models.append(formulas.inputs(solver.model()))
        raise stopped


TRUTH: Final = ScalarType("bool")


class Formulas:
    """Formulas for the values of a check, which share unknown numbers."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._unknown: list[tuple[Value, ScalarType, Any]] = []
        self._zeros = 0

    def of(self, value: Value, t: Type) -> Any:
        """The formula for a number. Raises UnknownValueError for other types."""
        if not isinstance(t, ScalarType):
            raise UnknownValueError
        self.state.spend()
        match value:
            case Number(bits, given):
                return constant(Literal(bits, given).value, given)
            case Choice(Holds(condition), yes, no):
                return z3.If(self.of(condition, TRUTH), self.of(yes(), t), self.of(no(), t))
            case Operation(name, _, operands):
                arguments = [self.of(x, s) for x, s in operands]
                types = tuple(s.name for _, s in operands if isinstance(s, ScalarType))
                known = self._operation(name, t.name, types, arguments)
                if known is not None:
                    return known
                return _function(name, types, t.name)(*arguments)
        return self._variable(value, t)

    def inputs(self, model: Any) -> dict[str, Any]:
        """The numbers of inputs in a model, as numpy scalars."""
        return {
            value.name: _numpy(model.eval(variable, model_completion=True), t)
            for value, t, variable in self._unknown
            if isinstance(value, Symbol)
        }

    def _variable(self, value: Value, t: ScalarType) -> Any:
        for other, given, variable in self._unknown:
            if given == t and self.state.identical(value, other, t):
                return variable
        variable = z3.Const(f"x{len(self._unknown)}", sort(t))
        self._unknown.append((value, t, variable))
        return variable

    def _operation(self, name: str, result: str, types: tuple[str, ...], arguments: list[Any]) -> Any:
        """The formula for an operation; None if it has none at these types."""
        if name == "cast":
            return converted(arguments[0], types[0], result)
        if types[0] == "bool":
            form = OF_TRUTH_VALUES.get(name)
        elif types[0] in FLOATS:
            if name in CHOICES:
                return self._chosen(CHOICES[name], *arguments)
            form = OF_FLOATS.get(name)
            if form is not None and len(arguments) == 3:  # the sign of a zero, if it is negated
                fused = form(*arguments)
                return z3.If(z3.fpIsZero(fused), self._either(fused, z3.fpNeg(fused)), fused)
        else:
            is_signed = types[0].startswith("i")
            form = (OF_SIGNED if is_signed else OF_UNSIGNED).get(name) or OF_INTEGERS.get(name)
            if form is not None and has_trait(name, "divides"):
                return z3.If(arguments[1] == 0, _function(name, types, result)(*arguments), form(*arguments))
        return None if form is None else form(*arguments)

    def _chosen(self, is_first: Callable[..., Any], a: Any, b: Any) -> Any:
        """The smaller or greater of two floats: NaN if one is, and any of two zeros."""
        chosen = z3.If(z3.fpEQ(a, b), self._either(a, b), z3.If(is_first(a, b), a, b))
        return z3.If(z3.Or(z3.fpIsNaN(a), z3.fpIsNaN(b)), z3.fpNaN(a.sort()), chosen)

    def _either(self, a: Any, b: Any) -> Any:
        """One of two numbers, each time another."""
        self._zeros += 1
        return z3.If(z3.Bool(f"zero {self._zeros}"), a, b)


def _function(name: str, types: tuple[str, ...], result: str) -> Any:
    """An operation of which nothing is known."""
    sorts = (sort(ScalarType(one)) for one in (*types, result))
    return z3.Function(f"{name} {' '.join(types)} {result}", *sorts)


def sort(t: Type) -> Any:
    """The sort of a type's numbers. Raises UnknownValueError for types without one."""
    match t:
        case ScalarType("bool"):
            return z3.BoolSort()
        case ScalarType(name) if name in FLOATS:
            return z3.FPSort(*FLOATS[name])
        case ScalarType(name) if SCALARS[name].dtype.kind in "iu":
            return z3.BitVecSort(SCALARS[name].bits)
    raise UnknownValueError


def constant(value: Any, t: Type) -> Any:
    """A number as a formula."""
    if not isinstance(t, ScalarType):
        raise UnknownValueError
    facts, of_type = SCALARS[t.name], sort(t)
    number = round_number(value, facts.dtype)
    if t == TRUTH:
        return z3.BoolVal(bool(number))
    vector = z3.BitVecVal(bits_of(number), facts.bits)
    return z3.fpBVToFP(vector, of_type) if t.name in FLOATS else vector


def _numpy(number: Any, t: ScalarType) -> Any:
    """A number of a model as a numpy scalar."""
    if t == TRUTH:
        return of_bits(int(z3.is_true(number)), t)
    if t.name in FLOATS:
        if z3.is_true(z3.simplify(z3.fpIsNaN(number))):  # its bits are open
            return round_number(math.nan, SCALARS[t.name].dtype)
        number = z3.simplify(z3.fpToIEEEBV(number))
    return of_bits(number.as_long(), t)


def converted(x: Any, source: str, target: str) -> Any:
    """A number as one of another type, as `cast` converts it."""
    if source == target:
        return x
    bits = SCALARS[target].bits
    if source in FLOATS and target in FLOATS:
        return z3.fpFPToFP(z3.RNE(), x, sort(ScalarType(target)))
    if target in FLOATS:
        convert = z3.fpSignedToFP if source.startswith("i") else z3.fpUnsignedToFP
        return convert(z3.RNE(), x, sort(ScalarType(target)))
    if source in FLOATS:
        return _saturated(x, target)
    wide = SCALARS[source].bits
    if bits <= wide:
        return z3.Extract(bits - 1, 0, x)
    extend = z3.SignExt if source.startswith("i") else z3.ZeroExt
    return extend(bits - wide, x)


def _saturated(x: Any, target: str) -> Any:
    """A float as an integer: towards zero, the nearest one that there is, and 0 for NaN."""
    bits, is_signed = SCALARS[target].bits, target.startswith("i")
    first, last = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    convert = z3.fpToSBV if is_signed else z3.fpToUBV
    # powers of two, which all floats represent, or which are infinite
    above = z3.fpToFP(z3.RNE(), z3.RealVal(last + 1), x.sort())
    below = z3.fpToFP(z3.RNE(), z3.RealVal(first), x.sort())
    least, greatest = z3.BitVecVal(first, bits), z3.BitVecVal(last, bits)
    inside = z3.If(z3.fpLEQ(x, below), least, convert(z3.RTZ(), x, z3.BitVecSort(bits)))
    return z3.If(z3.fpIsNaN(x), z3.BitVecVal(0, bits), z3.If(z3.fpGEQ(x, above), greatest, inside))


def _forms() -> tuple[Mapping[str, Any], ...]:
    """The operations as formulas: of floats, of signed, of unsigned and of all integers, of truth values."""
    if z3 is None:
        return {}, {}, {}, {}, {}
    nearest = z3.RNE()
    of_floats = {
        "add": lambda a, b: z3.fpAdd(nearest, a, b),
        "sub": lambda a, b: z3.fpSub(nearest, a, b),
        "mul": lambda a, b: z3.fpMul(nearest, a, b),
        "div": lambda a, b: z3.fpDiv(nearest, a, b),
        "fma": lambda a, b, c: z3.fpFMA(nearest, a, b, c),
        "sqrt": lambda a: z3.fpSqrt(nearest, a),
        "neg": z3.fpNeg,
        "abs": z3.fpAbs,
        "floor": lambda a: z3.fpRoundToIntegral(z3.RTN(), a),
        "ceil": lambda a: z3.fpRoundToIntegral(z3.RTP(), a),
        "trunc": lambda a: z3.fpRoundToIntegral(z3.RTZ(), a),
        "round": lambda a: z3.fpRoundToIntegral(nearest, a),
        "lt": z3.fpLT,
        "le": z3.fpLEQ,
        "gt": z3.fpGT,
        "ge": z3.fpGEQ,
        "eq": z3.fpEQ,
        "ne": lambda a, b: z3.Not(z3.fpEQ(a, b)),
    }
    of_signed = {
        "div": lambda a, b: a / b,
        "mod": z3.SRem,
        "abs": lambda a: z3.If(a < 0, -a, a),
        "min": lambda a, b: z3.If(a < b, a, b),
        "max": lambda a, b: z3.If(a < b, b, a),
        "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "gt": lambda a, b: a > b,
        "ge": lambda a, b: a >= b,
    }
    of_unsigned = {
        "div": z3.UDiv,
        "mod": z3.URem,
        "abs": lambda a: a,
        "min": lambda a, b: z3.If(z3.ULT(a, b), a, b),
        "max": lambda a, b: z3.If(z3.ULT(a, b), b, a),
        "lt": z3.ULT,
        "le": z3.ULE,
        "gt": z3.UGT,
        "ge": z3.UGE,
    }
    of_integers = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "neg": lambda a: -a,
        "eq": lambda a, b: a == b,
        "ne": lambda a, b: a != b,
        "bitAnd": lambda a, b: a & b,
        "bitOr": lambda a, b: a | b,
        "bitXor": lambda a, b: a ^ b,
        "bitNot": lambda a: ~a,
    }
    of_truth_values = {"and": z3.And, "or": z3.Or, "not": z3.Not}
    return of_floats, of_signed, of_unsigned, of_integers, of_truth_values


OF_FLOATS, OF_SIGNED, OF_UNSIGNED, OF_INTEGERS, OF_TRUTH_VALUES = _forms()
CHOICES: Final[Mapping[str, Any]] = {"min": z3.fpLT, "max": z3.fpGT} if z3 is not None else {}
