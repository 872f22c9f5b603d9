"""Permissions that strategies give a target to change loops: around which terms, and around which not."""

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import Success, topDown
from strategies.parts.schedules import allowChanges, hasBorders, onlyPrefetch
from strategies.rules.schedules import (
    allowJamming,
    allowPeeling,
    allowPrefetching,
    allowUnjoining,
    omitCopyPrefetches,
    omitResultPrefetches,
    omitRowPrefetches,
)

RULES = (allowPeeling, allowJamming, allowUnjoining, allowPrefetching)
NAMES = ("peelBorders", "unrollAndJam", "unjoinLoops", "prefetchRows")
OMISSIONS = {
    "omitCopyPrefetches": omitCopyPrefetches,
    "omitResultPrefetches": omitResultPrefetches,
    "omitRowPrefetches": omitRowPrefetches,
}
DOUBLED = "fun(xs: N.f32 => xs |> mapSeq(fun(x => x + x)){})"


def derived(strategy: elevate.Strategy, text: str) -> str:
    result = strategy(rise.parse(text).main)
    assert isinstance(result, Success)
    return rise.show(result.program)


def names_in(text: str) -> list[str]:
    return [one for one in NAMES if one in text]


@pytest.mark.parametrize(
    ("rule", "name"),
    [*zip(RULES, NAMES, strict=True), *((rule, name) for name, rule in OMISSIONS.items())],
    ids=(*NAMES, *OMISSIONS),
)
def test_a_rule_wraps_the_result_and_its_inverse_unwraps_it(rule: elevate.Strategy, name: str) -> None:
    plain, marked = DOUBLED.format(""), DOUBLED.format(f" |> {name}")
    assert derived(topDown(rule), plain) == rise.show(rise.parse(marked).main)
    assert derived(topDown(rule.inv), marked) == rise.show(rise.parse(plain).main)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("without", "gone"),
    [
        ({}, []),
        ({"borders": False}, ["peelBorders"]),
        ({"together": False}, ["unrollAndJam", "unjoinLoops"]),
        ({"prefetch": False}, ["prefetchRows"]),
        ({"borders": False, "together": False, "prefetch": False}, list(NAMES)),
    ],
)
def test_each_parameter_controls_its_permission(without: dict[str, bool], gone: list[str]) -> None:
    found = names_in(derived(allowChanges(**without), DOUBLED.format("")))
    assert found == [one for one in NAMES if one not in gone]


@pytest.mark.parametrize("wanted", [(), ("copies",), ("results", "rows"), ("copies", "results", "rows")])
def test_prefetches_that_are_not_wanted_are_omitted(wanted: tuple[str, ...]) -> None:
    found = derived(onlyPrefetch(**dict.fromkeys(wanted, True)), DOUBLED.format(""))
    omitted = [f"omit{kind}Prefetches" for kind in ("Copy", "Result", "Row")]
    kept = {"copies": omitted[0], "results": omitted[1], "rows": omitted[2]}
    assert [one for one in omitted if one in found] == [
        one for one in omitted if one not in map(kept.get, wanted)
    ]


def test_what_to_prefetch_is_a_switch() -> None:
    with pytest.raises(elevate.StrategyError, match="expected 0 or 1 for `rows`"):
        onlyPrefetch(rows=2)


def test_programs_without_loops_are_unchanged() -> None:
    text = "fun(x: f32, y: f32 => x * y + 1.0)"
    assert names_in(derived(allowChanges(), text)) == []


def test_a_named_part_is_inside() -> None:
    """The permission is for all loops of the result, including those of values that it names."""
    text = "fun(xs: N.f32 => let s = xs |> mapSeq(sqrt) |> toMem(Local) in zip(s, s) |> mapSeq(mul))"
    (body,) = derived(topDown(allowPeeling), text).split("=>", 1)[1:]
    assert body.count("peelBorders") == 1 and body.rstrip(")").endswith("peelBorders")


@pytest.mark.parametrize(
    "text",
    [
        "fun(p: (n: nat ** n.f32) => dmatch(p, fun(n: nat, xs => makeDepPair(n, xs |> mapSeq(sqrt)))))",
        "fun(b: bool, p: (n: nat ** n.f32) => dmatch(p, fun(n: nat, xs =>"
        " let ys = xs |> mapSeq(sqrt) |> toMem(Local) in if b then makeDepPair(n, ys |> mapSeq(neg))"
        " else makeDepPair(n, ys |> mapSeq(exp)))))",
    ],
    ids=["one", "chosen"],
)
def test_a_dependent_pair_stays_at_the_top(text: str) -> None:
    """The permission is for the arrays inside, so that the number of the result is still known."""
    program = rise.parse(text).main
    result = allowChanges()(program)
    assert isinstance(result, Success)
    given = (3, np.array([1, 4, 9], np.float32))
    arguments = (given,) if "bool" not in text else (True, given)
    for target in ("openmp", "interpret"):
        number, found = shine.compile(result.program, target=target)(*arguments)
        expected, meant = rise.evaluate(program, *arguments)
        assert number == expected
        np.testing.assert_array_equal(found, meant)


BORDERS = {
    "padded": "fun(xs: N.f32 => xs |> padClamp(1, 1) |> slide(3, 1) |> map(reduce(add, 0.0)))",
    "blank": "fun(xs: N.f32 => xs |> padCst(0, 2, 0.0) |> map(sqrt))",
    "concatenated": "fun(xs: N.f32, ys: M.f32 => concat(xs, ys) |> map(sqrt))",
    "cut off": "fun(xs: N.f32 => xs |> depSlide(5, 3) |> depMap(fun(i: nat, window => reduce(add, 0.0, window))))",
}
PLAIN = {
    "elements": "fun(xs: N.f32 => xs |> map(sqrt))",
    "windows": "fun(xs: (N+2).f32 => xs |> slide(3, 1) |> map(reduce(add, 0.0)))",
    "a part": "fun(xs: (N+2).f32 => xs |> drop(2) |> map(sqrt))",
    "rows": "fun(xs: (M*N).f32 => xs |> split(N) |> transpose |> map(map(sqrt)))",
    "gathered": "fun(at: M.idx[N], xs: N.f32 => gather(at, xs) |> map(sqrt))",
}


@pytest.mark.parametrize("name", [*BORDERS, *PLAIN])
def test_sequential_permits_peeling_if_a_program_has_borders(name: str) -> None:
    text = {**BORDERS, **PLAIN}[name]
    assert hasBorders(rise.parse(text).main) == (name in BORDERS)
    low = derived(strategies.load("strategies.sequential:sequential"), text)
    assert names_in(low) == (["peelBorders"] if name in BORDERS else [])
