"""Programs written with numpy: the same functions applied to arrays, as RISE programs, and as compiled kernels.

    python examples/embedding.py [N]

Prints, for each function, the type of its program and whether numpy, the program and its kernel agree.
"""

# The annotations are RISE types, not Python types.
# ruff: noqa: F821

import sys

import numpy as np

import elevate
import rise
import shine
import strategies


@rise.program
def softmax(x: "N.M.f32"):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@rise.program
def layer(x: "B.I.f32", w: "O.I.f32", b: "O.f32"):
    return np.maximum(x @ w.T + b, 0)


@rise.program
def heat(u: "N.M.f32"):
    inside = u[1:-1, 1:-1]
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    return inside + 0.1 * (around - 4 * inside)


@rise.program
def blur(image: "H.W.f32"):
    padded = np.pad(image, 1, mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).mean(axis=(2, 3))


def main(size: int) -> None:
    parallel = strategies.load("strategies.openmp:parallel")
    rng = np.random.default_rng(0)
    matrix = rng.random((size, size), np.float32)
    for program, *arguments in (
        (softmax, matrix),
        (layer, matrix, matrix, matrix[0]),
        (heat, matrix),
        (blur, matrix),
    ):
        wanted = program.python(*arguments)
        meant = program(*arguments)
        lowered = parallel(program.main)
        assert isinstance(lowered, elevate.Success), lowered
        kernel = shine.compile(lowered.program, target="openmp")
        agree = np.allclose(meant, wanted, atol=1e-4) and np.allclose(kernel(*arguments), wanted, atol=1e-4)
        print(f"{program.name:8} {program.type}  {'agrees' if agree else 'differs'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
