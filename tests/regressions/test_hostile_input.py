"""Hostile input causes a diagnostic, never another exception."""

from pathlib import Path

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import StrategyError, topDown
from strategies import family, rule

blocks = family("map f xs = join (map (fun(b => map f b)) (split n xs))", parameters=("n",), why="Cut.")


@pytest.mark.parametrize("size", [-1, 2.5, True, None, "N"])
def test_a_family_takes_sizes_only(size: object) -> None:
    with pytest.raises(StrategyError, match="family-sizes"):
        blocks(size)  # type: ignore[arg-type]  # what the test is about


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("fun(xs: N.f32 => xs)", {"N": "N + 1"}),
        ("fun(xs: N.f32, ys: M.f32 => xs)", {"N": "M", "M": "N"}),
        ("fun({N: nat}, xs: N.f32 => fun({M: nat}, ys: M.f32 => xs))", {"N": "M"}),
    ],
)
def test_a_size_is_specialised_only_to_remaining_sizes(text: str, sizes: dict[str, str]) -> None:
    """Otherwise an unbound variable would remain."""
    with pytest.raises(rise.RiseError, match="specialise"):
        rise.specialise(rise.parse(text).main, **sizes)


def test_a_kind_with_many_classes_is_parsed() -> None:
    classes = "+".join(["ord", "floating"] * 5_000)
    e = rise.parse(f"fun({{t: ({classes})}}, x: t => x)").main
    assert rise.show(e) == "fun({t: (floating + ord)}, x: t => x)"


@pytest.mark.parametrize("size", [-1, 2.5, "3", True])
def test_free_sizes_must_be_sizes(size: object) -> None:
    ones = rise.parse_expr("generate(fun(i: idx[n] => 1.0))", {"n": "nat"})
    with pytest.raises(rise.RiseError, match="expected a size"):
        rise.evaluate(ones, sizes={"n": size})  # type: ignore[dict-item]  # what the test is about


def test_a_literal_index_must_be_in_range() -> None:
    index = rise.Literal(7, rise.parse_expr("i", {"i": "idx[4]"}).type)
    with pytest.raises(rise.RiseError, match="index-out-of-range"):
        rise.evaluate(index)


def test_a_path_is_not_a_text(tmp_path: Path) -> None:
    with pytest.raises(rise.RiseError, match="parse_file"):
        rise.parse(tmp_path)  # type: ignore[arg-type]  # what the test is about


def test_numpy_integers_are_sizes() -> None:
    assert blocks(np.int64(4)) == blocks(4)
    e = rise.parse("fun(xs: N.f32 => xs |> split(4))").main
    assert rise.specialise(e, N=np.int64(8)) is rise.specialise(e, N=8)
    for value in (np.int64(-8), np.float32(8), np.bool_(True), np.zeros(2, np.int64)):
        with pytest.raises(rise.RiseError, match="expected a size"):
            rise.specialise(e, N=value)


@pytest.mark.parametrize("sizes", [(), (1, 2)])
def test_a_family_takes_as_many_sizes_as_it_names(sizes: tuple[int, ...]) -> None:
    with pytest.raises(StrategyError, match="takes 1 sizes"):
        blocks(*sizes)


@pytest.mark.parametrize("tile", [0, -1, 2.5])
def test_tiles_are_sizes(tile: object) -> None:
    product = rise.parse_file("examples/mm.rise").main
    with pytest.raises(StrategyError):
        strategies.load("strategies.openmp:parallel", tile=tile)(product)


@pytest.mark.parametrize("equation", ["map f xs = map g xs", "f = g"])
def test_the_right_side_of_a_rule_must_not_introduce_terms(equation: str) -> None:
    e = rise.parse("fun(xs: N.f32 => map(fun(x => x), xs))").main
    with pytest.raises(StrategyError, match="unbound-metavariable"):
        topDown(rule(equation, why="None."))(e)


@pytest.mark.parametrize("size", [2**40, 2**62, 10**30])
def test_arrays_for_which_there_is_no_memory(size: int) -> None:
    e = rise.parse("fun(n: nat => generate(fun(i: idx[n] => indexAsInt(i))))").main
    with pytest.raises(rise.RiseError, match="out-of-memory" if size < 2**63 else "size-too-large"):
        rise.evaluate(e, size)


@pytest.mark.parametrize("element", ["(f32, f32)", "vec[4, f32]"])
def test_a_vector_holds_numbers(element: str) -> None:
    with pytest.raises(rise.RiseError):
        shine.compile(rise.parse(f"fun(x: vec[2, {element}] => x)").main, target="interpret")


