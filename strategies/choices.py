"""Overrides by the author: a named value is stored at a chosen place, or recomputed. No costs are computed.

`share` respects these decisions: it does not look into stored values, and never stores a value that is marked by
`recompute`. Both strategies fail if they cannot do exactly what was requested.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from importlib import import_module
from typing import Final

from elevate import FloatClass, Mismatch, Rule, Strategy, named
from elevate.term import Path, replaced, subterm, surroundings
from rise.diagnostics import did_you_mean
from rise.primitives import has_trait, lookup, operands_of
from rise.printer.terms import show_brief
from rise.records import dataclass
from rise.terms import App, DepApp, DepLam, Expr, Lam, Var, abstract, mention, occurs, shift, substitute
from rise.types import is_data, shift_dependent
from strategies.costs.decisions import is_computed, is_in_order
from strategies.costs.products import head_name
from strategies.lowering.positions import TO_MEMORY
from strategies.parts.named_values import NamedValue, axis_of, loop_names, named_values
from strategies.parts.parameters import check_sizes, check_strings
from strategies.rules.lowering import holdsArray, recomputed

#: the place outside of all loops
TOP: Final = "top"
#: the memory that is shared by the threads of a block only
OF_BLOCK: Final = "Shared"
#: the names of memories that a kernel can write to
SPACES: Final = tuple(space.name for space in TO_MEMORY)
MAX_SHOWN: Final = 8
MAX_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True)
class _Choice(Rule):
    """A rule about a named value of a whole program."""

    value_name: str
    which: int

    @property
    def roots(self) -> frozenset[Hashable] | None:
        """None, since a program may have any root."""
        return None

    @property
    def depth(self) -> int | None:
        """None, since a value may be named at any depth."""
        return None

    @property
    def float_class(self) -> FloatClass:
        """Exact: no result changes."""
        return FloatClass.EXACT

    def chosen(self, program: Expr, value: NamedValue) -> Expr | Mismatch:
        """The program after the decision, or the reason why none is possible."""
        raise NotImplementedError

    def attempt(self, program: Expr) -> Expr | Mismatch:
        """The program after the decision about the value of that name, or the reason why none is possible."""
        found = _find(program, self.value_name, self.which)
        return found if isinstance(found, Mismatch) else self.chosen(program, found)

    def apply(self, term: Expr) -> Expr | None:
        """The program after the decision about the value of that name; None if none is possible."""
        result = self.attempt(term)
        return None if isinstance(result, Mismatch) else result

    def mismatch(self, term: Expr) -> Mismatch:
        """Why the decision is not possible, and what to do instead."""
        result = self.attempt(term)
        assert isinstance(result, Mismatch), self
        return result


@dataclass(frozen=True, slots=True)
class StoreValue(_Choice):
    """Computes a named value once in each iteration of an enclosing loop, and stores it there."""

    at: str
    space: str

    @property
    def name(self) -> str:
        """The name it prints as."""
        return f"storeValue({self.value_name!r}, {self.at!r}, {self.space!r}, {self.which})"

    def chosen(self, program: Expr, value: NamedValue) -> Expr | Mismatch:
        refused = _refused_space(self.space)
        if refused is not None:
            return refused
        loop = _place(program, value, self.at)
        if isinstance(loop, Mismatch):
            return loop
        if self.space == OF_BLOCK and loop == _top(program):
            return Mismatch(
                (),
                "Local or Global outside of all loops",
                self.space,
                reason="no block runs there whose threads could share it",
                is_precondition=True,
                hint="store it in Global memory, or at a loop that runs in blocks",
                focus=value.path,
            )
        if self.at == "":
            stored = _stored(value.value, self.space)
            return replaced(program, value.value_path, stored)  # type: ignore[return-value]  # of an Expr an Expr
        return _moved(program, value, loop, self.space, self.at)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (__name__, "storeValue", _texts(self.value_name, self.at, self.space, self.which))


@dataclass(frozen=True, slots=True)
class InlineValue(_Choice):
    """Recomputes a named value wherever it is read."""

    @property
    def name(self) -> str:
        """The name it prints as."""
        return f"inlineValue({self.value_name!r}, {self.which})"

    def chosen(self, program: Expr, value: NamedValue) -> Expr | Mismatch:
        if is_in_order(value.value):
            return Mismatch(
                (),
                "an array of which each element can be computed by itself",
                show_brief(value.value, MAX_CHARACTERS, is_typed=False),
                reason=f"elements of `{value.name}` need those before them: each reader would compute all of them",
                is_precondition=True,
                hint=f'store it: storeAt("{value.name}")',
                focus=value.path,
            )
        inlined = substitute(value.body, recomputing(value.value))
        return replaced(program, value.path, inlined)  # type: ignore[return-value]  # of an Expr an Expr

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (__name__, "inlineValue", _texts(self.value_name, self.which))


def storeValue(name: str, at: str, space: str, which: int) -> StoreValue:
    """The rule of `storeAt`, which saved derivations name."""
    return StoreValue(name, which, at, space)


def inlineValue(name: str, which: int) -> InlineValue:
    """The rule of `inline`, which saved derivations name."""
    return InlineValue(name, which)


@named
def storeAt(name: str, at: str = "", space: str = "Local", which: int = 0) -> Strategy:
    """Store the value named `name`, once in each iteration of the loop `at`; "top" is outside all loops.

    A loop is named by its function's parameter or, as in printed code, by its axis: `n` runs over N elements.
    Without `at` the value is stored where it is named. `space` is Local, Shared or Global. `which` selects one of
    several values with this name, counted from 1.
    """
    check_strings(name=name, at=at, space=space)
    check_sizes(0, which=which)
    return storeValue(name, at, space, which)


@named
def inline(name: str, which: int = 0) -> Strategy:
    """Recompute the value named `name` wherever it is read; `which` selects one of several with this name."""
    check_strings(name=name)
    check_sizes(0, which=which)
    return inlineValue(name, which)


def recomputing(value: Expr) -> Expr:
    """A value that each reader is to recompute, without its views, which stay outside, where fusion sees them."""
    places: list[Path] = []
    waiting: list[tuple[Expr, Path]] = [(value, ())]
    while waiting:
        node, path = waiting.pop()
        head = head_name(node)
        record = lookup(head) if head else None
        if not is_data(node.type):
            continue
        is_view = record is not None and record.level == "view" and not has_trait(head, "scatters")
        if is_view and node.root == (head, operands_of(head)):
            below, inner = path, node
            while isinstance(inner, App | DepApp):
                if isinstance(inner, App):
                    waiting.append((inner.arg, (*below, 1)))
                below, inner = (*below, 0), inner.fun
        elif is_computed(node) or not holdsArray(node.type):
            places.append(path)
    for path in places:
        part = subterm(value, path)
        assert isinstance(part, Expr)
        marked = recomputed.apply(part)
        assert marked is not None, part
        value = replaced(value, path, marked)  # type: ignore[assignment]  # of an Expr an Expr
    return value


def _find(program: Expr, name: str, which: int) -> NamedValue | Mismatch:
    """The value of that name, or why it is not unique."""
    every = list(named_values(program))
    found = [value for value in every if value.name == name]
    if not found:
        known = list(dict.fromkeys(value.name for value in every))
        listed = f"it names {', '.join(known[:MAX_SHOWN])}" if known else "it names no value"
        return Mismatch(
            (),
            f"a value that the program calls `{name}`",
            "none",
            reason=f"no value is called `{name}`",
            hint=did_you_mean(name, known) or f"{listed}; `let` names a value",
        )
    if (which == 0 and len(found) > 1) or which > len(found) or which < 0:
        return Mismatch(
            (),
            f"which={' or which='.join(map(str, range(1, min(len(found), MAX_SHOWN) + 1)))}",
            f"which={which}",
            reason=f"{len(found)} values are called `{name}`",
            is_precondition=True,
            hint=f"count them in the order of the text: which=1 is the first `{name}`",
            focus=found[0].path,
        )
    return found[max(which, 1) - 1]


def _refused_space(space: str) -> Mismatch | None:
    if space in SPACES:
        return None
    return Mismatch(
        (),
        f"one of the memories {', '.join(SPACES)}",
        space,
        reason=f"no level stores to {space}" if space == "Constant" else "there is no such memory",
        is_precondition=True,
        hint=did_you_mean(space, SPACES) or f'choose space="{SPACES[0]}"',
    )


def _top(program: Expr) -> Path:
    """The path to the body of the program's function."""
    path: Path = ()
    while isinstance(program, Lam | DepLam):
        program, path = program.children[0], (*path, 0)
    return path


