"""Laws of installed copies: every module is in a package, every other file is listed as its data, and the stated
versions of requirements can be tested.

An editable install uses the working tree, which hides missing files.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools.lowest_versions import lowest, requirements

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("elevate", "rise", "strategies", "shine")


def not_installed(root: Path) -> list[str]:
    """Files of the packages that would be missing in an installed copy."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    data: dict[str, list[str]] = settings["package-data"]
    missing = []
    for path in (one for name in PACKAGES for one in sorted((root / name).rglob("*"))):
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
def test_a_missing_file_is_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for package in (*PACKAGES, "shine/simulator"):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert not_installed(tmp_path) == [name]


def pyproject() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("requirement", "constraint"),
    [
        ("numpy>=2.0,<3", "numpy==2.0"),
        ("numpy<3,>=2.0", "numpy==2.0"),
        ("ml_dtypes >= 0.5", "ml_dtypes==0.5"),
        ("torch==2.13.0", "torch==2.13.0"),
        ("nvidia-cuda-nvrtc==13.0.*", "nvidia-cuda-nvrtc==13.0.*"),
        ("jax[cpu]~=0.10", "jax==0.10"),
        ("tomli>=2; python_version < '3.11'", "tomli==2; python_version < '3.11'"),
    ],
)
def test_the_lowest_version_of_a_requirement(requirement: str, constraint: str) -> None:
    assert lowest(requirement) == constraint


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "numpy!=2.0", ">=2.0"])
def test_a_requirement_without_a_lowest_version_is_refused(requirement: str) -> None:
    with pytest.raises(ValueError, match="expected a lowest version"):
        lowest(requirement)


def test_every_requirement_states_a_lowest_version() -> None:
    """`make lowest` installs these."""
    project = pyproject()["project"]
    extras = project["optional-dependencies"]
    assert len([lowest(one) for one in requirements(project, extras)]) >= len(project["dependencies"])


def test_the_lowest_versions_do_not_contradict_each_other() -> None:
    """pip refuses two constraints for one package: `bench` and `torch` name other versions of PyTorch."""
    project = pyproject()["project"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installed = re.search(r"LOWEST=yes EXTRAS=(\S+)", makefile)
    assert installed
    constraints = {lowest(one) for one in requirements(project, installed[1].split(","))}
    names = [one.split("==")[0] for one in constraints]
    assert sorted(names) == sorted(set(names))


def test_an_extra_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="found `tests`"):
        list(requirements(pyproject()["project"], ["tests"]))


def test_the_tests_run_under_the_stated_versions_of_python() -> None:
    settings = pyproject()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    stated = re.search(r"^PYTHONS := (.*)$", makefile, re.MULTILINE)
    assert stated is not None
    versions = stated[1].split()
    classifiers = settings["project"]["classifiers"]
    assert [f"Programming Language :: Python :: {one}" for one in versions] == [
        one for one in classifiers if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", one)
    ]
    assert settings["project"]["requires-python"] == f">={versions[0]}"
    assert settings["tool"]["mypy"]["python_version"] == versions[0]
    assert settings["tool"]["ruff"]["target-version"] == f"py{versions[0].replace('.', '')}"


def test_addresses_are_stated() -> None:
    urls = pyproject()["project"]["urls"]
    assert urls and all(url.startswith("https://") for url in urls.values())


def test_extras_that_texts_name_exist() -> None:
    """In hints, and on pages: `pip install 'rise-shine[nvrtc]'`."""
    extras = pyproject()["project"]["optional-dependencies"]
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    files += [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    named = {
        (path.name, extra)
        for path in files
        for names in re.findall(r"rise-shine\[([\w,-]+)\]", path.read_text(encoding="utf-8"))
        for extra in names.split(",")
    }
    assert {extra for _, extra in named} >= {"nvrtc", "sass"}
    assert [one for one in sorted(named) if one[1] not in extras] == []
