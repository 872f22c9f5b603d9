"""Foreign functions have the same meaning on every target, and run only if they are allowed.

`tests/shine/snapshots/foreign_errors.txt` contains the error messages; `python -m tests.shine.test_foreign` rewrites
it.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
import shine
import strategies
from rise import Foreign, RiseError
from rise.scalars import SCALARS
from rise.values import leaves
from shine.targets.c.c11 import C11
from shine.targets.cuda.dialect import TYPES as CUDA
from tests.examples import examples, some
from tests.shine.executors import in_turn
from tests.snapshot_files import read_snapshots, write_snapshots

TARGETS: Final = ("interpret", "openmp", "cuda-sim")
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "foreign_errors.txt"


def chooser(t: str) -> Foreign:
    """A function that returns one of two numbers, of any type."""
    c, cuda = (
        f"{head} {types[t]} pick_{t}_({types['bool']} b, {types[t]} x, {types[t]} y) {{ return b ? x : y; }}"
        for head, types in (("static inline", C11.types), ("__device__", CUDA))
    )
    return Foreign(f"pick_{t}_", f"bool -> {t} -> {t} -> {t}", lambda b, x, y: x if b else y, c, cuda)


CHOOSERS: Final = tuple(map(chooser, SCALARS))
BLEND: Final = Foreign(
    "blend",
    "f32 -> f32 -> f32",
    meaning=lambda x, y: 0.5 * x + y,
    c="static inline float blend(float x, float y) { return 0.5f * x + y; }",
    cuda="__device__ float blend(float x, float y) { return 0.5f * x + y; }",
)
DECLARED: Final = "foreign blend : f32 -> f32 -> f32\n"


def compiled(e: rise.Expr, target: str, *foreign: Foreign, **options: Any) -> shine.Kernel:
    """The kernel of a term, lowered by the target's strategy."""
    strategy = strategies.load(shine.TARGETS[target].strategy)
    return shine.compile(strategy(e).program, target, foreign=foreign, **options)


def choosers_of(target: str) -> tuple[Foreign, ...]:
    """Functions of all types, or of some for a target."""
    return tuple(one for one, other in in_turn(CHOOSERS, TARGETS) if other == target)


def all_types(choosers: Sequence[Foreign]) -> rise.Expr:
    """A program that calls these functions."""
    declared = "\n".join(one.text for one in choosers)
    types = [one.name.split("_")[1] for one in choosers]
    inputs = ", ".join(f"x{i}: N.{t}, y{i}: N.{t}" for i, t in enumerate(types))
    results = [
        f"(zip(bs, zip(x{i}, y{i})) |> map(fun(p => {one.name}(fst(p), fst(snd(p)), snd(snd(p))))))"
        for i, one in enumerate(choosers)
    ]
    body = results[-1]
    for one in reversed(results[:-1]):
        body = f"zip({one}, {body})"
    return rise.parse(f"{declared}\nval main = fun(bs: N.bool, {inputs} => {body})").main


@pytest.fixture(scope="module")
def kernels() -> dict[str, shine.Kernel]:
    """The programs for each target."""
    return {
        target: compiled(all_types(chosen), target, *chosen)
        for target in TARGETS
        for chosen in [choosers_of(target)]
    }


