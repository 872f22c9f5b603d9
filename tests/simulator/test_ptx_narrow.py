"""Matrix instructions on 4-bit numbers and single bits, compared with numpy: lanes hold elements as the PTX ISA
documents.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import some
from tests.simulator.test_ptx_matrices import product_text

#: rows, k, and the types of A and B, or the operation on bits
KINDS = [
    *(
        (m, k, a, b)
        for m, k in ((8, 32), (16, 32), (16, 64))
        for a, b in (("s4", "s4"), ("u4", "s4"), ("u4", "u4"))
    ),
    *((m, k, "b1", operation) for m, k in ((8, 128), (16, 128), (16, 256)) for operation in ("xor", "and")),
    (16, 64, "s4", "u4"),
]


def mnemonic(number: int) -> str:
    m, k, a, b = KINDS[number]
    start = f"mma.sync.aligned.m{m}n8k{k}.row.col"
    if a == "b1":
        return f"{start}.s32.b1.b1.s32.{b}.popc"
    saturates = ".satfinite" if number == len(KINDS) - 1 else ""
    return f"{start}{saturates}.s32.{a}.{b}.s32"


def counts(number: int) -> tuple[int, int, int]:
    m, k, a, _ = KINDS[number]
    bits = 1 if a == "b1" else 4
    return m // 4, m * k * bits // 1024, 8 * k * bits // 1024


TEXT = "".join(product_text(mnemonic(i), counts(i), ("s32", "s4"), f"f{i}") for i in range(len(KINDS)))


def numbers_of(registers: Any, t: str, rows: int, k: int) -> Any:
    """The matrix that lanes hold, row by row: number i of lane 4 g + t, as in the tables of the ISA."""
    bits = 1 if t == "b1" else 4
    per_register = 32 // bits
    matrix = np.zeros((rows, k), np.int64)
    for lane in range(32):
        g, t_in_group = divmod(lane, 4)
        for i in range(rows * k // 32):
            register, part = divmod(i, per_register)
            value = int(registers[lane, register]) >> bits * part & (1 << bits) - 1
            row = g + 8 * (register % 2) if rows == 16 else g
            column = t_in_group * per_register + part + 4 * per_register * (register // (rows // 8))
            matrix[row, column] = value - 16 if t == "s4" and value > 7 else value
    return matrix


@pytest.mark.parametrize("number", some(range(len(KINDS)), 2), ids=mnemonic)
def test_products_agree_with_numpy(number: int, programs: Callable[[str, bool], Program]) -> None:
    m, k, a, b = KINDS[number]
    nd, na, nb = counts(number)
    random = np.random.default_rng(number)
    left, right = (random.integers(0, 2**32, (32, n), dtype=np.uint32) for n in (na, nb))
    saturates = ".satfinite" in mnemonic(number)
    before = random.integers(-99, 100, (32, nd)).astype(np.int32) + np.int32((2**31 - 200) * saturates)
    first = numbers_of(left, a, m, k)
    second = numbers_of(right, a if a == "b1" else b, 8, k)
    if a == "b1":
        pairs = first[:, None] ^ second[None] if b == "xor" else first[:, None] & second[None]
        products = pairs.sum(2)
    else:
        products = first @ second.T
    places = [(lane // 4 + 8 * (i // 2), lane % 4 * 2 + i % 2) for lane in range(32) for i in range(nd)]
    expected = before.reshape(-1) + np.array([products[place] for place in places])
    if saturates:
        assert (expected > 2**31 - 1).any()
        expected = np.minimum(expected, 2**31 - 1)
    for check in (False, True):
        found = np.zeros((32, nd), np.int32)
        report = programs(TEXT, check).launch(f"f{number}", 1, 32, [left, right, before, found])
        assert report.findings == ()
        np.testing.assert_array_equal(found.reshape(-1), expected)
