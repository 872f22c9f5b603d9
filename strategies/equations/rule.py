"""Rules from equations: an equation is the law, the matcher, the builder and the documentation.

One subject: a rule, a family of rules, and the functions that create them.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, Final, NoReturn, SupportsIndex, TypeAlias

import rise
from elevate import Diagnostic, FloatClass, Mismatch, Move, Reach, Rule, StrategyError
from elevate.analysis.shapes import Rewrite
from elevate.places import location
from rise.arguments.sizes import as_size
from rise.inference.equations import metavariable
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node
from rise.records import dataclass
from rise.terms import Expr, Var
from rise.text.nat_printer import show_nat
from rise.tracebacks import AT_THE_USERS_LINE
from strategies.equations import provenance
from strategies.equations.compilation import Compiled, compile_equation, compile_inverse
from strategies.equations.contexts import fillings
from strategies.equations.dispatch import Dispatch, dispatch_of
from strategies.equations.execution import (
    by_first_form,
    by_function,
    by_generated_code,
    by_matching,
    made_later,
)
from strategies.equations.inverses import broken_promise, called_functions, restore, undetermined
from strategies.equations.matcher import Bindings, NoMatch, match_type
from strategies.equations.mismatches import mismatch_at, shown_term
from strategies.equations.names import check_names
from strategies.equations.rounding import introduced_reassociation
from strategies.equations.shapes import rewrites

Condition: TypeAlias = Callable[[Bindings], bool]
Computation: TypeAlias = Callable[[Bindings], "Nat | int | Expr | None"]
TermPredicate: TypeAlias = Callable[[Expr], bool]

#: the modules whose equations are compiled on first use
LIBRARY: Final = "strategies."


@dataclass(frozen=True, slots=True)
class EquationRule(Rule):
    """A rewrite rule of RISE, given by its equation, read from left to right.

    `home` is the namespace of the module that calls `rule`, in which the rule's name is looked up. `arguments` are the
    sizes chosen for a family's parameters. `also` are further equations; the first that matches is applied. `of` are
    predicates on the terms of single metavariables. `by` computes the right side if an equation cannot express it; the
    equation is then only documentation. `tidies`: whether it only tidies up after other rules, so that printed
    derivations fold its steps.
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
    of: tuple[tuple[str, TermPredicate], ...] = ()
    says: Callable[[Any], str] | None = field(default=None, compare=False)
    """Describes the decision of a firing on a term, with its numbers; derivations show it."""
    names: tuple[str, ...] = field(default=(), compare=False)
    """The free names of the equation that are metavariables although they are longer than usual."""
    seen: Reach | None = field(default=None, compare=False)
    """What decides whether the rule applies, if it says so."""
    demands: tuple[str, ...] = field(default=(), compare=False)
    """Conditions on sizes of the right side that the left side does not have, as obligations are printed: `t >= 1`."""
    line: int = field(default=0, compare=False)
    """The line of the file of `home` that calls `rule` or `family`."""
    module: str = field(init=False, default="")
    """The module that defines the rule. Rules of different modules are different even if their equations are equal,
    since they have different names.
    """

    def __post_init__(self) -> None:
        """Record the module, by which rules are compared."""
        Rule.__post_init__(self)
        object.__setattr__(self, "module", self.home.get("__name__", ""))

    def __hash__(self) -> int:
        return hash((self.equation, self.arguments, self.is_inverse))  # strategies are hashed often

    @property
    def name(self) -> str:
        """The variable that holds the rule, with the chosen sizes."""
        base = name_of(self)
        chosen = f"({', '.join(show_nat(v) for _, v in self.arguments)})" if self.arguments else ""
        return f"{base}{chosen}{'.inv' if self.is_inverse else ''}"

    @property
    def place(self) -> str:
        """The place of the call of `rule` or `family`, such as `mine.py:4`; empty if it is not in a file."""
        file = self.home.get("__file__")
        return location(file, self.module, self.line) if isinstance(file, str) else ""

    @property
    def compiled(self) -> Compiled:
        """The equation, compiled on first use. Raises RiseError if it is wrong, with the rule's name and place."""
        try:
            if self.is_inverse:
                return compile_inverse(self.equation)
            return compile_equation(self.equation, frozenset(name for name, _ in self.compute))
        except rise.RiseError as error:
            raise rise.RiseError(_of_rule(error.diagnostic, self.where_it_is)) from None
        except StrategyError as error:
            note = _in_rule(self.where_it_is)
            raise StrategyError(replace(error.diagnostic, notes=(note, *error.diagnostic.notes))) from None

    @property
    def where_it_is(self) -> str:
        """The rule's name, if its module has assigned it already, and its place."""
        place = f"at {self.place}" if self.place else ""
        if place and is_unnamed(self):
            return place
        return f"{self.name} {place}".rstrip()

    @property
    def forms(self) -> tuple[EquationRule, ...]:
        """A rule for each of its equations; the rule itself if it has only one."""
        if not self.also:
            return (self,)
        return tuple(self._form(equation) for equation in (self.equation, *self.also))

    def _form(self, equation: str) -> EquationRule:
        names = frozenset(re.findall(r"\w+", equation))
        computed = tuple((name, part) for name, part in self.compute if name in names)
        return replace(self, equation=equation, also=(), compute=computed)

    @property
    def inv(self) -> EquationRule:
        """The rule from right to left: it rewrites the result of the rule to the redex.

        Raises StrategyError if the right side does not determine all of the left side, or does not keep a promise of a
        primitive on the left side.

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
            part = f"{kind} `{name}`" if name else kind
            side = "left" if self.is_inverse else "right"
            hint = f"write a family for the other direction, with the parameter `{name}`" if name else ""
            _no_inverse(self, f"its {side} side does not determine {part}", hint)
        applied = called_functions(compiled.left) & {name for name, _ in self.of}
        if applied:  # a function that satisfies a predicate is explicit, so its call is substituted
            _no_inverse(
                self, f"its right side calls `{min(applied)}`, which cannot be read back from the result"
            )
        broken = broken_promise(compiled.right, compiled.left) if turned.is_inverse else None
        if broken is not None:
            primitive, promise = broken
            reason = f"`{primitive}` on its left side promises that {promise}, which its right side does not"
            _no_inverse(self, reason, "write a rule with a condition that ensures it")
        added = introduced_reassociation(compiled.left, compiled.right) if turned.is_inverse else ()
        if added and self.float_class < FloatClass.REASSOCIATING:
            reason = f"`{added[0]}` on its left side adds in any order, and its right side does not"
            _no_inverse(self, reason, "write a rule for the other direction, of class REASSOCIATING")
        return turned

    @property
    def roots(self) -> frozenset[Hashable] | None:
        """The roots of all terms that the rule can match."""
        if self.by is not None:
            return frozenset(self.root) or None
        if self.also:
            roots = [form.roots for form in self.forms]
            return None if None in roots else frozenset().union(*(each or () for each in roots))
        return self.dispatch.roots

    @property
    def depth(self) -> int | None:
        """How far below a term the rule looks; None with conditions, which may look anywhere in the bound terms."""
        if self.where or self.compute or self.of or self.by is not None:
            return None
        depths = [form.dispatch.depth for form in self.forms]
        return None if None in depths else max(depth or 0 for depth in depths)

    @property
    def reach(self) -> Reach | None:
        """The levels of its patterns, whose shapes are compared first; and what is below, unless it has a depth."""
        if self.by is not None or self.seen is not None:
            return self.seen
        tests = [form.fits for form in self.forms]
        fits = tests[0] if len(tests) == 1 else lambda term: any(test(term) for test in tests)
        levels = max(form.dispatch.levels for form in self.forms)
        return Reach(levels, None if self.depth is None else (), fits=fits)

    @property
    def dispatch(self) -> Dispatch:
        """The shape of the left side, which is known for the rules of the library before they are compiled."""
        known = None if self.is_inverse else dispatch_of(self.equation)
        return known or self.compiled.dispatch

    @property
    def fits(self) -> Callable[[Any], bool]:
        """Whether a term has the shape of the left side; the equation is compiled for the first term."""
        test: Callable[[Any], bool] | None = None

        def fits(term: Any) -> bool:
            nonlocal test
            if test is None:
                test = self.compiled.matcher.fits
            return test(term)

        return fits

    def apply(self, term: Any) -> Expr | None:
        """The right side, if the left side matches and the conditions hold; otherwise None."""
        return self.prepared()(term)

    def prepared(self) -> Callable[[Any], Expr | None]:
        """`apply` with the equation compiled; equal rules share the function."""
        return _prepared(self)

    def made(self) -> Callable[[Any], Expr | None]:
        """The function that `prepared` returns, created for this rule."""
        if self.by is not None:
            return by_function(self.by, self.roots)
        if self.also:
            return by_first_form([(form.roots, form.prepared()) for form in self.forms])
        compiled, given = self.compiled, self.given
        asks = self.where or self.compute or self.of or self.is_inverse or compiled.needs - given.keys()
        if asks or compiled.functions or compiled.contexts or compiled.is_sized:
            return by_matching(compiled, given, dict(self.of), self._unmet, self.is_inverse, self._division)
        return by_generated_code(compiled, given, self._title, self._division)

    def _title(self) -> str:
        return f"<the rule {self.name}: {self.written}>"

    def _division(self) -> StrategyError:
        title = f"{self.name} divides by a size that is 0"
        return StrategyError(Diagnostic("family-sizes", title, hint="choose 1 or more"))

    @property
    def given(self) -> dict[Node, Any]:
        """The sizes of the parameters."""
        return {metavariable(name): value for name, value in self.arguments}

    def _match(self, term: Any) -> Bindings:
        try:
            bindings = self.compiled.matcher.match(term, self.given)
        except ZeroDivisionError:
            raise NoMatch((), "sizes to divide by that are not 0", term) from None
        restore(bindings, self.compiled.functions)
        unmet: Callable[..., Any] | None = _fills_holes
        of = dict(self.of)
        for filled in fillings(tuple(each.asking(of) for each in self.compiled.contexts), bindings, of):
            unmet = self._unmet(filled)
            if unmet is None:
                return filled
        assert unmet is not None
        raise NoMatch((), sentence(unmet), term, bindings.matched)

    def _unmet(self, bindings: Bindings) -> Callable[..., Any] | None:
        """Bind computed names; returns the first condition that fails, or computation without a result, or None."""
        for name, predicate in self.of:
            if name in bindings.terms and not predicate(bindings.term(name)):
                return predicate
        for condition in self.where:
            if not condition(bindings):
                return condition
        for name, part in self.compute:
            value = part(bindings)
            if isinstance(value, Expr):
                if not _bind_computed(bindings, name, value, self.compiled.right):
                    return part
                continue
            if value is None or (self.is_inverse and bindings.types.get(metavariable(name)) != nat(value)):
                return part
            bindings.types[metavariable(name)] = nat(value)
        if self.is_inverse and not _sizes_of(self.compiled.right) <= bindings.types.keys():
            return _determines_sizes
        missing = self.compiled.needs - bindings.types.keys()
        if missing:
            name = min(str(getattr(each, "name", "")).lstrip("?'") for each in missing)
            what = f"the size `{name}`" if name.isidentifier() else "all sizes and types"
            title = f"{self.name}: expected a left side that determines {what} of the right side, found `{self.left}`"
            hint = "write it on the left side, as in `(xs : n.t)`, or use `parameters` or `compute`"
            raise StrategyError(Diagnostic("unbound-metavariable", title, hint=hint))
        return None

    def mismatch(self, term: Any) -> Mismatch:
        """The place where the left side stops matching, and what was expected and found there."""
        if self.by is not None:
            fits = self.roots is not None and term.root in self.roots
            return Mismatch((), f"a term for the rule {self.equation}", shown_term(term), int(fits))
        if self.also:
            return max((form.mismatch(term) for form in self.forms), key=lambda mismatch: mismatch.matched)
        try:
            self._match(term)
        except NoMatch as no:
            miss = mismatch_at(no, self.compiled.left, self.left)
            is_precondition = no.bindings is None or miss.reason != "does not match"
            return replace(miss, is_precondition=is_precondition)
        raise AssertionError(f"{self} matches {term!r}")

    def bindings(self, term: Any) -> Mapping[str, Any]:
        """The terms, sizes and types to which a match of the left side with a term binds the equation's names."""
        return {} if self.by is not None else provenance.binding_facts(self._matching(term)._match(term))

    def _matching(self, term: Any) -> EquationRule:
        """The form whose left side matches a term."""
        return next((form for form in self.forms if form.apply(term) is not None), self.forms[0])

    def moves(self, redex: Any, contractum: Any) -> tuple[Move, ...] | None:
        """The places of metavariables before and after a firing; None if the equation does not determine them."""
        if self.by is not None:
            return provenance.called_moves(redex) if self.equation.startswith(provenance.CALL) else None
        if self.also:
            return self._matching(redex).moves(redex, contractum)
        if self.compiled.functions or self.compiled.contexts:
            return None
        return provenance.moves(self.compiled.left, self.compiled.right, self._match(redex))

    def shapes(self) -> tuple[Rewrite, ...] | None:
        """The shapes of both sides, for checks of strategies; None if a function computes the right side."""
        if self.by is not None:
            return None
        asks = bool(self.where or self.compute or self.of)
        return tuple(
            rewrite
            for form in self.forms
            for rewrite in rewrites(form.compiled, form.left, frozenset(self.given), asks)
        )

    @property
    def left(self) -> str:
        """The text of the side that is matched."""
        return self.written.partition(" = ")[0]

    @property
    def written(self) -> str:
        """The equation in the direction of the rule."""
        if not self.is_inverse:
            return self.equation
        left, _, right = self.equation.partition(" = ")
        return f"{right} = {left}"

    def __reduce__(self) -> tuple[Any, ...]:
        base = name_of(self)
        return _again, (self.module, base, tuple(v for _, v in self.arguments), self.is_inverse)


