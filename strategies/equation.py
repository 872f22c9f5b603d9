"""Rules from equations: the equation is the law, the matcher, the builder and the documentation."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeAlias

from elevate import Diagnostic, FloatClass, Mismatch, Rule, StrategyError
from rise.inference.equations import elaborate_equation, metavariable
from rise.naturals import Nat, nat
from rise.nodes import Node
from rise.terms import App, DepApp, Expr, Lam, Var
from rise.text.nat_printer import show_nat
from rise.text.printer import show_brief
from rise.text.type_printer import show_type
from rise.types import Type
from strategies.building import Builder
from strategies.matching import Bindings, Matcher, NoMatch

Condition: TypeAlias = Callable[[Bindings], bool]
Computation: TypeAlias = Callable[[Bindings], "Nat | int | None"]

SHOWN = 160
"""How many characters of a term a failure shows."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a rule's equation says, worked out once."""

    matcher: Matcher
    builder: Builder
    left: Expr
    right: Expr
    needs: frozenset[Node]  # the sizes and types of the right side
    roots: frozenset[Hashable] | None
    depth: int | None


@cache
def compile_equation(equation: str) -> Compiled:
    """Read and infer both sides, and see which binders each metavariable may mention."""
    left, right = elaborate_equation(equation)
    mentions: dict[str, frozenset[str]] = {}
    for side in (left, right):
        for name, binders in _places(side):
            here = frozenset(binders)
            mentions[name] = mentions[name] & here if name in mentions else here
    unbound = {name for name, _ in _places(right)} - {name for name, _ in _places(left)}
    if unbound:
        title = f"expected a right side of what the left side has, found `{min(unbound)}` in `{equation}`"
        hint = "write it on the left side too: a rule cannot choose a term"
        raise StrategyError(Diagnostic("unbound-metavariable", title, hint=hint))
    root = left.root
    roots = None if isinstance(left, Var) else frozenset((root,))
    needs = frozenset(name for name in right.free if not isinstance(name, Var))
    return Compiled(
        Matcher(left, mentions), Builder(right), left, right, needs, roots, _depth(left, mentions)
    )


def _places(side: Expr) -> list[tuple[str, tuple[str, ...]]]:
    found: list[tuple[str, tuple[str, ...]]] = []
    stack: list[tuple[Expr, tuple[str, ...]]] = [(side, ())]
    while stack:
        node, binders = stack.pop()
        match node:
            case Var(name, _):
                found.append((name, binders))
            case Lam(name, _, body):
                stack.append((body, (*binders, name)))
            case App(fun, arg):
                stack += [(arg, binders), (fun, binders)]
            case DepApp(fun, _):
                stack.append((fun, binders))
    return found


def _depth(pattern: Expr, mentions: Mapping[str, frozenset[str]]) -> int | None:
    """How far below a term the pattern looks; None where it asks what a metavariable mentions, or for it twice."""
    places = _places(pattern)
    if len({name for name, _ in places}) < len(places):
        return None
    if any(not mentions[name].issuperset(binders) for name, binders in places):
        return None
    deepest = 0
    stack: list[tuple[Expr, int]] = [(pattern, 0)]
    while stack:
        node, level = stack.pop()
        if not isinstance(node, Var):
            deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in node.children)
    return deepest


@dataclass(frozen=True, slots=True)
class EquationRule(Rule):
    """A rewrite rule of RISE, given by its equation, read from left to right.

    `home` is the namespace that it was made in, where its name is found. `arguments` are the sizes chosen for a
    family's parameters. `by`, where an equation is not enough, computes the
    right side; the equation then only documents.
    """

    equation: str
    why: str
    home: Mapping[str, Any] = field(compare=False)
    float_class: FloatClass = FloatClass.EXACT
    arguments: tuple[tuple[str, Nat], ...] = ()
    where: tuple[Condition, ...] = ()
    compute: tuple[tuple[str, Computation], ...] = ()
    by: Callable[[Any], Expr | None] | None = None
    root: tuple[Hashable, ...] = ()

    @property
    def module(self) -> str:
        """The module that holds the rule."""
        name: str = self.home.get("__name__", "")
        return name

    def __hash__(self) -> int:
        return hash(
            (self.equation, self.module, self.arguments)
        )  # the rest follows, and strategies are hashed often

    @property
    def name(self) -> str:
        """The variable that holds the rule, with the sizes chosen."""
        base = name_of(self)
        return f"{base}({', '.join(show_nat(v) for _, v in self.arguments)})" if self.arguments else base

    @property
    def compiled(self) -> Compiled:
        """The equation, worked out on first use."""
        return compile_equation(self.equation)

    @property
    def roots(self) -> frozenset[Hashable] | None:
        """The roots of all terms it can match."""
        if self.by is not None:
            return frozenset(self.root) or None
        return self.compiled.roots

    @property
    def depth(self) -> int | None:
        """How far below a term it looks; a condition may look anywhere in what was bound."""
        return None if self.where or self.compute or self.by is not None else self.compiled.depth

    def apply(self, term: Any) -> Expr | None:
        """The right side where the left side matches and the conditions hold."""
        if self.by is not None:
            made: Any = self.by(term)
            if made is not None and (not isinstance(made, Expr) or made.type != term.type):
                raise TypeError(
                    f"expected a term of type {term.type}, found {_shown(getattr(made, 'type', made))}"
                )
            return made
        compiled = self.compiled
        if not compiled.matcher.fits(term):
            return None
        try:
            bindings = self._match(term)
        except NoMatch:
            return None
        return compiled.builder.build(bindings)

    def _match(self, term: Any) -> Bindings:
        bindings = self.compiled.matcher.match(term, {metavariable(n): v for n, v in self.arguments})
        for condition in self.where:
            if not condition(bindings):
                raise NoMatch((), sentence(condition), term, bindings.matched)
        for name, part in self.compute:
            value = part(bindings)
            if value is None:
                raise NoMatch((), sentence(part), term, bindings.matched)
            bindings.types[metavariable(name)] = nat(value)
        open_sizes = self.compiled.needs - bindings.types.keys()
        if open_sizes:
            title = f"the left side of `{self.equation}` does not fix all sizes and types of the right side"
            hint = "write what is open on the left side, as in `(xs : n.t)`, or give it: parameters, compute"
            raise StrategyError(Diagnostic("unbound-metavariable", title, hint=hint))
        return bindings

    def mismatch(self, term: Any) -> Mismatch:
        """Where the left side stops matching, what was expected there, what stands there."""
        if self.by is not None:
            fits = self.roots is not None and term.root in self.roots
            return Mismatch((), f"a term for the rule {self.equation}", _shown(term), int(fits))
        try:
            self._match(term)
        except NoMatch as no:
            expected, found = no.named
            if isinstance(expected, str):
                expected = expected[:1].lower() + expected[1:]  # a docstring's sentence
            shown = self.left if no.expected is self.compiled.left else _shown(expected)
            return Mismatch(no.path, shown, _shown(found), no.matched)
        raise AssertionError(f"{self} matches {term!r}")

    @property
    def left(self) -> str:
        """The text of the left side."""
        return self.equation.partition(" = ")[0]

    def __reduce__(self) -> tuple[Any, ...]:
        base = name_of(self)
        return _again, (self.module, base, tuple(v for _, v in self.arguments))


