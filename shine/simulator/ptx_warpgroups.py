"""PTX instructions of warpgroups and clusters: asynchronous products, registers, the cluster's barrier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shine.simulator.ptx_rows import Instruction, row

_SUMS: Final = {"f32": ("f32", 1, "FLOAT"), "f16": ("b32", 2, "HALF")}
_TYPES: Final = (("f32", "f16", "HALF"), ("f16", "f16", "HALF"), ("f32", "bf16", "BFLOAT16"))


def warpgroups() -> Iterator[Instruction]:
    """All of them. `+f32*4` are registers whose addresses an instruction gets, since it writes them later."""
    for n in range(8, 257, 8):
        for d, factor, number in _TYPES:
            register, per_register, sum_number = _SUMS[d]
            sums = f"+{register}*{n // 2 // per_register}"
            name = f"wgmma.mma_async.sync.aligned.m64n{n}k16.{d}.{factor}.{factor}"
            function = f"bulk_product<{n}, simulator::{number}, simulator::{sum_number}>"
            yield row(name, f"{sums} b64 b64 pred imm imm imm imm", function, True, 90)
            yield row(name, f"{sums} b32*4 b64 pred imm imm imm", function, True, 90)
    yield row("wgmma.fence.sync.aligned", "", "product_fence", True, 90)
    yield row("wgmma.commit_group.sync.aligned", "", "product_commit", True, 90)
    yield row("wgmma.wait_group.sync.aligned", "imm", "product_wait", True, 90)
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
