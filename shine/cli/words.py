"""The words of a command line before they are parsed: options that several values follow. Depends on nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

#: the part of a foreign function that a file of this suffix provides
SUFFIXES: Final[Mapping[str, str]] = {".c": "c", ".h": "c", ".cu": "cuda", ".cuh": "cuda"}
ASSIGNMENT: Final = re.compile(r"[A-Za-z_][\w']*=")


def is_code(file: str) -> bool:
    """Whether a file may contain foreign code, by its suffix."""
    return Path(file).suffix in (".py", *SUFFIXES)


def _is_assignment(word: str) -> bool:
    return ASSIGNMENT.match(word) is not None


def _is_input(word: str) -> bool:
    return word.endswith(".npy") or _is_assignment(word)


#: options that may be followed by several values, and a predicate for further values
SEVERAL: Final[Mapping[str, Callable[[str], bool]]] = {
    "--size": _is_assignment,
    "--sizes": _is_assignment,
    "-p": _is_assignment,
    "--param": _is_assignment,
    "-O": _is_assignment,
    "--option": _is_assignment,
    "--input": _is_input,
    "--allow-foreign": is_code,
}


def spread(words: Sequence[str]) -> list[str]:
    """Repeat an option for each of its values.

    >>> spread(["run", "--size", "M=2", "N=3", "a.rise"])
    ['run', '--size', 'M=2', '--size', 'N=3', 'a.rise']
    """
    spread_words: list[str] = []
    option = ""
    has_value = False
    for position, word in enumerate(words):
        if word == "--":
            return [*spread_words, *words[position:]]
        if word in SEVERAL:
            option, has_value = word, False
        elif option and has_value and SEVERAL[option](word):
            spread_words.append(option)
        elif option and not has_value:
            has_value = True
        else:
            option = ""
        spread_words.append(word)
    return spread_words
