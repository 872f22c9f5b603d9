"""OpenCV: filters of images in single precision, on one plane."""

from __future__ import annotations

import cv2
import numpy as np

from peers import Array, Peer, Run

BINOMIAL = np.array([0.25, 0.5, 0.25], np.float32)


def binomial(image: Array) -> Run:
    """OpenCV also computes the edge, repeating the nearest pixels beyond it; the result is cropped to the interior."""
    out = np.empty_like(image)

    def run() -> Array:
        cv2.sepFilter2D(image, -1, BINOMIAL, BINOMIAL, out, borderType=cv2.BORDER_REPLICATE)
        return out[1:-1, 1:-1]

    return run


def harris(image: Array) -> Run:
    """`cvtColor` of interleaved colours, as OpenCV stores them, and `cornerHarris`, cropped to the interior."""
    colours = np.ascontiguousarray(image.transpose(1, 2, 0))
    gray, out = np.empty(image.shape[1:], image.dtype), np.empty(image.shape[1:], image.dtype)

    def run() -> Array:
        cv2.cvtColor(colours, cv2.COLOR_RGB2GRAY, gray)
        cv2.cornerHarris(gray, 3, 3, 0.04, out)
        return out[2:-2, 2:-2]

    return run


def peer(threads: int) -> Peer:
    """OpenCV, with its threads set by `setNumThreads`."""
    cv2.setNumThreads(threads)
    return Peer("opencv", cv2.__version__, "cv2.setNumThreads", {"binomial": binomial, "harris": harris})
