"""Operations on scalars and vectors in C: one row of `docs/semantics.md` each. Knows no loops and no memory.

Vectors use C's operators where these do the same lane by lane, and a helper with a loop over the lanes
otherwise, which compilers turn into one instruction where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType
from shine.imperative import ValueType
from shine.naturals_text import BOTH, COMPARE, CONDITIONAL, EITHER, EQUAL, PRIMARY, PRODUCT, SUM, UNARY, Text
from shine.targets.c.helpers import Helpers
from shine.targets.c.types import ALIGNMENT, C_TYPES, element_name, is_float, is_small, lanes_of, vector_name

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
_LIBRARY: Final = frozenset(("exp", "log", "sqrt", "sin", "cos", "tanh", "pow"))


def operation_text(
    name: str,
    types: Sequence[ValueType],
    result: ValueType,
    args: Sequence[Text],
    helpers: Helpers,
    site: Site,
) -> Text:
    """Write an operation on arguments of these types; `site` tells what a division passes on to report a
    zero.
    """
    if name == "lane":
        return Text(f"{args[0].at(PRIMARY)}[{args[1].code}]")
    if isinstance(result, ScalarType):
        return _scalar(name, [element_name(t) for t in types], result.name, args, helpers, site)
    if name == "select" and isinstance(types[0], ScalarType):
        return _choice(args)
    lanes, element = lanes_of(result), element_name(result)
    vector = vector_type(result, helpers)
    if name == "broadcast":
        helper = f"broadcast_{vector}"
        c = helpers.element(element)
        same = ", ".join(["x"] * lanes)
        helpers.define(helper, f"{vector} {helper}({c} x) {{ return ({vector}){{{same}}}; }}")
        return Text(f"{helper}({args[0].code})")
    if name == "vector":
        return Text(f"({vector}){{{', '.join(arg.code for arg in args)}}}")
    plain = element not in ("f16", "bf16", "bool")
    if plain and (name in ("add", "sub", "mul", "neg") or (name == "div" and is_float(element))):
        if name == "neg":
            return _negative(args[0])
        return _infix(*_BINARY[name], args)
    return _lane_by_lane(name, types, result, args, helpers, site)


def vector_type(t: VectorType, helpers: Helpers) -> str:
    """The name of a vector type, declared."""
    element, lanes = element_name(t), lanes_of(t)
    name = vector_name(element, lanes)
    c = "uint8_t" if element == "bool" else helpers.element(element)
    size = lanes * SCALARS[element].bits // 8
    aligned = f", aligned({ALIGNMENT})" if size > ALIGNMENT else ""
    helpers.types.setdefault(name, f"typedef {c} {name} __attribute__((vector_size({size}){aligned}));")
    return name


def memory_access(t: VectorType, aligned: bool, helpers: Helpers, store: bool) -> str:
    """The function that loads or stores a vector of consecutive scalars."""
    vector, element = vector_type(t, helpers), element_name(t)
    c = helpers.element(element)
    size = lanes_of(t) * SCALARS[element].bits // 8
    packed = f"{vector}_a" if aligned else f"{vector}_u"
    alignment = min(size, ALIGNMENT) if aligned else SCALARS[element].bits // 8
    lane = "uint8_t" if element == "bool" else c
    helpers.types.setdefault(
        packed,
        f"typedef {lane} {packed} __attribute__((vector_size({size}), aligned({alignment}), may_alias));",
    )
    name = f"{'store' if store else 'load'}{'_aligned' if aligned else ''}_{vector}"
    if store:
        return helpers.define(name, f"void {name}({c} *p, {vector} v) {{ *({packed} *)p = v; }}")
    return helpers.define(name, f"{vector} {name}(const {c} *p) {{ return *(const {packed} *)p; }}")


def _lane_by_lane(
    name: str,
    types: Sequence[ValueType],
    result: VectorType,
    args: Sequence[Text],
    helpers: Helpers,
    site: Site,
) -> Text:
    """A helper that loops over the lanes."""
    vector, element, lanes = vector_type(result, helpers), element_name(result), lanes_of(result)
    source = element_name(types[0])
    letters = "abc"[: len(args)]
    inputs = [
        vector_type(t, helpers) if isinstance(t, VectorType) else helpers.element(t.name) for t in types
    ]
    elements = [element_name(t) for t in types]
    lane_args = [
        Text(f"{letter}[l]" if isinstance(t, VectorType) else letter)
        for letter, t in zip(letters, types, strict=True)
    ]
    value = _scalar(name, elements, element, lane_args, helpers, lambda: "status, site")
    helper = f"{vector}_of_{inputs[0]}" if name == "cast" else f"{name}_{vector}"
    if element == "bool" and source != "bool":
        helper = f"{name}_{inputs[0]}"
    parameters = ", ".join(f"{c} {letter}" for c, letter in zip(inputs, letters, strict=True))
    reports = "status" in value.code
    parameters += ", int *status, int site" if reports else ""
    helpers.define(
        helper,
        f"{vector} {helper}({parameters}) {{\n  {vector} r;\n"
        f"  for (int l = 0; l < {lanes}; l++) r[l] = {value.code};\n  return r;\n}}",
    )
    passed = ", ".join([*(arg.code for arg in args), *([site()] if reports else [])])
    return Text(f"{helper}({passed})")


def _scalar(
    name: str, sources: Sequence[str], result: str, args: Sequence[Text], helpers: Helpers, site: Site
) -> Text:
    source = sources[0]
    for element in (*sources, result):
        helpers.element(element)
    if name == "cast":
        return _cast(source, result, args[0], helpers)
    if name == "select":
        return _choice(args)
    if name in ("and", "or", "not"):
        return _logical(name, result, args)
    if source == "bf16" and name not in ("neg", "abs", "fma"):
        wide = [Text(f"{helpers.use('f32_of_bf16')}({arg.code})") for arg in args]
        value = _scalar(
            name, ["f32"] * len(args), "bool" if name in _COMPARISONS else "f32", wide, helpers, site
        )
        return value if name in _COMPARISONS else Text(f"{helpers.use('bf16_of_f32')}({value.code})")
    if name in _COMPARISONS:
        return _infix(*_COMPARISONS[name], args)
    if name in _LIBRARY:
        return _library(name, result, args, helpers)
    match name:
        case "fma":
            return _fused(result, args, helpers)
        case "neg" if result == "bf16":
            return _narrow(f"{args[0].at(UNARY)} ^ 0x8000", "bf16")
        case "abs" if result == "bf16":
            return _narrow(f"{args[0].at(UNARY)} & 0x7fff", "bf16")
        case "neg":
            return _wrapped(_negative(args[0]), result)
        case "abs" if result.startswith("u"):
            return args[0]
        case "abs" if is_float(result):
            return _library("fabs", result, args, helpers)
        case "min" | "max" | "abs":
            return Text(f"{helpers.use(f'{name}_{result}')}({', '.join(arg.code for arg in args)})")
        case "mod" if is_float(result):
            return _library("fmod", result, args, helpers)
        case "div" | "mod" if not is_float(result):
            if args[1].code.rstrip("UL").isdigit() and int(args[1].code.rstrip("UL")):
                return _wrapped(_infix(*_BINARY[name], args), result)
            return Text(f"{helpers.use(f'{name}_{result}')}({args[0].code}, {args[1].code}, {site()})")
        case "add" | "sub" | "mul" | "div":
            return _wrapped(_infix(*_BINARY[name], args), result)
    raise AssertionError(f"no operation is called {name}")


def _infix(sign: str, level: int, args: Sequence[Text]) -> Text:
    left, right = args
    return Text(f"{left.at(level)} {sign} {right.at(level + 1)}", level)


def _negative(a: Text) -> Text:
    code = a.at(UNARY)
    return Text(f"-({code})" if code.startswith("-") else f"-{code}", UNARY)  # `--x` is another operator


def _choice(args: Sequence[Text]) -> Text:
    condition, yes, no = args
    return Text(f"{condition.at(EITHER)} ? {yes.at(CONDITIONAL + 1)} : {no.at(CONDITIONAL)}", CONDITIONAL)


def _logical(name: str, result: str, args: Sequence[Text]) -> Text:
    if result != "bool":
        sign = {"and": " & ", "or": " | ", "not": "~"}[name]
        code = f"~{args[0].at(UNARY)}" if name == "not" else sign.join(arg.at(UNARY) for arg in args)
        return _narrow(code, result)
    match name:
        case "not":
            return Text(f"!{args[0].at(UNARY)}", UNARY)
        case "and":
            return Text(f"{args[0].at(BOTH)} && {args[1].at(BOTH + 1)}", BOTH)
    return Text(f"{args[0].at(BOTH + 1)} || {args[1].at(BOTH + 1)}", EITHER)


def _wrapped(text: Text, result: str) -> Text:
    """Bring back to its type what C computed as `int`."""
    return _narrow(text.code, result) if is_small(result) else text


def _narrow(code: str, result: str) -> Text:
    return Text(f"({C_TYPES[result]})({code})", UNARY)


def _fused(result: str, args: Sequence[Text], helpers: Helpers) -> Text:
    listed = ", ".join(arg.code for arg in args)
    if result in ("f16", "bf16"):
        return Text(f"{helpers.use(f'fma_{result}')}({listed})")
    if is_float(result):
        helpers.headers.add("math")
        return Text(f"{'fmaf' if result == 'f32' else 'fma'}({listed})")
    product = _wrapped(_infix(*_BINARY["mul"], args[:2]), result)
    return _wrapped(_infix(*_BINARY["add"], (product, args[2])), result)


def _library(name: str, result: str, args: Sequence[Text], helpers: Helpers) -> Text:
    assert is_float(result), f"{name} is a function of floating-point numbers"
    helpers.headers.add("math")
    if result == "f64":
        return Text(f"{name}({', '.join(arg.code for arg in args)})")
    if result == "f16":
        inner = ", ".join(f"(float){arg.at(UNARY)}" for arg in args)
        return Text(f"(_Float16){name}f({inner})", UNARY)
    return Text(f"{name}f({', '.join(arg.code for arg in args)})")


def _cast(source: str, result: str, arg: Text, helpers: Helpers) -> Text:
    """Convert a value: rounded once, floating to integer towards zero and within the range."""
    if source == result:
        return arg
    if source == "bf16":
        return _cast("f32", result, Text(f"{helpers.use('f32_of_bf16')}({arg.code})"), helpers)
    if result == "bool":
        return Text(f"{arg.at(EQUAL)} != 0", EQUAL)
    if result == "bf16":
        via = _through(source)
        same = arg if via == source else Text(f"({C_TYPES[via]}){arg.at(UNARY)}", UNARY)
        return Text(f"{helpers.use(f'bf16_of_{via}')}({same.code})")
    if is_float(source) and not is_float(result):
        wide = "f64" if source == "f64" else "f32"
        return Text(f"{helpers.use(f'{result}_of_{wide}')}({arg.code})")
    if result == "f16" and source not in ("f32", "f64"):
        return Text(f"(_Float16)(float){arg.at(UNARY)}", UNARY)
    return Text(f"({C_TYPES[result]}){arg.at(UNARY)}", UNARY)


def _through(source: str) -> str:
    """The type from which a value is rounded to bf16 once: one that holds every value of the source."""
    match source:
        case "f64" | "i64" | "u64" | "f32":
            return source
        case "i32" | "u32":
            return "f64"
    return "f32"
