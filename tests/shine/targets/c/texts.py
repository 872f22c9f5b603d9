"""Parts of printed C texts, for tests."""

from __future__ import annotations


def body_of(text: str) -> list[str]:
    """The lines of the kernel itself, without indentation."""
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("int "))
    first = next(at for at in range(start, len(lines)) if lines[at].endswith("{"))
    return [line.strip() for line in lines[first + 1 : -2]]
