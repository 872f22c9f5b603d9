"""Architectures and matrix instructions as data: laws of the tables, facts from the guide, and messages for users."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.hardware import (
    ARCHITECTURES,
    INSTRUCTIONS,
    Architecture,
    MatrixInstruction,
    architecture,
    architecture_of,
    find,
    legal,
)
from rise.hardware.architectures import SPECIFIC
from rise.scalars import ROLES, SCALARS

KIB = 1024
EVERY_ARCHITECTURE = pytest.mark.parametrize("arch", ARCHITECTURES.values(), ids=ARCHITECTURES)
EVERY_INSTRUCTION = pytest.mark.parametrize("one", INSTRUCTIONS.values(), ids=INSTRUCTIONS)


def refusal(error: pytest.ExceptionInfo[RiseError]) -> tuple[str, str, str]:
    found = error.value.diagnostic
    return found.code, found.title, found.hint


@EVERY_ARCHITECTURE
def test_limits_are_consistent(arch: Architecture) -> None:
    assert arch.static_shared <= arch.shared <= arch.multiprocessor_shared
    assert arch.block_threads <= arch.multiprocessor_threads
    assert arch.block_threads % arch.warp == arch.multiprocessor_threads % arch.warp == 0
    assert arch.block_registers <= arch.multiprocessor_registers
    assert max(arch.block) == arch.block_threads


@EVERY_ARCHITECTURE
def test_an_architecture_is_found_by_name_and_by_capability(arch: Architecture) -> None:
    assert architecture(arch.name) is arch
    assert arch.name.removesuffix("a") == "sm_{}{}".format(*arch.capability)
    assert architecture_of(*arch.capability).capability == arch.capability
    assert arch.is_specific == (arch.name in SPECIFIC)


def test_a_device_gets_the_code_of_its_specific_architecture() -> None:
    assert architecture_of(8, 6).name == "sm_86"
    assert architecture_of(9, 0).name == "sm_90a"
    assert architecture_of(10, 3).name == "sm_103a"


@EVERY_ARCHITECTURE
def test_features_remain_in_later_architectures(arch: Architecture) -> None:
    for later in ARCHITECTURES.values():
        if later.capability >= arch.capability:
            assert arch.features - SPECIFIC.get(arch.name, frozenset()) <= later.features
        if later.capability == arch.capability and later.is_specific:
            assert arch.features <= later.features


@pytest.mark.parametrize(
    ("name", "shared", "multiprocessor", "threads", "blocks"),
    [
        ("sm_75", 64, 64, 1024, 16),
        ("sm_80", 163, 164, 2048, 32),
        ("sm_86", 99, 100, 1536, 16),
        ("sm_87", 163, 164, 1536, 16),
        ("sm_89", 99, 100, 1536, 24),
        ("sm_90a", 227, 228, 2048, 32),
        ("sm_103", 227, 228, 2048, 32),
        ("sm_110", 227, 228, 1536, 24),
        ("sm_120", 99, 100, 1536, 24),
        ("sm_121a", 99, 100, 1536, 24),
    ],
)
def test_limits_are_those_of_the_guide(
    name: str, shared: int, multiprocessor: int, threads: int, blocks: int
) -> None:
    arch = architecture(name)
    found = (arch.multiprocessor_threads, arch.multiprocessor_blocks)
    assert (arch.shared, arch.multiprocessor_shared, *found) == (
        shared * KIB,
        multiprocessor * KIB,
        threads,
        blocks,
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [("sm80", "sm_80"), ("8.0", "sm_80"), ("compute_90a", "sm_90a"), ("SM_121", "sm_121"), ("75", "sm_75")],
)
def test_a_misspelt_architecture_is_recognised(written: str, meant: str) -> None:
    with pytest.raises(RiseError) as error:
        architecture(written)
    code, title, hint = refusal(error)
    assert code == "unknown-architecture" and written in title and f"did you mean `{meant}`" in hint


def test_a_number_is_no_name_of_an_architecture() -> None:
    with pytest.raises(RiseError) as error:
        architecture(80)  # type: ignore[arg-type]  # a mistake
    assert "did you mean `sm_80`" in refusal(error)[2]


def test_an_unknown_architecture_is_reported_with_the_known_ones() -> None:
    with pytest.raises(RiseError) as error:
        architecture("volta")
    assert "there are sm_75, sm_80" in refusal(error)[2]
    with pytest.raises(RiseError) as error:
        architecture_of(7, 0)
    assert "found 7.0" in refusal(error)[1] and "7.5, 8.0" in refusal(error)[2]


@EVERY_INSTRUCTION
def test_the_lanes_hold_every_number(one: MatrixInstruction) -> None:
    for role in ROLES:
        rows, columns = one.extent_of(role)
        copies, rest = divmod(one.elements_of(role) * 32, rows * columns)
        of_groups = dict(zip(ROLES, (*one.parts[::-1], 1), strict=True))
        twice = one.a == "f16" and role != "Accum" and one.coordinates is None
        expected = ((2,) if one.shape == (16, 16, 16) else (1, 4)) if twice else (of_groups[role],)
        assert rest == 0 and copies in expected


@EVERY_INSTRUCTION
def test_records_use_known_scalars_and_architectures(one: MatrixInstruction) -> None:
    assert architecture(one.since).name == one.since
    assert all(one.stored_type_of(role) in SCALARS for role in ROLES)
    assert one.layouts == {(a, b) for a in (True, False) for b in (True, False)}
    assert one.alignment % one.stride_alignment == 0
    for role in ROLES if one.coordinates is None else ():
        assert one.alignment % one.fragment_bytes(role) == 0


@EVERY_INSTRUCTION
def test_an_instruction_is_found_where_it_exists(one: MatrixInstruction) -> None:
    assert find(one.family, one.shape, one.types) is one
    for arch in ARCHITECTURES.values():
        if one.exists_on(arch):
            assert find(one.family, one.shape, one.types, arch) is one
            assert one in legal(one.family, one.types, arch)
        else:
            assert one not in legal(one.family, one.types, arch)
            with pytest.raises(RiseError, match=f"expected {one.since} or newer"):
                find(one.family, one.shape, one.types, arch)


def test_numbers_of_elements_differ_between_types() -> None:
    half, brain = (
        find("wmma", (32, 8, 16), ("f16", "f16", "f32")),
        find("wmma", (32, 8, 16), ("bf16", "bf16", "f32")),
    )
    assert half.elements == (16, 16, 8) and brain.elements == (16, 4, 8)
    assert half.fragment_bytes("AMatrix") == 32 and brain.fragment_bytes("BMatrix") == 8


def test_a_type_without_tensor_cores_is_slow() -> None:
    doubles = find("wmma", (8, 8, 4), ("f64", "f64", "f64"))
    assert doubles.exists_on(architecture("sm_86")) and not doubles.is_fast_on(architecture("sm_86"))
    assert doubles.is_fast_on(architecture("sm_90a"))


def test_products_of_groups_of_lanes_are_slow_on_all_architectures_that_compilers_build_for() -> None:
    groups = find("mma", (16, 16, 4), ("f16", "f16", "f32"))
    assert all(groups.exists_on(arch) and not groups.is_fast_on(arch) for arch in ARCHITECTURES.values())


_EXTENTS = st.sampled_from((4, 8, 16, 32))
_NAMES = st.sampled_from((*SCALARS, "tf32"))


@given(
    st.tuples(_EXTENTS, _EXTENTS, _EXTENTS),
    st.tuples(_NAMES, _NAMES, _NAMES),
    st.sampled_from(tuple(ARCHITECTURES.values())),
)
def test_legal_instructions_are_found_and_all_others_rejected(
    shape: tuple[int, int, int], types: tuple[str, str, str], arch: Architecture
) -> None:
    expected = [one for one in legal("wmma", types, arch) if one.shape == shape]
    if expected:
        assert [find("wmma", shape, types, arch)] == expected
    else:
        with pytest.raises(RiseError) as error:
            find("wmma", shape, types, arch)
        code, _, hint = refusal(error)
        assert code == "no-instruction" and hint


@pytest.mark.parametrize(
    ("family", "shape", "types", "arch", "title", "hint"),
    [
        ("wmme", (16, 16, 16), ("f16", "f16", "f32"), "sm_80", "found `wmme`", "did you mean `wmma`?"),
        ("wmma", (16, 16, 16), ("f32", "f32", "f32"), "sm_80", "found f32 * f32 + f32", "bf16 * bf16 + f32"),
        ("wmma", (8, 8, 8), ("f16", "f16", "f32"), "sm_80", "found 8 x 8 x 8", "32 x 8 x 16 and 8 x 32 x 16"),
        ("wmma", (16, 16, 16), ("bf16", "bf16", "f32"), "sm_75", "expected sm_80", "build for sm_80"),
    ],
)
def test_an_error_lists_the_available_instructions(
    family: str, shape: tuple[int, int, int], types: tuple[str, str, str], arch: str, title: str, hint: str
) -> None:
    with pytest.raises(RiseError) as error:
        find(family, shape, types, architecture(arch))
    code, found, advice = refusal(error)
    assert code == "no-instruction" and title in found and hint in advice
