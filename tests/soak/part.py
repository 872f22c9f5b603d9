"""What a part of the soak is: a batch of items drawn by a seed, results one by one. Knows no part."""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

#: told what is being done, so that a process that dies can be blamed on it
Note: TypeAlias = Callable[[str], None]
#: how often something happened: the title of a table, then what
Counts: TypeAlias = "Counter[tuple[str, str]]"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some items of a part: those of batch `number`, from `first` on, or `only` one of them."""

    seed: int
    number: int
    first: int = 0
    only: int | None = None

    def asks_for(self, item: int) -> bool:
        """Whether an item is to be run."""
        return item >= self.first and self.only in (None, item)


@dataclass(frozen=True, slots=True)
class Failure:
    """Something wrong: its kind, where it happened, what was found, and the subject as text.

    Failures of one kind at one place are taken for the same defect.
    """

    kind: str
    where: str
    message: str
    subject: str

    @property
    def signature(self) -> tuple[str, str]:
        """What failures of one defect have in common."""
        return self.kind, self.where


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one item. `key` tells it from others, so that none is counted twice; empty, it is another. Of
    those that are not `whole`, which did not get as far as the part wants, the number asked for is not made up.
    """

    item: int
    key: str = ""
    counts: Counts = field(default_factory=Counter)
    failures: tuple[Failure, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the soak.

    - `unit`: what its items are, as a plural.
    - `count`: how many a whole run takes; `batch`: how many are drawn at once.
    - `minutes`: how long a run may take on two cores; with fewer items than `count` it then ends.
    - `seconds`: how long one item may take before its process is ended, which is a failure.
    - `run`: the results of a batch, in order.
    - `smallest`: the smallest item that fails like one did, as text, or None.
    - `notes`: for each table of counts, what a reader needs to know.
    - `absent`: the tool that the part lacks here; nothing is run then.
    - `warm`: makes ready what all batches need, in the process that starts those of the batches.
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
    """The failure that an exception is: what raised first, and where."""
    first = error
    while first.__cause__ is not None:
        first = first.__cause__
    frames = traceback.extract_tb(first.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "nowhere"
    return Failure(type(first).__name__, where, "".join(traceback.format_exception(error, limit=-6)), subject)


def derived(seed: int, *names: object) -> int:
    """A seed for a part of what a seed determines.

    >>> derived(1, "programs", 3) == derived(1, "programs", 3) != derived(1, "programs", 4)
    True
    """
    text = " ".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())
