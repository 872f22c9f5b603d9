"""The command `shine simulate`: runs a kernel of a CUDA file without a GPU, and reports errors in it."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from shlex import quote
from typing import Any, Final, NoReturn

import numpy as np

from rise.arguments.library import ADDED_DTYPES, nameless
from rise.diagnostics import Diagnostic, Label, RiseError
from rise.records import dataclass
from rise.text.libraries import MAX_BYTES
from rise.text.reader import decode
from shine.cli.files import STANDARD_INPUT, STDIN_NAME, check_path, read_standard_input, write_file
from shine.cli.launch_arguments import read_arguments
from shine.cli.profile_output import page_file, say_profile
from shine.cli.terminal import Page
from shine.simulator import Finding, Report, SimulatorError, is_schedule
from shine.simulator.needless_barriers import needless
from shine.simulator.profile import Profile
from shine.simulator.program import Program
from shine.simulator.simulation import built, chosen, limits_of, restart
from shine.simulator.tensor_maps import array_of_argument, arrays_of, copied_arguments
from shine.simulator.text import KernelText, signature

MAX_SHOWN_FINDINGS: Final = 8
MAX_PRINTED_NUMBERS: Final = 100
_HINTS: Final[Mapping[str, str]] = {
    "race": "order the accesses: __syncthreads() within a block, __syncwarp() within a warp, atomics between blocks",
    "out-of-bounds": "compare the index with the size of the array, or pass a larger array",
    "uninitialised": "write it first, and call __syncthreads() before reading what other threads write",
    "misaligned": "use a type whose alignment the address satisfies",
    "divergent-barrier": "let all threads of the block, or of the mask, reach the same barrier",
    "deadlock": "let all threads that others wait for reach the same barrier",
    "read-only": "remove `const` from the parameter, or remove the write",
    "bad-mask": "pass only active lanes, and the same mask in all of them",
    "budget": "raise the limit with --seconds or --switches, use smaller sizes, or fix the loop",
    "shared-size": "request less with --shared, or choose another --arch",
    "lifetime": "synchronise the cluster before the first access to another block, and after the last",
    "launch-size": "choose other sizes for --grid, --block or --cluster",
    "fault": "--check reports most causes: accesses outside of arrays, and values that were never written",
    "assertion": "print the values with printf",
}
_HINT: Final = "docs/simulator.md explains what the simulator finds"


@dataclass(frozen=True, slots=True)
class Launch:
    """The arguments of the command."""

    file: str
    kernel: str | None
    grid: str
    block: str
    arguments: Sequence[str]
    outputs: Sequence[str]
    check: bool
    profile: bool
    needless: bool
    page: str | None
    schedules: Sequence[str]
    arch: str
    cluster: str | None
    shared: int
    seconds: float
    switches: int
    seed: int
    cxx: str | None

    def blocks_of_cluster(self) -> tuple[int, int, int] | None:
        """The sizes of a cluster, if they are given."""
        return None if self.cluster is None else _sizes("--cluster", self.cluster)


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel with its text, the text's name, and what it is launched with."""

    launch: Launch
    source: str
    name: str
    text: KernelText
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: Sequence[Any]

    def built(self, check: bool, profile: bool = False, source: str | None = None) -> Program:
        """The program of the text, or of another text with this kernel."""
        text, launch = self.source if source is None else source, self.launch
        return built(
            text, self.text, check=check, profile=profile, arch=launch.arch, cxx=launch.cxx, cache=None
        )

    def run(self, program: Program, schedule: str) -> tuple[Report, Sequence[Any]]:
        """The report of a launch on copies of the arguments, in a process of its own, and these copies."""
        passed = copied_arguments(self.arguments)
        restart(program)
        report = program.launch(
            self.text.name,
            self.grid,
            self.block,
            passed,
            self.launch.shared,
            schedule=schedule,
            seconds=self.launch.seconds,
            switches=self.launch.switches,
            limits=limits_of(self.launch.arch),
            cluster=self.launch.blocks_of_cluster(),
        )
        return report, passed

    def wrong(self, report: Report, schedule: str) -> RiseError:
        """The error of a launch that has findings or did not finish."""
        return wrong(report, self.text, schedule, self.source, self.name)


