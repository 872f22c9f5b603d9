"""Records of GPUs: sources, and facts on which bounds of times rely."""

from __future__ import annotations

import pytest

from rise.diagnostics import RiseError
from rise.hardware import DEVICES, Device, device
from rise.hardware.devices import DEVICE_NUMBERS

EVERY_DEVICE = pytest.mark.parametrize("one", DEVICES.values(), ids=DEVICES)


@EVERY_DEVICE
def test_every_number_has_one_source(one: Device) -> None:
    assert {name for names, _ in one.sources for name in names.split()} <= set(DEVICE_NUMBERS)
    for name in DEVICE_NUMBERS:
        sources = [source for names, source in one.sources if name in names.split()]
        assert len(sources) == (getattr(one, name) is not None), name
        assert one.source_of(name) == "".join(sources)


@EVERY_DEVICE
def test_numbers_fit_the_architecture(one: Device) -> None:
    assert one.architecture.name == one.arch
    assert one.multiprocessors > 0
    assert one.l2 is None or one.l2 > one.architecture.multiprocessor_shared
    assert one.memory_bandwidth is None or one.memory_bandwidth > 1e11


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(RiseError) as error:
        device("H100-SXM5")
    found = error.value.diagnostic
    assert (found.code, found.title) == ("unknown-device", "expected a GPU, found `H100-SXM5`")
    assert found.hint
