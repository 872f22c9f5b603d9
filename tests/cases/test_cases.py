"""Every case computes the same as numpy on each executor: cases/*.rise against cases/answers.py.

The format of a case is described in cases/case_files.py. Independent of programs, and of targets except for their
names.
"""

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
import strategies
from cases.answers import ANSWERS, Expected, exactly
from cases.case_files import Case, HeaderError, Sizes, read_case
from cases.comparison import differences, signature
from cases.inputs import INPUTS, Axes, some_input
from rise.types import DepFunType
from tests.cases.stages import CASES, ROOT, by_default, lowered, program
from tests.examples import SAMPLED, THOROUGH, some

#: the executors of cases: `evaluate`, and targets of shine
EXECUTORS = ("evaluate", "interpret", "openmp", "cuda-sim")
#: the simulator checks every case for races, under one arbitrary order of threads
OPTIONS: dict[str, dict[str, Any]] = {"cuda-sim": {"check": True, "schedule": "random:1"}}
#: the executors that run a case, in turns from case to case; in `whole`, all of them do
TURNS = (("evaluate",), ("openmp",), ("interpret",), ("cuda-sim",), ("evaluate",))
#: the cases each of whose sizes needs its own kernel
OF_KNOWN_SIZES = [case for case in CASES if not case.is_symbolic]


