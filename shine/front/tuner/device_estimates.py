"""Estimates the times of candidates on a GPU that is not there, by the counts of the simulator.

Each candidate is built, its result is checked, and it runs once with counts. Its time is the largest of those that its
resources take, and of the chain of what its busiest warp waits for. What the counts do not have, such as arithmetic and
overlaps of copies, is no part of an estimate: candidates of one space are compared, times are not predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, prod
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.hardware import Device
from shine.front.tuner.candidates import Bench, Lowered, Task, bench_of, dead, of_rules
from shine.front.tuner.evaluators import Done
from shine.front.tuner.isolation import in_own_process
from shine.front.tuner.results import Result, State
from shine.front.work import float_operations
from shine.imperative.fragments import shape_of
from shine.imperative.nodes import MultiplyAdd
from shine.imperative.walk import statements
from shine.kernel import Kernel
from shine.simulator.profile import Profile
from strategies.spaces.bounds import Bound, Use
from strategies.spaces.holes import Decisions, Space
from strategies.spaces.product_bounds import MULTIPLY_ADDS
from strategies.spaces.replay import Dead, Leaf, replay

#: parts of a multiprocessor, each of which issues instructions of its own warps, and multiplies their matrices
SCHEDULERS: Final = 4
WARP: Final = 32
SECTOR_BYTES: Final = 32
#: a loop that copies to shared memory waits twice in each iteration: for its copies, and before it overwrites them
WAITS: Final = 2


def launch_time(profile: Profile, multiply_adds: int, device: Device, arithmetic: int = 0) -> Bound:
    """The estimated time of a launch in seconds, and what limits it. Each matrix product has `multiply_adds`; other
    operations on floating-point numbers, `arithmetic`, take the units of multiply-adds.

    Blocks are distributed evenly. The chain of a warp has the instructions that are counted, its matrix products at the
    rate of the part of the multiprocessor that it runs on, and the latencies of a load from L2 and from shared memory
    for each iteration that waits; blocks that do not fit on a multiprocessor together follow each other. Numbers that
    the record of the device does not have do not limit anything.
    """
    counts, blocks = profile.total, max(profile.blocks, 1)
    warps = blocks * ceil(profile.occupancy.threads / WARP)
    busiest = ceil(blocks / device.multiprocessors) / blocks  # of all work
    rounds = ceil(blocks / (device.multiprocessors * profile.occupancy.blocks))
    instructions, products = counts.warp_instructions, counts.instructions.get("matrix products", 0)
    rate = device.matrix_multiply_adds or 0
    waits = counts.barriers / blocks + counts.instructions.get("warp barriers", 0) / warps
    latency = (device.l2_latency or 0) + (device.shared_latency or 0)
    multiplied = products * multiply_adds
    chain = waits / WAITS * latency + instructions / warps
    chain += multiplied / warps * SCHEDULERS / rate if rate else 0
    used = {
        "issued instructions": instructions * busiest,
        "shared memory": counts.passes * busiest,
        "tensor cores": multiplied * busiest,
        MULTIPLY_ADDS: arithmetic * busiest,
        "L2": counts.sectors * SECTOR_BYTES,
    }
    has = {
        "issued instructions": SCHEDULERS,
        "shared memory": 1,
        "tensor cores": rate,
        MULTIPLY_ADDS: device.multiply_adds or 0,
        "L2": device.l2_load or 0,
    }
    cycles = Use(rounds * chain, used).bound({name: much for name, much in has.items() if much})
    return Bound(float(cycles.time) / (device.clock or 1.0), cycles.why)


def kernel_time(kernel: Kernel, arguments: Sequence[Any], device: Device) -> Bound:
    """The estimated time of a call in seconds: the sum of its launches, and what limits the longest one."""
    shapes = [
        prod(shape_of(statement.addend.type))
        for statement, _ in statements(kernel.procedure.body)
        if isinstance(statement, MultiplyAdd)
    ]
    launches = kernel.profile(*arguments).launches
    # the operations of a call are not known for each of several launches
    arithmetic = float_operations(kernel.procedure) if len(launches) == 1 else 0
    times = [launch_time(one.profile, min(shapes, default=0), device, arithmetic) for one in launches]
    longest = max(times, key=lambda one: one.time, default=Bound(0.0, "nothing is launched"))
    return Bound(sum(one.time for one in times), longest.why)


class BySimulator:
    """Estimates for a GPU: candidates run in the simulator, one at a time, each in a separate process."""

    def __init__(self, task: Task, space: Space, device: Device) -> None:
        """Raises RiseError if the target is not the simulator, or its own strategy does not build or run."""
        if task.target != "cuda-sim":
            title = f"expected the target cuda-sim for estimates of {device.name}, found {task.target}"
            raise RiseError(Diagnostic("no-profile", title, hint='pass target="cuda-sim"'))
        self.task, self.space, self.device = task, space, device
        self.machine = f"{device.name}, estimated by counts of the simulator"
        self.bench: Bench = bench_of(task)
        self.own = self._time(self.bench.kernel)
        self._waiting: list[Decisions] = []

    def capacity(self) -> int:
        """One at a time."""
        return 0 if self._waiting else 1

    def submit(self, decisions: Decisions) -> None:
        """Remember a candidate for `wait`."""
        self._waiting.append(decisions)

    def wait(self, seconds: float) -> list[Done]:
        """Run the candidate that was submitted last."""
        done = [(decisions, self._result(decisions)) for decisions in self._waiting]
        self._waiting = []
        return done

    def race(self, finalists: Sequence[Lowered]) -> list[float]:
        """Counts are the same in each run."""
        return []

    def close(self) -> None:
        """Nothing runs."""

    def _time(self, kernel: Kernel) -> Bound:
        limits, arguments, device = self.task.limits, self.bench.arguments, self.device
        found: Bound = in_own_process(
            "running", lambda: kernel_time(kernel, arguments, device), limits.run_seconds, limits.memory
        )
        return found

    def _result(self, decisions: Decisions) -> Result:
        limits = self.task.limits
        try:
            outcome = replay(self.space, decisions, self.task.program, self.task.sizes)
            if isinstance(outcome, Dead):
                return dead(outcome.diagnostic)
            assert isinstance(outcome, Leaf) and outcome.term is not None, decisions
            lowered = Lowered(outcome.term, outcome.float_class)
            kernel = lowered.kernel(self.task)
            in_own_process(
                "running", lambda: self.bench.check(kernel, lowered), limits.run_seconds, limits.memory
            )
            time = self._time(kernel)
        except RiseError as error:
            if error.diagnostic.code == "wrong-result":
                return Result(State.WRONG, diagnostic=of_rules(error.diagnostic))
            return dead(error.diagnostic)
        seconds = float(time.time)
        return Result(State.MEASURED, seconds, float(self.own.time) / seconds, 0.0, limit=time)
