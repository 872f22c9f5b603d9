"""numpy's functions of complex numbers, as compositions of functions of their parts. Depends on scalars, but not on
arrays.

For a finite number a + bi, if no part overflows or underflows, the error of the parts of `exp` is at most 10 units in
the last place, of `sqrt` 8, and of the absolute value and the angle 4. The real part of `log` is the logarithm of the
absolute value, whose error matters near 1. Results for infinities and NaN follow from the functions of the parts, not
from the tables in Annex G of the C standard, which numpy follows for `exp`, `sqrt` and `log`.
"""

from __future__ import annotations

from rise.dsl.printer import Application, ImplicitApplication, TextPiece, TypeNode
from rise.embedding import trace as t
from rise.embedding.places import refuse
from rise.embedding.trace import Part, apply, computed, scalar_name
from rise.scalars import SCALARS, complex_of, is_complex
from rise.types import BOOL, ScalarType, Type


def has_complex(x: Part) -> bool:
    """Whether a value consists of complex numbers."""
    return is_complex(scalar_name(x.element))


def type_of_parts(found: Type) -> Type:
    """The type of the parts of complex numbers."""
    return ScalarType(SCALARS[scalar_name(found)].part)


def complex_of_parts(real: Part, imaginary: Part) -> Part:
    """The complex number with these parts."""
    name = complex_of(scalar_name(real.type))
    assert name is not None, real.type
    syntax = Application(
        ImplicitApplication(TextPiece("makeComplex"), (TypeNode(ScalarType(name)),)),
        (real.syntax, imaginary.syntax),
    )
    return computed(ScalarType(name), syntax, real, imaginary)


def constant(value: complex, wanted: Type, scope: t.Scope) -> Part:
    """A Python number as a complex number; a real number of a real type stays one."""
    if isinstance(value, complex):
        part = type_of_parts(wanted)
        return complex_of_parts(t.literal(value.real, part, scope), t.literal(value.imag, part, scope))
    return t.literal(float(value), wanted, scope)


def real(x: Part) -> Part:
    """The real part; a real number itself."""
    return _part("realPart", x) if has_complex(x) else x


def imaginary(x: Part) -> Part:
    """The imaginary part; 0 for a real number."""
    return _part("imagPart", x) if has_complex(x) else _number(0.0, x)


def conjugate(x: Part) -> Part:
    """The conjugate; a real number itself."""
    return _call("conj", x) if has_complex(x) else x


def absolute(x: Part) -> Part:
    """The absolute value."""
    return _call("hypot", real(x), imaginary(x)) if has_complex(x) else _call("abs", x)


def squared(x: Part) -> Part:
    """The square of the absolute value."""
    if not has_complex(x):
        return _call("mul", x, x)
    re, im = real(x), imaginary(x)
    return _call("add", _call("mul", re, re), _call("mul", im, im))


def angle(x: Part) -> Part:
    """The angle, from -pi to pi."""
    return _call("atan2", imaginary(x), real(x))


def exponential(x: Part) -> Part:
    """e to the power of x."""
    if not has_complex(x):
        return _call("exp", x)
    scale, turn = _call("exp", real(x)), imaginary(x)
    return complex_of_parts(_call("mul", scale, _call("cos", turn)), _call("mul", scale, _call("sin", turn)))


def logarithm(x: Part) -> Part:
    """The natural logarithm, with an imaginary part from -pi to pi."""
    return complex_of_parts(_call("log", absolute(x)), angle(x)) if has_complex(x) else _call("log", x)


def square_root(x: Part) -> Part:
    """The square root with a nonnegative real part. Its imaginary part has the sign of the imaginary part of x."""
    if not has_complex(x):
        return _call("sqrt", x)
    re, im = real(x), imaginary(x)
    half, zero = _number(0.5, re), _number(0.0, re)
    large = _call("sqrt", _call("mul", half, _call("add", _call("abs", re), absolute(x))))
    is_zero = _call("eq", large, zero, result=BOOL)
    small = _choose(is_zero, zero, _call("div", _call("mul", half, _call("abs", im)), large))
    is_left = _call("lt", re, zero, result=BOOL)
    first, second = _choose(is_left, small, large), _choose(is_left, large, small)
    below = _call("lt", im, zero, result=BOOL)
    is_negative_zero = _call("lt", _call("div", _number(1.0, im), im), zero, result=BOOL)
    is_below = _call("or", below, is_negative_zero, result=BOOL)
    return complex_of_parts(first, _choose(is_below, _call("neg", second), second))


def power(x: Part, y: Part) -> Part:
    """x to the power of y, the exponential of y times the logarithm of x; of zero, one if y is zero, zero if its real
    part is positive, else NaN.
    """
    if not has_complex(x):
        return _call("pow", x, y)
    zero = _number(0.0, real(x))
    is_zero = _call("eq", absolute(x), zero, result=BOOL)
    is_one = _call("eq", absolute(y), zero, result=BOOL)
    others = _choose(_call("gt", real(y), zero, result=BOOL), zero, _call("div", zero, zero))
    of_zero = complex_of_parts(_choose(is_one, _number(1.0, zero), others), _choose(is_one, zero, others))
    return _choose(is_zero, of_zero, exponential(_call("mul", y, logarithm(x))))


def refuse_loss(x: Part, wanted: Type) -> None:
    """Refuse a conversion that would drop imaginary parts."""
    if has_complex(x) and not is_complex(scalar_name(wanted)) and wanted != BOOL:
        title = f"expected a complex type to convert {t.shown(x.element)} to, found {t.shown(wanted)}"
        refuse("complex-parts", title, "take a part: `x.real`, `x.imag`, or `np.abs(x)`")


def _part(name: str, x: Part) -> Part:
    return computed(type_of_parts(x.type), apply(name, x.syntax), x)


def _call(name: str, *operands: Part, result: Type | None = None) -> Part:
    syntax = apply(name, *(operand.syntax for operand in operands))
    return computed(result or operands[0].type, syntax, *operands)


def _choose(condition: Part, yes: Part, no: Part) -> Part:
    return _call("select", condition, yes, no, result=yes.type)


def _number(value: float, like: Part) -> Part:
    is_float = "floating" in SCALARS[scalar_name(like.type)].classes
    return t.literal(value if is_float else int(value), like.type, like.scope)
