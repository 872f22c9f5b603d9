"""The dialect of C11 with the compilers' vector extension. Independent of programs.

bf16 and floats of 8 bits are stored as unsigned integers; bf16 is computed as float; f16 is `_Float16`.
"""

from __future__ import annotations

from typing import Any, Final

from rise.scalars import SCALARS
from rise.types import VectorType
from shine.imperative.naturals_text import UNARY, Text
from shine.imperative.vectors import lanes_of
from shine.targets.c.dialect import Dialect, Element, Needs, Vectors
from shine.targets.c.elementary import ELEMENTARY
from shine.targets.c.half import CONVERSIONS
from shine.targets.c.narrow_floats import WITHOUT_ARITHMETIC
from shine.targets.c.types import decimal_text, element_name, vector_name

ALIGNMENT: Final = 64  # bytes, of every temporary
_TYPES: Final = {
    "bool": "bool",
    **{f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}_t" for bits in (8, 16, 32, 64)},
    "f8e4m3": "f8e4m3",
    "f8e5m2": "f8e5m2",
    "f16": "_Float16",
    "bf16": "bf16",
    "f32": "float",
    "f64": "double",
    "c64": "c64",
    "c128": "c128",
}


def _vector_type(t: VectorType, needs: Needs) -> str:
    name = vector_name(t, "C")
    element, lanes = element_name(t), lanes_of(t)
    c = "uint8_t" if element == "bool" else needs.element(element)
    size = lanes * SCALARS[element].bits // 8
    aligned = f", aligned({ALIGNMENT})" if size > ALIGNMENT else ""
    needs.types.setdefault(name, f"typedef {c} {name} __attribute__((vector_size({size}){aligned}));")
    return name


def _memory_access(t: VectorType, aligned: bool, needs: Needs, store: bool) -> str:
    """The function that loads or stores a vector of consecutive scalars."""
    vector, element = _vector_type(t, needs), element_name(t)
    c = needs.element(element)
    size = lanes_of(t) * SCALARS[element].bits // 8
    packed = f"{vector}_a" if aligned else f"{vector}_u"
    alignment = min(size, ALIGNMENT) if aligned else SCALARS[element].bits // 8
    lane = "uint8_t" if element == "bool" else c
    needs.types.setdefault(
        packed,
        f"typedef {lane} {packed} __attribute__((vector_size({size}), aligned({alignment}), may_alias));",
    )
    name = f"{'store' if store else 'load'}{'_aligned' if aligned else ''}_{vector}"
    if store:
        return needs.define(name, f"void {name}({lane} *p, {vector} v) {{ *({packed} *)p = v; }}")
    if element == "bool":  # of any bytes: see Note [Truth values]
        truth = f"({vector})(*(const {packed} *)p != 0) & 1"
        return needs.define(name, f"{vector} {name}(const void *p) {{ return {truth}; }}")
    return needs.define(name, f"{vector} {name}(const {c} *p) {{ return *(const {packed} *)p; }}")


def _load(t: VectorType, aligned: bool, at: Element, needs: Needs) -> Text:
    return Text(f"{_memory_access(t, aligned, needs, store=False)}(&{at(0)})")


def _store(t: VectorType, aligned: bool, at: Element, value: Text, needs: Needs) -> list[str]:
    return [f"{_memory_access(t, aligned, needs, store=True)}(&{at(0)}, {value.code});"]


def _limit(name: str, greatest: bool) -> str:
    return f"{name.replace('i', 'INT').replace('u', 'UINT')}_{'MAX' if greatest else 'MIN'}"


def _float_text(value: float, name: str) -> Text:
    dtype: Any = SCALARS[name].dtype
    if name == "bf16":
        bits = dtype.type(value).view("uint16")
        return Text(f"(bf16)0x{int(bits):04x} /* {value:g} */", UNARY)
    if value != value or value in (float("inf"), float("-inf")):
        text = Text("NAN") if value != value else Text("INFINITY") if value > 0 else Text("-INFINITY", UNARY)
        return text if name == "f32" else Text(f"({_TYPES[name]}){text.at(UNARY)}", UNARY)
    number = decimal_text(value, name)
    return Text(f"(_Float16){number.at(UNARY)}", UNARY) if name == "f16" else number


C11: Final = Dialect(
    language="C",
    types=_TYPES,
    counting="i64",
    function="static inline",
    failing="static __attribute__((cold, noinline))",  # inlined, it would take registers from the loop
    before_loop="",
    headers={
        "math": "math.h",
        "bool": "stdbool.h",
        "stddef": "stddef.h",
        "stdint": "stdint.h",
        "stdlib": "stdlib.h",
    },
    declared={
        "bf16": "typedef uint16_t bf16; // the upper half of a float",
        "f8e4m3": "typedef uint8_t f8e4m3; // a sign, 4 bits of exponent and 3 of fraction, no infinities",
        "f8e5m2": "typedef uint8_t f8e5m2; // the upper half of a `_Float16`",
        "c64": "typedef struct { float re, im; } c64;",
        "c128": "typedef struct { double re, im; } c128;",
    },
    builtin={},
    elementary=ELEMENTARY,
    conversions=CONVERSIONS,
    instructions={},
    storage={"bf16": frozenset(("neg", "abs", "fma")), **WITHOUT_ARITHMETIC},
    complex="({}){{{}, {}}}",
    fuses=True,
    wraps=True,
    reports=True,
    on_failure="",
    vectors=Vectors(
        name=_vector_type,
        lane="{}[{}]",
        literal="({}){{{}}}",
        has_operators=True,
        aligned=frozenset(("Local", "Shared", "Constant")),
        load=_load,
        store=_store,
    ),
    limit=_limit,
    float_text=_float_text,
)
