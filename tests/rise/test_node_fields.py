"""Constructors of nodes with wrong fields: one diagnostic at the user's line, with the field, what was expected and
what was found.

`tests/rise/snapshots/node_fields.txt` contains the messages; run this file as a program to rewrite them.
"""

import traceback
from pathlib import Path
from typing import Any, Final

import pytest

import rise
from rise import RiseError, Var, naturals, types
from rise.naturals import nat
from rise.types import ScalarType

F32 = ScalarType("f32")
X = Var("x", F32)
NEG = rise.parse_expr("neg{f32}")
SPLIT = rise.parse("fun(xs: 12.f32 => split(4, xs))").main.children[0].children[0].children[0]
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "node_fields.txt"
#: of any type, since each call is an error
NODES: Any = rise
TYPES: Any = types
NAMES: Any = naturals
MISTAKES = {
    "an application of numbers": lambda: NODES.App(1, 2),
    "an application to a number": lambda: NODES.App(NEG, 1),
    "an application of a text": lambda: NODES.App("neg", X),
    "an application of what is no function": lambda: NODES.App(X, X),
    "an application to another type": lambda: NODES.App(NEG, Var("x", ScalarType("i32"))),
    "a function of no type": lambda: NODES.Lam("x", "f32", X),
    "a function with a variable as name": lambda: NODES.Lam(X, F32, X),
    "a function without a body": lambda: NODES.Lam("x", F32, None),
    "a type in place of a size": lambda: NODES.DepApp(SPLIT, F32),
    "an int in place of a size": lambda: NODES.DepApp(SPLIT, 4),
    "sizes of what takes none": lambda: NODES.DepApp(NEG, nat(4)),
    "a field too few": lambda: NODES.DepApp(SPLIT),
    "facts in a list": lambda: NODES.DepLam("n", "nat", False, [], X),
    "facts as text": lambda: NODES.DepLam("n", "nat", False, ("4 divides n",), X),
    "a variable without its type": lambda: NODES.Var("x", X),
    "a list as a type": lambda: NODES.Var("x", [F32]),
    "a bound variable by name": lambda: NODES.Bound("x", F32),
    "a number as text": lambda: NODES.Literal("1.0", F32),
    "a primitive without parameters": lambda: NODES.Primitive("neg", F32, NEG.type),
    "a natural of a number": lambda: NODES.Nat(4),
    "a name that is a number": lambda: NAMES.NatVar(4, None),
    "an array type from behind": lambda: TYPES.ArrayType(F32, nat(4)),
    "a pair of a term": lambda: TYPES.PairType(F32, X),
    "an index below an int": lambda: TYPES.IndexType(4),
    "a dependent type to a term": lambda: TYPES.DepFunType("n", "nat", True, X),
    "a type that does not exist": lambda: ScalarType("float"),
}


def message(name: str) -> str:
    with pytest.raises(RiseError) as refused:
        MISTAKES[name]()
    last = traceback.extract_tb(refused.value.__traceback__)[-1]
    assert last.filename == __file__, "the traceback ends at the user's line"
    return f"{name}\n{refused.value}\n"


def messages() -> str:
    return "\n".join(map(message, MISTAKES))


def test_the_field_is_named_with_what_was_expected_and_found() -> None:
    assert messages() == SNAPSHOTS.read_text(encoding="utf-8")


def test_rebuilding_a_term_names_the_field_too() -> None:
    rebuilt: Any = rise.Lam("x", F32, X)
    with pytest.raises(RiseError, match="expected a term as `body` of Lam"):
        rebuilt.rebuild((1,))


def test_too_few_fields_of_a_class_with_a_signature_are_named_by_python() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'arg'"):
        NODES.App(NEG)


def test_errors_of_the_packages_themselves_are_assertions() -> None:
    ours = {"__name__": "strategies.of_a_test", "App": rise.App, "x": X}
    with pytest.raises(AssertionError):
        exec("App(x, x)", ours)


if __name__ == "__main__":
    SNAPSHOTS.write_text(messages(), encoding="utf-8")
