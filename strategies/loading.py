"""Strategies by name: `module:name`, as a person writes it. Knows no strategy."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from elevate import Diagnostic, Strategy, StrategyError
from rise.diagnostics import did_you_mean
from rise.naturals import Nat
from strategies.equation import RuleFamily

LISTED = "`shine list strategies` shows those that come with rise-shine"


def load(address: str, **parameters: Any) -> Strategy:
    """The strategy that a module holds under a name; where it has parameters, at these.

    A function or a class is called with the parameters, a family of rules is taken at them, a strategy is
    given as it stands. A person chooses what to load: nothing that is read from a file may come here.

    >>> load("strategies.tensor_core:tileNest", rows=16, columns=16)
    tileNest(16, 16)
    >>> load("strategies.rules.movement:splitJoin", n=32)
    splitJoin(32)

    Raises StrategyError where there is no such module, name or parameter, or a parameter has a wrong value.
    """
    module_name, colon, name = address.partition(":")
    if not (colon and name.isidentifier() and all(part.isidentifier() for part in module_name.split("."))):
        _refuse(
            f"expected a strategy as module:name, found `{address}`", "as strategies.sequential:sequential"
        )
    module = _module(module_name)
    if not hasattr(module, name):
        known = [known for known, value in vars(module).items() if _is_offered(value)]
        _refuse(f"{module_name} has no strategy `{name}`", did_you_mean(name, known) or LISTED)
    found = getattr(module, name)
    if isinstance(found, Strategy):
        if parameters:
            _refuse(f"{address} takes no parameters, found {_listed(parameters)}", "leave them away")
        return found
    if isinstance(found, RuleFamily):
        _check_names(address, parameters, found.parameters, found.parameters)
        for one, value in parameters.items():
            if isinstance(value, bool) or not isinstance(value, int | Nat):
                _refuse(f"{address}: expected a size for `{one}`, found {value!r}", "give an integer")
        return _called(address, found, [parameters[one] for one in found.parameters], {})
    if not _is_offered(found):
        _refuse(f"{address} is no strategy, but a value of Python's type {type(found).__name__}", LISTED)
    _bind(address, found, parameters)
    return _called(address, found, [], parameters)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        is_there = error.name is None or not f"{name}.".startswith(f"{error.name}.")
        if is_there:
            _refuse(f"{name} cannot be imported: {error}", "see that `python -c 'import ...'` imports it")
        missing = error.name or name
        _refuse(f"there is no module {missing}", did_you_mean(name, _modules_beside(missing)) or LISTED)
    except Exception as error:  # whatever a person's module raises while it is imported
        _refuse(f"{name} cannot be imported: {type(error).__name__}: {error}", "mend the module")


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
            _refuse(f"{address} has no parameter `{name}`", did_you_mean(name, known) or takes)
    missing = [name for name in required if name not in given]
    if missing:
        _refuse(f"{address} needs {_listed(missing)}, found {_listed(given) or 'no parameters'}", takes)


def _called(address: str, make: Any, arguments: list[Any], parameters: dict[str, Any]) -> Strategy:
    try:
        strategy = make(*arguments, **parameters)
    except (TypeError, ValueError) as error:
        _refuse(f"{address} does not take these parameters: {error}", "give values of another kind or range")
    if not isinstance(strategy, Strategy):
        _refuse(
            f"{address} gives no strategy, but a value of Python's type {type(strategy).__name__}", LISTED
        )
    return strategy


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _refuse(title: str, hint: str) -> NoReturn:
    raise StrategyError(Diagnostic(code="unknown-strategy", title=title, hint=hint)) from None
