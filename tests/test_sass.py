"""Loops are found in listings of machine code, and a model counts their costs. Only the last test compiles."""

import json
from collections import Counter

import pytest

from benchmarks import contraction_code
from benchmarks import sass as table
from benchmarks._report import RESULTS
from benchmarks.gpu.loops import Kernel, integers, main_loop
from benchmarks.gpu.ordinary import WORKS, count, executed
from benchmarks.gpu.ordinary import table as ordinary_table
from rise.diagnostics import RiseError
from shine.targets.cuda.sass import Listing, read_listing
from tests import required_tools


def shown(*lines: str) -> Listing:
    """The listing with these lines, each an instruction or a label, between code of other kernels."""
    code = [
        line if line.startswith(".") else f"        /*{16 * i:04x}*/  {line} ;"
        for i, line in enumerate(lines)
    ]
    other = [".text.other:", ".L_x_9:", "        /*0000*/   IMAD R0, R0, R0, RZ ;"]
    return read_listing("\n".join([*other, ".text.kernel:", *code, *other]), "kernel")


def step(*lines: str, warps: int = 4) -> Kernel:
    """A kernel whose loop consists of these lines and a branch, in steps of 128 x 128 x 32, compiled for sm_80."""
    code = shown(
        "LDL.64 R2, [R1]", ".L_x_1:", *lines, "@P0 BRA `(.L_x_1)", "EXIT", ".L_x_2:", "BRA `(.L_x_2)"
    )
    return Kernel(code, "sm_80", (128, 128, 32), warps, registers=255, shared=20480)


PRODUCTS = ("HMMA.16816.F32 R0, R4, R8, R0",) * 64
COPY = "LDGSTS.E.BYPASS.128 [R1], [R2.64]"


def test_the_innermost_loops_are_those_that_contain_no_other() -> None:
    code = shown(
        ".L_x_0:",
        "MOV R0, R1",
        ".L_x_1:",
        "@P1 BRA `(.L_x_1)",  # a branch to itself: the end of a program, not a loop
        ".L_x_2:",
        "IADD3 R0, R0, 0x1, RZ",
        "@P2 BRA `(.L_x_2)",
        "FADD R1, R1, R1",
        "@!P0 BRA `(.L_x_2)",  # the second backward branch of the loop
        "@P0 BRA `(.L_x_0)",
        "@P0 BRA `(.L_x_5)",  # forwards
        ".L_x_5:",
        "EXIT",
    )
    (loop,) = code.loops()
    assert [one.name for one in loop] == ["IADD3", "BRA", "FADD", "BRA"]
    assert [one.guard for one in loop] == ["", "@P2", "", "@!P0"]
    assert code.counts() == Counter({"BRA": 5, "MOV": 1, "IADD3": 1, "FADD": 1, "EXIT": 1})


def test_a_missing_kernel_is_named() -> None:
    with pytest.raises(RiseError, match="`absent`"):
        read_listing(".text.kernel:", "absent")


def test_cycles_are_those_of_a_step_of_the_block() -> None:
    reads = ("LDSM.16.M88.4 R0, [R1]",) * 15 + ("LDSM.16.MT88.2 R0, [R1]",) * 2
    loop = main_loop(
        step("LDG.E.128 R0, [R2.64]", "BAR.SYNC 0x0", "STS.128 [R1], R0", "BAR.SYNC 0x0", *reads, *PRODUCTS)
    )
    assert loop.products == 64
    assert loop.counts.total() == 64 + 17 + 4 + 1  # and the branch
    assert loop.issue == loop.counts.total()
    assert loop.shared == 4 * 4 * (15 + 2 / 2 + 1)  # 4 warps, 4 cycles for 16 bytes per lane
    assert loop.tensor == 512
    assert (loop.spills, loop.ahead, loop.blocks) == (8, 0, 2)
    # copies, stores, two barriers and products are sequential, in two blocks
    assert loop.bound == pytest.approx(2 * 512 / (600 + 16 + 60 + 512))


def test_reads_that_are_never_executed_take_no_shared_memory() -> None:
    plain, void = main_loop(step(*PRODUCTS)), main_loop(step("@!PT LDS RZ, [RZ]", *PRODUCTS))
    assert void.shared == plain.shared == 0
    assert void.counts.total() == plain.counts.total() + 1


@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("unrolled", [1, 3])
def test_steps_in_flight_are_the_copies_that_were_not_waited_for(
    stages: int, groups: int, unrolled: int
) -> None:
    wait = f"DEPBAR.LE SB0, {(stages - 2) * groups:#x}"
    loop = main_loop(step(*(wait, "BAR.SYNC 0x0", *(COPY, "LDGDEPBAR") * groups, *PRODUCTS) * unrolled))
    assert loop.ahead == stages - 1
    assert loop.tensor == 512
    assert loop.bound == 1


def test_copies_that_are_waited_for_at_once_are_not_ahead() -> None:
    assert main_loop(step(COPY, "LDGDEPBAR", "DEPBAR.LE SB0, 0x0", "BAR.SYNC 0x0", *PRODUCTS)).ahead == 0


