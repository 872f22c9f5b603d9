"""`shine run` on programs whose results are rows of different lengths: checked, printed and saved as one array."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.cli.commands import shine

ROWS: Final = "fun(a: N..(i |-> (i + 1).f32) => a |> depMap(fun(i: nat, row => RESULT)))"


def program(folder: Path, result: str) -> str:
    path = folder / "rows.rise"
    path.write_text(f"val main = {ROWS.replace('RESULT', result)}")
    return str(path)


@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize("result", ["row |> scan(add, 0.0)", "(row, row |> reduce(max, 0.0))"])
def test_rows_agree_with_the_meaning(count: int, result: str, tmp_path: Path) -> None:
    said = shine("run", program(tmp_path, result), "--verify", "--size", f"N={count}")
    assert said.status == 0, said.err
    assert "verified" in said.out


def test_rows_are_saved_as_they_are_given(tmp_path: Path) -> None:
    given, path = np.arange(6, dtype=np.float32), tmp_path / "found.npy"
    np.save(tmp_path / "given.npy", given)
    text = program(tmp_path, "row |> map(fun(x => x + 1.0))")
    said = shine("run", text, "--input", tmp_path / "given.npy", "--size", "N=3", "--output", path)
    assert said.status == 0, said.err
    assert np.load(path).tolist() == (given + 1).tolist()


def test_a_number_and_rows_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "found.npz"
    text = program(tmp_path, "(row, row |> reduce(max, 0.0))")
    said = shine("run", text, "--size", "N=3", "--output", path)
    assert said.status == 0, said.err
    assert [array.shape for array in np.load(path).values()] == [(6,), (3,)]
