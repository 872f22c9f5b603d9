"""Traits of records agree with types and meanings, and no primitive lacks a trait that it should have.

Depends on how each trait is recognised, but on no list of primitives.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
from rise.arguments.sizes import dtype_of
from rise.inference.schemes import scheme_of
from rise.primitives import (
    PARALLEL,
    PRIMITIVES,
    PROJECTIONS,
    SCALAR_FUNCTIONS,
    applied,
    has_trait,
    lookup,
    operands_of,
    running_on,
    with_trait,
)
from rise.primitives.record import PrimitiveRecord, neutral_at
from rise.primitives.traits import DERIVED, IMPLIED, TRAITS
from rise.programs.evaluation import evaluate
from rise.programs.program import parse_expr
from rise.scalars import SCALARS
from rise.types import ArrayType, DepFunType, FragmentType, FunType, IndexType, PairType, ScalarType, Type
from rise.values import leaves
from tests.rise.primitives.cases import EXPANDED, SIZES, Case
from tests.rise.primitives.test_meaning import typed

NUMBERS: Final = (-7, -2, -1, 0, 1, 2, 3, 12)
OPERANDS: Final = "abc"


def parameters(record: PrimitiveRecord) -> list[Type]:
    """The types of the arguments of a primitive."""
    found, t = [], scheme_of(record.scheme).body
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, FunType):
            found.append(t.parameter)
        t = t.result
    return found


def spelled(record: PrimitiveRecord, *operands: str) -> str:
    """A call, with 0 for each dimension."""
    return f"{record.name}({', '.join(['0'] * record.scheme.count('(dim: nat)') + list(operands))})"


def functions_of(count: int, t: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of this number of arguments of a type, and the type of each result."""
    for record in SCALAR_FUNCTIONS:
        if operands_of(record.name) != count or "{s:" in record.scheme or "idx" in record.scheme:
            continue
        takes = ", ".join(f"{x}: {t}" for x in OPERANDS[:count])
        try:
            e = parse_expr(f"fun({takes} => {record.name}({', '.join(OPERANDS[:count])}))")
        except rise.RiseError:
            continue  # of other types
        yield record.name, lambda *given, e=e: evaluate(e, *(SCALARS[t].dtype.type(one) for one in given))


def test_no_trait_is_stated_twice_or_unused() -> None:
    assert set(TRAITS) == {one for record in PRIMITIVES.values() for one in record.traits}
    assert all(with_trait(one) for one in DERIVED) and not set(DERIVED) & set(TRAITS)
    for record in PRIMITIVES.values():
        assert len(set(record.traits)) == len(record.traits)
        assert not {IMPLIED[one] for one in record.traits if one in IMPLIED} & set(record.traits), record.name
        below = [name for name in record.lowers_to if has_trait(name, "computes")]
        assert not (below and "computes" in record.traits), f"{record.name} computes, as {below} do"


def test_every_trait_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "architecture.md").read_text("utf-8")
    assert [one for one in (*TRAITS, *DERIVED) if f"`{one}`" not in page] == []
    assert all(text.strip() for text in (*TRAITS.values(), *DERIVED.values()))


def test_the_number_of_operands_is_that_of_the_type() -> None:
    for name, record in PRIMITIVES.items():
        count = len(parameters(record))
        assert operands_of(name) == count
        assert applied([name]) == {(name, count)}


def test_array_literals_have_the_traits_of_their_family() -> None:
    assert operands_of("makeArray3") == 3
    assert has_trait("makeArray3", "writable") and not has_trait("makeArray0", "writable")


