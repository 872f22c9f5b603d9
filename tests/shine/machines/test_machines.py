"""Finding this machine: data from the system, the closest record, stored measurements, and what is passed to whom."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import rise
import shine
import strategies
from rise.diagnostics import RiseError
from rise.hardware import DEFAULT, PROCESSORS
from rise.hardware.processors import NUMBERS
from shine.cli.main import main
from shine.front.lowering import load_strategy
from shine.front.machines import machine_for
from shine.machines import (
    Facts,
    Measurement,
    as_processor,
    detection,
    facts_of_linux,
    facts_of_macos,
    keep,
    measure,
    measurements,
    read_facts,
    stored_measurement,
    this_machine,
)
from tests.examples import some
from tests.shine.executors import text_of

MEASUREMENT = Measurement(3.1e9, 0.01, 25e9, 0.25, 9)
#: sizes of caches as Linux writes them: name of the folder, level, type, size, cores, line
XEON = (
    ("index0", "1", "Data", "48K", "0", "64"),
    ("index1", "1", "Instruction", "32K", "0", "64"),
    ("index2", "2", "Unified", "2048K", "0", "64"),
    ("index3", "3", "Unified", "107520K", "0-55", "64"),
)


def system(root: Path, info: str, caches: tuple[tuple[str, ...], ...] = (), siblings: str = "0") -> Path:
    """A folder with the files that Linux provides."""
    cpu = root / "sys/devices/system/cpu/cpu0"
    (root / "proc").mkdir(parents=True)
    (root / "proc/cpuinfo").write_text(info, encoding="utf-8")
    (cpu / "topology").mkdir(parents=True)
    (cpu / "topology/thread_siblings_list").write_text(f"{siblings}\n", encoding="utf-8")
    names = ("level", "type", "size", "shared_cpu_list", "coherency_line_size")
    for folder, *values in caches:
        (cpu / "cache" / folder).mkdir(parents=True)
        for name, value in zip(names, values, strict=True):
            (cpu / "cache" / folder / name).write_text(f"{value}\n", encoding="utf-8")
    return root


def x86(vendor: str, flags: str) -> str:
    first = f"processor\t: 0\nvendor_id\t: {vendor}\nmodel name\t: Some Processor\nflags\t\t: {flags}\n"
    return f"{first}\n{first.replace(': 0', ': 1')}"


def test_facts_are_read_from_the_files_of_linux(tmp_path: Path) -> None:
    info = x86("GenuineIntel", "sse2 fma avx2 avx512f amx_bf16")
    facts = facts_of_linux("x86_64", system(tmp_path, info, XEON))
    assert (facts.model, facts.vendor) == ("Some Processor", "GenuineIntel")
    assert facts.features == {"sse2", "fma", "avx2", "avx512f", "amx_bf16"}
    assert (facts.l1, facts.l2, facts.l3, facts.line) == (48 << 10, 2 << 20, 105 << 20, 64)
    assert facts.cores is not None and facts.cores >= 1
    assert facts.clock is None
    assert facts.places["l2"] == str(tmp_path / "sys/devices/system/cpu/cpu0/cache")


def test_a_shared_l2_is_divided_by_cores_not_threads(tmp_path: Path) -> None:
    caches = (("index0", "1", "Data", "32K", "0-1", "64"), ("index2", "2", "Unified", "2M", "0-7", "64"))
    facts = facts_of_linux("x86_64", system(tmp_path, x86("a", "sse2"), caches, siblings="0-1"))
    assert (facts.l1, facts.l2, facts.l3) == (32 << 10, 512 << 10, None)


def test_the_clock_of_the_system_replaces_that_of_the_record(tmp_path: Path) -> None:
    root = system(tmp_path, x86("GenuineIntel", "sse2 fma avx2"))
    folder = root / "sys/devices/system/cpu/cpu0/cpufreq"
    folder.mkdir()
    (folder / "cpuinfo_max_freq").write_text("4200000\n", encoding="utf-8")
    processor = as_processor(facts_of_linux("x86_64", root))
    assert processor.clock == 4.2e9
    assert processor.source_of("clock") == str(folder)


@pytest.mark.parametrize("damage", ["", "garbage", "size: 12", "\x00\xff"])
def test_unreadable_files_leave_the_numbers_of_the_record(tmp_path: Path, damage: str) -> None:
    caches = (("index0", "1", "Data", damage or "-", "a-b", "x"),)
    facts = facts_of_linux("x86_64", system(tmp_path, damage, caches, siblings=damage))
    processor = as_processor(facts)
    assert (facts.l1, facts.line) == (None, None)
    assert processor.vector_bits == 128 and processor.l1 == PROCESSORS[processor.name].l1


def test_no_files_at_all(tmp_path: Path) -> None:
    assert as_processor(facts_of_linux("aarch64", tmp_path)).vector_bits == 128


@pytest.mark.parametrize(
    ("isa", "vendor", "features", "l1", "l2", "name"),
    [
        ("x86_64", "GenuineIntel", "sse2 fma avx2 avx512f", 48 << 10, 2 << 20, "sapphirerapids"),
        ("x86_64", "GenuineIntel", "sse2 fma avx2 avx512f", 48 << 10, 1280 << 10, "icelake-server"),
        ("x86_64", "GenuineIntel", "sse2 fma avx2 avx512f", 32 << 10, 1 << 20, "skylake-avx512"),
        ("x86_64", "AuthenticAMD", "sse2 fma avx2 avx512f", 48 << 10, 1 << 20, "znver5"),
        ("x86_64", "AuthenticAMD", "sse2 fma avx2 avx512f", 32 << 10, 1 << 20, "znver4"),
        ("x86_64", "AuthenticAMD", "sse2 fma avx2", 32 << 10, 512 << 10, "znver2"),
        ("x86_64", "GenuineIntel", "sse2 fma avx2", 32 << 10, 256 << 10, "haswell"),
        ("x86_64", "GenuineIntel", "sse2 avx", 32 << 10, 256 << 10, "nehalem"),
        ("aarch64", "0x41", "fp asimd", 64 << 10, 1 << 20, "neoverse-n1"),
        ("aarch64", "0x41", "fp asimd", 32 << 10, 128 << 10, "cortex-a53"),
        ("riscv64", "", "", 32 << 10, 512 << 10, "sifive-u74"),
    ],
)
def test_the_closest_record(isa: str, vendor: str, features: str, l1: int, l2: int, name: str) -> None:
    facts = Facts(
        isa, vendor=vendor, features=frozenset(features.split()), l1=l1, l2=l2, places={"l1": "a", "l2": "a"}
    )
    processor = as_processor(facts)
    assert processor.name == name
    assert (processor.l1, processor.l2) == (l1, l2)


def test_every_number_of_a_found_processor_has_one_source() -> None:
    places = dict.fromkeys(("l1", "l2", "l3", "line", "cores"), "somewhere")
    for isa in ("x86_64", "aarch64", "riscv64", "ppc64le"):
        facts = Facts(isa, l1=1 << 15, l2=1 << 18, l3=1 << 25, line=128, cores=3, places=places)
        processor = as_processor(facts)
        assert processor.source_of("l3") == "somewhere"
        for name in NUMBERS:
            sources = [source for names, source in processor.sources if name in names.split()]
            assert len(sources) == (getattr(processor, name) is not None), (isa, name)


def test_an_instruction_set_without_a_record_is_assumed_to_have_short_vectors() -> None:
    processor = as_processor(Facts("ppc64le"))
    assert (processor.name, processor.isa, processor.vector_bits) == ("ppc64le", "ppc64le", 128)
    assert processor.source_of("registers") == "assumed, as of neoverse-n1"


def test_matrix_units_are_those_that_the_system_reports() -> None:
    """A virtual machine may hide them."""
    features = frozenset(("sse2", "fma", "avx2", "avx512f"))
    hidden = as_processor(Facts("x86_64", vendor="GenuineIntel", features=features))
    assert hidden.matrix == frozenset()
    shown = as_processor(Facts("x86_64", features=features | {"amx_bf16", "amx_int8"}))
    assert shown.matrix == {"amx-bf16", "amx-int8"}


def test_facts_are_read_by_sysctl_on_macos() -> None:
    said: Mapping[str, str] = {
        "machdep.cpu.brand_string": "Apple M1",
        "hw.perflevel0.l1dcachesize": "131072",
        "hw.perflevel0.l2cachesize": "12582912",
        "hw.perflevel0.cpusperl2": "4",
        "hw.cachelinesize": "128",
        "hw.perflevel0.physicalcpu": "4",
    }
    facts = facts_of_macos("aarch64", lambda name: said.get(name, ""))
    assert (facts.model, facts.l1, facts.l2, facts.l3) == ("Apple M1", 128 << 10, 3 << 20, None)
    processor = as_processor(facts)
    assert (processor.line, processor.cores, processor.vector_bits) == (128, 4, 128)
    assert processor.source_of("line") == "sysctl"
    flags = {"hw.optional.avx2_0": "1", "hw.optional.fma": "1"}
    intel = facts_of_macos("x86_64", lambda name: flags.get(name, ""))
    assert intel.features == {"avx2", "fma"}


def test_this_machine_has_the_instruction_set_of_its_record() -> None:
    machine, facts = this_machine(), read_facts()
    assert machine.isa == facts.isa
    assert machine.l1 == (facts.l1 or machine.l1) and machine.cores == facts.cores


def test_a_measurement_is_stored_and_replaces_numbers_of_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    assert stored_measurement(tmp_path) is None
    keep(replace(MEASUREMENT, clock=1e9), tmp_path)
    keep(MEASUREMENT, tmp_path)
    assert stored_measurement(tmp_path) == MEASUREMENT
    monkeypatch.setattr(detection, "stored_measurement", lambda: MEASUREMENT)
    machine = detection.this_machine.__wrapped__()
    assert (machine.clock, machine.memory_bandwidth) == (3.1e9, 25e9)
    assert machine.source_of("memory_bandwidth").endswith("the best of 9, the median 25% below")


@pytest.mark.parametrize("content", [b"", b"{}", b"not json", json.dumps({"clock": -1.0}).encode()])
def test_a_damaged_measurement_is_ignored(tmp_path: Path, content: bytes) -> None:
    tmp_path.chmod(0o700)
    keep(MEASUREMENT, tmp_path)
    next(tmp_path.glob("machine-*.json")).write_bytes(content)
    assert stored_measurement(tmp_path) is None


def test_measurements_are_plausible(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, count in (
        ("ROUNDS", 2),
        ("ADDITIONS", 1 << 16),
        ("LEAST_READ", 1 << 16),
        ("MOST_READ", 1 << 16),
    ):
        monkeypatch.setattr(measurements, name, count)
    result = measure(DEFAULT)
    assert result.clock > 0 and result.memory_bandwidth > 0
    assert 0 <= result.clock_spread < 1 and 0 <= result.memory_spread < 1


def test_only_the_front_passes_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy given by address gets it, unless a machine or the architecture is named; the strategy shows which."""
    monkeypatch.setenv("SHINE_MACHINE", "haswell")
    assert str(load_strategy("strategies.openmp:parallel")) == "parallel(machine=haswell)"
    assert str(load_strategy("strategies.openmp:parallel", "znver4")) == "parallel(machine=znver4)"
    assert str(load_strategy("strategies.openmp:parallel", machine="znver2")) == "parallel(machine='znver2')"
    assert str(load_strategy("strategies.openmp:parallel", "sm_90a")) == "parallel"
    assert "machine" not in str(load_strategy("strategies.sequential:sequential"))
    monkeypatch.delenv("SHINE_MACHINE")
    assert machine_for() == this_machine()


