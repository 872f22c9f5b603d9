"""Pipelines of stencils: each step preserves type and meaning, and each version agrees with numpy at any height and
width.
"""

import itertools
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import Failure, FloatClass, StrategyError, Success
from strategies import images
from strategies.rules.weights import weightsAsProducts
from strategies.testing.values import differ, inputs
from tests.examples import in_whole, some
from tests.strategies import corpus

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
VERSIONS = ("naive", "separated", "scanline", "cbuf", "cbufRot", "vectorised", "parallel")
PARAMETERS = {"vectorised": {"lanes": 4}, "parallel": {"lanes": 4, "size": 2}}
PROGRAMS = ("binomial", "harris")
HALO = {"binomial": 2, "harris": 4}
SIZES = ((1, 1), (1, 7), (2, 3), (5, 1), (3, 8), (7, 13))
Picture = np.ndarray[Any, Any]


def program(name: str) -> rise.Expr:
    return rise.parse_file(ROOT / "examples" / "images" / f"{name}.rise").main


def load(version: str, **parameters: int) -> elevate.Strategy:
    found = strategies.load(f"strategies.images:{version}", **(parameters or PARAMETERS.get(version, {})))
    assert isinstance(found, elevate.Strategy)
    return found


@cache
def derived(name: str, version: str) -> Success[Any]:
    result = load(version)(program(name))
    assert isinstance(result, Success), result.explain()
    return result


def picture(name: str, height: int, width: int) -> Picture:
    shape = (height + HALO[name], width + HALO[name])
    shape = shape if name == "binomial" else (3, *shape)
    return np.random.default_rng(0).random(shape, dtype=np.float32)


def filtered(xs: Picture, vertical: list[float], horizontal: list[float]) -> Picture:
    """A stencil of 3 x 3 by numpy, in double precision, so that the order of sums does not matter."""
    height, width = xs.shape[0] - 2, xs.shape[1] - 2
    parts = [
        v * h * xs[y : y + height, x : x + width]
        for y, v in enumerate(vertical)
        for x, h in enumerate(horizontal)
    ]
    found: Picture = np.sum(parts, axis=0)
    return found


def expected(name: str, image: Picture) -> Picture:
    xs = image.astype(np.float64)
    if name == "binomial":
        return filtered(xs, [1, 2, 1], [1, 2, 1]) / 16
    gray = 0.299 * xs[0] + 0.587 * xs[1] + 0.114 * xs[2]
    dx = filtered(gray, [1, 2, 1], [-1, 0, 1]) / 12
    dy = filtered(gray, [-1, 0, 1], [1, 2, 1]) / 12
    xx, yy, xy = (filtered(p, [1, 1, 1], [1, 1, 1]) for p in (dx * dx, dy * dy, dx * dy))
    found: Picture = xx * yy - xy * xy - 0.04 * (xx + yy) ** 2
    return found


@pytest.mark.parametrize(("name", "version"), some(itertools.product(PROGRAMS, VERSIONS), 11, first=5))
def test_each_version_agrees_with_numpy_at_any_sizes(name: str, version: str) -> None:
    kernels = [shine.compile(derived(name, version).program, target=one) for one in ("interpret", "openmp")]
    for height, width in SIZES:
        image = picture(name, height, width)
        for kernel in kernels:
            np.testing.assert_allclose(kernel(image), expected(name, image), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("name", "version"), some(itertools.product(PROGRAMS, VERSIONS), 8, first=6))
def test_every_step_preserves_type_and_meaning(name: str, version: str) -> None:
    start = program(name)
    sizes = {"M": 3, "N": 5}
    arguments = inputs(corpus.at(start, **sizes).type)
    before = rise.evaluate(start, *arguments, sizes=sizes)
    steps = derived(name, version).steps
    programs = list(elevate.replay(start, steps))
    for number, (step, after) in enumerate(zip(steps, programs[1:], strict=True)):
        assert after.type == start.type, step
        if number % 16 == 0 or step.rule.float_class is not FloatClass.EXACT:
            found = rise.evaluate(after, *arguments, sizes=sizes)
            assert not differ(before, found, FloatClass.APPROXIMATE, False), step


@pytest.mark.parametrize("version", some(VERSIONS, 2))
def test_a_derivation_is_replayed(version: str) -> None:
    found = derived("binomial", version)
    *_, last = elevate.replay(program("binomial"), found.steps)
    assert last == found.program
    reference = elevate.run(load(version), program("binomial"), engine="reference")
    assert reference.result == found


def test_an_image_without_lines_is_rejected() -> None:
    kernel = shine.compile(derived("binomial", "parallel").program, target="interpret")
    with pytest.raises(rise.RiseError, match="M"):
        kernel(picture("binomial", 0, 4))


