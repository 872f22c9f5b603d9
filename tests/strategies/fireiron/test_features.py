"""Each construct of the paper's tables changes the printed CUDA, or a verdict of the simulator.

The check of a row fails if an identity is in place of the function that implements the row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

import rise
import strategies.fireiron.copies
import strategies.fireiron.derivation
import strategies.fireiron.schedule
from elevate import StrategyError, Success, id_
from rise import RiseError
from rise.terms import Expr
from shine.front.claims import check_claims
from strategies.fireiron import (
    FR,
    GL,
    RF,
    SH,
    A,
    B,
    Block,
    ColMajor,
    Kernel,
    Lane,
    MatMul,
    Move,
    Schedule,
    Strided,
    Thread,
    Warp,
)
from strategies.fireiron.steps import DoneStep, EpilogStep, LoadStep, MmaStep, SplitStep
from strategies.fireiron.tiles import TileStep
from tests.examples import some
from tests.strategies.fireiron import test_array_kernels as array_kernels
from tests.strategies.fireiron.products import HALF as MIXED
from tests.strategies.fireiron.products import SINGLE, program_for, text_of
from tests.strategies.fireiron.test_micro_kernels import IN_FRAGMENTS, WRONG, WRONG_OF_WARP

SIZES: Final = {"M": 32, "N": 32, "K": 16}
HALF: Final = rise.parse("""
val main = fun(a: M.K.f16, b: K.N.f16 => a |> map(fun(row => transpose(b) |> map(fun(column =>
  zip(row, column) |> map(mul) |> reduce(add, 0.0))))))
""").main
MIXED_FRAGMENTS: Final = IN_FRAGMENTS.mma(16, 8, 16)
Make = Callable[[], Schedule]
derivation: Final = strategies.fireiron.derivation
copies: Final = strategies.fireiron.copies


@dataclass(frozen=True)
class Feature:
    """A row of a table: a check, the function that implements the row, and an identity in place of the function."""

    check: Callable[[], None]
    owner: Any
    name: str
    identity: Any


def method(name: str, check: Callable[[], None]) -> Feature:
    """A step or a refinement with arguments."""

    def unchanged(schedule: Schedule, *arguments: object, **refinements: object) -> Schedule:
        return schedule

    return Feature(check, Schedule, name, unchanged)


def word(name: str, check: Callable[[], None]) -> Feature:
    """A step or a refinement without arguments."""
    return Feature(check, Schedule, name, property(lambda schedule: schedule))


def strategy(name: str, check: Callable[[], None]) -> Feature:
    """A step that a function lowers to a strategy."""
    return Feature(check, derivation, name, lambda *arguments: id_)


def printed(schedule: Schedule, program: Expr | None = None) -> str:
    """The CUDA text of a schedule, which is derived each time."""
    result = schedule.strategy()(program or program_for(schedule))
    assert isinstance(result, Success), result.explain()
    known = {name for name, size in schedule.sizes if isinstance(size, int)}
    sizes = {name: size for name, size in SIZES.items() if name not in known}
    return text_of(result.program, [kernel.code for kernel in schedule.kernels], **sizes)


def contains(make: Make, *words: str, program: Expr | None = None) -> Callable[[], None]:
    """Check that the text of a schedule has these words."""

    def check() -> None:
        text = printed(make(), program)
        assert [one for one in words if one not in text] == []

    return check


def differ(without: Make, with_it: Make) -> Callable[[], None]:
    """Check that the texts of two schedules differ."""

    def check() -> None:
        assert printed(without()) != printed(with_it())

    return check


def verdict(make: Make, holds: bool, program: Expr = SINGLE) -> Callable[[], None]:
    """Check that the simulator confirms or refutes the only claim of a schedule."""

    def check() -> None:
        assert [claim.holds for claim in check_claims(make(), program)] == [holds]

    return check


def rejected(make: Make) -> Callable[[], None]:
    """Check that a schedule derives, and its kernel is rejected, since threads read the registers of others."""

    def check() -> None:
        code = ""
        try:
            printed(make())
        except RiseError as error:
            code = error.diagnostic.code
        assert code == "registers"

    return check


HELD: Final = Move.tile(4, 4).to(Thread)


def start(store: Schedule | None = None, init: Schedule | None = None) -> Schedule:
    return MatMul.tile(16, 16).to(Block).epilog(RF, init, store).split(4)


def loaded(store: Schedule | None = None) -> Schedule:
    return start(store).load(A, SH).load(B, SH)


def finished(schedule: Schedule) -> Schedule:
    """The remaining steps of a schedule whose block has 4 x 4 threads."""
    tiles = schedule.tile(4, 4).to(Thread) if schedule.residual.unit == Block else schedule
    return tiles.split(1).load(A, RF).load(B, RF).tile(1, 1).done


def shared() -> Schedule:
    """Four warps that share the sum of a block, each with sums of its own."""
    parts = MatMul.tile(16, 16).to(Block).split(2, 8).to(Warp).epilog(RF).split(2).load(A, SH).load(B, SH)
    return parts.tile(4, 2).to(Lane)


def plain() -> Schedule:
    return finished(loaded())


def without_copies() -> Schedule:
    """Units only compute, and copy nothing."""
    return MatMul.tile(16, 16).to(Block).tile(4, 4).to(Thread).tile(1, 1).done


def in_warps() -> Schedule:
    return finished(loaded().tile(16, 8).to(Warp).tile(4, 4).to(Lane))


def moved(move: Schedule) -> Schedule:
    """`plain` with another move of A."""
    return finished(start().load(A, SH, move).load(B, SH))


def copied(refine: Callable[[Schedule], Schedule]) -> Schedule:
    """`plain` with a refinement of the copy of A."""
    return finished(refine(start().load(A, SH)).load(B, SH))


def tiled(tile: Callable[[Schedule], Schedule]) -> Schedule:
    """`plain` with other tiles of threads."""
    return finished(tile(loaded()))


def one_fragment() -> Schedule:
    return (
        MatMul.tile(32, 32).to(Block).epilog(FR).split(16).tile(16, 16).to(Warp).load(A, FR).load(B, FR).done
    )


def in_tiles_of(m: int, n: int, k: int) -> Schedule:
    """A warp's product in tiles of a matrix instruction."""
    return MatMul.tile(32, 32).to(Block).epilog(FR).split(16).tile(32, 32).to(Warp).mma(m, n, k).done


