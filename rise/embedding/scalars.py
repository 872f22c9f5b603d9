"""Scalar functions by numpy's names and Python's operators, each expressed in primitives.

A function without a primitive is a composition of primitives that computes the same results as numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np

from rise.embedding import complex_words as cw
from rise.embedding.operands import Operand, Operation, Size, primitive
from rise.embedding.python_numbers import number
from rise.embedding.trace import Part, all_of, apply, computed, literal_text, scalar_name
from rise.meanings import Elementwise
from rise.primitives import has_trait
from rise.primitives.functions import FUNCTIONS
from rise.scalars import SCALARS
from rise.types import BOOL


def _call(name: str, *operands: Part) -> Part:
    result = BOOL if has_trait(name, "predicate") else operands[0].type
    return computed(result, apply(name, *(operand.syntax for operand in operands)), *operands)


def _same(x: Part, value: float) -> Part:
    return number(value, x.type, x.scope)


def _divided(name: str, a: Part, b: Part) -> Part:
    """A quotient or remainder. Since branches that are not taken are computed too, integers are divided by 1 there."""
    condition = all_of(b.trace.conditions)
    if condition is None or literal_text(b) is not None or SCALARS[scalar_name(b.type)].is_float:
        return _call(name, a, b)
    return _call(name, a, _choose(condition, b, _same(b, 1)))


def _remainder(a: Part, b: Part) -> Part:
    """The remainder with the sign of the divisor, as in Python; that of the primitive has the sign of a."""
    rest, name = _divided("mod", a, b), scalar_name(a.type)
    if name.startswith("u"):
        return rest
    return _choose(
        _is_astray(rest, b), _call("add", rest, b), _zero_like(rest, b) if SCALARS[name].is_float else rest
    )


def _zero_like(rest: Part, b: Part) -> Part:
    """The remainder; if it is zero, the zero with the sign of the divisor."""
    zero, below = _same(rest, 0.0), _same(rest, -0.0)
    if (divisor := literal_text(b)) is not None:
        signed = below if divisor.startswith("-") else zero
    else:
        signed = _choose(_call("lt", b, zero), below, zero)
    return _choose(_call("eq", rest, zero), signed, rest)


def _floor_quotient(a: Part, b: Part) -> Part:
    """The quotient rounded down, as in Python; the primitive rounds towards zero."""
    quotient = _divided("div", a, b)
    if scalar_name(a.type).startswith("u"):
        return quotient
    return _choose(_is_astray(_divided("mod", a, b), b), _call("sub", quotient, _same(a, 1)), quotient)


def _is_astray(rest: Part, b: Part) -> Part:
    """Whether the remainder of a division towards zero and the divisor have opposite signs."""
    zero = _same(rest, 0)
    below, above = _call("lt", rest, zero), _call("gt", rest, zero)
    if (divisor := literal_text(b)) is not None:
        return above if divisor.startswith("-") else below
    return _choose(_call("lt", b, zero), above, below)


def _exclusive(a: Part, b: Part) -> Part:
    return _call("or", _call("and", a, _call("not", b)), _call("and", _call("not", a), b))


def _equal(a: Part, b: Part) -> Part:
    return _call("not", _exclusive(a, b)) if a.type == BOOL else _call("eq", a, b)


def _different(a: Part, b: Part) -> Part:
    return _exclusive(a, b) if a.type == BOOL else _call("ne", a, b)


def _choose(condition: Part, yes: Part, no: Part) -> Part:
    operands = (condition, yes, no)
    return computed(yes.type, apply("select", *(operand.syntax for operand in operands)), *operands)


def _sign(x: Part) -> Part:
    zero = _same(x, 0)
    is_unsigned = scalar_name(x.type).startswith("u")
    below = x if is_unsigned else _choose(_call("lt", x, zero), _same(x, -1), x)
    return _choose(_call("gt", x, zero), _same(x, 1), below)


def power(x: Part, exponent: int) -> Part:
    """An integer power by repeated squaring, in which each product wraps or rounds."""
    if exponent == 0:
        return _same(x, 1)
    result: Part | None = None
    while exponent:
        if exponent % 2:
            result = x if result is None else _call("mul", result, x)
        exponent //= 2
        if exponent:
            x = _call("mul", x, x)
    assert result is not None
    return result


def _integer_power(x: Part, exponent: Part) -> Part:
    """An integer to the power of an integer from 0 to 63: higher powers of other numbers than -1, 0 and 1 overflow."""
    one, zero = _same(x, 1), _same(x, 0)
    result = one
    for bit in range(6):
        is_set = _call("ne", _call("bitAnd", exponent, _same(exponent, 2**bit)), zero)
        result = _call("mul", result, _choose(is_set, x, one))
        if bit < 5:
            x = _call("mul", x, x)
    return result


def _rounded(name: str, x: Part) -> Part:
    """Rounding, which leaves integers unchanged."""
    return _call(name, x) if "floating" in SCALARS[scalar_name(x.type)].classes else x


def _in_radians(x: Part) -> Part:
    return _call("mul", x, _same(x, float(np.pi / 180)))


def _of_bits(of_truth: str, of_integers: str) -> Callable[..., Part]:
    """A function with different operations for truth values and integers."""
    return lambda *operands: _call(of_truth if operands[0].type == BOOL else of_integers, *operands)


def _plain(name: str, kind: str, shown_as: str = "") -> Operation:
    return primitive(name, kind, shown_as)


def _test(name: str, kind: str, shown_as: str = "") -> Operation:
    return primitive(name, kind, shown_as, BOOL)


ADD: Final = Operation("+", "semiring", _of_bits("or", "add"))
SUB: Final = _plain("sub", "ring", "-")
MUL: Final = Operation("*", "semiring", _of_bits("and", "mul"))
DIV: Final = _plain("div", "inexact", "/")
FLOOR_DIV: Final = Operation("//", "integral", _floor_quotient)
MOD: Final = Operation("%", "num", _remainder)
POW: Final = Operation("**", "inexact", cw.power)
INTEGER_POW: Final = Operation("**", "integral", _integer_power)
NEG: Final = _plain("neg", "ring", "-")
ABS: Final = Operation("abs", "semiring", lambda x: x if x.type == BOOL else cw.absolute(x))
LT: Final = _test("lt", "ord", "<")
LE: Final = _test("le", "ord", "<=")
GT: Final = _test("gt", "ord", ">")
GE: Final = _test("ge", "ord", ">=")
EQ: Final = Operation("==", "data", _equal, True)
NE: Final = Operation("!=", "data", _different, True)
AND: Final = Operation("&", "bits", _of_bits("and", "bitAnd"))
OR: Final = Operation("|", "bits", _of_bits("or", "bitOr"))
XOR: Final = Operation(
    "^", "bits", lambda a, b: _exclusive(a, b) if a.type == BOOL else _call("bitXor", a, b)
)
NOT: Final = Operation("~", "bits", _of_bits("not", "bitNot"))
SHIFT_LEFT: Final = _plain("shiftLeft", "integral", "<<")
SHIFT_RIGHT: Final = _plain("shiftRight", "integral", ">>")
BOTH: Final = _test("and", "bool", "&")
EITHER: Final = _test("or", "bool", "|")
NEITHER: Final = _test("not", "bool", "~")
MIN: Final = Operation("minimum", "lattice", _of_bits("and", "min"))
MAX: Final = Operation("maximum", "lattice", _of_bits("or", "max"))

#: the primitives that are numpy functions, by numpy's names
_NUMPYS: Final = {
    one.meaning.ufunc.__name__: _test(one.name, "floating", one.meaning.ufunc.__name__)
    if has_trait(one.name, "predicate")
    else _plain(one.name, "floating", one.meaning.ufunc.__name__)
    for one in FUNCTIONS
    if isinstance(one.meaning, Elementwise)
}
_WRITTEN: Final = (
    Operation("square", "ring", lambda x: _call("mul", x, x)),
    Operation("reciprocal", "inexact", lambda x: _call("div", _same(x, 1), x)),
    Operation("sign", "num", _sign),
    Operation("conjugate", "ring", cw.conjugate),
    *(Operation(name, "floating", _in_radians) for name in ("deg2rad", "radians")),
)

#: the operations by the names of numpy's ufuncs
UFUNCS: Final[Mapping[str, Operation]] = MappingProxyType(
    {one.name: one for one in _WRITTEN}
    | _NUMPYS
    | {
        "add": ADD,
        "subtract": SUB,
        "multiply": MUL,
        "divide": DIV,
        "floor_divide": FLOOR_DIV,
        "remainder": MOD,
        **{name: Operation(name, "num", partial(_rounded, name)) for name in ("floor", "ceil", "trunc")},
        "fmod": Operation("fmod", "num", partial(_divided, "mod")),
        "power": POW,
        "negative": NEG,
        "positive": Operation("+", "ring", lambda x: x),
        "absolute": ABS,
        "erf": _plain("erf", "floating"),
        "fabs": _plain("abs", "num", "fabs"),
        "exp": Operation("exp", "inexact", cw.exponential),
        "log": Operation("log", "inexact", cw.logarithm),
        "sqrt": Operation("sqrt", "inexact", cw.square_root),
        "less": LT,
        "less_equal": LE,
        "greater": GT,
        "greater_equal": GE,
        "equal": EQ,
        "not_equal": NE,
        "logical_and": BOTH,
        "logical_or": EITHER,
        "logical_xor": Operation("^", "bool", _exclusive),
        "logical_not": NEITHER,
        "bitwise_and": AND,
        "bitwise_or": OR,
        "bitwise_xor": XOR,
        "invert": NOT,
        "left_shift": SHIFT_LEFT,
        "right_shift": SHIFT_RIGHT,
        "minimum": MIN,
        "maximum": MAX,
    }
)


def power_for(xs: Operand, exponent: Operand) -> Operation:
    """The operation that `**` is for operands of these types."""
    is_negative = isinstance(exponent, int) and exponent < 0  # which numpy refuses for integers
    is_integral = all(map(_is_integral, (xs, exponent))) and not is_negative
    return INTEGER_POW if is_integral else POW


def _is_integral(operand: Operand) -> bool:
    """Whether an operand is an array of integers, a size or an integer."""
    if isinstance(operand, Part):
        facts = SCALARS.get(scalar_name(operand.element))
        return facts is not None and "integral" in facts.classes
    return isinstance(operand, Size) or (isinstance(operand, int) and not isinstance(operand, bool))
