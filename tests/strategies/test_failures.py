"""Why strategies fail on RISE programs: the trees that `explain` returns, as snapshots.

`tests/strategies/snapshots/failures.txt` contains them; `python -m tests.strategies.test_failures` rewrites them.
"""

import re
from pathlib import Path
from typing import Final

import pytest

import rise
from elevate import Failure, Strategy, normalize, topDown
from strategies.parts.nests import tileReduction
from strategies.rules.functions import gentleBeta
from strategies.rules.fusion import mapFission, mapFusion
from strategies.rules.let_floating import betaPair, isolateReduction
from strategies.rules.matrix_products import mulAddToFma
from strategies.rules.movement import constantMap, interchange, splitJoin
from strategies.rules.reductions import liftReduceSeq, splitReduce
from strategies.rules.tensor_cores import tileProductAdd
from strategies.tensor_core import tensorCore
from tests.snapshot_files import read_snapshots, write_snapshots
from tests.strategies import corpus

INCREMENT = rise.parse("fun(xs: 12.f32 => xs |> map(fun(x => x + 1.0)))").main
SQUARES = rise.parse("fun(xs: 12.f32 => xs |> map(fun(x => (fun(y => x + y))(x * x))))").main
DOUBLED = rise.parse("fun(xs: N.f32 => reduce(mul, 2.0, xs))").main
WHOLE = rise.parse_expr("acc + a * b", {"acc": "i32", "a": "i32", "b": "i32"})
TWICE = rise.parse_expr("(fun(x => x + x))(a * b)", {"a": "f32", "b": "f32"})
PLAIN = corpus.program("gemm_plain")

FAILING: list[tuple[str, Strategy, rise.Expr]] = [
    ("a rule at the wrong place", splitJoin(4), INCREMENT),
    ("a rule that nothing matches", topDown(mapFusion), INCREMENT),
    ("a block that does not divide the size", topDown(splitJoin(5)), INCREMENT),
    ("a part that fails after a step inside", topDown(splitJoin(4) >> topDown(mapFusion)), INCREMENT),
    ("a body that mentions what it must not", topDown(constantMap), INCREMENT),
    ("a part that mentions what it must not", topDown(mapFission), SQUARES),
    ("a type of another class", mulAddToFma, WHOLE),
    ("a condition that does not hold", topDown(splitReduce(4)), DOUBLED),
    ("a rule by a function", gentleBeta, TWICE),
    ("a rule by a function anywhere", topDown(betaPair), INCREMENT),
    ("no reduction", topDown(isolateReduction), INCREMENT),
    ("a nest that is not there", topDown(interchange), corpus.program("mm")),
    ("a reduction that is not lowered", normalize(mapFusion) >> topDown(liftReduceSeq), corpus.program("mm")),
    ("a tile of another form", topDown(tileProductAdd), corpus.program("gemm")),
    ("no matrix product", tensorCore(), corpus.program("dot")),
    ("rows that the tile does not divide", tensorCore(), corpus.at(PLAIN, M=24, N=16, K=16)),
    ("columns that the tile does not divide", tensorCore(), corpus.at(PLAIN, M=16, N=24, K=16)),
    ("a depth that the tile does not divide", tensorCore(), corpus.at(PLAIN, M=16, N=16, K=8)),
    ("no nest to cut", tileReduction(4), corpus.program("axpy")),
]
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "failures.txt"


def said(strategy: Strategy, program: rise.Expr) -> str:
    result = strategy(program)
    assert isinstance(result, Failure)
    return str(result.explain())


@pytest.mark.parametrize(("name", "strategy", "program"), FAILING, ids=[case[0] for case in FAILING])
def test_a_failure_explains_itself(name: str, strategy: Strategy, program: rise.Expr) -> None:
    assert said(strategy, program) == read_snapshots(SNAPSHOTS)[name]


def test_every_snapshot_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == [name for name, _, _ in FAILING]


def test_an_explanation_names_everything() -> None:
    """It contains no index of a variable, and no number that inference gave to a size or a type."""
    assert not re.search(r"%\d|\?\w|'\d|\bat \d", SNAPSHOTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "strategy", "program"), FAILING, ids=[case[0] for case in FAILING])
def test_an_explanation_is_short(name: str, strategy: Strategy, program: rise.Expr) -> None:
    lines = said(strategy, program).splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 240


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: said(strategy, program) for name, strategy, program in FAILING})
