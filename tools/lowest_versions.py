"""Prints the lowest version of each requirement in pyproject.toml, as constraints for pip. Independent of packages.

`make lowest` installs with these: `python tools/lowest_versions.py test,einsum > lowest.txt`, then
`pip install -c lowest.txt '.[test,einsum]'`. Only the named extras are read: others may need other versions of the same
package.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

PYPROJECT: Final = Path(__file__).resolve().parents[1] / "pyproject.toml"
_REQUIREMENT: Final = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*(?P<versions>[^;]*?)\s*(?P<marker>;.*)?")
_LOWEST: Final = re.compile(r"(?:>=|==|~=)\s*([^,\s]+)")


def requirements(project: dict[str, Any], extras: Iterable[str]) -> Iterator[str]:
    """The requirements of a project and of these extras. Raises ValueError for an extra that it does not have."""
    yield from project.get("dependencies", ())
    known = project.get("optional-dependencies", {})
    for extra in extras:
        if extra not in known:
            raise ValueError(f"expected an extra, one of {', '.join(known)}, found `{extra}`")
        yield from known[extra]


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


def main(extras: str = "") -> int:
    """Print the constraints of the project and of extras, which are separated by commas."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    try:
        constraints = [lowest(one) for one in requirements(project, filter(None, extras.split(",")))]
    except ValueError as error:
        print(f"error: {PYPROJECT.name}: {error}", file=sys.stderr)
        return 1
    print("\n".join(dict.fromkeys(constraints)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
