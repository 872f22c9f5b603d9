"""Kernels that are stored on disk: what a second process loads, and which changes cause a new kernel."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import id_
from rise import RiseError, nodes
from shine.cache import stored
from shine.front import compilation, contractions, derivation, explanation, lowering
from shine.targets.cuda import target
from strategies.openmp import parallel
from tests import required_tools
from tests.cli.machines import without_compiler
from tests.examples import some

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

DOT = (
    "val dot = fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))"
)
XS, YS = np.float32([1, 2, 3]), np.float32([4, 5, 6])


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch, new_cache: Path) -> list[str]:
    """The names of kernels that were lowered; the cache is empty at first."""
    assert not list(new_cache.glob("*.kernel"))
    names: list[str] = []
    whole = lowering.lowered_kernel

    def counted(program: Any, target: str, arch: Any, name: str, *others: Any) -> Any:
        names.append(name)
        return whole(program, target, arch, name, *others)

    monkeypatch.setattr(lowering, "lowered_kernel", counted)
    return names


def test_a_kernel_is_lowered_once(lowered: list[str]) -> None:
    program = rise.parse(DOT)
    first, second = shine.compile(program), shine.compile(program)
    assert lowered == ["kernel"] and first is not second
    assert first.source == second.source and first.term == second.term and first.options == second.options
    assert first(XS, YS) == second(XS, YS) == 32
    assert second.machine_code() == first.machine_code() and repr(second) == repr(first)
    assert second.origin_of_line(len(second.source.splitlines()) // 2) is not None


@pytest.mark.usefixtures("lowered")
def test_parts_of_sizes_are_stored_once(new_cache: Path) -> None:
    whole: list[nodes.Node] = []

    def rebuilt(flat: list[tuple[Any, ...]]) -> nodes.Node:
        whole.append(nodes.rebuilt(flat))
        return whole[-1]

    class Counting(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            return rebuilt if name == "rebuilt" else super().find_class(module, name)

    kernel = shine.compile(rise.parse_file(Path(__file__).parents[3] / "cases" / "mm.rise"))
    (entry,) = new_cache.glob("*.kernel")
    content = stored(entry)
    assert content is not None
    loaded = Counting(io.BytesIO(content)).load()
    assert loaded[0] == kernel.procedure and loaded[3] is kernel.term
    assert all(one.height > compilation.MAX_HEIGHT for one in whole if isinstance(one, nodes.Measured))
    assert len(whole) < 100  # the term and parts of it; thousands, if naturals are among them


@pytest.mark.parametrize("target", some(["cuda", "cuda-sim", "interpret"], 3))
def test_a_kernel_of_any_target_is_lowered_once(target: str, lowered: list[str]) -> None:
    if target == "cuda-sim" and not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
    program = rise.parse(DOT)
    first, second = shine.compile(program, target), shine.compile(program, target)
    assert lowered == ["kernel"] and first is not second
    assert first.source == second.source and repr(first) == repr(second)
    if target != "cuda":
        assert first(XS, YS) == second(XS, YS) == 32


def test_another_device_causes_a_new_kernel(lowered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = rise.parse(DOT)
    for arch, times in (("sm_80", 1), ("sm_90", 2), ("sm_90", 2)):
        monkeypatch.setattr(target, "device_arch", lambda device, arch=arch: arch)
        with without_compiler():
            assert f"for {arch}" in shine.compile(program, "cuda").source
        assert len(lowered) == times


def test_a_contraction_is_lowered_once(lowered: list[str]) -> None:
    a, b = np.ones((4, 5), np.float32), np.ones((5, 6), np.float32)
    for _ in range(2):
        contractions._plan.cache_clear()  # the state in which a second process finds it
        assert (shine.einsum("mk,kn->mn", a, b) == 5).all()
    assert lowered == ["einsum"]


CHANGES: dict[str, dict[str, Any]] = {
    "the name": {"name": "dot"},
    "an option": {"check": True},
    "the number of threads": {"threads": 1},
    "a pass": {"pragmas": False},
    "the processor": {"machine": "haswell"},
    "the strategy": {"strategy": "strategies.sequential:sequential"},
}


@pytest.mark.parametrize("what", some(CHANGES, 2))
def test_every_input_of_a_kernel_causes_a_new_one(what: str, lowered: list[str]) -> None:
    program = rise.parse(DOT)
    shine.compile(program)
    for _ in range(2):
        assert shine.compile(program, **CHANGES[what])(XS, YS) == 32
    assert len(lowered) == 2


def test_names_of_parameters_cause_a_new_kernel(lowered: list[str]) -> None:
    shine.compile(rise.parse(DOT))
    renamed = shine.compile(rise.parse(DOT.replace("ys", "zs")))
    assert renamed(xs=XS, zs=YS) == 32 and len(lowered) == 2


def test_changed_sources_cause_a_new_kernel(lowered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    program = rise.parse(DOT)
    shine.compile(program)
    monkeypatch.setattr(compilation, "sources", lambda: "of another version")
    shine.compile(program)
    assert len(lowered) == 2


def test_a_derivation_is_stored(new_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[str] = []

    def counted(strategy: Any, term: Any) -> Any:
        applied.append(str(strategy))
        return derivation.derive(strategy, term)

    monkeypatch.setattr(explanation, "derive", counted)
    doubled = shine.jit(lambda x: x + x)
    first, second = (doubled.lower(XS).derivation for _ in range(2))
    assert len(applied) == 1 and first == second and first.counters.firings
    assert "derivation: " in doubled.explain(XS) and len(applied) == 1
    (entry,) = new_cache.glob("*.derivation")
    entry.write_bytes(entry.read_bytes()[:-40])
    assert doubled.lower(XS).derivation.result == first.result and len(applied) == 2
    own = shine.jit(lambda x: x + x, strategy=parallel())
    assert [own.lower(XS).derivation.result for _ in range(2)] and len(applied) == 4


def test_a_user_defined_strategy_is_applied_each_time(lowered: list[str]) -> None:
    low = rise.parse("val main = fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)))")
    for _ in range(2):
        assert shine.compile(low, strategy=id_)(XS).tolist() == [2, 3, 4]
    assert len(lowered) == 2


def test_a_damaged_entry_is_replaced(lowered: list[str], new_cache: Path) -> None:
    program = rise.parse(DOT)
    shine.compile(program)
    (entry,) = new_cache.rglob("*.kernel")
    entry.write_bytes(entry.read_bytes()[:-1])
    assert shine.compile(program)(XS, YS) == 32 and len(lowered) == 2
    assert shine.compile(program)(XS, YS) == 32 and len(lowered) == 2


def test_an_entry_that_is_not_a_kernel_is_replaced(
    lowered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = rise.parse(DOT)
    with monkeypatch.context() as patched:
        patched.setattr("pickle.dumps", lambda *_: b"what another version wrote")
        shine.compile(program)
    shine.compile(program)
    assert shine.compile(program)(XS, YS) == 32 and len(lowered) == 2


def test_errors_of_a_stored_kernel_show_the_program(lowered: list[str]) -> None:
    program = rise.parse(
        "val main = fun(xs: N.i32, ys: N.i32 => zip(xs, ys) |> map(fun(p => fst(p) / snd(p))))"
    )
    messages = []
    for _ in range(2):
        with pytest.raises(RiseError) as caught:
            shine.compile(program)(np.int32([1, 2]), np.int32([1, 0]))
        messages.append(str(caught.value))
    assert len(lowered) == 1 and messages[0] == messages[1] and "division-by-zero" in messages[0]


def test_wrong_arguments_are_rejected_although_a_kernel_is_stored(lowered: list[str]) -> None:
    program = rise.parse(DOT)
    shine.compile(program)
    for wrong in ({"threads": 0}, {"machine": "a wheelbarrow"}, {"chekc": True}, {"target": "opnmp"}):
        with pytest.raises(RiseError):
            shine.compile(program, **wrong)  # type: ignore[arg-type]  # the mistakes that are tested


SECOND = """
import sys
import numpy as np
import rise, shine
kernel = shine.compile(rise.parse({text!r}))
assert kernel(np.float32([1, 2, 3]), np.float32([4, 5, 6])) == 32
print(*sorted({{".".join(name.split(".")[:2]) for name in sys.modules}}))
"""


@pytest.mark.usefixtures("new_cache")
def test_a_second_process_imports_nothing_that_lowers() -> None:
    command = [sys.executable, "-c", SECOND.format(text=DOT)]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(2)
    ]
    assert {"strategies", "elevate", "shine.translate", "shine.pipeline"} <= set(runs[0])
    assert not {"strategies.registry", "strategies.fireiron", "strategies.gpu"} & set(runs[0])
    needless = {
        "strategies",
        "elevate",
        "shine.translate",
        "shine.pipeline",
        "shine.simulator",
        "rise.embedding",
    }
    assert not needless & set(runs[1])
