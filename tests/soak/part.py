"""A part of the soak: batches of items drawn by a seed, and their results. Independent of any particular part."""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

#: records what is being done, so that the death of a process can be attributed
Note: TypeAlias = Callable[[str], None]
#: how often something happened, by the title of a table and the row
Counts: TypeAlias = "Counter[tuple[str, str]]"


@dataclass(frozen=True, slots=True)
class Batch:
    """Items of a part: those of batch `number` from `first` on, or `only` one of them."""

    seed: int
    number: int
    first: int = 0
    only: int | None = None

    def includes(self, item: int) -> bool:
        """Whether an item is to be run."""
        return item >= self.first and self.only in (None, item)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure: its kind, its place, a message, and the subject as text.

    Failures of the same kind at the same place count as the same defect.
    """

    kind: str
    where: str
    message: str
    subject: str

    @property
    def signature(self) -> tuple[str, str]:
        """Equal for failures of the same defect."""
        return self.kind, self.where


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one item. `key` identifies the item, so that none is counted twice; with an empty key, it counts as
    new. Items that are not `whole`, such as rejected programs, do not count towards the requested number.
    """

    item: int
    key: str = ""
    counts: Counts = field(default_factory=Counter)
    failures: tuple[Failure, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the soak.

    - `unit`: the name of its items, as a plural.
    - `count`: the number of items in a complete run; `batch`: how many are drawn at once.
    - `minutes`: the time limit of a run on two cores, at which it ends with fewer items than `count`.
    - `seconds`: the limit of processor time of one item; beyond it, its process is killed, which is a failure.
    - `run`: yields the results of a batch, in order.
    - `smallest`: returns the smallest item found that fails like a given one, as text, or None.
    - `notes`: notes for readers, by the title of a table of counts.
    - `absent`: returns the tool that the part lacks on this machine, if any; then nothing is run.
    - `warm`: prepares what all batches need, in the process that starts theirs.
    """

    name: str
    about: str
    unit: str
    count: int
    batch: int
    run: Callable[[Batch, Note], Iterator[Result]]
    smallest: Callable[[Batch, Failure], str | None] | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    minutes: float = 10.0
    seconds: float = 300.0
    warm: Callable[[], None] | None = None
    absent: Callable[[], str] | None = None


def raised(error: BaseException, subject: str) -> Failure:
    """The failure for an exception, by the type and place of its first cause."""
    first = error
    while first.__cause__ is not None:
        first = first.__cause__
    frames = traceback.extract_tb(first.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "nowhere"
    return Failure(type(first).__name__, where, "".join(traceback.format_exception(error, limit=-6)), subject)


def derived(seed: int, *names: object) -> int:
    """A seed for a part of a run, derived from the run's seed.

    >>> derived(1, "programs", 3) == derived(1, "programs", 3) != derived(1, "programs", 4)
    True
    """
    text = " ".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