@pytest.mark.parametrize(("trait", "specimen"), [("maps", "map"), ("rows", "depMap"), ("scans", "scan")])
def test_patterns_behave_like_their_specimen(trait: Any, specimen: str) -> None:
    """Exactly the primitives of its type have the trait, except for a dimension."""
    scheme = PRIMITIVES[specimen].scheme
    alike = {name for name, one in PRIMITIVES.items() if one.scheme.removeprefix("(dim: nat) -> ") == scheme}
    assert with_trait(trait) == alike
    xs, head = np.arange(6, dtype=np.int32), "fun(xs: 6.i32 => "
    texts = {
        "maps": lambda one: spelled(one, "fun(x => x * x - 3)", "xs"),
        "rows": lambda one: spelled(
            one, "fun(i: nat, row => reduce(add, 0, row))", "partition{(i |-> i + 1)}(3, xs)"
        ),
        "scans": lambda one: spelled(one, "fun(acc, x => 10 * acc - x)", "3", "xs"),
    }
    expected = evaluate(parse_expr(f"{head}{texts[trait](PRIMITIVES[specimen])})"), xs)
    for name in alike:
        found = evaluate(parse_expr(f"{head}{texts[trait](PRIMITIVES[name])})"), xs)
        assert found.tolist() == expected.tolist(), name


def test_reductions_combine_a_start_value_and_all_elements() -> None:
    """Exactly the primitives that take a function, a start value of the type of its result, and an array of elements to
    combine.
    """

    def is_reduction(record: PrimitiveRecord) -> bool:
        t = scheme_of(record.scheme).body
        while isinstance(t, DepFunType):
            t = t.result
        match t:
            case FunType(FunType(a, FunType(s, b)), FunType(c, FunType(ArrayType(_, d), r))):
                return a == b == c == r and s == d
        return False

    assert with_trait("reduces") == {name for name, one in PRIMITIVES.items() if is_reduction(one)}
    xs = np.array([5, 2, 9, 2], np.int32)
    for name in with_trait("reduces"):
        e = parse_expr(f"fun(xs: 4.i32 => {spelled(PRIMITIVES[name], 'add', '7', 'xs')})")
        assert evaluate(e, xs) == 25


def test_only_scattering_views_compute() -> None:
    for name in with_trait("computes"):
        assert PRIMITIVES[name].level != "view" or has_trait(name, "scatters"), name
    assert {name for name, one in PRIMITIVES.items() if one.level == "high"} <= with_trait("computes")
    for name in with_trait("loops"):
        assert PRIMITIVES[name].level == "low", name


def test_parallel_patterns_are_loops() -> None:
    assert with_trait("loops") >= PARALLEL
    assert running_on(*{PRIMITIVES[name].runs_on for name in PARALLEL}) == PARALLEL
    on_a_gpu = PARALLEL - running_on("processor")
    assert on_a_gpu == {name for name, one in PRIMITIVES.items() if "(dim: nat)" in one.scheme}


def test_projections_return_the_parts_of_a_pair_in_order() -> None:
    for name, part in zip(PROJECTIONS, (1, 2.5), strict=True):
        assert evaluate(parse_expr(f"{name}(pair(1, 2.5))")) == part


def test_writable_views_take_only_what_they_show() -> None:
    for name in with_trait("writable"):
        record = PRIMITIVES[name]
        assert record.level == "view", name
        assert not any(isinstance(one, FunType | IndexType) for one in parameters(record)), name


def test_scattering_views_take_indices_first_and_are_written_last() -> None:
    for name in with_trait("scatters"):
        first, *_, last = parameters(PRIMITIVES[name])
        assert isinstance(first, ArrayType) and isinstance(first.element, IndexType), name
        assert isinstance(last, ArrayType), name


def test_sorts_return_the_sorted_elements_or_their_indices() -> None:
    xs = np.array([5, 2, 9, 2], np.int32)
    order = [1, 3, 0, 2]
    for name in with_trait("sorts"):
        found = evaluate(parse_expr(f"fun(xs: 4.i32 => {spelled(PRIMITIVES[name], 'xs')})"), xs)
        assert found.tolist() in ([2, 2, 5, 9], order), name


def test_compressing_patterns_keep_elements_of_their_last_operand() -> None:
    xs, mask = np.array([5, 2, 9, 2], np.int32), np.array([False, True, True, False])
    for name in with_trait("compresses"):
        term = parse_expr(f"fun(bs: 4.bool, xs: 4.i32 => {name}(3, bs, 0, xs))")
        assert evaluate(term, mask, xs).tolist() == [2, 9, 0], name


