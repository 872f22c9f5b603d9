"""The names that statements assign, and those read after them. Depends on Python's syntax trees, but not on values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def assigned_names(statements: Iterable[ast.AST]) -> list[str]:
    """The names that statements assign, in order, without those in functions that they define."""
    names: dict[str, None] = {}
    work: list[ast.AST] = list(statements)[::-1]
    while work:
        node = work.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names[node.name] = None
            continue
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names[node.id] = None
        work += list(ast.iter_child_nodes(node))[::-1]
    return list(names)


def read_names(node: ast.AST) -> set[str]:
    """The names that a statement or expression may read, including those in functions that it defines."""
    return {
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    } | {
        each.target.id
        for each in ast.walk(node)
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
    }


def captures(function: ast.FunctionDef) -> dict[str, set[str]]:
    """For the names to which a function assigns its inner functions: the names that these read when they are called."""
    found: dict[str, set[str]] = {}
    for statement in ast.walk(function):
        if isinstance(statement, ast.FunctionDef) and statement is not function:
            found.setdefault(statement.name, set()).update(_free_names(statement))
        elif isinstance(statement, ast.Assign) and (inner := _kept_lambdas(statement.value)):
            for name in assigned_names(statement.targets):
                found.setdefault(name, set()).update(*map(_free_names, inner))
    return found


def with_captures(names: set[str], captured: Mapping[str, set[str]]) -> set[str]:
    """The names, and all that functions among them read."""
    found: set[str] = set()
    work = list(names)
    while work:
        name = work.pop()
        if name not in found:
            found.add(name)
            work += captured.get(name, ())
    return found


def _free_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    arguments = [one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)]
    own = assigned_names(function.body) if isinstance(function, ast.FunctionDef) else []
    return read_names(function) - {*arguments, *own}


def _kept_lambdas(value: ast.expr) -> list[ast.Lambda]:
    """The lambdas in an expression that may be called after it, which are not arguments of calls."""
    found: list[ast.Lambda] = []
    work: list[ast.AST] = [value]
    while work:
        node = work.pop()
        if isinstance(node, ast.Lambda):
            found.append(node)
        elif not isinstance(node, ast.Call):
            work += ast.iter_child_nodes(node)
    return found


def live_before(statements: Sequence[ast.stmt], after: set[str]) -> set[str]:
    """The names whose values may be read by some statements or after them.

    `after` are the names that are read after the statements. Some of these are certainly assigned first, the others are
    live before, too. So are those that the statements read, whatever `after` is: for the body of a loop, which may run
    again, the names that are live before it need not be added to `after`.
    """
    live = set(after)
    for statement in reversed(statements):
        live = _before(statement, live)
    return live


def live_after_each(statements: Sequence[ast.stmt], after: set[str]) -> list[set[str]]:
    """For each of some statements, the names whose values may be read after it."""
    live = [set(after)]
    for statement in reversed(statements[1:]):
        live.append(_before(statement, live[-1]))
    return live[::-1]


def _before(statement: ast.stmt, after: set[str]) -> set[str]:
    match statement:
        case ast.If(test, body, orelse):
            return read_names(test) | live_before(body, after) | live_before(orelse, after)
        case ast.For(target, iterable, body, orelse):
            inner = live_before(body, after | live_before(orelse, after))
            return read_names(iterable) | (inner - set(assigned_names([target]))) | after | read_names(target)
        case ast.While(test, body, orelse):
            again = after | read_names(test) | live_before(orelse, after)
            return again | live_before(body, again)
        case ast.Assign(targets, value):
            stored = set(assigned_names(targets))
            return (after - stored) | read_names(value) | set().union(*map(read_names, targets))
        case ast.AnnAssign(target, _, value) if value is not None:
            return (after - set(assigned_names([target]))) | read_names(value) | read_names(target)
        case ast.Return(value):
            return read_names(value) if value is not None else set()
        case ast.FunctionDef(name):
            return (after - {name}) | read_names(statement)
    return after | read_names(statement)
