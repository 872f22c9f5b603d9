"""Resolves imports: names of libraries, and of files beside a program. Independent of terms.

A library is a text of this package, `rise/library/NAME.rise`. A file beside a program is named relative to the folder
of the file that imports it, and is in that folder or below.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.records import dataclass
from rise.text import syntax as s
from rise.text.hints import IMPORTS
from rise.text.reader import decode, read_program
from rise.text.trees import Span

LIBRARIES: Final = Path(__file__).parents[1] / "library"
SUFFIX: Final = ".rise"
MAX_BYTES: Final = 64 << 20  # the size limit of a text
MAX_PRINTED_FILES: Final = 6  # of a cycle that are shown


@dataclass(frozen=True, slots=True)
class Source:
    """A text that was read. `path` is resolved, or None for a text without a file; `file` is the name in messages.

    `beside` has the files of its imports, in order; None for a library.
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
    """The path of a library's text. Raises RiseError for an unknown name."""
    if name in library_names():
        return LIBRARIES / (name + SUFFIX)
    hint = did_you_mean(name, library_names()) or _all_libraries()
    raise RiseError(Diagnostic("unknown-import", f"there is no library `{name}`", hint=hint))


def read_bytes(path: str | Path, name: str) -> bytes:
    """The bytes of a text file. Raises RiseError if it cannot be read, or is too long for a text."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: characters that no file name can contain
        reason = getattr(error, "strerror", None) or str(error)
        raise RiseError(
            Diagnostic("file", f"{name} cannot be read: {reason}", hint="check the path")
        ) from None
    if len(data) > MAX_BYTES:
        title = f"expected a text of at most {MAX_BYTES >> 20} MiB, found that {name} is longer"
        raise RiseError(Diagnostic("file", title, hint="check the path"))
    return data


def _resolved(path: Path) -> Path:
    """The path with links resolved; unchanged if they cannot be followed."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # an impossible name, or a cycle of links
        return path


def sources(text: str, file: str = "") -> list[Source]:
    """A text and all files that it imports, directly or indirectly: each after those that it imports, so the text is
    last.

    Raises RiseError if an import is not found, or files import each other in a cycle.
    """
    first = _read(text, _resolved(Path(file)) if file else None, file)
    finished: dict[Path | None, Source] = {}
    stack = [(first, 0)]
    open_paths = {first.path: 0}
    while stack:
        source, position = stack.pop()
        if position == len(source.beside):
            del open_paths[source.path]
            finished[source.path] = source
            continue
        stack.append((source, position + 1))
        path = source.beside[position]
        if path is None or path in finished:
            continue
        if path in open_paths:
            cycle = [importer for importer, _ in stack[open_paths[path] :]]
            _refuse_cycle(cycle, source, source.syntax.imports[position])
        shown = _shown(source.file, source.syntax.imports[position])
        open_paths[path] = len(stack)
        stack.append((_read(decode(read_bytes(path, shown), shown), path, shown), 0))
    return list(finished.values())


def refuse(source: Source, span: Span, code: str, title: str, hint: str, label: str = "") -> NoReturn:
    """Raise RiseError for a mistake in an import."""
    labels = (Label(span.start, span.end, label),)
    raise RiseError(Diagnostic(code, title, labels, hint, (), source.text, source.file))


def module_name(import_: s.Import) -> str:
    """The name of an import, as written in the text."""
    return "." * import_.is_beside + ".".join(import_.module)


def _read(text: str, path: Path | None, file: str) -> Source:
    syntax = read_program(text, file)
    source = Source(path, file, text, syntax, ())
    return Source(path, file, text, syntax, tuple(_resolve(source, import_) for import_ in syntax.imports))


def _resolve(source: Source, import_: s.Import) -> Path | None:
    """The file of an import; None for a library."""
    if not import_.is_beside:
        if len(import_.module) != 1 or import_.module[0] not in library_names():
            _refuse_library(source, import_)
        return None
    if source.path is None:
        hint = (
            "read the program with `rise.parse_file(path)`, or give the text a path: `rise.parse(text, path)`"
        )
        title = f"`{module_name(import_)}` is a file next to the program, but the program is not a file"
        refuse(source, import_.name_span, "unknown-import", title, hint)
    path = source.path.parent.joinpath(*import_.module[:-1], import_.module[-1] + SUFFIX)
    if not path.is_file():
        names = [child.stem for child in path.parent.glob(f"*{SUFFIX}") if child != source.path]
        folders = "".join(f".{part}" for part in import_.module[:-1])
        hint = did_you_mean(module_name(import_), [f"{folders}.{name}" for name in names])
        if module_name(import_)[1:] in library_names():
            hint = f"write `import {module_name(import_)[1:]}`, without the dot, for the library"
        title = f"expected a file {_shown(source.file, import_)}, found none"
        refuse(source, import_.name_span, "unknown-import", title, hint or IMPORTS)
    return _resolved(path)


def _refuse_library(source: Source, import_: s.Import) -> NoReturn:
    name = module_name(import_)
    hint = did_you_mean(name, library_names()) or _all_libraries()
    if (
        source.path is not None
        and source.path.parent.joinpath(*import_.module[:-1], import_.module[-1] + SUFFIX).is_file()
    ):
        hint = f"write `import .{name}` for the file next to the program"
    if import_.module[-1] == "rise" and import_.module[:-1]:
        short = ".".join(import_.module[:-1])
        hint = f"write `import {short}`" if short in library_names() else f"write `import .{short}`"
    refuse(source, import_.name_span, "unknown-import", f"there is no library `{name}`", hint)


def _all_libraries() -> str:
    return f"the libraries are {', '.join(library_names())}"


def _refuse_cycle(cycle: list[Source], last: Source, import_: s.Import) -> NoReturn:
    files = [Path(source.file).name for source in cycle]
    shown = files if len(files) <= MAX_PRINTED_FILES else [*files[: MAX_PRINTED_FILES - 1], "...", files[-1]]
    title = f"expected imports without a cycle, found {' -> '.join([*shown, files[0]])}"
    hint = "move what both need into a file that imports neither"
    if len(files) == 1:
        title, hint = f"{files[0]} imports itself", "remove this import"
    refuse(last, import_.name_span, "circular-import", title, hint, f"{files[0]} again")


def _shown(importer: str, import_: s.Import) -> str:
    """The name of an imported file in messages: relative to the importer."""
    return str(Path(importer).parent.joinpath(*import_.module[:-1], import_.module[-1] + SUFFIX))
