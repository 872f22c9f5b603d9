"""Launches of correct kernels that are restatements of well-known samples, with expected results by numpy.

One subject: the table of the corpus, with an entry for each kernel of `kernels/samples` and of the files that other
tests mutate by hand. All use integers, so that results are exact.
"""

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

from tests.simulator.asynchronous_samples import asynchronous_samples
from tests.simulator.corpus import Case, cases

RANDOM = np.random.default_rng(11)
WORDS = RANDOM.integers(-9, 10, 1000).astype(np.int32)
BYTES = RANDOM.integers(0, 256, 3000).astype(np.uint8)
SMALL = 64


def i32(*values: int) -> list[Any]:
    return [np.int32(value) for value in values]


def zeros(count: int, dtype: Any = np.int32) -> Any:
    return np.zeros(count, dtype)


def samples() -> list[Case]:
    """All correct kernels."""
    return [*cases(), *_waiting(), *_reductions(), *_scans(), *_transposes(), *_histograms(), *_sorts(), *_stencils(),
            *_products(), *_pipelines(), *_tensors(), *_groups(), *_sparse(), *_applications(),
            *asynchronous_samples()]  # fmt: skip


def _waiting() -> Iterator[Case]:
    x = WORDS[:500]
    for file, kernels in (
        ("last_block.cu", ("last_block", "all_threads_fence", "volatile_parts", "last_block_reads_counts")),
        ("lock.cu", ("lock_of_the_grid", "lock_of_a_block", "turns", "handed_over")),
    ):
        for kernel in kernels:
            arguments = [x, zeros(9 * 64), zeros(1), *i32(500)]
            yield Case(file, kernel, (9,), (64,), arguments, 2, np.array([x.sum()]))
    flags = [x, zeros(500), zeros(9), zeros(9), zeros(9), *i32(500)]
    for kernel in ("flags", "warps"):
        yield Case("look_back.cu", kernel, (9,), (64,), flags, 1, np.cumsum(x))
    words = [x, zeros(500), np.zeros(9, np.uint64), *i32(500)]
    yield Case("look_back.cu", "words", (9,), (64,), words, 1, np.cumsum(x))


def _reductions() -> Iterator[Case]:
    blocks = {"first_sum_while_loading": 4, "last_warp_shuffles": 4, "unrolled": 4, "warps_shuffle": 3}
    for kernel in ("interleaved", "strided", "halved", *blocks):
        count = blocks.get(kernel, 8)
        padded = np.zeros(8 * 128, np.int32)
        padded[:1000] = WORDS
        width = 256 if count == 4 else 128
        sums = padded.reshape(-1, width).sum(1) if count != 3 else _sums_in_turn(padded, 128, 3)
        yield Case("reductions.cu", kernel, (count,), (128,), [WORDS, zeros(count), *i32(1000)], 1, sums)
    sums = _sums_in_turn(np.append(WORDS, zeros(24)), 256, 3)
    arguments = [WORDS, zeros(3), *i32(1000)]
    yield Case("reductions.cu", "several_for_each_thread", (3,), (128,), arguments, 1, sums)


def _sums_in_turn(x: Any, width: int, blocks: int) -> Any:
    of_chunks = x.reshape(-1, width).sum(1)
    return np.array([of_chunks[block::blocks].sum() for block in range(blocks)])


def _scans() -> Iterator[Case]:
    x = WORDS[:120]
    for kernel in ("scan_in_two_buffers", "scan_after_zeros"):
        yield Case("samples/scans.cu", kernel, (1,), (128,), [x, zeros(120), *i32(120)], 1, np.cumsum(x))
    x = WORDS[:250]
    before = np.cumsum(x) - x
    yield Case("samples/scans.cu", "scan_in_a_tree", (1,), (128,), [x, zeros(250), *i32(250)], 1, before)
    x = WORDS[:300]
    blocks = np.concatenate([np.cumsum(x[i : i + 128]) for i in range(0, 300, 128)])
    arguments = [x, zeros(300), zeros(3), *i32(300)]
    yield Case("samples/scans.cu", "scan_by_shuffles", (3,), (128,), arguments, 1, blocks)
    sums = np.array([0, 5, 7], np.int32)
    added = blocks + np.repeat(sums, 128)[:300]
    arguments = [sums, blocks.astype(np.int32), *i32(300)]
    yield Case("samples/scans.cu", "add_sums_before", (3,), (128,), arguments, 1, added)