#: the rows of the tables; of a row with several members, one for each
FEATURES: Final[dict[str, Feature]] = {
    # specifications, with their sizes, locations and units
    "MatMul(M,N,K)": method(
        "__call__",
        contains(
            lambda: (
                MatMul("M", "N", 16).tile(16, 16).to(Block).load(A, SH).tile(4, 4).to(Thread).tile(1, 1).done
            ),
            "a_tile[256]",
        ),
    ),
    "Move(src -> dst)": Feature(
        contains(lambda: moved(Move.tile(1, 4).to(Thread).vector), "vec<float, 4>"),
        strategies.fireiron.schedule,
        "_move",
        lambda move: (),
    ),
    "Kernel": method("to", contains(plain, "blockIdx.x")),
    "Block": method("to", contains(plain, "blockIdx.y")),
    "Warp": method("to", contains(in_warps, "warp")),
    "Thread": method("to", contains(without_copies, "threadIdx.y")),
    "Lane": method("to", contains(in_warps, "lane")),
    "GL": method("load", contains(plain, "= a[")),
    "SH": method("load", contains(plain, "__shared__", "a_tile")),
    "RF": method("load", contains(plain, "a_registers", "b_registers")),
    "FR": method("load", contains(one_fragment, "A_fragment", "B_fragment")),
    # executable specifications
    "FFMA": Feature(contains(plain, "fmaf("), derivation, "_done", lambda place, spec: (place, id_)),
    "HFMA": Feature(
        contains(plain, "__hfma(", program=HALF), derivation, "_done", lambda place, spec: (place, id_)
    ),
    "wmma::mma_sync": strategy("_fragments", contains(one_fragment, "mma_sync(")),
    "mma.sync": strategy(
        "_fragments", contains(lambda: in_tiles_of(16, 8, 16), "mma.sync.aligned.m16n8k16.row.col.f32")
    ),
    "HMMA.884": strategy(
        "_fragments",
        contains(
            lambda: in_tiles_of(16, 16, 4),
            "mma.sync.aligned.m8n8k4.row.col.f16",
            "fragments[4][8]",
            program=HALF,
        ),
    ),
    "micro-kernel": strategy("CallMicroKernel", verdict(lambda: plain()(WRONG), False)),
    "micro-kernel of a warp": strategy(
        "CallOnFragments",
        verdict(lambda: MIXED_FRAGMENTS.done(WRONG_OF_WARP), False, MIXED),
    ),
    "micro-kernel of a thread's tile": strategy(
        "CallOnArrays",
        contains(lambda: array_kernels.held().done(array_kernels.TILE), " tile(&tiles"),
    ),
    "micro-kernel of a move": Feature(
        contains(
            lambda: array_kernels.held(move=Move.done(array_kernels.HOLD)).done, "load_tile(&a_registers"
        ),
        copies,
        "CallOnArrays",
        lambda *arguments, **options: id_,
    ),
    ".done": word("done", contains(plain, "fmaf(")),
    ".done(code)": method("__call__", verdict(lambda: plain()(WRONG), False)),
    # decompositions
    "tile(r, c)": method("tile", differ(plain, lambda: tiled(lambda rest: rest.tile(2, 4).to(Thread)))),
    "load(M, loc, d)": method("load", differ(lambda: finished(start()), plain)),
    "split(k)": method("split", contains(plain, "for (int a_column_step = 0; a_column_step < 4;")),
    "split(k) among units": Feature(
        contains(lambda: finished(shared()), "float tiles[1024]", "for (int a_column_strip = 0;"),
        derivation,
        "_share",
        lambda place, step: (place, id_),
    ),
    "epilog(loc, ..)": method("epilog", contains(plain, "float tiles[16]")),
    "epilog(.., init, ..)": Feature(
        rejected(lambda: finished(start(init=HELD.layout(ColMajor)).load(A, SH).load(B, SH))),
        Schedule,
        "epilog",
        lambda schedule, location, init=None, store=None: schedule.then(EpilogStep(location)),
    ),
    "epilog(.., store)": strategy("_stored", differ(plain, lambda: finished(loaded(Move.stage(SH))))),
    "mmaTile": word(
        "mmaTile",
        contains(
            lambda: MatMul.tile(32, 32).to(Block).epilog(FR).split(16).tile(32, 16).to(Warp).mmaTile.done,
            "fragments[2]",
        ),
    ),
    # refinements of tiles
    "to": method(
        "to",
        differ(
            lambda: tiled(lambda rest: rest.tile(8, 8).to(Thread).tile(4, 4)),
            lambda: tiled(lambda rest: rest.tile(8, 8).tile(4, 4).to(Thread)),
        ),
    ),
    "unroll": word("unroll", differ(lambda: moved(HELD.tile(2, 2)), lambda: moved(HELD.tile(2, 2).unroll))),
    "layout": method(
        "layout", differ(plain, lambda: tiled(lambda rest: rest.tile(4, 4).to(Thread).layout(ColMajor)))
    ),
    "swizzle": method(
        "swizzle",
        differ(  # a swizzle in the usual order numbers threads in one dimension as well
            lambda: tiled(lambda rest: rest.tile(4, 4).to(Thread).swizzle(0, 1, 2, 3)),
            lambda: tiled(lambda rest: rest.tile(4, 4).to(Thread).swizzle(2, 0, 1, 3)),
        ),
    ),
    "tile(Strided(..))": strategy(
        "strided", differ(plain, lambda: tiled(lambda rest: rest.tile(Strided((2, 8), (2, 8))).to(Thread)))
    ),
    # refinements of loads
    "noSync": word("noSync", verdict(lambda: copied(lambda copy: copy.noSync), True)),
    "storageLayout": method(
        "storageLayout", differ(plain, lambda: copied(lambda copy: copy.storageLayout(ColMajor)))
    ),
    "toColMajor": word("toColMajor", differ(plain, lambda: copied(lambda copy: copy.toColMajor))),
    "toRowMajor": word(
        "toRowMajor",
        differ(
            lambda: copied(lambda copy: copy.storageLayout(ColMajor)),
            lambda: copied(lambda copy: copy.storageLayout(ColMajor).toRowMajor),
        ),
    ),
    "pad": method("pad", differ(plain, lambda: copied(lambda copy: copy.pad(1)))),
    "align": method("align", differ(plain, lambda: copied(lambda copy: copy.align(8)))),
    "reuseBuffer": word("reuseBuffer", verdict(lambda: copied(lambda copy: copy.reuseBuffer), False)),
    # refinements of splits
    "unroll of a split": word(
        "unroll",
        differ(
            plain,
            lambda: loaded().tile(4, 4).to(Thread).split(1).unroll.load(A, RF).load(B, RF).tile(1, 1).done,
        ),
    ),
    "sync": word("sync", verdict(lambda: finished(start().sync.load(A, SH).load(B, SH)), True)),
}


