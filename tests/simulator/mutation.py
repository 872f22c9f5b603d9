"""Mutants of kernels: texts with one mistake each. Independent of the simulator's findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final
from unittest.mock import patch

from shine.simulator import Buffer, Program, Report, SharedArray
from shine.simulator.tensor_maps import arrays_of, copied_arguments
from shine.simulator.text import closing, without_noise
from tests.simulator.corpus import Case

SECONDS: Final = 3.0
_ORDER_MATTERS = re.compile(r"\batomic|(?<!asm )\bvolatile\b|\bthis_grid\b|\bgrid_group\b|\bcuda::")
_KERNEL = re.compile(r"(?:extern\s+)?(?:static\s+)?__(?:global|device)__[^;{}]*?(\w+)\s*\(")


@dataclass(frozen=True, eq=False)
class Launch:
    """One launch: the arguments of `Program.launch`, with the initial contents of arrays."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Any, ...]
    dynamic_shared: int = 0
    shared_arrays: tuple[SharedArray, ...] = ()
    buffers: tuple[Buffer, ...] | None = None

    def run(self, program: Program, schedule: str) -> tuple[Report, list[Any]]:
        """The report, and the arrays after it."""
        arguments = copied_arguments(self.arguments)
        report = program.launch(
            self.kernel,
            self.grid,
            self.block,
            arguments,
            self.dynamic_shared,
            self.shared_arrays,
            schedule,
            seconds=SECONDS,
            buffers=self.buffers,
        )
        return report, arrays_of(arguments)


@dataclass(frozen=True, eq=False)
class Subject:
    """A correct text with its launches."""

    name: str
    text: str
    launches: tuple[Launch, ...]


@dataclass(frozen=True, eq=False)
class Mutant:
    """A subject with one mistake of a kind, at a line."""

    subject: Subject
    kind: str
    line: int
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        return f"{self.subject.name}, line {self.line}: {self.kind}, `{self.old}` became `{self.new or 'nothing'}`"


def of_case(case: Case) -> Subject:
    """A case of the corpus, without the other kernels of its file."""
    launch = Launch(
        case.kernel, case.grid, case.block, tuple(case.arguments), case.dynamic_shared, case.shared_arrays
    )
    return Subject(
        f"{case.file.removeprefix('samples/')} {case.kernel}", only(case.text(), case.kernel), (launch,)
    )


def recorded(name: str, run: Callable[[], object]) -> Subject:
    """The launches in the simulator during a call, which must all be of one text."""
    launches: list[Launch] = []
    texts: list[str] = []
    launch = Program.launch

    def record(
        program: Program, kernel: str, grid: Any, block: Any, arguments: Any, *more: Any, **named: Any
    ) -> Report:
        kept = tuple(copied_arguments(arguments))
        dynamic, arrays = (*more, 0, ())[:2]
        launches.append(
            Launch(kernel, tuple(grid), tuple(block), kept, dynamic, tuple(arrays), named.get("buffers"))
        )
        texts.append(program.source)
        return launch(program, kernel, grid, block, arguments, *more, **named)

    with patch.object(Program, "launch", record):
        run()
    assert len(set(texts)) <= 1, f"one text was expected of {name}"
    return Subject(name, texts[0] if texts else "", tuple(launches))


def functions(clean: str) -> Iterator[tuple[int, int, str, bool]]:
    """Functions of the device: begin, end, name, whether it is a kernel."""
    for head in _KERNEL.finditer(clean):
        start = head.end()
        name = head[1]
        while name in ("__launch_bounds__", "__cluster_dims__"):
            after = closing(clean, start) + 1
            inner = re.compile(r"[^;{}]*?(\w+)\s*\(").match(clean, after)
            if inner is None:
                break
            start, name = inner.end(), inner[1]
        opened = clean.find("{", closing(clean, start))
        depth = 0
        for brace in re.finditer(r"[{}]", clean[opened:]):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                yield head.start(), opened + brace.end(), name, "__global__" in head[0]
                break


def only(text: str, kernel: str) -> str:
    """The text without other kernels; line numbers do not change."""
    for start, end, name, is_kernel in functions(_clean(text)):
        if is_kernel and name != kernel:
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def side_by_side(kernel: str, number: int, text: str) -> str:
    """A text for a file with several of its kind: in a namespace, with a kernel named by `numbered`."""
    renamed = text.replace('extern "C" ', "").replace(f"void {kernel}(", f"void {kernel}_{number}(")
    return f"namespace m{number} {{\n{renamed}\n}}\n"


