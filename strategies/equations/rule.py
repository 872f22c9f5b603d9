"""Rules from equations: the equation is the law, the matcher, the builder and the documentation.

One subject: a rule, a family of rules, and how modules make them.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, NoReturn, SupportsIndex, TypeAlias

import rise
from elevate import Diagnostic, FloatClass, Mismatch, Move, Rule, StrategyError
from elevate.analysis.shapes import Rewrite
from elevate.places import location
from rise.arguments.sizes import as_size
from rise.inference.equations import metavariable
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node
from rise.terms import Expr, Var
from rise.text.nat_printer import show_nat
from strategies.equations import provenance
from strategies.equations.compiled import Compiled, compile_equation, compile_inverse
from strategies.equations.contexts import fillings
from strategies.equations.generated_code import Attempt, rewriting
from strategies.equations.inverses import broken_promise, called_functions, restore, undetermined
from strategies.equations.matcher import Bindings, NoMatch, match_type
from strategies.equations.mismatches import shown_term, told
from strategies.equations.shapes import rewrites
from strategies.equations.validation import check_made, checked, in_rule, likely_typos, of_rule

Condition: TypeAlias = Callable[[Bindings], bool]
Computation: TypeAlias = Callable[[Bindings], "Nat | int | Expr | None"]
Asks: TypeAlias = Callable[[Expr], bool]

#: how the names of modules begin whose equations are compiled on first use only
LIBRARY: Final = "strategies."


@dataclass(frozen=True, slots=True)
class EquationRule(Rule):
    """A rewrite rule of RISE, given by its equation, read from left to right.

    `home` is the namespace that it was made in, where its name is found. `arguments` are the sizes chosen for a
    family's parameters. `also` are further equations, of which the first that matches is taken. `of` are
    predicates on what single metavariables stand for. `by`, where an equation is not enough, computes the
    right side; the equation then only documents. `tidies`: whether it only tidies up after other rules, so that
    derivations shown to people fold its steps.
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
    is_inverse: bool = False
    tidies: bool = False
    also: tuple[str, ...] = ()
    of: tuple[tuple[str, Asks], ...] = ()
    line: int = field(default=0, compare=False)
    """The line of the file of `home` that calls `rule` or `family`."""

    @property
    def module(self) -> str:
        """The module that holds the rule."""
        name: str = self.home.get("__name__", "")
        return name

    def __hash__(self) -> int:
        return hash((self.equation, self.arguments, self.is_inverse))  # strategies are hashed often

    @property
    def name(self) -> str:
        """The variable that holds the rule, with the sizes chosen."""
        base = name_of(self)
        chosen = f"({', '.join(show_nat(v) for _, v in self.arguments)})" if self.arguments else ""
        return f"{base}{chosen}{'.inv' if self.is_inverse else ''}"

    @property
    def place(self) -> str:
        """The line of the call of `rule` or `family`: `mine.py:4`; empty where it is in no file."""
        file = self.home.get("__file__")
        return location(file, self.module, self.line) if isinstance(file, str) else ""

    @property
    def compiled(self) -> Compiled:
        """The equation, compiled on first use. Raises RiseError where it is wrong, with the rule's name and place."""
        try:
            if self.is_inverse:
                return compile_inverse(self.equation)
            return compile_equation(self.equation, frozenset(name for name, _ in self.compute))
        except rise.RiseError as error:
            raise rise.RiseError(of_rule(error.diagnostic, self._where_it_is)) from None
        except StrategyError as error:
            note = in_rule(self._where_it_is)
            raise StrategyError(replace(error.diagnostic, notes=(note, *error.diagnostic.notes))) from None

    @property
    def _where_it_is(self) -> str:
        """The rule's name, unless its module has yet to assign it, and its place."""
        place = f"at {self.place}" if self.place else ""
        if place and is_unnamed(self):
            return place
        return f"{self.name} {place}".rstrip()

    @property
    def forms(self) -> tuple[EquationRule, ...]:
        """A rule for each of its equations; the rule itself where it has one, or none that is read."""
        if not self.also:
            return (self,)
        return tuple(self._form(one) for one in (self.equation, *self.also))

    def _form(self, equation: str) -> EquationRule:
        names = frozenset(re.findall(r"\w+", equation))
        computed = tuple((name, part) for name, part in self.compute if name in names)
        return replace(self, equation=equation, also=(), compute=computed)

    @property
    def inv(self) -> EquationRule:
        """The rule from right to left: where a rule gave u of t, its inverse gives t of u.

        Raises StrategyError where the right side does not determine all of the left side, or where the left side
        promises more than the right side says.

        >>> from strategies.rules.fusion import mapFusion
        >>> mapFusion.inv, mapFusion.inv.written
        (mapFusion.inv, 'map (f . g) xs = map f (map g xs)')
        """
        if self.by is not None:
            _no_inverse(self, "a function computes its right side", "write a rule for the other direction")
        if self.also:
            assert all(form.inv for form in self.forms)  # a form without an inverse raises
            return replace(self, is_inverse=not self.is_inverse)
        if not self.is_inverse and self.compiled.contexts:
            _no_inverse(self, "its left side has a context", "write a rule for the other direction")
        turned = replace(self, is_inverse=not self.is_inverse)
        compiled = turned.compiled
        missing = undetermined(compiled.right, compiled.left, frozenset(self.given))
        if missing is not None:
            kind, name = missing
            what = f"{kind} `{name}`" if name else kind
            side = "left" if self.is_inverse else "right"
            hint = f"write a family of the other direction, which `{name}` is given to" if name else ""
            _no_inverse(self, f"its {side} side does not determine {what}", hint)
        applied = called_functions(compiled.left) & {name for name, _ in self.of}
        if applied:  # a function that a predicate knows is written out, and called on the spot
            _no_inverse(
                self, f"its right side calls `{min(applied)}`, of which nothing is left there to read"
            )
        broken = broken_promise(compiled.right, compiled.left) if turned.is_inverse else None
        if broken is not None:
            primitive, promise = broken
            reason = f"`{primitive}` on its left side promises that {promise}, of which its right side says nothing"
            _no_inverse(self, reason, "write a rule with a condition that sees to it")
        return turned

    @property
    def roots(self) -> frozenset[Hashable] | None:
        """The roots of all terms it can match."""
        if self.by is not None:
            return frozenset(self.root) or None
        if self.also:
            found = [form.roots for form in self.forms]
            return None if None in found else frozenset().union(*(one or () for one in found))
        return self.compiled.roots

    @property
    def depth(self) -> int | None:
        """How far below a term it looks; a condition may look anywhere in what was bound."""
        if self.where or self.compute or self.of or self.by is not None:
            return None
        found = [form.compiled.depth for form in self.forms]
        return None if None in found else max(one or 0 for one in found)

    def apply(self, term: Any) -> Expr | None:
        """The right side where the left side matches and the conditions hold."""
        return self.prepared()(term)

    def prepared(self) -> Callable[[Any], Expr | None]:
        """`apply`, with the equation at hand; equal rules share it."""
        return _prepared(self)

    def made(self) -> Callable[[Any], Expr | None]:
        """What `prepared` answers, made anew."""
        if self.by is not None:
            return checked(self.by, self.roots)
        if self.also:
            return _first_of(self.forms)
        compiled = self.compiled
        given, functions, of = self.given, compiled.functions, dict(self.of)
        contexts = tuple(one.asking(of) for one in compiled.contexts)
        asks = bool(self.where or self.compute or self.of or self.is_inverse or compiled.needs - given.keys())
        if not (asks or functions or contexts or compiled.is_sized):
            return self._rewriting(compiled.matcher.fits)
        fits, bind, build = compiled.matcher.fits, compiled.matcher.bind, compiled.builder.build
        match = compiled.matcher.match  # asks for types that follow from others too: they may tell a size

        def attempt(term: Any) -> Expr | None:
            if not fits(term) or not all(one.may_hold(term) for one in contexts):
                return None
            try:
                bindings = bind(term, given) if not self.is_inverse else match(term, given)
            except (NoMatch, ZeroDivisionError):  # a size of the pattern that divides by one that is 0
                return None
            if bindings is None:
                return None
            if functions:
                restore(bindings, functions)
            if contexts:
                found = next(
                    (one for one in fillings(contexts, bindings, of) if self._unmet(one) is None), None
                )
                if found is None:
                    return None
                bindings = found
            elif asks and self._unmet(bindings) is not None:
                return None
            try:
                return build(bindings)
            except ZeroDivisionError:
                raise self._divides() from None

        return attempt

    def _rewriting(self, fits: Callable[[Any], bool]) -> Callable[[Any], Expr | None]:
        """`apply` of a rule without conditions; the function of its equation is written when a term fits first."""
        rewrite: Attempt | None = None

        def attempt(term: Any) -> Expr | None:
            nonlocal rewrite
            if not fits(term):
                return None
            if rewrite is None:
                compiled = self.compiled
                mentions, title = compiled.matcher.may_mention, f"<the rule {self.name}: {self.written}>"
                rewrite = rewriting(compiled.left, compiled.right, mentions, self.given, title)
            try:
                return rewrite(term)
            except ZeroDivisionError:
                raise self._divides() from None

        return attempt

    def _divides(self) -> StrategyError:
        title = f"{self.name} divides by a size that is 0"
        return StrategyError(Diagnostic("family-sizes", title, hint="choose 1 or more"))

    @property
    def given(self) -> dict[Node, Any]:
        """What the parameters stand for."""
        return {metavariable(name): value for name, value in self.arguments}

    def _match(self, term: Any) -> Bindings:
        try:
            bindings = self.compiled.matcher.match(term, self.given)
        except ZeroDivisionError:
            raise NoMatch((), "sizes to divide by that are not 0", term) from None
        restore(bindings, self.compiled.functions)
        unmet: Callable[..., Any] | None = _holds_what_is_asked
        of = dict(self.of)
        for found in fillings(tuple(one.asking(of) for one in self.compiled.contexts), bindings, of):
            unmet = self._unmet(found)
            if unmet is None:
                return found
        assert unmet is not None
        raise NoMatch((), sentence(unmet), term, bindings.matched)

    def _unmet(self, bindings: Bindings) -> Callable[..., Any] | None:
        """Put in what is computed; the first condition that does not hold, or computation that has no answer."""
        for name, asked in self.of:
            if name in bindings.terms and not asked(bindings.term(name)):
                return asked
        for condition in self.where:
            if not condition(bindings):
                return condition
        for name, part in self.compute:
            value = part(bindings)
            if isinstance(value, Expr):
                if not _put_in(bindings, name, value, self.compiled.right):
                    return part
                continue
            if value is None or (self.is_inverse and bindings.types.get(metavariable(name)) != nat(value)):
                return part
            bindings.types[metavariable(name)] = nat(value)
        if self.is_inverse and not _sizes_of(self.compiled.right) <= bindings.types.keys():
            return _says_all_sizes
        missing = self.compiled.needs - bindings.types.keys()
        if missing:
            name = min(str(getattr(one, "name", "")).lstrip("?'") for one in missing)
            what = f"the size `{name}`" if name.isidentifier() else "all sizes and types"
            title = (
                f"{self.name}: expected a left side that fixes {what} of the right side, found `{self.left}`"
            )
            hint = "write what is open on the left side, as in `(xs : n.t)`, or give it: parameters, compute"
            raise StrategyError(Diagnostic("unbound-metavariable", title, hint=hint))
        return None

    def mismatch(self, term: Any) -> Mismatch:
        """Where the left side stops matching, what was expected there, what stands there."""
        if self.by is not None:
            fits = self.roots is not None and term.root in self.roots
            return Mismatch((), f"a term for the rule {self.equation}", shown_term(term), int(fits))
        if self.also:
            return max((form.mismatch(term) for form in self.forms), key=lambda one: one.matched)
        try:
            self._match(term)
        except NoMatch as no:
            miss = told(no, self.compiled.left, self.left)
            is_precondition = no.bindings is None or miss.reason != "does not match"
            reason = "; ".join((miss.reason, *likely_typos(self.compiled)))
            return replace(miss, is_precondition=is_precondition, reason=reason)
        raise AssertionError(f"{self} matches {term!r}")

    def bindings(self, term: Any) -> Mapping[str, Any]:
        """What the names of the equation stand for in a term that the left side matches."""
        return {} if self.by is not None else provenance.binding_facts(self._matching(term)._match(term))

    def _matching(self, term: Any) -> EquationRule:
        """The form that matches a term."""
        return next((form for form in self.forms if form.apply(term) is not None), self.forms[0])

    def moves(self, redex: Any, contractum: Any) -> tuple[Move, ...] | None:
        """Where the metavariables stand before and after a firing; None where the equation does not say."""
        if self.by is not None:
            return provenance.called_moves(redex) if self.equation.startswith(provenance.CALL) else None
        if self.also:
            return self._matching(redex).moves(redex, contractum)
        if self.compiled.functions or self.compiled.contexts:
            return None
        return provenance.moves(self.compiled.left, self.compiled.right, self._match(redex))

    def shapes(self) -> tuple[Rewrite, ...] | None:
        """The shapes of both sides, by which strategies are checked; None where a function computes the right side."""
        if self.by is not None:
            return None
        asks = bool(self.where or self.compute or self.of)
        return tuple(
            one
            for form in self.forms
            for one in rewrites(form.compiled, form.left, frozenset(self.given), asks)
        )

    @property
    def left(self) -> str:
        """The text of the side that it matches."""
        return self.written.partition(" = ")[0]

    @property
    def written(self) -> str:
        """The equation in the direction in which it is read."""
        if not self.is_inverse:
            return self.equation
        left, _, right = self.equation.partition(" = ")
        return f"{right} = {left}"

    def __reduce__(self) -> tuple[Any, ...]:
        base = name_of(self)
        return _again, (self.module, base, tuple(v for _, v in self.arguments), self.is_inverse)


