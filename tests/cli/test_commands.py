"""The commands: their output, files and exit status. Depends on the names of examples."""

import ctypes
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from shine.cli import execution
from shine.cli.options import Kind, Stage
from shine.cli.words import spread
from tests.cli.commands import EXAMPLES, shine
from tests.examples import in_whole, some

GEMM = EXAMPLES / "gemm.rise"
DOT = EXAMPLES / "dot.rise"
SEQUENTIAL = ("--strategy", "strategies.sequential:sequential")
ALL = sorted(EXAMPLES.glob("*.rise"))


@pytest.mark.parametrize("path", some(ALL, 13), ids=lambda path: path.stem)
def test_every_example_passes_verify(path: Path) -> None:
    """The target's own strategy passes `--verify` at sizes that are not multiples of a tile."""
    checked = shine("check", path, "--json")
    assert checked.status == 0, checked
    names = [name for name in "MNKDEHW" if f"{{{name}: nat}}" in checked.facts["definitions"][-1]["type"]]
    sizes = [word for place, name in enumerate(names) for word in ("--size", f"{name}={3 + 2 * place}")]
    for given in ([], sizes):
        said = shine("run", path, "--verify", "--json", *given)
        assert said.status == 0, said
        assert said.facts["verify"]["error"] <= said.facts["verify"]["tolerance"]


def test_check_shows_types_and_conditions(tmp_path: Path) -> None:
    path = tmp_path / "sums.rise"
    path.write_text("val sums = fun(xs: N.f32 => xs |> split(4) |> map(reduce(add, 0.0)))", encoding="utf-8")
    said = shine("check", path)
    assert said.status == 0
    assert said.out.startswith("sums : {N: nat} -> N.f32 -> (N /^ 4).f32\n")
    assert "    needs 4 divides N" in said.out
    assert shine("check", path, *SEQUENTIAL).out.endswith("steps\n")
    assert shine("check", path, "--size", "N=8").out.startswith("sums : 8.f32 -> 2.f32")


def test_check_and_show_print_the_types_of_print_type(tmp_path: Path) -> None:
    path = tmp_path / "sums.rise"
    path.write_text(
        'val sums = fun(xs: N.f32 => xs |> printType("xs") |> reduce(add, 0.0))', encoding="utf-8"
    )
    assert "note 1:35: xs : N.f32" in shine("check", path).out
    assert shine("check", path, "--json").facts["notes"] == ["1:35: xs : N.f32"]
    assert "// 1:35: xs : N.f32\n" in shine("show", path, "--stage", "high").out


def test_check_shows_the_conditions_of_a_strategy(tmp_path: Path) -> None:
    """Conditions of the original program are not repeated."""
    path = tmp_path / "sums.rise"
    path.write_text("val sums = fun(xs: N.f32 => xs |> split(4) |> map(reduce(add, 0.0)))", encoding="utf-8")
    (tmp_path / "blocks_of.py").write_text(
        "from elevate import topDown\n"
        "from strategies.sequential import sequential\n"
        "from strategies.rules.movement import splitJoin\n"
        "def blocks(n):\n"
        "    return topDown(splitJoin(n)) >> sequential\n",
        encoding="utf-8",
    )
    with patch.object(sys, "path", [*sys.path, str(tmp_path)]):
        words = ("check", path, "--strategy", "blocks_of:blocks", "-p", "n=8")
        said, facts = shine(*words), shine(*words, "--json").facts
    assert said.status == 0, said
    lines = said.out.splitlines()
    assert lines[1] == "    needs 4 divides N: split(4) needs it"
    assert lines[-1] == "    needs 32 divides N: split(8) needs it"
    assert facts["strategy_needs"] == [{"condition": "32 divides N", "reason": "split(8) needs it"}]
    assert facts["definitions"][0]["needs"] == [{"condition": "4 divides N", "reason": "split(4) needs it"}]
    assert shine("check", path, *SEQUENTIAL, "--json").facts["strategy_needs"] == []


def test_an_unusable_output_path_is_rejected_before_the_run(tmp_path: Path) -> None:
    path = tmp_path / "both.rise"
    path.write_text("val both = fun(x: f32, y: f32 => pair(x, y))", encoding="utf-8")
    with patch.object(execution, "call", side_effect=AssertionError("it runs")):
        for place in ("d.npy", "d.txt", "nowhere/d.npz"):
            said = shine("run", path, *SEQUENTIAL, "--output", tmp_path / place)
            assert (said.status, said.out) == (1, ""), place
            assert said.err.startswith("error[file]: expected a")
    assert shine("run", path, *SEQUENTIAL, "--output", tmp_path / "d.npz").status == 0