def sizes_for(executor: str, case: Case) -> Sequence[Sizes]:
    """All sizes in soak; otherwise the first or the last, in turns from case to case, and both in `whole`; all of some
    cases for `evaluate`.

    If each size needs its own kernel, the simulator uses the last, and of the other executors one uses the first and
    one the last, in turns from case to case.
    """
    if THOROUGH or (executor == "evaluate" and case in some(CASES, 3)):
        return case.sizes
    ends = list(dict.fromkeys((case.sizes[0], case.sizes[-1])))
    if case.is_symbolic:
        return some(ends, len(ends), first=CASES.index(case) // len(TURNS))
    if executor == "cuda-sim":
        return ends[-1:]
    turn = OF_KNOWN_SIZES.index(case) + EXECUTORS.index(executor)
    return [ends[turn % len(ends)]]


RUNS = [
    (executor, case, sizes)
    for turn, case in enumerate(CASES)
    for executor in EXECUTORS
    if not SAMPLED or executor in TURNS[turn % len(TURNS)]
    for sizes in sizes_for(executor, case)
]
EXAMPLES = sorted((ROOT / "examples").glob("*.rise"))


def name_of(value: Any) -> str:
    if isinstance(value, Case | str):
        return str(value)
    return " ".join(f"{name}={size}".replace(" ", "") for name, size in value)


@pytest.mark.parametrize(("executor", "case", "sizes"), RUNS, ids=name_of)
def test_the_result_is_that_of_numpy(executor: str, case: Case, sizes: Sizes) -> None:
    parameters, result = signature(program(case), sizes)
    for kind in case.inputs:
        rng = np.random.default_rng(zlib.crc32(f"{case} {name_of(sizes)} {kind}".encode()))
        arguments = [some_input(kind, rng, at) for at in parameters]
        expected = ANSWERS[case.name](*arguments)
        found = run(executor, case, sizes, arguments)
        assert differences(found, expected, result) == [], f"inputs: {kind}"


@pytest.mark.parametrize("case", some(CASES, 17, first=2), ids=name_of)
def test_the_target_lowers_it_by_itself(case: Case) -> None:
    """Without a named strategy, that of the target is used, with its own tiles, which are larger than a case's."""
    low = by_default(case, "openmp")
    sizes = case.sizes[-1]
    parameters, expected_as = signature(program(case), sizes)
    rng = np.random.default_rng(zlib.crc32(f"{case} by itself".encode()))
    arguments = [some_input(case.inputs[0], rng, at) for at in parameters]
    low = low if case.is_symbolic else rise.specialise(low, **dict(sizes))
    found = shine.compile(low, target="interpret")(*arguments)
    assert differences(found, ANSWERS[case.name](*arguments), expected_as) == []


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_everything_that_a_case_names_exists(case: Case) -> None:
    assert case.name in ANSWERS
    assert set(case.inputs) <= INPUTS.keys()
    assert str(program(case).type) == case.type
    assert {name for name, _ in case.sizes[0]} == size_names(program(case))
    strategies.load(case.strategy, **dict(case.params))


def test_every_answer_has_its_case() -> None:
    assert {case.name for case in CASES} == ANSWERS.keys()


def test_the_corpus_covers_what_it_should() -> None:
    """Half of the cases are parallel, and at least five have symbolic sizes that are not multiples of the tile."""
    parallel = [case for case in CASES if case.strategy == "strategies.openmp:parallel"]
    assert len(parallel) * 2 >= len(CASES) >= 16
    assert len([case for case in parallel if case.is_symbolic and has_a_remainder(case)]) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_equal_to_the_case_of_its_name(path: Path) -> None:
    example = rise.parse_file(path).main
    assert example == next(program(case) for case in CASES if case.name == path.stem)


def test_there_are_examples() -> None:
    assert EXAMPLES


GOOD = """\
// strategy: strategies.openmp:parallel
// params:   tile=4
// sizes:    M=1 N=2; M=0 N=3
// symbolic: yes
// inputs:   random zeros
// type:     M.f32 -> N.f32

// prose: of the program
val main = 1
"""


def test_a_header_is_read() -> None:
    sizes = ((("M", 1), ("N", 2)), (("M", 0), ("N", 3)))
    expected = Case(
        name="good",
        strategy="strategies.openmp:parallel",
        params=(("tile", 4),),
        sizes=sizes,
        is_symbolic=True,
        inputs=("random", "zeros"),
        type="M.f32 -> N.f32",
        text=GOOD,
    )
    assert read_case("good", GOOD) == expected


def test_a_function_of_sizes_is_read() -> None:
    text = GOOD.replace("M=1 N=2; M=0 N=3", "M=3 N=[2,0,11]; M=0 N=[]")
    assert read_case("good", text).sizes == ((("M", 3), ("N", (2, 0, 11))), (("M", 0), ("N", ())))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("// params:   tile=4", "// of a person", "bad:2: expected `// key: value`, found `// of a person`"),
        ("yes", "", "bad:4: expected `// key: value`, found `// symbolic: `"),
        (
            "params",
            "parms",
            "bad:2: expected one of strategy, params, sizes, symbolic, inputs, type, found `parms`",
        ),
        ("params:   tile=4", "strategy: a:b", "bad:2: expected each key once, found `strategy` again"),
        ("// strategy", "\n// strategy", "bad: expected the key `strategy` in the header, found none"),
        (
            "// inputs:   random zeros\n",
            "",
            "bad: expected the key `inputs` in the header, found strategy, params",
        ),
        ("openmp:", "openmp.", "bad: expected a strategy as module:name, found `strategies.openmp.parallel`"),
        ("strategies.openmp:", ":", "bad: expected a strategy as module:name, found `:parallel`"),
        ("yes", "maybe", "bad: expected symbolic to be yes or no, found `maybe`"),
        ("tile=4", "tile", "bad: expected params as NAME=NUMBER, found `tile`"),
        ("tile=4", "tile=[4]", "bad: expected params as NAME=NUMBER, found `tile=[4]`"),
        ("M=0 N=3", "M=-1 N=3", "bad: expected sizes as NAME=NUMBER or NAME=[NUMBER,...], found `M=-1`"),
        ("M=0 N=3", "M=0 N=[3", "bad: expected sizes as NAME=NUMBER or NAME=[NUMBER,...], found `N=[3`"),
        ("M=0 N=3", "M=0 N=3,1", "bad: expected sizes as NAME=NUMBER or NAME=[NUMBER,...], found `N=3,1`"),
        ("M=0 N=3", "M=0 N=[3,]", "bad: expected sizes as NAME=NUMBER or NAME=[NUMBER,...], found `N=[3,]`"),
        ("M=0 N=3", "", "bad: expected sizes as NAME=NUMBER, found none"),
        ("M=0 N=3", "M=0 M=3", "bad: expected sizes to give each name once, found `M=0 M=3`"),
        ("M=0 N=3", "N=3", "bad: expected sizes for the same names each time, found `M=1 N=2; N=3`"),
    ],
)
def test_a_malformed_header_is_refused(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(HeaderError) as error:
        read_case("bad", GOOD.replace(old, new, 1))
    assert str(error.value).startswith(message)


F32 = np.dtype(np.float32)
NEAR = Expected(np.array([1.0, np.inf, np.nan]), np.array([0.5, 0.0, 0.0]))
RESULTS = [
    (np.array([1.4, np.inf, np.nan], F32), ""),
    (np.array([1.6, np.inf, np.nan], F32), "1 of 3 are wrong; at (0,) expected 1.0 within 0.5"),
    (np.array([1.0, -np.inf, np.nan], F32), "at (1,)"),
    (np.array([1.0, np.inf, 0.0], F32), "at (2,)"),
    (np.array([np.nan, np.inf, np.nan], F32), "at (0,)"),
    (np.array([1.0, np.inf, np.nan]), "expected an array float32(3,), found float64(3,)"),
    (np.array([[1.0, np.inf, np.nan]], F32), "expected an array float32(3,), found float32(1, 3)"),
    ([1.0, np.inf, np.nan], "expected an array float32(3,), found list"),
]


@pytest.mark.parametrize(("found", "message"), RESULTS)
def test_a_wrong_result_is_caught(found: Any, message: str) -> None:
    assert_told(differences(found, NEAR, Axes((3,), "f32")), message)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ((np.array(2**62), np.array(True)), ""),
        ((np.array(2**62 + 1), np.array(True)), "first of result: 1 of 1 are wrong"),
        ((np.array(2**62), np.array(False)), "second of result: 1 of 1 are wrong"),
        (np.array(2**62), "result: expected a pair, found ndarray"),
        ((np.array(2**62),), "result: expected a pair, found tuple"),
    ],
)
def test_a_wrong_pair_is_caught(found: Any, message: str) -> None:
    expected = (exactly(2**62), exactly(True))
    assert_told(differences(found, expected, (Axes((), "i64"), Axes((), "bool"))), message)


