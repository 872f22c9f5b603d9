"""Case study: a binomial filter and Harris, from nine reads per pixel to one loop over lines and vectors, compared with
peers.

Run as `python examples/images_study.py`, or with a height, a width and a number of threads:
`python examples/images_study.py 2560 1536 2`. The peers are installed by `make peers`; missing ones are left out.
"""

from __future__ import annotations

import sys

import numpy as np
from _page import ROOT, study

CHOSEN = {
    name: (f"strategies.images:{name}", {})
    for name in ("naive", "scanline", "cbuf", "vectorised", "parallel")
}
PEERS = ("halide", "opencv")


def main(height: int, width: int, threads: int) -> None:
    """Run on images with the given numbers of lines and columns."""
    rng = np.random.default_rng(0)
    image = rng.random((3, height, width), dtype=np.float32)
    places = 1e-6 * height * width
    for kernel, argument in (("binomial", image[0]), ("harris", image)):
        text = (ROOT / "examples" / "images" / f"{kernel}.rise").read_text(encoding="utf-8")
        study(kernel, text, CHOSEN, [argument], PEERS, threads, (places, "million places/s"))


if __name__ == "__main__":
    main(*(int(one) for one in (sys.argv[1:] + ["70", "131", "1"][len(sys.argv) - 1 :])[:3]))
