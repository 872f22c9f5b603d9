"""Draws schedules as SVG, like figure 1 of the Fireiron paper (PACT 2020). All lengths are in pixels.

Depends on the regions of a schedule, but not on steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from math import log2
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rise.records import dataclass
from strategies.fireiron.regions import Matrix, Piece, Region
from strategies.fireiron.specs import CA, FR, GL, RF, SH, Location, Size

COLOURS: Final = {GL: "#d9d9d9", SH: "#9ecae9", RF: "#fdbf7c", FR: "#a9dba0", CA: "#c9b6e4"}
NAMES: Final = {
    GL: "global memory",
    SH: "shared memory",
    RF: "registers",
    FR: "fragments",
    CA: "a packed copy in the cache",
}
#: the longest and the shortest side of a matrix, and the shortest side of a tile
LONGEST, SHORTEST, SMALLEST = 96.0, 10.0, 3.0
GAP, LINE, MARGIN = 8.0, 15.0, 16.0
CHARACTER = 6.7
MAX_LINES = 16
#: the number of tiles that are drawn along a side whose number of tiles is not known
UNKNOWN_TILES = 4
INK, TILE, GRID = "#222222", "#c1272d", "#7f7f7f"


@dataclass(slots=True)
class Canvas:
    """The elements of a picture, and the extent of these."""

    root: Element = field(
        default_factory=lambda: Element(
            "svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": "monospace"}
        )
    )
    width: float = 0.0
    height: float = 0.0

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str, about: str = ""
    ) -> None:
        """Add a rectangle, with a tooltip `about`."""
        shape = SubElement(self.root, "rect", _numbers(x=x, y=y, width=width, height=height))
        shape.attrib |= {"fill": fill, "stroke": stroke}
        if about:
            SubElement(shape, "title").text = about
        self._reach(x + width, y + height)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, dashed: bool = False) -> None:
        """Add a line."""
        shape = SubElement(self.root, "line", _numbers(x1=x1, y1=y1, x2=x2, y2=y2))
        shape.attrib |= {"stroke": stroke, **({"stroke-dasharray": "2 2"} if dashed else {})}
        self._reach(max(x1, x2), max(y1, y2))

    def text(self, x: float, y: float, text: str, bold: bool = False) -> None:
        """Add a line of text; y is its baseline."""
        weight = {"font-weight": "bold"} if bold else {}
        element = SubElement(
            self.root, "text", {**_numbers(x=x, y=y), "font-size": "11", "fill": INK, **weight}
        )
        element.text = text
        self._reach(x + CHARACTER * len(text), y)

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def shown(self) -> str:
        """The picture as SVG text."""
        width, height = self.width + MARGIN, self.height + MARGIN
        self.root.attrib |= {
            **_numbers(width=width, height=height),
            "viewBox": f"0 0 {_number(width)} {_number(height)}",
        }
        indent(self.root, " ")
        return tostring(self.root, encoding="unicode") + "\n"


@dataclass(frozen=True, slots=True)
class Scale:
    """Lengths of sides: proportional to the logarithms of sizes, since these differ by orders of magnitude. Unknown
    sizes have the greatest length.
    """

    largest: int

    def __call__(self, size: Size) -> float:
        if not isinstance(size, int) or self.largest < 2:
            return LONGEST
        return SHORTEST + (LONGEST - SHORTEST) * log2(size) / log2(self.largest) * 0.9


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where a region is in a picture: how far it reaches to the left, to the right and down, and the height of lines to
    its matrices, the last of which ends at `edge` there.
    """

    left: float
    right: float
    below: float
    edge: float
    level: float


def drawn(regions: Sequence[Region]) -> str:
    """The regions of a schedule as SVG, one below the other, with the moves of each to its right."""
    canvas = Canvas()
    scale = Scale(max((size for size in _sizes(regions) if isinstance(size, int)), default=1))
    y = _legend(canvas, _locations(regions))
    last: tuple[float, float] | None = None
    for region in regions:
        x = MARGIN
        if last is not None:
            canvas.line(last[0], last[1], last[0], y - LINE + 4, INK)
        drawn_here = _draw_region(canvas, region, x, y, scale)
        below = drawn_here.below
        last = (x + 4, below)
        move_y = y
        for _, moved in region.moves:
            bottom, before = move_y, drawn_here
            for one in moved:
                after = _draw_region(canvas, one, before.right + 2 * MARGIN, move_y, scale)
                _connect(canvas, before, after)
                bottom, before = max(bottom, after.below), after
            move_y = bottom + 2 * LINE
            below = max(below, bottom)
        y = below + 3 * LINE
    return canvas.shown()


def _connect(canvas: Canvas, before: Drawn, after: Drawn) -> None:
    """Draw a line from the matrices of a region to those of a region to its right, perhaps further below."""
    middle, end = before.right + MARGIN, after.left - 4
    canvas.line(before.edge + 4, before.level, middle, before.level, INK)
    canvas.line(middle, before.level, middle, after.level, INK)
    canvas.line(middle, after.level, end, after.level, INK)