@dataclass(frozen=True, slots=True)
class RuleFamily:
    """A rule with sizes as parameters: `splitJoin(32)`."""

    rule: EquationRule
    parameters: tuple[str, ...]

    def __call__(self, *arguments: SupportsIndex | Nat) -> EquationRule:
        """The rule for these sizes. Raises StrategyError for arguments that are not sizes."""
        takes = f"it takes {', '.join(self.parameters)}"
        if len(arguments) != len(self.parameters):
            title = f"{self!r} takes {len(self.parameters)} sizes, found {len(arguments)}"
            raise StrategyError(Diagnostic("family-sizes", title, hint=takes))
        sizes: list[Nat] = []
        for argument in arguments:
            size = argument if isinstance(argument, Nat) else as_size(argument)
            if size is None:
                title = f"{self!r}: expected a size, an integer >= 0, found {argument!r}"
                raise StrategyError(Diagnostic("family-sizes", title, hint=takes))
            try:
                sizes.append(nat(size))
            except rise.RiseError as error:
                title = f"{self!r}: {error.diagnostic.title}"
                raise StrategyError(Diagnostic("family-sizes", title, hint=takes)) from None
        given = tuple(zip(self.parameters, sizes, strict=True))
        return replace(self.rule, arguments=given)

    @property
    def inv(self) -> EquationRule:
        """The rule from right to left, for any sizes: `splitJoin.inv`.

        Raises StrategyError like `inv` of a rule.
        """
        return self.rule.inv

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print it in Hypothesis's notes, which would show all fields, and the module of the rule."""
        printer.text(repr(self))

    def __repr__(self) -> str:
        return name_of(self.rule)


