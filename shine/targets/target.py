"""What a target is: a name, a default strategy, options, and how it makes a procedure executable. Knows no
target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from shine.imperative import Origin, Procedure


class Executable(Protocol):
    """A procedure that can be run on arrays of the host."""

    @property
    def source(self) -> str:
        """The text that was built."""
        ...

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        """For each line of the source, the path in the low-level program that it was translated from."""
        ...

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Fix the arguments of a run: the sizes, then for each buffer of the inputs and the output a
        C-contiguous array, or a numpy scalar where the input is a number. The answer runs it, and raises
        RiseError where it fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a user may choose about a target; None stands for not given."""

    name: str
    type: type
    default: Any
    doc: str


@dataclass(frozen=True, slots=True)
class Target:
    """One way to run programs. `strategy` lowers a program that was given none, as `module:name`."""

    name: str
    description: str
    strategy: str
    options: tuple[Option, ...]
    build: Callable[[Procedure, Mapping[str, Any]], Executable]

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options, the given ones and defaults for the others. Raises RiseError for names and types it
        lacks.
        """
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in known:
                hint = did_you_mean(name, known) or f"it has {', '.join(known) or 'none'}"
                title = f"the target {self.name} has no option `{name}`"
                raise RiseError(Diagnostic("unknown-option", title, hint=hint))
            option = known[name]
            fits = isinstance(value, option.type) and (option.type is not int or not isinstance(value, bool))
            if value is not None and not fits:
                title = f"option `{name}`: expected {option.type.__name__}, found {type(value).__name__}"
                raise RiseError(Diagnostic("unknown-option", title, hint=option.doc))
        return {name: given.get(name, option.default) for name, option in known.items()}
