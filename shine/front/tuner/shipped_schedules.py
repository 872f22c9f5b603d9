"""The schedules that come with the project: decisions that were faster than the target's own strategy on a processor.

The table is data: it names spaces, which are not imported for it. Independent of databases; evaluates nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from rise.records import dataclass
from shine.front.tuner.keys import compiler_of, program_text, space_name
from shine.front.tuner.search import Search

FILE: Final = Path(__file__).parent / "schedules.json"
#: how a table of the project is named where a result is from
SHIPPED: Final = "the table of rise-shine"


@dataclass(frozen=True, slots=True)
class Shipped:
    """Decisions for a program at some sizes: the record of the processor and the compiler that they were measured on,
    how many times as fast as the target's own strategy they were, and how that was measured.
    """

    program: str
    what: str
    sizes: Mapping[str, int]
    processor: str
    compiler: str
    threads: int
    space: str
    decisions: Mapping[str, Any]
    ratio: float
    measured: str

    def is_for(self, search: Search) -> bool:
        """Whether it is for the program, the sizes, the processor, the compiler and the threads of a search."""
        task = search.task
        return (
            task.target == "openmp"
            and (self.space, self.program) == (space_name(search.space), program_text(task.program))
            and (self.sizes, self.processor) == (task.sizes, task.machine.name)
            and (self.compiler, self.threads) == (compiler_of(task.target, task.options), task.threads)
        )


@lru_cache(maxsize=1)
def shipped_schedules() -> tuple[Shipped, ...]:
    """All schedules that come with the project."""
    return tuple(Shipped(**one) for one in json.loads(FILE.read_text(encoding="utf-8"))["schedules"])
