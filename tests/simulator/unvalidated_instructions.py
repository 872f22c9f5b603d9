"""`python -m tests.simulator.unvalidated_instructions`: lists instructions that no device has confirmed, for a page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.gpu.comparison import Golden, read_golden, unvalidated

PAGE: Final = Path(__file__).parents[2] / "docs" / "simulator.md"
TITLE: Final = "## Unvalidated instructions\n"
_TEXT: Final = (
    "Tests compare the instructions of the table, which are implemented as the PTX ISA specifies, with numpy, and "
    "NVIDIA's assembler accepts them (`tests/simulator/test_ptx_table.py`). `make gpu` runs a kernel for each "
    "instruction on random bits, on a device and in the simulator, and keeps the results of those that agree in "
    "`tests/data/instructions.json`; tests then compare these with the simulator, without a device. Results are equal "
    "bit for bit, but for the bits of NaNs and for approximate functions, for which the PTX ISA bounds the error. "
    "Factors of matrices are small whole numbers, since the order of sums is not specified."
)
_REST: Final = (
    "`nvcuda::wmma`, the functions of CUDA's headers, the bits of NaNs and of sums in other orders, and the conditions "
    "of tensor maps were not compared either."
)


def section(golden: Golden) -> str:
    """The section, without its title."""
    missing = unvalidated(golden)
    seen = f"Compared so far, on {golden.device}: {len(golden.rows)} instructions." if golden.rows else ""
    first = seen or "No device has been available so far."
    listed = f"{first} These have never been compared with a GPU:" if missing else f"{first} None is missing."
    paragraphs = [_TEXT, listed, ", ".join(f"`{family}`" for family in missing) + "." * bool(missing)]
    paragraphs += [_without_kernels(missing), _REST]
    return "\n\n".join(textwrap.fill(one, 120, break_on_hyphens=False) for one in paragraphs if one) + "\n"


def _without_kernels(missing: Mapping[str, str]) -> str:
    """The instructions without a kernel, by reason."""
    reasons: dict[str, list[str]] = {}
    for family, why in missing.items():
        if why:
            reasons.setdefault(why, []).append(f"`{family}`")
    said = "; ".join(f"{why} ({', '.join(families)})" for why, families in sorted(reasons.items()))
    return f"`make gpu` has no kernel for some of them: {said}." if said else ""


def written(page: str, golden: Golden) -> str:
    """The page with its section."""
    before, title, after = page.partition(TITLE)
    end = re.search(r"^## ", after, re.MULTILINE)
    assert title and end is not None, "the page has the section, and another after it"
    return f"{before}{title}\n{section(golden)}\n{after[end.start() :]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), read_golden()), encoding="utf-8")
