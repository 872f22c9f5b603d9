"""Laws of what an installed copy has: every module is in a package, and every other file is listed as its data.

An editable install sees the working tree and hides what is missing.
"""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ("elevate", "rise", "strategies", "shine")


def not_installed(root: Path) -> list[str]:
    """Files of the packages that an installed copy would lack."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    data: dict[str, list[str]] = settings["package-data"]
    missing = []
    for path in (one for name in HOUSE for one in sorted((root / name).rglob("*"))):
        if path.is_dir() or "__pycache__" in path.parts or path.suffix in (".pyc", ".so"):
            continue
        packages = [one for one in path.relative_to(root).parents if (root / one / "__init__.py").exists()]
        if path.suffix == ".py":
            if not (path.parent / "__init__.py").exists():
                missing.append(str(path.relative_to(root)))
            continue
        listed = [
            path.relative_to(root / package).match(pattern)
            for package in packages
            for pattern in (*data["*"], *data.get(".".join(package.parts), ()))
            if len(Path(pattern).parts) == len(path.relative_to(root / package).parts)
        ]
        if not any(listed):
            missing.append(str(path.relative_to(root)))
    return missing


def test_an_installed_copy_has_every_file() -> None:
    assert not_installed(ROOT) == []


@pytest.mark.parametrize("name", ["shine/loose/a.py", "rise/table.csv", "shine/simulator/runtime/deep/a.h"])
def test_a_missing_one_is_noticed(tmp_path: Path, name: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for package in (*HOUSE, "shine/simulator"):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert not_installed(tmp_path) == [name]
