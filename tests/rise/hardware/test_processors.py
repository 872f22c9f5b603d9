"""Records of processors: laws of the table, facts on which formulas rely, sources, and messages for users."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from rise.diagnostics import RiseError
from rise.hardware import DEFAULT, PROCESSORS, Processor, processor
from rise.hardware.processors import NUMBERS

EVERY_PROCESSOR = pytest.mark.parametrize("one", PROCESSORS.values(), ids=PROCESSORS)


@EVERY_PROCESSOR
def test_every_number_has_one_source(one: Processor) -> None:
    for name in NUMBERS:
        sources = [source for names, source in one.sources if name in names.split()]
        stated = getattr(one, name) is not None
        assert len(sources) == (1 if stated else 0), (name, sources)
        assert one.source_of(name) == "".join(sources)


@EVERY_PROCESSOR
def test_sources_name_only_fields(one: Processor) -> None:
    assert {name for names, _ in one.sources for name in names.split()} <= set(NUMBERS)


@EVERY_PROCESSOR
def test_numbers_are_consistent(one: Processor) -> None:
    assert one.l1 < (one.l2 or one.l1 + 1)
    assert one.l1 % one.line == 0 and one.line & (one.line - 1) == 0
    assert one.vector_bits in (0, 128, 256, 512)
    assert one.vector_bits <= one.line * 8
    assert one.lanes_of("f64") == max(1, one.lanes // 2) and one.lanes_of("f16") >= one.lanes
    assert one.chains <= one.registers
    assert one.flags and one.fma_units > 0 and one.fma_latency >= 1
    assert one.l1_load is None or one.l2_load is None or one.l2_load <= one.l1_load


def test_names_are_unique() -> None:
    names = [name for one in PROCESSORS.values() for name in (one.name, *one.aliases)]
    assert len(set(names)) == len(names)
    assert all(
        processor(name).name == one.name for one in PROCESSORS.values() for name in (one.name, *one.aliases)
    )


def test_vectors_and_chains() -> None:
    facts = {name: (one.lanes, one.registers, one.chains) for name, one in PROCESSORS.items()}
    assert facts["sapphirerapids"] == (16, 32, 8)
    assert facts["znver4"] == (16, 32, 4)
    assert facts["znver5"] == (16, 32, 8)
    assert facts["haswell"] == (8, 16, 10)
    assert facts["neoverse-n1"] == (4, 32, 4)
    assert facts["cortex-a53"] == (4, 32, 2)
    assert facts["sifive-u74"] == (1, 32, 5)


def test_the_records_differ() -> None:
    """They cover the cases of formulas: no vectors, vectors of three widths, and small caches."""
    assert {one.vector_bits for one in PROCESSORS.values()} == {0, 128, 256, 512}
    assert min(one.l2 or 0 for one in PROCESSORS.values()) <= 128 << 10
    assert {one.has_fma for one in PROCESSORS.values()} == {True, False}


def test_a_record_is_a_value() -> None:
    assert pickle.loads(pickle.dumps(DEFAULT)) == DEFAULT
    assert hash(replace(DEFAULT)) == hash(DEFAULT)
    assert replace(DEFAULT, l2=1 << 20) != DEFAULT
    assert replace(DEFAULT, sources=()) == DEFAULT
    assert str(DEFAULT) == repr(DEFAULT) == "sapphirerapids"
    assert repr(replace(DEFAULT, l2=1 << 20, cores=2)) == "sapphirerapids(l2=1 MiB)"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("zen6", "did you mean `zen5`, `zen4` or `zen2`?"),
        ("pentium", "there are sapphirerapids, icelake-server"),
    ],
)
def test_an_unknown_processor_is_refused(name: str, hint: str) -> None:
    with pytest.raises(RiseError) as error:
        processor(name)
    found = error.value.diagnostic
    assert found.code == "unknown-processor"
    assert found.title == f"expected a processor, found `{name}`"
    assert hint in found.hint
