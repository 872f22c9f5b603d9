"""Handles Ctrl-C: the command exits with 130, silently, and leaves nothing half written. Independent of commands.

While there may be something to clean up, an interrupt raises Python's `KeyboardInterrupt`; before and after that, it
ends the process.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from shine.cli.interrupt import leave

T = TypeVar("T")


@contextmanager
def raised() -> Iterator[None]:
    """If `leave` handles interrupts, make them raise KeyboardInterrupt inside the block."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) != leave:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, leave)


def interruptible(work: Callable[[], T]) -> T:
    """Run a function that spends its time outside of Python in a separate thread, so that the main thread handles
    signals.

    After an interrupt the other thread continues: the code that catches the interrupt must end the process.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    for error in errors:
        raise error
    return results[0]
