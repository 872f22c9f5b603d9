"""PTX instructions at which threads wait for each other: numbered barriers, and the election of one lane."""

from __future__ import annotations

from collections.abc import Iterator

from shine.simulator.ptx_rows import Instruction, row


def barriers() -> Iterator[Instruction]:
    """`bar` is `barrier` with `.aligned`: all lanes of a warp execute it together."""
    for name, aligned in (("bar", ""), ("bar.cta", ""), ("barrier", ".aligned"), ("barrier.cta", ".aligned")):
        for suffix in ("", aligned) if aligned else ("",):
            aligned_lanes = "false" if name.startswith("barrier") and not suffix else "true"
            yield row(f"{name}.sync{suffix}", "u32", f"block_barrier<{aligned_lanes}>", True)
            yield row(f"{name}.sync{suffix}", "u32 u32", f"named_sync<{aligned_lanes}>", True)
            yield row(f"{name}.arrive{suffix}", "u32 u32", f"named_arrive<{aligned_lanes}>", True)
            for operation, result, vote in (
                ("popc", "u32", "COUNT"),
                ("and", "pred", "ALL"),
                ("or", "pred", "ANY"),
            ):
                mnemonic = f"{name}.red.{operation}{suffix}.{result}"
                name_of = "red" if result == "u32" else "holds"
                function = f"named_{name_of}<{aligned_lanes}, simulator::VOTE_{vote}>"
                yield row(mnemonic, f"={result} u32 pred", function, True)
                yield row(mnemonic, f"={result} u32 u32 pred", function, True)
    yield row("elect.sync", "=b32|pred b32", "elect", True, 90)
