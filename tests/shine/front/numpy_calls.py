"""The calls in numpy's own tests of `einsum`, recorded from the installed package."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy._core.tests.test_einsum as theirs
import pytest

#: tests of other things than results: messages, objects with their own behaviour, and large arrays
LEFT_OUT = (
    "test_einsum_errors",
    "test_einsum_specific_errors",
    "test_einsum_object_errors",
    "test_einsum_broadcast",
    "test_different_paths",
    "test_object_loop",
)

Call = tuple[tuple[Any, ...], dict[str, Any], Any]


class Recording:
    """numpy, with an `einsum` that records its calls and their results."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def einsum(self, *arguments: Any, **named: Any) -> Any:
        given = tuple(one.copy() if isinstance(one, np.ndarray) else one for one in arguments)
        result = np.einsum(*arguments, **named)
        self.calls.append((given, named, np.array(result)))
        return result


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """All calls that succeed."""
    recording = Recording()
    with monkeypatch.context() as here:
        here.setattr(theirs, "np", recording)
        suite = theirs.TestEinsum()
        for name in dir(suite):
            if name.startswith("test_") and name not in LEFT_OUT:
                test = getattr(suite, name)
                try:
                    test()
                except TypeError:  # some calls pass whether to optimise
                    test(do_opt=False)
    return recording.calls
