"""Imports: which text a name stands for, a library's or that of a file beside a program. Knows no terms.

A library is a text of this package, `rise/library/NAME.rise`. A file beside a program is named from the folder of the
file that imports it, and lies in that folder or below.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.text import syntax as s
from rise.text.hints import IMPORTS
from rise.text.reader import decode, read_program
from rise.text.trees import Span

LIBRARIES: Final = Path(__file__).parents[1] / "library"
SUFFIX: Final = ".rise"
LARGEST: Final = 64 << 20  # bytes of a text
MOST_SHOWN: Final = 6  # files of a circle


@dataclass(frozen=True, slots=True)
class Source:
    """A text that was read. `path` is resolved, None of a text that is no file; `file` is what is shown.

    `beside` says which files its imports are, in order; None where one is a library.
    """

    path: Path | None
    file: str
    text: str
    syntax: s.Program
    beside: tuple[Path | None, ...]


def library_names() -> list[str]:
    """The names of all libraries.

    >>> "linear_algebra" in library_names()
    True
    """
    return sorted(path.stem for path in LIBRARIES.glob(f"*{SUFFIX}"))


def library_path(name: str) -> Path:
    """Where a library's text stands; RiseError names those that there are."""
    if name in library_names():
        return LIBRARIES / (name + SUFFIX)
    hint = did_you_mean(name, library_names()) or _all_libraries()
    raise RiseError(Diagnostic("unknown-import", f"there is no library `{name}`", hint=hint))


def read_bytes(path: str | Path, name: str) -> bytes:
    """What a text file holds; RiseError where it cannot be read, or has no end that a text would have."""
    try:
        with Path(path).open("rb") as file:
            found = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # a path may hold what no name of a file can
        reason = getattr(error, "strerror", None) or str(error)
        raise RiseError(
            Diagnostic("file", f"{name} cannot be read: {reason}", hint="check the path")
        ) from None
    if len(found) > LARGEST:
        title = f"expected a text of at most {LARGEST >> 20} MiB, found that {name} is longer"
        raise RiseError(Diagnostic("file", title, hint="check the path"))
    return found


def _resolved(path: Path) -> Path:
    """The path without links; as it is, where there is no such file to follow links to."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # a name that none can have; a circle of links
        return path


def sources(text: str, file: str = "") -> list[Source]:
    """A text and all files beside it that it needs: each after those that it imports, the text itself last.

    Raises RiseError where an import stands for nothing, or files import each other in a circle.
    """
    first = _read(text, _resolved(Path(file)) if file else None, file)
    done: dict[Path | None, Source] = {}
    waiting = [(first, 0)]
    open_paths = {first.path: 0}
    while waiting:
        source, position = waiting.pop()
        if position == len(source.beside):
            del open_paths[source.path]
            done[source.path] = source
            continue
        waiting.append((source, position + 1))
        path = source.beside[position]
        if path is None or path in done:
            continue
        if path in open_paths:
            circle = [one for one, _ in waiting[open_paths[path] :]]
            _refuse_circle(circle, source, source.syntax.imports[position])
        shown = _shown(source.file, source.syntax.imports[position])
        open_paths[path] = len(waiting)
        waiting.append((_read(decode(read_bytes(path, shown), shown), path, shown), 0))
    return list(done.values())


def refuse(source: Source, span: Span, code: str, title: str, hint: str, label: str = "") -> NoReturn:
    """Report a mistake in an import."""
    labels = (Label(span.start, span.end, label),)
    raise RiseError(Diagnostic(code, title, labels, hint, (), source.text, source.file))


def module_name(one: s.Import) -> str:
    """The name of an import, as it stands in a text."""
    return "." * one.is_beside + ".".join(one.module)


def _read(text: str, path: Path | None, file: str) -> Source:
    syntax = read_program(text, file)
    source = Source(path, file, text, syntax, ())
    return Source(path, file, text, syntax, tuple(_meant(source, one) for one in syntax.imports))


def _meant(source: Source, one: s.Import) -> Path | None:
    """The file that an import means; None where it is a library."""
    if not one.is_beside:
        if len(one.module) != 1 or one.module[0] not in library_names():
            _refuse_library(source, one)
        return None
    if source.path is None:
        hint = "read a file, `rise.parse_file(path)`, or say where the text stands: `rise.parse(text, path)`"
        title = f"`{module_name(one)}` is a file beside the program, found a text that is no file"
        refuse(source, one.name_span, "unknown-import", title, hint)
    path = source.path.parent.joinpath(*one.module[:-1], one.module[-1] + SUFFIX)
    if not path.is_file():
        found = [child.stem for child in path.parent.glob(f"*{SUFFIX}") if child != source.path]
        front = "".join(f".{part}" for part in one.module[:-1])
        hint = did_you_mean(module_name(one), [f"{front}.{name}" for name in found])
        if module_name(one)[1:] in library_names():
            hint = f"write `import {module_name(one)[1:]}`, without the point, for the library"
        title = f"expected a file {_shown(source.file, one)}, found none"
        refuse(source, one.name_span, "unknown-import", title, hint or IMPORTS)
    return _resolved(path)


def _refuse_library(source: Source, one: s.Import) -> NoReturn:
    name = module_name(one)
    hint = did_you_mean(name, library_names()) or _all_libraries()
    if (
        source.path is not None
        and source.path.parent.joinpath(*one.module[:-1], one.module[-1] + SUFFIX).is_file()
    ):
        hint = f"write `import .{name}` for the file beside the program"
    if one.module[-1] == "rise" and one.module[:-1]:
        short = ".".join(one.module[:-1])
        hint = f"write `import {short}`" if short in library_names() else f"write `import .{short}`"
    refuse(source, one.name_span, "unknown-import", f"there is no library `{name}`", hint)


def _all_libraries() -> str:
    return f"the libraries are {', '.join(library_names())}"


def _refuse_circle(circle: list[Source], last: Source, one: s.Import) -> NoReturn:
    files = [Path(source.file).name for source in circle]
    shown = files if len(files) <= MOST_SHOWN else [*files[: MOST_SHOWN - 1], "...", files[-1]]
    title = f"expected imports without a circle, found {' -> '.join([*shown, files[0]])}"
    hint = "move what both need into a file that imports neither"
    if len(files) == 1:
        title, hint = f"{files[0]} imports itself", "remove this import"
    refuse(last, one.name_span, "circular-import", title, hint, f"{files[0]} again")


def _shown(importer: str, one: s.Import) -> str:
    """How a file beside another is named in messages: from where that one is."""
    return str(Path(importer).parent.joinpath(*one.module[:-1], one.module[-1] + SUFFIX))