def test_a_kernel_is_made_for_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """val main = fun(a: M.K.f32, b: K.N.f32 =>
      a |> map(fun(row => transpose(b) |> map(fun(c => zip(row, c) |> map(mul) |> reduce(add, 0.0))))))"""
    wide = text_of(rise.parse(text))
    monkeypatch.setenv("SHINE_MACHINE", "haswell")
    narrow = text_of(rise.parse(text))
    assert "64" in wide and wide != narrow


def test_an_unknown_machine_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHINE_MACHINE", "zen")
    with pytest.raises(RiseError) as error:
        machine_for()
    assert error.value.diagnostic.title == "SHINE_MACHINE: expected a processor, found `zen`"


def test_doctor_shows_the_source_of_each_number(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHINE_MACHINE")
    main(["doctor", "--json"])
    machine = json.loads(capsys.readouterr().out)["machine"]
    assert machine["name"] == this_machine().name
    assert set(machine["numbers"]) == {name for name in NUMBERS if getattr(this_machine(), name) is not None}
    assert all(fact["value"] and fact["source"] for fact in machine["numbers"].values())
    main(["doctor"])
    assert "registers" in capsys.readouterr().out


PRODUCT = """val main = fun(a: M.K.f32, b: K.N.f32 =>
  a |> map(fun(row => transpose(b) |> map(fun(c => zip(row, c) |> map(mul) |> reduce(add, 0.0))))))"""


def test_passes_take_the_processor_from_an_option() -> None:
    """Vectors are as wide as its registers, whatever processor the strategy was given."""
    lowered = strategies.load("strategies.cpu_gemm:vectorization", rows=16, columns=16)(
        rise.parse(PRODUCT).main
    )
    low = rise.specialise(lowered.program, M=16, K=16, N=16)
    sources = {name: text_of(low, machine=name) for name in ("sapphirerapids", "haswell", "sifive-u74")}
    assert "f32x8" in sources["haswell"] and "f32x8" not in sources["sapphirerapids"]
    assert "f32x8" not in sources["sifive-u74"]
    long_lines = text_of(low, machine=replace(DEFAULT, line=128))
    assert long_lines == sources["sapphirerapids"]


def test_the_option_names_the_processor_of_the_strategy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    program = rise.parse(PRODUCT)
    by_option = text_of(program, machine="haswell")
    monkeypatch.setenv("SHINE_MACHINE", "haswell")
    assert text_of(program) == by_option
    with pytest.raises(RiseError) as error:
        shine.compile(program, machine="zen")
    assert error.value.diagnostic.code == "unknown-processor"
    with pytest.raises(RiseError) as error:
        shine.compile(program, machine=3)
    assert error.value.diagnostic.code == "option-value"
    assert "expected str (the name of a processor), found 3" in error.value.diagnostic.title


def test_prefetches_use_the_cache_lines_of_the_processor() -> None:
    source = {line: text_of(rise.parse(PRODUCT), machine=replace(DEFAULT, line=line)) for line in (64, 128)}
    assert source[64].count("__builtin_prefetch") == source[128].count("__builtin_prefetch") > 0
    assert source[64] != source[128]


@pytest.mark.parametrize(
    ("prefetches", "count"),
    some(
        [
            ("copies results rows", 4),
            ("copies results", 3),
            ("copies rows", 2),
            ("results rows", 3),
            ("", 0),
            ("rows", 1),
        ],
        5,
    ),
)
def test_a_record_determines_what_is_prefetched(prefetches: str, count: int) -> None:
    machine = replace(DEFAULT, prefetches=frozenset(prefetches.split()))
    source = text_of(rise.parse(PRODUCT), machine=machine)
    assert source.count("__builtin_prefetch") == count
