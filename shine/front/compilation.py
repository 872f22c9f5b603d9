"""`shine.compile`: finds the kernel of a program on disk, or has it lowered and built. Independent of strategies.

Lowering a program takes a hundred times as long as loading its kernel, and so does importing the strategies. A printed
kernel is therefore stored in the cache, beside the library that was built from it, under a digest of everything that it
depends on: the program, its strategy, the target with its options, the processor, and the sources of rise-shine. Only
kernels without foreign functions are stored, and only if their strategy comes with rise-shine: the name of another
strategy does not determine its definition.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rise.argument_checks import Termlike, term_of
from rise.diagnostics import RiseError
from rise.hardware import Processor
from rise.nodes import Measured
from rise.packages import imported
from rise.programs.foreign import Foreign
from rise.tracebacks import ends_at_the_users_line
from rise.version import __version__
from shine.cache import body_of, digest, directory_of, stored, use
from shine.front.machines import machine_for
from shine.kernel import Kernel

if TYPE_CHECKING:
    from elevate import Strategy

#: how entries are written; another number for another form
FORMAT: Final = "2"
SUFFIX: Final = ".kernel"
#: the nesting depth of naturals and types that are written by their fields
MAX_HEIGHT: Final = 12
#: where strategies are that only rise-shine's own sources determine
OWN_STRATEGIES: Final = "strategies."
#: types of options whose text identifies their values
PLAIN: Final = (str, int, bool, float, Processor, type(None))


@ends_at_the_users_line
def compile(
    program: Termlike,
    target: str = "openmp",
    arch: str | None = None,
    name: str = "kernel",
    foreign: Iterable[Foreign] = (),
    strategy: Strategy | str | None = None,
    **options: Any,
) -> Kernel:
    """Lower a program, translate it, and build it for a target.

    `program` is a closed, monomorphic term, or a program whose main term is one; its sizes may stay symbolic.
    `strategy` lowers it: a strategy, or its address `module:name`. Without one, the target's own strategy lowers a
    Python program, and any other that has no loops yet; a program with loops is translated as it is. `arch` is for
    targets that have several. `foreign` has the code of the foreign functions that the program calls. Options are the
    target's.

    Kernels of the target's own strategy, and of any in `strategies`, are kept in the cache: the next process that
    compiles the same program loads them.

    Raises RiseError with one diagnostic: a strategy that does not apply, high-level primitives left among loops, no
    memory stated for an intermediate result, something that the target does not support, no compiler.
    Raises StrategyError if no strategy has the address.
    """
    entry = entry_of(program, target, arch, name, foreign, strategy, options)
    explained = getattr(program, "explained", None)
    if entry is not None and (kept := _loaded(entry)) is not None:
        kept.explained = explained
        return kept
    lowering = imported("shine.front.lowering")
    kernel: Kernel = lowering.lowered_kernel(program, target, arch, name, foreign, strategy, options)
    if entry is not None:
        _keep(kernel, entry)
    kernel.explained = explained
    return kernel


def entry_of(
    program: Termlike,
    target: Any,
    arch: Any,
    name: Any,
    foreign: Any,
    strategy: Any,
    options: Mapping[str, Any],
    suffix: str = SUFFIX,
) -> Path | None:
    """The path of a kernel, or of another thing that its program and choices determine, in the cache; None if it is not
    stored there, or if arguments are wrong.
    """
    is_own = strategy is None or (isinstance(strategy, str) and strategy.startswith(OWN_STRATEGIES))
    values = (target, arch, name, *options.values())
    has_foreign = not isinstance(foreign, tuple | list) or bool(foreign)  # they may have a meaning in Python
    if has_foreign or not is_own or not all(isinstance(value, PLAIN) for value in values):
        return None
    try:
        machine = options.get("machine") or machine_for(arch)
        # a Python program is always lowered, and recognised by its type
        made_of = (type(program).__name__, term_of(program), getattr(program, "updates", ()))
        directory = directory_of(options.get("cache"))
    except RiseError:
        return None  # rejected with a reason when it is compiled
    choices = (target, arch, name, strategy, machine, sorted(options.items()))
    content = sha256(pickle.dumps(made_of, pickle.HIGHEST_PROTOCOL)).hexdigest()
    return directory / f"{digest(FORMAT, content, repr(choices), sources())}{suffix}"


@lru_cache(maxsize=1)
def sources() -> str:
    """A digest of the sources of rise-shine that run: their names, sizes and times, and the versions."""
    root = Path(__file__).parents[2]
    hasher = sha256(f"{__version__} {sys.version}".encode())
    for package in ("rise", "elevate", "strategies", "shine"):
        for file in sorted((root / package).rglob("*.py")):
            facts = file.stat()
            hasher.update(f"{file} {facts.st_size} {facts.st_mtime_ns};".encode())
    return hasher.hexdigest()


def _loaded(entry: Path) -> Kernel | None:
    """The kernel in a cache entry; None if there is no entry, or if it is damaged."""
    content = stored(entry)
    if content is None:
        return None
    try:
        procedure, target, options, term, plan = pickle.loads(content)
        if not plan.is_current():
            entry.unlink()
            return None
    except Exception:  # what an entry of another form raises is not known
        with suppress(OSError):
            entry.unlink()
        return None
    return Kernel.of_plan(procedure, target, options, term, plan)


class _Pickler(pickle.Pickler):
    """Writes naturals and types by their fields, so that a part of several is written and read once. By themselves,
    nodes are written whole, since pickle recurses on what is nested, and terms may be deep.
    """

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Measured) and value.height <= MAX_HEIGHT:
            return type(value), value.fields
        return NotImplemented


def _keep(kernel: Kernel, entry: Path) -> None:
    """Store a kernel. If this fails, for example because its loops are nested too deeply for pickle, the next process
    lowers the program again.
    """
    keep((kernel.procedure, kernel.target, kernel.options, kernel.term, kernel.plan), entry)


def keep(content: object, entry: Path) -> None:
    """Store nodes and records of them as a cache entry, if possible."""

    def make(folder: Path) -> Path:
        file = folder / "content"
        with file.open("wb") as opened:
            _Pickler(opened, pickle.HIGHEST_PROTOCOL).dump(content)
        return file

    with suppress(RiseError, OSError, RecursionError):
        use(entry, make, body_of)
