"""The command `shine cache`: shows where built kernels are cached and how many there are, or deletes them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, assert_never

import typer

from shine.cache import Contents, Limits, clear, contents, default_directory, limits_of_user, readable
from shine.cli.terminal import Json, Page, page


class CacheAction(StrEnum):
    """The actions of `shine cache`."""

    SHOW = "show"
    CLEAR = "clear"


def cache(page: Page, action: CacheAction) -> None:
    """Show the user's cache of built kernels, or delete its entries. Raises RiseError if it cannot be trusted."""
    directory = default_directory()
    match action:
        case CacheAction.SHOW:
            counted, limits = contents(directory), limits_of_user()
            page.line((str(directory), "bold"))
            page.line(f"{entries_text(counted)}{_limited(limits)}")
            bounds = {"bytes": limits.bytes, "days": limits.days}
            page.put(directory=str(directory), entries=counted.entries, bytes=counted.bytes, limits=bounds)
        case CacheAction.CLEAR:
            deleted = clear(directory)
            page.line((str(directory), "bold"))
            page.line(f"deleted {entries_text(deleted)}")
            page.put(directory=str(directory), deleted={"entries": deleted.entries, "bytes": deleted.bytes})
        case _:
            assert_never(action)


def entries_text(counted: Contents) -> str:
    """The number of entries, and their size."""
    entries = "1 entry" if counted.entries == 1 else f"{counted.entries:,} entries"
    return f"{entries}, {readable(counted.bytes)}"


def _limited(limits: Limits) -> str:
    size = "of any size" if limits.bytes is None else f"of at most {readable(limits.bytes)}"
    days = "" if limits.days is None else f"; entries not used for {limits.days:g} days are deleted"
    return f" {size}{days}"


def cache_command(
    action: Annotated[
        CacheAction,
        typer.Argument(metavar="[show|clear]", help="Show the cache, or delete its entries."),
    ] = CacheAction.SHOW,
    json: Json = False,
) -> None:
    """Show or clear the cache of built kernels."""
    with page(json) as report:
        cache(report, action)