def rule(
    equation: str,
    *,
    why: str,
    also: tuple[str, ...] = (),
    of: Mapping[str, TermPredicate] | None = None,
    where: tuple[Condition, ...] | Condition = (),
    compute: Mapping[str, Computation] | None = None,
    float_class: FloatClass = FloatClass.EXACT,
    by: Callable[[Any], Expr | None] | None = None,
    roots: tuple[Hashable, ...] = (),
    reach: Reach | None = None,
    tidies: bool = False,
    says: Callable[[Any], str] | None = None,
    names: tuple[str, ...] = (),
    demands: tuple[str, ...] = (),
) -> EquationRule:
    """A rule from its equation. Its name is that of the module variable to which it is assigned.

    `also`: further equations; the first that matches is applied. `of`: predicates on the terms of single metavariables;
    for a context, on the whole term. `where`: predicates on the bindings; their docstrings describe the condition.
    `compute`: sizes and terms of the right side that the left side does not determine; a computed term mentions no
    binder of the equation. `by`: a function from the term to the right side, for right sides that no equation can
    express; `roots` and `reach` say on what it depends. `tidies`, `says`: see EquationRule. `names`: metavariables
    longer than a letter with digits, which would
    otherwise be rejected as misspelt primitives. `demands`: conditions on sizes that only the right side has; without
    them, a proof would be refused. Raises RiseError or StrategyError for a wrong equation; for modules of the library,
    on first use.
    """
    with AT_THE_USERS_LINE:
        for text in (equation, *also):
            _check_arguments(text, why, float_class)
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
                seen=reach,
                tidies=tidies,
                also=also,
                of=tuple((of or {}).items()),
                says=says,
                names=names,
                demands=demands,
                line=line,
            )
        )