@pytest.mark.parametrize(
    ("version", "parameters", "title"),
    [
        ("vectorised", {"lanes": 0}, "expected an integer >= 1 for `lanes`, found 0"),
        ("parallel", {"lanes": 4, "size": 1}, "expected an integer >= 2 for `size`, found 1"),
    ],
)
def test_invalid_parameters_are_reported(version: str, parameters: dict[str, int], title: str) -> None:
    with pytest.raises(StrategyError) as refused:
        load(version, **parameters)
    assert title in str(refused.value)


def test_programs_without_windows_are_rejected() -> None:
    assert isinstance(load("vectorised")(corpus.program("mm")), Failure)


def test_a_pipeline_is_one_loop_over_lines_and_vectors() -> None:
    source = shine.compile(load_at_sixteen("parallel"), target="openmp").source
    assert source.count("#pragma omp parallel for") == 1
    last = source[source.rindex("for (int64_t i_x2") if "i_x2" in source else 0 :]
    assert "load_first_f32x16(&image[" in last and "store_f32x16(&output[" in last
    assert "from_2_f32x16(" in last


def load_at_sixteen(version: str) -> rise.Expr:
    result = strategies.load(f"strategies.images:{version}")
    found = result(program("harris"))
    assert isinstance(found, Success)
    return found.program


MEDIAN = """import stencils
val main = fun(image: H.W.f32 => image |> padClamp2D(1, 1) |> slide2D(3, 1)
  |> map(map(fun(w => w |> join |> sort |> idx(4)))))"""
SORTED_SUMS = """val main = fun(image: H.W.f32 =>
  image |> slide(3, 1) |> map(fun(w => w |> transpose |> map(reduce(add, 0.0)) |> sort)))"""


@pytest.mark.parametrize("version", some(VERSIONS, 9))
def test_each_version_computes_medians(version: str) -> None:
    """Sorting is not done on vectors, and reads whole columns."""
    e = rise.parse(MEDIAN).main
    result = load(version)(e)
    assert isinstance(result, Success), result.explain()
    kernel = shine.compile(result.program, target="openmp")
    for height, width in SIZES[1:]:
        image = np.random.default_rng(1).random((height, width), dtype=np.float32)
        np.testing.assert_array_equal(kernel(image), rise.evaluate(e, image))


@pytest.mark.parametrize("version", some(["naive", "cbufRot", "parallel"], 3))
def test_each_version_computes_gradients(version: str) -> None:
    """In `parallel`, vectors that begin in the middle of others are not kept in registers."""
    e = corpus.program("grad2d")
    result = load(version)(e)
    assert isinstance(result, Success), result.explain()
    kernel = shine.compile(result.program, target="openmp")
    for height, width in SIZES:
        image = np.random.default_rng(1).random((height, width), dtype=np.float32)
        np.testing.assert_allclose(kernel(image), rise.evaluate(e, image), rtol=1e-5)


@pytest.mark.parametrize("version", ["vectorised", "parallel"])
def test_lines_whose_columns_are_not_read_in_order_are_rejected(version: str) -> None:
    """Columns that are computed when they are read cannot be sorted."""
    result = load(version)(rise.parse(SORTED_SUMS).main)
    assert isinstance(result, Failure)
    leaf = next(result.explain().leaves())
    assert leaf.reason == (
        "expected a function that reads each column of a ring buffer's lines once, in order, found another"
    )
    assert leaf.hint == "choose a strategy without ring buffers, such as strategies.images:scanline"


#: Harris as the paper writes it, with a name for every image
NAMED_IMAGES = """
val windows = fun(image: (M+2).(N+2).f32 => image |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose))
val filtered = fun(weights: 9.f32, image: (M+2).(N+2).f32 =>
  windows(image) |> map(map(fun(w => zip(weights, join(w)) |> map(mul) |> reduce(add, 0.0)))))
val times = fun(xs: M.N.f32, ys: M.N.f32 => zip(xs, ys) |> map(fun(x, y => zip(x, y) |> map(mul))))
val sums = fun(image: (M+2).(N+2).f32 => windows(image) |> map(map(fun(w => join(w) |> reduce(add, 0.0)))))
val coarsity = fun(sxx: M.N.f32, sxy: M.N.f32, syy: M.N.f32 =>
  zip(zip(sxx, syy), sxy) |> map(fun(squares, mixed =>
    zip(zip(fst(squares), snd(squares)), mixed) |> map(fun(s, xy =>
      let trace = fst(s) + snd(s)
      in fst(s) * snd(s) - xy * xy - 0.04 * (trace * trace))))))
val main = fun(image: (M+4).(N+4).f32 =>
  let ix = filtered([-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0], image)
  let iy = filtered([-1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0], image)
  in coarsity(sums(times(ix, ix)), sums(times(ix, iy)), sums(times(iy, iy))))
"""
#: Harris with images that are computed from others, named, and read together
JOINED = {
    "one image of gradients": (ROOT / "cases" / "harris.rise").read_text(encoding="utf-8"),
    "all images named": NAMED_IMAGES,
}


