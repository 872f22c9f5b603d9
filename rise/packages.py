"""The packages that are installed together, and the diagnostic if another package has the same name."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.forks import importing

ROOT: Final = Path(__file__).resolve().parents[1]
TOGETHER: Final = ("elevate", "strategies", "shine")


def imported(module: str) -> Any:
    """A module that needs the other packages. Raises RiseError if one of these belongs to another project."""
    try:
        with importing():
            return import_module(module)
    except ImportError:
        check_packages(TOGETHER)
        raise


def check_packages(names: Iterable[str]) -> None:
    """Raise RiseError if a package of another project has one of these names; the message gives its file."""
    for name in names:
        found = foreign_file(name)
        if found is not None:
            raise RiseError(_diagnostic(name, found))


def foreign_packages() -> str:
    """The message about the first package that belongs to another project, for the terminal; empty if there is none."""
    try:
        check_packages(TOGETHER)
    except RiseError as error:
        return str(error)
    return ""


def warn_of_package(name: str) -> None:
    """Warn if the package of this name belongs to another project. No error, since a program may not need it."""
    found = foreign_file(name)
    if found is not None:
        diagnostic = _diagnostic(name, found)
        warnings.warn(f"{diagnostic.title}; {diagnostic.hint}", RuntimeWarning, stacklevel=3)


def foreign_file(name: str) -> Path | None:
    """The file of a package if it is not the one beside `rise`; None if it is, or if there is no such package."""
    try:
        spec = find_spec(name)
    except ValueError:  # a module of this name that was created by hand
        return None
    if spec is None:
        return None
    places = (
        [spec.origin] if spec.has_location and spec.origin else list(spec.submodule_search_locations or ())
    )
    found = [Path(place).resolve() for place in places]
    return found[0] if found and not any(place.is_relative_to(ROOT / name) for place in found) else None


def _diagnostic(name: str, found: Path) -> Diagnostic:
    title = f"expected the package `{name}` of rise-shine, in {ROOT / name}, found {found}"
    hint = (
        "rename that file or folder, or remove it from `sys.path`; where pip installed it over ours, uninstall it, and"
        " install rise-shine again"
    )
    return Diagnostic("foreign-package", title, hint=hint)