def _transposes() -> Iterator[Case]:
    n = 48
    x = np.arange(n * n, dtype=np.float32).reshape(n, n)
    for kernel in ("copied", "copied_by_shared_memory"):
        yield Case("samples/transposes.cu", kernel, (3, 3), (16, 4), [x, np.zeros_like(x), *i32(n)], 1, x)
    for way in ("at_once", "in_tiles", "in_padded_tiles", "along_diagonals"):
        arguments = [x, np.zeros_like(x), *i32(n)]
        yield Case("samples/transposes.cu", f"transposed_{way}", (3, 3), (16, 4), arguments, 1, x.T)
    yield Case("samples/transposes.cu", "transposed_in_place", (3, 3), (16, 4), [x, *i32(n)], 0, x.T)


def _histograms() -> Iterator[Case]:
    file = "samples/histograms.cu"
    counts = np.bincount(BYTES // 4, minlength=64)
    yield Case(file, "bytes_of_threads", (1,), (64,), [BYTES, zeros(64, np.uint32), *i32(3000)], 1, counts)
    own = BYTES[:2816].reshape(-1, 2, 128)
    parts = np.stack([np.bincount(own[:, block].reshape(-1), minlength=256) for block in range(2)])
    rest = [np.bincount(BYTES[2816:2944], minlength=256), np.bincount(BYTES[2944:], minlength=256)]
    parts = (parts + np.stack(rest)).astype(np.uint32)
    arguments = [BYTES, np.zeros_like(parts), *i32(3000)]
    yield Case(file, "counts_of_warps", (2,), (128,), arguments, 1, parts)
    arguments = [parts, zeros(256, np.uint32), *i32(2)]
    yield Case(file, "merged", (256,), (32,), arguments, 1, parts.sum(0))
    kept = np.zeros(300, np.int32)
    positive = WORDS[:300][WORDS[:300] > 0]
    kept[: len(positive)] = positive
    arguments = [WORDS[:300], zeros(300), zeros(1), *i32(300)]
    yield Case(file, "kept_by_warps", (5,), (64,), arguments, 1, kept, in_any_order=True)


def _sorts() -> Iterator[Case]:
    file = "samples/sorts.cu"
    x = RANDOM.integers(-99, 100, 256).astype(np.int32)
    rows = np.sort(x.reshape(2, 128), axis=1).reshape(-1)
    for kernel in ("bitonic", "odd_even"):
        yield Case(file, kernel, (2,), (64,), [x, zeros(256)], 1, rows)
    step = x.reshape(4, 2, 32).copy()  # neighbours 32 apart, in alternating order
    low, high = step.min(1), step.max(1)
    up = np.array([True, False, True, False])[:, None]
    expected = np.stack([np.where(up, low, high), np.where(up, high, low)], 1).reshape(-1)
    yield Case(file, "bitonic_step", (2,), (64,), [x, *i32(64, 32)], 0, expected)
    halves = np.concatenate([np.sort(x[:64]), np.sort(x[64:128])])
    yield Case(file, "merged_by_ranks", (1,), (128,), [halves, zeros(128)], 1, np.sort(halves))
    bits = RANDOM.integers(0, 64, 128).astype(np.uint32)
    arguments = [bits, zeros(128, np.uint32), *i32(6)]
    yield Case(file, "sorted_by_bits", (1,), (128,), arguments, 1, np.sort(bits))
    numbers = RANDOM.integers(0, 256, 300).astype(np.uint32)
    digits = np.append(numbers >> 4 & 15, np.full(84, 16, np.uint32)).reshape(3, 128)
    counts = np.stack([np.bincount(block, minlength=17)[:16] for block in digits], 1).astype(np.uint32)
    arguments = [numbers, np.zeros_like(counts), *i32(4, 300)]
    yield Case(file, "digits_counted", (3,), (128,), arguments, 1, counts)
    starts = (np.cumsum(counts) - counts.reshape(-1)).astype(np.uint32)
    ordered = numbers[np.argsort(numbers >> 4 & 15, kind="stable")]
    arguments = [numbers, starts, zeros(300, np.uint32), *i32(4, 300)]
    yield Case(file, "digits_scattered", (3,), (128,), arguments, 2, ordered)


def _stencils() -> Iterator[Case]:
    file = "samples/stencils.cu"
    x = RANDOM.integers(-4, 5, (8, 96)).astype(np.float32)
    weights = np.array([1, 2, 3, 4, 3, 2, 1], np.float32)
    rows = np.stack([np.convolve(row, weights, "same") for row in x])
    yield Case(file, "rows_convolved", (2, 4), (64, 2), [x, np.zeros_like(x), *i32(96, 8)], 1, rows)
    tall = RANDOM.integers(-4, 5, (50, 32)).astype(np.float32)
    columns = np.stack([np.convolve(column, weights, "same") for column in tall.T], 1)
    arguments = [tall, np.zeros_like(tall), *i32(32, 50)]
    yield Case(file, "columns_convolved", (2, 2), (16, 8), arguments, 1, columns)
    space = RANDOM.integers(-4, 5, (5, 10, 34)).astype(np.float32)
    after = np.zeros_like(space)
    inner = np.s_[1:-1, 1:-1, 1:-1]
    after[inner] = 2 * space[inner]
    for axis in range(3):
        after[inner] += (np.roll(space, 1, axis) + np.roll(space, -1, axis))[inner]
    arguments = [space, np.zeros_like(space), *i32(32, 8, 3)]
    yield Case(file, "planes", (2, 1), (16, 8), arguments, 1, after)
    windows = np.stack([np.convolve(column, np.ones(7), "same") for column in tall.T], 1)
    arguments = [tall, np.zeros_like(tall), *i32(32, 50)]
    yield Case(file, "windows", (2,), (16,), arguments, 1, windows)
    row = RANDOM.integers(-4, 5, SMALL).astype(np.float32)
    left, haar = row.copy(), np.zeros_like(row)
    while len(left) > 1:
        haar[len(left) // 2 : len(left)] = left[::2] - left[1::2]
        left = left[::2] + left[1::2]
    haar[0] = left[0]
    yield Case(file, "haar", (1,), (32,), [row, np.zeros_like(row)], 1, haar)
    matrix = np.ones((1, 1), np.float32)
    while len(matrix) < SMALL:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    yield Case(file, "walsh", (1,), (32,), [row, np.zeros_like(row)], 1, matrix @ row)
    smooth = RANDOM.integers(-4, 5, 100).astype(np.float32)
    expected = smooth
    for _ in range(4):
        expected = np.convolve(expected, np.array([1, 2, 1], np.float32), "same")
    yield Case(file, "smoothed", (3,), (32,), [smooth, np.zeros_like(smooth), *i32(100, 4)], 0, expected)


def _products() -> Iterator[Case]:
    a, b = RANDOM.integers(-4, 5, (2, SMALL, SMALL)).astype(np.float32)
    for kernel, grid, block in (
        ("an_element_for_each_thread", (4, 4), (16, 16)),
        ("neighbours_in_a_row", (4, 4), (256,)),
        ("tiles_in_shared_memory", (4, 4), (16, 16)),
        ("columns_in_registers", (2, 2), (128,)),
        ("tiles_in_registers", (2, 2), (64,)),
        ("two_buffers", (4, 4), (16, 16)),
    ):
        yield Case(
            "samples/products.cu", kernel, grid, block, [a, b, np.zeros_like(a), *i32(SMALL)], 2, a @ b
        )


def _pipelines() -> Iterator[Case]:
    file = "samples/pipelines.cu"
    a, b = RANDOM.integers(-4, 5, (2, SMALL, SMALL)).astype(np.float32)
    for kernel in ("copied_and_waited_for", "copied_in_stages"):
        yield Case(file, kernel, (4, 4), (16, 16), [a, b, np.zeros_like(a), *i32(SMALL)], 2, a @ b)
    x = RANDOM.integers(-4, 5, 512).astype(np.float32)
    sums = x.reshape(-1, 32).sum(0)
    yield Case(file, "copied_by_others", (1,), (64,), [x, zeros(32, np.float32), *i32(512)], 1, sums)
    padded = np.append(x[:300], np.zeros(20, np.float32)).reshape(-1, 32).sum(0)
    yield Case(file, "own_rings", (1,), (32,), [x[:300].copy(), zeros(32, np.float32), *i32(300)], 1, padded)
    arguments = [x[:128].copy(), zeros(128, np.float32)]
    yield Case(file, "copied_by_instructions", (1,), (32,), arguments, 1, x[:128][::-1])


def _tensors() -> Iterator[Case]:
    file, n = "samples/tensors.cu", 64
    a, b = RANDOM.integers(-4, 5, (2, n, n))
    c, f = (a @ b).astype(np.float32), np.zeros((n, n), np.float32)

    def case(kernel: str, dtype: Any, right: Any, of: Any, tile: int, block: int = 32) -> Case:
        arguments = [a.astype(dtype), right.astype(dtype), np.zeros((n, n), of), *i32(n)]
        return Case(file, kernel, (n // tile, n // tile), (block,), arguments, 2, c.astype(of))

    yield case("of_bfloats", ml_dtypes.bfloat16, b, f.dtype, 16)
    yield case("of_tf32", np.float32, b, f.dtype, 16)
    yield case("of_bytes", np.int8, b.T.copy(), np.int32, 16)
    yield case("of_doubles", np.float64, b.T.copy(), np.float64, 8)
    yield case("copied_ahead", np.float16, b, f.dtype, 32, 128)
    yield case("by_instructions", np.float16, b, f.dtype, 16)
    wide_a, wide_b = RANDOM.integers(-4, 5, (128, 64)), RANDOM.integers(-4, 5, (64, 128))
    arguments = [wide_a.astype(np.float16), wide_b.astype(np.float16), np.zeros((128, 128), np.float32)]
    product = (wide_a @ wide_b).astype(np.float32)
    shared = 3 * 128 * 32 * 2 * 2
    yield Case(
        "mma_swizzled.cu", "product", (1, 1), (128,), [*arguments, *i32(128, 128, 64)], 2, product, shared
    )


def _groups() -> Iterator[Case]:
    file, total = "samples/groups.cu", np.array([WORDS.sum()])
    yield Case(file, "tiles_of_16", (8,), (128,), [WORDS, zeros(1), *i32(1000)], 1, total)
    yield Case(file, "reduced_by_the_library", (3,), (128,), [WORDS, zeros(1), *i32(1000)], 1, total)
    yield Case(file, "all_blocks_meet", (3,), (128,), [WORDS, zeros(3), zeros(1), *i32(1000)], 2, total)
    counts = np.bincount(WORDS[:960] & 1)
    yield Case(file, "odd_and_even", (3,), (64,), [WORDS, zeros(2), *i32(960)], 1, counts)
    fours = np.repeat(WORDS[:256].reshape(-1, 4).sum(1), 4) + np.tile(np.arange(4), 64)
    yield Case(file, "tiles_of_4_meet", (2,), (128,), [WORDS[:256].copy(), zeros(256)], 1, fours)


def _sparse() -> Iterator[Case]:
    file, n = "samples/applications.cu", 50
    dense = RANDOM.integers(-4, 5, (n, n)) * (RANDOM.random((n, n)) < 0.2)
    starts = np.append(0, np.cumsum((dense != 0).sum(1))).astype(np.int32)
    columns = np.nonzero(dense)[1].astype(np.int32)
    values = dense[dense != 0].astype(np.float32)
    x = RANDOM.integers(-4, 5, n).astype(np.float32)
    arguments = [starts, columns, values, x, zeros(n, np.float32), *i32(n)]
    yield Case(file, "rows_of_threads", (2,), (32,), arguments, 4, dense @ x)
    yield Case(file, "rows_of_warps", (25,), (64,), arguments, 4, dense @ x)
    levels = np.full(n, -1, np.int32)
    levels[:3] = 0
    expected = levels.copy()
    expected[[e for e in columns[: starts[3]] if e > 2]] = 1
    queue = np.arange(n, dtype=np.int32)
    arguments = [starts, columns, queue, levels, zeros(n), zeros(1), *i32(3, 1)]
    yield Case(file, "next_level", (1,), (32,), arguments, 3, expected)


def _applications() -> Iterator[Case]:
    file = "samples/applications.cu"
    x = RANDOM.integers(-3, 4, (128, 4)).astype(np.float32)
    forces = np.zeros_like(x)
    forces[:, :3] = ((x[None, :, :3] - x[:, None, :3]) * x[None, :, 3:]).sum(1)
    yield Case(file, "bodies", (2,), (64,), [x, np.zeros_like(x), *i32(128)], 1, forces)
    a, b = RANDOM.integers(-4, 5, (2, 5, 100)).astype(np.float32)
    arguments = [a, b, zeros(5, np.float32), *i32(5, 100)]
    yield Case(file, "scalar_products", (2,), (64,), arguments, 2, (a * b).sum(1))
    rows = a - a.max(1, keepdims=True)
    yield Case(file, "less_the_greatest", (5,), (64,), [a, np.zeros_like(a), *i32(100)], 1, rows)
    words = WORDS[:960].reshape(6, 160)
    arguments = [words, zeros(6), zeros(8), zeros(8), *i32(160, 120)]
    yield Case(file, "split_rows", (8,), (64,), arguments, 1, words.sum(1))
    few = WORDS[:64].copy()
    voted = np.empty(64, np.int32)
    for first in (0, 32):
        lanes = few[first : first + 32]
        same = np.array([(lanes[:i] == lanes[i]).sum() for i in range(32)])
        voted[first : first + 32] = 1 + 2 * (lanes == 9).any() + 4 * (lanes > 0).sum() + 256 * same
    yield Case(file, "votes", (1,), (64,), [few, zeros(64)], 1, voted)
    matrix, vector = RANDOM.integers(-4, 5, (128, 128)).astype(np.float32), x.reshape(-1)[:128].copy()
    arguments = [matrix, vector, zeros(128, np.float32), *i32(128)]
    yield Case(file, "times_a_vector", (2,), (64,), arguments, 2, matrix @ vector)
    yield Case(file, "shared_queue", (1,), (64,), [WORDS[:200], zeros(200), *i32(200)], 1, WORDS[:200] ** 2)
    numbers = x.reshape(-1).copy()
    arguments = [numbers, np.zeros_like(numbers), *i32(512)]
    yield Case(file, "several_vectors", (2,), (32,), arguments, 1, 2 * numbers)
