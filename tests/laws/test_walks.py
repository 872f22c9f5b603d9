"""Law of walks: functions of `shine` that traverse statements or values themselves are listed with a reason.

All others use `shine/imperative/walk.py` and `rewrite.py`. Depends on the names of nodes that contain others.
"""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.laws.sources import nodes_of, parsed
from tests.laws.test_files import ROOT, plant, texts

#: statements that contain statements, and values that contain values
NODES: Final = ({"For", "If", "MapFragment"}, {"Operation", "Guarded"})
#: the files of the walks that all others use
WALKS: Final = ("shine/imperative/walk.py", "shine/imperative/rewrite.py")

EVERY_NODE: Final = "treats every kind of node differently"
AROUND: Final = "rebuilds a block by what is around it"
IN_ORDER: Final = "carries a state from each statement to the next"
BOTTOM_UP: Final = "computes a result from those of inner statements"
SOME_ONLY: Final = "needs positions in blocks, or enters some statements only"
OPERATIONS: Final = "the result for a value depends on the operation or the condition around it"

#: the reason for each function that traverses by itself (docs/decisions/0046)
LISTED: Final[Mapping[str, str]] = {
    "shine/imperative/accesses.py:accesses": EVERY_NODE,
    "shine/imperative/known_conditions.py:within": IN_ORDER,
    "shine/imperative/text.py:write_block": EVERY_NODE,
    "shine/imperative/text.py:write_value": EVERY_NODE,
    "shine/imperative/updates.py:changed": SOME_ONLY,
    "shine/imperative/updates.py:only_changes": SOME_ONLY,
    "shine/imperative/vectors.py:lane_of": OPERATIONS,
    "shine/imperative/vectors.py:vector_of": OPERATIONS,
    "shine/passes/cpu/mark_loops.py:_marked": AROUND,
    "shine/passes/cpu/share_memory.py:_shared": AROUND,
    "shine/passes/gpu/await_copies.py:_place": IN_ORDER,
    "shine/passes/gpu/await_copies.py:_reach": IN_ORDER,
    "shine/passes/gpu/distribute_matrices.py:_block": AROUND,
    "shine/passes/gpu/distribute_registers.py:_block": AROUND,
    "shine/passes/gpu/exchange_together.py:_statement": AROUND,
    "shine/passes/gpu/keep_copies.py:_grouped": IN_ORDER,
    "shine/passes/gpu/liveness.py:_behind": IN_ORDER,
    "shine/passes/gpu/liveness.py:_live_before": IN_ORDER,
    "shine/passes/gpu/place_barriers.py:_place_one": IN_ORDER,
    "shine/passes/gpu/place_barriers.py:_summary": BOTTOM_UP,
    "shine/passes/gpu/store_once.py:_inside": AROUND,
    "shine/passes/join_temporaries.py:_joined": AROUND,
    "shine/targets/c/expressions.py:value_text": EVERY_NODE,
    "shine/targets/c/masked_loads.py:_nest": IN_ORDER,
    "shine/targets/c/masked_loads.py:_walk": IN_ORDER,
    "shine/targets/c/statements.py:print_statements": EVERY_NODE,
    "shine/targets/cuda/statements.py:print_block": EVERY_NODE,
    "shine/targets/interpreter/statements.py:_statement": EVERY_NODE,
    "shine/targets/interpreter/values.py:value": EVERY_NODE,
    "shine/validation/execution.py:_after": EVERY_NODE,
    "shine/validation/execution.py:_value": EVERY_NODE,
}


def walks(root: Path) -> set[str]:
    """The recursive functions that distinguish two kinds of nodes that contain others."""
    found: set[str] = set()
    for name, text in texts(root, ".py"):
        if not name.startswith("shine/") or name in WALKS:
            continue
        functions = {node.name: node for node in nodes_of(parsed(text)) if isinstance(node, ast.FunctionDef)}
        used = {name: _names(function) & set(functions) for name, function in functions.items()}
        found |= {
            f"{name}:{function}"
            for function, node in functions.items()
            if any(len(_matched(node) & kind) >= 2 for kind in NODES) and _calls_itself(function, used)
        }
    return found


def _names(function: ast.FunctionDef) -> set[str]:
    """The names that a function mentions, including those of methods."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Name | ast.Attribute)
    }


def _matched(function: ast.FunctionDef) -> set[str]:
    """The classes that a function tests for, by `match` or by `isinstance`."""
    matched: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.MatchClass(cls=ast.Name(name)):
                matched.add(name)
            case ast.Call(func=ast.Name("isinstance"), args=[_, classes]):
                matched |= {one.id for one in ast.walk(classes) if isinstance(one, ast.Name)}
    return matched


def _calls_itself(function: str, used: Mapping[str, set[str]]) -> bool:
    reached: set[str] = set()
    left = [function]
    while left:
        new = used[left.pop()] - reached
        reached |= new
        left += new
    return function in reached


def test_functions_that_traverse_by_themselves_are_listed() -> None:
    assert walks(ROOT) == set(LISTED)


WALK = """
def counted(block):
    return sum(_of(one) for one in block.statements)

def _of(statement):
    match statement:
        case For(body=body):
            return counted(body)
        case If(then=then):
            return counted(then)
    return 1
"""
VALUES = """
class Reader:
    def read(self, value):
        if isinstance(value, Operation):
            return [self.read(one) for one in value.arguments]
        return self.read(value.then) if isinstance(value, (Guarded, Load)) else []
"""
NO_WALK = """
def body_of(statement):
    match statement:
        case For(body=body) | If(body=body):
            return body
    return None

def depth(loop):
    return 1 + depth(loop.body) if isinstance(loop, For) else 0
"""


def test_a_walk_that_is_not_listed_is_found(tmp_path: Path) -> None:
    plant(
        tmp_path, {"shine/passes/a.py": WALK, "shine/targets/a.py": VALUES, "shine/imperative/a.py": NO_WALK}
    )
    plant(tmp_path, {"shine/imperative/walk.py": WALK, "strategies/a.py": WALK})
    assert walks(tmp_path) == {"shine/passes/a.py:_of", "shine/targets/a.py:read"}