@dataclass(frozen=True, slots=True)
class RuleFamily:
    """A rule with sizes to choose: `splitJoin(32)`."""

    rule: EquationRule
    parameters: tuple[str, ...]

    def __call__(self, *arguments: int | Nat) -> EquationRule:
        """The rule at these sizes. Raises StrategyError for what is none."""
        takes = f"it takes {', '.join(self.parameters)}"
        if len(arguments) != len(self.parameters):
            title = f"{self!r} takes {len(self.parameters)} sizes, found {len(arguments)}"
            raise StrategyError(Diagnostic("family-sizes", title, hint=takes))
        found: tuple[object, ...] = arguments
        for one in found:
            is_number = isinstance(one, int) and not isinstance(one, bool) and one >= 0
            if not (is_number or isinstance(one, Nat)):
                title = f"{self!r}: expected a size, an integer >= 0, found {one!r}"
                raise StrategyError(Diagnostic("family-sizes", title, hint=takes))
        given = tuple(zip(self.parameters, map(nat, arguments), strict=True))
        return replace(self.rule, arguments=given)

    def __repr__(self) -> str:
        return name_of(self.rule)


def rule(
    equation: str,
    *,
    why: str,
    where: tuple[Condition, ...] | Condition = (),
    compute: Mapping[str, Computation] | None = None,
    float_class: FloatClass = FloatClass.EXACT,
    by: Callable[[Any], Expr | None] | None = None,
    roots: tuple[Hashable, ...] = (),
) -> EquationRule:
    """A rule from its equation. It is called like the variable of its module that it is assigned to.

    `where`: predicates on the bindings, whose docstring says what they ask for. `compute`: sizes of the right side
    that the left side leaves open. `by`: a function from the term to the right side, for what no pattern can say.
    """
    conditions = where if isinstance(where, tuple) else (where,)
    computed = tuple((compute or {}).items())
    return EquationRule(
        equation, why, _namespace_of_caller(), float_class, (), conditions, computed, by, roots
    )


def family(
    equation: str,
    *,
    parameters: tuple[str, ...],
    why: str,
    where: tuple[Condition, ...] | Condition = (),
    float_class: FloatClass = FloatClass.EXACT,
) -> RuleFamily:
    """Rules from one equation, one for each choice of the sizes that `parameters` names."""
    conditions = where if isinstance(where, tuple) else (where,)
    return RuleFamily(
        EquationRule(equation, why, _namespace_of_caller(), float_class, (), conditions), parameters
    )


def sentence(function: Callable[..., Any]) -> str:
    """What a predicate asks for: the first line of its docstring."""
    return (function.__doc__ or function.__name__).strip().splitlines()[0].rstrip(".")


def name_of(rule: EquationRule) -> str:
    """The variable that holds a rule; its equation where none does."""
    for name, value in rule.home.items():
        found = value.rule if isinstance(value, RuleFamily) else value
        if isinstance(found, EquationRule) and found.equation == rule.equation and found.home is rule.home:
            return name
    return f"rule({rule.equation!r})"


def _namespace_of_caller() -> Mapping[str, Any]:
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    assert frame is not None
    return frame.f_globals


def _shown(found: object) -> str:
    match found:
        case Expr():
            return show_brief(found, SHOWN)
        case Type():
            return show_type(found)
        case Nat():
            return show_nat(found)
    return str(found)


def _again(module: str, name: str, arguments: tuple[Nat, ...]) -> Any:
    found = getattr(importlib.import_module(module), name)
    return found(*arguments) if arguments else found