@given(st.binary(min_size=1, max_size=64), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(15), deadline=None)
def test_a_function_of_any_type_means_the_same_on_every_target(
    kernels: dict[str, shine.Kernel], choices: bytes, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    first = np.frombuffer(choices, np.uint8) % 2 == 1
    for target, kernel in kernels.items():
        chosen, arguments, expected = choosers_of(target), [first], []
        for one in chosen:
            numbers = rng.integers(-100, 100, (2, len(choices)))
            x, y = numbers.astype(np.int64).astype(SCALARS[one.name.split("_")[1]].dtype)
            arguments += [x, y]
            expected.append(np.where(first, x, y))
        meant = rise.evaluate(all_types(chosen), *arguments, foreign=chosen)
        for found in (kernel(*arguments), meant):
            for result, wanted in zip(leaves(found), expected, strict=True):
                assert result.dtype == wanted.dtype and (result == wanted).all(), target


NESTED: Final = {
    "in a map of maps": "fun(xs: M.f32, ys: N.f32 =>"
    " xs |> map(fun(x => ys |> map(fun(y => blend(x, y) + 1.0)))))",
    "as an argument of itself": "fun(xs: M.f32, ys: N.f32 =>"
    " xs |> map(fun(x => ys |> map(fun(y => blend(blend(x, y), blend(y, x)))))))",
    "curried, and as a function of pairs": "fun(xs: M.f32, ys: N.f32 =>"
    " xs |> map(fun(x => zip(ys |> map(blend(x)), ys) |> map(blend))))",
    "in a reduction": "fun(xs: M.f32, ys: N.f32 =>"
    " xs |> map(fun(x => ys |> map(blend(x)) |> reduceSeq(fun(a, y => blend(y, a)), 0.0))))",
    "on a padded array": "fun(xs: M.f32, ys: N.f32 =>"
    " xs |> map(fun(x => ys |> padCst(1, 1, 7.0) |> map(blend(x)))))",
}


@pytest.mark.parametrize(("name", "target"), some(in_turn(NESTED, TARGETS), 2))
def test_a_call_may_replace_any_function_of_numbers(name: str, target: str) -> None:
    e = rise.parse(f"{DECLARED}val main = {NESTED[name]}").main
    xs, ys = np.arange(3, dtype=np.float32), np.arange(10, 15, dtype=np.float32)
    expected = rise.evaluate(e, xs, ys, foreign=[BLEND])
    options = {"check": True} if target != "interpret" else {}
    np.testing.assert_array_equal(compiled(e, target, BLEND, **options)(xs, ys), expected)


def test_a_text_is_printed_once_and_before_its_calls() -> None:
    both = (
        "static float twice(float x) { return 2 * x; }\nstatic float thrice(float x) { return x + twice(x); }"
    )
    given = [Foreign(name, "f32 -> f32", c=both) for name in ("twice", "thrice")]
    text = """foreign twice : f32 -> f32
foreign thrice : f32 -> f32
val main = fun(twice_1: N.f32 => twice_1 |> map(fun(x => twice(x) + twice(thrice(x)))))"""
    kernel = compiled(rise.parse(text).main, "openmp", *given)
    assert kernel.source.count(both) == 1
    assert kernel(np.array([1, 2], np.float32)).tolist() == [8, 16]


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
def test_macros_of_a_text_end_with_it(target: str) -> None:
    macros = """#define i 3
#  define xs(a) \\
  nothing
#define int64_t char
#undef INFINITY
"""
    code = with_c(f"{macros}{BLEND.c}\n/* a comment */ #define N 5")
    e = rise.parse(
        f"{DECLARED}val main = fun(xs: N.f32 => xs |> map(fun(i => blend(i, 1.0))) |> reduce(max, -inf))"
    ).main
    assert compiled(e, target, code)(np.array([2, 4, 6, 8, 10, 12], np.float32)) == 7


def test_names_of_a_program_do_not_hide_a_function() -> None:
    text = f"{DECLARED}val main = fun(xs: N.f32 => xs |> map(fun(blend_1 => blend(blend_1, blend_1))))"
    e = rise.parse(text).main
    for target in TARGETS:
        found = compiled(e, target, BLEND)(np.array([2], np.float32))
        assert found.tolist() == [3]


TWICE: Final = Foreign(
    "twice",
    "2.3.f32 -> 2.3.f32",
    c="""static inline void twice(float* to, int down, const float* from, int from_down) {
      for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) to[i * down + j] = 2 * from[i * from_down + j];
    }""",
    cuda="""__device__ void twice(float* to, int down, const float* from, int from_down) {
      for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) to[i * down + j] = 2 * from[i * from_down + j];
    }""",
    reads=("2.3.f32",),
)
IN_ROWS: Final = """foreign twice : 2.3.f32 -> 2.3.f32
val main = fun(xs: 4.3.f32 => xs |> split(2) |> mapSeq(fun(rows =>
  twice(rows |> mapSeq(fun(row => row |> mapSeq(fun(x => x + x))))))) |> join)"""


@pytest.mark.parametrize("target", TARGETS)
def test_code_takes_the_place_of_the_loops_that_compute_an_array(target: str) -> None:
    term = rise.parse(IN_ROWS).main
    xs = np.arange(12, dtype=np.float32).reshape(4, 3)
    kernel = shine.compile(term, target, foreign=[TWICE])
    np.testing.assert_array_equal(kernel(xs), 2 * xs)
    np.testing.assert_array_equal(rise.evaluate(term, xs, foreign=[TWICE]), 2 * xs)
    assert (
        target == "interpret" or "twice(&output[row_block * 6], 3, &xs[row_block * 6], 3);" in kernel.source
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "fun(xs: 3.2.f32 => xs |> transpose |> mapSeq(fun(row => row |> mapSeq(fun(x => x + x)))) |> twice)",
            "expected rows of xs whose numbers are neighbours in `twice`, found columns of neighbours",
        ),
        (
            "fun(xs: 2.3.f32, ys: 2.3.f32 => zip(xs, ys) |> mapSeq(fun(p => zip(fst(p), snd(p)) |>"
            " mapSeq(fun(q => fst(q) + snd(q))))) |> twice)",
            "expected one array to store and 1 to read in `twice`, found 1 to store and 2 to read",
        ),
    ],
)
def test_loops_that_code_cannot_replace_are_reported(text: str, found: str) -> None:
    term = rise.parse(f"foreign twice : 2.3.f32 -> 2.3.f32\nval main = {text}").main
    with pytest.raises(RiseError) as caught:
        shine.compile(term, "openmp", foreign=[TWICE]).source  # noqa: B018  # reading the text compiles
    assert caught.value.diagnostic.title.startswith(found)


