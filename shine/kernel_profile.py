"""The profiles of a kernel's launches in the simulator, by place in the low-level program. Independent of commands."""

from __future__ import annotations

from collections.abc import Sequence

from rise.records import dataclass
from rise.terms import Expr
from shine.imperative.errors import excerpt
from shine.imperative.nodes import Origin
from shine.simulator.profile import NOTHING, Counts, Profile
from shine.simulator.profile_table import line_table, summary, table

_NO_PLACE = "(launch)"


@dataclass(frozen=True, slots=True)
class LaunchProfile:
    """One launch: the name of its kernel, the counts, the CUDA text, and the place of each of its lines."""

    kernel: str
    profile: Profile
    source: str
    origins: tuple[Origin | None, ...]

    def by_place(self) -> dict[Origin, Counts]:
        """The counts by path in the low-level program; `()` stands for the whole program, and for lines
        without a path.
        """
        found: dict[Origin, Counts] = {}
        for group, counts in self.profile.by(self.origins).items():
            origin: Origin = group if isinstance(group, tuple) else ()
            found[origin] = found.get(origin, NOTHING) + counts
        return found


@dataclass(frozen=True, slots=True)
class KernelProfile:
    """The launches of a call, in order. `term` is the low-level program, if it is known."""

    launches: tuple[LaunchProfile, ...]
    term: Expr | None = None

    @property
    def total(self) -> Counts:
        """The counts of all launches together."""
        return sum((one.profile.total for one in self.launches), NOTHING)

    def by_place(self) -> dict[Origin, Counts]:
        """The counts of all launches by path in the low-level program."""
        found: dict[Origin, Counts] = {}
        for launch in self.launches:
            for origin, counts in launch.by_place().items():
                found[origin] = found.get(origin, NOTHING) + counts
        return found

    def place_rows(self, launch: LaunchProfile | None = None) -> list[tuple[str, Counts]]:
        """The text of each part of the program, with its counts: of all launches, or of one."""
        by_place = (self if launch is None else launch).by_place()
        return [(self._text(origin), counts) for origin, counts in by_place.items()]

    def place_table(self) -> str:
        """A row for each part of the program text, with its counts."""
        return table(self.place_rows(), self.total, "part of the program")

    def __str__(self) -> str:
        parts: list[str] = []
        for launch in self.launches:
            parts += [
                f"{launch.kernel}:",
                summary(launch.profile),
                line_table(launch.profile, launch.source),
                "",
            ]
        return "\n".join([*parts, self.place_table()])

    def _text(self, origin: Origin) -> str:
        return _NO_PLACE if self.term is None or not origin else excerpt(self.term, origin)


def kernel_profile(
    launches: Sequence[tuple[str, Profile]],
    source: str,
    origins: tuple[Origin | None, ...],
    term: Expr | None,
) -> KernelProfile:
    """The profiles of launches of the same text."""
    return KernelProfile(tuple(LaunchProfile(name, one, source, origins) for name, one in launches), term)
