"""Everything that needs a device, in one run of at most eight minutes, without a network: `python -m benchmarks.gpu`.

A probe of the device; PTX instructions against the simulator; every case against double precision; products compared
with cuBLAS and a hand-written kernel. What is skipped is named, with the reason. With a device the results go to
`benchmarks/results/<device>.json`, and those of instructions that agree with the simulator to
`tests/data/instructions.json`. The exit status is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks._measure import load, machine
from benchmarks.gpu import tensor_copies
from benchmarks.gpu.blas import Blas, find_blas
from benchmarks.gpu.cases import Product, cases, products
from benchmarks.gpu.check import check
from benchmarks.gpu.comparison import (
    Golden,
    arch_of,
    batches,
    compare,
    in_simulator,
    on_device,
    operands_digest,
    read_golden,
    write_golden,
)
from benchmarks.gpu.instructions import Probe
from benchmarks.gpu.probe import probe
from benchmarks.gpu.race import line, opponent, race
from rise.diagnostics import RiseError
from shine.targets.cuda import libcuda
from shine.targets.cuda.driver import Driver
from shine.targets.cuda.loader import device_arch, open_driver

RESULTS = Path(__file__).resolve().parents[1] / "results"
SECONDS = 450  # of eight minutes; what runs is not broken off
NEWEST = 90  # the compute capability, times ten, whose instructions are listed without a device
SINCE_TENSORS = 90  # the compute capability, times ten, that has copies by tensor maps
FOR_CHECKS = 0.6  # of them, before the products


@dataclass(slots=True)
class Session:
    """The results up to now."""

    ends: float
    only: str
    skipped: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)
    right: list[str] = field(default_factory=list)
    timings: list[dict[str, object]] = field(default_factory=list)
    golden: Golden = field(default_factory=Golden)

    def attempt(self, name: str, before: float, run: Callable[[], list[str]]) -> None:
        """Run a part, unless it was not requested or time is up, and record what it reports."""
        if self.only not in name:
            return
        if time.monotonic() > before:
            self.skip(name, "no time is left")
            return
        try:
            said = run()
        except Exception as problem:  # one program that fails must not hide the others
            diagnostic = problem.diagnostic.title if isinstance(problem, RiseError) else ""
            said = [diagnostic or f"{type(problem).__name__}: {problem}"]
        if said:
            self.wrong[name] = said
        else:
            self.right.append(name)
        print(f"{'WRONG' if said else 'right':6} {name}", *said, sep="\n       " if said else "", flush=True)

    def skip(self, name: str, why: str) -> None:
        """Record that a part was skipped."""
        self.skipped[name] = why
        print(f"skip   {name}: {why}", flush=True)


def main() -> int:
    """Run what the machine allows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description="what needs a CUDA device")
    parser.add_argument("--device", type=int, default=0, help="the number of the device; 0 by default")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"{SECONDS} by default")
    parser.add_argument("--only", default="", help="a part of the names to run; then nothing is written")
    given = parser.parse_args()
    started = time.monotonic()
    session = Session(started + given.seconds, given.only)
    try:
        driver = open_driver(given.device)
    except RiseError as absent:
        print(f"no device: {absent.diagnostic.title}")
        for name in (
            "probe",
            *map(title_of_batch, batches(NEWEST)),
            *map(title_of_batch, tensor_copies.tensor_batches()),
            *(f"check {one.name}" for one in cases()),
            *(f"race {title(one)}" for one in products()),
        ):
            session.skip(name, "there is no device")
        return 0
    facts = device_facts(driver)
    print("; ".join(f"{key}: {value}" for key, value in facts.items()), flush=True)
    run(session, driver, started + FOR_CHECKS * given.seconds)
    if not given.only:
        write(session, facts)
        write_golden(session.golden)
    print(f"{len(session.right)} right, {len(session.wrong)} wrong, {len(session.skipped)} skipped")
    return 1 if session.wrong else 0


