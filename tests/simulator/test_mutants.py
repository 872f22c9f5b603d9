"""A small fixed sample of mutants is found; `python benchmarks/mutants.py` determines the score of all."""

from pathlib import Path

import pytest

from tests.examples import some
from tests.simulator.mutation import Mutant, mutants, of_case, only, recorded
from tests.simulator.samples import samples
from tests.simulator.verdicts import SCHEDULES, verdict

SUBJECTS = {case.kernel: of_case(case) for case in samples() if case.kernel not in ("gemm",)}
#: the kernel, the kind of mistake, its number among those of the kernel, and how it is found
SAMPLE = (
    ("halved", "barrier removed", 1, "reported"),
    ("scan_in_two_buffers", "barrier of a warp only", 0, "reported"),
    ("copied_in_stages", "wait for fewer", 0, "reported"),
    ("copied_in_stages", "commit removed", 0, "reported"),
    ("last_block", "fence removed", 0, "reported"),
    ("tiles_in_registers", "index too high", 0, "reported"),
    ("product", "swizzle", 1, "reported"),
    ("product", "operands of an instruction", 0, "wrong result"),
    ("warps_shuffle", "mask", 0, "reported"),
    ("tiles_in_shared_memory", "extent", 0, "reported"),
    ("histogram", "no atomic operation", 0, "reported"),
    ("add_sums_before", "sum", 0, "reported"),
    ("loaded_by_warps", "barrier only arrived at", 0, "reported"),
    ("copied_in_bulk", "wait or arrival removed", 1, "reported"),
    ("split_barrier", "arrival without release", 0, "reported"),
    ("stored_in_bulk", "wait_group for fewer", 0, "reported"),
    ("reduced_in_bulk", "fence of another memory", 0, "reported"),
    ("left_factor_in_registers", "instruction removed", 0, "reported"),
    ("ring", "barrier of a block only", 1, "reported"),
    ("exchanged", "own block instead of another", 1, "reported"),
    ("exchanged", "arrival without release", 0, "reported"),
    ("loaded_for_all", "wait or arrival removed", 6, "reported"),
    ("sums_of_blocks", "rank of another block", 1, "reported"),
    ("product_of_tf32", "wait or arrival removed", 1, "reported"),
    ("product_of_bytes", "operands of an instruction", 0, "wrong result"),
    ("product_of_narrow", "wait or arrival removed", 0, "reported"),
    ("sums_of_windows", "operands of an instruction", 0, "wrong result"),
)


@pytest.mark.parametrize(("kernel", "kind", "number", "how"), some(SAMPLE, 9), ids=lambda one: str(one))
def test_mutants_are_found(kernel: str, kind: str, number: int, how: str, cache: Path) -> None:
    mutant = [one for one in mutants(SUBJECTS[kernel]) if one.kind == kind][number]
    assert verdict(mutant, cache, SCHEDULES[:2]).how == how, str(mutant)


def test_equivalent_mutants_are_recognised(cache: Path) -> None:
    subject = SUBJECTS["interleaved"]
    (line,) = [i for i, line in enumerate(subject.text.split("\n"), 1) if "step *= 2" in line]

    def changed(old: str, new: str) -> Mutant:
        assert subject.text.count(old) == 1
        return Mutant(subject, "by hand", line, old, new, subject.text.replace(old, new))

    assert verdict(changed("step *= 2", "step += step"), cache, SCHEDULES[:1]).how in (
        "same code",
        "survives",
    )
    certain = verdict(changed("step < SIZE", "step < SIZE - 1"), cache, SCHEDULES[:1])
    assert certain.how in ("same code", "survives") and certain.is_certain
    assert verdict(changed("step < SIZE", "step < "), cache).how == "refused"


def test_kernels_are_separated_and_lines_keep_their_numbers() -> None:
    case = next(case for case in samples() if case.kernel == "scan_by_shuffles")
    text = only(case.text(), case.kernel)
    assert text.count("__global__") == 1 and text.count("\n") == case.text().count("\n")
    assert "of_warps" in text and "scan_in_a_tree" not in text.replace("scan in a tree", "")


def test_mutants_change_only_functions_that_are_launched() -> None:
    for one in mutants(SUBJECTS["odd_even"]):
        assert one.text != one.subject.text
        line = one.subject.text.split("\n")[one.line - 1]
        assert line.strip() and not line.startswith("//")


def test_a_call_without_launches_has_no_mutants() -> None:
    assert recorded("nothing", lambda: None).launches == ()