def numbered(kernel: str, number: int) -> str:
    """The name of a kernel in a text made by `side_by_side`."""
    return f"m{number}::{kernel}_{number}"


def _clean(text: str) -> str:
    return re.sub(r"^[ \t]*#[^\n]*", lambda line: " " * len(line[0]), without_noise(text), flags=re.MULTILINE)


_Edit = Callable[[re.Match[str]], str]
_BARRIER: Final = r"__syncthreads\(\);|__syncwarp\([^;()]*\);|\b\w+\.sync\(\);|\bcg::sync\(\w+\);"
_PLAIN_INDEX: Final = r"(?<=[\w\])])\[([^\[\]]+)\]"
#: kinds of mistakes: a pattern, and its replacement
OPERATORS: Final[Sequence[tuple[str, str, _Edit]]] = (
    ("barrier removed", _BARRIER, lambda _: ";"),
    ("barrier of a warp only", r"__syncthreads\(\)", lambda _: "__syncwarp()"),
    ("barrier of a block only", r"\bcluster\.sync\(\)", lambda _: "__syncthreads()"),
    (
        "barrier of a block only",
        r"\bcluster_arrive\w*\(\);\s*cluster_wait\(\);",
        lambda _: "__syncthreads();",
    ),
    ("wait removed", r"__pipeline_wait_prior\([^;]*\);", lambda _: ";"),
    (
        "wait for fewer",
        r"__pipeline_wait_prior\(([^;]*)\);",
        lambda found: f"__pipeline_wait_prior({found[1]} + 1);",
    ),
    ("commit removed", r"__pipeline_commit\(\);", lambda _: ";"),
    (
        "instruction removed",
        r"asm volatile\(\s*\"(?:cp\.(?:reduce\.)?async|bar|ldmatrix|mbarrier|fence|wgmma)[^;]*;\"[^;]*;",
        lambda _: ";",
    ),
    (
        "wait or arrival removed",
        r"(?<=[;{}\s])(?:wait|sync|arrive|commit|fence|cluster_|init_fence|expect)\w*(?:<\d>)?\([^;{}]*\);",
        lambda _: ";",
    ),
    (
        "wait_group for fewer",
        r"wait_group(\S*) (\d+);",
        lambda found: f"wait_group{found[1]} {int(found[2]) + 1};",
    ),
    ("barrier only arrived at", r"bar\.sync (?=%\d, )", lambda _: "bar.arrive "),
    ("fence of another memory", r"fence\.proxy\.async\.shared::cta", lambda _: "fence.proxy.async.global"),
    (
        "arrival without release",
        r"mbarrier\.arrive\.(?:release\.c\w+\.)?(?=shared)|barrier\.cluster\.arrive\.release",
        lambda found: (
            "barrier.cluster.arrive.relaxed" if "cluster.arr" in found[0] else "mbarrier.arrive.relaxed.cta."
        ),
    ),
    ("rank of another block", r"(?<![\w.] )\b(?<!unsigned )rank\(\)", lambda _: "(rank() + 1)"),
    ("rank of another block", r"map_shared_rank\(held, ", lambda found: f"{found[0]}1 + "),
    (
        "own block instead of another",
        r"\bat_rank\(([^;]*?), [^,;]*?\)(?=[\])\s,;])",
        lambda found: f"address({found[1]})",
    ),
    (
        "wait without acquire",
        r"mbarrier\.(try|test)_wait(\.parity)?\.(?:acquire\.c\w+\.)?(?=shared)",
        lambda found: f"mbarrier.{found[1]}_wait{found[2] or ''}.relaxed.cta.",
    ),
    ("fence removed", r"__threadfence(?:_block)?\(\);", lambda _: ";"),
    ("fence of a block only", r"__threadfence\(\)", lambda _: "__threadfence_block()"),
    (
        "no atomic operation",
        r"(?<=[;{}\s])atomicAdd\(([^,;]+), ([^;]+)\);",
        lambda found: f"*({found[1]}) += {found[2]};",
    ),
    ("mask", r"0xffffffff\b", lambda _: "0x7fffffff"),
    ("index too high", _PLAIN_INDEX, lambda found: f"[({found[1]}) + 1]"),
    ("index too low", _PLAIN_INDEX, lambda found: f"[({found[1]}) - 1]"),
    ("extent", r"(?<=[\w\])])\[([^\[\]]+)\]", lambda found: f"[{found[1]} - 1]"),
    (
        "bound",
        r" (<|<=|>|>=) ",
        lambda found: f" {found[1].rstrip('=')}{'' if found[1].endswith('=') else '='} ",
    ),
    ("condition", r" == ", lambda _: " != "),
    ("swizzle", r" \^ ", lambda _: " | "),
    ("sum", r" \+ ", lambda _: " - "),
    ("product", r" \* ", lambda _: " + "),
    ("remainder", r" % ", lambda _: " / "),
    ("number too high", r"(?<![\w.\"%])(\d+)(?![\w.])", lambda found: str(int(found[1]) + 1)),
    ("number too low", r"(?<![\w.\"%])([1-9]\d*)(?![\w.])", lambda found: str(int(found[1]) - 1)),
    ("operands of an instruction", r"%(\d), ?%(\d)(?=[,}])", lambda found: f"%{found[2]}, %{found[1]}"),
)
_OF_TEXT: Final = (
    "instruction removed",
    "operands of an instruction",
    "wait_group for fewer",
    "barrier only arrived at",
    "fence of another memory",
    "arrival without release",
    "wait without acquire",
)  # these look into literals
_OF_DECLARATIONS: Final = ("extent",)
_NOT_OF_DECLARATIONS: Final = ("index too high", "index too low", "number too high", "number too low")