def times_read(case: Case) -> int:
    """The maximum number of occurrences of an element of the last operand in the result of a case."""
    most = 0
    for sizes in SIZES[:2]:
        program, first, given = case.program(), 1, []
        for t in typed(program, sizes):
            numbers = numbered(t, first)
            given.append(numbers)
            first += sum(leaf.size for leaf in leaves(numbers))
        found = leaves(evaluate(program, *given, sizes={name: sizes[name] for name in case.sizes}))
        own = np.concatenate([leaf.reshape(-1) for leaf in leaves(given[-1])] or [np.zeros(0)])
        for leaf in found:
            values, counts = np.unique(leaf, return_counts=True)
            most = max([most, *counts[np.isin(values, own)].tolist()])
    return most


def numbered(t: Type, first: int, shape: tuple[int, ...] = ()) -> Any:
    """A value of a type whose numbers all differ; its indices are all 0."""
    match t:
        case ArrayType(size, element):
            return numbered(element, first, (*shape, size.constant or 0))
        case PairType(one, two):
            left = numbered(one, first, shape)
            return left, numbered(two, first + sum(leaf.size for leaf in leaves(left)), shape)
        case IndexType():
            return np.zeros(shape, np.int64)
        case ScalarType():
            count = int(np.prod(shape, dtype=int))
            return np.arange(first, first + count).reshape(shape).astype(dtype_of(t))
    raise AssertionError(f"{t} has no such values")


#: views of plain numbers: those that call functions, or make vectors, need others around them
VIEWS: Final = [
    case
    for case in EXPANDED
    if PRIMITIVES[case.name].level == "view"
    and case.body.startswith((f"{case.name}(", "["))
    and "|>" not in case.body
    and not any("vec" in t or t.startswith("idx") for t in case.types)
]
#: those that result in rows of different lengths, which are joined
ROWS: Final = [
    Case(name, ("6.i32",), f"depJoin({name}{given})", lambda s, a: a)
    for name, given in (
        ("depSlide", "(4, 2, a)"),
        ("depTile", "(3, 2, a)"),
        ("partition", "{(i |-> 2)}(3, a)"),
    )
]


@pytest.mark.parametrize("name", sorted({case.name for case in (*VIEWS, *ROWS)} - with_trait("scatters")))
def test_only_rereading_views_show_an_element_twice(name: str) -> None:
    most = max(times_read(case) for case in (*VIEWS, *ROWS) if case.name == name)
    assert (most > 1) == has_trait(name, "rereads")


@pytest.mark.parametrize("name", sorted(with_trait("rearranges")))
def test_rearranging_views_add_no_elements(name: str) -> None:
    assert not has_trait(name, "unspecified") and not has_trait(name, "rereads")
    assert all(isinstance(one, ArrayType) for one in parameters(PRIMITIVES[name]))


def test_exactly_the_dividing_functions_fail_at_zero() -> None:
    def fails(function: Callable[..., Any]) -> bool:
        try:
            function(7, 0)
        except rise.RiseError as error:
            return error.diagnostic.code == "division-by-zero"
        return False

    assert with_trait("divides") == {name for name, function in functions_of(2, "i32") if fails(function)}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_unrounded_functions_return_an_operand(count: int) -> None:
    """Or one with another sign; tested on numbers that no other function of as many arguments would return."""
    given = (2.5, 0.4375, 6.125)[:count]
    among = {one * sign for one in given for sign in (1, -1)}
    found = {name for name, function in functions_of(count, "f32") if float(function(*given)) in among}
    assert found == {name for name, _ in functions_of(count, "f32") if has_trait(name, "unrounded")}


@pytest.mark.parametrize("count", [2, 3])
def test_multiplying_functions_return_the_product_of_their_first_operands(count: int) -> None:
    """Exactly those that do, if the remaining operands are 0."""
    pairs = ((3.0, 0.4375), (2.5, -6.0))
    found = {
        name
        for name, function in functions_of(count, "f32")
        if all(float(function(*(a, b, 0.0)[:count])) == a * b for a, b in pairs)
    }
    assert found == {name for name, _ in functions_of(count, "f32") if has_trait(name, "multiplies")}
    assert found


