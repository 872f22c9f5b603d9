"""Products of warpgroups (`wgmma`), registers, and clusters of one block: layouts compared with numpy, and mistakes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import in_turns, some
from tests.simulator.asynchronous_samples import asynchronous_samples
from tests.simulator.element_types import DTYPES
from tests.simulator.mutation import numbered, only, side_by_side

WIDTHS = {0: 16, 3: 32, 2: 64, 1: 128}  # bytes of a row, by the number of the layout in a descriptor


SUMS = {"f32": ("float", "f", 1), "f16": ("unsigned", "r", 2), "s32": ("int", "r", 1)}


@dataclass(frozen=True)
class Kind:
    """The columns and the types of a product; `across` says which factors are transposed, if they may be."""

    n: int
    d: str
    a: str
    b: str
    across: tuple[int, int] = (0, 0)
    in_registers: bool = False
    end: str = ""

    @property
    def size(self) -> int:
        return int(np.dtype(DTYPES[self.a]).itemsize)

    @property
    def name(self) -> str:
        left = "r" if self.in_registers else self.across[0]
        return f"f{self.n}_{self.d}_{self.a}_{self.b}_{left}{self.across[1]}{self.end[1:]}"

    @property
    def numbers(self) -> tuple[Any, Any]:
        """Random integer factors: the left one, and the right one by its columns."""
        random = np.random.default_rng(self.n)
        low = 0 if "u8" in (self.a, self.b) else -3
        k = 32 // self.size
        return tuple(
            random.integers(low, 4, (rows, k)).astype(DTYPES[t])
            for rows, t in ((64, self.a), (self.n, self.b))
        )

    def text(self) -> str:
        """A kernel that computes with its arguments: an image of shared memory, descriptors, registers."""
        c, letter, per_register = SUMS[self.d]
        count = self.n // 2 // per_register
        sums = ", ".join(f'"+{letter}"(d[{i}])' for i in range(count))
        names = ", ".join(f"%{i}" for i in range(count))
        left = f"{{{', '.join(f'%{count + i}' for i in range(4))}}}" if self.in_registers else f"%{count}"
        lefts = ", ".join(f'"r"(left[{i}])' for i in range(4)) if self.in_registers else '"l"(a + at)'
        right = count + (4 if self.in_registers else 1)
        words = [] if self.d == "s32" else ["1", "1"]
        words += [str(one) for one in self.across[self.in_registers :]] if self.size == 2 else []
        rest = "".join(f", {word}" for word in words)
        return f"""