def family(
    equation: str,
    *,
    parameters: tuple[str, ...],
    why: str,
    of: Mapping[str, TermPredicate] | None = None,
    where: tuple[Condition, ...] | Condition = (),
    float_class: FloatClass = FloatClass.EXACT,
    names: tuple[str, ...] = (),
    demands: tuple[str, ...] = (),
) -> RuleFamily:
    """A family of rules from one equation, one for each choice of the sizes named in `parameters`, which must not be 0
    if the right side divides by them. Raises the same errors as `rule`.
    """
    _check_arguments(equation, why, float_class)
    conditions = where if isinstance(where, tuple) else (where,)
    home, line = _caller()
    made = EquationRule(
        equation,
        why,
        home,
        float_class,
        where=conditions,
        of=tuple((of or {}).items()),
        names=(*parameters, *names),
        demands=demands,
        line=line,
    )
    return RuleFamily(_checked(made), parameters)


def _check_arguments(equation: object, why: object, float_class: object) -> None:
    """Reject arguments of the wrong type. Errors in the equation are found when it is compiled."""
    if not isinstance(float_class, FloatClass):
        title = f"expected one of elevate's FloatClass for `float_class`, found {float_class!r}"
        hint = f"write {', '.join(f'FloatClass.{each.name}' for each in FloatClass)}"
        if isinstance(float_class, str) and float_class.upper() in FloatClass.__members__:
            hint = f"write FloatClass.{float_class.upper()}"
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    for name, text in (("the equation", equation), ("`why`", why)):
        if not isinstance(text, str):
            title = f"expected a string for {name}, found a {type(text).__name__}"
            hint = 'for example rule("map f (map g xs) = map (f . g) xs", why="Walk the array once.")'
            raise StrategyError(Diagnostic("rule", title, hint=hint))


