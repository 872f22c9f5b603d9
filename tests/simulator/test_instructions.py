"""PTX instructions compared with a device: kernels, stored results, messages. Here the simulator is the device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.gpu import __main__ as program
from benchmarks.gpu import tensor_copies
from benchmarks.gpu.comparison import (
    GOLDEN,
    Golden,
    arch_of,
    batches,
    compare,
    in_simulator,
    is_kept,
    kept,
    module_of,
    operands_digest,
    read_golden,
    results,
    unvalidated,
    write_golden,
)
from benchmarks.gpu.instruction_operands import BLOCKS
from benchmarks.gpu.instructions import NO_RESULT, Probe, probes
from benchmarks.gpu.tensor_copies import digest_of, tensor_probes
from shine.kernel import Kernel
from tests.examples import some
from tests.simulator.unvalidated_instructions import PAGE, section, written

BY_KEY = {one.key: one for one in probes()}
#: one of each kind of kernel: registers, matrices, a tolerance, memory, lanes, barriers, copies, warpgroups
SAMPLE = tuple(
    BY_KEY[key]
    for key in (
        "add.s16 =s16 s16 s16",
        "min.f32 =f32 f32 f32",
        "sin.approx.f32 =f32 f32",
        "fma.rn.f16x2 =b32 b32 b32 b32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 =f32*4 b32*4 b32*2 f32*4",
        "atom.shared.add.u32 =u32 [shared] u32",
        "redux.sync.add.s32 =s32 s32 b32",
        "mbarrier.test_wait.shared.b64 =pred [shared] b64",
        "cp.async.cg.shared.global [shared] [global] imm",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [shared] [global] u32 [shared]",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 +f32*4 b64 b64 pred imm imm imm imm",
        "wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e5m2 +b32*6 b32*4 b64 pred imm imm",
    )
)


@pytest.fixture(scope="module")
def simulator(cache: Path) -> Callable[..., Kernel]:
    return in_simulator("sm_90", cache=str(cache))


def test_architectures_have_their_instructions() -> None:
    assert {one.since for batch in batches(80) for one in batch} <= {0, 70, 75, 80}
    assert sum(map(len, batches(90))) == len(probes())
    assert {arch_of(batch, "sm_90") for batch in batches(90)} == {"sm_90", "sm_90a"}
    assert not any(one.arch for batch in batches(100) for one in batch)
    module, _ = module_of(batches(90)[0])
    assert module.source.count("__global__") == len(module.kernels)


def test_results_of_a_device_that_agrees_are_stored_and_read(
    simulator: Callable[..., Kernel], tmp_path: Path
) -> None:
    golden = Golden("a device", operands_digest())
    assert compare(SAMPLE, simulator, simulator, golden) == []
    assert golden.rows.keys() == {one.key for one in SAMPLE}
    write_golden(golden, tmp_path / "golden.json")
    assert read_golden(tmp_path / "golden.json") == golden
    before, after = (unvalidated(one) for one in (Golden(operands=operands_digest()), golden))
    assert before == after  # no family is complete
    stale = replace(golden, operands="others")
    assert unvalidated(stale) == before
    with pytest.raises(AssertionError):
        write_golden(stale, tmp_path / "golden.json")


def test_a_family_is_validated_when_all_its_results_are_stored() -> None:
    known = [one for one in (*probes(), *tensor_probes()) if one.family != "add"]
    golden = Golden("a device", operands_digest(), {one.key: "" for one in known})
    missing = unvalidated(golden)
    assert missing["add"] == "" and "sub" not in missing and "mbarrier" not in missing
    assert missing["fence"] == NO_RESULT and "a cluster of several" in missing["cp.async.bulk"]
    assert {family for family, why in missing.items() if not why} == {"add"}
    text = section(golden)
    assert "on a device: " in text and "`sub`" not in text and "`add`" in text
    assert "No device has been available" in section(Golden(operands=operands_digest()))


@pytest.mark.parametrize("one", some(SAMPLE, 2), ids=lambda one: one.key.split()[0])
def test_one_wrong_bit_is_reported(one: Probe, simulator: Callable[..., Kernel]) -> None:
    """If a device differs in one lane, the instruction, block, lane and bits are reported, and its result is not
    stored.
    """
    word = len(one.kinds) - 1

    def wrong(module: Any, procedure: Any) -> Any:
        kernel = simulator(module, procedure)

        def run(*given: Any) -> Any:
            found = kernel(*given).copy()
            words = found.reshape(BLOCKS, one.lanes, -1)
            words[2, 5, word] ^= np.uint64(1 << 30 if one.tolerance else 1)
            return found

        return run

    golden = Golden("a device", operands_digest(), {one.key: "of yesterday"})
    right = results((one,), simulator)[one.key][2, 5, word]
    (said,) = compare((one,), wrong, simulator, golden)
    assert said.startswith(f"{one.key}: block 2, lane 5, word {word}: the device has ")
    assert said.endswith(f"the simulator {int(right):#018x}") and golden.rows == {}


def test_nans_and_tolerances() -> None:
    def words(*values: Any) -> Any:
        return np.array(values).view(np.uint32).astype(np.uint64).reshape(1, -1, 1)

    exact = Probe("", "", "", ("f32",), 0)
    near = replace(exact, tolerance=2**-20)
    nan, other_nan = (np.array([bits], np.uint32).view(np.float32)[0] for bits in (0x7FFFFFFF, 0xFFC00000))
    one, two = words(np.float32(1), nan), words(np.float32(1 + 2**-21), other_nan)
    assert is_kept(exact, one, kept(exact, words(np.float32(1), other_nan)))
    assert not is_kept(exact, two, kept(exact, one)) and is_kept(near, two, kept(near, one))
    assert not is_kept(near, words(np.float32(1 + 2**-18), nan), kept(near, one))
    assert not is_kept(near, words(np.float32(1), np.float32(1)), kept(near, one))


def test_the_simulator_agrees_with_stored_results_of_a_device(simulator: Callable[..., Kernel]) -> None:
    """All stored results are compared; there are none until a device was available."""
    golden = read_golden()
    assert golden.is_current, f"the operands have changed: delete {GOLDEN.name}, and run `make gpu`"
    tensors = {one.key: one for one in tensor_probes()}
    assert golden.rows.keys() <= BY_KEY.keys() | tensors.keys(), (
        "instructions that are kept have another name: run `make gpu`"
    )
    for batch in batches(90):
        chosen = tuple(one for one in batch if one.key in golden.rows)
        for key, words in (results(chosen, simulator) if chosen else {}).items():
            assert is_kept(BY_KEY[key], words, golden.rows[key]), key
    copies = [tensors[key] for key in golden.rows if key in tensors]
    for one, words in zip(copies, tensor_copies.in_simulator()(copies) if copies else [], strict=True):
        assert digest_of(words) == golden.rows[one.key], one.key


def test_kernels_have_no_findings(cache: Path) -> None:
    """Their behaviour is defined: no race, no access out of bounds, no uninitialised read."""
    assert results(SAMPLE, in_simulator("sm_90", check=True, cache=str(cache))).keys() == {
        one.key for one in SAMPLE
    }


def test_make_gpu_compares_and_stores_results(
    simulator: Callable[..., Kernel], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The part of `make gpu` that runs batches, with the simulator in place of a device."""
    monkeypatch.setattr(program, "on_device", lambda *_: simulator)
    monkeypatch.setattr(program, "in_simulator", lambda *_: simulator)
    session = program.Session(0.0, "")
    session.golden = program.kept_results("a device")
    some = [SAMPLE[:2], SAMPLE[2:3]]
    program.compare_instructions(session, some, "sm_90", 0, float("inf"))
    assert session.golden.rows.keys() == {one.key for one in SAMPLE[:3]}
    assert session.golden.device == "a device" and session.wrong == {}
    assert session.right == [
        "instructions add.s16 to min.f32",
        "instructions sin.approx.f32 to sin.approx.f32",
    ]
    late = program.Session(0.0, "")
    program.compare_instructions(late, some, "sm_90", 0, 0.0)
    assert list(late.skipped.values()) == ["no time is left"] * 2 and late.golden.rows == {}
    assert capsys.readouterr().out.count("right") == 2


def test_the_page_lists_the_families_that_are_not_validated() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page, read_golden()) == page, (
        "`python -m tests.simulator.unvalidated_instructions` writes the list"
    )