@dataclass(frozen=True, slots=True)
class RuleFamily:
    """A rule with sizes to choose: `splitJoin(32)`."""

    rule: EquationRule
    parameters: tuple[str, ...]

    def __call__(self, *arguments: SupportsIndex | Nat) -> EquationRule:
        """The rule at these sizes. Raises StrategyError for what is none."""
        takes = f"it takes {', '.join(self.parameters)}"
        if len(arguments) != len(self.parameters):
            title = f"{self!r} takes {len(self.parameters)} sizes, found {len(arguments)}"
            raise StrategyError(Diagnostic("family-sizes", title, hint=takes))
        sizes: list[Nat] = []
        for one in arguments:
            size = one if isinstance(one, Nat) else as_size(one)
            if size is None:
                title = f"{self!r}: expected a size, an integer >= 0, found {one!r}"
                raise StrategyError(Diagnostic("family-sizes", title, hint=takes))
            sizes.append(nat(size))
        given = tuple(zip(self.parameters, sizes, strict=True))
        return replace(self.rule, arguments=given)

    @property
    def inv(self) -> EquationRule:
        """All rules of the family from right to left, whatever size they were taken at: `splitJoin.inv`.

        Raises StrategyError as `inv` of a rule does.
        """
        return self.rule.inv

    def __repr__(self) -> str:
        return name_of(self.rule)


