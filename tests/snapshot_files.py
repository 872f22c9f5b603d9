"""Files of snapshots: texts with names, each after a line `=== name`. Independent of what the texts are.

A text may have two parts, a source and what was said about it, with a line `---` between them.
"""

from collections.abc import Mapping
from pathlib import Path

MARK = "=== "
BETWEEN = "\n---\n"


def read_snapshots(path: Path) -> dict[str, str]:
    """The texts by name, without line breaks at their ends."""
    parts = path.read_text(encoding="utf-8").removeprefix(MARK).split(f"\n\n{MARK}")
    texts = dict(part.rstrip("\n").split("\n", 1) for part in parts)
    assert len(texts) == len(parts), "two snapshots have the same name"
    return texts


def read_sources(path: Path) -> dict[str, tuple[str, str]]:
    """The two parts of the texts by name."""
    parts = {name: text.partition(BETWEEN) for name, text in read_snapshots(path).items()}
    return {name: (source, said) for name, (source, _, said) in parts.items()}


def snapshots_text(texts: Mapping[str, str | tuple[str, str]]) -> str:
    """The content of a file: texts in order, separated by empty lines."""
    whole = {name: text if isinstance(text, str) else BETWEEN.join(text) for name, text in texts.items()}
    return "\n".join(f"{MARK}{name}\n{text}\n" for name, text in whole.items())


def write_snapshots(path: Path, texts: Mapping[str, str | tuple[str, str]]) -> None:
    """Write texts of one or two parts."""
    path.write_text(snapshots_text(texts), encoding="utf-8")