def test_other_waits_do_not_complete_copies() -> None:
    loop = main_loop(step("DEPBAR.LE SB0, 0x1", COPY, "LDGDEPBAR", "DEPBAR.LE SB1, 0x0", *PRODUCTS))
    assert loop.ahead == 2


def test_integer_instructions_use_both_kinds_of_registers() -> None:
    counts = Counter(
        {"IADD3": 1, "UIADD3.X": 2, "IMAD.MOV.U32": 4, "S2R": 8, "FADD": 16, "HMMA.16816.F32": 32}
    )
    assert integers(counts) == 15


def test_the_missed_goals_of_a_row_are_named() -> None:
    loop = main_loop(step(*("BAR.SYNC 0x0",) * 2, *("LDSM.16.M88.4 R0, [R1]",) * 32, *PRODUCTS))
    missed = table.misses(loop, 1.0)
    assert [text.split()[0] for text in missed] == ["spills", "shared", "ahead", "bound", "1.55"]
    assert table.misses(loop, None) == missed[:-1]


def test_a_convolution_is_compared_with_the_product_in_the_same_tiles() -> None:
    loads = ("LDSM.16.M88.4 R0, [R1]",) * 4
    product, slower = main_loop(step(*loads, *PRODUCTS)), main_loop(step(*loads, *loads, *PRODUCTS))
    assert [text.split()[-1] for text in table.beside(slower, product)] == ["bytes", "shared"]
    assert table.beside(product, None) == ["the product with these tiles was not counted"]


def test_every_plan_can_be_lowered() -> None:
    for plan in table.PLANS[-2:]:
        assert plan.is_convolution
        assert "tensorMatMulAdd" in str(table.lowered(plan))


def test_the_default_strategy_has_the_pinned_counts() -> None:
    content = json.loads((RESULTS / "sass.json").read_text(encoding="utf-8"))
    pinned, ordinary = content["tables"]
    try:
        release = table.compiler_release()
        (row,) = table.rows_of("sm_80", table.PLANS[:1], None)
    except RiseError as absent:
        required_tools.skip_without(
            required_tools.DISASSEMBLER
            if absent.diagnostic.code == "no-disassembler"
            else required_tools.CUDA_COMPILER
        )
    wanted = pinned["title"].partition(", by ")[2].partition(" and ")[0]
    if release != wanted:
        required_tools.skip_without(f"{wanted}, which the numbers are of")
    assert list(row[:-1]) == pinned["rows"][0][:-1]  # the last cell also compares with Triton
    ours = [row for row in ordinary["rows"] if "Triton" not in row[0] and row[2] == "sm_80"]
    made = ordinary_table(["sm_80"], release, "").rows
    assert [list(row[:-1]) for row in made] == [row[:-1] for row in ours]


def test_a_path_has_no_branch_for_extraordinary_numbers() -> None:
    code = shown(
        "MUFU.RCP R0, R1",
        "@P0 BRA `(.L_x_1)",
        "MOV R2, 0x10",
        "CALL.REL.NOINC `(.L_x_9)",
        "BRA `(.L_x_2)",
        ".L_x_1:",
        "FFMA R0, R1, R2, R3",
        ".L_x_2:",
        "@P1 BRA `(.L_x_3)",  # some lane stores
        "STS [R0], R1",
        ".L_x_3:",
        "@P2 EXIT",
        "EXIT",
        ".L_x_9:",
        "RET",
    )
    names = [one.name for one in executed(code)]
    assert names == ["MUFU.RCP", "BRA", "FFMA", "BRA", "STS", "EXIT", "EXIT"]


def test_ordinary_kernels_are_compared_for_the_same_work() -> None:
    """A block of ours has a fourth of the numbers of a block of the peer."""
    moves = ("LDG.E.128 R0, [R2.64]", "STG.E.128 [R2.64], R0", "EXIT")
    small, large = (
        count(Kernel(shown(*moves), "sm_80", (4096, 1, 1), warps, 32, 0), WORKS[2]) for warps in (2, 8)
    )
    assert (small.share, large.share) == (1 / 16, 1 / 4)
    assert small.issue == large.issue == 3 * 2 / 4 * 16
    assert small.moved == large.moved == 2 * 16 * 32 * 2 * 16


@pytest.mark.parametrize("family", contraction_code.TRIPLES)
def test_the_main_loop_of_ccsd_t_multiplies(family: str) -> None:
    """At least 80 % of its instructions are multiply-adds, and all loads from memory are of 16 bytes."""
    one = next(one for one in contraction_code.contractions() if one.name.startswith(f"{family}, ds1"))
    try:
        row = dict(zip(contraction_code.COLUMNS, contraction_code.row_of(one, "sm_80"), strict=True))
    except RiseError as absent:
        required_tools.skip_without(
            required_tools.DISASSEMBLER
            if absent.diagnostic.code == "no-disassembler"
            else required_tools.CUDA_COMPILER
        )
    assert row["misses"] == "none" and float(row["share"]) >= contraction_code.GOAL
    assert int(row["LDG"]) == 2 and int(row["16 bytes"]) >= 2 + int(row["LDS"])
