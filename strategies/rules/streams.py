"""Processes windows in order: results for one window are kept for the next (CGO 2021, section 4)."""

from __future__ import annotations

from strategies.equations.rule import family, rule

slideToCircularBuffer = family(
    "slide sz 1 xs = circularBuffer (sz + more) sz (fun(x => x)) xs",
    parameters=("more",),
    why="Keep the elements of a window, and `more` others, in a ring buffer.",
    names=("sz",),
)
slideToRotateValues = rule(
    "slide sz 1 xs = rotateValues sz (fun(x => x)) xs",
    why="Keep the elements of a window in registers, and rotate them.",
    names=("sz",),
)
mapToIterateStream = rule(
    "map f xs = iterateStream f xs", why="Take one element after the other, as it is computed."
)
mapToMapStream = rule("map f xs = mapStream f xs", why="Compute each element when it is requested.")
bufferMap = rule(
    "circularBuffer a sz f (map g xs) = circularBuffer a sz (fun(x => f (g x))) xs",
    why="Compute each element once, before it enters the ring buffer.",
    names=("sz",),
)
rotateMap = rule(
    "rotateValues sz f (map g xs) = rotateValues sz (fun(x => f (g x))) xs",
    why="Compute each element once, before it enters the registers.",
    names=("sz",),
)
