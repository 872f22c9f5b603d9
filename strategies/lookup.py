"""Finds strategies by `module:name`. Independent of strategies."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
import sysconfig
import traceback
from collections.abc import Hashable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn

import elevate
import rise
from elevate import Diagnostic, Strategy, StrategyError
from rise.diagnostics import RiseError, did_you_mean
from rise.forks import importing
from rise.naturals import Nat
from rise.tracebacks import ends_at_the_users_line
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.old_addresses import current_address

PARAMETER: Final = "strategy-parameter"
BROKEN: Final = "broken-strategy"
MAX_NAMES_IN_HINT: Final = 8
#: folders with files that the user did not write
FOREIGN_FOLDERS: Final = (
    *map(Path, sysconfig.get_paths().values()),
    *(Path(module.__file__ or "").parent for module in (elevate, rise, importlib)),
    Path(__file__).parent,
)
INVERSE: Final = ".inv"
LIST_HINT = "`shine list strategies` shows those that come with rise-shine"


@ends_at_the_users_line
def load(address: str, **parameters: Any) -> Strategy:
    """Load the strategy that a module defines under a name, with its parameters if it has any.

    A function, a class or a family of rules is called with the parameters; a strategy is returned as it is, and of a
    schedule its strategy. Loading imports the module, so addresses must come from the user, never from a file.

    >>> load("strategies.tensor_core:tileNest", rows=16, columns=16)
    tileNest(16, 16)
    >>> load("strategies.rules.movement:splitJoin", n=32)
    splitJoin(32)
    >>> load("strategies.rules.movement:splitJoin.inv")
    splitJoin.inv

    Raises StrategyError if there is no such module, name or parameter, or a parameter has a wrong value.
    """
    if not isinstance(address, str):
        title = f"expected a strategy as module:name, found a Python value of type {type(address).__name__}"
        _refuse(title, "your own strategy does not need to be loaded: apply it to a term")
    if address.endswith(INVERSE):
        return _inverse(address.removesuffix(INVERSE), parameters)
    module_name, colon, name = address.partition(":")
    module_name, name = current_address(module_name, name)
    if not (colon and name.isidentifier() and all(part.isidentifier() for part in module_name.split("."))):
        _refuse(f"expected a strategy as module:name, found `{address}`", _as_address(module_name, name))
    module = import_module_of(module_name, name)
    if not hasattr(module, name):
        known = [own for own, value in vars(module).items() if _is_own(value, module_name)]
        hint = did_you_mean(name, known) or (
            f"it has {_listed(known[:MAX_NAMES_IN_HINT])}" if known else LIST_HINT
        )
        _refuse(f"{module_name} has no strategy `{name}`", hint)
    definition = _strategy_from(getattr(module, name))
    if isinstance(definition, Strategy):
        if parameters:
            _refuse(f"{address} takes no parameters, found {_listed(parameters)}", "omit them", PARAMETER)
        return definition
    if isinstance(definition, RuleFamily):
        _check_names(address, parameters, definition.parameters, definition.parameters)
        for parameter, size in parameters.items():
            if isinstance(size, bool) or not isinstance(size, int | Nat):
                title = f"{address}: expected a size for `{parameter}`, found {size!r}"
                _refuse(title, "pass an integer", PARAMETER)
        return _call(address, definition, [parameters[parameter] for parameter in definition.parameters], {})
    if not _is_offered(definition):
        title = f"expected a strategy at {address}, found a Python value of type {type(definition).__name__}"
        _refuse(title, LIST_HINT)
    _check_parameters(address, definition, parameters)
    if _is_of_library(definition) and all(isinstance(value, Hashable) for value in parameters.values()):
        return _made_once(address, definition, **parameters)
    return _call(address, definition, [], parameters)


def has_parameter(address: str, name: str) -> bool:
    """Whether there is a strategy at an address that has a parameter of this name. Imports its module.

    >>> has_parameter("strategies.openmp:parallel", "machine"), has_parameter("strategies.gpu:toGpu", "machine")
    (True, False)
    """
    if not isinstance(address, str):
        return False
    module_name, _, strategy = address.partition(":")
    try:
        module_name, strategy = current_address(module_name, strategy)
        definition = getattr(import_module_of(module_name, strategy), strategy, None)
    except (StrategyError, ValueError, TypeError):  # `load` reports why
        return False
    return inspect.isfunction(definition) and name in inspect.signature(definition).parameters


def rules_of_file(file: Path) -> dict[str, EquationRule | RuleFamily]:
    """The rules and families that a Python file defines, by name, in its order. Runs the file.

    Raises StrategyError if there is no such file, it fails, or it defines no rule.
    """
    if file.suffix != ".py" or not file.is_file():
        title = f"expected a Python file that defines rules, found {file}"
        _refuse(title, "write the path of a .py file that exists", "no-rules")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None, file
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(file.stem)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except (StrategyError, RiseError):
        raise
    except (Exception, SystemExit) as error:  # the user's module may raise any exception while it is imported
        _refuse(f"{_brief(str(file))} cannot be imported: {cause_of(error)}", _repair(error), BROKEN)
    finally:
        sys.path.remove(str(file.parent))
        if before is None:
            sys.modules.pop(file.stem, None)
        else:
            sys.modules[file.stem] = before
    home = vars(module)
    found: dict[str, EquationRule | RuleFamily] = {
        name: value for name, value in home.items() if _is_rule_of(value, home)
    }
    if not found:
        title = f"expected a file that defines rules, found none in {_brief(str(file))}"
        _refuse(title, 'assign one to a variable: name = rule("map id xs = xs", why="...")', "no-rules")
    return found


def _is_rule_of(value: object, home: dict[str, Any]) -> bool:
    one = value.rule if isinstance(value, RuleFamily) else value
    return isinstance(one, EquationRule) and one.home is home


def _inverse(address: str, parameters: dict[str, Any]) -> Strategy:
    """The inverse of a rule, of a family with these parameters, or of all rules of a family."""
    module_name, _, name = address.partition(":")
    module_name, name = current_address(module_name, name)
    definition = (
        getattr(import_module_of(module_name, name), name, None)
        if name.isidentifier() and not parameters
        else None
    )
    rule = definition if isinstance(definition, RuleFamily) else load(address, **parameters)
    if not isinstance(rule, EquationRule | RuleFamily):
        _refuse(
            f"{address} has no inverse: expected a rule that is an equation",
            "use the inverse of each of its rules",
        )
    return rule.inv


def import_module_of(name: str, wanted: str) -> Any:
    """Import the module of this name; `wanted` is the name to load from it."""
    try:
        with importing():
            return importlib.import_module(name)
    except ImportError as error:
        is_there = error.name is None or not f"{name}.".startswith(f"{error.name}.")
        if is_there:
            _refuse(f"{name} cannot be imported: {cause_of(error)}", _repair(error), BROKEN)
        missing = error.name or name
        hint = did_you_mean(name, _modules_beside(missing)) or LIST_HINT
        _refuse(f"there is no module {missing}", _as_address(name, wanted) if name.endswith(".py") else hint)
    except Exception as error:  # the user's module may raise any exception while it is imported
        _refuse(f"{name} cannot be imported: {cause_of(error)}", _repair(error), BROKEN)


def _modules_beside(missing: str) -> Iterable[str]:
    """The modules of the package in which a missing module was looked up."""
    parent, dot, _ = missing.rpartition(".")
    if not dot:
        return ("strategies.sequential", "strategies.openmp", "strategies.tensor_core")
    path = getattr(sys.modules.get(parent), "__path__", ())
    return [f"{parent}.{module.name}" for module in pkgutil.iter_modules(path)]


def _strategy_from(value: Any) -> Any:
    """The strategy of a value with a method `strategy`, such as a schedule; other values as they are."""
    make = None if inspect.isclass(value) else getattr(value, "strategy", None)
    return make() if inspect.ismethod(make) and not isinstance(value, Strategy) else value


def _is_offered(value: object) -> bool:
    """Whether a module variable may be a strategy, or a function that returns one."""
    if inspect.isclass(value):
        return issubclass(value, Strategy) and value is not Strategy
    return isinstance(value, Strategy | RuleFamily) or inspect.isfunction(value)


def _is_own(value: object, module: str) -> bool:
    """Whether a module variable may be a strategy and, as far as is known, was not imported from another module."""
    if not _is_offered(value) or any(value is imported for imported in vars(elevate).values()):
        return False
    match value:
        case RuleFamily(EquationRule(module=home), _) | EquationRule(module=home):
            return home == module
        case Strategy():
            return True
    return getattr(value, "__module__", "") == module


def _check_parameters(address: str, make: Any, parameters: dict[str, Any]) -> None:
    """Reject parameters that a function or class does not take."""
    accepted = inspect.signature(make).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in accepted):
        return
    names = [p.name for p in accepted if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    _check_names(address, parameters, names, [p.name for p in accepted if p.default is p.empty])


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


def _is_of_library(definition: Any) -> bool:
    """Whether this package defines a function; what its functions return depends on their parameters only."""
    module: str = definition.__module__
    return module.partition(".")[0] == __package__


@lru_cache(maxsize=128, typed=True)
def _made_once(address: str, make: Any, /, **parameters: Hashable) -> Strategy:
    """The strategy that a function of this package returns: making one takes longer than lowering a small program."""
    return _call(address, make, [], parameters)


def _call(address: str, make: Any, arguments: list[Any], parameters: dict[str, Any]) -> Strategy:
    try:
        strategy = _strategy_from(make(*arguments, **parameters))
    except (StrategyError, RiseError):
        raise
    except Exception as error:  # the user's function may raise any exception
        hint = "fix it, or pass other parameters" if arguments or parameters else "fix it"
        _refuse(f"calling {address} failed: {cause_of(error)}", hint, BROKEN)
    if not isinstance(strategy, Strategy):
        title = (
            f"expected {address} to return a strategy, found a Python value of type {type(strategy).__name__}"
        )
        _refuse(title, LIST_HINT)
    return strategy


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _as_address(module: str, name: str) -> str:
    """A hint with the address that was probably meant."""
    dotted = module.removesuffix(".py").replace("/", ".").removeprefix(".")
    is_file = dotted != module and all(part.isidentifier() for part in dotted.split("."))
    if is_file and name.isidentifier():
        return f"write {dotted}:{name}"
    return f"write {dotted}:NAME" if is_file else "for example strategies.sequential:sequential"


def _repair(error: BaseException) -> str:
    """The hint for a module that cannot be imported."""
    is_missing = isinstance(error, ModuleNotFoundError)
    return "install what is missing, or fix the import" if is_missing else "fix the module"


def cause_of(error: BaseException) -> str:
    """The failure in a user's module, and its place: the innermost frame in a file of the user."""
    if isinstance(error, SyntaxError):
        return f"{_brief(error.filename)}:{error.lineno}: {type(error).__name__}: {error.msg}"
    message = f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_foreign(frame.filename)]
    return f"{_brief(own[-1].filename)}:{own[-1].lineno}: {message}" if own else message


def _is_foreign(file: str) -> bool:
    """Whether a file is not the user's, but Python's, an installed package's, or rise-shine's."""
    return file.startswith("<") or any(Path(file).is_relative_to(folder) for folder in FOREIGN_FOLDERS)


def _brief(file: str | None) -> str:
    """The path of a file relative to the current directory if it is below that; otherwise its name."""
    path = Path(file or "")
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


def _refuse(title: str, hint: str, code: str = "unknown-strategy") -> NoReturn:
    raise StrategyError(Diagnostic(code=code, title=title, hint=hint)) from None
