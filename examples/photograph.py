"""Corners and a smoothed copy of a photograph: RISE programs, compiled for all cores, applied to PNG images.

    python examples/photograph.py [PHOTOGRAPH] [-o FOLDER] [--size N]

Reads a photograph (by default examples/photograph.png) in grey, and crops it to the middle with `--size`. Writes
`corners.png`, the photograph with the corners of Harris and Stephens marked in red, and `smooth.png`, in which the
bilateral filter has removed noise but not edges. Prints what each step did, and how far it is from the program's
meaning.

The photograph is `camera` of scikit-image (https://scikit-image.org), by Lav Varshney, CC0; each pixel is the mean of
four of the original. Images are read and written by Pillow (the extra `images`).
"""

import argparse
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import elevate
import rise
import shine
import strategies
from shine.targets import TARGETS

try:
    from PIL import Image
except ImportError as error:
    raise SystemExit(
        "error: pictures are read and written by Pillow, which is not installed\n"
        "hint: pip install 'rise-shine[images]', or pip install pillow"
    ) from error

HERE = Path(__file__).resolve().parent
Picture = NDArray[np.float32]
#: the minimum strength of a marked corner, relative to the strongest one
LEAST = 0.05
#: the weights of a pixel and its neighbours in the filter, by position
PLACES = np.array([0.1, 0.3, 0.1, 0.3, 0.5, 0.3, 0.1, 0.3, 0.1], np.float32)
#: the larger this is, the smaller the differences of brightness that count as edges
STEEPNESS = 12.0
PASSES = 6


def main() -> None:
    """Read, compute, write."""
    given = parsed()
    photograph = middle(read(given.photograph), given.size)
    print(f"{given.photograph.name}: {photograph.shape[0]} x {photograph.shape[1]}")
    # Two 3 x 3 windows are applied in sequence, so the input needs two more pixels on each side than the result.
    strength = run("corners", np.pad(photograph, 2, mode="edge"))
    found = corners(strength)
    smooth = photograph
    for turn in range(PASSES):
        smooth = run("bilateral", PLACES, STEEPNESS, smooth, told=turn == 0)
    given.output.mkdir(parents=True, exist_ok=True)
    write(given.output / "corners.png", marked(photograph, found))
    write(given.output / "smooth.png", smooth)
    print(f"{given.output / 'corners.png'}: {int(found.sum())} corners")
    print(f"{given.output / 'smooth.png'}: {PASSES} passes of the bilateral filter")


def parsed() -> argparse.Namespace:
    """The parsed command line."""
    parser = argparse.ArgumentParser(description="Find the corners of a photograph, and smooth it.")
    parser.add_argument("photograph", nargs="?", type=Path, default=HERE / "photograph.png")
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--size", type=int, help="take the middle, of so many rows and columns at most")
    return parser.parse_args()


def run(name: str, *arguments: Any, told: bool = True) -> Picture:
    """The result of a program of this folder, lowered by the default strategy and compiled."""
    kernel = compiled(name)
    start = time.perf_counter()
    result: Picture = kernel(*arguments)
    took = time.perf_counter() - start
    if told:
        meant = rise.evaluate(program(name), *arguments)
        agrees = np.allclose(result, meant, rtol=1e-4, atol=1e-4 * np.abs(meant).max())
        print(f"{name}: {took * 1e3:.1f} ms, {'agrees' if agrees else 'differs'}")
    return result


def program(name: str) -> rise.Expr:
    """The program of a file beside this one, or in `images/`."""
    beside = HERE / f"{name}.rise"
    return rise.parse_file(beside if beside.exists() else HERE / "images" / beside.name).main


@cache
def compiled(name: str) -> shine.Kernel:
    """The kernel of a program, for images of any size."""
    result = strategies.load(TARGETS["openmp"].strategy)(program(name))
    assert isinstance(result, elevate.Success), result
    return shine.compile(result.program, target="openmp")


def corners(strength: Picture) -> NDArray[np.bool_]:
    """The pixels that are strong and have no stronger neighbour."""
    around = sliding_window_view(np.pad(strength, 1, mode="edge"), (3, 3)).max(axis=(2, 3))
    found: NDArray[np.bool_] = (strength == around) & (strength > LEAST * strength.max(initial=0.0))
    return found


def marked(photograph: Picture, found: NDArray[np.bool_]) -> Picture:
    """The photograph as a colour image, with a red cross at each position found."""
    cross = found.copy()
    cross[1:] |= found[:-1]
    cross[:-1] |= found[1:]
    cross[:, 1:] |= found[:, :-1]
    cross[:, :-1] |= found[:, 1:]
    return np.where(cross[:, :, None], np.array([1, 0, 0], np.float32), photograph[:, :, None])


def read(path: Path) -> Picture:
    """Read an image in grey, from 0 to 1."""
    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("L"), np.float32) / np.float32(255)
    except OSError as error:
        raise SystemExit(f"error: {path} is not read as a picture: {error}") from error


def write(path: Path, picture: Picture) -> None:
    """Write a grey or colour image, from 0 to 1."""
    Image.fromarray(np.round(picture.clip(0, 1) * 255).astype(np.uint8)).save(path)


def middle(picture: Picture, size: int | None) -> Picture:
    """The middle of an image, with the given numbers of rows and columns."""
    if size is None:
        return picture
    top, left = (max(0, (have - size) // 2) for have in picture.shape)
    return picture[top : top + size, left : left + size]


if __name__ == "__main__":
    main()
