"""Prints vectors that span two others, and vectors with only their first lanes in an array. Independent of statements.

An array stays in registers only if it is read at multiples of a vector's size; otherwise compilers keep it in memory.
So a vector that spans two of its vectors is assembled from their lanes, which takes one instruction.
"""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat
from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import Text
from shine.imperative.nodes import Constant, Guarded, Load, Operation
from shine.imperative.vectors import lanes_of
from shine.targets.c.dialect import Needs
from shine.targets.c.types import element_name, vector_name

MAX_REGISTER_VECTORS: Final = 8  # in an array that is assumed to be in registers
_FIRST: Final = """{vector} load_first_{name}(const {c} *p, int64_t n) {{ // zeros behind the n-th
  if (n >= {lanes}) return *(const {packed} *)p;
  {vector} r = {{0}};
  for (int64_t l = 0; l < n; l++) r[l] = p[l];
  return r;
}}"""


def across(load: Load) -> tuple[Load, Load, int] | None:
    """The two vectors of a small array that a vector spans, and the lane at which it starts."""
    if not isinstance(load.type, VectorType) or not isinstance(load.buffer.element, ScalarType):
        return None
    lanes, at, size = lanes_of(load.type), load.index.constant, load.buffer.size.constant
    if at is None or size is None or load.buffer.space != "Local" or size > MAX_REGISTER_VECTORS * lanes:
        return None
    first, offset = divmod(int(at), lanes)
    if not offset or (first + 2) * lanes > size:
        return None
    low, high = (Load(load.buffer, load.index - offset + step, lanes, True, load.type) for step in (0, lanes))
    return low, high, offset


def across_text(t: VectorType, offset: int, low: Text, high: Text, needs: Needs, vector: str) -> Text:
    """Write the vector that starts at a lane of the low vector and ends in the high one."""
    lanes, name = lanes_of(t), vector_name(t, "C")
    picked = [
        f"a[{lane}]" if lane < lanes else f"b[{lane - lanes}]" for lane in range(offset, offset + lanes)
    ]
    helper = f"from_{offset}_{name}"
    body = f"return ({vector}){{{', '.join(picked)}}};"
    needs.define(helper, f"{vector} {helper}({vector} a, {vector} b) {{ {body} }}")
    return Text(f"{helper}({low.code}, {high.code})")


def first_lanes(value: Operation) -> tuple[Load, Nat] | None:
    """The first load of a vector, and the number of lanes that exist, if the other lanes are zeros."""
    if value.name != "vector" or not isinstance(value.type, VectorType):
        return None
    first: tuple[Load, Nat] | None = None
    for number, argument in enumerate(value.arguments):
        match argument:
            case Guarded(condition, Load(buffer, index, 1) as load, Constant(0)) if len(condition.below) == 1:
                ((a, b),) = condition.below
                if first is None:
                    first = (load, b - a)
                if (index - number, b - a + number) != (first[0].index, first[1]):
                    return None
                if buffer != first[0].buffer or not isinstance(buffer.element, ScalarType):
                    return None
            case _:
                return None
    return first


def first_text(t: VectorType, start: str, count: Text, needs: Needs, vector: str) -> Text:
    """Print the vector of the numbers that start at a place, of which only `count` exist."""
    element, lanes, name = element_name(t), lanes_of(t), vector_name(t, "C")
    c = "uint8_t" if element == "bool" else needs.element(element)
    packed = f"{vector}_u"
    align = "aligned(__alignof__(" + c + "))"
    size = f"{lanes} * sizeof({c})"
    needs.types.setdefault(
        packed, f"typedef {c} {packed} __attribute__((vector_size({size}), {align}, may_alias));"
    )
    text = _FIRST.format(vector=vector, name=name, c=c, lanes=lanes, packed=packed)
    if element == "bool":  # of any bytes
        whole, one = f"*(const {packed} *)p", "p[l]"
        text = text.replace(whole, f"({vector})({whole} != 0) & 1").replace(f"= {one};", f"= {one} != 0;")
    return Text(f"{needs.define(f'load_first_{name}', text)}(&{start}, {count.code})")