@pytest.mark.parametrize("row", some(FEATURES, 5))
def test_the_effect_of_a_row_is_seen_and_its_absence_too(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    feature = FEATURES[row]
    feature.check()
    monkeypatch.setattr(feature.owner, feature.name, feature.identity)
    with pytest.raises((AssertionError, StrategyError)):
        feature.check()


#: refinements that the paper does not have
BEYOND: Final = {"vector"}


def test_each_step_and_refinement_of_the_paper_has_a_row() -> None:
    named = {re.split(r"\W", row.removeprefix("."))[0] for row in FEATURES}
    steps = (TileStep, LoadStep, SplitStep, EpilogStep, MmaStep, DoneStep)
    wanted = {name for step in steps for name in (step.name, *step.refinements)} | {"Move", "MatMul"}
    wanted |= {unit.name for unit in (Kernel, Block, Warp, Thread, Lane)}
    wanted |= {location.name for location in (GL, SH, RF, FR)}
    assert wanted - BEYOND - named == set()


def without(function: Callable[..., Any], at: int = 0, **changes: Any) -> Callable[..., Any]:
    """A function that takes one of its arguments, a step, without a refinement."""

    def called(*arguments: Any, **options: Any) -> Any:
        before, step, after = arguments[:at], arguments[at], arguments[at + 1 :]
        return function(*before, replace(step, **changes), *after, **options)

    return called


#: functions of derivations without what rows state; they leave all else of the schedules as it is
IGNORED: Final[dict[str, tuple[Any, str, Any]]] = {
    **{
        unit: (derivation, "levels_of", without(derivation.levels_of, unit=None))
        for unit in ("Kernel", "Block", "Warp", "Thread", "Lane", "to")
    },
    "Move(src -> dst)": (derivation, "copyInTiles", lambda steps, *rest: copies.copyInTiles((), *rest)),
    "unroll": (copies, "levels_of", without(copies.levels_of, unrolled=False)),
    "unroll of a split": (derivation, "_split", without(derivation._split, 1, unrolled=False)),
    "layout": (derivation, "levels_of", without(derivation.levels_of, order="rows")),
    "swizzle": (derivation, "swaps_of_units", without(derivation.swaps_of_units, bits=())),
    "tile(Strided(..))": (derivation, "strided", lambda place, rows, columns: id_),
    "pad": (derivation, "_shared", without(derivation._shared, 1, room=0)),
    "align": (derivation, "_shared", without(derivation._shared, 1, multiple=1)),
    "storageLayout": (derivation, "_shared", without(derivation._shared, 1, order="rows")),
    "toColMajor": (derivation, "_shared", without(derivation._shared, 1, order="rows")),
    "toRowMajor": (derivation, "_shared", without(derivation._shared, 1, order="rows")),
    "epilog(.., store)": (derivation, "_stored", lambda place, steps: id_),
}


@pytest.mark.parametrize("row", some(IGNORED, 5))
def test_a_derivation_that_ignores_a_row_is_seen(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, ignoring = IGNORED[row]
    monkeypatch.setattr(owner, name, ignoring)
    with pytest.raises(AssertionError):
        FEATURES[row].check()
