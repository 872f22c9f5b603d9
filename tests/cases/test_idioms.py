"""Idioms compute the same as numpy at tiny sizes; each program of the public collections has an idiom, or a reason why
not. Does not measure time.
"""

import json
import pickle
from pathlib import Path

import pytest

import elevate
import rise
import shine
import strategies
from cases.idioms import IDIOMS, REDUCTIONS, WORDS
from cases.idioms.sources import COLLECTIONS, EVERYDAY, NOT_COVERED
from tests.examples import THOROUGH, some

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
STRATEGY = shine.TARGETS["openmp"].strategy
#: tracing these takes seconds, and deriving and compiling them takes longer
LONG = (
    ()
    if THOROUGH
    else ("accumulated", "cavity_flow", "channel_flow", "heat_3d", "most_frequent", "stockham_fft")
)
USUAL = [name for name in IDIOMS if name not in LONG]
ALL = {**IDIOMS, **REDUCTIONS, **WORDS}


@pytest.mark.parametrize("name", [*some(USUAL, 8), *some(list(REDUCTIONS), 6), *some(list(WORDS), 14)])
def test_the_meaning_is_that_of_numpy(name: str) -> None:
    idiom = ALL[name]
    program = idiom.program()
    arguments = idiom.arguments(program, idiom.tiny)
    assert idiom.wrong(rise.evaluate(program.main, *arguments), idiom.reference(arguments)) == []


@pytest.mark.parametrize(
    "name", some([*some(USUAL, 25, first=1), *some(list(REDUCTIONS), 12), *some(list(WORDS), 25)], 2)
)
def test_the_kernel_by_default_is_right(name: str) -> None:
    idiom = ALL[name]
    program = idiom.program()
    result = strategies.load(STRATEGY)(program.main)
    assert isinstance(result, elevate.Success)
    kernel = shine.compile(result.program, target="openmp" if THOROUGH else "interpret")
    arguments = idiom.arguments(program, idiom.tiny)
    assert idiom.wrong(kernel(*arguments), idiom.reference(arguments)) == []


@pytest.mark.parametrize("name", some(USUAL, 18, first=2))
def test_numpy_does_not_change_the_arguments(name: str) -> None:
    """The program and numpy run on the same arrays, many times."""
    idiom = IDIOMS[name]
    arguments = idiom.arguments(idiom.program(), idiom.tiny)
    before = pickle.dumps(arguments)
    idiom.plain(*arguments)
    assert pickle.dumps(arguments) == before


def test_a_wrong_result_is_noticed() -> None:
    idiom = IDIOMS["leaky"]
    arguments = idiom.arguments(idiom.program(), idiom.tiny)
    expected = idiom.reference(arguments)
    assert idiom.wrong(expected, expected) == []
    assert idiom.wrong(expected + 1e-3, expected)
    assert idiom.wrong(expected[1:], expected)
    assert idiom.wrong((expected, expected), expected)


def test_the_sizes_are_those_of_the_program() -> None:
    for name in some(USUAL, 12):
        idiom = IDIOMS[name]
        assert idiom.large.keys() == idiom.small.keys() == idiom.tiny.keys()
        rise.specialise(idiom.program().main, **idiom.tiny)


def test_each_program_of_a_collection_has_an_idiom_or_a_reason() -> None:
    """A note in parentheses says which part of a program an idiom covers."""
    said = [idiom.source.partition(" (")[0] for idiom in IDIOMS.values()]
    covered = {source for source in said if source != EVERYDAY}
    assert covered.isdisjoint(NOT_COVERED)
    assert covered | NOT_COVERED.keys() == set(COLLECTIONS)
    assert said.count(EVERYDAY) >= 30


def test_each_word_was_measured_against_numpy() -> None:
    table = json.loads((RESULTS / "words_rows.json").read_text(encoding="utf-8"))["tables"][0]
    assert {(row[0], row[2]) for row in table["rows"]} == {
        (name, size) for name in WORDS for size in ("large", "small")
    }


@pytest.mark.parametrize("name", some(list(WORDS), 17, first=1))
def test_a_word_runs_on_every_target(name: str) -> None:
    idiom = WORDS[name]
    program = idiom.program()
    arguments = idiom.arguments(program, idiom.tiny)
    expected = idiom.reference(arguments)
    for target in ("openmp", "interpret", "cuda-sim"):
        kernel = shine.compile(program, target=target)
        assert idiom.wrong(kernel(*arguments), expected) == [], target
