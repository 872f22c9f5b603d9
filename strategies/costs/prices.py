"""The costs of storing on a machine, in units of additions, and default values of unknown sizes."""

from __future__ import annotations

from typing import Final

from rise.records import dataclass


@dataclass(frozen=True, slots=True)
class Prices:
    """Costs of memory, for each number that is stored and loaded again.

    - `near`: in registers and the caches of a core.
    - `far`: in memory that all cores share.
    - `load`: for loading a number from a table next to another one instead of computing it.
    - `truth`: for converting a truth value to a byte that is stored, or back, as a vector holds it in as many bits as
      the numbers that it selects.
    - `near_numbers`: how many numbers stay near.
    - `typical_size`: the value that is assumed for unknown sizes.
    - `copied_nodes`: the maximum number of nodes of a term that may be duplicated in a program.
    - `copies`: how often the program may then contain it; all copies have at most three times as many nodes.
    """

    near: int
    far: int
    load: int
    truth: int
    near_numbers: int
    typical_size: int
    copied_nodes: int
    copies: int


#: near: a store and a load in the first cache; far: 4 bytes written and read again at 2 to 5 bytes a cycle of one core,
#: while it does four additions; a second-level cache of 256 KiB of f32
PROCESSOR: Final = Prices(
    near=2, far=24, load=8, truth=4, near_numbers=1 << 16, typical_size=1024, copied_nodes=40, copies=8
)
#: near: in the shared memory of a block, which holds arrays of known, small size; far: 8 bytes written and read at
#: 1,555 GB/s, as an A100's data sheet says, take as long as 50 of its operations on f32, and less where a cache
#: has them. A size that is not known is larger than what is near.
GRAPHICS: Final = Prices(
    near=4, far=32, load=8, truth=0, near_numbers=1 << 12, typical_size=1 << 16, copied_nodes=64, copies=8
)
