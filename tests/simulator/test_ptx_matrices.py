"""PTX instructions of whole warps on matrices, compared with numpy: lanes hold elements as the PTX ISA documents."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rise.hardware import ARCHITECTURES
from shine.simulator import Program, SimulatorError, build
from tests.examples import in_turns, some
from tests.simulator.corpus import SCHEDULES
from tests.simulator.element_types import DTYPES

# (row, column) of number i of lane 4 g + t: the formulas of the PTX ISA, shape by shape.
Place = Callable[[int, int, int], tuple[int, int]]
A: dict[tuple[int, int, int], Place] = {  # m, k, bits
    (16, 8, 16): lambda g, t, i: (g + 8 * (i >= 2), 2 * t + i % 2),
    (16, 16, 16): lambda g, t, i: (g + 8 * (i in (2, 3, 6, 7)), 2 * t + i % 2 + 8 * (i >= 4)),
    (16, 4, 32): lambda g, t, i: (g + 8 * i, t),
    (16, 8, 32): lambda g, t, i: (g + 8 * (i in (1, 3)), t + 4 * (i >= 2)),
    (8, 16, 8): lambda g, t, i: (g, 4 * t + i),
    (16, 16, 8): lambda g, t, i: (g + 8 * (i >= 4), 4 * t + i % 4),
    (16, 32, 8): lambda g, t, i: (g + 8 * (4 <= i < 8 or i >= 12), 4 * t + i % 4 + 16 * (i >= 8)),
    (8, 4, 64): lambda g, t, i: (g, t),
    (16, 4, 64): lambda g, t, i: (g + 8 * i, t),
    (16, 8, 64): lambda g, t, i: (g + 8 * (i in (1, 3)), t + 4 * (i >= 2)),
    (16, 16, 64): lambda g, t, i: (g + 8 * (i % 2), t + (2 * i if i % 2 == 0 else 2 * i - 2)),
}
B: dict[tuple[int, int], Place] = {  # k, bits
    (8, 16): lambda g, t, i: (2 * t + i, g),
    (16, 16): lambda g, t, i: (2 * t + i % 2 + 8 * (i >= 2), g),
    (4, 32): lambda g, t, i: (t, g),
    (8, 32): lambda g, t, i: (t + 4 * i, g),
    (16, 8): lambda g, t, i: (4 * t + i, g),
    (32, 8): lambda g, t, i: (4 * t + i % 4 + 16 * (i >= 4), g),
    (4, 64): lambda g, t, i: (t, g),
    (8, 64): lambda g, t, i: (t + 4 * i, g),
    (16, 64): lambda g, t, i: (t + 4 * i, g),
}


def sums(g: int, t: int, i: int) -> tuple[int, int]:
    return g + 8 * (i >= 2), 2 * t + i % 2


PRODUCTS = [
    *(((16, 8, k), d, "f16", "f16") for k in (8, 16) for d in ("f32", "f16")),
    *(((16, 8, k), "f32", "bf16", "bf16") for k in (8, 16)),
    *(((16, 8, k), "f32", "tf32", "tf32") for k in (4, 8)),
    *((shape, "s32", a, "s8") for shape in ((8, 8, 16), (16, 8, 16), (16, 8, 32)) for a in ("s8", "u8")),
    ((16, 8, 32), "s32", "s8", "u8"),
    *(((16, 8, k), d, "e4m3", "e5m2") for k in (16, 32) for d in ("f32", "f16")),
    ((16, 8, 32), "f32", "e5m2", "e4m3"),
    ((8, 8, 4), "f64", "f64", "f64"),
    *(((16, 8, k), "f64", "f64", "f64") for k in (4, 8, 16)),
]  # fmt: skip


def held(matrix: Any, place: Place) -> Any:
    """The elements of a matrix that each lane holds."""
    count = matrix.size // 32
    return np.array([[matrix[place(lane // 4, lane % 4, i)] for i in range(count)] for lane in range(32)])


def registers(values: Any) -> Any:
    """The lanes' numbers as registers of 32 bits, or of 64 bits if numbers have 64."""
    return np.ascontiguousarray(values).view(np.uint64 if values.itemsize == 8 else np.uint32)


def product_text(mnemonic: str, counts: tuple[int, int, int], types: tuple[str, str], name: str = "f") -> str:
    """A kernel of one warp: an instruction on the registers that each lane is given."""
    letters = {"f32": "f", "f64": "d", "s32": "r", "f16": "r"}
    c_types = {"f32": "float", "f64": "double", "s32": "int", "f16": "unsigned"}
    nd, na, nb = counts
    d, factor = types
    a = "double" if factor == "f64" else "unsigned"
    letter = "d" if factor == "f64" else "r"
    names = iter(range(2 * nd + na + nb))
    lists = [", ".join(f"%{next(names)}" for _ in range(n)) for n in (nd, na, nb, nd)]
    outs = ", ".join(f'"={letters[d]}"(d[{i}])' for i in range(nd))
    ins = [f'"{letter}"(A[l * {na} + {i}])' for i in range(na)]
    ins += [f'"{letter}"(B[l * {nb} + {i}])' for i in range(nb)]
    ins += [f'"{letters[d]}"(C[l * {nd} + {i}])' for i in range(nd)]
    braces = ", ".join(f"{{{one}}}" for one in lists)
    return f"""extern "C" __global__ void {name}(const {a}* A, const {a}* B, const {c_types[d]}* C, {c_types[d]}* D) {{
  int l = threadIdx.x;
  {c_types[d]} d[{nd}];
  asm volatile("{mnemonic} {braces};" : {outs} : {", ".join(ins)});
  for (int i = 0; i < {nd}; i++) D[l * {nd} + i] = d[i];
}}
"""


