"""`shine prove` and `shine list rules --proofs`: verdicts, counterexamples, and files that define no rules."""

from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from strategies.testing import check
from tests.cli.commands import shine
from tests.examples import examples

HEAD = "from strategies import family, rule\n"
FUSION = 'mapFusion = rule("map f (map g xs) = map (f . g) xs", why="One loop.")\n'
BLOCKS = (
    'cut = family("map f (xs : n.e) = join (map (map f) (split t xs))", parameters=("t",), why="Blocks.")\n'
)
WRONG = 'wrong = rule("map (map f) (transpose xs) = map (map f) xs", why="Wrong.")\n'


def written(folder: Path, *rules: str) -> Path:
    file = folder / "my_rules.py"
    file.write_text(HEAD + "".join(rules))
    return file


def test_rules_of_a_file_are_proved(tmp_path: Path) -> None:
    said = shine("prove", written(tmp_path, FUSION))
    assert said.status == 0, said.err
    assert said.out == "mapFusion  proved for all sizes\n    map f (map g xs) = map (f . g) xs\n"


def test_a_wrong_rule_has_a_counterexample(tmp_path: Path) -> None:
    said = shine("prove", written(tmp_path, FUSION, WRONG))
    assert said.status == 1
    assert "mapFusion  proved for all sizes" in said.out
    assert "wrong  not proved: stopped at " in said.out
    assert said.err.startswith("error[wrong-rule]: wrong changes what a program computes where ")
    assert "rise.evaluate" in said.err


def test_a_rule_with_stronger_conditions_on_sizes_is_not_proved(tmp_path: Path) -> None:
    with patch("strategies.testing.check", partial(check, examples=examples(40))):
        said = shine("prove", written(tmp_path, BLOCKS))
    assert said.status == 1
    assert "its right side demands that t divides n, which its left side does not" in said.out
    assert said.err.startswith("error[wrong-rule]: the right side of cut(2) demands that t divides n, ")
    stated = BLOCKS.replace("why=", 'demands=("t divides n",), why=')
    said = shine("prove", written(tmp_path, stated), "--json")
    assert said.status == 0
    ((facts,),) = (one["equations"] for one in said.facts["rules"])
    assert facts["proved"]
    assert "t divides n" in facts["demands"]


def test_a_rule_that_is_not_proved_is_tested(tmp_path: Path) -> None:
    with patch("strategies.testing.check", partial(check, examples=examples(40))):
        said = shine(
            "prove", written(tmp_path, 'zero = rule("exp (x : f32) = exp (x + 0.0)", why="Right.")\n')
        )
    assert said.status == 1
    assert "tested: no counterexample in " in said.out
    assert said.err.startswith("error[not-proved]: expected rules that are proved, found no proof of zero")


def test_laws_of_numbers_name_their_types(tmp_path: Path) -> None:
    law = 'halved = rule("(x : i8) + x - x = x", why="Wraps.")\n'
    said = shine("prove", written(tmp_path, law))
    assert said.status == 0, said.err
    assert said.out.startswith("halved  proved for all sizes at i8, by ")
    wrong = 'rounded = rule("(x : i8) / 2 * 2 = x", why="Wrong.")\n'
    said = shine("prove", written(tmp_path, wrong))
    assert said.status == 1
    assert said.err.startswith("error[wrong-rule]: rounded changes what a program computes: wrong at i8\n")
    assert "before = rise.evaluate(" in said.err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "no-rules"),
        ("x = 1\n", "no-rules"),
        ("raise ValueError(3)\n", "broken-strategy"),
        ("def f(:\n", "broken-strategy"),
        ("import sys\nsys.exit(0)\n", "broken-strategy"),
        (HEAD + 'r = rule("map f = ", why="No right side.")\n', "syntax"),
    ],
)
def test_files_without_rules_are_refused(tmp_path: Path, text: str | None, code: str) -> None:
    file = tmp_path / "my_rules.py"
    if text is not None:
        file.write_text(text)
    said = shine("prove", file)
    assert said.status == 1
    assert said.err.startswith(f"error[{code}")
    assert "Traceback" not in said.err
    assert said.out == ""


def test_a_folder_is_named_as_it_was_written() -> None:
    assert shine("prove", ".").err.startswith(
        "error[no-rules]: expected a Python file that defines rules, found .\n"
    )


def test_the_rules_of_the_library_are_listed_with_proofs() -> None:
    said = shine("list", "rules", "mapFusion", "--proofs")
    assert said.status == 0
    assert "    map f (map g xs) = map (f . g) xs\n      proved for all sizes\n" in said.out
    facts = shine("list", "rules", "splitJoinPadded", "--proofs", "--json").facts["rules"]
    assert facts[0]["proofs"][0]["demands"] == ["t >= 1"]


def test_only_rules_are_proved() -> None:
    said = shine("list", "targets", "--proofs")
    assert said.status == 1
    assert said.err.startswith("error[options]: expected --proofs with rules, found it with targets")
