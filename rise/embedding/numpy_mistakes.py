"""Mistakes in numpy calls that Python detects: unknown names, and missing or unknown arguments.

Depends on numpy's names and signatures, but not on symbolic values.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np

from rise.diagnostics import did_you_mean
from rise.embedding.places import calls_of, refuse

#: Python 3.13 appends a suggestion
_UNEXPECTED: Final = re.compile(
    r"(\w+)\(\) got an unexpected keyword argument '(\w+)'(?:\. Did you mean .*)?"
)
_MODULES: Final = (np, np.linalg, np.lib.stride_tricks)


def refuse_numpys(error: Exception) -> None:
    """Raise RiseError at the user's line, if the error comes from a user's call of numpy."""
    calls = calls_of(error)
    if not calls:
        return
    match error:
        case AttributeError(obj=ModuleType() as module, name=str() as name) if _is_numpys(module):
            prefix = module.__name__.replace("numpy", "np", 1)
            hint = did_you_mean(name, dir(module)) or f"`dir({prefix})` lists what there is"
            refuse("unsupported", f"numpy has no `{prefix}.{name}`", hint, at=calls[-1][1])
        case TypeError() if (found := _UNEXPECTED.fullmatch(str(error))) is not None:
            function = _named(found[1])
            if function is not None:
                names = list(inspect.signature(function).parameters)
                hint = did_you_mean(found[2], names) or f"its parameters are {', '.join(names)}"
                title = f"`{found[1]}` of numpy has no parameter `{found[2]}`"
                refuse("unsupported", title, hint, at=calls[-1][1])


def _is_numpys(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] == "numpy"


def _named(name: str) -> Callable[..., Any] | None:
    """The numpy function with this name, if it has a signature."""
    for module in _MODULES:
        function = getattr(module, name, None)
        if inspect.isfunction(inspect.unwrap(function)) if callable(function) else False:
            return function
    return None