def counts_of(shape: tuple[int, int, int], d: str, a: str) -> tuple[int, int, int]:
    """The numbers of registers of the sum, of A and of B."""
    m, n, k = shape
    bits = np.dtype(DTYPES[a]).itemsize * 8
    size = max(bits, 32)
    of_sum = m * n // 32 // (2 if d == "f16" else 1)
    return of_sum, m * k * bits // size // 32, k * n * bits // size // 32


# All in one text, which is built once.
ALL_PRODUCTS = "".join(
    product_text(
        f"mma.sync.aligned.m{m}n{n}k{k}.row.col.{d}.{a}.{b}.{d}", counts_of((m, n, k), d, a), (d, a), f"f{i}"
    )
    for i, ((m, n, k), d, a, b) in enumerate(PRODUCTS)
)


@pytest.mark.parametrize(
    "number", some(range(len(PRODUCTS)), 2), ids=lambda number: "-".join(map(str, PRODUCTS[number]))
)
def test_products_agree_with_numpy(number: int, programs: Callable[..., Program]) -> None:
    (m, n, k), d, a, b = PRODUCTS[number]
    random = np.random.default_rng(m + k)
    left = random.integers(0 if a == "u8" else -4, 5, (m, k)).astype(DTYPES[a])
    right = random.integers(0 if b == "u8" else -4, 5, (k, n)).astype(DTYPES[b])
    addend = random.integers(-9, 10, (m, n)).astype(DTYPES[d])
    bits = left.itemsize * 8
    A_, B_ = registers(held(left, A[m, k, bits])), registers(held(right, B[k, bits]))
    C_ = registers(held(addend, sums))
    arguments = [one.view(np.float64) if bits == 64 else one for one in (A_, B_, C_)]
    D_ = np.zeros_like(C_)
    program = programs(ALL_PRODUCTS, True)
    expected = left.astype(np.float64) @ right.astype(np.float64) + addend
    for schedule in SCHEDULES:
        D_[...] = 0
        report = program.launch(f"f{number}", 1, 32, [*arguments, D_], schedule=schedule)
        assert report.findings == ()
        np.testing.assert_array_equal(D_.view(DTYPES[d]).astype(np.float64), held(expected, sums))


@pytest.mark.parametrize(
    ("orders", "d"),
    [
        (orders, d)
        for at, orders in enumerate([("row", "col"), ("col", "row"), ("row", "row"), ("col", "col")])
        for d in some(["f32", "f16"], 2, first=at)
    ],
)
def test_groups_of_lanes_multiply_their_own_matrices(
    d: str, orders: tuple[str, str], programs: Callable[..., Program]
) -> None:
    """m8n8k4: lanes 4 q to 4 q + 3, and those 16 further, compute a product of 8 x 4 and 4 x 8."""
    random = np.random.default_rng(3)
    left, right = random.integers(-4, 5, (4, 8, 4)), random.integers(-4, 5, (4, 4, 8))
    addend = random.integers(-9, 10, (4, 8, 8))
    A_, B_ = np.zeros((32, 4), np.float16), np.zeros((32, 4), np.float16)
    C_, expected = np.zeros((32, 8), DTYPES[d]), np.zeros((32, 8), DTYPES[d])
    for lane in range(32):
        quad, l, high = lane % 16 // 4, lane % 4, 4 * (lane >= 16)
        for i in range(4):
            A_[lane, i] = left[quad][(l + high, i) if orders[0] == "row" else (i + high, l)]
            B_[lane, i] = right[quad][(l, i + high) if orders[1] == "row" else (i, l + high)]
        for i in range(8):
            place = (l + high, i) if d == "f16" else ((l & 1) + (i & 2) + high, (i & 4) + (l & 2) + (i & 1))
            C_[lane, i] = addend[quad][place]
            expected[lane, i] = (left[quad] @ right[quad] + addend[quad])[place]
    mnemonic = f"mma.sync.aligned.m8n8k4.{orders[0]}.{orders[1]}.{d}.f16.f16.{d}"
    text = product_text(mnemonic, (8 if d == "f32" else 4, 2, 2), (d, "f16"))
    D_ = np.zeros_like(registers(C_))
    report = programs(text, True).launch("f", 1, 32, [registers(A_), registers(B_), registers(C_), D_])
    assert report.findings == ()
    np.testing.assert_array_equal(D_.view(DTYPES[d]), expected)