@cache
def joined(name: str, version: str) -> Success[Any]:
    result = load(version)(rise.parse(JOINED[name]).main)
    assert isinstance(result, Success), result.explain()
    return result


@in_whole("test_each_version_computes_gradients")
@pytest.mark.parametrize(("name", "version"), some(itertools.product(JOINED, VERSIONS), 17))
def test_images_that_are_read_together_are_computed_together(name: str, version: str) -> None:
    e = rise.parse(JOINED[name]).main
    kernel = shine.compile(joined(name, version).program, target="openmp")
    for height, width in ((1, 1), (2, 3), (5, 9)):
        image = np.random.default_rng(0).random((height + 4, width + 4), dtype=np.float32)
        np.testing.assert_allclose(kernel(image), rise.evaluate(e, image), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", JOINED)
def test_ring_buffers_keep_the_lines_of_all_images(name: str) -> None:
    """The schedule of the paper: ring buffers of lines of the image and of gradients; sums of columns in registers."""
    text = rise.show(joined(name, "cbufRot").program)
    assert text.count("circularBuffer(3, 3") == 2 and text.count("rotateValues(3") == 2
    assert "idx(0, column) + 2.0 * idx(1, column) + idx(2, column)" in text


@in_whole("test_each_version_computes_gradients")
@pytest.mark.parametrize("name", some(JOINED, 2))
def test_steps_that_join_images_preserve_type_and_meaning(name: str) -> None:
    start = rise.parse(JOINED[name]).main
    sizes = {"M": 2, "N": 3}
    arguments = inputs(corpus.at(start, **sizes).type)
    before = rise.evaluate(start, *arguments, sizes=sizes)
    steps = joined(name, "cbufRot").steps
    for number, after in enumerate(elevate.replay(start, steps)):
        assert after.type == start.type
        if number % 8 == 0:
            found = rise.evaluate(after, *arguments, sizes=sizes)
            assert not differ(before, found, FloatClass.APPROXIMATE, False), steps[number - 1]


@pytest.mark.parametrize(
    ("weights", "is_product"),
    [
        ("[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]", True),
        ("[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]", True),
        ("[-1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0]", True),
        ("[0.0, 1.0, 0.0, 1.0, -4.0, 1.0, 0.0, 1.0, 0.0]", False),
        ("[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", False),
        ("[1.0e30, 1.0, 1.0, 1.0, 1.0e-30, 1.0, 1.0, 1.0, 1.0]", False),
    ],
)
def test_only_weights_that_are_products_are_separated(weights: str, is_product: bool) -> None:
    dot = "reduceSeq(fun(acc: f32, p => acc + fst(p) * snd(p)), 0.0)"
    e = rise.parse(f"val main = fun(w: 3.3.f32 => zip({weights}, join(w)) |> {dot})").main
    result = elevate.topDown(weightsAsProducts)(e)
    assert isinstance(result, Success) == is_product
    if isinstance(result, Success):
        w = np.random.default_rng(0).random((3, 3), dtype=np.float32)
        assert rise.evaluate(result.program, w) == rise.evaluate(e, w)


@pytest.mark.parametrize("version", VERSIONS)
def test_strategies_are_values(version: str) -> None:
    strategy = load(version)
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert str(strategy).partition("(")[0] == version
    assert isinstance(images.naive, elevate.Strategy)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_derived_version_is_the_golden_one(name: str, version: str) -> None:
    """`python -m tests.strategies.test_images` rewrites it."""
    path = GOLDEN / f"{name}_{version}.rise"
    text = path.read_text(encoding="utf-8")
    assert shown(name, version) == text
    assert rise.parse(text).main == derived(name, version).program


def test_the_generated_code_is_the_golden_one() -> None:
    """`python -m tests.strategies.test_images` rewrites it."""
    assert generated() == (GOLDEN / "harris_parallel.c").read_text(encoding="utf-8")


def shown(name: str, version: str) -> str:
    """The program, and the number of steps of its derivation."""
    success = derived(name, version)
    head = (
        f"// What strategies.images:{version} makes of examples/{name}.rise, by {len(success.steps)} steps.\n"
    )
    return f"{head}{rise.show(success.program)}\n"


def generated() -> str:
    """The C text of the last version."""
    return shine.compile(derived("harris", "parallel").program, target="openmp").source


if __name__ == "__main__":
    for one in PROGRAMS:
        for each in VERSIONS:
            (GOLDEN / f"{one}_{each}.rise").write_text(shown(one, each), encoding="utf-8")
    (GOLDEN / "harris_parallel.c").write_text(generated(), encoding="utf-8")
