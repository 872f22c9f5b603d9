"""Names that several visible variables would share are distinguished by operands or conditions."""

from rise.naturals import NatVar, const, nat
from shine.imperative.nodes import Block, Buffer, Condition, Define, If, Load, Local, Statement
from shine.imperative.operands import declared_in, tell_apart
from tests.shine.procedures import F32, number, op

X, Y = (Buffer(name, F32, const(8), "Global", (k,)) for k, name in enumerate("xy"))
AT = nat(NatVar("i", const(8)))


def read(buffer: Buffer) -> Load:
    return Load(buffer, AT, 1, True, F32)


def define(name: str, value: object) -> Define:
    return Define(Local(name, F32), value, ())  # type: ignore[arg-type]


def apart(*statements: Statement) -> list[str]:
    """The names of variables that would all be called `product`."""
    body = Block(statements)
    names = {one.local: "product" for one in statements if isinstance(one, Define)}
    changed = tell_apart(declared_in(body), {X: "x", Y: "y", **names}, Local)
    return [changed.get(one, name) for one, name in names.items()]


def test_products_of_different_arrays() -> None:
    first, second = op("mul", read(X), number(2.0)), op("mul", read(Y), number(2.0))
    assert apart(define("p", first), define("q", second)) == ["product_from_x", "product_from_y"]


def test_a_product_that_reads_more() -> None:
    both, one = op("mul", read(X), read(Y)), op("mul", read(X), number(2.0))
    assert apart(define("p", both), define("q", one)) == ["product_from_y", "product_from_x"]


def test_equal_products_are_not_distinguished() -> None:
    same = op("mul", read(X), number(2.0))
    assert apart(define("p", same), define("q", same)) == ["product", "product"]


def test_variables_not_visible_together_may_share_a_name() -> None:
    body = Block(
        tuple(
            If(Condition(((AT, const(k)),)), Block((define(name, op("mul", read(array), number(2.0))),)), ())
            for k, (name, array) in enumerate([("p", X), ("q", Y)], 1)
        )
    )
    names = {Local(name, F32): "product" for name in "pq"}
    assert tell_apart(declared_in(body), {X: "x", Y: "y", **names}, Local) == {}


def test_values_are_distinguished_by_operands_of_operands() -> None:
    statements = [
        define("u", op("mul", read(X), number(2.0))),
        define("v", op("mul", read(Y), number(2.0))),
        define("p", op("mul", Local("u", F32), number(3.0))),
        define("q", op("mul", Local("v", F32), number(3.0))),
    ]
    uses = [
        define(f"used{k}", op("add", Local(name, F32), Local(name, F32))) for k, name in enumerate("uvpq")
    ]
    names = {X: "x", Y: "y", **{Local(name, F32): "same" for name in "uv"}}
    names |= {Local(name, F32): "product" for name in "pq"}
    changed = tell_apart(declared_in(Block((*statements, *uses))), names, Local)
    assert [changed[Local(name, F32)] for name in "pq"] == ["product_from_x", "product_from_y"]
