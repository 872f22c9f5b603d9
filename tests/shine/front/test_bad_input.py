"""Diagnostics for wrong arguments of functions that are written with numpy, and for errors in these functions.

`snapshots/bad_input.txt` contains the messages; run this file as a program to rewrite it. Arrays of other libraries are
in `tests/shine/calling/test_bad_arrays.py`, packages of others in `tests/cli/test_foreign_packages.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import rise
from rise import RiseError
from shine import jit
from tests.snapshot_files import read_snapshots, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "bad_input.txt"
A: Final = np.arange(6, dtype=np.float32)
W: Final = np.arange(6, dtype=np.float32)
WEIGHTS = np.ones(6, np.float32)
FILTER: Final = """import statistics
val main = fun(xs: N.f32 => xs |> filter(2, fun(x => x > 0.0), 0.0))"""


class Model:
    weights = WEIGHTS

    @jit
    def scaled(self, x: Any) -> Any:
        return x * self.weights


def signed(x):
    if x > 0:
        return x
    return -x


def weighed(x):
    return x * WEIGHTS


def counting(x):
    WEIGHTS[0] += 1
    return x + WEIGHTS[0]


def accumulating(x):
    WEIGHTS[:] += x
    return x


def enclosed() -> Callable[..., Any]:
    total = np.zeros(3)

    @jit
    def changes(x):
        total[0] = 1.0
        return x

    return changes


def read_only(x: Any) -> Any:
    x = x.copy()
    x.flags.writeable = False
    return x[:]


def repeated(n: int) -> Any:
    return np.lib.stride_tricks.as_strided(np.ones(1, np.float32), (n,), (0,))


def shifted(x, y):
    y[1:] += x[:-1]


def shifted_and_summed(x, y):
    y[1:] += x[:-1]
    return y.sum()


WRONG: Final[dict[str, Callable[[], Any]]] = {
    "a branch on an array": lambda: jit(signed)(A),
    "a function of numpy": lambda: jit(np.median)(A),
    "a function of numpy with two arguments": lambda: jit(np.hypot)(A, A),
    "a method": lambda: Model().scaled(A),
    "a closure over an array of another length": lambda: jit(weighed)(A[:5]),
    "a closure over an array that is changed": lambda: jit(counting)(A),
    "a closure over an array that is changed as a whole": lambda: jit(accumulating)(A),
    "an array of an enclosing function that is changed": lambda: enclosed()(A),
    "foreign byte order": lambda: jit(lambda x: x + x)(A.astype(">f4")),
    "a type that numpy lacks": lambda: jit(lambda x: x + x)(A.astype(ml_dtypes.float8_e5m2fnuz)),
    "long doubles": lambda: jit(lambda x: x + x)(A.astype(np.longdouble)),
    "dates": lambda: jit(lambda x: x + x)(A.astype("M8[s]")),
    "a masked array": lambda: jit(lambda x: x + x)(np.ma.array(A, mask=A > 2)),
    "out over a read-only owner": lambda: jit(lambda x: x + x)(A, out=read_only(A)),
    "a read-only array that is changed": lambda: jit(shifted, target="interpret")(A, read_only(A)),
    "an array that is changed and shares memory": lambda: jit(shifted, target="interpret")(W[:4], W[2:]),
    "an array of which elements share memory": lambda: jit(shifted, target="interpret")(A[:4], repeated(4)),
    "out beside changes": lambda: jit(shifted_and_summed, target="interpret")(A, A.copy(), out=np.empty(())),
    "an index out of range": lambda: jit(lambda x, i: x[i], target="interpret")(A, np.array([1, 9])),
    "a filter beyond its bound": lambda: rise.evaluate(rise.parse(FILTER).main, A),
    "places of which numpy would count how many": lambda: jit(lambda x: np.roll(np.where(x > 0)[0], 1))(A),
}


def message(name: str) -> str:
    """The message, without the place."""
    with pytest.raises(RiseError) as caught:
        WRONG[name]()
    found = caught.value.diagnostic
    return f"{found.code}: {found.title}\nhint: {found.hint}"


@pytest.mark.parametrize("name", WRONG)
def test_the_message_of_an_error(name: str) -> None:
    before = WEIGHTS.copy()
    assert message(name) == read_snapshots(SNAPSHOTS)[name]
    assert (before == WEIGHTS).all()


def test_every_message_belongs_to_a_case() -> None:
    assert read_snapshots(SNAPSHOTS).keys() == WRONG.keys()


def test_a_read_only_owner_can_be_read() -> None:
    assert (jit(lambda x: x + x, target="interpret")(read_only(A)) == A + A).all()


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: message(name) for name in WRONG})