def _draw_region(canvas: Canvas, region: Region, x: float, y: float, scale: Scale) -> Drawn:
    """Draw a region with its texts."""
    lines = [*region.steps, *([region.count] if region.count else [])]
    if region.executed:
        lines.append(f"executed by {region.executed}")
    wide = 0.0
    for number, text in enumerate(lines):
        canvas.text(x, y + number * LINE, text, bold=number == 0)
        wide = max(wide, CHARACTER * len(text))
    top = y + (len(lines) - 1) * LINE + GAP
    places = _places(region, x, top, scale)
    for matrix, (left, above, width, height) in zip(region.matrices, places, strict=True):
        canvas.rectangle(left, above, width, height, COLOURS[matrix.location], INK, str(matrix))
        if region.cut is not None:
            _draw_cut(canvas, region.cut, matrix, (left, above, width, height))
    below = max(above + height for _, above, _, height in places)
    for matrix in region.matrices:
        below += LINE
        canvas.text(x, below, str(matrix))
        wide = max(wide, CHARACTER * len(str(matrix)))
    level = top + SHORTEST / 2
    edge = max(left + width for left, above, width, height in places if above <= level <= above + height)
    right = max(left + width for left, _, width, _ in places)
    return Drawn(x, max(x + wide, right), below + GAP, edge, level)


Rectangle = tuple[float, float, float, float]


def _places(region: Region, x: float, y: float, scale: Scale) -> list[Rectangle]:
    """The rectangles of matrices, side by side; for a product, A is to the left of C, and B above it."""
    if len(region.matrices) == 3 and region.spec.kind.multiplies:
        a, b, _ = region.matrices
        m, k, n = scale(a.rows), scale(a.columns), scale(b.columns)
        return [(x, y + k + GAP, k, m), (x + k + GAP, y, n, k), (x + k + GAP, y + k + GAP, n, m)]
    places: list[Rectangle] = []
    for matrix in region.matrices:
        places.append((x, y, scale(matrix.columns), scale(matrix.rows)))
        x += scale(matrix.columns) + GAP
    return places


def _draw_cut(canvas: Canvas, cut: Sequence[Piece], matrix: Matrix, place: Rectangle) -> None:
    """Draw the lines between the tiles of a matrix, and the first tile."""
    left, above, width, height = place
    pieces = {piece.axis: piece for piece in cut}
    if not pieces.keys() & set(matrix.axes):
        return
    down, along = (None, None, *map(pieces.get, matrix.axes))[-2:]
    pieces_y = list(_pieces(matrix.rows, down, height))
    pieces_x = list(_pieces(matrix.columns, along, width))
    for length, part, whole, is_row in (
        (height, down, matrix.rows, True),
        (width, along, matrix.columns, False),
    ):
        for at, known in _between(whole, part, length):
            if is_row:
                canvas.line(left, above + at, left + width, above + at, GRID, not known)
            else:
                canvas.line(left + at, above, left + at, above + height, GRID, not known)
    for top, tall in pieces_y:
        for start, wide in pieces_x:
            canvas.rectangle(left + start, above + top, wide, tall, "none", TILE)


def _pieces(whole: Size, piece: Piece | None, length: float) -> Iterator[tuple[float, float]]:
    """The start and the length of each piece of the first tile along a side."""
    if piece is None or not isinstance(piece.size, int):
        yield 0.0, length
    elif not isinstance(whole, int):
        yield 0.0, length / UNKNOWN_TILES
    else:
        share = length / whole
        starts = range(0, whole, piece.stride or whole)
        for start in starts if len(starts) <= MAX_LINES else starts[:1]:
            yield start * share, min(length, max(SMALLEST, piece.size * share))


def _between(whole: Size, piece: Piece | None, length: float) -> Iterator[tuple[float, bool]]:
    """The boundaries of tiles along a side, each with whether the number of tiles is known; none if there are too many
    to draw.
    """
    if piece is not None and isinstance(piece.size, int):
        count = whole // piece.size if isinstance(whole, int) else UNKNOWN_TILES
        if count <= MAX_LINES:
            for number in range(1, count):
                yield number * length / count, isinstance(whole, int)


def _legend(canvas: Canvas, locations: Sequence[Location]) -> float:
    """Draw the colours of the locations; returns where the picture below them begins."""
    x = MARGIN
    for location in locations:
        canvas.rectangle(x, MARGIN / 2, LINE - 3, LINE - 3, COLOURS[location], INK)
        text = f"{location}: {NAMES[location]}"
        canvas.text(x + LINE + 2, MARGIN / 2 + LINE - 5, text)
        x += LINE + CHARACTER * len(text) + 2 * MARGIN
    return MARGIN / 2 + 3 * LINE


def _all(regions: Sequence[Region]) -> Iterator[Region]:
    for region in regions:
        yield region
        for _, moved in region.moves:
            yield from _all(moved)


def _sizes(regions: Sequence[Region]) -> Iterator[Size]:
    for region in _all(regions):
        for matrix in region.matrices:
            yield from (matrix.rows, matrix.columns)


def _locations(regions: Sequence[Region]) -> list[Location]:
    used = {matrix.location for region in _all(regions) for matrix in region.matrices}
    return [location for location in COLOURS if location in used]


def _numbers(**values: float) -> dict[str, str]:
    return {name: _number(value) for name, value in values.items()}


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
