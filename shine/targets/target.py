"""Targets as records: a name, a default strategy, options, passes, and how procedures become executable.

Independent of targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias, runtime_checkable

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.hardware import Processor
from rise.records import dataclass
from shine.calling.memory import Memory
from shine.imperative.limits import Limits
from shine.imperative.nodes import Origin, Procedure
from shine.passes.record import Pass, Program, Settings, run_passes, steps

if TYPE_CHECKING:
    from shine.simulator.profile import Profile


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

    @property
    def limits(self) -> Limits:
        """Bounds on the values that it computes from sizes, which are checked at each call."""
        ...

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Bind the arguments of a run: the sizes, and for each buffer of the inputs and the output a C-contiguous
        array, or a numpy scalar if the input is a number. Returns a function that runs the procedure, and raises
        RiseError if it fails.
        """
        ...


@runtime_checkable
class DeviceExecutable(Protocol):
    """An executable that also takes arrays on a device."""

    def memory(self, arguments: Sequence[Any], out: Any, stream: Any) -> Memory:
        """The memory that holds the arrays of a call."""
        ...

    def prepare_in(
        self, memory: Memory, sizes: Sequence[int], arguments: Sequence[Any], stream: Any
    ) -> Callable[[], None]:
        """`prepare` for arrays in a memory, on a stream that the user gave, or None."""
        ...


@runtime_checkable
class Clocked(Protocol):
    """A prepared run that measures its time more precisely than the host's clock."""

    def clock(self) -> AbstractContextManager[Callable[[int], float]]:
        """A context manager for a function from a number of runs to the seconds per run."""
        ...


@runtime_checkable
class Profiling(Protocol):
    """An executable that can count what its kernels do."""

    def profile(
        self, sizes: Sequence[int], arguments: Sequence[Any]
    ) -> tuple[str, tuple[Origin | None, ...], Sequence[tuple[str, Profile]]]:
        """Run it on the arguments of `prepare`. Returns the text, its origins, and the kernel and profile of each
        launch.
        """
        ...


@runtime_checkable
class Compiled(Protocol):
    """An executable with machine code. `exported` are the names under which others find its functions."""

    @property
    def exported(self) -> tuple[str, ...]:
        """The names, in the order of the text."""
        ...

    def machine_code(self) -> bytes:
        """The content of a file that others can load. Raises RiseError if there is no compiler."""
        ...


@runtime_checkable
class Handled(Protocol):
    """An executable that XLA can call."""

    def handler_for_xla(self, name: str, headers: Path) -> Any:
        """The handler for XLA's foreign function interface, as a ctypes function. `name` identifies the kernel among
        all that XLA calls; `headers` is the directory of XLA's headers. Raises RiseError if it does not compile.
        """
        ...


class Plan(Protocol):
    """A kernel that another process can load. It can be pickled."""

    def is_current(self) -> bool:
        """Whether compiling in this process would give the same kernel; for example, the device may have changed."""
        ...

    def load(self) -> Executable:
        """The kernel. Raises RiseError if there is no compiler."""
        ...


@runtime_checkable
class Adjustable(Protocol):
    """An executable whose runs depend on options."""

    def with_options(self, options: Settings) -> Executable:
        """The same executable under other values of the options that are `only_runs`."""
        ...


@runtime_checkable
class Planned(Protocol):
    """An executable that was loaded from a plan."""

    @property
    def plan(self) -> Plan:
        """How to load it again."""
        ...


#: a text for people, and for each of its lines the path in the low-level program
Outline: TypeAlias = tuple[str, tuple[Origin | None, ...]]


