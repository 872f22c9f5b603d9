"""The end of the command by Ctrl-C, when nothing has to be cleaned up. Imports next to nothing."""

import os

#: as shells count: 128 and the number of SIGINT
INTERRUPTED = 130


def leave(_number: int, _frame: object) -> None:
    """End the process at once: a handler of signals."""
    os._exit(INTERRUPTED)