def simulate(page: Page, launch: Launch) -> None:
    """Run the kernel under each schedule, and print what it wrote. Raises RiseError for findings."""
    source, name = _read(launch.file)
    text = _chosen(source, name, launch.kernel)
    grid, block = _sizes("--grid", launch.grid), _sizes("--block", launch.block)
    launch.blocks_of_cluster()
    _check_schedules(launch.schedules)
    outputs = _outputs(text, launch.outputs)
    html = page_file(launch.page)
    arguments = read_arguments(text, launch.arguments, launch.seed)
    limits_of(launch.arch)
    kernel = _Kernel(launch, source, name, text, grid, block, arguments)
    report, passed = _run_schedules(page, kernel)
    page.line(f"{signature(text)} on {_launch_text(grid, block)}")
    how = "checked" if launch.check else "not checked for races and bounds: --check does"
    page.line(f"no findings ({', '.join(launch.schedules)}; {how})")
    page.put(
        kernel=text.name,
        grid=list(grid),
        block=list(block),
        checked=launch.check,
        schedules=list(launch.schedules),
        findings=[],
        printed=report.printed,
    )
    _say_arrays(page, text, arguments, passed, outputs)
    if launch.needless:
        _say_needless(page, kernel)
    if launch.profile or html:
        say_profile(page, _profiled(kernel), source, text.name, html)


def _chosen(source: str, name: str, kernel: str | None) -> KernelText:
    """The kernel of a text; errors name the options of the command."""
    try:
        return chosen(source, kernel)
    except SimulatorError as error:
        hint = re.sub(
            r'kernel="([^"]*)"', lambda name: f"--kernel {quote(name[1])}", error.diagnostic.hint
        ).replace('for a file: Path("kernel.cu").read_text()', "")
        raise RiseError(
            replace(error.diagnostic, hint=hint or "declare one: __global__ void kernel(...)", file=name)
        ) from None


def _check_schedules(schedules: Sequence[str]) -> None:
    for schedule in schedules:
        if not is_schedule(schedule):
            title = f"expected the schedule ascending, descending or random:SEED, found {schedule}"
            raise RiseError(Diagnostic("unknown-schedule", title, hint="for example --schedule random:1"))


def _run_schedules(page: Page, kernel: _Kernel) -> tuple[Report, Sequence[Any]]:
    """The report and the arguments of the last launch; what it printed is shown, also before an error."""
    try:
        program = kernel.built(kernel.launch.check)
    except SimulatorError as error:
        raise located(error, kernel.source, kernel.name) from None
    for schedule in kernel.launch.schedules:
        report, passed = kernel.run(program, schedule)
        if report.printed and (schedule == kernel.launch.schedules[-1] or report.findings):
            page.line(report.printed.rstrip("\n"))
        if report.findings or not report.finished:
            raise kernel.wrong(report, schedule)
    return report, passed


def _say_needless(page: Page, kernel: _Kernel) -> None:
    """Print the barriers and waits without which the launch has no finding and the same results."""

    def run(changed: str, schedule: str) -> tuple[Report, Sequence[Any]]:
        report, passed = kernel.run(kernel.built(True, source=changed), schedule)
        return report, arrays_of(passed)

    found = needless(kernel.source, run)
    for one in found:
        page.line(str(one))
    if not found:
        page.line("no barrier or wait was found to be needless")
    page.put(needless=[asdict(one) for one in found])


def _profiled(kernel: _Kernel) -> Profile:
    """Profile the kernel in a separate launch, and return the profile."""
    schedule = kernel.launch.schedules[0]
    report, _ = kernel.run(kernel.built(False, profile=True), schedule)
    if report.profile is None:
        raise kernel.wrong(report, schedule)
    return report.profile


def wrong(report: Report, kernel: KernelText, schedule: str, source: str, file: str) -> RiseError:
    """The error of a launch with findings: the first with its lines, the others as notes."""
    first, *others = report.findings
    notes = [f"and {other}" for other in others[:MAX_SHOWN_FINDINGS]]
    if len(others) > MAX_SHOWN_FINDINGS:
        notes.append(f"and {len(others) - MAX_SHOWN_FINDINGS} more")
    if schedule != "ascending":
        notes.append(f"found under the schedule {schedule}")
    return RiseError(
        Diagnostic(
            f"simulator-{first.kind}",
            f"kernel `{kernel.name}`: {first.message}",
            labels=_labels(first, source),
            hint=_HINTS.get(first.kind, _HINT),
            notes=tuple(notes),
            source=source,
            file=file,
        )
    )


def located(error: SimulatorError, source: str, file: str) -> RiseError:
    """The error of a text that cannot be built, with its lines."""
    diagnostic = error.diagnostic
    labels = tuple(_label(source, line, text) for line, text in dict(error.lines).items() if line)
    hint = re.sub(r", or choose one: cxx='[^']*'", ", or name one with --cxx", diagnostic.hint)
    if not labels:
        return RiseError(replace(diagnostic, file=file, hint=hint))
    if diagnostic.code != "does-not-compile":
        labels = tuple(replace(label, text="here") for label in labels)
    return RiseError(replace(diagnostic, labels=labels[:5], notes=(), source=source, file=file, hint=hint))


