"""`shine check-translation`: kernels that equal their low-level programs, and programs that cannot be compared."""

from pathlib import Path

from tests.cli.commands import EXAMPLES, shine


def test_the_kernel_and_the_imperative_program_are_compared() -> None:
    said = shine("check-translation", EXAMPLES / "softmax.rise", "--count", "2")
    assert said.status == 0, said.err
    assert said.out.startswith("softmax on openmp\n    interpret: equal in all ")
    assert "    openmp: equal in all " in said.out
    assert "linear functions stand for div, exp" in said.out
    again = shine("check-translation", EXAMPLES / "softmax.rise", "--count", "2", "--json")
    one, other = again.facts["checks"]
    assert (one["target"], other["target"]) == ("interpret", "openmp")
    assert one["numbers"] == other["numbers"]
    assert one["integers"] and one["functions"] == ["div", "exp"]


def test_programs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    program = tmp_path / "conjugate.rise"
    program.write_text("val main = fun(xs: N.c64 => xs |> map(conj))\n")
    said = shine("check-translation", program)
    assert said.status == 1
    assert said.err.startswith(
        "error[no-integers]: expected numbers that integers can stand for, found complex numbers"
    )
    assert shine("check-translation", program, "--count", "0").status == 2
