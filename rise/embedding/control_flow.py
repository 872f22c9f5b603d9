"""Python's `return`, `break`, `continue` and `while` as flags, branches and bounded loops. Depends only on syntax.

Note [Early ends] A loop runs a known number of iterations, so flags end it early: `break` sets a flag that disables all
later iterations. If these have inner loops, which would run all the same, the loop ends with the flag, like a `while`.
`continue` sets a flag that disables the rest of the iteration. A `return` in a loop keeps its value, sets a flag and
breaks; after the loop, the flag is tested. If a branch returns, the statements after it are moved into the other
branch. `while test and k < n` with `k += 1` runs at most `n - k` iterations, and any other `while` at most 2^62, more
than any machine can run.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

Node = TypeVar("Node", bound=ast.AST)

#: the name of the function whose loop runs at most a given number of iterations
BOUNDED: Final = "__bounded"
#: the name of the function that returns whether a `while` without a bound has another iteration
GOING: Final = "__going"
#: the name of the function that returns what a loop with a `break` and inner loops runs over
ENDING: Final = "__ending"
#: the largest number of iterations of such a loop
ENDLESS: Final = 1 << 62
#: the variable of the loop that replaces a `while`, and the name of its flag, to which a number is added
TURN: Final = "__turn"
_STOPPED: Final = "stopped"
#: the flag of a loop that has no other name for it, after the flags of all loops in it
LAST_FLAG: Final = f"__{_STOPPED}_{1 << 31}"


class UnsupportedError(Exception):
    """Raised for a statement that has no meaning in a program: the node, what was expected, and a hint."""

    def __init__(self, node: ast.AST, title: str, hint: str) -> None:
        super().__init__(title)
        self.node, self.title, self.hint = node, title, hint


class Desugaring:
    """Rewrites the control flow of one function, with fresh names for its flags."""

    def __init__(self) -> None:
        self._made = 0

    def fresh(self, what: str) -> str:
        """A name that no program uses."""
        self._made += 1
        return f"__{what}_{self._made}"

    def function(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """A function's statements with `return` only at their end, and without `break`, `continue` and `while`."""
        return self._returns(self._block(body))

    # Loops.

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [new for statement in body for new in self._statement(statement)]

    def _statement(self, statement: ast.stmt) -> list[ast.stmt]:
        match statement:
            case ast.If(test, body, orelse):
                return [_at(statement, ast.If(test, self._block(body), self._block(orelse)))]
            case ast.With(items, body):
                return [_at(statement, ast.With(items, self._block(body)))]
            case ast.While(orelse=[]):
                return self._for(_bounded(statement), ends=not _is_endless(statement))
            case ast.While(test, body, orelse):  # the end of its test is a `break`, too
                broken = self.fresh("broken")
                loop = _at(statement, ast.While(test, _replaced(body, _marked(broken)), []))
                ended = _at(statement, ast.If(_not(statement, broken), self._block(orelse), []))
                return [_flag(statement, broken, False), *self._statement(loop), ended]
            case ast.For():
                return self._for(statement)
        return [statement]

    def _for(self, loop: ast.For, ends: bool = True) -> list[ast.stmt]:
        """A `for` statement, which only a `return` ends unless it `ends`."""
        body = self._block(loop.body)
        before: list[ast.stmt] = []
        after: list[ast.stmt] = []
        stopped = self.fresh(_STOPPED)
        if _holds(body, ast.Return):
            returned, value = self.fresh("returned"), self.fresh("result")
            has_value = any(_returns_value(each) for one in body for each in _own(one, also_in_loops=True))
            body = _replaced(body, _kept(returned, value if has_value else None))
            before.append(_flag(loop, returned, False))
            result = _name(loop, value) if has_value else _at(loop, ast.Constant(None))
            end: ast.stmt = _at(loop, ast.Return(result))
            after.append(_at(loop, ast.If(_name(loop, returned), [end], [])) if ends else end)
        if _holds(body, ast.Continue):
            skipped = self.fresh("skipped")
            body = [_flag(loop, skipped, False), *_guarded(body, ast.Continue, skipped)]
        if _holds(body, ast.Break):
            before.append(_flag(loop, stopped, False))
            body = _guarded(body, ast.Break, stopped)
            body = [_at(loop, ast.If(_not(loop, stopped), body, []))]
            if any(isinstance(node, ast.For) for each in body for node in ast.walk(each)) and not _is_bounded(
                loop
            ):
                iterable = _at(loop.iter, ast.Call(_name(loop.iter, ENDING), [loop.iter], []))
                loop = _at(loop, ast.For(loop.target, iterable, loop.body, loop.orelse))
            if loop.orelse:
                after.insert(0, _at(loop, ast.If(_not(loop, stopped), self._block(loop.orelse), [])))
        elif loop.orelse:
            after = [*self._block(loop.orelse), *after]
        return [*before, _at(loop, ast.For(loop.target, loop.iter, body, [])), *after]

    # Returns.

    def _returns(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements rewritten such that each `return` is at the end of a branch that ends the function."""
        for position, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                return list(body[: position + 1])
            if isinstance(statement, ast.If) and _holds([statement], ast.Return):
                rest = list(body[position + 1 :])
                if not _ends(rest):
                    rest.append(_at(statement, ast.Return(_at(statement, ast.Constant(None)))))
                branches = [
                    self._returns([*branch, *([] if _ends(branch) else copy.deepcopy(rest))])
                    for branch in (statement.body, statement.orelse)
                ]
                return [*body[:position], _at(statement, ast.If(statement.test, *branches))]
        return list(body)


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Whether statements always end the function."""
    match body[-1:]:
        case [ast.Return() | ast.Raise()]:
            return True
        case [ast.If(_, then, orelse)]:
            return bool(orelse) and _ends(then) and _ends(orelse)
    return False


def _returns_value(statement: ast.stmt) -> bool:
    """Whether a statement returns something other than None."""
    if not isinstance(statement, ast.Return):
        return False
    return statement.value is not None and not _is_constant(statement.value, None)


def _is_endless(loop: ast.While) -> bool:
    """Whether only a `return` in its body ends a loop."""
    return _is_constant(loop.test, True) and not _holds(loop.body, ast.Break)


def _is_constant(e: ast.expr, value: object) -> bool:
    return isinstance(e, ast.Constant) and e.value is value


def _kept(returned: str, value: str | None) -> type[ast.NodeTransformer]:
    """A transformer that replaces each `return` by a `break`, a flag, and an assignment of its result to a name."""

    class Kept(ast.NodeTransformer):
        def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
            ended = [_flag(node, returned, True), _at(node, ast.Break())]
            if value is None:
                return ended
            result = node.value or _at(node, ast.Constant(None))
            return [_at(node, ast.Assign([_name(node, value, ast.Store())], result)), *ended]

        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            return node

        def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
            return node

    return Kept


def _replaced(body: list[ast.stmt], transformer: type[ast.NodeTransformer]) -> list[ast.stmt]:
    module = transformer().visit(ast.Module(body, []))
    assert isinstance(module, ast.Module)
    return module.body


def _guarded(body: Sequence[ast.stmt], kind: type[ast.stmt], flag: str) -> list[ast.stmt]:
    """The statements, where those of one kind set a flag that disables the statements after them."""
    result: list[ast.stmt] = []
    for position, statement in enumerate(body):
        if isinstance(statement, kind):
            return [*result, _flag(statement, flag, True)]
        if isinstance(statement, ast.If) and _holds([statement], kind):
            branches = [_guarded(branch, kind, flag) for branch in (statement.body, statement.orelse)]
            result.append(_at(statement, ast.If(statement.test, *branches)))
            rest = _guarded(body[position + 1 :], kind, flag)
            return [*result, _at(rest[0], ast.If(_not(rest[0], flag), rest, []))] if rest else result
        result.append(statement)
    return result


def _marked(broken: str) -> type[ast.NodeTransformer]:
    """A transformer that sets a flag at each `break` of a loop, but not at those of inner loops."""

    class Marked(ast.NodeTransformer):
        def visit_Break(self, node: ast.Break) -> list[ast.stmt]:
            return [_flag(node, broken, True), node]

        def visit_For(self, node: ast.For | ast.While) -> ast.AST:
            node.orelse = [new for each in node.orelse for new in _listed(self.visit(each))]
            return node

        visit_While = visit_For

    return Marked


def _listed(given: ast.stmt | list[ast.stmt]) -> list[ast.stmt]:
    return given if isinstance(given, list) else [given]


def _holds(body: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    """Whether statements contain one of a kind, not counting those in inner functions, nor `break` and `continue` of
    inner loops.
    """
    return any(isinstance(each, kind) for statement in body for each in _own(statement, kind is ast.Return))


def _own(statement: ast.stmt, also_in_loops: bool) -> Iterator[ast.stmt]:
    yield statement
    if isinstance(statement, ast.If | ast.With) or (
        also_in_loops and isinstance(statement, ast.For | ast.While)
    ):
        for inner in (*statement.body, *getattr(statement, "orelse", ())):
            yield from _own(inner, also_in_loops)


def _bounded(loop: ast.While) -> ast.For:
    """A `while` as a loop over the maximum number of its iterations."""
    conjuncts = loop.test.values if isinstance(loop.test, ast.BoolOp) else [loop.test]
    if not (isinstance(loop.test, ast.BoolOp) and isinstance(loop.test.op, ast.Or)):
        for test in conjuncts:
            match test:
                case ast.Compare(ast.Name(counter), [ast.Lt() | ast.LtE() | ast.NotEq() as less], [end]):
                    if not _is_counted(loop, counter, end):
                        continue
                    turns: ast.expr = _at(
                        test, ast.BinOp(copy.deepcopy(end), ast.Sub(), _name(test, counter))
                    )
                    if isinstance(less, ast.LtE):
                        turns = _at(test, ast.BinOp(turns, ast.Add(), _at(test, ast.Constant(1))))
                    return _while_true(loop, loop.test, turns)
    going = _at(loop.test, ast.Call(_name(loop.test, GOING), [loop.test], []))
    none = ast.arguments([], [], None, [], [], None, [])
    first = _at(loop.test, ast.Lambda(none, copy.deepcopy(loop.test)))
    return _while_true(loop, going, _at(loop.test, ast.Constant(ENDLESS)), first)


def _while_true(loop: ast.While, test: ast.expr, *turns: ast.expr) -> ast.For:
    """A loop of at most so many iterations, which ends before the first one in which the test is false."""
    inner = _at(loop, ast.If(test, loop.body, [_at(loop, ast.Break())]))
    at_most = _at(loop.test, ast.Call(_name(loop.test, BOUNDED), list(turns), []))
    return _at(loop, ast.For(_name(loop, TURN, ast.Store()), at_most, [inner], loop.orelse))


def unless_stopped(loop: ast.For) -> ast.If | None:
    """The branch that is the body of a loop with a `break`, and does nothing after it; None for other loops."""
    match loop.body:
        case [ast.If(ast.UnaryOp(ast.Not(), ast.Name(flag)), _, []) as branch] if flag.startswith(
            f"__{_STOPPED}_"
        ):
            return branch
    return None


def _is_bounded(loop: ast.For) -> bool:
    """Whether a loop replaces a `while`."""
    return isinstance(loop.target, ast.Name) and loop.target.id == TURN


def is_end(name: str) -> bool:
    """Whether a name is the flag of a `break`, after which a loop has nothing to do."""
    return name.startswith(f"__{_STOPPED}_")


def ended_by(variable: str, names: Sequence[str], carried: Sequence[int]) -> int | None:
    """The position, among the carried names, of the flag that ends a loop with this variable; None if the loop is not a
    `while`.

    The flags of inner loops have lower numbers.
    """
    first = f"__{_STOPPED}_"
    numbers = {
        place: int(names[position].removeprefix(first))
        for place, position in enumerate(carried)
        if names[position].startswith(first)
    }
    return max(numbers, key=numbers.__getitem__) if variable == TURN and numbers else None


def _is_counted(loop: ast.While, counter: str, end: ast.expr) -> bool:
    """Whether each iteration of a loop adds 1 to a name, and does not change the expression it is compared with."""
    stored = [
        each.id
        for statement in loop.body
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    ends = {each.id for each in ast.walk(end) if isinstance(each, ast.Name)}
    if stored.count(counter) != 1 or ends & set(stored):
        return False
    places = [place for place, statement in enumerate(loop.body) if _counts(statement, counter)]
    return bool(places) and not _holds(loop.body[: places[0]], ast.Continue)


def _counts(statement: ast.stmt, counter: str) -> bool:
    match statement:
        case ast.AugAssign(ast.Name(name), ast.Add(), ast.Constant(one)):
            return name == counter and type(one) is int and one == 1
        case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(read), ast.Add(), ast.Constant(one))):
            return name == read == counter and type(one) is int and one == 1
    return False


def _at(place: ast.AST, node: Node) -> Node:
    return ast.copy_location(node, place)


def _name(place: ast.AST, name: str, context: ast.expr_context | None = None) -> ast.Name:
    return ast.copy_location(ast.Name(name, context or ast.Load()), place)


def _not(place: ast.AST, name: str) -> ast.expr:
    return _at(place, ast.UnaryOp(ast.Not(), _name(place, name)))


def _flag(place: ast.AST, name: str, value: bool) -> ast.stmt:
    return _at(place, ast.Assign([_name(place, name, ast.Store())], _at(place, ast.Constant(value))))
