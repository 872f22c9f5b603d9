"""Places of variables before and after a firing; derivations of RISE keep them."""

import pickle
from pathlib import Path

import pytest

import elevate
import rise
from elevate import Derivation, Success
from elevate.term import preorder, subterm
from strategies import load
from strategies.rules.fusion import mapFusion
from strategies.rules.movement import joinSplit, splitJoin
from strategies.saved_derivations import known_rules, load_derivation, read_derivation, read_size
from tests.examples import some

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CASES = [
    ("gemm", "strategies.openmp:parallel"),
    ("gemm", "strategies.tensor_core:tensorCore"),
    ("mm", "strategies.cpu_gemm:arrayPacking"),
    ("jacobi", "strategies.gpu:blocksAndThreads"),
    ("attention", "strategies.gpu:blocksAndThreads"),
]


def derivation(name: str, address: str) -> Derivation[rise.Expr]:
    return elevate.derive(load(address), rise.parse_file(EXAMPLES / f"{name}.rise").main)


@pytest.mark.parametrize(("name", "address"), some(CASES, 2))
def test_moved_subterms_are_unchanged(name: str, address: str) -> None:
    """Except for indices of variables, and in the body of a call except for the substituted argument."""
    for step in derivation(name, address).steps:
        for move in elevate.moves_of(step):
            before = subterm(step.redex, move.source)
            assert before is not None
            if move.target is None or (move.name == "b" and move.source == (0, 0)):
                continue
            after = subterm(step.contractum, move.target)
            assert after is not None
            assert [node.root for node, _ in preorder(before)] == [node.root for node, _ in preorder(after)]


@pytest.mark.parametrize(("name", "address"), some(CASES, 9))
def test_a_saved_derivation_is_read_back_and_does_the_same(name: str, address: str, tmp_path: Path) -> None:
    found = derivation(name, address)
    recorded = elevate.recording(found)
    for ending, text in ((".json", elevate.to_json(recorded)), (".py", elevate.to_python(recorded))):
        path = tmp_path / f"d{ending}"
        path.write_text(text)
        assert load_derivation(path) == recorded
    assert elevate.rederive(found.given, recorded) == found
    assert recorded(found.given) == Success(found.result, found.steps)


def test_the_short_script_takes_the_same_steps() -> None:
    found = derivation("jacobi", "strategies.gpu:blocksAndThreads")
    script = elevate.minimal_script(found)
    assert script(found.given) == Success(found.result, found.steps)
    assert len(str(script)) < len(str(found))


def test_names_are_bound() -> None:
    program = rise.parse_expr("map(mul(2.0), map(add(1.0), xs))", {"xs": "n.f32"})
    (step,) = elevate.derive(mapFusion, program).steps
    bindings = elevate.bindings_of(step)
    assert {name: str(bindings[name]) for name in ("f", "g", "xs")} == {
        "f": "mul(2.0)",
        "g": "add(1.0)",
        "xs": "(xs: n.f32)",
    } or set(bindings) >= {"f", "g", "xs"}


def test_a_label_goes_where_the_variable_goes() -> None:
    program = rise.parse_expr("map(fun(x => x * 2.0), map(fun(y => y + 1.0), xs))", {"xs": "n.f32"})
    (step,) = elevate.derive(mapFusion, program).steps
    body = elevate.follow("1.0.1.0", [step])
    assert [repr(subterm(step.contractum, path)) for path in body.paths] == [
        repr(subterm(program, (1, 0, 1, 0)))
    ]
    xs = elevate.follow("1.1", [step])
    assert [subterm(step.contractum, path) for path in xs.paths] == [subterm(program, (1, 1))]
    assert "takes it apart" in str(elevate.follow("1", [step]).gone[0])


def test_undoing_a_rule_moves_back() -> None:
    program = rise.parse_expr("xs |> split(4) |> join", {"xs": "(4*n).f32"})
    (step,) = elevate.derive(joinSplit, program).steps
    assert elevate.follow((1, 1), [step]).paths == ((),)


def test_sizes_of_a_file() -> None:
    assert read_size("2 * n") == read_size("n * 2")
    with pytest.raises(ValueError, match="expected a size"):
        read_size(")")
    program = rise.parse_expr("map(add(1.0), xs)", {"xs": "(2*k*n).f32"})
    found = elevate.derive(splitJoin(read_size("2*k")), program)  # type: ignore[arg-type]  # a size
    recorded = elevate.recording(found)
    assert read_derivation(elevate.to_json(recorded)) == recorded
    with pytest.raises(elevate.StrategyError, match="not integers"):
        elevate.to_python(recorded)


def test_fingerprints_of_terms_ignore_bound_names() -> None:
    one, other = (rise.parse_expr(f"fun({x}: 4.f32 => map(add(1.0), {x}))") for x in "xy")
    assert elevate.fingerprint(one) == elevate.fingerprint(other)
    assert elevate.fingerprint(one) != elevate.fingerprint(
        rise.parse_expr("fun(x: 5.f32 => map(add(1.0), x))")
    )
    assert all(isinstance(address, str) for address in known_rules())


def test_a_precondition_is_distinguished_from_a_mismatch() -> None:
    program = rise.parse_expr("map(add(1.0), xs)", {"xs": "100.f32"})
    unmet, other = splitJoin(3)(program), mapFusion(program)
    assert isinstance(unmet, elevate.Failure) and isinstance(other, elevate.Failure)
    told = unmet.explain()
    assert told.precondition is not None and "3 does not divide 100" in str(told)
    assert other.explain().precondition is None


def test_a_file_can_only_name_predicates_of_the_library() -> None:
    text = '{"format": "elevate-derivation", "version": 1, "given": "0", "steps": [%s]}'
    step = '{"rule": "%s", "path": [], "after": "0", "parameters": ["%s"]}'
    naming, packed = "strategies.parts.memory:nameSubterm", "strategies.cpu_gemm:isPacked"
    (record,) = read_derivation(text % step % (naming, packed)).records
    assert str(record.rule) == "nameSubterm(isPackedBlocks)"
    assert pickle.loads(pickle.dumps(record.rule)) == record.rule
    for rule, parameter, told in (
        (naming, "os:system", "no predicate is called os:system"),
        (naming, "4", "expected a predicate, found 4"),
        (
            "strategies.rules.movement:splitJoin",
            packed,
            "expected a size, an integer >= 0, found isPackedBlocks",
        ),
    ):
        with pytest.raises(elevate.StrategyError, match=told):
            read_derivation(text % step % (rule, parameter))
