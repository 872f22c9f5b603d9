"""From syntax to drafts: types functions and applications, and unifies their types.

Independent of the heads of definitions.

Each rule below is a generator that yields the syntax whose elaboration it needs, and is resumed with (draft, type). One
loop runs all rules, so nesting does not use Python's stack.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import groupby
from typing import Any, TypeAlias

from rise.inference import draft as d
from rise.inference.classes import ANY, DATA
from rise.inference.elaboration import Elaboration, Typed, opened
from rise.inference.errors import Called
from rise.inference.kinds import read_kind
from rise.inference.literals import indices, nested_pairs, vector
from rise.inference.parameters import Opened, may_map_rows, refuse_reserved, refuse_twins, takes_rows
from rise.inference.scope import General, Parameter, Shared
from rise.inference.sizes import read_natural, read_size_function
from rise.inference.types import read_argument, read_fact, read_type
from rise.inference.uses import OPERATORS, Uses
from rise.scalars import IMPLIES, SIZE_FUNCTION, SPACES
from rise.terms import Var
from rise.text import syntax as s
from rise.text.patterns import shown_name
from rise.text.trees import Span
from rise.types import DepFunType, FunType, Type, TypeMeta

Request: TypeAlias = tuple[s.Expr, Type | None]
Rule: TypeAlias = Generator[Request, Typed, Typed]


def elaborate(work: Elaboration, expr: s.Expr, expected: Type | None = None) -> Typed:
    """Elaborate an expression; `expected` is its expected type, or None."""
    return _Elaborator(work).run(expr, expected)


class _Elaborator:
    """The rules, one method for each form of syntax."""

    __slots__ = ("add", "complain", "explainer", "may_take_rows", "names", "scope", "solver", "uses", "work")

    def __init__(self, work: Elaboration) -> None:
        self.work, self.uses, self.names, self.scope = work, Uses(work), work.names, work.scope
        self.solver, self.complain = work.solver, work.complain
        self.add, self.explainer = work.add, work.explainer
        self.may_take_rows = "nat" in work.scope.source  # as in `fun(i: nat, row => ...)`

    def run(self, expr: s.Expr, expected: Type | None) -> Typed:
        """Run the rules for an expression in one loop."""
        stack: list[Rule] = []
        rule = self._rule(expr, expected)
        while True:
            answer: Any = None
            if type(rule) is tuple:
                if not stack:
                    return rule
                answer = rule
            else:
                stack.append(rule)  # type: ignore[arg-type]  # not an answer
            try:
                request = stack[-1].send(answer)
            except StopIteration as stop:
                stack.pop()
                rule = stop.value
            else:
                rule = self._rule(*request)

    def _rule(self, expr: s.Expr, expected: Type | None) -> Rule | Typed:
        """The rule for an expression, or what it returns if that needs no other rule."""
        self.work.at = expr.span
        match expr:
            case s.Name(span, name):
                return self.uses.name(name, span)
            case s.PrimitiveName(span, name):
                return self.uses.use(name, span)
            case s.Number():
                return self.uses.number(expr, expected)
            case s.Apply(span, fun, arg):
                return self._apply(span, fun, arg, expected)
            case s.Instantiate(span, fun, instances):
                return self._instantiate(span, fun, instances)
            case s.Fun():
                return self._fun(expr, expected)
            case s.Select(span, condition, then, otherwise):
                return self._operation("select", span, (condition, then, otherwise))
            case s.Block():
                return self._block(expr, expected)
            case s.After(_, s.Name(at, module), function) if self.uses.is_of_module(module, function):
                called = self.scope.source[function.span.start : function.span.end]
                title = f"`{module}` is not defined: functions belong to no module"
                self.scope.fail("unknown-name", title, at, "", f"write `{called}`")
            case s.Compose(span, first, second) | s.After(span, second, first):
                return self._compose(first, second, expected)
            case s.Binary(span, op, left, right) if op in OPERATORS:
                return self._operation(OPERATORS[op], span, (left, right))
            case s.Unary(span, "neg", s.Name(written, "inf")) if self._is_bare_infinity(written):
                return self.uses.literal(float("-inf"), "f32", span)
            case s.Unary(span, op, operand):
                return self._operation(op, span, (operand,))
            case s.Section(span, op) if op in OPERATORS:
                return self.uses.use(OPERATORS[op], span)
            case s.Binary(span) | s.Power(span) | s.Section(span):
                title = "expected an operator on values, found `/^` or `^`, which work on sizes only"
                self.scope.fail("size-as-value", title, span, hint="write `/` or `pow(x, y)`")
            case s.ArrayLiteral(span, elements):
                return self._operation(f"makeArray{len(elements)}", span, elements)
            case s.Tuple(span, items):
                return self._rule(nested_pairs(span, items), expected)
            case s.VectorLiteral():
                return self._rule(vector(expr), None)
            case s.Range():
                return indices(self.work, self.uses, expr)
            case s.Asked() | s.Text():
                return self.uses.asked(expr)
            case s.Contraction(span, spec):
                return self.uses.definition("einsum", self.work.contracted(spec, span), ())
            case s.Ascribe(_, inner, written):
                return self._ascribe(inner, written)

    def _is_bare_infinity(self, written: Span) -> bool:
        """Whether `inf` is the literal, without parentheses: `-inf` is a number, `-(inf)` is not."""
        return written.end - written.start == len("inf") and self.scope.lookup("inf") is None

    def _instantiate(self, span: Span, fun: s.Expr, instances: tuple[s.Instance, ...]) -> Rule:
        match fun:
            case s.Name(_, name) if isinstance(local := self.scope.lookup(name), General | Shared):
                return self.uses.local_function(name, local, instances)
            case s.Name(_, name) if self.scope.lookup(name) is None:
                whole = self.names.whole(name)
                if whole is None:
                    return self.uses.use(name, fun.span, instances)
                if not isinstance(whole, Var):
                    return self.uses.definition(name, whole, instances)
        function, t = yield fun, None
        self.work.at = span
        return self.uses.given(function, t, instances, fun.span)

    def _apply(self, span: Span, fun: s.Expr, arg: s.Expr, expected: Type | None) -> Rule | Typed:
        if self.may_take_rows and isinstance(fun, s.Apply) and takes_rows(fun.arg):
            return self._apply_to_rows(span, fun, arg)
        if (taking := self.uses.taking_sizes(fun, arg)) is not None:
            return self.uses.at_sizes(*taking, fun, arg)
        head = None if expected is None else self.solver.head(expected)
        return self._apply_one(span, fun, arg, head.parameter if isinstance(head, FunType) else None)

    def _apply_to_rows(self, span: Span, applied: s.Apply, rows: s.Expr) -> Rule:
        """`depMap(fun(i: nat, row => ...), rows)`: the rows determine the function's type, so they are typed first."""
        fun, function = applied.fun, applied.arg
        given, t = yield fun, None
        self.work.at = fun.span
        given, t = self.uses.instantiated(given, t)
        match t:
            case FunType(wanted, rest) if may_map_rows(wanted, self.solver.head(rest), self.solver.head):
                pass
            case _:
                given, t = yield from self._applied(fun, given, t, function, applied.span)
                return (yield from self._applied(applied, given, t, rows, span))
        rest = self.solver.head(rest)
        assert isinstance(rest, FunType)
        array, found = yield rows, rest.parameter
        array = self.uses.adapt(array, rest.parameter, found, rows.span, Called(fun, rest.result))
        wanted = self.solver.resolve(wanted)
        draft, found = yield function, wanted
        draft = self.uses.adapt(draft, wanted, found, function.span, Called(fun, rest))
        self.work.at = span
        given, _ = self.add(d.Application(given, draft), rest)
        return self.add(d.Application(given, array), rest.result)

    def _apply_one(self, span: Span, fun: s.Expr, arg: s.Expr, rows: Type | None) -> Rule:
        """`f(x)`. The type of the next argument, `rows`, determines that of the function in `map(fun(a => ...))`."""
        function, t = yield fun, None
        if self.may_take_rows and rows is not None and takes_rows(arg):
            function, t = self.uses.over_rows(*self.uses.instantiated(function, t), rows, span)
        return (yield from self._applied(fun, function, t, arg, span))

    def _applied(self, fun: s.Expr, function: int, t: Type, arg: s.Expr, span: Span) -> Rule:
        """The application of a function to an argument."""
        self.work.at = fun.span
        function, t = self.uses.instantiated(function, t)
        match t:
            case DepFunType(_, kind, False, _):
                argument = self._dependent_argument(kind, arg)
                return self.add(
                    d.DepApplication(function, argument), self.work.opened_at(t, argument, arg.span)
                )
            case FunType(parameter, result):
                if self.uses.casts_size(fun, arg):
                    argument_draft, found = self.uses.number_of(arg)
                else:
                    argument_draft, found = yield arg, parameter
                argument_draft = self.uses.adapt(
                    argument_draft, parameter, found, arg.span, Called(fun, result)
                )
                self.work.at = span
                return self.add(d.Application(function, argument_draft), result)
            case TypeMeta():
                argument_draft, found = yield arg, None
                result = self.solver.fresh_type()
                given = FunType(found, result)
                self.solver.unify(t, given, self.explainer(fun.span, t, given))
                self.work.at = span
                return self.add(d.Application(function, argument_draft), result)
        self.complain.not_a_function(t, fun, arg)

    def _dependent_argument(self, kind: str, arg: s.Expr) -> Any:
        if kind == "nat":
            return read_natural(self.scope, arg)
        if kind == SIZE_FUNCTION:
            return read_size_function(self.scope, arg)
        match arg:
            case s.Name(span, name):
                return read_argument(self.scope, kind, s.TypeName(span, name))
        expected = f"one of {', '.join(SPACES)}" if kind == "space" else "the name of a type"
        self.scope.fail("wrong-kind", f"expected {expected}, found an expression", arg.span)

    def _operation(self, name: str, span: Span, operands: tuple[s.Expr, ...]) -> Rule:
        typed = self.uses.use(name, span)
        for operand in operands:
            fun, t = typed
            assert isinstance(t, FunType)
            argument, found = yield operand, t.parameter
            argument = self.uses.adapt(argument, t.parameter, found, operand.span)
            self.work.at = span
            typed = self.add(d.Application(fun, argument), t.result)
        return typed

    def _compose(self, first: s.Expr, second: s.Expr, expected: Type | None) -> Rule:
        """`first >> second` as `fun(x => second(first(x)))`; both are inside the new function."""
        expected = None if expected is None else self.solver.head(expected)
        source = expected.parameter if isinstance(expected, FunType) else self.solver.fresh_type()
        level = self.work.depth
        self.work.depth += 1
        inner, found = yield first, None
        middle = self.solver.fresh_type()
        inner = self.uses.adapt(inner, FunType(source, middle), found, first.span)
        outer, outer_type = yield second, None
        is_data = self.work.must_be_data(self.solver.head(middle))
        result = self.solver.fresh_type(frozenset(("data",)) if is_data else ANY)
        outer = self.uses.adapt(outer, FunType(middle, result), outer_type, second.span)
        x, _ = self.add(d.Local(level, level + 1, source), source)
        called, _ = self.add(d.Application(inner, x), middle)
        body, _ = self.add(d.Application(outer, called), result)
        self.work.depth -= 1
        return self.add(d.Function("x", source, body), FunType(source, result))

    def _block(self, block: s.Block, expected: Type | None) -> Rule:
        """`let x = e in body` as `let(e, fun(x => body))`; a function is inlined where its name is used."""
        values: list[tuple[str, int, Type]] = []
        for binding in block.bindings:
            refuse_reserved(self.scope, binding)
            if binding in self.work.general:
                self.scope.enter(binding.name, General(self.work.general[binding]))
                continue
            wanted = None if binding.type is None else read_type(self.scope, binding.type)
            self.complain.recursive.append(binding.name)
            value, found = yield binding.value, wanted
            self.complain.recursive.pop()
            if wanted is not None:
                value, found = self.uses.adapt(value, wanted, found, binding.value.span), wanted
            if binding.is_part or isinstance(self.solver.head(found), FunType | DepFunType):
                self.scope.enter(binding.name, Shared(value, self.work.depth, found))
                continue
            value_type: Type = self.solver.fresh_type(DATA)
            self.solver.unify(value_type, found, self.explainer(binding.value.span, value_type, found))
            values.append((binding.name, value, value_type))
            self.scope.enter(binding.name, Parameter(self.work.depth, value_type))
            self.work.depth += 1
        body, t = yield block.body, expected
        if values:
            if isinstance(self.solver.head(t), FunType | DepFunType):
                hint = "put the block inside the function: `fun(y => let x = e in ...)`"
                title = "expected a value after `in`, found a function"
                self.scope.fail("type-mismatch", title, block.body.span, "this is a function", hint)
            data = self.solver.fresh_type(DATA)
            body, t = self.uses.adapt(body, data, t, block.body.span), data
        self.work.at = block.span
        for _ in block.bindings:
            self.scope.leave()
        let = self.names.known("let")
        for name, value, value_type in reversed(values):
            self.work.depth -= 1
            name = shown_name(name)
            function, function_type = self.add(d.Function(name, value_type, body), FunType(value_type, t))
            let_type = FunType(value_type, FunType(function_type, t))
            applied, _ = self.add(d.Use(lambda: let, (value_type, t)), let_type)
            applied, _ = self.add(d.Application(applied, value), FunType(function_type, t))
            body, _ = self.add(d.Application(applied, function), t)
        return body, t

    def _ascribe(self, inner: s.Expr, written: s.Type) -> Rule:
        wanted = read_type(self.scope, written)
        draft, found = yield inner, wanted
        return self.uses.adapt(draft, wanted, found, inner.span), wanted

    def _fun(self, fun: s.Fun, expected: Type | None) -> Rule:
        refuse_twins(self.scope, fun.params)
        kinds = [self._kind_of(param) for param in fun.params]
        values_left = kinds.count("")
        pending, self.work.where = self.work.where, ()
        bound: list[Opened] = []
        for param, kind in zip(fun.params, kinds, strict=True):
            expected = None if expected is None else self.solver.head(expected)
            if kind:
                expected = self._open_dependent(param, kind, expected, bound)
                continue
            if isinstance(expected, FunType) and not (values_left > 1 and self._takes_pairs(expected)):
                t = self._parameter_type(param, expected.parameter)
                expected = expected.result
            else:
                t = self._parameter_type(param, None)
                expected = None
            if param.facts:
                self.complain.fact_of_value(param)
            values_left -= 1
            self.scope.enter(param.name, Parameter(self.work.depth, t))
            self.work.depth += 1
            bound.append(Opened(param.name, "", False, None, t))
        self._place_facts(bound, pending)
        body, body_type = yield fun.body, expected
        if expected is not None:
            body = self.uses.adapt(body, expected, body_type, fun.body.span)
            body_type = expected
        self.work.at = fun.span
        for is_value, group in groupby(reversed(bound), lambda parameter: parameter.variable is None):
            close = self._close if is_value else self._close_dependent
            body, body_type = close(list(group), body, body_type)
        return body, body_type

    def _open_dependent(
        self, param: s.Param, kind: str, expected: Type | None, bound: list[Opened]
    ) -> Type | None:
        """Enter a dependent parameter. Returns the expected type of the remaining function, if it is known."""
        variable = self.names.unique(param.name, kind)
        self.scope.enter(param.name, variable)
        self.solver.enter(variable)
        facts = tuple(read_fact(self.scope, fact) for fact in param.facts)
        bound.append(Opened(param.name, kind, param.implicit, variable, None, facts))
        if isinstance(expected, DepFunType) and (expected.kind, expected.implicit) == (kind, param.implicit):
            return opened(expected, variable)
        return None

    def _close(self, bound: list[Opened], body: int, body_type: Type) -> Typed:
        """Leave parameters, given from the innermost outwards, and build the function of these."""
        for parameter in bound:
            assert parameter.type is not None
            self.scope.leave()
            self.work.depth -= 1
            function = d.Function(shown_name(parameter.name), parameter.type, body)
            body, body_type = self.add(function, FunType(parameter.type, body_type))
        return body, body_type

    def _close_dependent(self, bound: list[Opened], body: int, body_type: Type) -> Typed:
        """Leave adjacent dependent parameters, given from the innermost outwards, and build the function of these."""
        binders: list[d.Binder] = []
        for name, kind, implicit, variable, _, facts in reversed(bound):
            assert variable is not None
            self.scope.leave()
            binders.append(d.Binder(name, kind, implicit, facts, variable))
        body_type = self.solver.leave(body_type, len(bound))
        return self.add(d.DepFunction(tuple(binders), body), d.bind_type(binders, body_type))

    def _kind_of(self, param: s.Param) -> str:
        """The kind of a dependent parameter; "" for a value."""
        match param.type:
            case s.TypeName(_, "nat" | "space" as kind):
                return kind
            case s.TypeName(span, name) if not param.implicit and name in IMPLIES:
                title = f"expected a type, found the class of types `{name}`"
                hint = f"write a parameter that is a type in braces: `fun({{{param.name}: {name}}}, ...)`"
                self.scope.fail("wrong-kind", title, span, "", hint)
        return read_kind(self.scope, param.type) if param.implicit and param.type is not None else ""

    def _takes_pairs(self, expected: FunType) -> bool:
        return self.work.must_be_data(self.solver.head(expected.result))

    def _parameter_type(self, param: s.Param, known: Type | None) -> Type:
        if param.type is None:
            return self.solver.fresh_type() if known is None else known
        written = read_type(self.scope, param.type)
        if known is not None:
            self.solver.unify(known, written, self.explainer(param.span, known, written))
        return written

    def _place_facts(self, bound: list[Opened], pending: tuple[s.Fact, ...]) -> None:
        """Attach a definition's facts to the last size that its function binds; if it binds none, to the definition's
        head.
        """
        last_size = next((i for i in range(len(bound) - 1, -1, -1) if bound[i].kind == "nat"), None)
        if last_size is None or not pending:
            self.work.where = pending
            return
        facts = tuple(read_fact(self.scope, fact) for fact in pending)
        bound[last_size] = bound[last_size]._replace(facts=bound[last_size].facts + facts)
