"""PTX loads, stores and atomic operations with orders and scopes: what they guarantee, and their results."""

from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program
from shine.simulator.ptx import instructions
from shine.simulator.ptx_rows import STORED_TYPES
from tests.simulator.corpus import SCHEDULES

PASSED_ON = """extern "C" __global__ void f{number}(int* cup, int* flag, int* y) {{
  int held = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) {{
    cup[0] = 42;
    asm volatile("{store}" :: "l"(flag), "r"(1) : "memory");
  }}
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 32) {{
    while (held == 0) asm volatile("{load}" : "=r"(held) : "l"(flag), "r"(0) : "memory");
    {fence}
    y[0] = cup[0];
  }}
}}
"""
RELEASED, ACQUIRED = "st.release.gpu.global.s32 [%0], %1;", "ld.acquire.gpu.global.s32 %0, [%1];"
FENCE = 'asm volatile("fence.acq_rel.gpu;" ::: "memory");'
#: how the flag is stored and read, the fence, and whether this orders accesses within a block, and between two
WAYS = [
    (RELEASED, ACQUIRED, "", (True, True)),
    (RELEASED.replace("gpu", "sys"), ACQUIRED.replace("gpu", "sys"), "", (True, True)),
    (RELEASED.replace("gpu", "cta"), ACQUIRED.replace("gpu", "cta"), "", (True, False)),
    ("st.global.release.gpu.b32 [%0], %1;", "ld.global.acquire.gpu.b32 %0, [%1];", "", (True, True)),
    (RELEASED, "ld.relaxed.gpu.s32 %0, [%1];", "", (False, False)),
    (RELEASED, "ld.relaxed.gpu.s32 %0, [%1];", FENCE, (True, True)),
    ("st.relaxed.gpu.global.s32 [%0], %1;", ACQUIRED, "", (False, False)),
    ("red.release.gpu.global.add.s32 [%0], %1;", "atom.acquire.gpu.global.or.b32 %0, [%1], %2;", "", (True, True)),
    ("red.global.add.s32 [%0], %1;", "atom.acq_rel.gpu.global.add.s32 %0, [%1], %2;", "", (False, False)),
    ("{ .reg .b32 old; atom.release.gpu.exch.b32 old, [%0], %1; }", ACQUIRED, "", (True, True)),
    (RELEASED, "atom.acquire.gpu.cas.b32 %0, [%1], 0, 0;", "", (True, True)),
]  # fmt: skip
TEXT = "".join(
    PASSED_ON.format(number=number, store=store, load=load, fence=fence)
    for number, (store, load, fence, _) in enumerate(WAYS)
)


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("number", range(len(WAYS)), ids=lambda number: WAYS[number][1].split()[0])
def test_orders_and_scopes(number: int, blocks: int, programs: Callable[[str, bool], Program]) -> None:
    is_ordered = WAYS[number][3][blocks - 1]
    for schedule in SCHEDULES:
        y = np.zeros(1, np.int32)
        arguments = [np.zeros(1, np.int32), np.zeros(1, np.int32), y]
        report = programs(TEXT, True).launch(f"f{number}", blocks, 64, arguments, schedule=schedule)
        kinds = {finding.kind for finding in report.findings}
        assert kinds == (set() if is_ordered else {"race"}), str(report)
        assert y[0] == 42


OPERATIONS = {
    "add.u32": (7, 5, 12),
    "min.s32": (-7, 5, -7),
    "max.u64": (7, 5, 7),
    "and.b32": (6, 5, 4),
    "or.b64": (6, 5, 7),
    "xor.b32": (6, 5, 3),
    "inc.u32": (7, 5, 0),
    "dec.u32": (7, 5, 5),
    "exch.b64": (7, 5, 5),
    "add.f64": (1.5, 0.25, 1.75),
}


@pytest.mark.parametrize("space", ["global", "shared"])
def test_results_of_operations(space: str, programs: Callable[[str, bool], Program]) -> None:
    letters = {"32": "r", "64": "l", "f64": "d"}
    types = {"r": "unsigned", "l": "unsigned long long", "d": "double"}
    kernels, cases = "", []
    for number, (operation, values) in enumerate(OPERATIONS.items()):
        t = operation.split(".")[1]
        letter = letters.get(t, letters.get(t[1:]))
        assert letter is not None
        c = types[letter]
        place = f"__shared__ {c} held; held = *x;" if space == "shared" else f"{c}& held = *x;"
        at = '"r"((unsigned)__cvta_generic_to_shared(&held))' if space == "shared" else '"l"(&held)'
        kernels += f"""extern "C" __global__ void f{number}({c}* x, {c}* y, {c} by) {{ {place}
          asm volatile("atom.acq_rel.gpu.{space}.{operation} %0, [%1], %2;" : "={letter}"(*y) : {at}, "{letter}"(by));
          *x = held; }}\n"""
        dtype = np.dtype({"r": np.uint32, "l": np.uint64, "d": np.float64}[letter])
        cases.append((dtype, values))
    for number, (dtype, values) in enumerate(cases):
        before, by, after = (
            np.array(values).astype(dtype) if dtype.kind == "f" else np.array(values, np.int64).astype(dtype)
        )
        x, y = np.full(1, before, dtype), np.zeros(1, dtype)
        report = programs(kernels, True).launch(f"f{number}", 1, 1, [x, y, by])
        assert report.findings == ()
        assert (x[0], y[0]) == (after, before), list(OPERATIONS)[number]


def test_the_table_has_the_same_order_in_every_process() -> None:
    loads = [name for name in instructions() if ".relaxed.cta" in name and name.startswith("ld")]
    ways = ("ld.relaxed.cta{space}.{t}", "ld{space}.relaxed.cta.{t}")
    expected = [
        way.format(space=space, t=t)
        for space in ("", ".global", ".shared", ".shared::cluster")
        for t in STORED_TYPES
        for way in ways
    ]
    assert loads == list(dict.fromkeys(expected))
