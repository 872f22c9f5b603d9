"""Prints the lowest version of each requirement in pyproject.toml, as constraints for pip. Independent of packages.

`make lowest` installs with these: `python tools/lowest_versions.py > lowest.txt`, `pip install -c lowest.txt .`
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

PYPROJECT: Final = Path(__file__).resolve().parents[1] / "pyproject.toml"
_REQUIREMENT: Final = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*(?P<versions>[^;]*?)\s*(?P<marker>;.*)?")
_LOWEST: Final = re.compile(r"(?:>=|==|~=)\s*([^,\s]+)")


def requirements(project: dict[str, Any]) -> Iterator[str]:
    """The requirements of a project, including those of all its extras."""
    yield from project.get("dependencies", ())
    for extra in project.get("optional-dependencies", {}).values():
        yield from extra


def lowest(requirement: str) -> str:
    """The constraint that lets pip choose the lowest version that a requirement allows.

    >>> lowest("numpy>=2.0,<3"), lowest("torch==2.13.0"), lowest("tomli>=2; python_version < '3.11'")
    ('numpy==2.0', 'torch==2.13.0', "tomli==2; python_version < '3.11'")

    Raises ValueError if a requirement states none.
    """
    parts = _REQUIREMENT.fullmatch(requirement)
    found = _LOWEST.search(parts["versions"]) if parts else None
    if parts is None or found is None:
        raise ValueError(f"expected a lowest version, as in `name>=1.2`, found `{requirement}`")
    return f"{parts['name']}=={found[1]}{parts['marker'] or ''}"


def main() -> int:
    """Print the constraints, in the order of the file."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    try:
        constraints = [lowest(one) for one in requirements(project)]
    except ValueError as error:
        print(f"error: {PYPROJECT.name}: {error}", file=sys.stderr)
        return 1
    print("\n".join(dict.fromkeys(constraints)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
