"""Messages about kernels that cannot be operators of PyTorch or XLA, and about arguments of operators.

`snapshots/operators.txt` has them; run this file as a program to rewrite those of the libraries that are installed.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from shine.front.operators import operator_of
from tests import required_tools
from tests.snapshot_files import read_snapshots, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "operators.txt"
VECTOR: Final = rise.parse("fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)))")
PAIR: Final = rise.parse("fun(p: (N.f32, f32) => fst(p) |> mapSeq(fun(x => x + snd(p))))")
PICKED: Final = rise.parse("fun(at: N.idx[M], xs: M.f32 => gather(at, xs) |> mapSeq(fun(x => x)))")
ROWS: Final = rise.parse(
    "fun({len: nat -> nat}, xs: N..(i |-> len(i).f32) =>"
    " xs |> depMapSeq(fun(i: nat, row => row |> mapSeq(fun(x => x + 1.0)))))"
)
UNKNOWN: Final = rise.parse("fun({n: nat}, x: f32 => generate(fun(i: idx[n] => x)) |> mapSeq(fun(x => x)))")
WIDE: Final = rise.parse("fun(xs: N.f32 => xs |> mapSeq(cast{f64}))")
SCALED: Final = rise.parse("fun(a: f32, xs: N.f32 => xs |> mapSeq(fun(x => a * x)))")
COUNTED: Final = rise.parse("fun(a: i32, xs: N.f32 => xs |> mapSeq(fun(x => x + cast{f32}(a))))")
PUT: Final = rise.parse("fun(at: N.idx[N], xs: N.f32 => scatter(at, xs |> map(fun(x => x + 1.0))))")


def torch() -> Any:
    return required_tools.torch()


def jax() -> Any:
    return required_tools.jax()


def op(program: Any, **options: Any) -> Any:
    return shine.torch.op(program, target="interpret", **options)


def taken() -> Any:
    op(VECTOR, name="bad::taken")
    return op(WIDE, name="bad::taken")


def exported() -> Any:
    """Export a function for all lengths."""
    try:
        export = import_module("jax.export")
    except ModuleNotFoundError:
        required_tools.skip_without(required_tools.ABSL)
    lengths = export.symbolic_shape("n + 1")
    argument = jax().ShapeDtypeStruct(lengths, np.float32)
    return export.export(jax().jit(shine.jax.call(VECTOR)))(argument)


#: calls, by what is wrong, and the library that they need
WRONG: Final[dict[str, tuple[str, Callable[[], Any]]]] = {
    "a function without types": ("", lambda: operator_of(shine.jit(lambda x: x), {})),
    "options for a kernel": (
        "",
        lambda: operator_of(shine.compile(VECTOR, target="interpret"), {"threads": 2}),
    ),
    "rows": ("", lambda: operator_of(ROWS, {"target": "interpret"})),
    "a size that nothing determines": ("", lambda: operator_of(UNKNOWN, {"target": "interpret"})),
    "too few arguments": ("", lambda: operator_of(PAIR, {"target": "interpret"}).bound((), {})),
    "an array for a pair": (
        "",
        lambda: operator_of(PAIR, {"target": "interpret"}).bound((np.zeros(3),), {}),
    ),
    "torch: no name": ("torch", lambda: op(VECTOR, name="a b")),
    "torch: a name that is taken": ("torch", taken),
    "torch: no array": ("torch", lambda: op(rise.parse("fun(x: f32 => x + x)"))),
    "torch: another type": ("torch", lambda: op(VECTOR)(torch().zeros(3, dtype=torch().int32))),
    "torch: another type, without numbers": (
        "torch",
        lambda: op(VECTOR)(torch().zeros(3, dtype=torch().int32, device="meta")),
    ),
    "torch: another rank, without numbers": ("torch", lambda: op(VECTOR)(torch().zeros(3, 4, device="meta"))),
    "torch: a numpy array": ("torch", lambda: op(VECTOR)(np.zeros(3, np.float32))),
    "torch: a list": ("torch", lambda: op(SCALED)(2.0, [1.0])),
    "torch: a number of another kind": ("torch", lambda: op(COUNTED)(1.5, torch().zeros(3))),
    "jax: indices that must differ": ("jax", lambda: shine.jax.call(PUT)),
    "jax: another target": ("jax", lambda: shine.jax.call(VECTOR, target="interpret")),
    "jax: another type": ("jax", lambda: shine.jax.call(VECTOR)(jax().numpy.zeros(3, np.int32))),
    "jax: another rank": ("jax", lambda: shine.jax.call(VECTOR)(jax().numpy.zeros((3, 4)))),
    "jax: keys of random numbers": (
        "jax",
        lambda: shine.jax.call(VECTOR)(jax().random.key(0)),
    ),
    "jax: symbolic lengths": ("jax", exported),
    "jax: a list": ("jax", lambda: shine.jax.call(VECTOR)([1.0])),
    "jax: numbers of 64 bits": ("jax", lambda: shine.jax.call(PICKED)(np.array([0]), jax().numpy.zeros(3))),
    "jax: a result of 64 bits": ("jax", lambda: shine.jax.call(WIDE)(jax().numpy.zeros(3))),
}


def message(name: str) -> str:
    with pytest.raises(RiseError) as caught:
        WRONG[name][1]()
    diagnostic = caught.value.diagnostic
    assert diagnostic.code and diagnostic.title
    return str(caught.value)


@pytest.mark.parametrize("name", WRONG)
def test_the_message_of_an_error(name: str) -> None:
    library = WRONG[name][0]
    if library and not required_tools.has_module(library):
        required_tools.skip_without({"torch": required_tools.TORCH, "jax": required_tools.JAX}[library])
    assert message(name) == read_snapshots(SNAPSHOTS)[name]


@pytest.mark.parametrize("name", [name for name, (library, _) in WRONG.items() if library])
def test_a_traceback_has_no_frames_of_the_packages(name: str) -> None:
    library = WRONG[name][0]
    if not required_tools.has_module(library):
        required_tools.skip_without({"torch": required_tools.TORCH, "jax": required_tools.JAX}[library])
    with pytest.raises(RiseError) as caught:
        WRONG[name][1]()
    packages = [str(Path(package.__file__).parent) for package in (rise, shine)]
    files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert [file for file in files if file.startswith(tuple(packages))] == []


def test_every_message_belongs_to_a_case() -> None:
    assert read_snapshots(SNAPSHOTS).keys() == WRONG.keys()


if __name__ == "__main__":
    known = read_snapshots(SNAPSHOTS) if SNAPSHOTS.exists() else {}
    found = {
        name: message(name) if not library or required_tools.has_module(library) else known[name]
        for name, (library, _) in WRONG.items()
    }
    write_snapshots(SNAPSHOTS, found)
