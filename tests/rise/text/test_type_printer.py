"""The texts of naturals and types: reading them gives what was printed. Independent of terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.inference.scope import Scope
from rise.inference.sizes import read_natural
from rise.inference.types import read_type
from rise.naturals import Nat, NatBound, NatVar, const, exact_quotient, nat, power, var
from rise.nodes import MAX_WEIGHT, Node
from rise.quotients import ceiling_quotient, floor_quotient, maximum, minimum, remainder
from rise.scalars import ROLES, SCALARS
from rise.testing.types import types
from rise.text import reader
from rise.text import syntax as s
from rise.text.nat_printer import show_nat
from rise.text.type_printer import brief_type, show_type
from rise.types import (
    BOOL,
    F32,
    I32,
    ArrayType,
    DepFunType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    TypeBound,
    TypeVar,
    VectorType,
    shift_dependent,
)
from tests.examples import deep

F16 = ScalarType("f16")
N, M, K = var("n"), var("m"), var("k")
BOUND = (("i", "nat"), ("j", "nat"), ("t", "num"))
NAMES = tuple(name for name, _ in BOUND)


def scope() -> Scope:
    """The names that may occur in the texts of the tests."""
    return Scope(
        bound=list(BOUND),
        free=lambda name, kind: NatVar(name, None) if kind == "nat" else TypeVar(name, "data"),
    )


# Naturals

ATOMS = (
    N,
    M,
    var("s"),
    nat(NatBound(1)),
    nat(NatBound(2)),
    const(0),
    const(1),
    const(2),
    const(3),
    const(32),
)
OPERATIONS = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    floor_quotient,
    remainder,
    exact_quotient,
    ceiling_quotient,
    minimum,
    maximum,
)


def operated(drawn: tuple[int, Nat, Nat]) -> Nat:
    """An operation on two naturals; undefined results are left out."""
    operation, a, b = drawn
    try:
        return OPERATIONS[operation](a, b)
    except (ZeroDivisionError, RiseError):
        return a


def raised(drawn: tuple[Nat, Nat]) -> Nat:
    """A power, if it is not too large."""
    try:
        return power(*drawn)
    except (ZeroDivisionError, RiseError):
        return drawn[0]


EXPONENTS = st.one_of(st.integers(-3, 3).map(const), st.sampled_from((N, M + 1, 2 * N, 0 - M)))
NATURALS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.tuples(st.integers(0, len(OPERATIONS) - 1), inner, inner).map(operated),
        st.tuples(inner, EXPONENTS).map(raised),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("a", ATOMS, ids=lambda a: show_nat(a, NAMES))
def test_an_atom_reads_back(a: Nat) -> None:
    assert read_natural(scope(), reader.read_expression(show_nat(a, NAMES))) is a


@given(NATURALS)
def test_a_natural_reads_back(a: Nat) -> None:
    in_type = reader.read_type(f"({show_nat(a, NAMES)}).f32")
    assert isinstance(in_type, s.ArrayType)
    assert read_natural(scope(), in_type.size) is a
    in_expression = reader.read_expression(show_nat(a, NAMES))
    assert read_natural(scope(), in_expression) is a


@pytest.mark.parametrize(
    ("a", "shown"),
    [
        (const(0), "0"),
        (const(-3), "0 - 3"),
        (2 * N, "2 * n"),
        (1 - N, "1 - n"),
        (0 - N - M, "0 - m - n"),
        (exact_quotient(N, 32), "n /^ 32"),
        (exact_quotient(3 * N, 32), "3 * n /^ 32"),
        (exact_quotient(N - 3, M) + 1, "(n - 3) /^ m + 1"),
        (exact_quotient(N, 2 * M), "n /^ (2 * m)"),
        (exact_quotient(1, N + 1), "1 /^ (n + 1)"),
        (4 * floor_quotient(N + 5, 32), "4 * ((n + 5) / 32)"),
        (3 * remainder(N + 1, M) + 2, "3 * ((n + 1) % m) + 2"),
        (floor_quotient(remainder(N, 32), M), "n % 32 / m"),
        (ceiling_quotient(N, 32), "ceil(n, 32)"),
        (power(N, 2) * M, "m * n^2"),
        (power(2, K + 1), "2 * 2^k"),
        (power(2, 0 - K), "1 /^ 2^k"),
        (power(N + 1, K), "(n + 1)^k"),
        (nat(NatBound(5)), "%2"),
    ],
)
def test_naturals(a: Nat, shown: str) -> None:
    assert show_nat(a, NAMES) == shown


# Types


def dependent(kind: str, is_implicit: bool, result: Type) -> Type:
    return DepFunType("n", kind, is_implicit, shift_dependent(result, 1))


SIZES = st.sampled_from(
    (const(16), N, nat(NatBound(1)), 2 * N, exact_quotient(N, 4), ceiling_quotient(M, 32))
)
SCALAR_TYPES = st.sampled_from((*map(ScalarType, SCALARS), TypeBound(0, "num"), TypeVar("s", "data")))
TYPES = st.recursive(
    SCALAR_TYPES,
    lambda inner: st.one_of(
        st.builds(ArrayType, SIZES, inner),
        st.builds(VectorType, SIZES, inner),
        st.builds(IndexType, SIZES),
        st.builds(PairType, inner, inner),
        st.builds(FunType, inner, inner),
        st.builds(
            FragmentType,
            SIZES,
            SIZES,
            SIZES,
            inner,
            st.sampled_from(ROLES),
            st.sampled_from(("warp", "warpgroup")),
        ),
        st.builds(
            dependent, st.sampled_from(("nat", "space", "num", "floating + ord")), st.booleans(), inner
        ),
    ),
    max_leaves=8,
)


@given(TYPES)
def test_a_type_reads_back(t: Type) -> None:
    closed = t
    for _, kind in reversed(BOUND):  # under binders of the kinds that the indices refer to
        closed = DepFunType("", kind, False, closed)
    shown = show_type(closed)
    assert read_type(Scope(free=scope().free), reader.read_type(shown)) == closed
    assert show_type(closed) == shown


@pytest.mark.parametrize(
    ("t", "shown"),
    [
        (ArrayType(M, ArrayType(K, F32)), "m.k.f32"),
        (ArrayType(const(16), ArrayType(2 * N, F16)), "16.(2 * n).f16"),
        (ArrayType(ceiling_quotient(N, 32), F32), "ceil(n, 32).f32"),
        (PairType(F32, FunType(I32, BOOL)), "(f32, i32 -> bool)"),
        (FunType(FunType(F32, F32), FunType(F32, F32)), "(f32 -> f32) -> f32 -> f32"),
        (ArrayType(N, PairType(F32, F32)), "n.(f32, f32)"),
        (VectorType(const(4), F32), "vec[4, f32]"),
        (IndexType(N + 1), "idx[n + 1]"),
        (FragmentType(N, M, K, F16, "AMatrix", "warp"), "Fragment[n, m, k, f16, AMatrix]"),
        (FragmentType(N, M, K, F16, "Accum", "wgmma"), "Fragment[n, m, k, f16, Accum, wgmma]"),
        (DepFunType("l", "nat", False, ArrayType(nat(NatBound(0)), F32)), "(l: nat) -> l.f32"),
        (DepFunType("n", "nat", True, ArrayType(N * nat(NatBound(0)), F32)), "{n1: nat} -> (n * n1).f32"),
        (
            DepFunType("", "floating + ord", True, TypeBound(0, "floating + ord")),
            "{t: (floating + ord)} -> t",
        ),
        (FunType(DepFunType("l", "nat", False, F32), F32), "((l: nat) -> f32) -> f32"),
        (ArrayType(nat(NatBound(0)), F32), "%0.f32"),
    ],
)
def test_types(t: Type, shown: str) -> None:
    assert show_type(t) == shown


def test_a_deep_type_prints() -> None:
    t: Type = F32
    depth = deep(100_000)
    for _ in range(depth):
        t = ArrayType(N, t)
    assert show_type(t) == "n." * depth + "f32"


# Long types


def doubled(times: int) -> Type:
    """A type of two equal parts, each of which consists of two equal parts, and so on."""
    t: Type = F32
    for _ in range(times):
        t = PairType(t, t)
    return t


@given(types((N, M), (TypeVar("t", "data"),)))
def test_a_type_knows_its_printed_length_and_depth(t: Type) -> None:
    def measured(node: Node) -> tuple[int, int]:
        below = [measured(part) for part in node.parts]
        return 1 + sum(weight for weight, _ in below), 1 + max((height for _, height in below), default=0)

    assert (t.weight, t.height) == measured(t)


@given(types((N, M), (TypeVar("t", "data"),)), st.integers(1, 40))
def test_a_short_type_is_shown_completely(t: Type, room: int) -> None:
    assert brief_type(t, t.weight) == show_type(t)
    brief = brief_type(t, room)
    assert ("..." in brief.replace("..(", "")) == (brief != show_type(t))
    assert len(brief) <= 40 * (room + 3)


def test_long_types_are_abbreviated_for_people_but_not_in_exact_texts() -> None:
    t = doubled(60)
    assert t.weight == MAX_WEIGHT
    assert t.height == 61
    assert brief_type(t, 9) == "((..., ...), (..., ...))"
    assert len(str(t)) < 10_000
    with pytest.raises(RiseError) as refused:
        show_type(t)
    assert refused.value.diagnostic.code == "too-long-to-print"
    sizes = ArrayType(power(N + M + K + 1, 8), F32)
    assert brief_type(sizes, 20) == "(...).f32"
    assert brief_type(PairType(sizes, F32), 20) == "((...).f32, f32)"