@pytest.mark.parametrize("stage", Stage)
def test_every_stage_is_shown(stage: Stage) -> None:
    said = shine("show", GEMM, "--stage", stage, *SEQUENTIAL)
    wanted = {
        Stage.HIGH: "|> map(fun(ab:",
        Stage.DERIVATION: "reduceMapFusion",
        Stage.PROFILE: "firings",
        Stage.LOW: "|> mapSeq(fun(ac:",
        Stage.PASSES: "refuse_deep_nests",
        Stage.IMPERATIVE: "for k < K (seq)",
        Stage.SOURCE: "int gemm(",
    }
    assert said.status == 0, said
    assert wanted[stage] in said.out
    assert "\x1b" not in said.out
    assert shine("show", GEMM, "--stage", stage, *SEQUENTIAL, "--json").facts["stage"] == stage


def test_lines_fit_a_narrow_terminal() -> None:
    said = shine("show", GEMM, "--stage", "derivation", *SEQUENTIAL, width=60)
    assert max(map(len, said.out.split("\n"))) <= 72  # a binder and its type stay on one line
    assert said.out != shine("show", GEMM, "--stage", "derivation", *SEQUENTIAL, width=120).out


def test_compile_writes_source_and_library(tmp_path: Path) -> None:
    source, library = tmp_path / "dot.c", tmp_path / "dot.so"
    assert shine("compile", DOT, *SEQUENTIAL, "-o", source).status == 0
    assert shine("compile", DOT, *SEQUENTIAL, "-o", library).status == 0
    assert "int dot(" in source.read_text(encoding="utf-8")
    assert ctypes.CDLL(str(library)).dot
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dot.c", "dot.so"]


def test_compile_replaces_existing_files_only_if_it_succeeds(tmp_path: Path) -> None:
    place = tmp_path / "dot.c"
    place.write_text("before", encoding="utf-8")
    assert shine("compile", DOT, "--strategy", "elevate:id_", "-o", place).status == 1
    assert place.read_text(encoding="utf-8") == "before"
    assert shine("compile", DOT, *SEQUENTIAL, "-o", place).status == 0
    assert place.read_text(encoding="utf-8") != "before"


def test_run_takes_arrays_by_order_and_by_name(tmp_path: Path) -> None:
    xs, ys = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
    np.save(tmp_path / "xs.npy", xs)
    np.save(tmp_path / "ys.npy", ys)
    files = str(tmp_path / "xs.npy"), str(tmp_path / "ys.npy")
    for given in (files, (f"ys={files[1]}", files[0])):
        said = shine("run", DOT, "--json", "--input", *given, *SEQUENTIAL)
        assert said.status == 0, said
        assert said.facts["result"][0]["values"] == [10.0]
        assert said.facts["sizes"] == {"N": 5}
        assert said.facts["default_sizes"] == []


def test_run_writes_its_result(tmp_path: Path) -> None:
    program = tmp_path / "scale.rise"
    text = "val scale = fun(a: f32, xs: N.f32 => pair(xs |> map(fun(x => a * x)), xs))"
    program.write_text(text, encoding="utf-8")
    np.save(tmp_path / "xs.npy", np.arange(3, dtype=np.float32))
    given = ("--input", "a=0.5", str(tmp_path / "xs.npy"), "--output", str(tmp_path / "d.npz"))
    assert shine("run", program, *given).status == 0
    with np.load(tmp_path / "d.npz") as found:
        assert [found[name].tolist() for name in found] == [[0.0, 0.5, 1.0], [0.0, 1.0, 2.0]]


def test_run_takes_and_shows_numbers_of_dependent_pairs(tmp_path: Path) -> None:
    """They are given by `--size`, or by the shape of an array; if no shape determines them, only by `--size`."""
    program = tmp_path / "squares.rise"
    of_pairs = "(n: nat ** (n * n).f32)"
    program.write_text(
        f"val main : {of_pairs} -> {of_pairs} -> (n: nat ** n.f32) = fun(p, q => dmatch(p, fun(m: nat, xs => "
        "dmatch(q, fun(k: nat, ys => makeDepPair(m * m + k * k, concat(xs, ys)))))))",
        encoding="utf-8",
    )
    np.save(tmp_path / "xs.npy", np.arange(4, dtype=np.float32))
    given = ("--size", "n=2", "n_1=1", "--input", str(tmp_path / "xs.npy"), *SEQUENTIAL)
    said = shine("run", program, "--verify", *given)
    assert said.status == 0, said
    assert "sizes: n=2 n_1=1\n" in said.out and "\nnumber: 5\nresult: 5 of float32\n" in said.out
    facts = shine("run", program, "--json", *given).facts
    assert facts["number"] == 5 and facts["result"][0]["values"][:4] == [0, 1, 2, 3]
    assert shine("run", program, "--json", "--size", "n=3", "n_1=0", *SEQUENTIAL).facts["number"] == 9


