"""Short texts with a very large meaning: which are rejected, and where; and programs that stay far below the limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import rise
from rise.inference import effort
from rise.inference.effort import (
    BASE_EFFORT,
    EFFORT_PER_CHARACTER,
    MAX_HEIGHT,
    MAX_SIZE_WEIGHT,
    MAX_TYPE_WEIGHT,
    Effort,
)
from rise.types import F32
from tests.call_counts import calls_of, forget
from tests.examples import in_whole, some
from tests.growing.families import FAMILIES
from tests.growing.family import long

ROOT = Path(__file__).resolve().parents[3]
DOUBLE = " |> fun(y => pair(y, y))"


def refused(text: str) -> rise.RiseError:
    """The error for a text, which shows a place in it."""
    with pytest.raises(rise.RiseError) as caught:
        rise.parse(text)
    told = caught.value.diagnostic
    assert told.labels and told.source == text and told.hint
    return caught.value


def test_a_product_of_sums_is_rejected_at_its_place() -> None:
    product = " * ".join(f"(N{i}+1)" for i in range(10))
    error = refused(f"fun(x: ({product}).f32 => x)")
    assert error.diagnostic.code == "size-too-large"
    label = error.diagnostic.labels[0]
    assert error.diagnostic.source[label.start : label.end] == f"({product})"


@pytest.mark.parametrize("factors", [40, 400])
def test_it_is_rejected_before_it_is_expanded(factors: int) -> None:
    refused(f"fun(x: ({' * '.join(f'(N{i}+1)' for i in range(factors))}).f32 => x)")


def test_powers_and_sums_within_the_limits_are_read() -> None:
    cube = rise.parse("fun(x: ((N+M+K+1)^15).f32 => x)").main
    names = " + ".join(f"N{i}" for i in range(1000))
    total = rise.parse(f"fun(x: ({names}).f32 => x)").main
    assert len(str(cube.type)) < 1_000
    assert len(str(total.type)) < 30_000
    assert refused("fun(x: ((N+M+K+1)^30).f32 => x)").diagnostic.code == "size-too-large"


def test_expressions_that_are_nested_too_deep_are_rejected() -> None:
    assert rise.parse("-" * MAX_HEIGHT + "1.0").main.type is F32
    below = "val above = 1.0\n"
    for deep in some(
        [
            "fun(f, x => " + "f(" * MAX_HEIGHT + "x" + ")" * MAX_HEIGHT + ")",
            "-" * MAX_HEIGHT + "(1.0 + 2.0)",
        ],
        2,
    ):
        error = refused(f"{below}val f = {deep}")
        assert (
            error.diagnostic.code == "too-deep" and f"at most {MAX_HEIGHT:,} deep" in error.diagnostic.title
        )
        assert error.diagnostic.labels[0].start == len(below) + len("val f = ")


def test_types_that_double_are_refused_when_they_are_too_long() -> None:
    assert rise.parse(f"fun(x: f32 => x{DOUBLE * 17})").main.type.weight < MAX_TYPE_WEIGHT
    error = refused(f"fun(x: f32 => x{DOUBLE * 40})")
    assert error.diagnostic.code == "type-too-large"
    assert f"at most {MAX_TYPE_WEIGHT:,} parts" in error.diagnostic.title
    seven = "".join(f"val p{i + 1} = fun(x => p{i}(p{i}(x)))\n" for i in range(6))
    error = refused(f"val p0 = fun(x => pair(x, x))\n{seven}")
    assert error.diagnostic.code == "type-too-large"
    assert error.diagnostic.labels[0].start > 100  # in a later line, where it became too long


def test_sizes_that_grow_in_synonyms_are_refused_where_they_grow_too_large() -> None:
    lines = "".join(f"type A{i + 1}[n] = A{i}[n*n+1]\n" for i in range(20))
    told = refused(f"type A0[n] = n.f32\n{lines}val f = fun(x: A20[N] => x)").diagnostic
    assert told.code == "size-too-large"
    (label,) = told.labels
    assert re.fullmatch(r"A\d+\[n\*n\+1\]", told.source[label.start : label.end])


def test_a_synonym_at_a_size_that_divides_by_zero_is_refused_at_its_place() -> None:
    told = refused("type A[n] = (4 /^ n).f32\nval f = fun(x: A[0] => x)").diagnostic
    assert told.code == "size-zero-divisor"
    (label,) = told.labels
    assert told.source[label.start : label.end] == "A[0]"


@pytest.fixture
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse texts after an eighth of the work; all of it takes seconds."""
    monkeypatch.setattr(effort, "BASE_EFFORT", BASE_EFFORT // 8)


@pytest.mark.usefixtures("little_effort")
def test_a_type_with_more_parameters_in_each_definition_is_refused() -> None:
    """Each use creates new unknowns for all of them at once."""
    text = long(FAMILIES["programs: args accumulate"], 4_000)
    assert refused(text).diagnostic.code == "too-much-work"

    def used(count: int) -> int:
        lines = "".join(f"val p{i + 1} = fun(y => p{i})\n" for i in range(count))
        return calls_of(lambda: rise.parse(f"val p0 = fun(x => x)\n{lines}"))

    used(1)
    assert used(30) < 12 * used(10)  # the types that are written out grow quadratically


@pytest.mark.usefixtures("little_effort")
def test_vectors_of_vectors_are_refused_when_they_are_too_deep() -> None:
    assert refused(long(FAMILIES["terms: vector nested"], 4_000)).diagnostic.code == "too-much-work"


def test_only_solvable_unknown_sizes_are_tried() -> None:
    """Each `join` multiplies the size by another unknown."""

    def read(count: int) -> int:
        forget("rise")
        return calls_of(lambda: rise.parse(f"fun(x => x{' |> join' * count})"))

    read(1)
    assert read(20) < 3.5 * read(10)


def test_the_sizes_of_nested_functions_are_printed_once() -> None:
    """The types of n parameters contain n different sizes, and n * n / 2 in total."""

    def shown(count: int) -> int:
        e = rise.parse(f"fun(x => x |> {'map(fun(y => y |> ' * count}neg{'))' * count})").main
        forget("rise")
        return calls_of(lambda: rise.show(e))

    shown(1)
    assert shown(80) < 2.8 * shown(40)


@in_whole("test_definitions_that_double_in_each_line_are_read")
def test_a_term_that_is_far_too_long_is_not_printed_up_to_the_limit() -> None:
    maps, uses = " |> map(neg)" * 800, " |> f" * 800
    program = rise.parse(f"val f = fun(x => x{maps})\nval g = fun(x => x{uses})")

    def refused() -> None:
        with pytest.raises(rise.RiseError, match="too-long-to-print"):
            rise.show(program["g"])

    assert calls_of(refused) < 4_000_000  # the limit of 65,536 terms is reached after 8,000,000


def test_types_in_types_that_were_printed_are_printed_once() -> None:
    def shown(count: int) -> int:
        steps = "".join(f" |> fun(y => pair(y, x{i}))" for i in range(count))
        e = rise.parse(f"fun({', '.join(f'x{i}: f32' for i in range(count))} => x0{steps})").main
        return calls_of(lambda: rise.show(e))

    shown(1)
    assert shown(160) < 2.5 * shown(80)


def test_definitions_that_double_in_each_line_are_read() -> None:
    lines = "".join(f"val h{i + 1} = fun(x: f32 => h{i}(h{i}(x)))\n" for i in range(40))
    program = rise.parse(f"val h0 = fun(x: f32 => x + x)\n{lines}")
    assert str(program["h40"].type) == "f32 -> f32"
    with pytest.raises(rise.RiseError, match="too-long-to-print"):
        rise.show(program["h40"])


@pytest.mark.usefixtures("little_effort")
def test_sizes_that_grow_with_each_step_are_eventually_rejected() -> None:
    steps = "".join(f" |> concat(y{i})" for i in range(500))
    parameters = ", ".join(f"y{i}: M{i}.f32" for i in range(500))
    assert refused(f"fun(x: N.f32, {parameters} => x{steps})").diagnostic.code == "too-much-work"


def test_the_allowed_effort_depends_only_on_the_length_of_the_text() -> None:
    one, other = Effort(100), Effort(100)
    one.spend(BASE_EFFORT)
    assert one.left == other.left - BASE_EFFORT > 0
    with pytest.raises(rise.RiseError) as caught:
        other.spend(other.left + 1)
    assert caught.value.diagnostic.code == "too-much-work"
    assert MAX_SIZE_WEIGHT < BASE_EFFORT


def spent_on(monkeypatch: pytest.MonkeyPatch, read: Callable[[], object]) -> int:
    """The effort spent on reading something."""
    spent: list[int] = []
    spend = Effort.spend

    def counted(effort: Effort, amount: int) -> None:
        spent.append(amount)
        spend(effort, amount)

    monkeypatch.setattr(Effort, "spend", counted)
    read()
    return sum(spent)


@pytest.mark.parametrize("construct", some(["sizes: in split join", "sizes: in pads", "terms: pipes"], 3))
def test_a_long_pipeline_is_read_at_any_length(construct: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its effort grows with its length, no faster than the allowance up to 100 KB."""
    text = long(FAMILIES[construct], 10_000)
    spent = spent_on(monkeypatch, lambda: rise.parse(text))
    assert 0 < 10 * spent <= BASE_EFFORT + EFFORT_PER_CHARACTER * 100_000


@pytest.mark.parametrize("name", ["examples/gemm", "cases/attention", "rise/library/images"])
def test_ordinary_programs_are_far_below_the_limits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = spent_on(monkeypatch, lambda: rise.parse_file(ROOT / f"{name}.rise"))
    assert 0 < spent < BASE_EFFORT // 4


def test_types_of_partial_applications_are_not_made() -> None:
    """A primitive that takes sizes first gets its type once all of them are known, and a number is rounded once."""
    forget("rise")
    rise.parse("fun(xs: N.f32 => xs |> padCst(1, 1, 0.0))")
    text = f"fun(xs: N.f32 => xs{' |> padCst(1, 1, 0.0)' * 200})"
    assert calls_of(lambda: rise.parse(text)) < 200 * 3000