def _place(program: Expr, value: NamedValue, at: str) -> Path | Mismatch:
    """The path to the term at whose beginning the value is to be stored."""
    if at == TOP:
        return _top(program)
    if at == "":
        return value.loops[-1].body if value.loops else _top(program)
    for loop in reversed(value.loops):
        if at in (*loop.names, axis_of(program, loop)):
            return loop.body
    names = [*loop_names(program, value.loops), TOP]
    return Mismatch(
        (),
        f"the name of a loop around `{value.name}`, or {TOP}",
        at,
        reason=f"no loop around `{value.name}` is called `{at}`",
        is_precondition=True,
        hint=did_you_mean(at, names) or f"around it are {', '.join(names[:MAX_SHOWN])}",
        focus=value.path,
    )


def _moved(program: Expr, value: NamedValue, loop: Path, space: str, at: str) -> Expr | Mismatch:
    """The value is stored at the beginning of the body of a loop, but after the names that it is computed from."""
    around = surroundings(program, value.path)
    above = [(value.path[:depth], one) for depth, one in enumerate(around) if isinstance(one, Lam | DepLam)]
    functions = [(path, one) for path, one in above if isinstance(one, Lam)]
    read: list[tuple[Path, Lam | DepLam]] = [
        (path, function)
        for depth, (path, function) in enumerate(reversed(functions))
        if value.value.mentions & mention(depth) and occurs(value.value, depth)
    ]
    if value.value.dep_loose:
        read += [(path, one) for path, one in above if isinstance(one, DepLam)]
    known = max((len(path) + 1 for path, _ in read), default=0)
    place = value.path[: max(known, len(loop))]
    if any(len(loop) < len(inner.body) <= len(place) for inner in value.loops):
        return _dependence(value, at, [one.name for path, one in read if len(path) >= len(loop)])
    whole = subterm(program, place)
    assert isinstance(whole, Expr)
    if not is_data(whole.type):
        return Mismatch(
            (),
            "a function that is written out: fun(x => ...)",
            show_brief(whole, MAX_CHARACTERS, is_typed=False),
            reason=f"there is no place for `{value.name}`",
            is_precondition=True,
            hint="give the function all its parameters",
            focus=place,
        )
    crossed = [one for path, one in functions if len(path) >= len(place)]
    rows = sum(isinstance(one, DepLam) for path, one in above if len(path) >= len(place))
    free = shift_dependent(shift(value.value, -len(crossed)), -rows)
    variable = Var(_unused(program, value.name), free.type)
    inside = replaced(whole, value.path[len(place) :], substitute(value.body, variable))
    assert isinstance(inside, Expr)
    call = App(abstract(inside, variable, value.name), _stored(free, space))
    return replaced(program, place, call)  # type: ignore[return-value]  # of an Expr an Expr


