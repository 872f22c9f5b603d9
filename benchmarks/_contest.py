"""Our results compared with those of the peers: samples as text, ratios to the fastest. Independent of kernels."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence

from _measure import Samples, ratios


def fastest(samples: Mapping[str, Samples], names: Iterable[str]) -> str | None:
    """The fastest of these by the median, or None if there are none."""
    return min(names, key=lambda name: samples[name].median, default=None)


def against(samples: Mapping[str, Samples], ours: str, theirs: str | None) -> tuple[float, str]:
    """Our speed divided by theirs, round by round: the median, and the median with the quartiles as text."""
    if theirs is None:
        return math.nan, ""
    ratio, (low, high) = ratios(samples[ours], samples[theirs])
    return ratio, f"{ratio:.2f} ({low:.2f}-{high:.2f})"


def kept(samples: Mapping[str, Samples]) -> dict[str, list[float]]:
    """Samples in a form that can be sent as JSON."""
    return {name: list(one.seconds) for name, one in samples.items()}


def received(seconds: Mapping[str, Sequence[float]]) -> dict[str, Samples]:
    """Samples from the form of `kept`."""
    return {name: Samples(tuple(one)) for name, one in seconds.items()}


def mean(found: Sequence[float]) -> float:
    """The geometric mean, which suits ratios."""
    return statistics.geometric_mean(found)
