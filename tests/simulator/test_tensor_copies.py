"""Copies of boxes of tensors: dimensions, swizzles, bounds and strides, compared with numpy; mistakes; rejected
maps.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, build, tensor_map
from tests.examples import some
from tests.simulator.mutation import numbered, side_by_side
from tests.simulator.samples import samples

MOVED = """
extern "C" __global__ void move{rank}(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                                      unsigned* y, const int* at, int words) {{
  extern __shared__ __align__(1024) unsigned box[];
  __shared__ unsigned long long bar;
  unsigned b = (unsigned)__cvta_generic_to_shared(box), m = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async.shared::cta;" :: "r"(m) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(m), "r"(4 * words) : "memory");
  asm volatile("cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {{{at}}}], [%2];" :: "r"(b), "l"(&from), "r"(m), {values} : "memory");
  asm volatile("{{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }}"
               :: "r"(m) : "memory");
  for (int i = 0; i < words; i++) y[i] = box[i];
  asm volatile("cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group [%0, {{{at_of_store}}}], [%1];"
               :: "l"(&to), "r"(b), {values} : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}}
"""


def moved(rank: int) -> str:
    names = ", ".join(f"%{3 + d}" for d in range(rank))
    names_of_store = ", ".join(f"%{2 + d}" for d in range(rank))
    values = ", ".join(f'"r"(at[{d}])' for d in range(rank))
    return MOVED.format(rank=rank, at=names, at_of_store=names_of_store, values=values)


ALL_MOVED = "#include <cuda.h>\n" + "".join(moved(rank) for rank in range(1, 6))
#: sizes, box, steps and coordinates, all from the innermost dimension; type of elements, and swizzle
BOXES: list[Any] = [
    ((40,), (16,), (1,), (0,), np.float32, 0),
    ((40,), (16,), (1,), (32,), np.float32, 0),
    ((40,), (16,), (1,), (-7,), np.float32, 0),
    ((40,), (16,), (2,), (3,), np.float32, 0),
    ((32, 20), (8, 16), (1, 1), (4, 5), np.float32, 32),
    ((64, 20), (32, 8), (1, 1), (40, 16), np.float16, 64),
    ((96, 9), (64, 8), (1, 1), (48, -3), np.float16, 128),
    ((32, 9), (16, 6), (1, 2), (-4, 1), np.uint8, 0),
    ((16, 5, 6), (8, 3, 4), (1, 1, 1), (2, 3, 4), np.int32, 32),
    ((16, 5, 6), (8, 3, 4), (1, 1, 3), (2, -1, 0), np.float64, 64),
    ((8, 3, 4, 3), (4, 2, 3, 2), (1, 1, 1, 1), (-1, 2, 2, -1), np.int64, 0),
    ((8, 3, 2, 3, 2), (4, 2, 2, 2, 2), (1, 1, 1, 1, 1), (6, 1, -1, 2, 1), np.int32, 0),
]


def in_box(x: Any, box: Any, steps: Any, at: Any) -> list[tuple[int, ...] | None]:
    """The index in the array of each element of a box, in order, or None outside of it."""
    counts = [-(-b // s) for b, s in zip(box, steps, strict=True)]
    places = []
    for number in product(*(range(n) for n in reversed(counts))):
        index = tuple(a + i * s for a, i, s in zip(reversed(at), number, reversed(steps), strict=True))
        inside = all(0 <= i < n for i, n in zip(index, x.shape, strict=True))
        places.append(index if inside else None)
    return places


@pytest.mark.parametrize(("sizes", "box", "steps", "at", "dtype", "swizzle"), some(BOXES, 2))
def test_boxes_agree_with_numpy(
    sizes: Any, box: Any, steps: Any, at: Any, dtype: Any, swizzle: int, programs: Callable[..., Program]
) -> None:
    x = (1 + np.arange(np.prod(sizes)) % 200).astype(dtype).reshape(tuple(reversed(sizes)))
    places = in_box(x, box, steps, at)
    flat = np.array([0 if one is None else x[one] for one in places], dtype)
    pieces = flat.view(np.uint32).reshape(-1, 4)
    rows = np.arange(len(pieces)) // 8 % (swizzle // 16 or 1)
    expected = np.empty_like(pieces)
    expected[np.arange(len(pieces)) ^ rows] = pieces
    stored = np.zeros_like(x)
    for place in filter(None, places):
        stored[place] = x[place]
    for check in (False, True):
        y, z = np.zeros(expected.size, np.uint32), np.zeros_like(x)
        maps = [tensor_map(one, box, element_strides=steps, swizzle=swizzle) for one in (x, z)]
        arguments = [*maps, y, np.array(at, np.int32), np.int32(y.size)]
        report = programs(ALL_MOVED, check).launch(
            f"move{len(sizes)}", 1, 1, arguments, dynamic_shared=y.nbytes
        )
        assert report.findings == ()
        np.testing.assert_array_equal(y, expected.reshape(-1))
        np.testing.assert_array_equal(z, stored)


CASE = next(case for case in samples() if case.kernel == "transposed_by_maps")
#: the change of the transposition, and the finding; None if only the result is wrong
MISTAKES = [
    ("row ^ (column % 8 * 4)", "row", None),
    ("row ^ (column % 8 * 4)", "row ^ (column % 4 * 4)", None),
    ('"r"(32 * blockIdx.y), "r"(32 * blockIdx.x)', '"r"(32 * blockIdx.x), "r"(32 * blockIdx.y)', None),
    ("], 4096;", "], 4092;", "bad-barrier"),
    ("], 4096;", "], 8192;", "deadlock"),
    ("[%0], 0;\\n\\t@!p", "[%0], 1;\\n\\t@!p", "in-flight"),
    ('asm volatile("fence.proxy.async.shared::cta;" ::: "memory");', "", "proxy"),
    ('asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");', "", "proxy"),
    ("  __syncthreads();\n  if", "  if", "race"),
    ("wait_group.read 0", "wait_group.read 1", "not-waited"),
    ("__align__(128) float turned[32][32]", "__align__(64) float turned[33][32]", "misaligned"),
    ('"r"(address(turned)),', '"r"(address(turned) + 16),', "misaligned"),
    ("float turned[32][32]", "float turned[31][32]", "out-of-bounds"),
]  # fmt: skip


INCLUDE = "#include <cuda.h>\n"
ALL_CHANGED = INCLUDE + "".join(
    side_by_side(CASE.kernel, number, CASE.text().replace(INCLUDE, "\n").replace(old, new))
    for number, (old, new, _) in enumerate(MISTAKES)
)


@pytest.mark.parametrize("number", some(range(len(MISTAKES)), 2))
def test_one_mistake_is_found(number: int, programs: Callable[..., Program]) -> None:
    old, _, kind = MISTAKES[number]
    assert old in CASE.text()
    case = replace(CASE, kernel=numbered(CASE.kernel, number))
    report, result = case.launch(programs(ALL_CHANGED, True), "ascending")
    if kind is None:
        assert report.findings == () and not CASE.is_expected(result)
    else:
        assert kind in {finding.kind for finding in report.findings}, str(report)


def test_a_map_of_a_tensor_that_is_larger_than_its_array_is_found(programs: Callable[..., Program]) -> None:
    x, y = np.ones((8, 32), np.float32), np.zeros(512, np.uint32)
    beyond = tensor_map(x, (32, 16), sizes=(32, 16), strides=(128,))
    arguments = [beyond, beyond, y, np.zeros(2, np.int32), np.int32(512)]
    report = programs(ALL_MOVED, True).launch("move2", 1, 1, arguments, dynamic_shared=2048)
    assert [finding.kind for finding in report.findings] == ["out-of-bounds"]
    assert "from/to" in report.findings[0].message


REFUSED: list[Any] = [
    ({"box": (32,)}, "expected 2 numbers for `box` of a tensor map, found (32,)"),
    ({"box": (300, 8)}, "expected sizes from 1 to 256 for `box`"),
    ({"box": (6, 8)}, "expected a row of a multiple of 16 bytes for `box` of a tensor map, found 24 bytes"),
    ({"box": (32, 8), "swizzle": 64}, "expected a row of at most the 64 bytes that are swizzled for `box`"),
    ({"box": (32, 8), "swizzle": 16}, "expected 0, 32, 64 or 128 for `swizzle` of a tensor map, found 16"),
    ({"box": (32, 8), "sizes": (30, 8)}, "expected multiples of 16 bytes below 2^40 for `strides`"),
    ({"box": (32, 8), "strides": ()}, "expected 1 numbers for `strides`"),
    ({"box": (32, 8), "element_strides": (9, 1)}, "expected strides from 1 to 8 for `element_strides`"),
    ({"box": (1,) * 6, "sizes": (1,) * 6}, "expected one to five dimensions for `sizes`"),
    ({"box": (1, 1), "array": np.zeros((2, 2), complex)}, "expected a contiguous array of uint8,"),
]


@pytest.mark.parametrize(("changes", "said"), REFUSED)
def test_maps_that_cuda_does_not_accept_are_rejected(changes: dict[str, Any], said: str) -> None:
    given = {"array": np.zeros((16, 64), np.float32), "box": (32, 8), **changes}
    with pytest.raises(SimulatorError) as caught:
        tensor_map(given.pop("array"), given.pop("box"), **given)
    assert said in caught.value.diagnostic.title


def test_other_ranks_and_other_bytes_are_not_maps(programs: Callable[..., Program]) -> None:
    x, y = np.ones((8, 32), np.float32), np.zeros(512, np.uint32)
    one = tensor_map(x, (32, 16))
    arguments = [one, one, y, np.zeros(3, np.int32), np.int32(512)]
    report = programs(ALL_MOVED, True).launch("move3", 1, 1, arguments, dynamic_shared=2048)
    assert [finding.kind for finding in report.findings] == ["bad-copy"]
    with pytest.raises(SimulatorError):
        programs(ALL_MOVED, True).launch("move2", 1, 1, [x, *arguments[1:]])


def test_reductions_by_maps_and_in_bulk(tmp_path: Any) -> None:
    text = """#include <cuda.h>
    extern "C" __global__ void f(const __grid_constant__ CUtensorMap to, int* least, unsigned long long* bits) {
      __shared__ __align__(128) int box[32];
      __shared__ __align__(16) unsigned long long words[2];
      for (int i = 0; i < 32; i++) box[i] = 10 - i;
      words[0] = words[1] = blockIdx.x + 1;
      unsigned b = (unsigned)__cvta_generic_to_shared(box), w = (unsigned)__cvta_generic_to_shared(words);
      asm volatile("fence.proxy.async;" ::: "memory");
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {-2, %2}], [%1];"
                   :: "l"(&to), "r"(b), "r"(0) : "memory");
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%0], [%1], 128;"
                   :: "l"(least), "r"(b) : "memory");
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [%0], [%1], 16;"
                   :: "l"(bits), "r"(w) : "memory");
      asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
    }"""
    for check in (False, True):
        x, least, bits = np.ones((5, 8), np.int32), np.zeros(32, np.int32), np.zeros(2, np.uint64)
        program = build(text, check, cache=tmp_path)
        report = program.launch("f", 4, 1, [tensor_map(x, (8, 4)), least, bits])
        assert report.findings == ()
        box = (10 - np.arange(32)).reshape(4, 8)
        expected = np.ones((5, 8), np.int32)
        expected[:4, :6] += 4 * box[:, 2:]
        np.testing.assert_array_equal(x, expected)
        np.testing.assert_array_equal(least, np.minimum(0, box.reshape(-1)))
        assert bits.tolist() == [1 ^ 2 ^ 3 ^ 4] * 2
