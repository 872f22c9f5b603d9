"""Messages about barriers of some threads of a block, from the records of the runtime."""

from __future__ import annotations

from shine.simulator.records import FindingRecord


def named_wait(record: FindingRecord) -> str:
    """What threads wait for at a barrier by its number."""
    return f"barrier {record.offset} needs {record.other_number} threads and {record.number} have arrived"


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
        case _:
            return "__syncthreads() is barrier 0, at which other threads wait with a count"