def _dependence(value: NamedValue, at: str, names: list[str]) -> Mismatch:
    """The value depends on a variable of a loop further inside."""
    needs = " and ".join(f"`{name}`" for name in names)
    return Mismatch(
        (),
        f"a loop inside of which {needs} {'are' if len(names) > 1 else 'is'} known",
        at,
        reason=f"`{value.name}` is computed from {needs}",
        is_precondition=True,
        hint="choose a loop further inside, or omit `at`",
        focus=value.path,
    )


def _unused(program: Expr, name: str) -> str:
    taken = {str(getattr(one, "name", "")) for one in program.free}
    while name in taken:
        name += "_"
    return name


def _stored(value: Expr, space: str) -> Expr:
    rule = next(rule for known, rule in TO_MEMORY.items() if known.name == space)
    assert isinstance(rule, Rule)
    stored = rule.apply(value)
    assert isinstance(stored, Expr), value
    return stored


def _texts(*parameters: object) -> tuple[str, ...]:
    """Parameters of a rule in the notation of saved derivations, with texts in quotation marks."""
    return tuple(json.dumps(one) if isinstance(one, str) else str(one) for one in parameters)


def _again(module: str, name: str, parameters: tuple[str, ...]) -> object:
    return getattr(import_module(module), name)(*map(json.loads, parameters))
