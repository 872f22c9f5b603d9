"""CUDA C++ as a dialect of C: its types, functions and vectors. Independent of programs.

f16 and bf16 are CUDA's types. f16 uses half-precision instructions where these round once and are never contracted; all
other operations on both are computed in float and rounded once. Signed integers wrap via unsigned ones.

Roots, powers, logarithms and functions of angles are CUDA's for float and double, not the fast variants. The CUDA C++
Programming Guide, "Mathematical Functions", lists their errors in units in the last place. Division and square root
are correctly rounded, which is the compilers' default.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import Final

from rise.scalars import SCALARS, is_complex
from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import UNARY, Text
from shine.imperative.vectors import lanes_of
from shine.targets.c.dialect import Dialect, Element, Needs, Vectors
from shine.targets.c.narrow_floats import WITHOUT_ARITHMETIC
from shine.targets.c.types import decimal_text, element_name, integer_text, vector_name

WIDEST_ACCESS: Final = 16  # bytes
COPIES: Final = "cuda_pipeline.h"  # the header of asynchronous copies
TYPES: Final = {
    "bool": "bool",
    "i8": "signed char",
    "i16": "short",
    "i32": "int",
    "i64": "long long",
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned",
    "u64": "unsigned long long",
    "f8e4m3": "f8e4m3",
    "f8e5m2": "f8e5m2",
    "f16": "__half",
    "bf16": "__nv_bfloat16",
    "f32": "float",
    "f64": "double",
    "c64": "c64",
    "c128": "c128",
}
#: types that C++ computes as int
_NARROW_INTEGERS: Final = frozenset(
    name for name, facts in SCALARS.items() if facts.bits < 32 and name not in ("f16", "bf16")
)
_VEC: Final = f"""template <class T, int N>
struct alignas(sizeof(T) * N < {WIDEST_ACCESS} ? sizeof(T) * N : {WIDEST_ACCESS}) vec {{
  T v[N];
}};"""
_BUILTIN: Final = {
    "f32_of_f16": "__half2float",
    "f16_of_f32": "__float2half_rn",
    "f16_of_f64": "__double2half",
    "f32_of_bf16": "__bfloat162float",
    "bf16_of_f32": "__float2bfloat16_rn",
    "add_f16": "__hadd_rn",
    "sub_f16": "__hsub_rn",
    "mul_f16": "__hmul_rn",
    "fma_f16": "__hfma",
    "neg_f16": "__hneg",
    "rsqrt_f32": "rsqrtf",
    "rsqrt_f64": "rsqrt",
    "abs_f16": "__habs",
}

#: selections that return NaN if an operand is NaN: as C++, they are two comparisons and two choices
_SELECTIONS: Final = {
    f"{name}_f32": f"float {name}_f32(float a, float b) {{ "
    f'float r; asm("{name}.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }}'
    for name in ("min", "max")
}


def _vector_type(t: VectorType, needs: Needs) -> str:
    vector_name(t, "CUDA")
    needs.types.setdefault("vec", _VEC)
    return f"vec<{needs.element(element_name(t))}, {lanes_of(t)}>"


def _load(t: VectorType, aligned: bool, at: Element, needs: Needs) -> Text:
    vector = _vector_type(t, needs)
    if element_name(t) == "bool":
        return _load_truth(t, aligned, at, needs)
    if aligned:
        return Text(f"*reinterpret_cast<const {vector}*>(&{at(0)})", UNARY)
    return Text(f"{vector}{{{{{', '.join(at(lane) for lane in range(lanes_of(t)))}}}}}")


def _load_truth(t: VectorType, aligned: bool, at: Element, needs: Needs) -> Text:
    """Truth values, which may be any bytes: see Note [Truth values] in `shine.targets.c.expressions`."""
    vector, lanes = _vector_type(t, needs), lanes_of(t)
    if not aligned:
        return Text(f"{vector}{{{{{', '.join(f'{at(lane)} != 0' for lane in range(lanes))}}}}}")
    name, bytes = f"truth_{vector_name(t, 'CUDA')}", f"vec<{needs.element('u8')}, {lanes}>"
    loop = f"  for (int l = 0; l < {lanes}; l++) r.v[l] = a.v[l] != 0;"
    needs.define(
        name, f"{vector} {name}({bytes} a) {{\n  {vector} r;\n  #pragma unroll\n{loop}\n  return r;\n}}"
    )
    return Text(f"{name}(*reinterpret_cast<const {bytes}*>(&{at(0)}))")


def _store(t: VectorType, aligned: bool, at: Element, value: Text, needs: Needs) -> list[str]:
    vector = _vector_type(t, needs)
    if aligned:
        return [f"*reinterpret_cast<{vector}*>(&{at(0)}) = {value.code};"]
    lanes = range(lanes_of(t))
    if value.code.isidentifier():
        return [f"{at(lane)} = {value.code}.v[{lane}];" for lane in lanes]
    all_lanes = [f"  {at(lane)} = all_lanes.v[{lane}];" for lane in lanes]
    return ["{", f"  const {vector} all_lanes = {value.code};", *all_lanes, "}"]


def _exchange(own: Text, lane: Text, t: ScalarType | VectorType, needs: Needs) -> Text:
    c = needs.element(element_name(t))
    if isinstance(t, ScalarType) and is_complex(t.name):
        part = ScalarType(SCALARS[t.name].part)
        parts = (_exchange(Text(f"a.{field}"), Text("lane"), part, needs).code for field in ("re", "im"))
        text = f"{c} exchange_{c}({c} a, int lane) {{ return {c}{{{', '.join(parts)}}}; }}"
        return Text(f"{needs.define(f'exchange_{c}', text)}({own.code}, {lane.code})")
    if isinstance(t, ScalarType):
        shuffled = f"__shfl_sync(0xffffffff, {own.code}, {lane.code})"  # narrow integers come back as int
        return Text(f"({c}){shuffled}", UNARY) if t.name in _NARROW_INTEGERS else Text(shuffled)
    vector, name = _vector_type(t, needs), f"exchange_{vector_name(t, 'CUDA')}"
    one = _exchange(Text("a.v[l]"), Text("lane"), ScalarType(element_name(t)), needs)
    loop = f"  for (int l = 0; l < {lanes_of(t)}; l++) r.v[l] = {one.code};"
    needs.define(
        name,
        f"{vector} {name}({vector} a, int lane) {{\n  {vector} r;\n  #pragma unroll\n{loop}\n  return r;\n}}",
    )
    return Text(f"{name}({own.code}, {lane.code})")


def _limit(name: str, greatest: bool) -> str:
    bits = SCALARS[name].bits
    if name.startswith("u"):
        return integer_text(2**bits - 1 if greatest else 0, name).code
    return integer_text(2 ** (bits - 1) - 1 if greatest else -(2 ** (bits - 1)), name).code


def _float_text(value: float, name: str) -> Text:
    if name in ("f16", "bf16"):
        return Text(f"{_BUILTIN[f'{name}_of_f32']}({_float_text(value, 'f32').code})")
    if value == value and value not in (float("inf"), float("-inf")):
        return decimal_text(value, name)
    if name == "f64":
        (bits,) = struct.unpack("<Q", struct.pack("<d", abs(value)))
        text = f"__longlong_as_double(0x{bits:016x}LL)"
    else:
        (bits,) = struct.unpack("<I", struct.pack("<f", abs(value)))
        text = f"__int_as_float(0x{bits:08x})"
    return Text(f"-{text}", UNARY) if value < 0 else Text(text)


def cuda_dialect(wide: bool, check: bool, features: Collection[str] = ()) -> Dialect:
    """CUDA C++ with 64-bit or 32-bit indices, for architectures with some features; in a check build, a failure stops
    the kernel.
    """
    return Dialect(
        language="CUDA",
        types=TYPES,
        counting="i64" if wide else "i32",
        function="__device__ __forceinline__",
        failing="__device__ __forceinline__",
        before_loop="  #pragma unroll\n",
        headers={"f16": "cuda_fp16.h", "bf16": "cuda_bf16.h", "mma.h": "mma.h", COPIES: COPIES},
        declared={
            "f8e4m3": "typedef unsigned char f8e4m3;",
            "f8e5m2": "typedef unsigned char f8e5m2;",
            "c64": "struct alignas(8) c64 {\n  float re, im;\n};",
            "c128": "struct alignas(16) c128 {\n  double re, im;\n};",
        },
        builtin=_BUILTIN,
        elementary={},
        conversions={},
        instructions=_SELECTIONS if "max-nan" in features else {},
        storage={
            "f16": frozenset(("add", "sub", "mul", "fma", "neg", "abs")),
            "bf16": frozenset(("fma",)),
            **WITHOUT_ARITHMETIC,
        },
        complex="{}{{{}, {}}}",
        fuses=False,
        wraps=False,
        reports=False,
        on_failure="__trap();" if check else "return 0;",
        vectors=Vectors(
            name=_vector_type,
            lane="{}.v[{}]",
            literal="{}{{{{{}}}}}",
            has_operators=False,
            aligned=frozenset(("Global", "Shared", "Constant")),
            load=_load,
            store=_store,
        ),
        limit=_limit,
        float_text=_float_text,
        exchange=_exchange,
    )