def test_forwarding_patterns_return_their_last_operands_unchanged() -> None:
    xs, ys = np.arange(3, dtype=np.int32), np.arange(3, 6, dtype=np.int32)
    for name in with_trait("forwards"):
        for truth in ("true", "false"):
            before = [truth] * (operands_of(name) - 2)
            e = parse_expr(f"fun(xs: 3.i32, ys: 3.i32 => {spelled(PRIMITIVES[name], *before, 'xs', 'ys')})")
            found = leaves(evaluate(e, xs, ys))
            assert found, name
            assert all(leaf.tolist() in (xs.tolist(), ys.tolist()) for leaf in found), name


@pytest.mark.parametrize("t", ["bool", "i8", "u8", "i32", "u64", "f32"])
def test_exactly_the_commutative_monoids_have_a_neutral_number(t: str) -> None:
    """Those that select an operand need none, since any start value is allowed."""
    facts = SCALARS[t]
    values = {"b": (0, 1), "u": (0, 1, 2, 3, 12, (1 << facts.bits) - 1)}.get(facts.dtype.kind, NUMBERS)
    found = set()
    for name, function in functions_of(2, t):
        if (
            has_trait(name, "chooses")
            or has_trait(name, "divides")
            or (has_trait(name, "predicate") and t != "bool")
        ):
            continue
        call = cache(lambda a, b, function=function: function(a, b).item())
        neutral = neutral_at(PRIMITIVES[name], t)
        if neutral is not None:
            found.add(name)
            assert all(call(a, neutral) == call(neutral, a) == a for a in values)
        if _is_monoid(call, values):
            assert neutral is not None, name
    assert found


def _is_monoid(call: Callable[[Any, Any], Any], values: Sequence[int]) -> bool:
    """Whether an operation on some values is commutative and associative, and has a neutral element among them."""
    return (
        any(all(call(a, one) == a for a in values) for one in values)
        and all(call(a, b) == call(b, a) for a, b in itertools.product(values, repeat=2))
        and all(
            call(call(a, b), c) == call(a, call(b, c)) for a, b, c in itertools.product(values[:6], repeat=3)
        )
    )


def test_choosing_functions_return_an_operand_and_are_associative() -> None:
    for name in with_trait("chooses"):
        is_pair = PRIMITIVES[name].scheme.startswith("{s: data}")
        t = "(i32, i32)" if is_pair else "i32"
        e = parse_expr(f"fun(a: {t}, b: {t} => {name}(a, b))")
        values: list[Any] = [(one % 3, one) for one in NUMBERS[:5]] if is_pair else list(NUMBERS[:5])

        def call(a: Any, b: Any, e: Any = e) -> Any:
            found = evaluate(e, *(_as_numbers(one) for one in (a, b)))
            return tuple(map(int, found)) if isinstance(found, tuple) else int(found)

        for a, b, c in itertools.product(values, repeat=3):
            assert call(a, b) in (a, b)
            assert call(a, a) == a
            assert call(call(a, b), c) == call(a, call(b, c))


def _as_numbers(value: Any) -> Any:
    return tuple(map(np.int32, value)) if isinstance(value, tuple) else np.int32(value)


def test_the_trait_of_fragments_follows_from_types() -> None:
    for name, record in PRIMITIVES.items():
        t = scheme_of(record.scheme).body
        found = False
        while isinstance(t, FunType | DepFunType):
            found = found or (isinstance(t, FunType) and isinstance(t.parameter, FragmentType))
            t = t.result
        assert (found or isinstance(t, FragmentType)) == (name in with_trait("fragments")), name
        is_factor = isinstance(t, FragmentType) and t.role != "Accum"
        assert is_factor == has_trait(name, "loads"), name


def test_other_names_are_not_primitives() -> None:
    for record in PRIMITIVES.values():
        for one in record.spellings:
            assert lookup(one) is None
