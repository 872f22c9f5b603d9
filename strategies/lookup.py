"""Finds strategies by `module:name`. Knows no strategy."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NoReturn

import elevate
import rise
from elevate import Diagnostic, Strategy, StrategyError
from rise.diagnostics import RiseError, did_you_mean
from rise.naturals import Nat
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.moved import MOVED

PARAMETER: Final = "strategy-parameter"
BROKEN: Final = "broken-strategy"
MOST: Final = 8  # strategies that are named in a hint
#: folders whose files are not a person's own
NOT_THEIRS: Final = (
    *map(Path, sysconfig.get_paths().values()),
    *(Path(one.__file__ or "").parent for one in (elevate, rise, importlib)),
    Path(__file__).parent,
)
INVERSE: Final = ".inv"
LISTED = "`shine list strategies` shows those that come with rise-shine"


def load(address: str, **parameters: Any) -> Strategy:
    """The strategy that a module holds under a name; where it has parameters, at these.

    A function or a class is called with the parameters, a family of rules is taken at them, a strategy is
    given as it stands. A person chooses what to load: nothing that is read from a file may come here.

    >>> load("strategies.tensor_core:tileNest", rows=16, columns=16)
    tileNest(16, 16)
    >>> load("strategies.rules.movement:splitJoin", n=32)
    splitJoin(32)
    >>> load("strategies.rules.movement:splitJoin.inv")
    splitJoin.inv

    Raises StrategyError where there is no such module, name or parameter, or a parameter has a wrong value.
    """
    if not isinstance(address, str):
        title = f"expected a strategy as module:name, found a value of Python's type {type(address).__name__}"
        _refuse(title, "a strategy of yours needs no loading: apply it to a term")
    if address.endswith(INVERSE):
        return _inverse(address.removesuffix(INVERSE), parameters)
    module_name, colon, name = address.partition(":")
    module_name = MOVED.get(module_name, module_name)
    if not (colon and name.isidentifier() and all(part.isidentifier() for part in module_name.split("."))):
        _refuse(f"expected a strategy as module:name, found `{address}`", _as_address(module_name, name))
    module = _module(module_name, name)
    if not hasattr(module, name):
        known = [known for known, value in vars(module).items() if _is_own(value, module_name)]
        hint = did_you_mean(name, known) or (f"it has {_listed(known[:MOST])}" if known else LISTED)
        _refuse(f"{module_name} has no strategy `{name}`", hint)
    found = getattr(module, name)
    if isinstance(found, Strategy):
        if parameters:
            _refuse(
                f"{address} takes no parameters, found {_listed(parameters)}", "leave them away", PARAMETER
            )
        return found
    if isinstance(found, RuleFamily):
        _check_names(address, parameters, found.parameters, found.parameters)
        for one, value in parameters.items():
            if isinstance(value, bool) or not isinstance(value, int | Nat):
                _refuse(
                    f"{address}: expected a size for `{one}`, found {value!r}", "give an integer", PARAMETER
                )
        return _called(address, found, [parameters[one] for one in found.parameters], {})
    if not _is_offered(found):
        _refuse(f"{address} is no strategy, but a value of Python's type {type(found).__name__}", LISTED)
    _bind(address, found, parameters)
    return _called(address, found, [], parameters)


def _inverse(address: str, parameters: dict[str, Any]) -> Strategy:
    """The inverse of a rule, of a family at these parameters, or of all rules of a family."""
    module_name, _, name = address.partition(":")
    module_name = MOVED.get(module_name, module_name)
    found = (
        getattr(_module(module_name, name), name, None) if name.isidentifier() and not parameters else None
    )
    chosen = found if isinstance(found, RuleFamily) else load(address, **parameters)
    if not isinstance(chosen, EquationRule | RuleFamily):
        _refuse(
            f"{address} has no inverse: it is no rule that is its equation",
            "undo each of its rules by itself",
        )
    return chosen.inv


def _module(name: str, wanted: str) -> Any:
    """The module of this name, of which something is wanted."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        is_there = error.name is None or not f"{name}.".startswith(f"{error.name}.")
        if is_there:
            _refuse(f"{name} cannot be imported: {_told(error)}", "mend the module", BROKEN)
        missing = error.name or name
        hint = did_you_mean(name, _modules_beside(missing)) or LISTED
        _refuse(f"there is no module {missing}", _as_address(name, wanted) if name.endswith(".py") else hint)
    except Exception as error:  # whatever a person's module raises while it is imported
        _refuse(f"{name} cannot be imported: {_told(error)}", "mend the module", BROKEN)


