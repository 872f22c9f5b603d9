"""What a target is: a name, a default strategy, options, and how it makes a procedure executable. Knows no
target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, Protocol, TypeAlias, runtime_checkable

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from shine.imperative import Origin, Procedure
from shine.imperative_text import write_procedure
from shine.memory import Memory


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


@runtime_checkable
class DeviceExecutable(Protocol):
    """An executable that takes arrays on a device as well."""

    def memory(self, arguments: Sequence[Any], out: Any, stream: Any) -> Memory:
        """Where the arrays of a call lie."""
        ...

    def prepare_in(
        self, memory: Memory, sizes: Sequence[int], arguments: Sequence[Any], stream: Any
    ) -> Callable[[], None]:
        """`prepare` for arrays that lie there, on a stream: as a user gives it, or None."""
        ...


@runtime_checkable
class Clocked(Protocol):
    """A prepared run that knows better than the host's clock how long it takes."""

    def clock(self) -> AbstractContextManager[Callable[[int], float]]:
        """Seconds for one run, over so many in a row; what is made ready for that is undone at the end."""
        ...


@runtime_checkable
class Compiled(Protocol):
    """An executable that was built to machine code."""

    def machine_code(self) -> bytes:
        """The content of a file that others can load. Raises RiseError where there is no compiler."""
        ...


#: a text for people, and for each of its lines the path in the low-level program
Outline: TypeAlias = tuple[str, tuple[Origin | None, ...]]


def outline_procedure(procedure: Procedure, options: Mapping[str, Any]) -> Outline:
    """The outline of a target that runs a procedure as it is."""
    return write_procedure(procedure)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a user may choose about a target; None stands for not given."""

    name: str
    type: type
    default: Any
    doc: str

    @property
    def words(self) -> str:
        """What it takes, in words."""
        return _WORDS[self.type]

    def takes(self, value: Any) -> bool:
        """Whether it may have a value."""
        if isinstance(value, bool) or self.type is bool:
            return isinstance(value, bool) and self.type is bool
        return isinstance(value, self.type) or (self.type is float and isinstance(value, int))


@dataclass(frozen=True, slots=True)
class Target:
    """One way to run programs. `strategy` lowers a program that was given none, as `module:name`; `levels` are the
    parallel maps that it has. `own` are the options that go with that strategy: with no other, loops stay in the order
    that the strategy says. `outline` is what it is about to print or run: it refuses all that the target refuses and
    needs no compiler. `suffix` is that of files with its machine code.
    """

    name: str
    description: str
    strategy: str
    options: tuple[Option, ...]
    build: Callable[[Procedure, Mapping[str, Any]], Executable]
    levels: frozenset[str]
    outline: Callable[[Procedure, Mapping[str, Any]], Outline] = outline_procedure
    suffix: str = ""
    own: Mapping[str, Any] = field(default_factory=dict)

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
            if value is not None and not option.takes(value):
                refuse_option(name, option.words, repr(value), option.doc)
        return {name: given.get(name, option.default) for name, option in known.items()}


def refuse_option(name: str, expected: str, found: str, hint: str) -> NoReturn:
    """Say that an option has a wrong value."""
    title = f"option `{name}`: expected {expected}, found {found}"
    raise RiseError(Diagnostic("option-value", title, hint=hint))


_WORDS: Final[Mapping[type, str]] = {
    bool: "bool (true or false)",
    int: "int (an integer)",
    float: "float (a number)",
    str: "str (a text)",
}
