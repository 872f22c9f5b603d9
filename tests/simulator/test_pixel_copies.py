"""Copies of pixels for convolutions (`im2col`): dimensions, corners, offsets, steps and swizzles, compared with
numpy.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, im2col_map, tensor_map

MOVED = """
extern "C" __global__ void move{rank}(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                                      unsigned* y, const int* at, const int* offsets, int words) {{
  extern __shared__ __align__(1024) unsigned box[];
  __shared__ unsigned long long bar;
  unsigned b = (unsigned)__cvta_generic_to_shared(box), m = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async.shared::cta;" :: "r"(m) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(m), "r"(4 * words) : "memory");
  asm volatile("cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
               "[%0], [%1, {{{at}}}], [%2], {{{offsets}}};"
               :: "r"(b), "l"(&from), "r"(m), {values}, {halves} : "memory");
  asm volatile("{{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }}"
               :: "r"(m) : "memory");
  for (int i = 0; i < words; i++) y[i] = box[i];
  asm volatile("cp.async.bulk.tensor.{rank}d.global.shared::cta.im2col_no_offs.bulk_group "
               "[%0, {{{at_of_store}}}], [%1];"
               :: "l"(&to), "r"(b), {values} : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}}
"""


def moved(rank: int) -> str:
    def names(start: int, count: int) -> str:
        return ", ".join(f"%{start + i}" for i in range(count))

    return MOVED.format(
        rank=rank,
        at=names(3, rank),
        at_of_store=names(2, rank),
        offsets=names(3 + rank, rank - 2),
        values=", ".join(f'"r"(at[{d}])' for d in range(rank)),
        halves=", ".join(f'"h"((unsigned short)offsets[{d}])' for d in range(rank - 2)),
    )


TEXT = "#include <cuda.h>\n" + "".join(moved(rank) for rank in range(3, 6))
#: sizes, channels, pixels, lower and upper corner, steps, coordinates, offsets, all from the innermost dimension; type,
#: swizzle
PIXELS: list[Any] = [
    ((16, 9, 3), 8, 12, (0,), (0,), (1, 1, 1), (4, 2, 0), (0,), np.float32, 0),
    ((16, 9, 3), 8, 14, (-1,), (-1,), (1, 1, 1), (8, -1, 1), (2,), np.float32, 32),
    ((8, 6, 5, 2), 8, 40, (-1, -1), (-1, -1), (1, 1, 1, 1), (0, -1, -1, 0), (1, 2), np.float16, 0),
    ((32, 6, 5, 2), 32, 16, (0, 0), (-2, -2), (1, 1, 1, 1), (0, 1, 2, 0), (2, 0), np.float16, 64),
    ((64, 7, 7, 2), 64, 18, (-1, -1), (1, 0), (1, 2, 2, 1), (0, -1, 1, 1), (1, 1), np.float16, 128),
    (
        (16, 4, 3, 2, 2),
        16,
        30,
        (-1, 0, 0),
        (0, 0, -1),
        (1, 1, 1, 1, 1),
        (0, 2, 1, 0, 0),
        (1, 0, 1),
        np.int32,
        0,
    ),
    ((12, 5, 4), 12, 9, (0,), (0,), (1, 3, 1), (8, 0, 0), (0,), np.int32, 0),
]


def places(case: Any, with_offsets: bool) -> list[tuple[int, ...] | None]:
    """The index in the array of each number of a copy, in order, or None outside of it."""
    sizes, channels, pixels, lower, upper, steps, at, offsets, _, _ = case
    space = len(lower)
    ranges = [
        range(lo, size + up, step)
        for lo, size, up, step in zip(lower, sizes[1:], upper, steps[1:], strict=False)
    ]
    boxes = [
        pixel[::-1]
        for image in range(at[-1], at[-1] + pixels)
        for pixel in ((image, *rest) for rest in product(*reversed(ranges)))
    ]
    start = boxes.index(tuple(at[1:]))
    found = []
    for pixel in boxes[start : start + pixels]:
        moved = [x + (offsets[d] if with_offsets and d < space else 0) for d, x in enumerate(pixel)]
        for channel in range(at[0], at[0] + channels):
            index = (channel, *moved)
            inside = all(0 <= x < size for x, size in zip(index, sizes, strict=True))
            found.append(index[::-1] if inside else None)
    return found


@pytest.mark.parametrize("number", range(len(PIXELS)))
def test_pixels_agree_with_numpy(number: int, programs: Callable[..., Program]) -> None:
    sizes, channels, pixels, lower, upper, steps, at, offsets, dtype, swizzle = PIXELS[number]
    x = (1 + np.arange(np.prod(sizes)) % 200).astype(dtype).reshape(tuple(reversed(sizes)))
    numbers = np.array([0 if one is None else x[one] for one in places(PIXELS[number], True)], dtype)
    pieces = numbers.view(np.uint32).reshape(-1, 4)
    rows = np.arange(len(pieces)) // 8 % (swizzle // 16 or 1)
    expected = np.empty_like(pieces)
    expected[np.arange(len(pieces)) ^ rows] = pieces
    stored = np.zeros_like(x)
    for place, one in zip(places(PIXELS[number], False), numbers, strict=True):
        if place is not None:
            stored[place] = one
    assert (numbers == 0).any() or not any(offsets)
    for check in (False, True):
        y, z = np.zeros(expected.size, np.uint32), np.zeros_like(x)
        maps = [
            im2col_map(one, channels, pixels, lower, upper, swizzle=swizzle, element_strides=steps)
            for one in (x, z)
        ]
        arguments = [*maps, y, np.array(at, np.int32), np.array(offsets, np.int32), np.int32(y.size)]
        name = f"move{len(sizes)}"
        report = programs(TEXT, check).launch(name, 1, 1, arguments, dynamic_shared=y.nbytes)
        assert report.findings == ()
        np.testing.assert_array_equal(y, expected.reshape(-1))
        np.testing.assert_array_equal(z, stored)


def test_maps_of_boxes_and_of_pixels_are_distinguished(programs: Callable[..., Program]) -> None:
    x, y = np.ones((2, 8, 16), np.float32), np.zeros(64, np.uint32)
    numbers = [y, np.zeros(3, np.int32), np.zeros(1, np.int32), np.int32(64)]
    boxes, pixels = tensor_map(x, (16, 4, 1)), im2col_map(x, 16, 4, (0,), (0,))
    for maps, said in (([boxes, pixels], "found one of boxes"), ([pixels, boxes], "found one of boxes")):
        report = programs(TEXT, True).launch("move3", 1, 1, [*maps, *numbers], dynamic_shared=256)
        (finding,) = report.findings
        assert finding.kind == "bad-copy" and said in finding.message


REFUSED: list[Any] = [
    ({"array": np.zeros((4, 16), np.float32), "lower": (), "upper": ()}, "expected three to five dimensions"),
    ({"lower": (0,)}, "expected 1 numbers, as for `lower` for `upper`"),
    ({"lower": (0,), "upper": (0,)}, "expected 2 numbers for `lower`"),
    ({"lower": (-129, 0)}, "expected corners from -128 to 127"),
    ({"channels": 300}, "expected 1 to 256 for `channels`"),
    ({"pixels": 2000}, "expected 1 to 1024 for `pixels`"),
    ({"channels": 6}, "expected a row of a multiple of 16 bytes"),
    ({"swizzle": 32}, "expected a row of at most the 32 bytes"),
    ({"element_strides": (1, 9, 1, 1)}, "expected strides from 1 to 8"),
]


@pytest.mark.parametrize(("changes", "said"), REFUSED)
def test_maps_that_cuda_does_not_accept_are_rejected(changes: dict[str, Any], said: str) -> None:
    given = {
        "array": np.zeros((2, 6, 5, 16), np.float32),
        "channels": 16,
        "pixels": 8,
        "lower": (-1, -1),
        "upper": (0, 0),
        **changes,
    }
    with pytest.raises(SimulatorError) as caught:
        im2col_map(**given)
    assert said in caught.value.diagnostic.title