MOVED = """extern "C" __global__ void f(const unsigned short* x, unsigned* y, unsigned short* z) {{
  __shared__ __align__(16) unsigned short from[32][{row}];
  __shared__ __align__(16) unsigned short to[32][{row}];
  unsigned l = threadIdx.x;
  for (int j = 0; j < 8; j++) from[l][j] = x[l * 8 + j];
  for (int j = 0; j < {row}; j++) to[l][j] = 0;
  __syncwarp();
  unsigned r[{count}];
  asm volatile("ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{names}}}, [%{count}];"
    : {outs} : "r"((unsigned)__cvta_generic_to_shared(from[l])) : "memory");
  for (int i = 0; i < {count}; i++) y[l * {count} + i] = r[i];
  asm volatile("stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%0], {{{stored}}};"
    :: "r"((unsigned)__cvta_generic_to_shared(to[l])), {ins} : "memory");
  __syncwarp();
  for (int j = 0; j < 8; j++) z[l * 8 + j] = to[l][j];
}}
"""


def moved_text(count: int, trans: bool, row: int = 8) -> str:
    return MOVED.format(
        count=count,
        trans=".trans" if trans else "",
        row=row,
        names=", ".join(f"%{i}" for i in range(count)),
        stored=", ".join(f"%{i + 1}" for i in range(count)),
        outs=", ".join(f'"=r"(r[{i}])' for i in range(count)),
        ins=", ".join(f'"r"(r[{i}])' for i in range(count)),
    )


@pytest.mark.parametrize(("trans", "count"), in_turns([False, True], [1, 2, 4]))
def test_matrices_are_loaded_and_stored(count: int, trans: bool, programs: Callable[..., Program]) -> None:
    x = np.arange(256, dtype=np.uint16).reshape(4, 8, 8)
    y, z = np.zeros((32, count), np.uint32), np.zeros((4, 8, 8), np.uint16)
    for schedule in SCHEDULES:
        z[...] = 9
        program = programs(moved_text(count, trans, 24), True)
        assert program.launch("f", 1, 32, [x, y, z], schedule=schedule).findings == ()
        for i in range(count):
            matrix = x[i].T if trans else x[i]
            np.testing.assert_array_equal(y[:, i].copy().view(np.uint16).reshape(8, 8), matrix)
        np.testing.assert_array_equal(z[:count], x[:count])
        assert not z[count:].any()


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("  __syncwarp();\n  unsigned r", "  unsigned r", "race"),
        ("from[l][j] = x[l * 8 + j]", "if (l < 30) from[l][j] = x[l * 8 + j]", "uninitialised"),
        ("shared(from[l])", "shared(from[l] + 2 * (l == 3))", "misaligned"),
        ("shared(from[l])", "shared(from[l + (l == 31)])", "out-of-bounds"),
        ("shared(from[l])", "shared(x)", "out-of-bounds"),
        ("shared(to[l])", "shared(to[l - 4 * (l == 31)])", "race"),
        ("  asm volatile(\"ldmatrix", "  if (l < 16) asm volatile(\"ldmatrix", "divergent-barrier"),
        ("  __syncwarp();\n  for", "  for", "race"),
    ],
)  # fmt: skip
def test_mistakes_with_matrices_are_found(
    old: str, new: str, kind: str, programs: Callable[..., Program]
) -> None:
    text = moved_text(4, False)
    assert text.count(old) == 1
    arrays = [np.zeros(256, np.uint16), np.zeros(128, np.uint32), np.zeros(256, np.uint16)]
    report = programs(text.replace(old, new), True).launch("f", 1, 32, arrays)
    assert kind in {finding.kind for finding in report.findings}
    assert programs(text, True).launch("f", 1, 32, arrays).findings == ()


def test_uninitialised_registers_are_found(programs: Callable[..., Program]) -> None:
    text = product_text("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", (4, 2, 1), ("f32", "f16"))
    text = text.replace('"f"(C[l * 4 + 0])', '"f"(d[0])')
    arrays = [
        *(np.zeros(size, np.uint32) for size in (64, 32)),
        *(np.zeros(128, np.float32) for _ in range(2)),
    ]
    (finding,) = programs(text, True).launch("f", 1, 32, arrays).findings
    assert finding.kind == "uninitialised" and "local array" in finding.message


def test_an_architecture_must_have_the_instruction(cache: Any) -> None:
    text = product_text("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", (4, 4, 2), ("f32", "f16"))
    assert build(text, cache=cache, arch=ARCHITECTURES["sm_80"])
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=cache, arch=ARCHITECTURES["sm_75"])
    assert "expected sm_80 or newer for `mma.sync.aligned.m16n8k16" in caught.value.diagnostic.title
    assert caught.value.lines[0][0] == 4
    wgmma = '__global__ void f() {\n  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");\n}'
    for arch in ("sm_90", "sm_90a"):
        assert build(wgmma, cache=cache, arch=ARCHITECTURES[arch])
    with pytest.raises(SimulatorError) as caught:
        build(wgmma, cache=cache, arch=ARCHITECTURES["sm_100a"])
    assert "expected sm_90 or older for `wgmma.fence.sync.aligned`" in caught.value.diagnostic.title