def _modules_beside(missing: str) -> Iterable[str]:
    """The modules of the package that was to hold the missing one."""
    parent, dot, _ = missing.rpartition(".")
    if not dot:
        return ("strategies.sequential", "strategies.openmp", "strategies.tensor_core")
    path = getattr(sys.modules.get(parent), "__path__", ())
    return [f"{parent}.{one.name}" for one in pkgutil.iter_modules(path)]


def _is_offered(value: object) -> bool:
    """Whether a value of a module may be, or make, a strategy."""
    if inspect.isclass(value):
        return issubclass(value, Strategy) and value is not Strategy
    return isinstance(value, Strategy | RuleFamily) or inspect.isfunction(value)


def _is_own(value: object, module: str) -> bool:
    """Whether a value of a module may be a strategy, and did not come there from another module, as far as it tells."""
    if not _is_offered(value) or any(value is one for one in vars(elevate).values()):
        return False
    match value:
        case RuleFamily(EquationRule(module=home), _) | EquationRule(module=home):
            return home == module
        case Strategy():
            return True
    return getattr(value, "__module__", "") == module


def _bind(address: str, make: Any, parameters: dict[str, Any]) -> None:
    """Refuse parameters that a function or class does not take."""
    taken = inspect.signature(make).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return
    names = [one.name for one in taken if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    _check_names(address, parameters, names, [one.name for one in taken if one.default is one.empty])


def _check_names(address: str, given: dict[str, Any], known: Iterable[str], required: Iterable[str]) -> None:
    takes = f"it takes {_listed(known)}" if known else "it takes none"
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known) or takes
            _refuse(f"{address} has no parameter `{name}`", hint, PARAMETER)
    missing = [name for name in required if name not in given]
    if missing:
        title = f"{address} needs {_listed(missing)}, found {_listed(given) or 'no parameters'}"
        _refuse(title, takes, PARAMETER)


def _called(address: str, make: Any, arguments: list[Any], parameters: dict[str, Any]) -> Strategy:
    try:
        strategy = make(*arguments, **parameters)
    except (StrategyError, RiseError):
        raise
    except Exception as error:  # whatever a person's function raises
        hint = "mend it, or give other parameters" if arguments or parameters else "mend it"
        _refuse(f"{address} cannot be made: {_told(error)}", hint, BROKEN)
    if not isinstance(strategy, Strategy):
        _refuse(
            f"{address} gives no strategy, but a value of Python's type {type(strategy).__name__}", LISTED
        )
    return strategy


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _as_address(module: str, name: str) -> str:
    """What was meant by an address that is none."""
    dotted = module.removesuffix(".py").replace("/", ".").removeprefix(".")
    is_file = dotted != module and all(part.isidentifier() for part in dotted.split("."))
    if is_file and name.isidentifier():
        return f"write {dotted}:{name}"
    return f"write {dotted}:NAME" if is_file else "as strategies.sequential:sequential"


def _told(error: Exception) -> str:
    """What went wrong in a person's module, and where: the innermost place that is not Python's own."""
    if isinstance(error, SyntaxError):
        return f"{_brief(error.filename)}:{error.lineno}: {type(error).__name__}: {error.msg}"
    said = f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_below(frame.filename)]
    return f"{_brief(own[-1].filename)}:{own[-1].lineno}: {said}" if own else said


def _is_below(file: str) -> bool:
    """Whether a file is not the person's: of Python, of what is installed, or of rise-shine."""
    return file.startswith("<") or any(Path(file).is_relative_to(one) for one in NOT_THEIRS)


def _brief(file: str | None) -> str:
    """A file's name, from the current directory where it is in there."""
    path = Path(file or "")
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


def _refuse(title: str, hint: str, code: str = "unknown-strategy") -> NoReturn:
    raise StrategyError(Diagnostic(code=code, title=title, hint=hint)) from None