def _checked(rule: EquationRule) -> EquationRule:
    """The rule, with its equations compiled, except for rules of the library, which would take longer to import."""
    if rule.by is None and not rule.module.startswith(LIBRARY):
        check_declared(rule)
        for form in rule.forms:
            _ = form.compiled
    return rule


def check_declared(rule: EquationRule) -> None:
    """Reject free names of a rule's equations that do not look like metavariables, unless the rule declares them."""
    declared = frozenset((*rule.names, *(name for name, _ in (*rule.compute, *rule.of))))
    for form in rule.forms:
        try:
            check_names(form.equation, declared)
        except rise.RiseError as error:
            raise rise.RiseError(_of_rule(error.diagnostic, form.where_it_is)) from None


def _of_rule(diagnostic: rise.Diagnostic, name: str) -> rise.Diagnostic:
    """A diagnostic about the equation of a rule, with the rule's name and without the marks of metavariables."""
    labels = tuple(replace(label, text=_unmarked(label.text)) for label in diagnostic.labels)
    notes = (_in_rule(name), *map(_unmarked, diagnostic.notes))
    return replace(diagnostic, title=_unmarked(diagnostic.title), labels=labels, notes=notes)


def _in_rule(name: str) -> str:
    """The note that names the rule of a wrong equation."""
    return f"in the equation of the rule {name}"


def _unmarked(text: str) -> str:
    return re.sub(r"\?(?=\w)", "", text)


@lru_cache(maxsize=4096)
def _prepared(rule: EquationRule) -> Callable[[Any], Expr | None]:
    if rule.by is not None or rule.also or rule.is_inverse or dispatch_of(rule.equation) is None:
        return rule.made()
    return made_later(rule.roots, rule.made)


def sentence(function: Callable[..., Any]) -> str:
    """The condition that a predicate describes: the first line of its docstring."""
    return (function.__doc__ or function.__name__).strip().splitlines()[0].rstrip(".")


def name_of(rule: EquationRule) -> str:
    """The variable to which a rule is assigned; its equation if there is none."""
    return _variable_of(rule) or f"rule({rule.equation!r})"


def is_unnamed(rule: EquationRule) -> bool:
    """Whether a rule is not assigned to a variable of its module, or not yet."""
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


def _bind_computed(bindings: Bindings, name: str, value: Expr, right: Expr) -> bool:
    """Bind a metavariable of the right side to a computed term; whether the term has the expected type."""
    if name in bindings.terms:
        return bindings.term(name) == value
    expected = next(each.given for each in right.free if isinstance(each, Var) and each.name == name)
    if not match_type(bindings, expected, value.type):
        return False
    bindings.terms[name] = (value, ())
    return True


def _sizes_of(side: Expr) -> set[Node]:
    return {name for name in side.free if isinstance(name, NatVar)}


def _fills_holes(bindings: Bindings) -> bool:
    """A part that fits the holes, and mentions nothing that is bound between it and the whole"""
    return True


def _determines_sizes(bindings: Bindings) -> bool:
    """Sizes that determine all sizes of the other side"""
    return True


def _no_inverse(rule: EquationRule, reason: str, hint: str = "") -> NoReturn:
    title = f"{rule.name} has no inverse: {reason}"
    note = f"its equation is {rule.equation}"
    raise StrategyError(Diagnostic("no-inverse", title, notes=(note,), hint=hint))
