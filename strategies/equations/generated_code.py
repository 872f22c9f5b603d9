"""Generates Python for an equation: a function from a term that matches the left side to the right side.

Depends on terms and metavariables, but not on primitives or strategies. The function does the same as `Matcher.bind`
and `Builder.build`, but without a table of bindings: the term of a metavariable is a local variable. See Note
[Generated functions].
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from rise.inference.schemes import substitute_names
from rise.naturals import Nat, NatVar, variable_of
from rise.nodes import Node
from rise.scalars import kind_classes
from rise.terms import (
    App,
    Bound,
    DepApp,
    Expr,
    Lam,
    Literal,
    Primitive,
    Var,
    make_literal,
    occurs,
    spine,
    substitute,
)
from rise.types import (
    ArrayType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    TypeOfTwo,
    TypeVar,
    classes_of,
)
from strategies.equations.builder import Calls, author_of, calls_in, name_in_calls, named_in, primitive_at
from strategies.equations.matcher import NoMatch, called_below, moved, solve_sizes
from strategies.equations.patterns import READ_AS, Binders, Parts, parts_of

Attempt: TypeAlias = Callable[[Any], "Expr | None"]

_DATA: Final = frozenset(("data",))
#: classes of types whose instances are all data types
DATA_TYPES: Final = frozenset((ScalarType, IndexType, ArrayType, PairType, FragmentType))
#: the names that the generated code may use besides its own values
KNOWN: Final[Mapping[str, Any]] = {
    "app": App.__new__,
    "lam": Lam.__new__,
    "bound": Bound.__new__,
    "two": TypeOfTwo.__new__,
    "App": App,
    "Lam": Lam,
    "Bound": Bound,
    "Var": Var,
    "Literal": Literal,
    "DepApp": DepApp,
    "ArrayType": ArrayType,
    "PairType": PairType,
    "FunType": FunType,
    "called": called_below,
    "occurs": occurs,
    "moved": moved,
    "name_in_calls": name_in_calls,
    "substitute": substitute,
    "make_literal": make_literal,
    "primitive_at": primitive_at,
    "classes_of": classes_of,
    "substitute_names": substitute_names,
    "DATA": DATA_TYPES,
    "solve_sizes": solve_sizes,
    "NoMatch": NoMatch,
}
_CHILDREN: Final[Mapping[type, tuple[str, ...]]] = {App: ("fun", "arg"), Lam: ("body",), DepApp: ("fun",)}


def rewriting(
    left: Expr, right: Expr, may_mention: Mapping[str, frozenset[str]], given: Mapping[Node, Any], title: str
) -> Attempt:
    """Generate the function of an equation, for terms that fit its left side; `given` are the values of parameters.

    `title` is its file name in tracebacks.
    """
    text = _Text(left, parts_of(left, may_mention), given)
    text.match()
    text.line(f"return {text.term(right, ())}")
    return text.function(title)


class _Text:
    """The lines of a function, the values that they name, and the local variables of metavariables."""

    def __init__(self, left: Expr, parts: Parts, given: Mapping[Node, Any]) -> None:
        self.left = left
        self.parts = parts
        self.lines: list[str] = []
        self.values: dict[str, Any] = dict(KNOWN)
        self.count = 0
        self.places: dict[int, str] = {0: "term"}
        self.terms: dict[str, tuple[str, Binders]] = {}
        self.known: dict[Node, str] = {name: self.value(value, name) for name, value in given.items()}
        self.names: dict[str, str] = {}
        self.named: set[int] = set()
        self.sums = False
        self.done: dict[Any, str] = {}

    def line(self, text: str, *, level: int = 1, about: Any = None) -> None:
        """Write a line; `about` is what it is about, for a comment."""
        comment = "" if about is None else f"  # {' '.join(repr(about).split())}"
        self.lines.append(f"{'    ' * level}{text}{comment}")

    def fresh(self, about: Any) -> str:
        """A new name: the name of its subject, followed by a number."""
        self.count += 1
        stem = re.sub(r"[^A-Za-z_]", "", str(getattr(about, "name", about if isinstance(about, str) else "")))
        return f"{stem[:20] or type(about).__name__.lower()}_{self.count}"

    def value(self, value: Any, about: Any = None) -> str:
        """A name for a value that the generated code cannot contain as text."""
        name = self.fresh(value if about is None else about)
        self.values[name] = value
        return name

    def local(self, text: str, about: Any) -> str:
        """A new local variable with the value of `text`."""
        name = self.fresh(about)
        self.line(f"{name} = {text}", about=about)
        return name

    def function(self, title: str) -> Attempt:
        """The compiled function."""
        text = "\n".join(("def rewrite(term):", *self.lines, ""))
        linecache.cache[title] = (len(text), None, text.splitlines(keepends=True), title)
        exec(compile(text, title, "exec"), self.values)
        rewrite: Attempt = self.values["rewrite"]
        return rewrite

    def match(self) -> None:
        """Write the code that binds the metavariables, or returns None."""
        parts = self.parts
        self.read_places()
        for name, place in parts.functions:
            self.names[name] = f"{self.places[place]}.name"
        for name, place, binders, hidden in parts.variables:
            here = self.places[place]
            if hidden:
                mask = sum(1 << min(index, 62) for index in set(hidden))
                asks = " or ".join(f"occurs({here}, {index})" for index in hidden)
                self.refuse(f"{here}.mentions & {mask} and ({asks})")
            before = self.terms.setdefault(name, (here, binders))
            if before[0] != here:
                seen = before[0] if before[1] == binders else self.moved(before, binders)
                self.refuse(f"{seen} is not {here} and {seen} != {here}")
        for value, place in parts.literals:
            here = self.places[place]
            self.refuse(f"type({here}) is not Literal or {here}.value != {self.value(value, 'number')}")
        self.match_types()

    def read_places(self) -> None:
        """Name the places that are inspected; other places are only traversed."""
        parts, nodes = self.parts, [self.left]
        looked_at = {place for _, place, *_ in parts.variables} | {place for _, place in parts.functions}
        looked_at |= {place for _, place in (*parts.literals, *parts.primitives)}
        looked_at |= {place for _, place, _ in parts.types}
        for place, (parent, child) in enumerate(parts.steps, start=1):
            above = nodes[parent]
            nodes.append(above.children[child])
            path = f"{self.places[parent]}.{_CHILDREN[type(above)][child]}"
            self.places[place] = self.local(path, nodes[-1]) if place in looked_at else path

    def refuse(self, condition: str, about: Any = None) -> None:
        """Write code that returns None if a condition holds."""
        self.line(f"if {condition}:", about=about)
        self.line("return None", level=2)

    def moved(self, term: tuple[str, Binders], binders: Binders) -> str:
        """An expression for a bound term as seen from below other binders."""
        return f"moved({term[0]}, {term[1]!r}, {binders!r})"

    def match_types(self) -> None:
        """Write code that matches types and sizes, in the order of `Matcher.bind`."""
        pairs: list[tuple[Any, str]] = []
        for pattern, place, read in self.parts.types:
            pairs.append((pattern, f"{self.places[place]}.{READ_AS[read]}"))
        for implicits, place in self.parts.primitives:
            names = [self.fresh(implicit) for implicit in implicits]
            self.line(f"({', '.join(names)},) = {self.places[place]}.implicits")
            pairs.extend(zip(implicits, names, strict=True))
        self.sums = any(isinstance(one, Nat) for pattern, _ in pairs for one in _inside(pattern))
        if self.sums:
            self.line("sums = []")
        while pairs:
            self.match_type(*pairs.pop(), pairs)
        if self.sums:
            self.solve()

    def match_type(self, pattern: Any, actual: str, pairs: list[tuple[Any, str]]) -> None:
        """Write code that matches a type, size or space, and add its parts to `pairs`."""
        before = self.known.get(variable_of(pattern) or pattern) if isinstance(pattern, Nat) else None
        match pattern:
            case Nat() if not pattern.free:
                self.refuse(f"{actual} is not {self.value(pattern, 'size')}", pattern)
            case Nat():
                variable = variable_of(pattern)
                if variable is not None and before is None:
                    self.known[variable] = actual if actual.isidentifier() else self.local(actual, variable)
                    return
                if variable is not None:
                    self.line(f"if {before} is not {actual}:")
                self.line(
                    f"sums.append(({self.value(pattern, 'size')}, {actual}, ()))",
                    level=1 + (variable is not None),
                    about=pattern,
                )
            case TypeVar(_, kind) if pattern in self.known:
                seen = self.known[pattern]
                self.refuse(f"{actual} is not {seen} and {actual} != {seen}")
            case TypeVar(_, kind):
                here = self.known[pattern] = actual if actual.isidentifier() else self.local(actual, pattern)
                if classes := kind_classes(kind):
                    surely = f"type({here}) not in DATA and " if classes <= _DATA else ""
                    self.refuse(
                        f"{surely}not {self.value(classes, kind)} <= (classes_of({here}) or frozenset())"
                    )
            case Type() if pattern.free:
                here = actual if actual.isidentifier() else self.local(actual, pattern)
                made = self.value(type(pattern), type(pattern).__name__)
                self.refuse(
                    f"type({here}) is not {made} or len({here}.parts) != {len(pattern.parts)}", pattern
                )
                if (role := getattr(pattern, "role", "")) != "":
                    self.refuse(f"{here}.role != {role!r}")
                pairs.extend((part, f"{here}.parts[{index}]") for index, part in enumerate(pattern.parts))
            case _:
                closed = self.value(pattern)
                self.refuse(f"{actual} is not {closed} and {actual} != {closed}", pattern)

    def solve(self) -> None:
        """Write code that solves equations of sizes, and name the solutions."""
        free = {size for pattern, _, _ in self.parts.types for size in pattern.free}
        free |= {size for implicits, _ in self.parts.primitives for each in implicits for size in each.free}
        sizes = sorted((size for size in free if isinstance(size, NatVar)), key=lambda size: str(size.name))
        names = {size: self.value(size, size) for size in sizes}
        self.line("if sums:")
        entries = ", ".join(f"{names[size]}: {self.known[size]}" for size in sizes if size in self.known)
        self.line(f"known = {{{entries}}}", level=2)
        self.line("try:", level=2)
        self.line("solve_sizes(known, sums)", level=3)
        self.line("except (NoMatch, ZeroDivisionError):", level=2)
        self.line("return None", level=3)
        for size in sizes:
            if size not in self.known:
                here = self.known[size] = self.fresh(size)
                self.line(f"{here} = known.get({names[size]}, {names[size]})", level=2)

    def term(self, node: Expr, binders: Binders) -> str:
        """An expression for a part of the right side; equal parts are built once."""
        place = (id(node), binders)
        if place not in self.done:
            self.done[place] = self.build(node, binders)
        return self.done[place]

    def build(self, node: Expr, binders: Binders) -> str:
        """Write the code that builds a part of the right side; returns its name."""
        match node:
            case Var(name, _):
                here, source = self.terms[name]
                if source == binders:
                    return here
                return self.local(f"{self.moved((here, source), binders)} if {here}.loose else {here}", node)
            case App(Var() as fun, Bound() as arg):
                return self.call(fun, arg, binders)
            case App(fun, arg):
                self.named.add(id(named_in(node)))
                function, argument = self.term(fun, binders), self.term(arg, binders)
                made = f"app(App, {function}, {argument})"
                if isinstance(spine(node)[0], Var):  # a function that is applied to a variable is substituted
                    is_renaming = f"type({function}) is Lam and type({argument}) in (Bound, Var)"
                    made = f"substitute({function}.body, {argument}) if {is_renaming} else {made}"
                return self.local(made, "call")
            case Lam(name, parameter, body):
                inside = self.term(body, (*binders, name))
                calls = calls_in(body) if id(node) in self.named else ()
                binder = self.binder(author_of(name), parameter, calls)
                return self.local(f"lam(Lam, {binder}, {self.type(parameter)}, {inside})", name)
            case Primitive(name, implicits, _) if node.free:
                arguments = "".join(f"{self.type(implicit)}, " for implicit in implicits)
                return self.local(f"primitive_at({name!r}, ({arguments}))", name)
            case Primitive(name):
                return self.value(node, name)
            case DepApp(fun, argument):
                return self.local(f"DepApp({self.term(fun, binders)}, {self.type(argument)})", "call")
            case Bound(index, given):
                return self.local(f"bound(Bound, {index}, {self.type(given)})", binders[-1 - index])
            case Literal():
                number = self.value(node.value, "number")
                return self.local(f"make_literal({number}, {self.type(node.type)})", "literal")
        raise AssertionError(f"a template has no {node!r}")

    def binder(self, author: str, parameter: Type, calls: Calls) -> str:
        """An expression for the name of a function's parameter."""
        if author in self.names or not calls:
            return self.names.get(author, repr(author))
        functions = "".join(
            f"{self.names.get(called, repr('')) if is_parameter else self.terms[called][0]}, "
            for called, _, is_parameter in calls
        )
        return f"name_in_calls({calls!r}, ({functions}), {self.type(parameter)}, {author!r})"

    def call(self, fun: Var, arg: Bound, binders: Binders) -> str:
        """Write the call of a metavariable with a variable: the body of a function, see Note [Calls]."""
        here, source = self.terms[fun.name]
        argument = self.term(arg, binders)
        below = f"{source!r}, {binders!r}"
        body = f"called({here}, {below}, {argument})"
        if (*source, binders[-1]) == binders and arg.index == 0:
            body = f"{here}.body if {here}.parameter is {self.type(arg.given)} else {body}"
        function = here if source == binders else f"moved({here}, {below})"
        return self.local(f"({body}) if type({here}) is Lam else app(App, {function}, {argument})", "call")

    def type(self, node: Any) -> str:
        """An expression for a type, a size or a space; equal parts are built once."""
        place = id(node)
        if place not in self.done:
            self.done[place] = self.build_type(node)
        return self.done[place]

    def build_type(self, node: Any) -> str:
        """Write the code that builds a type, a size or a space; returns its name."""
        known = {name: self.known[name] for name in node.free if name in self.known}
        variable = variable_of(node) if isinstance(node, Nat) else node
        if not known or variable in known:
            return known.get(variable) or self.value(node)
        match node:
            case Nat():
                sized = lru_cache(maxsize=1 << 10)(partial(_sized, node, tuple(known)))
                return self.local(f"{self.value(sized, 'sized')}({', '.join(known.values())})", node)
            case ArrayType() | PairType() | FunType():
                first, second = (self.type(part) for part in node.parts)
                return self.local(f"two({type(node).__name__}, {first}, {second})", node)
        entries = ", ".join(f"{self.value(one, one)}: {here}" for one, here in known.items())
        return self.local(f"substitute_names({self.value(node)}, {{{entries}}})", node)