def run(session: Session, driver: Driver, checks_end: float) -> None:
    """The probe, the instructions, the cases, the products."""
    arch = device_arch(driver.index)
    session.attempt("probe", checks_end, lambda: probe(arch, driver.index))
    capability = 10 * driver.capability[0] + driver.capability[1]
    session.golden = kept_results(driver.name)
    everywhere, only_here = (
        [one for one in batches(capability) if bool(one[0].arch) == has] for has in (False, True)
    )
    compare_instructions(session, everywhere, arch, driver.index, checks_end)
    for case in cases():
        session.attempt(f"check {case.name}", checks_end, partial(check, case, driver, arch))
    if capability >= SINCE_TENSORS:
        copy_tensors(session, driver, arch, checks_end)
    compare_instructions(session, only_here, arch, driver.index, checks_end)
    with driver.current("cuBLAS was looked for"):
        blas, reasons = find_blas()
    for product in products():
        name = f"race {title(product)}"
        if blas is None and product.other is None:
            session.skip(name, "; ".join(reasons))
            continue
        session.attempt(name, session.ends, partial(timed, session, product, blas, driver, arch))


def compare_instructions(
    session: Session, some: Sequence[Sequence[Probe]], arch: str, device: int, checks_end: float
) -> None:
    """Compare instructions of a device with the simulator, and keep the results of those that agree. Batches without
    results come first, since there may not be time for all.
    """
    for batch in sorted(some, key=lambda batch: all(one.key in session.golden.rows for one in batch)):
        its = arch_of(batch, arch)
        runs = on_device(its, device), in_simulator(its)
        session.attempt(title_of_batch(batch), checks_end, partial(compare, batch, *runs, session.golden))


def copy_tensors(session: Session, driver: Driver, arch: str, checks_end: float) -> None:
    """The same of copies by tensor maps, which NVIDIA's driver encodes."""
    try:
        library = libcuda.load()
    except OSError as absent:
        session.skip("copies of tensors", str(absent))
        return
    runs = tensor_copies.on_device(driver, arch, library), tensor_copies.in_simulator()
    for batch in tensor_copies.tensor_batches():
        copies = partial(tensor_copies.compare_tensors, batch, *runs, session.golden)
        session.attempt(title_of_batch(batch), checks_end, copies)


def kept_results(device: str) -> Golden:
    """The stored results of this device. Those of another device, or of other operands, are not included."""
    golden = read_golden()
    return golden if golden.is_current and golden.device == device else Golden(device, operands_digest())


def title_of_batch(batch: Sequence[Probe | tensor_copies.TensorProbe]) -> str:
    """The first and the last family of a batch of instructions."""
    return f"instructions {batch[0].key.split()[0]} to {batch[-1].key.split()[0]}"


def title(product: Product) -> str:
    """The name and the sizes of a product."""
    return f"{product.name} {' x '.join(map(str, product.shape))}"


def timed(session: Session, product: Product, blas: Blas | None, driver: Driver, arch: str) -> list[str]:
    """Time the products and record the times; this never fails a check."""
    other = blas if product.other is None else opponent(product.other(arch))
    assert other is not None, product
    outcome = race(product, other, driver, arch)
    session.timings.append(outcome.facts())
    print(f"       {line(outcome)}", flush=True)
    return []


def device_facts(driver: Driver) -> dict[str, str]:
    """A description of the device and its clock rates."""
    facts = {"device": driver.name, "compute capability": "{}.{}".format(*driver.capability)}
    asked = (
        "driver_version",
        "memory.total",
        "power.limit",
        "clocks.max.sm",
        "clocks.max.memory",
        "ecc.mode.current",
    )
    query = ["nvidia-smi", f"--id={driver.index}", f"--query-gpu={','.join(asked)}", "--format=csv,noheader"]
    try:
        ran = subprocess.run(query, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return facts
    return facts | dict(zip(asked, map(str.strip, ran.stdout.strip().split(",")), strict=False))


def write(session: Session, facts: dict[str, str]) -> None:
    """Save all results in one step."""
    content = {
        "name": "gpu",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "device": facts,
        "machine": machine(),
        "load": f"{load():.1f}",
        "right": session.right,
        "wrong": session.wrong,
        "skipped": session.skipped,
        "timings": session.timings,
    }
    slug = re.sub(r"[^a-z0-9]+", "-", facts["device"].lower()).strip("-")
    RESULTS.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=RESULTS, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
        file.write("\n")
    target = RESULTS / f"{slug}.json"
    Path(name).replace(target)
    print(f"written: benchmarks/results/{target.name}")


if __name__ == "__main__":
    sys.exit(main())