def test_code_reads_rows_or_matrices_of_known_sizes() -> None:
    for t, reads in (
        ("f32 -> f32", ("2.f32",)),
        ("2.f32 -> 2.f32", ("f32",)),
        ("2.f32 -> 2.f32", ("2.2.2.f32",)),
    ):
        with pytest.raises(
            RiseError, match="expected rows or matrices of numbers that the code of an array reads"
        ):
            Foreign("f", t, reads=reads)
    for t in ("2.f32 -> 3.f32", "n.f32 -> n.f32", "2.2.2.f32 -> 2.2.2.f32"):
        with pytest.raises(RiseError):
            Foreign("f", t)


def test_a_program_that_is_only_read_or_lowered_needs_no_code() -> None:
    program = rise.parse(f"{DECLARED}val main = fun(xs: N.f32 => zip(xs, xs) |> map(blend))")
    assert str(program.main.type) == "{N: nat} -> N.f32 -> N.f32"
    assert list(program) == ["main"] and list(program.foreign) == ["blend"]
    assert strategies.load("strategies.openmp:parallel")(program.main).program
    assert rise.parse(rise.show_program(program)).main == program.main
    assert pickle.loads(pickle.dumps(program.main)) == program.main
    assert rise.specialise(program.main, N=4).type == rise.parse("fun(xs: 4.f32 => xs)").main.type


def test_declarations_are_imported(tmp_path: Path) -> None:
    (tmp_path / "mine.rise").write_text(f"{DECLARED}val twice = fun(x => blend(x, x))", "utf-8")
    for names in ("", ": blend, twice"):
        text = f"import .mine{names}\nval main = fun(xs: N.f32 => xs |> map(fun(x => blend(twice(x), x))))"
        e = rise.parse(text, str(tmp_path / "main.rise")).main
        assert rise.evaluate(e, np.array([4], np.float32), foreign=[BLEND]).tolist() == [7]


def test_foreign_is_not_a_reserved_word() -> None:
    e = rise.parse("val foreign = 1\nval main = fun(x => foreign + x)")["main"]
    assert rise.evaluate(e, np.int32(2)) == 3


def test_a_python_number_is_rounded_to_the_type() -> None:
    e = rise.parse("foreign third : f32 -> f32\nval main = fun(xs: N.f32 => xs |> map(third))").main
    code = Foreign("third", "f32 -> f32", meaning=lambda x: float(x) / 3)
    given = np.array([1, 2], np.float32)
    assert (rise.evaluate(e, given, foreign=[code]) == given / np.float32(3)).all()


XS: Final = np.array([1, 2], np.float32)


def called(*foreign: Any, text: str = "zip(xs, xs) |> map(blend)") -> Callable[[], Any]:
    """The evaluation of a program that calls `blend`."""
    return lambda: rise.evaluate(
        rise.parse(f"{DECLARED}val main = fun(xs: N.f32 => {text})").main, XS, foreign=foreign
    )


def kernel_of(target: str, *foreign: Foreign, declared: str = DECLARED) -> Callable[[], Any]:
    """A kernel of a program that calls the declared functions."""
    name = declared.split()[1]
    text = f"{declared}val main = fun(xs: N.f32 => zip(xs, xs) |> map({name}))"
    return lambda: compiled(rise.parse(text).main, target, *foreign)