# Stores that parallel loops make through views; all were once rejected, although different iterations never conflict.
WRITES = [
    "fun(xs: N.i32 => drop(3, generate(fun(i: idx[N + 3] => cast{i32}(indexAsInt(i))))))",
    "fun(xs: N.i32 => xs |> map(fun(x => drop(2, generate(fun(i: idx[N + 2] => x))))))",
    "fun(xs: N.i32 => concat([0], xs) |> map(fun(x => generate(fun(i: idx[N + 1] => x)))) |> transpose)",
    "fun(xs: N.i32 => xs |> map(fun(x => take(N, take(N + 2, generate(fun(i: idx[N + 3] => x)))))))",
    "fun(xs: N.i32 => xs |> map(fun(x => drop(2, take(2 * N + 2, padCst(1, N + 3, x, xs))))))",
    "fun(xs: N.i32 => concat([1], xs) |> map(fun(x => drop(3, generate(fun(i: idx[6] => x))))) |> drop(1))",
    "fun(xs: N.i32 => concat([1, 2], xs) |> map(fun(x => drop(3, generate(fun(i: idx[N + 3] => x)))))"
    " |> drop(2) |> transpose)",
]


@pytest.mark.parametrize("text", WRITES)
def test_parallel_loops_write_through_views(text: str) -> None:
    e = rise.parse(text).main
    result = strategies.load("strategies.openmp:parallel", tile=3, rows=2)(e)
    assert isinstance(result, elevate.Success)
    kernel = shine.compile(result.program, target="interpret")
    for size in (0, 1, 4):
        xs = np.arange(size, dtype=np.int32)
        np.testing.assert_array_equal(kernel(xs), rise.evaluate(e, xs))


def test_long_arrays_of_literals_are_compiled() -> None:
    numbers = [str(i) for i in range(600)]
    e = rise.parse(f"[{', '.join(numbers)}]").main
    result = strategies.load("strategies.sequential:sequential")(e)
    assert isinstance(result, elevate.Success)
    assert shine.compile(result.program, target="interpret")().tolist() == list(range(600))


def test_out_has_a_place_for_each_element() -> None:
    kernel = shine.compile(rise.parse("fun(xs: N.i32 => xs |> mapSeq(id))").main, target="interpret")
    out = np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (8,), (0,))
    with pytest.raises(rise.RiseError, match="several elements share memory"):
        kernel(np.arange(8, dtype=np.int32), out=out)


@pytest.mark.parametrize("size", [0, 2])
def test_a_literal_index_needs_that_many_elements(size: int) -> None:
    """The compiled kernel read past the end of an array that was too short."""
    e = rise.parse("fun(xs: N.i32 => idx(2, xs))").main
    assert [str(o) for o in rise.obligations(e)] == ["N >= 3 (the index 2 needs it)"]
    xs = np.arange(size, dtype=np.int32)
    with pytest.raises(rise.RiseError, match="N >= 3"):
        shine.compile(e, target="interpret")(xs)
    with pytest.raises(rise.RiseError, match=f"expected an index below {size}, found 2"):
        rise.evaluate(e, xs)
    with pytest.raises(rise.RiseError, match=f"expected an index below {size}, found 2"):
        rise.specialise(e, N=size)


@pytest.mark.parametrize("view", ["split(n, xs)", "slide(1, n, xs)"])
def test_a_size_of_zero_that_divides(view: str) -> None:
    e = rise.parse(f"fun(n: nat, xs: M.i32 => {view})").main
    with pytest.raises(rise.RiseError, match="divides a size by zero"):
        rise.evaluate(e, 0, np.arange(3, dtype=np.int32))
    with pytest.raises(rise.RiseError, match="divides a size by zero"):
        rise.specialise(e, n=0)


def test_values_that_are_not_terms_are_reported() -> None:
    program = rise.parse("fun(xs: N.f32 => xs |> map(sqrt))")
    sequential = strategies.load("strategies.sequential:sequential")
    with pytest.raises(StrategyError, match=r"program\.main"):
        sequential(program)
    with pytest.raises(rise.RiseError, match=r"result\.program"):
        shine.compile(sequential(program.main))


def test_fixed_sizes_that_do_not_fit_are_reported_at_compile_time() -> None:
    e = rise.parse("fun(xs: N.f32 => xs |> split(32) |> map(reduce(add, 0.0)))").main
    low = strategies.load("strategies.sequential:sequential")(e).program
    with pytest.raises(rise.RiseError, match=r"split\(32\) needs it"):
        shine.compile(rise.specialise(low, N=100), target="interpret")
    assert shine.compile(low, target="interpret").signature.endswith("for all N where 32 divides N")


def test_a_rule_may_be_made_in_a_bare_namespace() -> None:
    space: dict[str, object] = {"rule": rule}
    exec("r = rule('map f (map g xs) = map (f . g) xs', why='')", space)
    assert str(space["r"]) == "r"


@pytest.mark.parametrize("nothing", ["\n", "/", " //\n", "\t "])
def test_an_error_after_many_comments_is_reported(nothing: str) -> None:
    """The parser tried 2^n ways to read the text as spaces and comments."""
    with pytest.raises(rise.RiseError, match="expected") as caught:
        rise.parse(nothing * 1_000 + "\nval main =")
    assert caught.value.diagnostic.code != "empty-text"
    with pytest.raises(rise.RiseError, match="empty-text"):
        rise.parse(nothing * 1_000)