def mutants(subject: Subject, most: int | None = None) -> Iterator[Mutant]:
    """The mutants of a subject, at most `most` of each kind, spread over its text."""
    clean = _clean(subject.text)
    spans = _spans(clean, subject)
    one_warp = all(prod(launch.block) <= 32 for launch in subject.launches)
    for kind, pattern, edit in OPERATORS:
        if one_warp and kind == "barrier of a warp only":
            continue  # it is equivalent there
        text = subject.text if kind in _OF_TEXT else clean
        places = [
            match
            for match in re.finditer(pattern, text)
            if any(start < match.start() < end for start, end in spans) and _fits(kind, clean, match.start())
        ]
        for match in _spread(places, most):
            start, end = match.span()
            old, new = subject.text[start:end], edit(match)
            if new == old:
                continue
            changed = subject.text[:start] + new + subject.text[end:]
            line = subject.text.count("\n", 0, start) + 1
            yield Mutant(subject, kind, line, old.strip(), new.strip(), changed)


def _spans(clean: str, subject: Subject) -> list[tuple[int, int]]:
    """The positions of the functions that the launches of a subject call."""
    kernels = {launch.kernel for launch in subject.launches}
    found = list(functions(clean))
    needed = {name for _, _, name, is_kernel in found if is_kernel and name in kernels}
    for _ in found:  # functions that are called by functions that are needed
        called = " ".join(clean[start:end] for start, end, name, _ in found if name in needed)
        needed |= {name for _, _, name, is_kernel in found if not is_kernel} & set(re.findall(r"\w+", called))
    return [(start, end) for start, end, name, _ in found if name in needed]


def order_matters(text: str, subject: Subject) -> bool:
    """Whether the functions that are launched have accesses whose order matters without being a race: atomic or
    volatile ones.
    """
    clean = _clean(text)
    return any(_ORDER_MATTERS.search(clean[start:end]) for start, end in _spans(clean, subject))


def _fits(kind: str, clean: str, place: int) -> bool:
    """Whether a mistake of a kind is possible at a place: extents in declarations of shared arrays, indices
    elsewhere.
    """
    statement = re.split(r"[;{}]", clean[:place])[-1]
    if re.search("__launch_bounds__|__cluster_dims__", statement) or (
        kind.startswith("index") and "fragment<" in statement
    ):
        return False  # neither changes the results
    is_shared = "__shared__" in statement
    is_declaration = is_shared or re.search(
        r"^\s*(?:const\s+)?(?:unsigned|int|float|float4|double|half|__half|uint4)\s+\w+(?:\[[^\]]*\])*(?:,\s*\w+(?:\[[^\]]*\])*)*$",
        statement,
    )
    if kind in _OF_DECLARATIONS:
        return is_shared
    return not (is_declaration and kind in _NOT_OF_DECLARATIONS) and not (
        is_shared and kind in ("sum", "product")
    )


def _spread(places: list[re.Match[str]], most: int | None) -> list[re.Match[str]]:
    if most is None or len(places) <= most:
        return places
    return [places[i * len(places) // most] for i in range(most)]