def rule(
    equation: str,
    *,
    why: str,
    also: tuple[str, ...] = (),
    of: Mapping[str, Asks] | None = None,
    where: tuple[Condition, ...] | Condition = (),
    compute: Mapping[str, Computation] | None = None,
    float_class: FloatClass = FloatClass.EXACT,
    by: Callable[[Any], Expr | None] | None = None,
    roots: tuple[Hashable, ...] = (),
    tidies: bool = False,
) -> EquationRule:
    """A rule from its equation. It is called like the variable of its module that it is assigned to.

    `also`: further equations, of which the first that matches is taken. `of`: predicates on the terms that single
    metavariables stand for, for a context on the whole term. `where`: predicates on the bindings, whose docstring
    says what they ask for. `compute`: sizes and terms of the right side that the left side leaves open; a computed
    term mentions no binder of the equation. `by`: a function from the term to the right side, for what no pattern
    can say. `tidies`: see EquationRule.
    """
    for one in (equation, *also):
        check_made(one, why, float_class)
    conditions = where if isinstance(where, tuple) else (where,)
    home, line = _caller()
    return _checked(
        EquationRule(
            equation,
            why,
            home,
            float_class,
            where=conditions,
            compute=tuple((compute or {}).items()),
            by=by,
            root=roots,
            tidies=tidies,
            also=also,
            of=tuple((of or {}).items()),
            line=line,
        )
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
    check_made(equation, why, float_class)
    conditions = where if isinstance(where, tuple) else (where,)
    home, line = _caller()
    made = EquationRule(equation, why, home, float_class, where=conditions, line=line)
    return RuleFamily(_checked(made), parameters)


def _checked(rule: EquationRule) -> EquationRule:
    """The rule, with its equations compiled unless it is one of the library, whose start-up time this would be."""
    if rule.by is None and not rule.module.startswith(LIBRARY):
        for form in rule.forms:
            _ = form.compiled
    return rule


@lru_cache(maxsize=4096)
def _prepared(rule: EquationRule) -> Callable[[Any], Expr | None]:
    return rule.made()


def sentence(function: Callable[..., Any]) -> str:
    """What a predicate asks for: the first line of its docstring."""
    return (function.__doc__ or function.__name__).strip().splitlines()[0].rstrip(".")


def name_of(rule: EquationRule) -> str:
    """The variable that holds a rule; its equation where none does."""
    return _variable_of(rule) or f"rule({rule.equation!r})"


def is_unnamed(rule: EquationRule) -> bool:
    """Whether no variable of its module holds a rule, or none does yet."""
    return _variable_of(rule) is None


def _variable_of(rule: EquationRule) -> str | None:
    for name, value in rule.home.items():
        found = value.rule if isinstance(value, RuleFamily) else value
        if isinstance(found, EquationRule) and found.home is rule.home:
            is_form = rule.equation in (found.equation, *found.also)
            if is_form and (found.why, found.by) == (rule.why, rule.by):
                return name
    return None


def _caller() -> tuple[Mapping[str, Any], int]:
    """The namespace and the line of the first caller outside of this module."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    assert frame is not None
    return frame.f_globals, frame.f_lineno


def _again(module: str, name: str, arguments: tuple[Nat, ...], is_inverse: bool = False) -> Any:
    found = getattr(importlib.import_module(module), name)
    chosen = found(*arguments) if arguments else found
    return chosen.inv if is_inverse else chosen


def _first_of(forms: tuple[EquationRule, ...]) -> Callable[[Any], Expr | None]:
    """What the first form gives that matches; a form is asked only of terms with its roots."""
    attempts = [(form.roots, form.prepared()) for form in forms]
    at_root: dict[Hashable, tuple[Callable[[Any], Expr | None], ...]] = {}

    def attempt(term: Any) -> Expr | None:
        root = term.root
        chosen = at_root.get(root)
        if chosen is None:
            chosen = tuple(one for roots, one in attempts if roots is None or root in roots)
            at_root[root] = chosen
        for one in chosen:
            found = one(term)
            if found is not None:
                return found
        return None

    return attempt


def _put_in(bindings: Bindings, name: str, value: Expr, right: Expr) -> bool:
    """Bind a metavariable of the right side to a computed term; whether the term has the type that is wanted."""
    if name in bindings.terms:
        return bindings.term(name) == value
    wanted = next(one.given for one in right.free if isinstance(one, Var) and one.name == name)
    if not match_type(bindings, wanted, value.type):
        return False
    bindings.terms[name] = (value, ())
    return True


def _sizes_of(side: Expr) -> set[Node]:
    return {one for one in side.free if isinstance(one, NatVar)}


def _holds_what_is_asked(bindings: Bindings) -> bool:
    """A part that fits into the holes, and mentions nothing that is bound between it and the whole"""
    return True


def _says_all_sizes(bindings: Bindings) -> bool:
    """Sizes that say what all of the other side are"""
    return True


def _no_inverse(rule: EquationRule, reason: str, hint: str = "") -> NoReturn:
    title = f"{rule.name} has no inverse: {reason}"
    note = f"its equation is {rule.equation}"
    raise StrategyError(Diagnostic("no-inverse", title, notes=(note,), hint=hint))
