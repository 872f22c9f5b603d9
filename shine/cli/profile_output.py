"""Shows profiles of kernels: as lines, as JSON, and as HTML pages."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rise.diagnostics import Diagnostic, RiseError
from shine.cli.files import check_path, write_file
from shine.cli.terminal import Page
from shine.simulator.profile import Counts, Profile
from shine.simulator.profile_table import line_table, summary
from shine.simulator.profile_table import page as page_of


def page_file(path: str | None) -> Path | None:
    """The file to which an HTML page is written. Raises RiseError for another suffix."""
    if path is None:
        return None
    if Path(path).suffix != ".html":
        title = f"expected a .html file for the profile, found {path}"
        raise RiseError(Diagnostic("file", title, hint="for example --html profile.html"))
    check_path(Path(path))
    return Path(path)


def say_profile(page: Page, profile: Profile, source: str, name: str, html: Path | None) -> None:
    """Print what a profile counted, by line, and write it beside the source if a file is given."""
    page.line(summary(profile))
    page.line(line_table(profile, source))
    page.put(profile=facts_of(profile))
    if html is not None:
        write_file(html, page_of(profile, source, f"Profile of {name}").encode())
        page.line(f"wrote the profile to {html}")
        page.put(profile_page=str(html))


def facts_of(profile: Profile) -> dict[str, Any]:
    """A profile as JSON: the counts of the kernel and of its lines."""
    return {
        "total": counts_facts(profile.total),
        "lines": {str(line): counts_facts(counts) for line, counts in profile.lines.items()},
        "active_lanes": profile.active_lanes,
        "occupancy": asdict(profile.occupancy),
    }


def counts_facts(counts: Counts) -> dict[str, Any]:
    """Counts as JSON."""
    facts = asdict(counts)
    facts["bytes"] = {f"{space} {direction}": count for (space, direction), count in counts.bytes.items()}
    return {**facts, "bank_conflicts": counts.bank_conflicts}
