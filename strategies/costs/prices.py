"""What storing costs on a processor, in additions, and the sizes that are assumed where nobody knows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Prices:
    """Costs of memory, for each number that is stored and loaded again.

    - `near`: in registers and the caches of a core.
    - `far`: in memory that all cores share.
    - `load`: to load a number from a table next to another one, instead of computing it.
    - `near_numbers`: as many numbers stay near.
    - `typical_size`: what a size is taken for that is not known.
    """

    near: int
    far: int
    load: int
    near_numbers: int
    typical_size: int


#: near: a store and a load in the first cache; far: 4 bytes written and read again at 2 to 5 bytes a cycle of one core,
#: while it does four additions; a second-level cache of 256 KiB of f32
PROCESSOR: Final = Prices(near=2, far=24, load=8, near_numbers=1 << 16, typical_size=1024)
