"""PTX instructions of warpgroups and clusters: asynchronous products, registers, the cluster's barrier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shine.simulator.ptx_rows import Instruction, row

_SUMS: Final = {"f32": ("f32", 1, "FLOAT"), "f16": ("b32", 2, "HALF"), "s32": ("s32", 1, "INT32")}
_NUMBERS: Final = {
    "f16": "HALF",
    "bf16": "BFLOAT16",
    "tf32": "TF32",
    "e4m3": "E4M3",
    "e5m2": "E5M2",
    "s8": "SIGNED8",
    "u8": "UNSIGNED8",
}
_OF_8_BITS: Final = ("e4m3", "e5m2")
#: types of sums and of both factors, and the depth
_TYPES: Final = (
    ("f32", "f16", "f16", 16),
    ("f16", "f16", "f16", 16),
    ("f32", "bf16", "bf16", 16),
    ("f32", "tf32", "tf32", 8),
    *((d, a, b, 32) for d in ("f32", "f16") for a in _OF_8_BITS for b in _OF_8_BITS),
    *(("s32", a, b, 32) for a in ("s8", "u8") for b in ("s8", "u8")),
)
#: the columns of products of integers
_FEWER_COLUMNS: Final = (8, 24, *range(16, 257, 16))


def warpgroups() -> Iterator[Instruction]:
    """All rows. `+f32*4` are registers that are passed by address, since they are written later. No architecture after
    sm_90 has `wgmma`.
    """
    for n in range(8, 257, 8):
        for d, a, b, k in _TYPES:
            if d != "s32" or n in _FEWER_COLUMNS:
                yield from _products(n, d, a, b, k)
    yield row("wgmma.fence.sync.aligned", "", "product_fence", True, 90, 90)
    yield row("wgmma.commit_group.sync.aligned", "", "product_commit", True, 90, 90)
    yield row("wgmma.wait_group.sync.aligned", "imm", "product_wait", True, 90, 90)
    for way, raises in (("inc", "true"), ("dec", "false")):
        yield row(f"setmaxnreg.{way}.sync.aligned.u32", "imm", f"set_registers<{raises}>", True, 90)
    for what in ("launch_dependents", "wait"):
        yield row(f"griddepcontrol.{what}", "", "nothing", since=90)
    for aligned in ("", ".aligned"):
        for sem, releases in (("", "true"), (".release", "true"), (".relaxed", "false")):
            function = f"named_cluster_arrive<{releases}>"
            yield row(f"barrier.cluster.arrive{sem}{aligned}", "", function, True, 90)
        for sem in ("", ".acquire"):
            yield row(f"barrier.cluster.wait{sem}{aligned}", "", "named_cluster_wait", True, 90)
    for t in ("u32", "u64"):
        yield row(f"mapa.shared::cluster.{t}", f"={t} {t} u32", "address_at_rank", True, 90)
        yield row(f"getctarank.shared::cluster.{t}", f"=u32 {t}", "rank_of_address", since=90)
    yield row("mapa.u64", "=u64 u64 u32", "pointer_at_rank", True, 90)
    yield row("getctarank.u64", "=u32 u64", "rank_of_pointer", since=90)


def _products(n: int, d: str, a: str, b: str, k: int) -> Iterator[Instruction]:
    """The products of some types: the left factor in shared memory, or in registers."""
    register, per_register, sum_number = _SUMS[d]
    sums = f"+{register}*{n // 2 // per_register}"
    # Only factors of 16 bits may be transposed, and integers have no signs.
    signs = "" if d == "s32" else " imm imm"
    across = (" imm imm", " imm") if k == 16 else ("", "")
    for saturates in ("", ".satfinite") if d == "s32" else ("",):
        name = f"wgmma.mma_async.sync.aligned.m64n{n}k{k}{saturates}.{d}.{a}.{b}"
        numbers = ", ".join(f"simulator::{one}" for one in (_NUMBERS[a], _NUMBERS[b], sum_number))
        kind = "bulk_integer_product" if d == "s32" else "bulk_product"
        function = f"{kind}<{n}, {numbers}, {'true' if saturates else 'false'}>"
        yield row(name, f"{sums} b64 b64 pred{signs}{across[0]}", function, True, 90, 90)
        yield row(name, f"{sums} b32*4 b64 pred{signs}{across[1]}", function, True, 90, 90)


#: what the special registers of a cluster hold
OF_CLUSTERS: Final = {
    **{
        f"{name}.{axis}": (f"{function}().{axis}", "u32")
        for name, function in (
            ("cluster_ctaid", "__clusterRelativeBlockIdx"),
            ("cluster_nctaid", "__clusterDim"),
            ("clusterid", "__clusterIdx"),
            ("nclusterid", "__clusterGridDimInClusters"),
        )
        for axis in "xyz"
    },
    "cluster_ctarank": ("__clusterRelativeBlockRank()", "u32"),
    "cluster_nctarank": ("__clusterSizeInBlocks()", "u32"),
    "is_explicit_cluster": ("__clusterDimIsSpecified()", "pred"),
}