def _labels(finding: Finding, source: str) -> tuple[Label, ...]:
    labels: dict[int, Label] = {}
    for access in (finding.first, finding.second):
        if access is not None and access.line:
            text = f"{access.what} by thread {access.thread} of block {access.block}"
            labels.setdefault(access.line, _label(source, access.line, text))
    return tuple(labels.values())


def _label(source: str, line: int, text: str) -> Label:
    """A label for a line, without leading and trailing spaces."""
    lines = source.split("\n")
    start = sum(len(one) + 1 for one in lines[: line - 1])
    content = lines[line - 1] if line <= len(lines) else ""
    indent = len(content) - len(content.lstrip())
    return Label(start + indent, start + max(len(content.rstrip()), indent), text)


def _read(file: str) -> tuple[str, str]:
    """The text of a file, and its name in messages."""
    if file == STANDARD_INPUT:
        return read_standard_input(), STDIN_NAME
    try:
        with Path(file).open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RiseError(
            Diagnostic("file", f"{file} cannot be read: {reason}", hint="check the path")
        ) from None
    if len(content) > MAX_BYTES:
        title = f"expected a text of at most {MAX_BYTES >> 20} MiB, found a longer one in {file}"
        raise RiseError(Diagnostic("file", title, hint="remove what the kernel does not need"))
    return decode(content, file), file


def _sizes(option: str, text: str) -> tuple[int, int, int]:
    words = re.split(r"[,x]", text)
    if 1 <= len(words) <= 3 and all(re.fullmatch(r"\d{1,9}|[1-3]\d{9}", word) for word in words):
        sizes = (*map(int, words), 1, 1)
        return sizes[0], sizes[1], sizes[2]
    title = f"expected one to three sizes for {option}, found {text}"
    raise RiseError(Diagnostic("launch-size", title, hint=f"for example {option} 16,16"))


def _outputs(kernel: KernelText, written: Sequence[str]) -> dict[str, Path]:
    """The files to write, by the names of parameters."""
    names = [parameter.name for parameter in kernel.parameters]
    example = next((one.name for one in kernel.parameters if not one.read_only), "y")
    outputs: dict[str, Path] = {}
    for word in written:
        name, equal, path = word.partition("=")
        if not equal or name not in names:
            title = f"expected a parameter of `{kernel.name}` and a file, found --output {word}"
            _refuse(
                "unknown-name",
                title,
                f"for example --output {example}=result.npy; it is {signature(kernel)}",
            )
        if Path(path).suffix != ".npy":
            _refuse(
                "file",
                f"expected a .npy file for `{name}`, found {path}",
                f"for example --output {name}=result.npy",
            )
        check_path(Path(path))
        outputs[name] = Path(path)
    return outputs


def _say_arrays(
    page: Page, kernel: KernelText, before: Sequence[Any], after: Sequence[Any], outputs: Mapping[str, Path]
) -> None:
    """Print the arrays that the kernel changed, and write the requested ones to files."""
    facts: dict[str, Any] = {}
    for parameter, *both in zip(kernel.parameters, before, after, strict=True):
        old, new = map(array_of_argument, both)
        if old is None or new is None:
            if parameter.name in outputs:
                _refuse(
                    "argument-type",
                    f"expected an array to write, found the number `{parameter.name}`",
                    "name an array",
                )
            continue
        if parameter.name in outputs:
            content = io.BytesIO()
            np.save(content, nameless(new), allow_pickle=False)
            write_file(outputs[parameter.name], content.getvalue())
            page.line(f"wrote {parameter.name} to {outputs[parameter.name]}")
        if old.tobytes() == new.tobytes():
            continue
        shape = "x".join(map(str, new.shape))
        page.line(f"{parameter.name}: {shape} of {new.dtype}")
        shown = new.astype(np.float32) if new.dtype.name in ADDED_DTYPES else new
        page.line(np.array2string(shown, threshold=MAX_PRINTED_NUMBERS, max_line_width=page.width))
        facts[parameter.name] = {"shape": list(new.shape), "dtype": str(new.dtype)}
        if new.size <= MAX_PRINTED_NUMBERS:
            facts[parameter.name]["values"] = [_plain(value) for value in shown.reshape(-1).tolist()]
    page.put(arrays=facts, outputs={name: str(path) for name, path in outputs.items()})


def _plain(value: Any) -> Any:
    """A number as JSON; infinities and NaN as texts."""
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


def _launch_text(grid: Sequence[int], block: Sequence[int]) -> str:
    def one(sizes: Sequence[int]) -> str:
        lengths = list(sizes)
        while len(lengths) > 1 and lengths[-1] == 1:
            lengths.pop()
        return " x ".join(map(str, lengths))

    blocks, threads = int(np.prod(grid)), int(np.prod(block))
    return f"{one(grid)} block{'s' * (blocks > 1)} of {one(block)} thread{'s' * (threads > 1)}"


def _refuse(code: str, title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic(code, title, hint=hint))