def test_a_pair_is_verified_at_a_smaller_number(tmp_path: Path) -> None:
    program = tmp_path / "copy.rise"
    program.write_text("val main = fun(p: (n: nat ** n.n.f32) => p)", encoding="utf-8")
    facts = shine("run", program, "--json", "--verify", "--size", "n=4200", *SEQUENTIAL).facts
    assert facts["verify"]["smaller"] and facts["number"] == 4200


def test_the_same_seed_gives_the_same_result() -> None:
    def result(*words: str) -> Any:
        return shine("run", DOT, "--json", *SEQUENTIAL, *words).facts["result"]

    assert result("--seed", "3") == result("--seed", "3") != result("--seed", "4")


@in_whole("test_a_pair_is_verified_at_a_smaller_number")
def test_large_sizes_are_verified_at_smaller_ones() -> None:
    said = shine("run", EXAMPLES / "mm.rise", "--verify", "--json", "--size", "M=300", "N=300", "K=400")
    assert said.status == 0, said
    assert said.facts["verify"]["smaller"]
    assert said.facts["sizes"] == {"M": 300, "N": 300, "K": 400}
    smaller = said.facts["verify"]["sizes"]
    assert smaller.keys() == said.facts["sizes"].keys()
    assert all(smaller[name] <= size for name, size in said.facts["sizes"].items())


def test_a_wrong_rule_is_found_by_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
from elevate import topDown, rule
from rise.terms import make_literal
from strategies.sequential import sequential

@rule
def wrong(e):
    is_zero = type(e).__name__ == "Literal" and e.value == 0
    return make_literal(1.0, e.type) if is_zero else None

