"""CUDA texts as far as the simulator must know them: kernels, their parameters, dynamic shared memory.

Rewrites one declaration, `extern __shared__ T name[];`, which C++ has no word for; all else stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shine.simulator.model import Buffer

FILE: Final = "kernel.cu"  # what the compiler calls the text
_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_KERNEL = re.compile(r"\b__global__\b")
_CALLED = re.compile(r"\b(\w+)\s*\(")
_BOUNDS = re.compile(r"\b__launch_bounds__\s*\(\s*(\d+)")
_QUALIFIERS: Final = frozenset({"__launch_bounds__", "__maxnreg__", "__align__", "__attribute__", "alignas"})
_DYNAMIC = re.compile(r"\bextern\s+__shared__\b([^;{}()]*(?:\([^()]*\)[^;{}()]*)*?)\b(\w+)\s*\[\s*\]\s*;")
_ALIGNMENT = re.compile(r"\b(?:__align__|alignas)\s*\([^()]*\)")


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel's name, its parameters' names, and how many threads it is bounded to, if that stands there.

    A parameter that points to what is const is read-only.
    """

    name: str
    parameters: tuple[Buffer, ...]
    most_threads: int | None


def without_noise(source: str) -> str:
    """The text with comments and literals blanked; every character stays where it is."""
    return _NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)


def find_kernels(source: str) -> tuple[KernelText, ...]:
    """The kernels of a text, in order.

    >>> find_kernels("extern \\"C\\" __global__ void f(const float* __restrict__ x, int n) {}")[0].parameters
    (Buffer(name='x', read_only=True), Buffer(name='n', read_only=False))
    """
    clean = without_noise(source)
    return tuple(_kernels(clean))


def _kernels(clean: str) -> Iterator[KernelText]:
    seen: set[str] = set()
    for start in _KERNEL.finditer(clean):
        for called in _CALLED.finditer(clean, start.end()):
            if called[1] not in _QUALIFIERS:
                break
        else:
            continue
        bounds = _BOUNDS.search(clean, start.end(), called.start())
        end = _closing(clean, called.end())
        if called[1] not in seen:
            seen.add(called[1])
            parameters = tuple(map(_parameter, _split(clean[called.end() : end])))
            yield KernelText(called[1], parameters, int(bounds[1]) if bounds else None)


def _closing(text: str, start: int) -> int:
    """Where the bracket that is open at `start` closes."""
    depth = 1
    for found in re.finditer(r"[()]", text[start:]):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return start + found.start()
    return len(text)


def _split(parameters: str) -> list[str]:
    """Parameters, at commas that stand in no brackets."""
    parts, depth = [""], 0
    for character in parameters:
        depth += (character in "(<[") - (character in ")>]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip() and part.strip() != "void"]


def _parameter(text: str) -> Buffer:
    words = re.findall(r"\w+", text.split("=")[0])
    points_to, star, _ = text.partition("*")
    return Buffer(words[-1] if words else "", bool(star) and "const" in re.findall(r"\w+", points_to))


def rewrite_dynamic(source: str, apart: bool) -> str:
    """Give C++ a word for dynamic shared memory: the runtime's array, or an object that keeps arrays apart."""
    clean = without_noise(source)

    def declaration(found: re.Match[str]) -> str:
        lines = "\n" * found[0].count("\n")
        if apart:
            element = _ALIGNMENT.sub("", found[1]).strip()
            return f"simulator::DynamicShared<{' '.join(element.split())}> {found[2]};{lines}"
        kept = " ".join(found[1].split())
        return f'extern SIM_HIDDEN {kept} {found[2]}[] __asm__("sim_dynamic_shared");{lines}'

    parts, end = [], 0
    for found in _DYNAMIC.finditer(clean):
        parts += [source[end : found.start()], declaration(found)]
        end = found.end()
    return "".join([*parts, source[end:]])


def dynamic_may_lie_apart(source: str) -> bool:
    """Whether dynamic shared memory is only used as `name + offset`, so that each array may have its own place."""
    clean = without_noise(source)
    names = {found[2] for found in _DYNAMIC.finditer(clean)}
    rest = _DYNAMIC.sub(" ", clean)
    uses = [use for name in names for use in re.finditer(rf"\b{name}\b(.)?", rest.replace(" ", ""))]
    plain = [found for name in names for found in re.finditer(rf"\b{name}\b\s*\+(?![+=])", rest)]
    return bool(names) and len(uses) == len(plain)


def program_text(source: str, kernels: tuple[KernelText, ...], check: bool) -> str:
    """The text of the translation unit: vocabulary, the CUDA text under its own line numbers, table of kernels."""
    apart = check and dynamic_may_lie_apart(source)
    names = [kernel.name for kernel in kernels]
    return "\n".join(
        [
            '#include "simulator/vocabulary.h"',
            f'#line 1 "{FILE}"',
            rewrite_dynamic(source, apart),
            '#line 1 "entries"',
            *(f"SIM_ENTRY({name})" for name in names),
            f"SIM_TABLE({len(names)}, {' '.join(f'SIM_ROW({name})' for name in names)})",
            f'extern "C" SIM_VISIBLE const int sim_dynamic_apart = {int(apart)};',
            "",
        ]
    )
