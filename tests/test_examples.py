"""Examples that are programs run, at small sizes, and print what they did."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

from tests import forks, required_tools

ROOT = Path(__file__).resolve().parents[1]


def ran(*command: str) -> str:
    done = run(*command)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(*command: str, before: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run a program, which finds modules in the folders `before` first."""
    path = os.pathsep.join(map(str, (*before, ROOT)))
    done = forks.run([sys.executable, *command], env=forks.environment(PYTHONPATH=path))
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_seven_matrix_products_run_and_agree() -> None:
    lines = ran(str(ROOT / "examples" / "cpu_gemm.py"), "32").splitlines()
    assert [line.split()[0] for line in lines[1:8]] == [
        "baseline",
        "blocking",
        "vectorization",
        "loopPerm",
        "arrayPacking",
        "cacheBlocks",
        "parallel",
    ]
    assert lines[1].endswith("M, N, K")
    assert lines[-1] == "sizes are free where 32 divides N, 32 divides M, 4 divides K"


def test_a_product_waits_once_for_what_it_copies() -> None:
    """Two tiles in each step, in the simulator's check build."""
    before, after = ran(str(ROOT / "examples" / "asynchronous_copies.py")).split("asynchronously:")
    assert "pipeline" not in before and before.count("vec<__half, 8>*") == 4
    assert [after.count(one) for one in ("memcpy_async", "commit", "wait_prior", "__sync")] == [2, 1, 1, 2]


def test_a_matrix_transposed_twice_is_itself() -> None:
    """In a language that is defined in the example."""
    lines = ran(str(ROOT / "examples" / "f_smooth.py")).splitlines()
    assert lines[0].strip() == "transpose(transpose(m))"
    assert lines[-1].split() == ["buildGet", "m"]


def test_a_case_study_shows_a_matrix_product_from_program_to_bar_chart() -> None:
    page = ran(str(ROOT / "examples" / "gemm_study.py"), "32")
    assert sections(page) == ["program", *4 * ["derivation"], "code", "speed"]
    assert "|> transpose" in page and "mapToMapSeq" in page and "for (int64_t m_block" in page
    bars = page.partition("speed:")[2]
    assert all(name in bars for name in ("ours: baseline", "ours: packed", "ours: microKernel", "numpy"))


def test_a_case_study_shows_kernels_over_rows() -> None:
    page = ran(str(ROOT / "examples" / "rows_study.py"), "33")
    assert sections(page) == 3 * ["program", "derivation", "derivation", "code", "speed"]
    assert page.count("ours: parallel") == 3


def test_a_case_study_shows_pipelines_of_stencils() -> None:
    page = ran(str(ROOT / "examples" / "images_study.py"), "9", "21")
    assert sections(page) == 2 * ["program", *(5 * ["derivation"]), "code", "speed"]
    assert "load_first_f32x16" in page and "from_2_f32x16" in page
    assert page.count("ours: vectorised") == 2


def sections(page: str) -> list[str]:
    """The headings of the parts of a page."""
    return [line.split(":")[0] for line in page.splitlines() if line.endswith("──")]


def test_functions_of_numpy_are_programs_and_kernels() -> None:
    lines = ran(str(ROOT / "examples" / "embedding.py"), "8").splitlines()
    assert [line.split()[0] for line in lines] == ["softmax", "layer", "heat", "blur"]
    assert all(line.endswith("agrees") for line in lines)


PHOTOGRAPH = ROOT / "examples" / "photograph.py"
hasPillow = required_tools.needs(required_tools.PILLOW, required_tools.has_module("PIL"))


@hasPillow
def test_corners_of_a_photograph_are_marked_and_it_is_smoothed(tmp_path: Path) -> None:
    image = import_module("PIL.Image")
    lines = ran(str(PHOTOGRAPH), "-o", str(tmp_path), "--size", "96").splitlines()
    assert lines[0] == "photograph.png: 96 x 96"
    assert [line.split()[-1] for line in lines[1:3]] == ["agrees", "agrees"]
    marked, smooth = (np.asarray(image.open(tmp_path / f"{name}.png")) for name in ("corners", "smooth"))
    assert marked.shape == (96, 96, 3) and smooth.shape == (96, 96)
    crosses = int((marked == (255, 0, 0)).all(axis=2).sum())
    count = int(lines[3].split()[-2])
    assert 0 < count <= crosses <= 5 * count
    with image.open(PHOTOGRAPH.with_suffix(".png")) as photograph:
        before = np.asarray(photograph)[80:-80, 80:-80]
    assert np.abs(np.diff(smooth.astype(int))).mean() < np.abs(np.diff(before.astype(int))).mean()


@hasPillow
def test_a_file_that_is_not_a_photograph_is_reported() -> None:
    done = run(str(PHOTOGRAPH), str(PHOTOGRAPH))
    assert done.returncode == 1
    assert done.stderr.startswith("error:") and "photograph.py is not read as a picture" in done.stderr


def test_a_photograph_needs_the_extra(tmp_path: Path) -> None:
    (tmp_path / "PIL.py").write_text("raise ImportError('as if it were absent')\n")
    done = run(str(PHOTOGRAPH), before=(tmp_path,))
    assert done.returncode == 1
    assert "pip install 'rise-shine[images]'" in done.stderr
