"""Texts of all cases under default strategies: identical to tests/golden/texts, and equal to what the previous stage
shows. Compiles nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Final

import pytest

import shine
from cases.case_files import Case
from elevate import Strategy, id_
from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr
from shine.cli import request as requests
from shine.cli.request import Request
from shine.front import lowering
from shine.front.derivation import Derivation
from shine.front.derivation import derive as derive_anew
from shine.front.lowering import is_lowered, lowered_kernel
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import For, Statement
from shine.imperative.walk import map_statements
from shine.passes.record import Program
from shine.targets import TARGETS
from shine.targets.c.printer import CSource
from shine.targets.cuda import target as cuda
from shine.targets.openmp.loader import PrintedKernel
from shine.targets.target import Target
from tests.cases.outlines import of_stage, of_text
from tests.cases.shared_bytes import lines_of, listed_of
from tests.cases.stages import ARCH, CASES, by_default, derivation, loaded, parsed, passed, program, settled
from tests.cases.texts import ENDINGS, TEXTS, files, golden
from tests.examples import some

#: the texts that are compared: all of them, in every profile
PAIRS: Final = [(case, target) for case in CASES for target in ENDINGS]


def built_text(program: Program, target: Target) -> str:
    """The text that a target builds for a program after its passes, without compiling it."""

    def find_compiler(*_: object) -> Any:
        raise RiseError(Diagnostic("no-compiler", "expected a compiler, found none"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrintedKernel, "load", lambda kernel: kernel.source)
        patch.setattr(cuda, "find_compiler", find_compiler)
        patch.setattr(cuda, "simulate", lambda module, *_: module)
        built: Any = target.build(program, settled(target.name))
    found: str = built.text if isinstance(built, CSource) else built.source
    return found


@pytest.mark.parametrize(("case", "target"), PAIRS, ids=str)
def test_a_text_is_the_golden_one(case: Case, target: str) -> None:
    """The text that is built is that of the program after the last pass that is listed."""
    path = golden(case.name, target)
    expected, found = path.read_text(encoding="utf-8"), built_text(passed(case, target), TARGETS[target])
    difference = difflib.unified_diff(expected.splitlines(), found.splitlines(), path.name, "printed now")
    assert found == expected, "\n".join([*difference, "`make texts` writes them; say in CHANGELOG.md why"])


def test_the_simulator_runs_the_text_that_is_compiled() -> None:
    for case in some(CASES, 20):
        expected = golden(case.name, "cuda").read_text(encoding="utf-8")
        assert built_text(passed(case, "cuda"), TARGETS["cuda-sim"]) == expected, case.name


@pytest.mark.parametrize("target", ENDINGS)
def test_a_pass_that_runs_while_a_text_is_built_is_found(target: str) -> None:
    case = next(case for case in CASES if case.name == "dot")
    expected, found = golden(case.name, target).read_text(encoding="utf-8"), TARGETS[target]
    hidden = replace(found, build=lambda program, options: found.build(unrolled(program), options))
    assert built_text(passed(case, target), found) == expected
    assert built_text(passed(case, target), hidden) != expected


def unrolled(program: Program) -> Program:
    """The program with unrolled loops, as a pass may return it that no target lists."""

    def change(statement: Statement) -> tuple[Statement]:
        is_sequential = isinstance(statement, For) and statement.kind == "seq"
        return (replace(statement, kind="unroll") if is_sequential else statement,)

    if isinstance(program, GpuProgram):
        kernels = (replace(one, body=map_statements(one.body, change)) for one in program.kernels)
        return replace(program, kernels=tuple(kernels))
    return replace(program, body=map_statements(program.body, change))


def stage_imperative(case: Case, target: str) -> str:
    """What `--stage imperative` prints for a case under the strategy of the target."""
    shown, _ = shine.TARGETS[target].outline(passed(case, target), {"arch": ARCH})
    return shown


@pytest.mark.parametrize(("case", "target"), PAIRS, ids=str)
def test_the_stage_imperative_is_what_is_printed_next(case: Case, target: str) -> None:
    """The loops, stores, values, prefetches and barriers are the same, in the same order, with the same names."""
    stage = of_stage(stage_imperative(case, target))
    assert of_text(golden(case.name, target).read_text(encoding="utf-8"), stage) == stage.lines


@pytest.mark.parametrize("case", CASES, ids=str)
def test_kernels_take_the_shared_memory_that_is_listed(case: Case) -> None:
    made = passed(case, "cuda")
    assert isinstance(made, GpuProgram)
    expected, found = listed_of(case.name), lines_of(case.name, made)
    assert found == expected, "`python -m tests.cases.shared_bytes` writes the table; say in CHANGELOG.md why"


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """A term that is only equal to terms with the same printed text; `==` on terms ignores bound names."""

    term: Expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Printed) and self.term is other.term


def arguments_of(*arguments: Any, **options: Any) -> list[Any]:
    """The arguments of a call, as the result of a stub."""
    values = (*arguments, *sorted(options.items()))
    return [Printed(value) if isinstance(value, Expr) else value for value in values]


def passed_on(case: Case, target: str, strategy: str | None) -> list[Any]:
    """What the command and `shine.compile` pass on, for a named strategy or for none, to functions that see nothing
    else of a request.
    """

    def derive(chosen: Strategy, term: Expr, what: str = "") -> Derivation:
        is_own = chosen is loaded(TARGETS[target].strategy) and term is program(case)
        return derivation(case, target) if is_own else derive_anew(chosen, term, what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lowering, "load_strategy", loaded)
        patch.setattr(Request, "parse", lambda request: parsed(case))
        for module in (requests, lowering):
            patch.setattr(module, "derive", derive)
        for module, function in ((requests, "translate"), (requests, "make_kernel"), (lowering, "build")):
            patch.setattr(module, function, arguments_of)
        for method in ("outlined", "steps"):
            patch.setattr(Target, method, arguments_of)
        asked = Request(f"{case.name}.rise", strategy=strategy, target=target)
        chosen = requests.choose(asked)
        low = requests.lower(asked, chosen)
        seen = [
            asked.file,
            chosen.high,
            low,
            requests.outline(asked, chosen, low),
            requests.passed(asked, chosen, low),
            requests.build(asked, chosen, low),
        ]
        if is_lowered(program(case)):  # `shine.compile` translates it as it is, if no strategy is named
            return seen
        return [*seen, lowered_kernel(program(case), target, None, case.name, (), strategy, {})]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_strategy_of_the_target_may_be_named(case: Case) -> None:
    for target in TARGETS:
        unnamed = passed_on(case, target, None)
        assert passed_on(case, target, TARGETS[target].strategy) == unnamed
        assert unnamed[2].result is by_default(case, target)  # from which the golden texts are printed


def with_own(original: Callable[..., Any]) -> Callable[..., Any]:
    """Options as in some earlier versions, in which a target ran more passes if no strategy was named."""
    return lambda request, target: {**original(request, target), "own": request.strategy is None}


def with_tiles(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a choice that adds parameters to a named strategy."""
    return lambda strategy, *others, **parameters: original(
        strategy, *others, **parameters, **({} if strategy is None else {"tile": 8})
    )


