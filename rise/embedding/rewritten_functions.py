"""Rewrites Python functions such that their loops and branches call this package.

Depends on syntax and sources, but not on symbolic values.

One subject: the rewriter, with the syntax that it makes.

Note [Statements by their source]
A loop over a symbolic size and a branch on data cannot be run by Python. The source of a function with such statements
is read, and each of them becomes a call: its body becomes a function of the names that it assigns, which returns their
new values. `for i in range(n): s += x[i]` becomes `(s,) = loop(range(n), body, ("s",), (s,))` with `def body(i, s): s
+= x[i]; return (s,)`. Names that are assigned again before they are read are left out. Every expression keeps its place
in the file, so that messages refer to it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, Final

import numpy as np

from rise.embedding.control_flow import BOUNDED, ENDING, GOING, Desugaring, UnsupportedError, unless_stopped
from rise.embedding.definitions import definition_of
from rise.embedding.liveness import (
    assigned_names,
    captures,
    live_after_each,
    live_before,
    with_captures,
)
from rise.embedding.places import Place, refuse

#: the name of the object with the functions of `rise.embedding.statements`
RUNTIME: Final = "__rise"
_STATEMENTS: Final = ast.For | ast.While | ast.If | ast.IfExp | ast.BoolOp | ast.Call | ast.Assert | ast.Raise
_COMPREHENSIONS: Final = ast.ListComp | ast.GeneratorExp
_PARTS: Final = ast.Subscript | ast.AugAssign | ast.Global
_REFUSED: Final = {
    ast.Try: ("exceptions", "choose with `np.where`: a program has no errors at run time"),
    ast.Global: ("`global` names", "take the value as a parameter, and return it"),
    ast.Nonlocal: ("`nonlocal` names", "return the value from the function"),
    ast.Yield: ("generators", "return an array"),
    ast.YieldFrom: ("generators", "return an array"),
    ast.ClassDef: ("classes", "use arrays and tuples"),
    ast.Delete: ("`del`", "leave it out"),
    ast.AsyncFor: ("asynchronous loops", "write `for`"),
    ast.Await: ("`await`", "call the function"),
}


def rewritten(function: FunctionType, runtime: Any) -> FunctionType | None:
    """The function with its loops and branches replaced by calls of `runtime`; None if it has none, or no source."""
    made = _factory(function.__code__, function.__code__.co_filename)
    if made is None:
        return None
    runtime.made.update(_codes(made))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    values = [
        cells[name].cell_contents if _is_full(cells[name]) else None for name in _enclosing(function.__code__)
    ]
    runtime.outside.extend(one for one in (*values, *_globals(function)) if isinstance(one, np.ndarray))
    result = FunctionType(made, function.__globals__)(runtime, *values)
    assert isinstance(result, FunctionType)
    result.__defaults__, result.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return result


@lru_cache(maxsize=1 << 10)
def _factory(code: CodeType, file: str) -> CodeType | None:
    """The code of a function that takes the runtime and the values of the names in `_enclosing`, and returns the
    rewritten function.

    None if there is nothing to rewrite, or no source. Cached, since programs call functions many times, and each call
    would read the whole file. `file` is part of the key, since equal codes may come from different files.
    """
    definition = definition_of(code)
    if definition is None or not any(map(_is_read, ast.walk(definition))):
        return None
    try:
        new = _Rewriter().definition(definition)
    except UnsupportedError as error:
        refuse("unsupported", error.title, error.hint, at=_place(file, error.node))
    names = [RUNTIME, *_enclosing(code)]
    parameters = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    give = ast.Return(ast.Name(new.name, ast.Load()))
    factory = ast.FunctionDef("__factory", parameters, [new, give], [], None)
    if hasattr(ast, "TypeAlias"):  # Python 3.12: functions have type parameters
        factory.type_params = []  # type: ignore[attr-defined,unused-ignore]  # see above
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(factory, definition)], []))
    [made] = [
        each
        for each in compile(module, file, "exec", dont_inherit=True).co_consts
        if isinstance(each, CodeType)
    ]
    return made


def _globals(function: FunctionType) -> list[Any]:
    """The values of the names of its module that a function mentions."""
    names = dict.fromkeys(name for code in _codes(function.__code__) for name in code.co_names)
    return [function.__globals__[name] for name in names if name in function.__globals__]


def _enclosing(code: CodeType) -> list[str]:
    """The names of enclosing functions that a function mentions."""
    return [name for name in code.co_freevars if name != RUNTIME]


def _is_read(node: ast.AST) -> bool:
    """Whether a part of a function must be rewritten to run on symbolic values, or refused: some statements, calls,
    brackets, assignments to parts.
    """
    if isinstance(node, ast.Assign):
        return any(map(_parts_named, node.targets))
    if isinstance(node, ast.Attribute):
        return isinstance(node.ctx, ast.Store)
    return isinstance(node, _STATEMENTS | _COMPREHENSIONS | _PARTS)


def _is_joining(node: ast.AST) -> bool:
    """Whether a part of a function is or looks like `np.c_[...]`, `np.mgrid[...]` or the like."""
    match node:
        case ast.Subscript(ast.Attribute(_, name) | ast.Name(name)):
            return name in ("c_", "r_", "mgrid", "ogrid")
    return False


def _is_full(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018  # it raises ValueError if nothing was assigned
    except ValueError:
        return False
    return True


def _codes(code: CodeType) -> set[CodeType]:
    """A code object and all code objects that it contains."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return {code}.union(*map(_codes, inner))


