"""The declarations that are visible at a place in the printed imperative IR, and their names. Independent of syntax."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar
from rise.records import dataclass
from rise.text.nat_printer import show_nat
from shine.imperative.contents import Named, Names
from shine.imperative.kernels import Launch
from shine.imperative.nodes import Block, Buffer, Define, For, Level, Load, Local, Parameter, Value
from shine.imperative.omitted_variables import repeats, used_once
from shine.imperative.scopes import Scope
from shine.imperative.signature import passed_by_value


@dataclass(frozen=True, slots=True)
class Visible:
    """The names that are visible in a block, which are the same as in C and CUDA texts; without a scope, each
    declaration has the name that translation gave it. `omitted` are the definitions that these texts omit, and
    `repeated` the variables.
    """

    scope: Scope | None = None
    omitted: frozenset[Define] = frozenset()
    repeated: frozenset[Local] = frozenset()
    given: frozenset[Buffer] = frozenset()
    launch: Launch | None = None

    def inside(self) -> Visible:
        """The declarations visible in a block inside this one."""
        return self if self.scope is None else replace(self, scope=self.scope.block())

    def name(self, key: Named) -> str:
        """The name of a declaration."""
        known = None if self.scope is None else self.scope.known(key)
        return key.name if known is None else known

    def nat(self, a: Nat) -> str:
        """The text of a natural."""
        if self.scope is not None:
            named = {
                one: NatVar(name, one.upper)
                for one in a.free
                if isinstance(one, NatVar) and (name := self.scope.known(one)) not in (None, one.name)
            }
            a = substitute_naturals(a, named) if named else a
        return show_nat(a)

    def bind(self, key: Named) -> str:
        """Give a declaration its name."""
        return key.name if self.scope is None else self.scope.bind(key, key.name)

    def bind_all(self, keys: Iterable[Named]) -> None:
        """Give several declarations their names."""
        for key in keys:
            self.bind(key)

    def bind_unit(self, name: str) -> None:
        """Give the number of a thread's warp or lane its name."""
        if self.scope is not None:
            self.scope.bind(name, name)

    @property
    def renames(self) -> bool:
        """Whether declarations have other names than translation gave them."""
        return self.scope is not None

    def alias(self, key: Named, text: str) -> None:
        """Print a variable as this text."""
        if self.scope is not None:
            self.scope.alias(key, text)

    def omits(self, statement: Define) -> bool:
        """Whether the value of a definition is printed where it is used."""
        return self.scope is not None and (
            statement in self.omitted or statement.local in self.repeated or self._stays(statement.value)
        )

    def _stays(self, value: Value) -> bool:
        return isinstance(value, Local) or (isinstance(value, Load) and value.buffer in self.given)

    def loop(self, loop: For) -> Visible:
        """The declarations visible in a loop. Loops over the same units of a GPU share one name."""
        shared = _unit(loop, self)
        if shared is None or self.scope is None:
            inside = self.inside()
            inside.bind(loop.index)
            return inside
        share = None if self.launch is None else self.launch.share(loop)
        inside = self if share == "one" else self.inside()
        assert inside.scope is not None
        known = self.scope.known(shared)
        if self.launch is not None and isinstance(loop.kind, Level) and self.launch.is_number_of(loop.kind):
            known = self.scope.known(loop.kind.name) or known
        if known is not None and share != "many":
            inside.scope.alias(loop.index, known)
            return inside
        inside.bind(loop.index)
        if share == "one":
            inside.scope.alias(shared, inside.name(loop.index))
        return inside


#: all names as translation generated them
AS_MADE: Final = Visible()


def _unit(loop: For, page: Visible) -> Hashable | None:
    """The key of the unit that runs an iteration, shared by loops that move in the same way."""
    if not isinstance(loop.kind, Level) or page.scope is None:
        return None
    return "unit", loop.kind, page.scope.called.get(loop.index, loop.index.name)


def visible_in(
    body: Block, called: Names, inputs: Sequence[Parameter], launch: Launch | None = None
) -> Visible:
    """The declarations visible in a body before its parameters are named."""
    numbers = frozenset(
        buffer
        for parameter in inputs
        for buffer, is_number in zip(parameter.buffers, passed_by_value(parameter), strict=True)
        if is_number
    )
    return Visible(Scope(called=called), used_once(body), repeats(body), numbers, launch)
