"""16-bit floats in C: conversions on bits, and loops that compilers vectorise."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
import strategies
from shine.targets.c.half import CONVERSIONS
from shine.targets.openmp.compiler import WIDE_VECTORS_FLAG, find_compiler
from tests import required_tools
from tests.examples import THOROUGH, some
from tests.shine.executors import text_of


def kernel(text: str, cache: Path) -> Any:
    main = rise.parse(text).main
    lowered = strategies.load(shine.TARGETS["openmp"].strategy)(main).program
    return shine.compile(lowered, target="openmp", cache=str(cache))


def same_bits(found: Any, wanted: Any) -> bool:
    """Whether all bits are equal; NaNs are equal to each other."""
    bits = f"u{found.dtype.itemsize}"
    is_none = np.isnan(found)
    return bool(
        found.dtype == wanted.dtype
        and (is_none == np.isnan(wanted)).all()
        and (found.view(bits) == wanted.view(bits))[~is_none].all()
    )


def test_every_half_is_converted(cache: Path) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    assert same_bits(
        kernel("fun(xs: N.f16 => xs |> map(cast{f32}))", cache)(halves), halves.astype(np.float32)
    )


def test_floats_are_rounded_to_the_nearest_half(cache: Path) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
    around = [halves.astype(np.int64) + step for step in (-1, 0, 1, 0x0FFF, 0x1000, 0x1001)]
    step = 97 if THOROUGH else 65_537
    some = np.concatenate([*around, np.arange(0, 1 << 32, step)]).astype(np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        wanted = some.astype(np.float16)
    assert same_bits(kernel("fun(xs: N.f32 => xs |> map(cast{f16}))", cache)(some), wanted)


def vectors(text: str, lanes: int, cache: Path, arch: str | None = None) -> Any:
    """A kernel on vectors, for this processor or another one."""
    options = {} if arch is None else {"arch": arch}
    return shine.compile(
        rise.parse(text.replace("LANES", str(lanes))).main, "openmp", cache=str(cache), **options
    )


@pytest.mark.parametrize("lanes", some([4, 8, 16, 64], 2))
def test_vectors_are_converted_like_numbers(lanes: int, cache: Path) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)[: (1 << 16) // lanes * lanes]
    rows = halves.reshape(-1, lanes)
    widen = "fun(xs: N.vec[LANES,f16] => xs |> mapSeq(fun(x => cast{vec[LANES,f32]}(x))))"
    assert same_bits(vectors(widen, lanes, cache)(rows), rows.astype(np.float32))
    around = rows.astype(np.float32).view(np.uint32)
    narrow = vectors(
        "fun(xs: N.vec[LANES,f32] => xs |> mapSeq(fun(x => cast{vec[LANES,f16]}(x))))", lanes, cache
    )
    for step in (0, 1, 0x0FFF, 0x1000, 0x1001):
        some = (around + np.uint32(step)).view(np.float32)
        with np.errstate(all="ignore"):
            wanted = some.astype(np.float16)
        assert same_bits(narrow(some), wanted), step


def assembly_of(text: str, arch: str, cache: Path, folder: Path) -> str:
    """The assembly that gcc generates for a kernel's text on a processor, whatever this machine's vectors are."""
    compiler = find_compiler(None, None, cache)
    about = subprocess.run([compiler.path, "-v"], capture_output=True, text=True, check=False).stderr
    if "gcc version" not in about or "x86_64" not in about:
        required_tools.skip_without(required_tools.GCC)
    source, assembly = folder / "kernel.c", folder / "kernel.s"
    source.write_text(text)
    flags = [flag for flag in compiler.flags if not flag.startswith("-march")] + [WIDE_VECTORS_FLAG]
    subprocess.run([compiler.path, *flags, f"-march={arch}", "-S", source, "-o", assembly], check=True)
    return assembly.read_text()


@pytest.mark.parametrize("name", some(["add", "sub", "mul", "div", "sqrt", "floor"], 2))
def test_vectors_are_computed_like_numbers(name: str, cache: Path) -> None:
    """Each result is rounded once."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(-1, 16)
    others = np.random.default_rng(3).permutation(halves.reshape(-1)).reshape(-1, 16)
    two = "fun(xs: N.vec[16,f16], ys: N.vec[16,f16] => zip(xs, ys) |> mapSeq(fun(p => F(fst(p), snd(p)))))"
    one = "fun(xs: N.vec[16,f16] => xs |> mapSeq(F))"
    text, arguments = (one, (halves,)) if name in ("sqrt", "floor") else (two, (halves, others))
    text = text.replace("F(", f"{name}(").replace("(F)", f"({name})")
    wanted = rise.evaluate(rise.parse(text).main, *arguments)
    assert same_bits(vectors(text, 16, cache)(*arguments), wanted)


@pytest.mark.parametrize(("arch", "register"), [("x86-64-v3", "ymm"), ("skylake-avx512", "zmm")])
def test_vectors_are_converted_by_instructions(arch: str, register: str, cache: Path, tmp_path: Path) -> None:
    text = "fun(xs: N.vec[16,f16] => xs |> mapSeq(fun(x => exp(x + x))))"
    kernel = assembly_of(vectors(text, 16, cache).source, arch, cache, tmp_path).partition("kernel:")[2]
    assert re.search(rf"vcvtph2ps\s.*%{register}", kernel) and re.search(rf"vcvtps2ph\s.*%{register}", kernel)
    assert not re.search(r"vcvtph2ps\s+%xmm\d+, %xmm", kernel)


def test_elements_are_converted_in_whole_vectors(cache: Path, tmp_path: Path) -> None:
    source = kernel("fun(xs: N.f16 => xs |> map(cast{f32}))", cache).source
    assert "f32_of_f16_at(&xs[" in source
    assert re.search(r"vpmovzxwd\s.*%zmm", assembly_of(source, "skylake-avx512", cache, tmp_path))


@pytest.mark.parametrize("name", ["f16", "f32"])
def test_sums_of_the_library_are_kept_in_lanes(name: str) -> None:
    for definition in ("sum", "mean"):
        source = text_of(f"import statistics\nval main = fun(xs: N.{name} => {definition}(xs))")
        assert "float acc[32]" in source
        assert ("f32_of_f16" in source) == (name == "f16")
    assert set(CONVERSIONS) == {"f32_of_f16", "f32_of_f16_at", "f16_of_f32"}


def test_a_mean_divides_by_its_size() -> None:
    source = text_of("import statistics\nval main = fun(xs: N.f32 => mean(xs))")
    assert "/ (float)N" in source