extern "C" __global__ void {self.name}(const unsigned* image, int words, unsigned long long a, unsigned long long b,
                                       const unsigned* lefts, {c}* y) {{
  extern __shared__ __align__(1024) unsigned shared[];
  for (int i = threadIdx.x; i < words; i += 128) shared[i] = image[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned long long at = (unsigned)__cvta_generic_to_shared(shared) >> 4 & 0x3fff;
  unsigned left[4];
  for (int i = 0; i < 4; i++) left[i] = lefts[4 * threadIdx.x + i];
  {c} d[{count}];
  for (int i = 0; i < {count}; i++) d[i] = y[threadIdx.x * {count} + i];
  asm volatile("wgmma.fence.sync.aligned;\\n\\t"
               "wgmma.mma_async.sync.aligned.m64n{self.n}k{32 // self.size}{self.end}.{self.d}.{self.a}.{self.b} "
               "{{{names}}}, {left}, %{right}, 1{rest};\\n\\t"
               "wgmma.commit_group.sync.aligned;" : {sums} : {lefts}, "l"(b + at));
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < {count}; i++) y[threadIdx.x * {count} + i] = d[i];
}}"""


KINDS = [
    Kind(16, "f32", "f16", "f16"),
    Kind(16, "f32", "f16", "f16", (0, 1)),
    Kind(16, "f32", "f16", "f16", (1, 0)),
    Kind(64, "f16", "f16", "f16", (1, 1)),
    Kind(256, "f32", "bf16", "bf16", (0, 1)),
    Kind(8, "f32", "tf32", "tf32"),
    Kind(40, "f32", "e4m3", "e5m2"),
    Kind(16, "f16", "e5m2", "e4m3"),
    Kind(24, "s32", "s8", "u8"),
    Kind(16, "s32", "u8", "s8", end=".satfinite"),
    Kind(16, "f16", "f16", "f16", (0, 1), True),
    Kind(16, "f32", "tf32", "tf32", in_registers=True),
    Kind(8, "f32", "e4m3", "e4m3", in_registers=True),
    Kind(8, "s32", "s8", "s8", in_registers=True),
]
ALL_PRODUCTS = "".join(kind.text() for kind in KINDS)


def place(row: int, k: int, size: int, layout: int, across: int, strides: tuple[int, int]) -> int:
    """The byte offset of a number in a factor: parts of 8 rows, each as wide as the swizzle."""
    leading, stride = strides
    first, along = (k, row) if across else (row, k)
    width = WIDTHS[layout]
    part, inner = divmod(size * along, width)
    apart = part * leading + first // 8 * stride
    if layout == 0 and across:
        apart = part * stride + first // 8 * leading
    byte = apart + first % 8 * width + inner
    return byte ^ (byte // 128 % 8 & width // 16 - 1) * 16 if layout else byte


def strides_of(rows: int, layout: int, across: int) -> tuple[int, int]:
    """The leading stride and the other one, for contiguous parts."""
    width = WIDTHS[layout]
    parts = (2 * rows if across else 32) // width or 1
    if layout == 0:
        return (128 * (rows // 8), 128) if across else (128, 128 * parts)
    return 8 * width * 2, 8 * width


def in_registers(left: Any) -> Any:
    """What the threads of a warpgroup hold of the left factor: rows of four bytes, for quads of lanes."""
    held = (
        np.ascontiguousarray(left).view(np.uint32).reshape(4, 2, 8, 2, 4)
    )  # warp, half, row, half of k, lane
    return held.transpose(0, 2, 4, 3, 1).reshape(128, 4).copy()


@pytest.mark.parametrize(("layout", "kind"), in_turns(WIDTHS, KINDS))
def test_factors_are_read_as_descriptors_describe(
    kind: Kind, layout: int, programs: Callable[..., Program]
) -> None:
    a, b = kind.numbers
    image = np.zeros(64 * 1024, np.uint8)
    descriptors = []
    for number, factors in enumerate((a, b)):
        base, strides = 16 * 1024 * number, strides_of(len(factors), layout, kind.across[number])
        for row, numbers in enumerate(factors):
            for k, one in enumerate(numbers):
                at = base + place(row, k, kind.size, layout, kind.across[number], strides)
                image[at : at + kind.size] = np.frombuffer(one.tobytes(), np.uint8)
        leading, stride = strides
        descriptors.append(base >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | layout << 62)
    words = image.view(np.uint32)
    wide = np.int64 if kind.d == "s32" else np.float32
    before = np.random.default_rng(1).integers(-9, 10, 64 * kind.n).astype(DTYPES[kind.d])
    if kind.end:
        before[:] = 2**31 - 5
    for check in (False, True):
        y = before.view(np.uint32 if kind.d == "f16" else before.dtype).copy()
        arguments = [words, np.int32(words.size), *map(np.uint64, descriptors), in_registers(a), y]
        program = programs(ALL_PRODUCTS, check)
        report = program.launch(kind.name, 1, 128, arguments, dynamic_shared=image.nbytes)
        assert report.findings == ()
        held, start = (
            one.view(DTYPES[kind.d])
            .reshape(4, 8, 4, kind.n // 8, 2, 2)
            .transpose(0, 4, 1, 3, 2, 5)
            .reshape(64, kind.n)
            for one in (y, before)
        )
        expected = start.astype(wide) + a.astype(wide) @ b.astype(wide).T
        if kind.end:
            assert (expected > 2**31 - 1).any()
            expected = np.minimum(expected, 2**31 - 1)
        np.testing.assert_array_equal(held.astype(wide), expected)


CASES = {case.kernel: case for case in asynchronous_samples()}
TILES, REGISTERS = "product_of_a_warpgroup", "left_factor_in_registers"
#: the kernel, the change, and the finding; None if only the result is wrong
MISTAKES = [
    (TILES, "    fence();\n", "", "bad-operand"),
    (TILES, "    commit();\n", "", "in-flight"),
    (TILES, "wait_but<0>();", "wait_but<1>();", "in-flight"),
    (TILES, "wait_but<0>();\n    __syncthreads();", "wait_but<0>();", "in-flight"),
    (TILES, "    wait(&full[step % 2], step / 2 & 1);\n", "", "in-flight"),
    (TILES, "step / 2 & 1);\n    fence", "(step / 2 & 1) ^ 1);\n    fence", "in-flight"),
    (TILES, "0, 1024, 1)", "0, 1024, 2)", "bad-operand"),
    (TILES, "0, 1024, 1)", "0, 1024, 3)", "bad-operand"),
    (TILES, "0, 1024, 1)", "0, 1024, 0)", "bad-operand"),
    (TILES, "0, 256, 3)", "0, 128, 3)", None),
    (TILES, "address(as[step % 2]) + 32 * i", "address(as[step % 2]) + 64 * i", "out-of-bounds"),
    (TILES, "multiply<1>(", "multiply<0>(", None),
    (TILES, "step + i);", "i);", None),
    (TILES, "step + i);", "1);", "uninitialised"),
    (TILES, '"r"(80 * 64 * 2)', '"r"(80 * 64)', "bad-barrier"),
    (TILES, "address(as[step % 2]) + 32 * i, 0", "0x3ff00, 0", "bad-operand"),
    (REGISTERS, 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");', "", "proxy"),
    (REGISTERS, '  fence();\n  for (int which', '  for (int which', "bad-operand"),
    (REGISTERS, "wait_but<1>();\n", "", "in-flight"),
    (REGISTERS, "wait_but<1>();\n  float first = 0;", "float first = d[1][0];\n  wait_but<1>();", "in-flight"),
    (REGISTERS, "wait_but<1>();\n", "d[1][2] = 0;\n  wait_but<1>();\n", "in-flight"),
    (REGISTERS, "    commit();\n", "", "in-flight"),
    (REGISTERS, "d[0][i] = d[1][i] = i;", "d[0][i] = i;", "uninitialised"),
    (REGISTERS, "  wait_but<0>();\n", "  d[0][1] = 1; wait_but<0>();\n", None),
    (REGISTERS, "p, 1, -1, 0;", "p, 1, 2, 0;", "bad-operand"),
    (REGISTERS, "128, 256, 0)", "256, 128, 0)", None),
    (REGISTERS, "    commit();\n  }", "    commit();\n    if (warp == 3) break;\n  }", "bad-operand"),
]  # fmt: skip
INCLUDE = "#include <cuda.h>\n"


def changed(kernel: str, old: str, new: str) -> str:
    text = CASES[kernel].text().replace(INCLUDE, "\n")
    place = text.find(old, text.index(f"{kernel}("))
    assert place >= 0
    return only(text[:place] + new + text[place + len(old) :], kernel)


ALL_CHANGED = INCLUDE + "".join(
    side_by_side(one[0], number, changed(*one[:3])).replace(f" {one[0]}(", f" {one[0]}_{number}(")
    for number, one in enumerate(MISTAKES)
)


@pytest.mark.parametrize("number", some(range(len(MISTAKES)), 5))
def test_one_mistake_is_found(number: int, programs: Callable[..., Program]) -> None:
    kernel, _, _, kind = MISTAKES[number]
    case = replace(CASES[kernel], kernel=numbered(kernel, number))
    report, _ = case.launch(programs(ALL_CHANGED, True), "ascending", seconds=5)
    if kind is None:
        assert report.findings == ()
    else:
        assert kind in {finding.kind for finding in report.findings}, str(report)


CLUSTER = """extern "C" __global__ void f(int* y) {
  __shared__ int part[64];
  unsigned remote, rank, blocks, at = (unsigned)__cvta_generic_to_shared(&part[63 - threadIdx.x]);
  part[threadIdx.x] = 3 * threadIdx.x;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%cluster_nctarank;" : "=r"(rank), "=r"(blocks));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(at), "r"(rank));
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  int held;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(held) : "r"(remote) : "memory");
  asm volatile("griddepcontrol.wait; setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.launch_dependents;");
  y[threadIdx.x] = held + 1000 * (int)blocks;
}
"""


def test_clusters_of_one_block_and_registers(programs: Callable[..., Program]) -> None:
    for check in (False, True):
        y = np.zeros(64, np.int32)
        assert programs(CLUSTER, check).launch("f", 1, 64, [y]).findings == ()
        assert y.tolist() == (1000 + 3 * np.arange(64)[::-1]).tolist()


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    some(
        [
            (".wait.acquire.aligned", ".arrive.aligned", "bad-barrier"),
            (".arrive.release.aligned", ".wait.aligned", "bad-barrier"),
            (".arrive.release", ".arrive.relaxed", "race"),
            (
                'asm volatile("barrier.cluster.arrive',
                'if (threadIdx.x) asm volatile("barrier.cluster.arrive',
                "bad-barrier",
            ),
            ('"r"(rank)', '"r"(rank + 1)', "bad-operand"),
            ("u32 40;", "u32 44;", "bad-operand"),
            ("u32 40;", "u32 40; setmaxnreg.inc.sync.aligned.u32 32;", "bad-operand"),
            ("u32 40;", "u32 40; setmaxnreg.dec.sync.aligned.u32 48;", "bad-operand"),
        ],
        2,
    ),
)
def test_mistakes_with_clusters_and_registers_are_found(
    old: str, new: str, kind: str, programs: Callable[..., Program]
) -> None:
    assert old in CLUSTER
    report = programs(CLUSTER.replace(old, new), True).launch("f", 1, 64, [np.zeros(64, np.int32)])
    assert kind in {finding.kind for finding in report.findings}, str(report)


def test_the_registers_of_all_warps_are_limited(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* y) {
      if (threadIdx.x < 128) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
      else asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
      y[threadIdx.x] = 1;
    }"""
    program = programs(text, True)
    assert program.launch("f", 1, 384, [np.zeros(384, np.int32)]).findings == ()
    (finding,) = program.launch("f", 1, 512, [np.zeros(512, np.int32)]).findings
    assert finding.kind == "bad-operand" and "request 95232 registers" in finding.message


def test_each_block_begins_with_the_registers_that_were_compiled(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* y) {
      asm volatile("setmaxnreg.inc.sync.aligned.u32 48; setmaxnreg.inc.sync.aligned.u32 64;");
      y[32 * blockIdx.x + threadIdx.x] = 1;
    }"""
    assert programs(text, True).launch("f", 3, 32, [np.zeros(96, np.int32)]).findings == ()
