"""Kernels in pages of docs: `docs/cuda.md` and `docs/contractions.md` show golden texts between comments.

`python -m tests.cases.excerpts` rewrites them, after `make texts`. Derives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from cases.case_files import read_case

ROOT: Final = Path(__file__).resolve().parents[2]
GOLDEN: Final = ROOT / "tests" / "golden"
#: ordinary programs, by their cases
PROGRAMS: Final = (
    "axpy",
    "outer_product",
    "embedding",
    "moving_average",
    "jacobi",
    "csr_mv",
    "gemv",
    "rms_norm",
    "dot",
    "mm",
)
#: the loop over the steps of a contraction: a line and all lines below it that are indented further
LOOP: Final = re.compile(r"^( *)for \(int \w+_step = .*\n(?:\1 +.*\n)*\1}\n", re.MULTILINE)


def kernels() -> Iterator[str]:
    """The lines that show each program with its kernels."""
    for name in PROGRAMS:
        text = (ROOT / "cases" / f"{name}.rise").read_text(encoding="utf-8")
        case = read_case(name, text)
        assert case.is_symbolic, f"{name}: a kernel is shown for all sizes"
        program = text.partition("\n\n")[2].strip()
        source = (GOLDEN / "texts" / f"{name}.cu").read_text(encoding="utf-8").strip()
        yield from (f"### `{name}`", "", "```", program, "```", "", "```cuda", source, "```", "")


def step() -> Iterator[str]:
    """The lines of the loop over steps of the contraction."""
    source = (GOLDEN / "contraction_tiles.cu").read_text(encoding="utf-8")
    found = LOOP.search(source)
    assert found, "expected a loop over steps in contraction_tiles.cu"
    yield from ("```cuda", found[0].rstrip(), "```")


#: the text between the comments of a name in a page
PAGES: Final[Mapping[str, Mapping[str, Callable[[], Iterator[str]]]]] = {
    "docs/cuda.md": {"kernels": kernels},
    "docs/contractions.md": {"step": step},
}


def renewed(text: str, excerpts: Mapping[str, Callable[[], Iterable[str]]]) -> str:
    """The text of a page with current excerpts, each between the two comments of its name."""
    for name, lines in excerpts.items():
        begin, end = f"<!-- {name}: python -m tests.cases.excerpts -->\n", f"<!-- end of {name} -->\n"
        assert text.count(begin) == text.count(end) == 1, f"expected the comments of {name} once"
        before, _, rest = text.partition(begin)
        text = "".join([before, begin, "\n", "\n".join(lines()).strip(), "\n\n", end, rest.partition(end)[2]])
    return text


def main() -> None:
    """Write all excerpts."""
    for page, excerpts in PAGES.items():
        path = ROOT / page
        path.write_text(renewed(path.read_text(encoding="utf-8"), excerpts), encoding="utf-8")


if __name__ == "__main__":
    main()
