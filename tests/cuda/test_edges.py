"""Products at sizes that are not multiples of the tiles are correct, for fixed and symbolic sizes."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cuda.entries import EDGES, TALL, TILES, TILINGS, WIDE, WMMA, Entry, at
from tests.cuda.kernels import gpu_program, mistakes
from tests.examples import LEAST, in_whole, some

#: a fraction of the profile's examples, since each is slow
MAX_EXAMPLES: Final = max(LEAST, settings.default.max_examples // 12)
PLANS: Final = (
    *((WMMA, "gemm", {**one, "edges": 1}) for one in (*TILINGS, WIDE)),
    (WMMA, "right transposed", {**TALL, "edges": 1}),
    (WMMA, "gemm_plain", {"edges": 1}),
    (TILES, "gemm_f32", {"rows": 16, "columns": 32, "depth": 8}),
    (TILES, "mm_left_transposed", {}),
)
SIDES: Final = st.sampled_from((1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 128, 130))


@settings(max_examples=MAX_EXAMPLES)
@given(plan=st.sampled_from(PLANS), m=SIDES, n=SIDES, k=SIDES, is_symbolic=st.booleans())
def test_products_of_any_size_are_correct(
    plan: tuple[str, str, dict[str, int]], m: int, n: int, k: int, is_symbolic: bool, cache: Path
) -> None:
    strategy, name, params = plan
    entry = Entry(name, strategy, params, (at(M=m, N=n, K=k),), is_symbolic)
    assert mistakes(entry, "descending", cache) == []


@in_whole("test_products_of_any_size_are_correct")
@pytest.mark.parametrize(
    ("plan", "sizes"),
    some(product(PLANS[:5], (EDGES[2], at(M=16, N=16, K=16), at(M=100, N=100, K=100))), 4),
    ids=str,
)
def test_products_of_any_size_have_kernels(
    plan: tuple[str, str, dict[str, int]], sizes: tuple[tuple[str, int], ...]
) -> None:
    """Threads are proved to write distinct elements, whatever the sizes."""
    strategy, name, params = plan
    assert gpu_program(Entry(name, strategy, params, (sizes,), False), sizes).kernels
