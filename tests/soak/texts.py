"""The part `texts`: randomly mutated programs of the repository are read or rejected. Independent of messages."""

from __future__ import annotations

import ast
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Final

import rise
from rise.testing import context_of
from rise.testing.mutations import mutated
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived, raised
from tests.soak.processes import isolated
from tests.soak.shrinking import shrunk, smaller_texts

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDERS: Final = ("cases", "tests/golden", "tests/data", "examples", "rise/library")
PAGES: Final = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md")
BATCH: Final = 250
#: limits of processor time and memory per text
MAX_SECONDS: Final = 20.0
MAX_BYTES: Final = 4 << 30
_BLOCK: Final = re.compile(r"```python\n(.*?)```", re.DOTALL)
_CONSOLE: Final = re.compile(r"^(?:>>>|\.\.\.) ?", re.MULTILINE)

Reader = Callable[[str], rise.Program]


@cache
def corpus() -> tuple[str, ...]:
    """All programs in files and in the documentation."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.rise"))]
    shown = [text for page in PAGES for text in shown_on(page.read_text(encoding="utf-8"))]
    return (*(path.read_text(encoding="utf-8") for path in files), *dict.fromkeys(shown))


def shown_on(page: str) -> Iterator[str]:
    """The texts of programs in the Python code of a page."""
    for block in _BLOCK.findall(page):
        try:
            tree = ast.parse(_CONSOLE.sub("", block))
        except SyntaxError:
            continue  # a session with its output
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "=>" in node.value:
                yield node.value


def text_of(batch: Batch, item: int) -> str:
    """A text of a batch."""
    texts = corpus()
    seed = derived(batch.seed, "texts", batch.number, item)
    return mutated(texts[seed % len(texts)], seed, texts)


def run(batch: Batch, note: Note, read: Reader = rise.parse) -> Iterator[Result]:
    """Read the texts of a batch."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    for item in range(BATCH):
        if batch.includes(item):
            text = text_of(batch, item)
            note(f"reading\n{text}")
            counts: Counts = Counter()
            found = judged(text, counts, read)
            yield Result(item, text, counts, found)


def judged(text: str, counts: Counts, read: Reader = rise.parse) -> tuple[Failure, ...]:
    """Read a text: it must be a program that prints and reads back, or give one diagnostic. Returns failures."""
    start = time.process_time()
    try:
        failures = _judged(text, counts, read)
    except MemoryError:
        failures = [
            Failure(
                "memory", "reading", f"expected at most {MAX_BYTES} bytes, found that more are needed", text
            )
        ]
    except Exception as error:  # anything but a diagnostic is a failure
        failures = [raised(error, text)]
    seconds = time.process_time() - start
    if seconds > MAX_SECONDS:
        failures.append(
            Failure("slow", "reading", f"expected at most {MAX_SECONDS:g} s, found {seconds:.1f} s", text)
        )
    counts["processor time", _bucket(seconds)] += 1
    return tuple(failures)


def _judged(text: str, counts: Counts, read: Reader) -> list[Failure]:
    try:
        program = read(text)
        definitions = dict(program)
    except rise.RiseError as error:
        counts["refused", error.diagnostic.code] += 1
        counts["texts", "refused"] += 1
        diagnostic = error.diagnostic
        if diagnostic.code and diagnostic.title and str(error):
            return []
        return [Failure("diagnostic", "reading", "expected a code, a title and a text", text)]
    counts["texts", "accepted"] += 1
    failures: list[Failure] = []
    for name, e in definitions.items():
        shown = rise.show(e)
        try:
            again = rise.parse_expr(shown, context_of(e))
        except rise.RiseError as error:
            failures.append(Failure("unreadable", "printing", f"`{name}` is printed\n{shown}\n{error}", text))
            continue
        if again != e:
            message = f"`{name}` is read back as another term\n{shown}\n{rise.show(again)}"
            failures.append(Failure("another term", "printing", message, text))
        counts["definitions", "printed and read again"] += 1
    return failures


def _bucket(seconds: float) -> str:
    return next(
        (f"up to {end:g} s" for end in (0.1, 1, 5, MAX_SECONDS) if seconds <= end),
        f"more than {MAX_SECONDS:g} s",
    )


def look_smaller(batch: Batch, failure: Failure, read: Reader = rise.parse) -> str | None:
    """The smallest text found that fails like an item of a batch."""
    assert batch.only is not None
    start = text_of(batch, batch.only)

    def fails(text: str) -> bool:
        how, signatures = isolated(partial(_signatures, text, read), 3 * MAX_SECONDS)
        return how == failure.kind or (how == "done" and failure.signature in signatures)

    return shrunk(start, smaller_texts, fails)


def _signatures(text: str, read: Reader) -> set[tuple[str, str]]:
    return {failure.signature for failure in judged(text, Counter(), read)}


def warm() -> None:
    """Read a text, which builds the parser's tables."""
    rise.parse(corpus()[0])


TEXTS: Final = Part(
    "texts",
    "mutated programs of the repository are read and printed, or rejected with one diagnostic",
    "texts",
    30_000,
    BATCH,
    run,
    look_smaller,
    minutes=7.0,
    seconds=120.0,
    warm=warm,
)
