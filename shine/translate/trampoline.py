"""Recursion without Python's stack: a task is a generator that yields the tasks it waits for. Independent of terms.

`x = yield read(e)` runs `read(e)` and assigns its result to x. Terms may be nested 100,000 deep, so everything
that recurses over them is a task.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Task: TypeAlias = Generator[Any, Any, T]


def run(task: Task[T]) -> T:
    """Run a task to its end, and return its result.

    >>> def length(n):
    ...     return 0 if n == 0 else 1 + (yield length(n - 1))
    >>> run(length(5000))
    5000
    """
    waiting: list[Task[Any]] = [task]
    result: Any = None
    while waiting:
        try:
            subtask = waiting[-1].send(result)
        except StopIteration as stop:
            waiting.pop()
            result = stop.value
        else:
            waiting.append(subtask)
            result = None
    return result  # type: ignore[no-any-return]  # the last result is the first task's


def done(value: T) -> Task[T]:
    """A task that is already finished."""
    return value
    yield