def with_c(text: str) -> Foreign:
    return Foreign("blend", "f32 -> f32 -> f32", c=text, cuda=text.replace("static inline", "__device__"))


MISTAKES: Final[dict[str, Callable[[], Any]]] = {
    "no code, evaluated": called(),
    "no code, compiled": kernel_of("openmp"),
    "code by another name": called(Foreign("bland", "f32 -> f32 -> f32")),
    "code of another type": called(Foreign("blend", "f32 -> f32")),
    "code twice": called(BLEND, BLEND),
    "no foreign function": called("blend"),
    "no meaning": called(Foreign("blend", "f32 -> f32 -> f32")),
    "no meaning, interpreted": lambda: kernel_of("interpret", with_c("?"))()(XS),
    "a meaning that gives another type": called(
        Foreign("blend", "f32 -> f32 -> f32", lambda x, y: np.float64(x))
    ),
    "a meaning that gives no number": called(Foreign("blend", "f32 -> f32 -> f32", lambda x, y: "x")),
    "a meaning that fails": called(Foreign("blend", "f32 -> f32 -> f32", lambda x, y: {}["z"])),
    "no C text": kernel_of("openmp", Foreign("blend", "f32 -> f32 -> f32", cuda="")),
    "no CUDA text": kernel_of("cuda-sim", Foreign("blend", "f32 -> f32 -> f32", c="")),
    "a C text of another type": kernel_of(
        "openmp", with_c("static inline float blend(float x, double y) { return x; }")
    ),
    "a CUDA text of another type": kernel_of(
        "cuda-sim", with_c("static inline float blend(float x, double y) { return x; }")
    ),
    "a C text that does not compile": kernel_of(
        "openmp", with_c("static inline float blend(float x, float y) { return z; }")
    ),
    "a CUDA text that does not compile": kernel_of(
        "cuda-sim", with_c("static inline float blend(float x, float y) { return z; }")
    ),
    "a number for a C text": lambda: Foreign("blend", "f32 -> f32", c=5),  # type: ignore[arg-type]  # the mistake
    "a list for a CUDA text": lambda: Foreign("blend", "f32 -> f32", cuda=[]),  # type: ignore[arg-type]  # the mistake
    "a number for a name": lambda: Foreign(1, "f32 -> f32"),  # type: ignore[arg-type]  # the mistake
    "a number for a type": lambda: Foreign("blend", 32),  # type: ignore[arg-type]  # the mistake
    "a text for a meaning": lambda: Foreign("blend", "f32 -> f32", "x"),  # type: ignore[arg-type]  # the mistake
    "a name of C's": kernel_of(
        "openmp",
        Foreign("fabs", "f32 -> f32 -> f32", c=""),
        declared="foreign fabs : f32 -> f32 -> f32\n",
    ),
    "a function of arrays": lambda: rise.parse("foreign total : N.f32 -> f32\nval main = 1"),
    "a number": lambda: rise.parse("foreign pi : f32\nval main = 1"),
    "a function of any type": lambda: Foreign("first", "{t: data} -> t -> t"),
    "declared twice": lambda: rise.parse(f"{DECLARED}foreign blend : i32 -> i32\nval main = 1"),
    "declared and defined": lambda: rise.parse(f"{DECLARED}val blend = 1"),
    "a name that is reserved": lambda: rise.parse("foreign sqrt : f32 -> f32\nval main = 1"),
    "not declared": lambda: rise.parse("val main = fun(x: f32 => blend(x, x))"),
    "called with a number of another type": lambda: rise.parse(
        f"{DECLARED}val main = fun(x: f64 => blend(x, x))"
    ),
}


def said(mistake: Callable[[], Any]) -> str:
    """The message for an error, without the paths of this machine."""
    try:
        mistake()
    except RiseError as error:
        text = re.sub(r"`[^`]*/(g?cc|clang)`", "`cc`", str(error))
        text = re.sub(r"found \S*/\w+\.c:\d+:\d+: ", "found ", text)
        return re.sub(r"(found error|line \d+): .*", r"\1: ...", text)  # messages of compilers differ
    raise AssertionError("nothing was wrong")


@pytest.mark.parametrize("name", MISTAKES)
def test_an_error_is_reported(name: str) -> None:
    assert said(MISTAKES[name]) == read_snapshots(SNAPSHOTS)[name]


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: said(mistake) for name, mistake in MISTAKES.items()})
