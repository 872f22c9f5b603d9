"""Saved derivations of golden programs: replayed step by step, and derived again.

`python -m tests.strategies.test_process_replay` rewrites them: a change of strategies shows as a difference of steps, a
change of a rule as the first step with a different fingerprint.
"""

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import elevate
import rise
import strategies
from elevate import StrategyError
from elevate.derivations.records import rederive
from strategies.old_addresses import MOVED_OUT, current_address
from strategies.registry import strategies as library
from strategies.saved_derivations import known_rules, load_derivation, read_parameter
from strategies.vocabulary.traversals import isAppliedMap
from tests.examples import some
from tests.strategies import corpus
from tests.strategies.rules.rule_page import addresses

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
EXAMPLES = GOLDEN.parents[1] / "examples"
OLD = GOLDEN.parent / "data" / "derivations" / "of_version_0.1.0.json"
GEMM = ("baseline", "blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "parallel")
#: the golden program, and the strategy that derives it
SAVED = {
    **{f"cpu_gemm_{version}": f"strategies.cpu_gemm:{version}" for version in GEMM},
    "binomial_cbufRot": "strategies.images:cbufRot",
    "gemm_tensor_core": "strategies.tensor_core:tensorCore",
}


def program(name: str) -> Any:
    if name.startswith("binomial"):
        return rise.parse_file(EXAMPLES / "images" / "binomial.rise").main
    return corpus.program("mm" if name.startswith("cpu_gemm") else "gemm")


@cache
def written(name: str) -> str:
    """The current derivation, as it would be saved."""
    derivation = elevate.derive(strategies.load(SAVED[name]), program(name))
    return elevate.to_json(elevate.recording(derivation), {"strategy": SAVED[name], "golden": f"{name}.rise"})


def path(name: str) -> Path:
    return GOLDEN / "derivations" / f"{name}.json"


@pytest.mark.parametrize("name", some(SAVED, 13))
def test_replaying_the_saved_steps_gives_the_saved_programs(name: str) -> None:
    """Only rules are applied, without a strategy: after each step the fingerprint equals the saved one."""
    saved = load_derivation(path(name))
    again = rederive(program(name), saved)
    assert [elevate.fingerprint(one) for one in again.programs()] == [
        saved.given,
        *(one.after for one in saved.records),
    ]
    golden = rise.parse((GOLDEN / f"{name}.rise").read_text(encoding="utf-8")).main
    assert again.result == golden


@pytest.mark.parametrize("name", some(SAVED, 2))
def test_the_strategy_takes_the_saved_steps(name: str) -> None:
    """The whole schedule is pinned, not only its result."""
    saved = path(name).read_text(encoding="utf-8").splitlines()
    for number, (expected, found) in enumerate(zip(saved, written(name).splitlines(), strict=False), 1):
        assert found == expected, f"{path(name).name}:{number}"
    assert written(name).splitlines() == saved


@pytest.mark.parametrize("number", [0, 60, -1])
def test_a_step_that_gives_another_program_is_found(number: int) -> None:
    saved = load_derivation(path("cpu_gemm_blocking"))
    records = list(saved.records)
    records[number] = replace(records[number], after="0" * 20)
    place = number % len(records) + 1
    with pytest.raises(
        StrategyError, match=rf"step {place} .* gives a different program: expected fingerprint 0+,"
    ):
        rederive(program("cpu_gemm_blocking"), replace(saved, records=tuple(records)))


def test_the_addresses_of_modules_that_moved_are_read() -> None:
    text = OLD.read_text(encoding="utf-8")
    assert "strategies.memory:nameSubterm" in text and "strategies.rules.selection:betaPair" in text
    assert load_derivation(OLD) == load_derivation(path("cpu_gemm_arrayPacking"))


def test_predicates_and_strategies_of_moved_modules_are_found() -> None:
    assert read_parameter("strategies.traversals:isAppliedMap") is isAppliedMap
    assert strategies.load("strategies.traversals:isAppliedMap") is isAppliedMap


@pytest.mark.parametrize(
    "address",
    [
        "strategies.lanes:lanes_of",
        "strategies.lowering:isStored",
        "strategies.nests:tileNest",
        "strategies.packed_tiles:packedTiles",
        "strategies.products:hasProductNest",
        "strategies.register_tiles:registerTiles",
        "strategies.staging:stageMatrix",
    ],
)
def test_definitions_of_moved_modules_are_found(address: str) -> None:
    module, name = current_address(*address.split(":"))
    assert hasattr(import_module(module), name)


#: values of the parameters that moved definitions require
REQUIRED: dict[str, dict[str, Any]] = {
    **{name: {"count": 16} for name in ("inHalves", "treeOfLanes", "treeInShared")},
    **{name: {"threads": 64} for name in ("reduceByWarps", "reduceInOrderByThreads", "reduceInBlock")},
    "partialResults": {"lanes": 16},
}


@pytest.mark.parametrize("address", MOVED_OUT)
def test_definitions_that_moved_out_of_a_module_keep_their_address(address: str) -> None:
    parameters = REQUIRED.get(address.partition(":")[2], {})
    assert strategies.load(address, **parameters) == strategies.load(MOVED_OUT[address], **parameters)
    assert address not in library()


def test_every_address_that_a_saved_derivation_may_name_is_read() -> None:
    """The writer of docs/rules.md adds rules to the list, and removes none: rules that are moved or renamed are added
    to the table in strategies/old_addresses.py.
    """
    assert addresses() - known_rules().keys() == set()
    assert known_rules().keys() - addresses() == set(), "python -m tests.strategies.rules.rule_page adds them"


if __name__ == "__main__":
    for each in SAVED:
        path(each).parent.mkdir(exist_ok=True)
        path(each).write_text(written(each), encoding="utf-8")
