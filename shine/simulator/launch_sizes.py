"""The sizes of a launch, and those that a device would refuse. Independent of arguments and of what a kernel does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.hardware import Architecture
from rise.records import dataclass
from shine.simulator.model import Finding, Index, Limits, SharedArray
from shine.simulator.symbols import StaticArray
from shine.simulator.text import KernelText

MAX_CLUSTER: Final = 16  # blocks; more than 8 need an attribute of the function
_FIRST_WITH_CLUSTERS: Final = (9, 0)


@dataclass(frozen=True, slots=True)
class Launch:
    """The sizes of a launch."""

    grid: Index
    block: Index
    dynamic_shared: int
    shared_arrays: tuple[SharedArray, ...]
    cluster: Index

    def refused(
        self, kernel: KernelText, statics: Sequence[StaticArray], limits: Limits
    ) -> tuple[Finding, ...]:
        """Findings for sizes that are over the limits; a device would refuse the launch."""
        launch_errors: list[str] = []
        threads = self.block[0] * self.block[1] * self.block[2]
        max_threads = min(limits.threads, kernel.most_threads or limits.threads)
        if not 1 <= threads <= max_threads:
            launch_errors.append(f"expected 1 to {max_threads} threads in a block, found {threads}")
        for dimension, sizes, allowed in (
            ("block", self.block, limits.block),
            ("grid", self.grid, limits.grid),
        ):
            if any(not 1 <= size <= bound for size, bound in zip(sizes, allowed, strict=True)):
                launch_errors.append(
                    f"expected a {dimension} of at least 1 and at most {allowed}, found {sizes}"
                )
        launch = [Finding("launch-size", f"{error}, launching {kernel.name}") for error in launch_errors]
        static = sum(array.bytes for array in statics)
        shared_errors: list[str] = []
        if static > limits.static_shared:
            shared_errors.append(
                f"expected at most {limits.static_shared} bytes of static shared memory, found {static}"
            )
        if static + self.dynamic_shared > limits.shared:
            shared_errors.append(
                f"expected at most {limits.shared} bytes of shared memory, found {static} static and "
                f"{self.dynamic_shared} dynamic"
            )
        for array in self.shared_arrays:
            room, memory = self.dynamic_shared, "dynamic shared memory"
            if array.within:
                around = [one.bytes for one in statics if one.name == array.within]
                room, memory = max(around, default=0), f"the static shared array `{array.within}`"
            if array.offset < 0 or array.bytes < 0 or array.offset + array.bytes > room:
                shared_errors.append(
                    f"expected `{array.name}` in {room} bytes of {memory}, "
                    f"found it at {array.offset} with {array.bytes} bytes"
                )
        return (
            *launch,
            *(Finding("shared-size", f"{error}, launching {kernel.name}") for error in shared_errors),
        )

    def refused_cluster(
        self, kernel: KernelText, declared: Index | None, its: Architecture
    ) -> tuple[Finding, ...]:
        """Findings for clusters that the grid, the kernel or the architecture does not allow."""
        errors: list[str] = []
        blocks = self.cluster[0] * self.cluster[1] * self.cluster[2]
        if not 1 <= blocks <= MAX_CLUSTER or min(self.cluster) < 1:
            errors.append(f"expected a cluster of 1 to {MAX_CLUSTER} blocks, found {self.cluster}")
        elif any(size % part for size, part in zip(self.grid, self.cluster, strict=True)):
            errors.append(f"expected a grid of multiples of the cluster {self.cluster}, found {self.grid}")
        if declared is not None and declared != self.cluster:
            errors.append(f"expected the cluster {declared} of the kernel, found {self.cluster}")
        if blocks > 1 and its.capability < _FIRST_WITH_CLUSTERS:
            errors.append(f"expected sm_90 or newer for a cluster of {blocks} blocks")
        return tuple(Finding("launch-size", f"{error}, launching {kernel.name}") for error in errors)