def without_rules(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a choice that returns something other than the named strategy."""
    return lambda strategy, *others, **parameters: (
        original(strategy, *others, **parameters) if strategy is None else id_
    )


@pytest.mark.parametrize(
    ("module", "function", "changed"),
    [
        (requests, "target_options", with_own),
        (requests, "chosen_strategy", with_tiles),
        (lowering, "chosen_strategy", without_rules),
    ],
)
def test_a_difference_between_named_and_unnamed_is_found(
    module: ModuleType, function: str, changed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(case for case in CASES if case.name == "axpy")
    monkeypatch.setattr(module, function, changed(getattr(module, function)))
    unnamed = passed_on(case, "openmp", None)
    assert passed_on(case, "openmp", None) == unnamed
    assert passed_on(case, "openmp", TARGETS["openmp"].strategy) != unnamed


STAGE: Final = """f(xs: N.f32) -> N.f32 for all N
  for n_block < N / 8 (parallel if 65535 < N)
    new acc : f32 [8] in Local
    for n < 8 (simd)
      twice : f32 = add(xs[8 * n_block + n], xs[8 * n_block + n])
      acc[n] := mul(twice, xs[0])
    for n < 8 (seq)
      output[8 * n_block + n] := acc[n]
"""
TEXT: Final = """int f(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < N)
  for (int64_t n_block = 0; n_block < N / 8; n_block++) {
    _Alignas(64) float acc[8];
    for (int64_t n = 0; n < 8; n++) {
      const int64_t at_n = n_block * 8 + n;
      const float twice = xs[at_n] + xs[at_n];
      acc[n] = twice * xs[0];
    }
    for (int64_t n = 0; n < 8; n++) {
      output[n_block * 8 + n] = acc[n];
    }
  }
  return 0;
}
"""


@pytest.mark.parametrize(
    ("printed", "instead"),
    [
        ("for (int64_t n = 0; n < 8; n++) {\n      output", "{\n      output"),
        ("int64_t n_block = 0", "int64_t n_strip = 0"),
        ("acc[n] = twice * xs[0]", "acc[n] = twice"),
        ("acc[n] = twice * xs[0]", "acc[n] = twice * acc[0]"),
        ("acc[n] = twice * xs[0];", ""),
        ("acc[n] = twice * xs[0];", "acc[n] = twice * xs[0];\n      acc[0] = 0.0f;"),
        ("const float twice = xs[at_n] + xs[at_n];", "__builtin_prefetch(&xs[at_n]);"),
        ("return 0;", "computed();\n  return 0;"),
    ],
)
def test_a_text_with_other_contents_is_found(printed: str, instead: str) -> None:
    stage = of_stage(STAGE)
    assert of_text(TEXT, stage) == stage.lines and TEXT.count(printed) == 1
    assert of_text(TEXT.replace(printed, instead), stage) != stage.lines


def test_the_texts_are_those_of_the_cases() -> None:
    assert set(TEXTS.iterdir()) == set(files())
    assert len(files()) == len(CASES) * len(ENDINGS)