def as_given(options: Settings) -> Settings:
    """The options of a target that needs no information about the machine before its passes run."""
    return options


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a target. Its value is None if it is not given. One that is `only_runs` changes how kernels run, but
    not how they are built.
    """

    name: str
    type: type
    default: Any
    doc: str
    only_runs: bool = False

    @property
    def words(self) -> str:
        """The accepted values, in words."""
        return _WORDS[self.type]

    def takes(self, value: Any) -> bool:
        """Whether a value has the type of the option."""
        if isinstance(value, bool) or self.type is bool:
            return isinstance(value, bool) and self.type is bool
        if self.type is Processor and isinstance(value, str):
            return True
        return isinstance(value, self.type) or (self.type is float and isinstance(value, int))


@dataclass(frozen=True, slots=True)
class Target:
    """A way to run programs.

    - `strategy`: the strategy for programs without one, as `module:name`.
    - `settings`: its options, except those that switch passes, which follow from the passes.
    - `passes`: the passes over a translated procedure before it is printed, in order.
    - `build`: prints the result of the passes, and makes it executable.
    - `levels`: the parallel maps that it supports.
    - `outline`: the result of the passes as readable text. It raises the errors of `build`, and needs no compiler.
    - `source_suffix`: the suffix of source files.
    - `code_suffix`: the suffix of files with machine code; empty if the target generates none.
    - `one_by_one`: by scalar type, the operations that its compiler does not vectorise, so that a loop with one of them
      is scalar. None for a target whose loops are never vectorised.
    - `settle`: chooses options that are not given by this machine. Raises RiseError for values out of range.
    - `before_updates`: None if an input and the result that is its new value are different arrays. Otherwise a function
      that splits loops, after which more elements are changed in place.
    """

    name: str
    description: str
    strategy: str
    settings: tuple[Option, ...]
    passes: tuple[Pass, ...]
    build: Callable[[Any, Settings], Executable]
    levels: frozenset[str]
    outline: Callable[[Any, Settings], Outline]
    source_suffix: str
    code_suffix: str = ""
    settle: Callable[[Settings], Settings] = as_given
    one_by_one: Mapping[str, frozenset[str]] | None = None
    before_updates: Callable[[Procedure], Procedure] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """All options: its own, and those that switch passes."""
        return (*self.settings, *switches(self.passes))

    def complete(self, given: Settings) -> dict[str, Any]:
        """All options: the given values, and defaults for the others. Raises RiseError for unknown names and wrong
        types.
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
        return {
            name: option.default if (value := given.get(name)) is None else value
            for name, option in known.items()
        }

    def passed(self, procedure: Procedure, given: Settings) -> tuple[Program, Settings]:
        """A procedure after the passes, and the options with which `build` builds it. Raises RiseError for anything
        that the target does not support.
        """
        options = self.settle(self.complete(given))
        return run_passes(self.passes, procedure, options), options

    def outlined(self, procedure: Procedure, given: Settings) -> Outline:
        """The output of `build`, as text for people. Raises RiseError for anything that the target does not support."""
        options = self.settle(self.complete(given))
        return self.outline(run_passes(self.passes, procedure, options), options)

    def steps(self, procedure: Procedure, given: Settings) -> Iterator[tuple[Pass, Program]]:
        """The passes that run, each with the program after it. Raises RiseError for anything that the target does not
        support.
        """
        return steps(self.passes, procedure, self.settle(self.complete(given)))


def switches(passes: Sequence[Pass]) -> tuple[Option, ...]:
    """The options that switch passes, in the order in which they are first named."""
    named: dict[str, list[Pass]] = {}
    for one in passes:
        if one.option:
            named.setdefault(one.option, []).append(one)
    return tuple(map(_switch, named, named.values()))


def _switch(name: str, passes: list[Pass]) -> Option:
    names = " and ".join(one.name for one in passes)
    defaults = {one.default for one in passes}
    assert len(defaults) == 1, f"{names} share the option {name}, and differ in its default"
    runs = "run" if len(passes) > 1 else "runs"
    return Option(name, bool, defaults.pop(), f"whether {names} {runs}: see `shine list passes`")


def refuse_option(name: str, expected: str, found: str, hint: str) -> NoReturn:
    """Raise RiseError for a wrong value of an option."""
    title = f"option `{name}`: expected {expected}, found {found}"
    raise RiseError(Diagnostic("option-value", title, hint=hint))


_WORDS: Final[Mapping[type, str]] = {
    bool: "bool (true or false)",
    int: "int (an integer)",
    float: "float (a number)",
    str: "str (a text)",
    Processor: "str (the name of a processor)",
}
