"""Pictures of schedules. `python -m tests.strategies.fireiron.test_pictures` redraws those of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rise
from elevate import StrategyError
from examples.fireiron.listings import LISTINGS, listing1, listing2, listing4, listing5
from strategies.fireiron import GL, RF, SH, A, B, Block, MatMul, Move, Schedule, Thread, read_schedule
from strategies.fireiron.regions import Region
from tests.cli.commands import EXAMPLES, shine
from tests.strategies.fireiron.products import SINGLE, TRANSPOSED, program_for

ROOT = Path(__file__).parents[3]
PICTURE = ROOT / "docs" / "pictures" / "listing2.svg"
SVG = "{http://www.w3.org/2000/svg}"
SIZES = {"M": 256, "N": 256, "K": 64}


def picture_of_page() -> str:
    return listing2.picture(rise.specialise(SINGLE, **SIZES))


def chains(parts: Sequence[Region]) -> Iterator[Sequence[Region]]:
    """The parts of a schedule, and those of its moves."""
    yield parts
    for part in parts:
        for _, moved in part.moves:
            yield from chains(moved)


def test_each_part_of_a_move_is_connected_to_the_part_before_it() -> None:
    program = rise.specialise(TRANSPOSED, **SIZES)
    picture = ElementTree.fromstring(listing4.picture(program))
    lines = [
        {name: float(line.attrib[name]) for name in ("x1", "x2", "y1", "y2")}
        for line in picture.iter(f"{SVG}line")
    ]
    titles = [text for text in picture.iter(f"{SVG}text") if text.attrib.get("font-weight") == "bold"]
    of_moves = [
        (float(text.attrib["x"]), float(text.attrib["y"])) for text in titles if text.attrib["x"] != "16"
    ]
    parts = [part for region in listing4.regions(program) for _, moved in region.moves for part in moved]
    assert len(of_moves) == len(parts) > 10
    for x, y in of_moves:
        # a line ends at the matrices of the part, which are below its title; others lead from there to the part before
        (last,) = (line for line in lines if line["x2"] == x - 4 and 0 < line["y2"] - y < 100)
        middle = [
            line for line in lines if line["x2"] == line["x1"] == last["x1"] and line["y2"] == last["y2"]
        ]
        assert any(line["x2"] == last["x1"] and line["y2"] == one["y1"] for one in middle for line in lines)


def test_the_parts_of_a_schedule_have_places_sizes_and_moves() -> None:
    schedule = MatMul.tile(64, 64).to(Block).epilog(RF, store=Move.tile(8, 8).to(Thread)).split(8)
    schedule = schedule.load(A, SH).pad(1).load(B, SH).tile(8, 8).to(Thread).split(1)
    schedule = schedule.load(A, RF).load(B, RF).tile(1, 1).done
    parts = schedule.regions(rise.specialise(SINGLE, M=128, N=64, K=32))
    assert [str(part) for part in parts] == [
        "MatMul(128, 64, 32)  A: 128 x 32 in GL, 16,384 bytes; B: 32 x 64 in GL, 8,192 bytes; "
        "C: 128 x 64 in GL, 32,768 bytes",
        ".tile(64, 64).to(Block) .epilog(RF) (2 x 1 Blocks)  A: 64 x 32 in GL, 8,192 bytes; "
        "B: 32 x 64 in GL, 8,192 bytes; C: 64 x 64 in RF, 16,384 bytes",
        ".split(8) .load(A, SH).pad(1) .load(B, SH) (4 iterations)  A: 64 x 8 in SH, 2,304 bytes; "
        "B: 8 x 64 in SH, 2,048 bytes; C: 64 x 64 in RF, 16,384 bytes",
        ".tile(8, 8).to(Thread) (8 x 8 Threads)  A: 8 x 8 in SH, 256 bytes; B: 8 x 8 in SH, 256 bytes; "
        "C: 8 x 8 in RF, 256 bytes",
        ".split(1) .load(A, RF) .load(B, RF) (8 iterations)  A: 8 x 1 in RF, 32 bytes; B: 1 x 8 in RF, 32 bytes; "
        "C: 8 x 8 in RF, 256 bytes",
        ".tile(1, 1) .done (8 x 8 tiles)  A: 1 x 1 in RF, 4 bytes; B: 1 x 1 in RF, 4 bytes; C: 1 x 1 in RF, 4 bytes",
    ]
    assert parts[-1].executed == "fma"
    ((name, moved),) = parts[1].moves
    assert name == "store" and [str(part) for part in moved] == [
        "store: RF to GL  C: 64 x 64 in GL, 16,384 bytes",
        ".tile(8, 8).to(Thread) (8 x 8 Threads)  C: 8 x 8 in GL, 256 bytes",
    ]


def test_the_bytes_of_padded_copies_are_those_that_are_stored() -> None:
    """If stored by columns, the columns are padded; aligned rows begin at multiples."""
    split = MatMul.tile(64, 32).to(Block).epilog(RF).split(8)
    for schedule, size in (
        (split.load(A, SH), 64 * 8),
        (split.load(A, SH).pad(4), 64 * 12),
        (split.load(A, SH).toColMajor.pad(4), 8 * 68),
        (split.load(A, SH).align(16), 64 * 16),
        (split.load(A, SH).pad(9).align(16), 64 * 32),
    ):
        a, *_ = schedule.regions(SINGLE)[-1].matrices
        assert a.location is SH and a.bytes == 4 * size, schedule


@pytest.mark.parametrize("name", LISTINGS)
def test_the_tiles_of_a_part_cover_its_matrices(name: str) -> None:
    """A tile divides the matrix that is split, and matrices only move closer: from global memory to fragments."""
    schedule = LISTINGS[name]
    order = (GL, SH, RF)
    for parts in chains(schedule.regions(program_for(schedule))):
        for outer, inner in pairwise(parts):
            assert outer.cut is not None, outer
            for whole, tile in zip(outer.matrices, inner.matrices, strict=True):
                for size, part in ((whole.rows, tile.rows), (whole.columns, tile.columns)):
                    assert isinstance(size, str) or (isinstance(part, int) and size % part == 0), (
                        whole,
                        tile,
                    )
                if whole.location in order and tile.location in order and len(parts[0].matrices) > 1:
                    assert order.index(whole.location) <= order.index(tile.location), (whole, tile)
                assert whole.element == tile.element is not None


@pytest.mark.parametrize("name", LISTINGS)
def test_a_picture_shows_each_step_and_matrix(name: str) -> None:
    schedule = LISTINGS[name]
    root = ElementTree.fromstring(schedule.picture(program_for(schedule)))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    shown = [element.text for element in root.iter(f"{SVG}title")]
    for parts in chains(schedule.regions(program_for(schedule))):
        for part in parts:
            for matrix in part.matrices:
                assert str(matrix) in texts and str(matrix) in shown
            assert set(part.steps) <= set(texts)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter(f"{SVG}rect"):
        x, y, wide, tall = (float(element.attrib[key]) for key in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width and 0 <= y <= y + tall <= height


def test_strided_tiles_are_drawn_in_pieces() -> None:
    """Two pieces of rows and two of columns in the tile of a warp, and one piece without strides."""

    def pieces(schedule: Schedule) -> int:
        root = ElementTree.fromstring(schedule.picture(TRANSPOSED))
        return sum(element.attrib["fill"] == "none" for element in root.iter(f"{SVG}rect"))

    straight = read_without_strides(listing4)
    assert pieces(listing4) - pieces(straight) == 3 + 1 + 1 + 2 * 3  # of C, A and B; of C in moves


def read_without_strides(schedule: Schedule) -> Schedule:
    return read_schedule(str(schedule).replace("Strided((4, 32), (4, 16))", "8, 8"))


def test_notebooks_show_a_picture_without_a_program() -> None:
    assert "128 x 8 in SH<" in listing1._repr_svg_()
    assert "rows x columns in SH<" in Move.tile(8, 8).to(Thread).picture()


def test_the_picture_of_the_page_is_current() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture_of_page(), "make pages"


def test_the_command_writes_a_picture(tmp_path: Path) -> None:
    output = tmp_path / "tiles.svg"
    sizes = [argument for name, size in SIZES.items() for argument in ("--size", f"{name}={size}")]
    command = ["show", EXAMPLES / "mm.rise", "--schedule", "examples.fireiron.listings:listing2", *sizes]
    assert shine(*command, "--output", output).status == 0
    assert output.read_text(encoding="utf-8") == picture_of_page()
    found = shine(*command, "--json").facts
    assert found["picture"] == picture_of_page() and found["schedule"] == str(listing2)


def test_the_command_reads_the_text_of_any_kind_of_schedule(tmp_path: Path) -> None:
    contraction = "Contract('mk,kn->mn').tile(64, 64).to(Core).load(B, CA).tile(1, 1).done"
    found = shine("show", EXAMPLES / "mm.rise", "--schedule", contraction, "--json").facts
    assert found["schedule"] == contraction and "a packed copy in the cache" in found["picture"]


def test_the_command_calls_a_function_that_returns_a_schedule(tmp_path: Path) -> None:
    command = (
        "show",
        EXAMPLES.parent / "cases" / "gemm_plain.rise",
        "--schedule",
        "examples.fireiron.listings:listing5",
    )
    sizes = ("--size", "M=128", "--size", "N=128", "--size", "K=64")
    found = shine(*command, "-p", "depth=64", "-p", "rows=64", *sizes, "--json").facts
    assert found["schedule"] == str(listing5(64, 64))


@pytest.mark.parametrize(
    ("arguments", "code", "title"),
    [
        (
            ["examples.fireiron.listings:listing5", "-p", "deep=64"],
            "schedule",
            "unexpected keyword argument 'deep'",
        ),
        (
            ["examples.fireiron.listings:listing2", "-p", "depth=64"],
            "schedule",
            "takes no parameters, found depth",
        ),
        (["x"], "schedule", "expected a schedule as module:name or as text, found `x`"),
        (["examples.fireiron.listings:listing9"], "schedule", "has no schedule `listing9`"),
        (["examples.fireiron.listings:LISTINGS"], "schedule", "found a Python value of type dict"),
        (["MatMul.tile(8, 8"], "schedule", "found a syntax error"),
        (["MatMul.tile(8, 8)"], "schedule", "expected a schedule that ends in `done`"),
        (["x", "--strategy", "a:b"], "options", "expected --schedule or --strategy, found both"),
        (["x", "--stage", "source"], "options", "found an option of stages"),
        (["x", "--output", "x.png"], "options", "expected a file that ends in .svg"),
        (["examples.fireiron.listings:listing1"], "strategy-failed", "does not apply to `main`"),
    ],
)
def test_the_command_rejects_values_that_are_not_schedules(
    arguments: list[str], code: str, title: str
) -> None:
    said = shine("show", EXAMPLES / "mm.rise", "--schedule", *arguments)
    assert said.status != 0 and not said.out
    assert said.err.startswith(f"error[{code}]") and title in said.err


def test_a_program_without_the_product_is_refused() -> None:
    dot = rise.parse("fun(xs: N.f32 => xs |> reduce(add, 0.0))").main
    with pytest.raises(StrategyError, match=r"expected a program with MatMul\(M, N, K\)"):
        listing2.regions(dot)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture_of_page(), encoding="utf-8")
