"""Micro-kernels: code of a user's own executes the last specification of a schedule, and is compared with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, StrategyError, Success
from rise import RiseError
from shine.front.claims import check_claims
from strategies.fireiron import (
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    Core,
    Map,
    MatMul,
    MicroKernel,
    Move,
    Thread,
    Warp,
    read_schedule,
)
from tests.examples import in_whole, some
from tests.strategies.fireiron.kinds import DIFFERENCE
from tests.strategies.fireiron.products import HALF as MIXED
from tests.strategies.fireiron.products import SINGLE, assert_product
from tests.strategies.fireiron.test_chains import SPLIT, TWICE
from tests.strategies.fireiron.test_rows import PLAIN

OF_THREAD: Final = "MatMul(1, 1, 1)(RF, RF, RF)(Thread)"
TYPE: Final = "f32 -> f32 -> f32 -> f32"
FUSED: Final = MicroKernel(
    "fused",
    OF_THREAD,
    TYPE,
    cuda="""__device__ float fused(float a, float b, float sum) {
      float result;
      asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(sum));
      return result;
    }""",
)
WRONG: Final = MicroKernel(
    "fused",
    OF_THREAD,
    TYPE,
    cuda="__device__ float fused(float a, float b, float sum) { return a * b - sum; }",
)
HALF: Final = MicroKernel(
    "fused_half",
    "MatMul(1, 1, 1)(RF, RF, RF)(Lane)",
    "f16 -> f16 -> f16 -> f16",
    cuda="__device__ __half fused_half(__half a, __half b, __half sum) { return __hadd(__hmul(a, b), sum); }",
)
LESS: Final = MicroKernel(
    "less",
    "Map(n: 1)(GL, GL -> GL)(Thread)",
    "f32 -> f32 -> f32",
    cuda="__device__ float less(float x, float y) { return __fsub_rn(x, y); }",
    c="static inline float less(float x, float y) { return x - y; }",
)
#: `mma.sync` by hand, on the numbers that a lane holds
BY_HAND: Final = """__device__ void by_hand(float* sums, const __half* a, const __half* b) {
  const unsigned* left = (const unsigned*)a;
  const unsigned* right = (const unsigned*)b;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
    : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
}"""
OF_WARP: Final = MicroKernel(
    "by_hand", "MatMul(16, 8, 16)(FR, FR, FR)(Warp)", "f16 -> f16 -> f32 -> f32", cuda=BY_HAND
)
#: with two registers of A exchanged
WRONG_OF_WARP: Final = MicroKernel(
    "by_hand",
    OF_WARP.spec,
    OF_WARP.type,
    cuda=BY_HAND.replace('"r"(left[1]), "r"(left[2])', '"r"(left[2]), "r"(left[1])'),
)
IN_FRAGMENTS: Final = (
    MatMul.tile(32, 16).to(Block).epilog(FR).split(32).load(A, SH).load(B, SH).tile(16, 16).to(Warp)
)
MAPPED: Final = Map("n,n->n").tile(256).to(Block).tile(4).to(Thread).tile(1).unroll.done


def test_spaces_in_the_specification_do_not_matter() -> None:
    for text in ("MatMul(1,1,1)(RF,RF,RF)(Thread)", "MatMul(1, 1,1)(RF, RF,RF)(Thread)"):
        assert MicroKernel("fused", text, FUSED.type).spec == "MatMul(1, 1, 1)(RF, RF, RF)(Thread)"
    assert (
        MicroKernel("copy", "Move(4,4)(RF->GL)(Lane)", "4.4.f32 -> 4.4.f32").spec
        == "Move(4, 4)(RF -> GL)(Lane)"
    )
    batch = MicroKernel("fused", "Contract(m:1,n:1,k:1)(RF,RF,RF)(Thread) for each l", FUSED.type)
    assert batch.spec == "Contract(m: 1, n: 1, k: 1)(RF, RF, RF)(Thread) for each l"


def test_a_micro_kernel_multiplies_and_adds(cache: Path) -> None:
    result = PLAIN(FUSED).strategy()(SINGLE)
    assert isinstance(result, Success), result.explain()
    program = rise.specialise(result.program, M=32, N=48, K=16)
    kernel = shine.compile(program, target="cuda-sim", check=True, cache=str(cache), foreign=[FUSED.code])
    assert_product(kernel, 32, 48, 16, "float32")
    assert "fused(a_registers[row], b_registers[" in kernel.source and "fmaf(" not in kernel.source


@in_whole("test_a_micro_kernel_multiplies_and_adds")
@pytest.mark.parametrize(("unit", "target"), [(Thread, "cuda-sim"), (Core, "openmp")])
def test_a_micro_kernel_is_the_function_of_a_map(unit: object, target: str, cache: Path) -> None:
    schedule, code = MAPPED, LESS
    if unit is Core:
        schedule = Map("n,n->n").tile(64).to(Core).tile(1).done
        code = MicroKernel("less", "Map(n: 1)(GL, GL -> GL)(Core)", LESS.type, c=LESS.c)
    result = schedule(code).strategy()(rise.parse(DIFFERENCE).main)
    assert isinstance(result, Success), result.explain()
    program = rise.specialise(result.program, N=512)
    kernel = shine.compile(program, target=target, cache=str(cache), foreign=[code.code])
    xs = np.arange(512, dtype=np.float32)
    np.testing.assert_array_equal(kernel(xs, 3 * xs), -2 * xs)
    assert " = less(" in kernel.source


@pytest.mark.parametrize("sizes", some([(32, 16, 64), (64, 32, 32)], 2))
def test_a_micro_kernel_multiplies_the_fragments_of_a_warp(sizes: tuple[int, int, int], cache: Path) -> None:
    result = IN_FRAGMENTS.mma(16, 8, 16).done(OF_WARP).strategy()(MIXED)
    assert isinstance(result, Success), result.explain()
    program = rise.specialise(result.program, **dict(zip("MNK", sizes, strict=True)))
    kernel = shine.compile(program, target="cuda-sim", check=True, cache=str(cache), foreign=[OF_WARP.code])
    assert_product(kernel, *sizes, "float16")
    assert "by_hand(fragments[" in kernel.source and kernel.source.count("mma.sync") == 1


@in_whole("test_the_code_of_a_micro_kernel_is_a_claim")
def test_the_code_for_fragments_is_a_claim_too() -> None:
    schedule = IN_FRAGMENTS.mma(16, 8, 16).done(OF_WARP)
    assert [claim.holds for claim in check_claims(schedule, MIXED)] == [True]
    assert [claim.holds for claim in check_claims(read_schedule(str(schedule), [WRONG_OF_WARP]), MIXED)] == [
        False
    ]


def test_fragments_of_other_types_are_refused_when_the_schedule_is_applied() -> None:
    halves = MicroKernel("by_hand", OF_WARP.spec, "f16 -> f16 -> f16 -> f16", cuda=BY_HAND)
    result = IN_FRAGMENTS.mma(16, 8, 16).done(halves).strategy()(MIXED)
    assert isinstance(result, Failure)
    explained = str(result.explain())
    assert "numbers of the types of `by_hand`, f16 -> f16 -> f16 -> f16" in explained
    assert "f16 -> f16 -> f32 -> .." in explained


def test_code_for_fragments_with_other_parameters_does_not_compile(cache: Path) -> None:
    swapped = MicroKernel(
        "by_hand", OF_WARP.spec, OF_WARP.type, cuda=BY_HAND.replace("const __half* b", "__half* b")
    )
    result = IN_FRAGMENTS.mma(16, 8, 16).done(swapped).strategy()(MIXED)
    assert isinstance(result, Success)
    program = rise.specialise(result.program, M=32, N=16, K=32)
    with pytest.raises(RiseError, match="expected the type of foreign by_hand"):
        shine.compile(program, target="cuda-sim", cache=str(cache), foreign=[swapped.code]).source  # noqa: B018


def test_products_of_fragments_are_for_gpus() -> None:
    result = IN_FRAGMENTS.mma(16, 8, 16).done(OF_WARP).strategy()(MIXED)
    assert isinstance(result, Success)
    program = rise.specialise(result.program, M=32, N=16, K=32)
    a, b = np.ones((32, 32), np.float16), np.ones((32, 16), np.float16)
    with pytest.raises(
        RiseError, match="expected a function of numbers to evaluate, found `by_hand` of fragments"
    ):
        rise.evaluate(program, a, b, foreign=[OF_WARP.code])
    text = f"""{OF_WARP.code.text}
    val main = fun(a: 16.16.f16, b: 16.8.f16 =>
      by_hand(toMem(Local, asFragmentA(a)), toMem(Local, asFragmentB(b)), toMem(Local, generateFragment(0.0)))
      |> toMem(Local) |> asMatrix)"""
    alone = rise.parse(text).main
    with pytest.raises(RiseError, match="expected a GPU for fragments in `by_hand`, found a processor"):
        shine.compile(alone, target="openmp", foreign=[OF_WARP.code])
    kernel = shine.compile(alone, target="cuda-sim", check=True, foreign=[OF_WARP.code])
    assert (kernel(np.ones((16, 16), np.float16), np.ones((16, 8), np.float16)) == 16).all()


@in_whole("test_a_micro_kernel_multiplies_and_adds")
def test_the_first_product_of_a_chain_has_a_micro_kernel_of_its_own() -> None:
    part = (
        MatMul(16, 8, "K")
        .by(Block)
        .tile(4, 2)
        .to(Thread)
        .epilog(RF)
        .split(1)
        .load("A", RF)
        .load(B, RF)
        .tile(1, 1)
    )
    chain = (
        SPLIT.first(SH, part.done(FUSED))
        .tile(4, 4)
        .to(Thread)
        .split(1)
        .load("A", RF)
        .load(B, RF)
        .tile(1, 1)
        .done
    )
    assert chain.kernels == (FUSED,)
    (claim,) = check_claims(chain, rise.parse(TWICE).main)
    assert claim.holds
    (claim,) = check_claims(read_schedule(str(chain), [WRONG]), rise.parse(TWICE).main)
    assert not claim.holds


def test_a_schedule_with_a_micro_kernel_is_read_from_its_text() -> None:
    schedule = PLAIN(FUSED)
    assert str(schedule).endswith(".tile(1, 1).done(fused)")
    assert read_schedule(str(schedule), [FUSED]) == schedule != PLAIN
    with pytest.raises(StrategyError, match=r"expected a number or one of A, .*, found `fused`"):
        read_schedule(str(schedule))


def test_the_code_of_a_micro_kernel_is_a_claim() -> None:
    (claim,) = check_claims(PLAIN(FUSED), SINGLE)
    assert str(claim) == "confirmed: .done(fused): the simulator computes the same numbers as without it"
    (claim,) = check_claims(PLAIN(WRONG), SINGLE)
    assert not claim.holds
    assert str(claim).startswith("refuted: .done(fused): expected -0.6875 at [0, 0], found ")
    (claim,) = check_claims(MAPPED(LESS), rise.parse(DIFFERENCE).main)
    assert claim.holds


@pytest.mark.parametrize(("number", "zero", "of_c"), [("i32", "0", "int"), ("f64", "0.0", "double")])
def test_code_for_other_numbers_is_a_claim_too(number: str, zero: str, of_c: str) -> None:
    program = rise.parse(f"""fun(a: M.K.{number}, b: K.N.{number} => a |> map(fun(row => transpose(b)
      |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, {zero}))))))""").main
    for sign, holds in (("+", True), ("-", False)):
        code = f"__device__ {of_c} fused({of_c} a, {of_c} b, {of_c} sum) {{ return sum {sign} a * b; }}"
        kernel = MicroKernel("fused", OF_THREAD, TYPE.replace("f32", number), cuda=code)
        (claim,) = check_claims(PLAIN(kernel), program)
        assert claim.holds == holds


OUTSIDE: Final = MicroKernel(
    "fused",
    OF_THREAD,
    TYPE,
    cuda="__device__ float fused(float a, float b, float sum) { const float* none = nullptr; return none[3]; }",
)


def test_code_with_a_fault_is_refuted_with_the_report_of_the_simulator() -> None:
    (claim,) = check_claims(PLAIN(OUTSIDE), SINGLE)
    assert not claim.holds
    assert "memory that belongs to no array: 4-byte read at line 4 by thread (0, 0, 0)" in claim.reason
    assert "return none[3];" in claim.reason


def test_a_fault_in_a_text_with_foreign_functions_is_blamed_on_their_code() -> None:
    result = PLAIN(OUTSIDE).strategy()(SINGLE)
    assert isinstance(result, Success)
    program = rise.specialise(result.program, M=16, N=16, K=8)
    kernel = shine.compile(program, target="cuda-sim", check=True, foreign=[OUTSIDE.code])
    with pytest.raises(RiseError) as caught:
        kernel(np.ones((16, 8), np.float32), np.ones((8, 16), np.float32))
    assert caught.value.diagnostic.hint == "the source contains foreign functions, `fused`: check their code"


def test_code_for_a_core_is_a_claim_too() -> None:
    """It is checked in the kernel for processors."""
    for code, holds in (("x - y", True), ("x + y", False)):
        less = MicroKernel(
            "less",
            "Map(n: 1)(GL, GL -> GL)(Core)",
            "f32 -> f32 -> f32",
            c=f"static inline float less(float x, float y) {{ return {code}; }}",
        )
        schedule = Map("n,n->n").tile(256).to(Core).tile(1).done(less)
        (claim,) = check_claims(schedule, rise.parse(DIFFERENCE).main)
        assert claim.holds == holds
        assert claim.reason.startswith("the kernel for openmp computes" if holds else "expected ")


@in_whole("test_fragments_of_other_types_are_refused_when_the_schedule_is_applied")
def test_numbers_of_another_type_are_refused_when_the_schedule_is_applied() -> None:
    half = MicroKernel("fused", OF_THREAD, "f16 -> f16 -> f16 -> f16")
    result = PLAIN(half).strategy()(SINGLE)
    assert isinstance(result, Failure)
    wanted = f"numbers of the types of `foreign fused : f16 -> f16 -> f16 -> f16`, at {OF_THREAD}"
    assert wanted in str(result.explain())
    assert "f32 -> f32 -> f32 -> f32" in str(result.explain())


def test_a_function_that_reads_one_operand_twice_is_no_call_of_both() -> None:
    same = rise.parse("fun(xs: N.f32, ys: N.f32 => xs |> map(fun(x => x * x)))").main
    assert isinstance(MAPPED(LESS).strategy()(same), Failure)


MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "another specification": (
        lambda: PLAIN(HALF),
        "expected MatMul(1, 1, 1)(RF, RF, RF)(Lane), which `fused_half` executes,"
        " found MatMul(1, 1, 1)(RF, RF, RF)(Thread)",
    ),
    "more than a number": (
        lambda: Map("n,n->n").tile(256).to(Block).tile(4).to(Thread).done(LESS),
        "expected Map(n: 1)(GL, GL -> GL)(Thread), which `less` executes, found Map(n: 4)(GL, GL -> GL)(Thread)",
    ),
    "a sum of several products": (
        lambda: MatMul(16, 16, 8).tile(1, 1).to(Block).tile(1, 1).to(Thread).done(
            MicroKernel("dot", "MatMul(1, 1, 8)(GL, GL, GL)(Thread)", TYPE)
        ),
        "expected one call or one multiply-add of numbers, or fragments of `mma.sync`,"
        " found MatMul(1, 1, 8)(GL, GL, GL)(Thread)",
    ),
    "a parameter too few": (
        lambda: PLAIN(MicroKernel("times", OF_THREAD, "f32 -> f32 -> f32")),
        "expected 3 parameters of `times`, the operands and the sum, found foreign times : f32 -> f32 -> f32",
    ),
    "a parameter too many": (
        lambda: MAPPED(MicroKernel("less", LESS.spec, TYPE)),
        f"expected 2 parameters of `less`, the operands, found foreign less : {TYPE}",
    ),
    "fragments of another shape": (
        lambda: IN_FRAGMENTS.mma(16, 8, 8).done(OF_WARP),
        "expected MatMul(16, 8, 16)(FR, FR, FR)(Warp), which `by_hand` executes,"
        " found MatMul(16, 8, 8)(FR, FR, FR)(Warp)",
    ),
    "fragments whose numbers are not known": (
        lambda: IN_FRAGMENTS.mmaTile.done(
            MicroKernel("by_hand", "MatMul(16, 16, 16)(FR, FR, FR)(Warp)", OF_WARP.type)
        ),
        "expected one call or one multiply-add of numbers, or fragments of `mma.sync`,"
        " found MatMul(16, 16, 16)(FR, FR, FR)(Warp)",
    ),
    "a parameter too few for fragments": (
        lambda: IN_FRAGMENTS.mma(16, 8, 16).done(MicroKernel("by_hand", OF_WARP.spec, "f16 -> f16 -> f32")),
        "expected 3 parameters of `by_hand`, the operands and the sum, found foreign by_hand : f16 -> f16 -> f32",
    ),
    "before the end": (
        lambda: MatMul(FUSED),
        "expected the sizes M, N, K of MatMul, found MatMul(MicroKernel(name='fused',",
    ),
    "twice": (
        lambda: PLAIN(FUSED)(FUSED),
        "expected a micro-kernel at the end of a schedule, found MatMul.tile(16, 16)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_micro_kernel_that_does_not_fit_is_rejected(name: str) -> None:
    build, title = MISTAKES[name]
    with pytest.raises(StrategyError) as caught:
        build()
    diagnostic = caught.value.diagnostic
    assert diagnostic.title.startswith(title)
    assert "the specification here is " in diagnostic.notes[0]
    assert "steps that fit here: " in (diagnostic.hint or "")


def test_the_steps_that_fit_are_those_of_the_move_that_a_micro_kernel_ends() -> None:
    store = MicroKernel("store", "Move(2, 2)(RF -> SH)(Thread)", "2.2.f32 -> 2.2.f32")
    with pytest.raises(StrategyError) as caught:
        MatMul.tile(16, 16).to(Block).epilog(RF, store=Move.tile(2, 2).to(Thread).done(store))
    diagnostic = caught.value.diagnostic
    assert diagnostic.notes == ("the specification here is Move(2, 2)(RF -> GL)(Thread)",)
    assert diagnostic.hint.endswith(
        "steps that fit here: tile(r, c) with 1 or 2 rows and 1 or 2 columns, stage(SH), done"
    )


def test_a_specification_is_a_text() -> None:
    with pytest.raises(StrategyError) as caught:
        MicroKernel("fused", 3, TYPE)  # type: ignore[arg-type]  # a mistake
    assert caught.value.diagnostic.title == "expected a specification, found 3, of type int"