def _sized(pattern: Nat, names: tuple[Node, ...], *values: Any) -> Nat:
    size: Nat = substitute_names(pattern, dict(zip(names, values, strict=True)))
    return size


def _inside(pattern: Any) -> Iterator[Any]:
    """A type and all of its parts, down to sizes."""
    stack = [pattern]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Type) and not isinstance(node, TypeVar):
            stack.extend(node.parts)


# Note [Generated functions]
# An equation such as `map f (map g xs) = map (f . g) xs` becomes, with comments shortened,
#
#     def rewrite(term):
#         f_1 = term.fun.arg
#         g_2 = term.arg.fun.arg
#         xs_3 = term.arg.arg
#         (n_4, s_5, t_6,) = term.fun.fun.implicits
#         ...
#         if s_5 is not t_9 and s_5 != t_9:
#             return None
#         ...
#         return call_12
#
# Whether a term has the shape is asked before, see `shape_test`. Types and sizes are met in one order, known when the
# text is written; so it is known then too which place binds a metavariable and which are compared with it. Names end
# in numbers, which those of functions do not, so that no metavariable hides one.

# Note [Calls]
# Below a binder that the equation adds, as in `fun(x => f x)`, a function f would first be moved below the binder and
# then be applied to its variable. The move makes room for a variable that the application removes again, so the result
# is the body of f. Below other binders, both are done in one step.
