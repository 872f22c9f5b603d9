"""The loops of a conditional pair run once, and only if the pair is chosen."""

import numpy as np
import pytest

import rise
import shine
from tests.shine.executors import text_of

TEXT = """
val main = fun(c: i32, xs: N.i32 =>
  if c == 0 then pair(7, 8) else reduceSeq(fun(acc, x => pair(fst(acc) / c, snd(acc) + x)), pair(64, 0), xs))
"""


@pytest.mark.parametrize("target", ["interpret", "openmp"])
@pytest.mark.parametrize("c", [0, 2])
def test_a_loop_runs_if_its_pair_is_chosen(target: str, c: int) -> None:
    e = rise.parse(TEXT).main
    xs = np.arange(4, dtype=np.int32)
    found = shine.compile(e, target=target)(c, xs)
    expected = (7, 8) if c == 0 else (4, 6)
    assert tuple(map(int, found)) == expected


def test_the_loop_is_printed_once_under_the_condition() -> None:
    source = text_of(TEXT)
    kernel = source[source.index("int kernel") :]
    assert kernel.count("for (") == 1
    assert kernel.index("if (") < kernel.index("for (")