strategy = topDown(wrong) >> sequential
"""
    (tmp_path / "wrong_strategies.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    said = shine(
        "run", DOT, "--verify", "--strategy", "wrong_strategies:strategy", "--output", tmp_path / "d.npy"
    )
    assert said.status == 1
    assert said.err.startswith("error[wrong-result]")
    assert not (tmp_path / "d.npy").exists()


@pytest.mark.parametrize(
    "kind", some([("primitives",), ("rules", "transpose"), ("strategies",), ("targets",), ("library",)], 2)
)
def test_lists(kind: tuple[str, ...]) -> None:
    facts = shine("list", *kind, "--json").facts[kind[0]]
    said = shine("list", *kind).out
    assert len(facts) >= 4
    assert all(one.get("address", one["name"]).rpartition(":")[2].rpartition(".")[2] in said for one in facts)


def test_an_error_is_printed_as_json() -> None:
    said = shine("check", "nowhere.rise", "--json")
    assert said.status == 1
    assert said.err == ""
    assert [one["code"] for one in said.facts["diagnostics"]] == ["file"]


TILES = "strategies.parts.nests:tileNest"

USAGES = [
    ("frobnicate",),
    ("check",),
    ("show", str(GEMM), "--stage", "middle"),
    ("check", str(GEMM), "--size", "N"),
    ("check", str(GEMM), "--size", "N=1", "--size", "N=2"),
    ("check", str(GEMM), "-p", "=4"),
    ("run", str(GEMM), "--seed", "-1"),
    ("run", str(GEMM), "--frobnicate"),
    ("list", "everything"),
]


@pytest.mark.parametrize("words", USAGES)
def test_wrong_usage_ends_with_2(words: tuple[str, ...]) -> None:
    said = shine(*words)
    assert said.status == 2
    assert said.err.startswith("error[usage]: ") and "--help` lists its" in said.err
    assert not re.search("(?i)invalid|unexpected|value error", said.err)
    assert said.out == ""


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("chek",), "`check` or `cache`"),
        (("list", "rulz"), "`rules`"),
        (("show", str(GEMM), "--stage", "lo"), "`low`"),
        (("compile", str(GEMM), "--outpt", "gemm.c"), "`--output` or `--option`"),
    ],
)
def test_wrong_usage_names_the_nearest_right_word(words: tuple[str, ...], nearest: str) -> None:
    assert f"hint: did you mean {nearest}? `shine" in shine(*words).err


@pytest.mark.parametrize(
    ("name", "target", "hint"),
    [
        ("libdot.a", "openmp", "-o {0}/libdot.c, and build other kinds of files from it"),
        ("dot.h", "openmp", "-o {0}/dot.c, and build other kinds of files from it"),
        ("dot.cu", "openmp", "--target cuda, or -o {0}/dot.c"),
        ("dot.ptx", "cuda", "-o {0}/dot.cu, and build other kinds of files from it"),
    ],
)
def test_compile_rejects_files_that_a_target_does_not_produce(
    tmp_path: Path, name: str, target: str, hint: str
) -> None:
    said = shine("compile", DOT, "--target", target, "-o", tmp_path / name)
    assert said.status == 1 and not list(tmp_path.iterdir())
    assert f"for the target {target}, found {tmp_path}/{name}" in said.err
    assert f"hint: {hint.format(tmp_path)}\n" in said.err


@pytest.mark.parametrize("words", USAGES)
def test_usage_errors_are_json_on_request(words: tuple[str, ...]) -> None:
    said = shine(*words, "--json")
    assert said.status == 2
    assert said.err == ""
    (found,) = said.facts["diagnostics"]
    assert found["code"] == "usage" and "--help" in found["hint"]
    assert found["title"] in " ".join(shine(*words).err.split())


def test_json_does_not_change_the_exit_status_of_errors_and_help() -> None:
    assert shine("check", "nowhere.rise", "--json").status == 1
    assert shine("check", "--help", "--json").status == 0


@pytest.mark.parametrize("command", [("check",), ("explain",), *(("show", "--stage", one) for one in Stage)])
def test_an_option_that_the_target_lacks_is_rejected_at_every_stage(command: tuple[str, ...]) -> None:
    said = shine(*command, DOT, "-O", "wat=3")
    assert said.status == 1 and said.out == ""
    assert "error[unknown-option]: the target openmp has no option `wat`" in said.err
    said = shine(*command, DOT, "-O", "borders=2")
    assert "error[option-value]: option `borders`: expected bool (true or false), found '2'" in said.err


def test_assignments_can_be_separated_by_commas() -> None:
    forms = (("M=64,N=64",), ("M=64, N=64",), ("M=64,", "N=64"), ("M=64", "N=64"))
    answers = {shine("check", EXAMPLES / "mm.rise", "--size", *form).out for form in forms}
    assert len(answers) == 1 and ": {K: nat} -> 64.K.f32 -> K.64.f32 -> 64.64.f32" in answers.pop()
    said = shine(
        "show", EXAMPLES / "mm.rise", "--stage", "low", "--strategy", TILES, "-p", "rows=4,columns=8"
    )
    assert said.status == 0 and "split(4)" in said.out and "split(8)" in said.out


def test_help_of_list_names_each_kind_once() -> None:
    words = re.split(r"[\s|<>,.]+", shine("list", "--help").out.split("Arguments:")[1].split("[WORD]")[0])
    assert [words.count(kind) for kind in Kind if kind is not Kind.DEFINITIONS] == [1] * (len(Kind) - 1)


def test_help_names_the_commands() -> None:
    said = shine("--help")
    assert said.status == 0
    assert all(command in said.out for command in ("check", "show", "compile", "run", "list"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("run --input a.npy b.npy f.rise", "run --input a.npy --input b.npy f.rise"),
        ("run -p a=1 b=2 --size M=1", "run -p a=1 -p b=2 --size M=1"),
        ("run --size M=1 --size N=2", "run --size M=1 --size N=2"),
        ("run f.rise --size M=1 -- N=2", "run f.rise --size M=1 -- N=2"),
        ("run --json a=1", "run --json a=1"),
        ("run --size", "run --size"),
    ],
)
def test_options_take_several_values(words: str, expected: str) -> None:
    assert spread(words.split()) == expected.split()


def test_check_shows_the_promises_of_a_program(tmp_path: Path) -> None:
    path = tmp_path / "sums.rise"
    path.write_text(
        "val sums = fun({N: nat where 32 divides N}, xs: N.f32 => xs |> split(32) |> join)", encoding="utf-8"
    )
    said = shine("check", path)
    assert "    promises 32 divides N" in said.out and "needs" not in said.out
    definition = shine("check", path, "--json").facts["definitions"][0]
    assert definition["promises"] == ["32 divides N"] and definition["needs"] == []


def test_the_package_is_the_command() -> None:
    given = [sys.executable, "-m", "shine", "--version"]
    said = subprocess.run(given, capture_output=True, text=True, check=False, cwd=EXAMPLES.parent)
    assert (said.returncode, said.stdout, said.stderr) == (0, shine("--version").out, "")


@pytest.mark.parametrize("name", ["signbit", "omp_get_max_threads", "int", "2d-conv"])
def test_compile_reports_the_new_name_of_a_renamed_function(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.rise"
    file.write_text("val main = fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)))\n", encoding="utf-8")
    symbol = "v2d_conv" if name == "2d-conv" else f"shine_{name}"
    said = shine("compile", file, "-o", tmp_path / "made.so")
    assert said.status == 0, said
    assert f"`{name}` is exported as `{symbol}`: " in " ".join(said.out.split())
    assert getattr(ctypes.CDLL(str(tmp_path / "made.so")), symbol)
    assert shine("compile", file, "--json").facts["exported"] == [symbol]


def test_compile_does_not_report_unchanged_names() -> None:
    assert "exported" not in shine("compile", DOT, *SEQUENTIAL).out
    assert shine("compile", DOT, *SEQUENTIAL, "--json").facts["exported"] == ["dot"]
