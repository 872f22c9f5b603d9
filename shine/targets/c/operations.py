"""Prints operations on scalars and vectors in C and similar languages. Independent of loops and memory.

One subject: the text of each operation, on numbers and lane by lane. `docs/semantics.md` defines them.

Vectors use the language's operators if these compute the operation lane by lane. Otherwise they use a helper with a
loop over the lanes, which compilers turn into one instruction if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from rise.primitives.functions import FUNCTIONS
from rise.scalars import is_complex
from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import (
    BOTH,
    COMPARE,
    CONDITIONAL,
    EITHER,
    EQUAL,
    PRIMARY,
    PRODUCT,
    SUM,
    UNARY,
    Text,
)
from shine.imperative.nodes import ValueType
from shine.imperative.vectors import lanes_of
from shine.targets.c.complex_numbers import complex_cast, complex_operation
from shine.targets.c.dialect import Dialect
from shine.targets.c.functions import DIVISIONS, WRITTEN_OUT, is_power_of_two, remainder
from shine.targets.c.half import TOGETHER, vector_conversion
from shine.targets.c.helpers import Helpers
from shine.targets.c.types import element_name, is_float, is_small, vector_name

Site: TypeAlias = Callable[[], str]

_BINARY: Final[Mapping[str, tuple[str, int]]] = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "mod": ("%", PRODUCT),
}
_COMPARISONS: Final[Mapping[str, tuple[str, int]]] = {
    "lt": ("<", COMPARE),
    "le": ("<=", COMPARE),
    "gt": (">", COMPARE),
    "ge": (">=", COMPARE),
    "eq": ("==", EQUAL),
    "ne": ("!=", EQUAL),
}
_BITWISE: Final[Mapping[str, tuple[str, int]]] = {
    "bitAnd": ("&", EQUAL - 1),
    "bitXor": ("^", EQUAL - 2),
    "bitOr": ("|", EQUAL - 3),
}
#: Both operands are evaluated: `&&` would pass over a failure in the second, and gcc makes a branch of it, so that it
#: does not vectorise the loop.
_OF_BITS: Final[Mapping[str, str]] = {"and": "bitAnd", "or": "bitOr"}
#: functions that have a different name in the mathematical library
_RENAMED: Final[Mapping[str, str]] = {"round": "rint", "mod": "fmod"}
#: functions of floating-point numbers that the mathematical library lacks or defines differently
_HELPERS: Final = WRITTEN_OUT
#: operations from one type to another, with the infix of the two in the name of a helper
_BETWEEN: Final[Mapping[str, str]] = {"cast": "_of_", "bitCast": "_bits_of_"}
_OPERATORS: Final = frozenset(("add", "sub", "mul", "div"))
#: processors with vectors of f16
_HAS_HALVES: Final = "#if defined __AVX512FP16__ || defined __ARM_FEATURE_FP16_VECTOR_ARITHMETIC"
_LIBRARY: Final = {record.name for record in FUNCTIONS} - _HELPERS - {"clamp"}


def operation_text(
    name: str,
    types: Sequence[ValueType],
    result: ValueType,
    args: Sequence[Text],
    helpers: Helpers,
    site: Site,
) -> Text:
    """Write an operation on arguments of these types; `site` gives the arguments by which a division reports a
    zero divisor.
    """
    if name == "lane":
        return Text(helpers.dialect.vectors.lane.format(args[0].at(PRIMARY), args[1].code))
    if isinstance(result, ScalarType):
        return _scalar(name, [element_name(t) for t in types], result.name, args, helpers, site)
    if name == "select" and isinstance(types[0], ScalarType):
        return _choice(args)
    lanes, element, dialect = lanes_of(result), element_name(result), helpers.dialect
    vector = dialect.vectors.name(result, helpers)
    if name == "broadcast":
        helper = f"broadcast_{vector_name(result, dialect.language)}"
        c = helpers.element(element)
        same = dialect.vectors.literal.format(vector, ", ".join(["x"] * lanes))
        helpers.define(helper, f"{vector} {helper}({c} x) {{ return {same}; }}")
        return Text(f"{helper}({args[0].code})")
    if name == "vector":
        return vector_text(result, args, helpers)
    plain = element not in ("f16", "bf16", "bool") and dialect.vectors.has_operators
    if plain and name in _BITWISE:
        return _bitwise(name, args)
    if plain and (name in ("add", "sub", "mul", "neg") or (name == "div" and is_float(element))):
        if name == "neg":
            return _negative(args[0])
        return _infix(*_BINARY[name], args)
    first = types[0]
    if dialect.conversions and lanes % TOGETHER == 0 and isinstance(first, VectorType):
        if name == "cast" and {element_name(first), element} == {"f16", "f32"}:
            return Text(f"{_converted(first, result, helpers)}({args[0].code})")
        if element == element_name(first) == "f16" and (name in _LIBRARY or name in _OPERATORS):
            return _of_halves(name, result, args, helpers, site)
    return _lane_by_lane(name, types, result, args, helpers, site)


def _converted(source: VectorType, result: VectorType, helpers: Helpers) -> str:
    """The function that converts vectors between f16 and f32."""
    helpers.use(f"{element_name(result)}_of_{element_name(source)}")
    own, other = (helpers.dialect.vectors.name(t, helpers) for t in (result, source))
    return helpers.define(f"{own}_of_{other}", vector_conversion(own, other, lanes_of(result)))


def _of_halves(name: str, t: VectorType, args: Sequence[Text], helpers: Helpers, site: Site) -> Text:
    """An operation on f16 vectors: the processor's own if it exists, otherwise on f32 vectors, followed by rounding.

    Rounding twice gives the same result as rounding once, since f32 has more than twice as many bits.
    """
    vector, wide = helpers.dialect.vectors.name(t, helpers), VectorType(t.size, ScalarType("f32"))
    widened, narrowed = _converted(t, wide, helpers), _converted(wide, t, helpers)
    letters = "ab"[: len(args)]
    wide_args = [Text(f"{widened}({letter})") for letter in letters]
    value = operation_text(name, [wide] * len(args), wide, wide_args, helpers, site)
    body = f"  return {narrowed}({value.code});"
    if name in _OPERATORS:
        native = _infix(*_BINARY[name], [Text(letter, PRIMARY) for letter in letters])
        body = f"{_HAS_HALVES}\n  return {native.code};\n#else\n{body}\n#endif"
    parameters = ", ".join(f"{vector} {letter}" for letter in letters)
    helper = helpers.define(f"{name}_{vector}", f"{vector} {name}_{vector}({parameters}) {{\n{body}\n}}")
    return Text(f"{helper}({', '.join(arg.code for arg in args)})")


def vector_text(t: VectorType, lanes: Sequence[Text], helpers: Helpers) -> Text:
    """Write a vector of its lanes."""
    vectors, element = helpers.dialect.vectors, element_name(t)
    codes = [lane.code for lane in lanes]
    if not vectors.has_operators and is_small(element):  # a constant is written as an `int`
        codes = [f"({helpers.element(element)}){lane.at(UNARY)}" for lane in lanes]
    return Text(vectors.literal.format(vectors.name(t, helpers), ", ".join(codes)))


def _lane_by_lane(
    name: str,
    types: Sequence[ValueType],
    result: VectorType,
    args: Sequence[Text],
    helpers: Helpers,
    site: Site,
) -> Text:
    """A helper that loops over the lanes."""
    dialect, element, lanes = helpers.dialect, element_name(result), lanes_of(result)
    vector = dialect.vectors.name(result, helpers)
    source = element_name(types[0])
    letters = "abc"[: len(args)]
    inputs = [
        dialect.vectors.name(t, helpers) if isinstance(t, VectorType) else helpers.element(t.name)
        for t in types
    ]
    elements = [element_name(t) for t in types]
    lane_args = [
        Text(dialect.vectors.lane.format(letter, "l") if isinstance(t, VectorType) else letter)
        for letter, t in zip(letters, types, strict=True)
    ]
    value = _scalar(name, elements, element, lane_args, helpers, lambda: "status, site")
    assert isinstance(types[0], VectorType), f"{name} starts from a vector"
    own, first = (vector_name(t, dialect.language) for t in (result, types[0]))
    helper = f"{own}{_BETWEEN[name]}{first}" if name in _BETWEEN else f"{name}_{own}"
    if element == "bool" and source != "bool":
        helper = f"{name}_{first}"
    parameters = ", ".join(f"{c} {letter}" for c, letter in zip(inputs, letters, strict=True))
    reports = dialect.reports and "status" in value.code
    parameters += ", int *status, int site" if reports else ""
    lane = dialect.vectors.lane.format("r", "l")
    helpers.define(
        helper,
        f"{vector} {helper}({parameters}) {{\n  {vector} r;\n{dialect.before_loop}"
        f"  for (int l = 0; l < {lanes}; l++) {lane} = {value.code};\n  return r;\n}}",
    )
    passed = ", ".join([*(arg.code for arg in args), *([site()] if reports else [])])
    return Text(f"{helper}({passed})")


def _scalar(
    name: str, sources: Sequence[str], result: str, args: Sequence[Text], helpers: Helpers, site: Site
) -> Text:
    source = sources[0]
    for element in (*sources, result):
        helpers.element(element)
    if name not in ("cast", "select") and (is_complex(source) or is_complex(result)):
        return complex_operation(name, source, result, args, helpers)
    if name == "cast":
        return _cast(source, result, args[0], helpers)
    if name == "bitCast":
        return Text(f"{helpers.bits(source, result)}({args[0].code})")
    if name == "select":
        return _choice(args)
    if name in ("and", "or", "not"):
        return _logical(name, result, args, helpers.dialect)
    dialect = helpers.dialect
    if name not in dialect.storage.get(source, (name,)):
        wide = [Text(f"{helpers.use(f'f32_of_{source}')}({arg.code})") for arg in args]
        truth = result == "bool"
        value = _scalar(name, ["f32"] * len(args), "bool" if truth else "f32", wide, helpers, site)
        return value if truth else Text(f"{helpers.use(f'{source}_of_f32')}({value.code})")
    if f"{name}_{result}" in dialect.builtin or (not dialect.wraps and _may_overflow(name, result)):
        return Text(f"{helpers.use(f'{name}_{result}')}({', '.join(arg.code for arg in args)})")
    if name in _COMPARISONS:
        return _infix(*_COMPARISONS[name], args)
    if name in _BITWISE:
        return _wrapped(_bitwise(name, args), result, dialect)
    if name in _HELPERS:
        return _helped(name, source, args, helpers)
    if name in _LIBRARY:
        return _library(name, result, args, helpers)
    match name:
        case "fma":
            return _fused(result, args, helpers)
        case "neg" if result == "bf16":
            return _narrow(f"{args[0].at(UNARY)} ^ 0x8000", "bf16", dialect)
        case "abs" if result == "bf16":
            return _narrow(f"{args[0].at(UNARY)} & 0x7fff", "bf16", dialect)
        case "neg":
            return _wrapped(_negative(args[0]), result, dialect)
        case "abs" if result.startswith("u"):
            return args[0]
        case "abs" if is_float(result):
            return _library("fabs", result, args, helpers)
        case "min" | "max" | "abs":
            return Text(f"{helpers.use(f'{name}_{result}')}({', '.join(arg.code for arg in args)})")
        case "mod" if is_power_of_two(args[1].code, result):
            helpers.headers.add("math")
            helper = helpers.define(f"remainder_{result}", remainder(result, dialect))
            return Text(f"{helper}({args[0].code}, {args[1].code})")
        case "mod" if is_float(result):
            return _library("mod", result, args, helpers)
        case "clamp":
            most = _scalar("max", [result] * 2, result, args[:2], helpers, site)
            return _scalar("min", [result] * 2, result, (most, args[2]), helpers, site)
        case "bitNot":
            return _wrapped(Text(f"~{args[0].at(UNARY)}", UNARY), result, dialect)
        case "shiftLeft" | "shiftRight":
            return _helped(name, result, args, helpers)
        case _ if name in DIVISIONS and not is_float(result):
            if name in _BINARY and args[1].code.rstrip("UL").isdigit() and int(args[1].code.rstrip("UL")):
                return _wrapped(_infix(*_BINARY[name], args), result, dialect)
            passed = [args[0].code, args[1].code, *([site()] if dialect.reports else [])]
            return Text(f"{helpers.use(f'{name}_{result}')}({', '.join(passed)})")
        case "sub" if is_float(result) and _ZERO.fullmatch(args[0].code):
            return _helped(name, result, args, helpers)
        case "add" | "sub" | "mul" | "div":
            return _wrapped(_infix(*_BINARY[name], args), result, dialect)
    raise AssertionError(f"no operation is called {name}")


#: A constant 0. From it gcc's front end subtracts what it knows to be no -0, as an integer made a float, by negation:
#: `0.0f - (float)i` is -0.0 where i is 0. A helper keeps the two operands apart until it has no such knowledge.
_ZERO: Final = re.compile(r"(?:\(\w+\))?0\.0f?")


def _infix(sign: str, level: int, args: Sequence[Text]) -> Text:
    left, right = args
    return Text(f"{left.at(level)} {sign} {right.at(level + 1)}", level)


def _bitwise(name: str, args: Sequence[Text]) -> Text:
    sign, level = _BITWISE[name]
    return Text(f"{args[0].at(UNARY)} {sign} {args[1].at(UNARY)}", level)


def _helped(name: str, element: str, args: Sequence[Text], helpers: Helpers) -> Text:
    """An operation on one type, computed by a helper; `rsqrt` of an f16 is computed as float."""
    if name == "rsqrt":
        helpers.headers.add("math")
    if name == "rsqrt" and element == "f16":
        wide = _cast("f16", "f32", args[0], helpers)
        return _cast("f32", "f16", Text(f"{helpers.use('rsqrt_f32')}({wide.code})"), helpers)
    return Text(f"{helpers.use(f'{name}_{element}')}({', '.join(arg.code for arg in args)})")


def _negative(a: Text) -> Text:
    code = a.at(UNARY)
    return Text(f"-({code})" if code.startswith("-") else f"-{code}", UNARY)  # `--x` is another operator


def _choice(args: Sequence[Text]) -> Text:
    condition, yes, no = args
    return Text(f"{condition.at(EITHER)} ? {yes.at(CONDITIONAL + 1)} : {no.at(CONDITIONAL)}", CONDITIONAL)


def _may_overflow(name: str, result: str) -> bool:
    """Whether an operation may leave the range of the type in which C computes it."""
    if name == "mul" and result == "u16":
        return True
    return name in ("add", "sub", "mul", "neg") and result in ("i32", "i64")


def _logical(name: str, result: str, args: Sequence[Text], dialect: Dialect) -> Text:
    if result != "bool":
        sign = {"and": " & ", "or": " | ", "not": "~"}[name]
        code = f"~{args[0].at(UNARY)}" if name == "not" else sign.join(arg.at(UNARY) for arg in args)
        return _narrow(code, result, dialect)
    match name:
        case "not":
            return Text(f"!{args[0].at(UNARY)}", UNARY)
        case _ if dialect.reports:
            return _bitwise(_OF_BITS[name], args)
        case "and":
            return Text(f"{args[0].at(BOTH)} && {args[1].at(BOTH + 1)}", BOTH)
    return Text(f"{args[0].at(BOTH + 1)} || {args[1].at(BOTH + 1)}", EITHER)


def _wrapped(text: Text, result: str, dialect: Dialect) -> Text:
    """Convert what C computed as `int` back to its type."""
    return _narrow(text.code, result, dialect) if is_small(result) else text


def _narrow(code: str, result: str, dialect: Dialect) -> Text:
    return Text(f"({dialect.types[result]})({code})", UNARY)


def _fused(result: str, args: Sequence[Text], helpers: Helpers) -> Text:
    listed = ", ".join(arg.code for arg in args)
    if result in ("f16", "bf16"):
        return Text(f"{helpers.use(f'fma_{result}')}({listed})")
    if is_float(result):
        helpers.headers.add("math")
        return Text(f"{'fmaf' if result == 'f32' else 'fma'}({listed})")
    types = [result, result]
    product = _scalar("mul", types, result, args[:2], helpers, str)
    return _scalar("add", types, result, (product, args[2]), helpers, str)


def _library(name: str, result: str, args: Sequence[Text], helpers: Helpers) -> Text:
    assert is_float(result), f"{name} is a function of floating-point numbers"
    helpers.headers.add("math")
    computed = "f64" if result == "f64" else "f32"
    if f"{name}_{computed}" in helpers.dialect.elementary:
        own = helpers.elementary(f"{name}_{computed}")
        inner = ", ".join(_cast(result, computed, arg, helpers).code for arg in args)
        return _cast(computed, result, Text(f"{own}({inner})"), helpers)
    name = _RENAMED.get(name, name)
    if result == "f64":
        return Text(f"{name}({', '.join(arg.code for arg in args)})")
    if result == "f16":
        inner = ", ".join(_cast("f16", "f32", arg, helpers).code for arg in args)
        return _cast("f32", "f16", Text(f"{name}f({inner})"), helpers)
    return Text(f"{name}f({', '.join(arg.code for arg in args)})")


def _cast(source: str, result: str, arg: Text, helpers: Helpers) -> Text:
    """Convert a value, rounding once. Floating point to integer truncates and saturates."""
    types, storage = helpers.dialect.types, helpers.dialect.storage
    if source == result:
        return arg
    if is_complex(result):
        return complex_cast(source, result, arg, helpers, _cast)
    if source in storage:
        return _cast("f32", result, Text(f"{helpers.use(f'f32_of_{source}')}({arg.code})"), helpers)
    if result == "bool":
        return Text(f"{arg.at(EQUAL)} != 0", EQUAL)
    if result in storage:
        via = _through(source, result)
        same = arg if via == source else Text(f"({types[via]}){arg.at(UNARY)}", UNARY)
        return Text(f"{helpers.use(f'{result}_of_{via}')}({same.code})")
    if is_float(source) and not is_float(result):
        wide = "f64" if source == "f64" else "f32"
        return Text(f"{helpers.use(f'{result}_of_{wide}')}({arg.code})")
    if result == "f16" and source not in ("f32", "f64"):
        return _cast("f32", "f16", _cast(source, "f32", arg, helpers), helpers)
    if (source, result) == ("f16", "f64") and "f32_of_f16" in helpers.dialect.conversions:
        # with AVX512-FP16, gcc 12 omits conversions of vectors from f64 and directly back, which must round
        return _cast("f32", "f64", _cast("f16", "f32", arg, helpers), helpers)
    if f"{result}_of_{source}" in helpers.dialect.conversions:
        return Text(f"{helpers.use(f'{result}_of_{source}')}({arg.code})")
    return Text(f"({types[result]}){arg.at(UNARY)}", UNARY)


def _through(source: str, result: str) -> str:
    """The type from which a value is rounded once to 16 bits. It can represent every value of the source type, or every
    value in the range of the result.
    """
    if result == "f16":
        return "f64" if source == "f64" else "f32"
    match source:
        case "f64" | "i64" | "u64" | "f32":
            return source
        case "i32" | "u32":
            return "f64"
    return "f32"