def _place(file: str, node: ast.AST) -> Place:
    line, start = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end = getattr(node, "end_col_offset", None) if getattr(node, "end_lineno", None) == line else None
    return Place(file, line, start, end)


class _Rewriter(ast.NodeTransformer):
    """Rewrites one function: its statements, given the names that are read after them, and its expressions."""

    def __init__(self) -> None:
        self._flags = Desugaring()
        self._tests: set[ast.expr] = set()  # `and` and `or` whose truth value alone is read
        self._changed: set[str] = set()  # the names of arrays to whose elements it assigns
        self._captured: dict[str, set[str]] = {}  # what its inner functions read when they are called

    def definition(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function's definition without decorators and annotations."""
        for each in ast.walk(node):
            refused = _REFUSED.get(type(each))
            if refused is not None:
                what, hint = refused
                raise UnsupportedError(each, f"programs do not support {what}", hint)
        self._changed = {
            each.value.id
            for each in ast.walk(node)
            if isinstance(each, ast.Subscript)
            and isinstance(each.ctx, ast.Store)
            and isinstance(each.value, ast.Name)
        }
        self._captured = captures(node)
        body = self._block(self._flags.function(node.body), set())
        parameters = ast.arguments(
            [ast.arg(each.arg) for each in node.args.posonlyargs],
            [ast.arg(each.arg) for each in node.args.args],
            node.args.vararg,
            [ast.arg(each.arg) for each in node.args.kwonlyargs],
            node.args.kw_defaults,
            node.args.kwarg,
            node.args.defaults,
        )
        return _function(node, node.name, parameters, body)

    # Statements.

    def _block(self, body: Sequence[ast.stmt], after: set[str]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement, live in zip(body, live_after_each(body, after), strict=False):
            result += self._statement(statement, with_captures(live, self._captured))
        return result

    def _late(self, live: set[str]) -> set[str]:
        """The names that functions read late: those that live functions captured."""
        return {name for function in live for name in self._captured.get(function, ())}

    def _statement(self, statement: ast.stmt, after: set[str]) -> list[ast.stmt]:
        match statement:
            case ast.For():
                return self._loop(statement, after)
            case ast.If(test, body, orelse) if _ends_in_return(statement):
                return self._returning(statement, test, body, orelse)
            case ast.If():
                return self._branch(statement, after)
            case ast.With(items, body):
                inner = [self.visit(item) for item in items]
                return [ast.copy_location(ast.With(inner, self._block(body, after)), statement)]
            case ast.FunctionDef():
                return [self.visit_FunctionDef(statement)]
            case ast.Assign([target], value) if (count := _parts_named(target)) and not isinstance(
                value, ast.Tuple
            ):
                parts = _call(value, "parts", self.visit(value), ast.Constant(count))
                taken = ast.Assign([self.visit(target)], parts)
                return [ast.copy_location(taken, statement)]
            case ast.Assign([ast.Name() as target], value):
                made = ast.Assign([self.visit(target)], self._owned(target, value))
                return [ast.copy_location(made, statement)]
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
                owned = [self._owned(*each) for each in zip(targets, values, strict=True)]
                whole = ast.copy_location(ast.Tuple(owned, ast.Load()), statement.value)
                made = ast.Assign([self.visit(target) for target in statement.targets], whole)
                return [ast.copy_location(made, statement)]
        new = self.visit(statement)
        assert isinstance(new, ast.stmt)
        return [new]

    def _owned(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """A value that is assigned. If the function changes an array of this name, a known array that a call makes may
        have to be one of the program.
        """
        new: ast.expr = self.visit(value)
        match target, value:
            case ast.Name(name), ast.Call() if name in self._changed:
                place = ast.Tuple([ast.Constant(value.lineno), ast.Constant(value.col_offset)], ast.Load())
                return _call(value, "own", new, place)
        return new

    def _loop(self, loop: ast.For, after: set[str]) -> list[ast.stmt]:
        again = with_captures(after | live_before(loop.body, after), self._captured)
        after = after | (again & self._late(again))
        targets = assigned_names([loop.target])
        names = [name for name in assigned_names(loop.body) if name in again and name not in targets]
        names += [name for name in targets if name in after]
        may_be_alike = again.isdisjoint(targets) and not _has_comprehensions(loop.body)
        item = self._flags.fresh("item")
        take = ast.copy_location(ast.Assign([loop.target], _load(loop.target, item)), loop.target)
        inside: list[ast.stmt] = [take, *loop.body]
        guard = unless_stopped(loop)
        if guard is not None and not after.isdisjoint(targets):  # it keeps its value after a `break`
            inside = [ast.copy_location(ast.If(guard.test, [take, *guard.body], []), guard)]
        body = self._block(inside, set(names) | again)
        function = self._body(loop, [item, *names], names, body, self._late(again))
        known = targets[0] if len(targets) == 1 else ""
        call = _call(
            loop.iter,
            "loop",
            self.visit(loop.iter),
            _load(loop, function.name),
            *_values(loop, names),
            ast.Constant(known),
            ast.Constant(may_be_alike or _assigns_elements(loop.body)),
            ast.Constant(_assigns_parts(loop.body)),
        )
        return [function, _stored(loop, names, call)]

    def _branch(self, branch: ast.If, after: set[str]) -> list[ast.stmt]:
        live = live_before(branch.body, after) | live_before(branch.orelse, after) | after
        live = with_captures(live, self._captured)
        names = [name for name in assigned_names([*branch.body, *branch.orelse]) if name in live]
        functions = [
            self._body(branch, names, names, self._block(body, set(names) | after), self._late(live))
            for body in (branch.body, branch.orelse)
        ]
        made = [_load(branch, function.name) for function in functions]
        call = _call(branch.test, "branch", self._test(branch.test), *made, *_values(branch, names))
        return [*functions, _stored(branch, names, call)]

    def _returning(
        self, branch: ast.If, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> list[ast.stmt]:
        """A branch both sides of which end the function."""
        functions: list[ast.FunctionDef] = []
        live = with_captures(live_before(body, set()) | live_before(orelse, set()), self._captured)
        names = [name for name in assigned_names([*body, *orelse]) if name in live]
        for side in (body, orelse):
            functions.append(self._body(branch, names, None, self._block(side, set()), self._late(live)))
        made = [_load(branch, function.name) for function in functions]
        call = _call(test, "returned", self._test(test), *made, *_values(branch, names))
        return [*functions, ast.copy_location(ast.Return(call), branch)]

    def _body(
        self,
        place: ast.AST,
        parameters: list[str],
        results: list[str] | None,
        body: list[ast.stmt],
        late: set[str],
    ) -> ast.FunctionDef:
        """The function for a part of the definition. The names that inner functions read `late` are the variables of
        the definition, which these functions captured.
        """
        if results is not None:
            body = [*body, ast.copy_location(ast.Return(_tuple(place, results, ast.Load())), place)]
        given = {name: self._flags.fresh(name) for name in parameters if name in late}
        if given:
            values = [_stored(place, [name], _tuple(place, [one], ast.Load())) for name, one in given.items()]
            body = [ast.copy_location(ast.Nonlocal(list(given)), place), *values, *body]
        arguments = ast.arguments(
            [], [ast.arg(given.get(name, name)) for name in parameters], None, [], [], None, []
        )
        return _function(place, self._flags.fresh("body"), arguments, body)

    # Expressions.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        made = _Rewriter().definition(node)
        made.decorator_list = [self.visit(each) for each in node.decorator_list]
        return made

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        kind = "both" if isinstance(node.op, ast.And) else "either"
        name = kind if node in self._tests else f"value_of_{kind}"
        result = self.visit(node.values[0])
        for value in node.values[1:]:
            result = _call(node, name, result, _thunk(value, self.visit(value)))
        return result  # type: ignore[no-any-return]  # a node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not):
            return _call(node, "negated", self._test(node.operand))
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        sides = [_thunk(side, self.visit(side)) for side in (node.body, node.orelse)]
        return _call(node.test, "chosen", self._test(node.test), *sides)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1:
            self.generic_visit(node)
            if not isinstance(node.ops[0], ast.In | ast.NotIn):
                return node
            found = _call(node, "contained", node.left, node.comparators[0])
            return found if isinstance(node.ops[0], ast.In) else _call(node, "negated", found)
        operands = [node.left, *node.comparators]
        pairs = [
            ast.copy_location(ast.Compare(left, [operation], [right]), node)
            for left, operation, right in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return self._test(ast.copy_location(ast.BoolOp(ast.And(), list(pairs)), node))

    def _test(self, node: ast.expr) -> ast.expr:
        """Rewrite an expression whose truth value alone is read."""
        self._mark_tests(node)
        result: ast.expr = self.visit(node)
        return result

    def _mark_tests(self, node: ast.expr) -> None:
        match node:
            case ast.BoolOp(_, values):
                self._tests.add(node)
                for value in values:
                    self._mark_tests(value)
            case ast.IfExp(_, body, orelse):
                self._mark_tests(body)
                self._mark_tests(orelse)
            case ast.Lambda(_, body):
                self._mark_tests(body)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        of_loop = isinstance(node.func, ast.Name) and node.func.id in (BOUNDED, GOING, ENDING)
        for argument in node.args if of_loop else ():
            self._mark_tests(argument)
        self.generic_visit(node)
        if of_loop and isinstance(node.func, ast.Name):
            name = node.func.id.removeprefix("__")
            node.func = ast.copy_location(ast.Attribute(_load(node, RUNTIME), name, ast.Load()), node)
        elif isinstance(node.func, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            node.func = _call(node.func, "function", node.func)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return _call(node, "listed", self._generated(node)) if _is_simple(node) else self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._generated(node) if _is_simple(node) else self.generic_visit(node)

    def _generated(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """A comprehension as calls, one for each of its loops."""
        result: Any = self.visit(node.elt)
        for clause in reversed(node.generators):
            targets = clause.target.elts if isinstance(clause.target, ast.Tuple) else [clause.target]
            names = [one.id for one in targets if isinstance(one, ast.Name)]
            whole = clause.ifs[0] if len(clause.ifs) == 1 else ast.BoolOp(ast.And(), clause.ifs)
            test = self._test(ast.copy_location(whole, node)) if clause.ifs else None
            result = _call(
                node,
                "generated",
                self.visit(clause.iter),
                _lambda(node, names, result),
                ast.Constant(None) if test is None else _lambda(node, names, test),
                ast.Constant(clause is not node.generators[-1]),
                ast.Constant(len(names) if isinstance(clause.target, ast.Tuple) else 0),
            )
        return result  # type: ignore[no-any-return]  # a node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self._part(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._part(node)

    def _part(self, node: ast.Subscript | ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            changes = "places" if isinstance(node, ast.Subscript) else "changed"
            node.value = _call(node.value, changes, node.value)
        elif _is_joining(node):
            node.value = _call(node.value, "joining", node.value)
        elif isinstance(node, ast.Subscript):
            node.value = _call(node.value, "indexed", node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            node.value = _call(node, "added", _load(node.target, node.target.id), node.value)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = _call(node.test, "asserted", self._test(node.test))
        node.msg = node.msg and self.visit(node.msg)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = _call(node, "raised", _thunk(node, node.exc))
        return node


def _parts_named(target: ast.expr) -> int:
    """The number of targets among which an assignment unpacks a tuple; 0 if it does not unpack one, or uses `*`."""
    if not isinstance(target, ast.Tuple | ast.List) or any(
        isinstance(one, ast.Starred) for one in target.elts
    ):
        return 0
    return len(target.elts)


def _assigns_parts(body: list[ast.stmt]) -> bool:
    """Whether statements assign to elements of arrays."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in nodes)


def _assigns_elements(body: list[ast.stmt]) -> bool:
    """Whether statements assign to elements of arrays, and to no slices: unrolled, each would copy its array."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    targets = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    parts = [part for target in targets for part in ast.walk(target.slice)]
    return bool(targets) and not any(
        isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in (None, ...))
        for part in parts
    )


def _has_comprehensions(body: list[ast.stmt]) -> bool:
    kinds = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    return any(isinstance(node, kinds) for statement in body for node in ast.walk(statement))


def _ends_in_return(statement: ast.stmt) -> bool:
    """Whether a statement returns, or is a branch that returns on one side, and returns or raises on the other."""
    match statement:
        case ast.Return():
            return True
        case ast.If(_, body, orelse) if body and orelse:
            ends = body[-1], orelse[-1]
            return any(map(_ends_in_return, ends)) and all(
                isinstance(end, ast.Raise) or _ends_in_return(end) for end in ends
            )
    return False


def _function(place: ast.AST, name: str, parameters: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    new = ast.copy_location(ast.FunctionDef(name, parameters, body, [], None), place)
    if hasattr(ast, "TypeAlias"):  # Python 3.12: functions have type parameters
        new.type_params = []  # type: ignore[attr-defined,unused-ignore]  # see above
    return new


def _load(place: ast.AST, name: str) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), place)


def _tuple(place: ast.AST, names: Sequence[str], context: ast.expr_context) -> ast.expr:
    return ast.copy_location(
        ast.Tuple([ast.copy_location(ast.Name(name, context), place) for name in names], context), place
    )


def _thunk(place: ast.AST, value: ast.expr) -> ast.expr:
    return _lambda(place, (), value)


def _lambda(place: ast.AST, names: Sequence[str], value: ast.expr) -> ast.expr:
    parameters = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(parameters, value), place)


def _is_simple(node: ast.ListComp | ast.GeneratorExp) -> bool:
    """Whether a comprehension assigns to names, or to tuples of names, only."""
    targets = [clause.target for clause in node.generators]
    names = [name for one in targets for name in (one.elts if isinstance(one, ast.Tuple) else [one])]
    return all(isinstance(name, ast.Name) for name in names) and not any(
        isinstance(part, ast.NamedExpr | ast.Await) for part in ast.walk(node)
    )


def _values(place: ast.AST, names: Sequence[str]) -> tuple[ast.expr, ast.expr]:
    """The names as strings, and functions that return their values."""
    texts = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
    thunks = ast.Tuple([_thunk(place, _load(place, name)) for name in names], ast.Load())
    return ast.copy_location(texts, place), ast.copy_location(thunks, place)


def _call(place: ast.AST, name: str, *arguments: ast.expr) -> ast.expr:
    function = ast.copy_location(ast.Attribute(_load(place, RUNTIME), name, ast.Load()), place)
    return ast.copy_location(ast.Call(function, list(arguments), []), place)


def _stored(place: ast.AST, names: Sequence[str], call: ast.expr) -> ast.stmt:
    if not names:
        return ast.copy_location(ast.Expr(call), place)
    return ast.copy_location(ast.Assign([_tuple(place, names, ast.Store())], call), place)
