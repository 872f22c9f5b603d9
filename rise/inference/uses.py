"""Types names, numbers and implicit arguments, and adapts values to expected types. Independent of syntax rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from rise.dependent_binders import instantiate_all
from rise.inference import draft as d
from rise.inference.classes import DATA, FRACTION_LITERAL, INTEGER_LITERAL
from rise.inference.effort import COST_PER_TYPE
from rise.inference.elaboration import Elaboration, Typed, opened
from rise.inference.errors import Called
from rise.inference.foreign_names import MODULES
from rise.inference.parameters import may_map_rows
from rise.inference.questions import Question
from rise.inference.schemes import scheme_at_sizes
from rise.inference.scope import General, Parameter, Shared
from rise.inference.sizes import CAST, is_cast, is_size, read_natural
from rise.inference.types import read_argument
from rise.naturals import Nat, const
from rise.primitives import PRIMITIVES, operands_of
from rise.primitives.record import PrimitiveRecord
from rise.scalars import SCALARS, complex_of
from rise.terms import Expr, Var
from rise.text import syntax as s
from rise.text.names import QUESTIONS
from rise.text.trees import Span
from rise.types import (
    BOOL,
    ArrayType,
    DepFunType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    SpaceMeta,
    Type,
    TypeMeta,
)

#: the implicit parameters of a name, each as (name, kind)
Parameters: TypeAlias = Sequence[tuple[str, str]]

#: the primitives with infix operators, by operator
OPERATORS: Final[Mapping[str, str]] = {
    record.operator: record.name
    for record in PRIMITIVES.values()
    if record.operator and operands_of(record.name) == 2
}

#: explicit sizes that a primitive takes first, at most
MAX_FIRST_SIZES: Final = 2


class Uses:
    """Builds drafts of names and literals at fresh unknowns, and adapts values to expected types."""

    __slots__ = ("add", "complain", "explainer", "names", "scope", "solver", "unknown", "work")

    def __init__(self, work: Elaboration) -> None:
        self.work, self.names, self.scope = work, work.names, work.scope
        self.solver, self.complain = work.solver, work.complain
        self.add, self.unknown, self.explainer = work.add, work.unknown, work.explainer

    def name(self, name: str, span: Span) -> Typed:
        """A name that is used as a value."""
        match self.scope.lookup(name):
            case Parameter(level, t):
                return self.add(d.Local(level, self.work.depth, t), t)
            case Shared() | General() as local:
                return self.local_function(name, local, ())
            case None if not self.names.is_size(name):
                pass
            case bound:
                space = "space" if isinstance(bound, SpaceMeta) else "size"
                kind = "type" if isinstance(bound, Type) else space
                hint = (
                    f"for its number, write `{CAST}{{f32}}({name})`, or another type"
                    if kind == "size"
                    else ""
                )
                title = f"expected a value, found the {kind} `{name}`"
                self.scope.fail("size-as-value", title, span, hint=hint)
        if name in ("true", "false"):
            return self.add(d.Number(int(name == "true"), BOOL, span), BOOL)
        if name in ("inf", "nan"):
            return self.literal(float(name), "f32", span)
        whole = self.names.whole(name)
        if isinstance(whole, Var):
            return self.add(d.Whole(whole), whole.type)
        if whole is not None:
            return self.definition(name, whole, ())
        if name in QUESTIONS:
            return self.asked(s.Asked(span, name, ""))
        return self.use(name, span)

    def casts_size(self, fun: s.Expr, arg: s.Expr) -> bool:
        """Whether an application is that of `cast` to a size."""
        return is_cast(fun) and is_size(self.scope, arg, self.names.is_size)

    def number_of(self, arg: s.Expr) -> Typed:
        """A size as an i64."""
        size = read_natural(self.scope, arg)
        record = self.names.known("natAsIndex")
        index, _ = self.add(d.Use(lambda: record, (const(0),)), BOOL)
        index, _ = self.add(d.DepApplication(index, size), BOOL)
        return self.applied("indexAsInt", (size + 1,), index)

    def asked(self, question: s.Asked | s.Text) -> Typed:
        """`typeHole`, which has any type, or `printType`, which returns its argument."""
        if isinstance(question, s.Text):
            title = "expected a value, found a string"
            hint = 'strings are only allowed as messages: `xs |> printType("xs")` or `typeHole("what goes here")`'
            self.scope.fail("text-as-value", title, question.span, "", hint)
        if question.word == "typeHole":
            t: Type = self.solver.fresh_type()
            is_first = self.work.first_hole is None or question.span < self.work.first_hole
            self.work.first_hole = question.span if is_first else self.work.first_hole
            self.work.questions.append(Question(question, t, tuple(self.scope.names) if is_first else ()))
            return self.add(d.Local(0, self.work.depth, t), t)
        draft, t = self.use("id", question.span)
        self.work.questions.append(Question(question, t))
        return draft, t

    def definition(self, name: str, whole: Expr, instances: tuple[s.Instance, ...]) -> Typed:
        """A definition at fresh implicit arguments, or at those given in braces."""
        arguments, t = self._instance(name, whole.type, instances)
        return self.add(d.Whole(whole, arguments), t)

    def local_function(self, name: str, local: Shared | General, instances: tuple[s.Instance, ...]) -> Typed:
        """A local function at fresh implicit arguments, or at those given in braces."""
        if isinstance(local, General):
            return self.definition(name, local.expr, instances)
        arguments, t = self._instance(name, self.solver.head(local.type), instances)
        return self.add(d.Moved(local.draft, self.work.depth - local.depth, arguments), t)

    def _instance(
        self, name: str, t: Type, instances: tuple[s.Instance, ...]
    ) -> tuple[tuple[Any, ...], Type]:
        """Arguments for the implicit parameters at the head of a type, and the type's result at these arguments."""
        parameters: list[tuple[str, str]] = []
        arguments: list[Any] = []
        self.solver.effort.spend(COST_PER_TYPE * t.weight)
        while isinstance(t, DepFunType) and t.implicit:
            parameters.append((t.name, t.kind))
            arguments.append(self.unknown(t.kind))
            t = t.result
        t = instantiate_all(t, arguments)  # all at once, since each one alone would rebuild the type
        self.give(name, parameters, arguments, instances)
        return tuple(arguments), t

    def instantiated(self, draft: int, t: Type) -> Typed:
        """A value at fresh arguments for its implicit parameters."""
        t = self.solver.head(t)
        while isinstance(t, DepFunType) and t.implicit:
            argument = self.unknown(t.kind)
            draft, t = self.add(d.DepApplication(draft, argument), self.solver.head(opened(t, argument)))
        return draft, t

    def given(self, draft: int, t: Type, instances: tuple[s.Instance, ...], span: Span) -> Typed:
        """A value at implicit arguments given in braces."""
        parameters: list[tuple[str, str]] = []
        arguments: list[Any] = []
        rest = self.solver.head(t)
        while isinstance(rest, DepFunType) and rest.implicit:
            parameters.append((rest.name, rest.kind))
            arguments.append(self.unknown(rest.kind))
            rest = self.solver.head(opened(rest, arguments[-1]))
        filled = self.give(self.scope.source[span.start : span.end], parameters, arguments, instances)
        t = self.solver.head(t)
        for argument in arguments[: max(filled) + 1]:
            assert isinstance(t, DepFunType)
            draft, t = self.add(d.DepApplication(draft, argument), self.solver.head(opened(t, argument)))
        return draft, t

    def use(self, name: str, span: Span, instances: tuple[s.Instance, ...] = ()) -> Typed:
        """A primitive at fresh implicit arguments, or at those given in braces."""
        candidates = self.names.overloads(name)
        if candidates:
            return self._overloaded(name, candidates, span, instances)
        record = self.names.primitive(name)
        if record is None:
            self.complain.unknown_name(name, span)
        scheme = self.names.scheme(record)
        arguments = self._implicits(record, span, instances)
        return self.add(d.Use(lambda: record, tuple(arguments)), scheme.instance(tuple(arguments)))

    def _implicits(self, record: PrimitiveRecord, span: Span, instances: tuple[s.Instance, ...]) -> list[Any]:
        """The implicit arguments of a primitive: fresh, or given in braces."""
        scheme = self.names.scheme(record)
        arguments = [self.unknown(kind) for _, kind in scheme.parameters]
        if instances:
            self.give(record.name, scheme.parameters, arguments, instances)
        if record.relation == "parts":
            self.solver.delayed.append(lambda: self._relate_parts(arguments, span))
        return arguments

    def taking_sizes(self, fun: s.Expr, arg: s.Expr) -> tuple[PrimitiveRecord, list[s.Apply]] | None:
        """The primitive in `padCst(1, 1)`, if the arguments are all sizes that it takes first, and its applications but
        the last; None for other terms.
        """
        before: list[s.Apply] = []
        while isinstance(fun, s.Apply) and len(before) < MAX_FIRST_SIZES:
            before.insert(0, fun)
            fun = fun.fun
        if not isinstance(fun, s.Name) or fun.name in QUESTIONS or self.names.overloads(fun.name):
            return None
        record = self.names.primitive(fun.name)
        if record is None or scheme_at_sizes(record.scheme)[0] != len(before) + 1:
            return None
        is_other = self.scope.lookup(fun.name) is not None or self.names.is_size(fun.name)
        return None if is_other or self.names.whole(fun.name) is not None else (record, before)

    def at_sizes(self, record: PrimitiveRecord, before: list[s.Apply], fun: s.Expr, arg: s.Expr) -> Typed:
        """A primitive applied to the sizes that it takes first, in the applications `before` and in `fun(arg)`. Its
        type is made at once, without those of its parts.
        """
        sizes = [*((one.fun, one.arg) for one in before), (fun, arg)]
        span = self.work.at = sizes[0][0].span
        implicits = self._implicits(record, span, ())
        draft, _ = self.add(d.Use(lambda: record, tuple(implicits)), BOOL)
        arguments: list[Nat] = []
        for applied, size in sizes:
            self.work.at = applied.span
            if arguments and isinstance(size, s.Number) and size.is_float:
                self.complain.missing_size(record, size.text, size.span)
            if isinstance(size, s.Name) and self._is_array(size.name):
                self.complain.missing_size(record, size.name, size.span)
            arguments.append(read_natural(self.scope, size))
            draft, _ = self.add(d.DepApplication(draft, arguments[-1]), BOOL)
        try:
            return draft, scheme_at_sizes(record.scheme)[1].instance((*implicits, *arguments))
        except ZeroDivisionError:
            t: Any = self.names.scheme(record).instance(tuple(implicits))
            for argument, (_, size) in zip(arguments, sizes, strict=True):
                t = self.work.opened_at(t, argument, size.span)
            return draft, t

    def _is_array(self, name: str) -> bool:
        """Whether a name is that of a parameter that is an array."""
        meaning = self.scope.lookup(name)
        return isinstance(meaning, Parameter) and isinstance(self.solver.head(meaning.type), ArrayType)

    def applied(self, name: str, implicits: tuple[Any, ...], argument: int, *sizes: Nat) -> Typed:
        """A primitive at known implicit arguments, applied to the sizes that it takes first, and to an argument of the
        type that it takes then.
        """
        record = self.names.known(name)
        draft, _ = self.add(d.Use(lambda: record, implicits), BOOL)
        for size in sizes:
            draft, _ = self.add(d.DepApplication(draft, size), BOOL)
        t = scheme_at_sizes(record.scheme, len(sizes))[1].instance((*implicits, *sizes))
        assert isinstance(t, FunType), name
        return self.add(d.Application(draft, argument), t.result)

    def _relate_parts(self, arguments: list[Any], span: Span) -> bool:
        """Infer the type of complex numbers from that of their parts, or vice versa, once one of them is known."""
        for one, other in (arguments, arguments[::-1]):
            match self.solver.resolve(one):
                case ScalarType(name) if wanted := SCALARS[name].part or complex_of(name):
                    t = ScalarType(wanted)
                    self.solver.unify(t, other, self.explainer(span, t, other))
                    return True
        return False

    def _overloaded(
        self, name: str, candidates: tuple[str, ...], span: Span, instances: tuple[s.Instance, ...]
    ) -> Typed:
        """A name of several primitives (`asFragment`): the type of its result determines which one is meant, once it is
        known.
        """
        records = [self.names.known(candidate) for candidate in candidates]
        source, target = self.unknown("data"), self.unknown("data")
        first = self.names.scheme(records[0])
        arguments = [self.unknown(kind) for _, kind in first.parameters]
        self.give(name, first.parameters, arguments, instances)
        chosen: list[PrimitiveRecord] = []

        def decide() -> bool:
            role = getattr(self.solver.head(target), "role", "")
            for record in records:
                scheme = self.names.scheme(record)
                assert isinstance(scheme.body, FunType)
                if getattr(scheme.body.result, "role", None) == role:
                    t = scheme.instance(tuple(arguments))
                    chosen.append(record)
                    used = FunType(source, target)
                    self.solver.unify(t, used, self.explainer(span, t, used))
                    return True
            return False

        def record_of() -> PrimitiveRecord:
            if not chosen:
                self.complain.undecided(name, span)
            return chosen[0]

        self.solver.delayed.append(decide)
        return self.add(d.Use(record_of, tuple(arguments)), FunType(source, target))

    def give(
        self, name: str, parameters: Parameters, arguments: list[Any], instances: tuple[s.Instance, ...]
    ) -> set[int]:
        """Insert the implicit arguments given in braces, by position or by name. Returns the positions of those that
        were given.
        """
        position = 0
        names = [parameter for parameter, _ in parameters]
        filled: set[int] = set()
        for instance in instances:
            if instance.name is None and position < len(names):
                at, position = position, position + 1
            elif instance.name in names:
                at = names.index(instance.name)
            else:
                at = -1
            if at < 0 or at in filled:
                found = f"`{instance.name}`" if instance.name else "another argument"
                again = " again" if at >= 0 else ""
                takes = f"takes {', '.join(names)}" if names else "takes no arguments"
                title = f"`{name}` {takes} in braces, found {found}{again}"
                self.scope.fail("implicit-parameter", title, instance.span)
            filled.add(at)
            given = read_argument(self.scope, parameters[at][1], instance.type)
            if isinstance(given, Type):
                unknown = arguments[at]
                self.solver.unify(unknown, given, self.explainer(instance.span, unknown, given))
            else:
                arguments[at] = given
        return filled

    def adapt(
        self, argument: int, expected: Type, found: Type, span: Span, called: Called | None = None
    ) -> int:
        """Unify an argument with its expected type. A function of two arguments may be used as a function of a pair."""
        want = self.solver.head(expected)
        if not isinstance(want, DepFunType) and (
            not isinstance(want, TypeMeta) or self.work.must_be_data(want)
        ):
            argument, found = self.instantiated(argument, found)
        have = self.solver.head(found)
        if isinstance(want, FunType) and isinstance(have, FunType):
            inner, outer = self.solver.head(have.result), self.solver.head(want.result)
            if isinstance(inner, FunType) and self.work.must_be_data(outer):
                pair = PairType(have.parameter, inner.parameter)
                curried = FunType(pair, inner.result)
                self.solver.unify(want, curried, self.explainer(span, want, curried))
                sides = (have.parameter, inner.parameter)
                for side in sides:
                    data = self.solver.fresh_type(DATA)
                    self.solver.unify(data, side, self.explainer(span, data, side))
                first, second = self.names.known("fst"), self.names.known("snd")
                projection, other = d.Use(lambda: first, sides), d.Use(lambda: second, sides)
                return self.add(d.Uncurried(argument, pair, projection, other), curried)[0]
        self.solver.unify(want, have, self.explainer(span, expected, found, called))
        return argument

    def number(self, number: s.Number, expected: Type | None) -> Typed:
        """A number of the type of its suffix, or of the type that its use determines; an index if one is expected."""
        value: Any = number.exact
        if number.text.startswith("-") and number.exact == 0 and number.is_float:
            value = -0.0
        wanted = None if expected is None else self.solver.head(expected)
        if isinstance(wanted, IndexType) and number.suffix is None and not number.is_float:
            return self.add(d.Number(value, wanted, number.span), wanted)
        if number.suffix is None:
            return self.literal(value, "f32" if number.is_float else "i32", number.span)
        t = ScalarType(number.suffix)
        if "integral" in SCALARS[number.suffix].classes and number.is_float and value.denominator != 1:
            title = f"expected an integer of type {number.suffix}, found {number.text}"
            self.scope.fail("number", title, number.span)
        return self.add(d.Number(value, t, number.span), t)

    def literal(self, value: Any, default: str, span: Span) -> Typed:
        """A number whose type is determined later; if nothing determines it, it is the default."""
        t = self.solver.fresh_type(FRACTION_LITERAL if default == "f32" else INTEGER_LITERAL)
        self.solver.defaults[t] = default
        return self.add(d.Number(value, t, span), t)

    def over_rows(self, function: int, t: Type, rows: Type, span: Span) -> Typed:
        """A function such as `map`; if its first argument is a function of rows, with `rows` as the type of the second
        one.
        """
        match t:
            case FunType(wanted, rest) if may_map_rows(wanted, self.solver.head(rest), self.solver.head):
                rest = self.solver.head(rest)
                assert isinstance(rest, FunType)
                self.solver.unify(rows, rest.parameter, self.explainer(span, rows, rest.parameter))
                return function, FunType(self.solver.resolve(wanted), rest)
        return function, t

    def is_of_module(self, module: str, function: s.Expr) -> bool:
        """Whether a function of the language is written after the name of a Python module that the program does not
        define.
        """
        while isinstance(function, s.Apply):
            function = function.fun
        is_known = isinstance(function, s.Name) and self.names.primitive(function.name) is not None
        return is_known and module in MODULES and not (self.scope.lookup(module) or self.names.whole(module))
