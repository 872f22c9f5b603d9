"""`shine check-derivation` of a strategy, of a saved derivation, and of a modified one."""

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.commands import EXAMPLES, shine

SEQUENTIAL = ("--strategy", "strategies.sequential:sequential")


def test_the_steps_of_a_strategy_are_checked() -> None:
    said = shine("check-derivation", EXAMPLES / "dot.rise", *SEQUENTIAL)
    assert said.status == 0, said.err
    assert "checked for all sizes and inputs: the result computes what was given" in said.out
    facts = shine("check-derivation", EXAMPLES / "dot.rise", *SEQUENTIAL, "--json").facts
    assert facts["checked"] and facts["parts"] == [[1, facts["steps"]]]


def test_a_saved_derivation_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    shine("show", EXAMPLES / "dot.rise", "--stage", "derivation", *SEQUENTIAL, "--output", file)
    said = shine("check-derivation", EXAMPLES / "dot.rise", "--strategy", file)
    assert said.status == 0, said.err
    file.write_text(file.read_text().replace('"after": "', '"after": "0', 1))
    said = shine("check-derivation", EXAMPLES / "dot.rise", "--strategy", file)
    assert said.status == 1
    assert said.err.startswith("error[")
    assert "step 1" in said.err


def test_a_wrong_step_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrong_step.py").write_text(
        "from elevate import topDown\nfrom strategies import rule\n"
        'wrong = rule("map f (map g xs) = map (g . f) xs", why="Wrong.")\nstrategy = topDown(wrong)\n'
    )
    program = tmp_path / "maps.rise"
    program.write_text("val main = fun(xs: N.f32 => xs |> map(exp) |> map(neg))\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    said = shine("check-derivation", program, "--strategy", "wrong_step:strategy")
    assert said.status == 1
    assert said.err.startswith("error[wrong-step]: step 1 (wrong) changes what the program computes where N=")
    code = said.err.partition("to see it, run\n")[2].partition("\nhint:")[0]
    seen: dict[str, Any] = {}
    exec(textwrap.dedent(code), seen)
    assert not np.allclose(seen["before"], seen["after"])


def test_a_step_that_may_be_right_was_tried_at_small_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hard_step.py").write_text(
        "from elevate import FloatClass, topDown\nfrom strategies import rule\n"
        'hard = rule("sub x y = add x (mul y (cast (0 - (1 : i32))))", why="Right.")\nstrategy = topDown(hard)\n'
    )
    program = tmp_path / "differences.rise"
    program.write_text("val main = fun(xs: N.f32 => xs |> map(fun(x => x - 2.0)))\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    said = shine("check-derivation", program, "--strategy", "hard_step:strategy")
    assert said.status == 1
    assert said.err.startswith(
        "error[not-checked]: expected every step to be checked, found step 1 (hard) unchecked: "
    )
    assert "note: both programs agree on 20 small inputs" in said.err
