"""Messages about barriers that not all threads of a block pass, and about operands, from the records of the runtime."""

from __future__ import annotations

from shine.simulator.records import FindingRecord


def named_wait(record: FindingRecord) -> str:
    """What threads wait for at a numbered barrier."""
    return f"barrier {record.offset} needs {record.other_number} threads and {record.number} have arrived"


def mbarrier_wait(record: FindingRecord) -> str:
    """What a phase of an mbarrier still waits for."""
    arrivals, missing = record.number, record.other_number
    lacks = [f"{arrivals} of {record.offset} arrivals"] if arrivals else []
    lacks += [f"{missing} bytes of copies"] if missing > 0 else []
    lacks += [f"an expect-tx of the {-missing} bytes that have arrived"] if missing < 0 else []
    lacking = " and ".join(lacks) or "nothing, but has the other parity"
    return f"a phase of parity {record.size} of an mbarrier lacks {lacking}"


def barrier_message(record: FindingRecord) -> str:
    """What is wrong at a barrier."""
    number, other = record.number, record.other_number
    match record.text:
        case b"number":
            return f"expected a barrier from 0 to 15, found {number}"
        case b"count":
            return f"expected a count of threads that is a multiple of 32, found {number} at barrier {record.offset}"
        case b"counts":
            counts = " and ".join(str(one) if one else "all" for one in (number, other))
            return f"threads at barrier {record.offset} expect different counts, {counts}"
        case b"votes":
            return f"threads at barrier {record.offset} take different votes"
        case b"none":
            return "no mbarrier was initialised at this address"
        case b"space":
            return "expected an mbarrier in shared memory, found global memory"
        case b"overwritten":
            return "the memory of the mbarrier was overwritten after it was initialised"
        case b"again":
            return "an mbarrier is initialised twice: invalidate it first"
        case b"busy":
            return "an mbarrier is invalidated while copies that it tracks are in flight"
        case b"arrival-count":
            return f"expected 1 to 1048575 arrivals, found {number}"
        case b"arrivals":
            return f"more arrivals than the {number} that a phase of the mbarrier expects"
        case b"byte-count":
            return f"expected at most 1048575 bytes in a phase of an mbarrier, found {number} more"
        case b"bytes":
            return f"a phase of the mbarrier expects {number} bytes, but copies of {other} are in flight"
        case b"parity":
            return f"expected the parity 0 or 1, found {number}"
        case b"state":
            return "the state belongs to a phase before the previous one"
        case b"other-block":
            return "expected an mbarrier of this block, found one of another block of the cluster"
        case b"cluster-arrive":
            return "a thread arrives again at the barrier of its cluster before it has waited"
        case b"cluster-wait":
            return "a thread waits at the barrier of its cluster, at which it has not arrived"
        case _:
            return "__syncthreads() is barrier 0, at which other threads wait with a count"


def mask_message(record: FindingRecord) -> str:
    """What is wrong with the mask of an operation of several lanes."""
    mask, other = (f"{lanes & 0xFFFFFFFF:#010x}" for lanes in (record.number, record.other_number))
    match record.text:
        case b"own":
            return f"the mask {mask} does not contain the lane that passes it"
        case b"matrix":
            return f"a matrix instruction needs all lanes of its warp, but lanes {mask} have ended or do not exist"
        case b"ended":
            return f"the mask {mask} names lanes {other}, which have exited"
        case b"source":
            lane = record.other_number
            return f"a lane reads from lane {lane}, which the mask {mask} does not contain, and results depend on it"
        case b"width":
            return f"expected a shuffle's width of 1, 2, 4, 8, 16 or 32, found {record.number}"
        case _:
            return f"lanes of a warp pass different masks, {mask} and {other}"


def operand_message(record: FindingRecord) -> str:
    """What is wrong with the operands of an instruction of warpgroups or clusters."""
    number, other = record.number, record.other_number
    match record.text:
        case b"base":
            return f"expected a descriptor with base offset 0, found {number}"
        case b"address":
            return f"no shared memory lies at the address {number:#x} of a descriptor"
        case b"swizzle":
            words = [f"{16 << one} bytes" if one else "none" for one in (number, other)]
            return f"a copy has stored a factor with a swizzle of {words[0]}, but its descriptor has one of {words[1]}"
        case b"warpgroup":
            return f"a product needs four warps, whose first is a multiple of four; the block has {number} threads"
        case b"sign":
            return f"expected the factors 1 or -1, found {number} and {other}"
        case b"fence":
            changed = "the registers of the sums changed" if other else "it is the first product"
            return f"no wgmma.fence comes before the product: {changed}"
        case b"warps":
            return (
                f"all warps of a group must execute the same products: warp {other} has begun {record.size}, "
                f"warp {number} {record.offset}"
            )
        case b"registers":
            return f"expected a multiple of 8 registers from 24 to 256, found {number}"
        case b"mapped":
            return (
                "expected an address in shared memory to map to another block of the cluster, found another"
            )
        case b"raise" | b"lower":
            word = "fewer" if record.text == b"raise" else "more"
            return f"setmaxnreg requests {number} registers, {word} than the {other} that the warp has"
        case b"all-registers":
            return f"the warps request {number} registers, but a multiprocessor has {other}"
        case b"warps-registers":
            return f"all warps of a group must request the same number of registers: warps {other} and {number} do not"
        case _:
            blocks = "1 block" if other == 1 else f"{other} blocks"
            return f"expected the rank of a block in a cluster of {blocks}, found {number}"
