"""`shine explain`, profiles, and derivations as files: their output, and that written files can be read back."""

from pathlib import Path

import pytest

from tests.cli.commands import EXAMPLES, shine

GEMM, DOT = EXAMPLES / "gemm.rise", EXAMPLES / "dot.rise"
PARALLEL = ("--strategy", "strategies.openmp:parallel")
FUSION = ("--strategy", "strategies.rules.fusion:mapFusion")
MODULE = """
from elevate import rule, topDown
from strategies.rules.movement import splitJoin
cut = topDown(splitJoin(4)) >> topDown(splitJoin(3))
@rule
def broken(term):
    raise ZeroDivisionError("oh")
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "explained.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_strategy_that_applies_is_reported() -> None:
    said = shine("explain", GEMM, *PARALLEL)
    assert said.status == 0 and "applies to `gemm` in" in said.out


def test_a_failure_shows_its_tree_and_its_place() -> None:
    said = shine("explain", GEMM, *FUSION)
    assert said.status == 0
    for part in (
        "mapFusion does not apply to `gemm`",
        "expected map f (map g xs)",
        "was tried at the root:",
        "hint:",
    ):
        assert part in said.out
    facts = shine("explain", GEMM, *FUSION, "--json").facts
    assert facts["kind"] == "failure" and facts["tree"]["reason"] == "does not match"


@pytest.mark.usefixtures("mine")
def test_a_precondition_is_distinguished_from_a_failure_and_a_bug() -> None:
    words = ("explain", DOT, "--size", "N=100", "--strategy", "explained:cut")
    said = shine(*words)
    assert "a precondition of splitJoin(3) is not met" in said.out
    assert "part 2 of 2 failed after 1 step" in said.out
    assert "3 does not divide 25" in said.out
    assert "①" in said.out and "^" in said.out
    assert shine(*words, "--json").facts["kind"] == "precondition"
    bug = shine("explain", DOT, "--strategy", "explained:broken")
    assert bug.status == 1 and "error[rule-raised]: broken raised ZeroDivisionError" in bug.err


def test_a_rule_can_object_to_a_part_of_the_program_and_give_a_hint() -> None:
    choice = ("--strategy", "strategies.choices:storeAt", "-p", "name=weights", "at=rows")
    said = shine("explain", EXAMPLES / "softmax.rise", *choice)
    assert said.status == 0
    assert "no loop around `weights` is called `rows`" in said.out
    assert "objects to the term at 0.0.0.0.1.0.1.0:" in said.out and "①" in said.out
    assert "hint: did you mean `row`?" in said.out
    found = shine("show", EXAMPLES / "softmax.rise", *choice)
    assert found.status == 1 and "hint: did you mean `row`?" in found.err


def test_a_step_is_shown_with_its_place_and_its_bindings() -> None:
    said = shine("explain", DOT, *PARALLEL, "--step", "2", "--json").facts
    assert said["step"] == 2 and said["rule"].startswith("stripReduce")
    assert said["bindings"] and any("①" in line for line in said["place"])
    none = shine("explain", DOT, *PARALLEL, "--step", "999")
    assert none.status == 1 and "expected the number of a step, 1 to" in none.err


def test_a_profile_has_a_row_for_each_rule() -> None:
    facts = shine("show", DOT, *PARALLEL, "--stage", "profile", "--json").facts
    derivation = shine("show", DOT, *PARALLEL, "--stage", "derivation", "--json").facts
    assert sum(row["firings"] for row in facts["rules"]) == derivation["firings"]
    assert sum(row["attempts"] for row in facts["rules"]) == derivation["attempts"]
    assert "gentleBeta" in shine("show", GEMM, *PARALLEL, "--stage", "profile").out


@pytest.mark.parametrize("ending", ["json", "py"])
def test_a_saved_derivation_is_a_strategy(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"d.{ending}"
    assert shine("show", DOT, *PARALLEL, "--stage", "derivation", "--output", path).status == 0
    again = shine("show", DOT, "--strategy", path, "--json").facts
    assert again["program"] == shine("show", DOT, *PARALLEL, "--json").facts["program"]
    assert shine("show", DOT, "--strategy", path, "--size", "N=64").status == 0
    other = shine("show", GEMM, "--strategy", path)
    assert other.status == 1 and "the derivation starts from a different program" in other.err
    parameters = shine("show", DOT, "--strategy", path, "-p", "n=3")
    assert parameters.status == 1 and "takes no parameters" in parameters.err


def test_a_page_and_a_script(tmp_path: Path) -> None:
    page = tmp_path / "d.html"
    assert shine("show", DOT, *PARALLEL, "--stage", "derivation", "--output", page).status == 0
    text = page.read_text()
    assert text.startswith("<!doctype html>") and "liftReduceSeq" in text and "http" not in text
    script = shine("show", DOT, *PARALLEL, "--stage", "derivation", "--script").out
    assert "topDown(splitReduceApart(4096))" in script and "from strategies.rules.reductions import" in script


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--stage", "derivation", "--output", "d.txt"), "expected a .json, .py or .html file"),
        (("--script",), "expected --stage derivation with --script"),
        (("--strategy", "nope.json"), "nope.json cannot be read"),
    ],
)
def test_errors(words: tuple[str, ...], said: str) -> None:
    found = shine("show", DOT, *words)
    assert found.status == 1 and said in found.err