ROWS = [np.array([1.0], F32), np.array([], F32), np.array([2.0, 3.0], F32)]
RAGGED = [
    (ROWS, ""),
    (ROWS[:2], "result: expected a list of 3 rows, found a list of 2"),
    (np.array([1.0, 2.0, 3.0], F32), "result: expected a list of 3 rows, found ndarray"),
    ([ROWS[0], ROWS[0], ROWS[2]], "row 1 of result: expected an array float32(0,), found float32(1,)"),
    ([ROWS[0], ROWS[1], ROWS[2] * 2], "row 2 of result: 2 of 2 are wrong; at (0,) expected 2.0 within 0.0"),
]


@pytest.mark.parametrize(("found", "message"), RAGGED)
def test_wrong_rows_are_caught(found: Any, message: str) -> None:
    expected = exactly(np.array([1.0, 2.0, 3.0]))
    assert_told(differences(found, expected, Axes((3,), "f32", lengths=(1, 0, 2))), message)


def assert_told(told: list[str], message: str) -> None:
    if message:
        assert len(told) == 1 and message in told[0]
    else:
        assert told == []


def run(executor: str, case: Case, sizes: Sizes, arguments: list[Any]) -> Any:
    if executor == "evaluate":
        return rise.evaluate(program(case), *arguments)
    return kernel(case, () if case.is_symbolic else sizes, executor)(*arguments)


@cache
def kernel(case: Case, sizes: Sizes, target: str) -> Any:
    """The compiled case, specialised for `sizes`."""
    low = rise.specialise(lowered(case, target), **dict(sizes))
    return shine.compile(low, target=target, **OPTIONS.get(target, {}))


def size_names(e: rise.Expr) -> set[str]:
    rest: Any = e.type
    names = set()
    while isinstance(rest, DepFunType):
        names.add(rest.name)
        rest = rest.result
    return names


def has_a_remainder(case: Case) -> bool:
    """Whether the first size of some run is not a multiple of the tile."""
    tile = dict(case.params)["tile"]
    return any(sizes[0][1] % tile for sizes in case.sizes)
