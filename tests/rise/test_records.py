"""Dataclasses whose methods are generated with the first object: they behave like those of the standard library."""

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from rise import records


class Named:
    __slots__ = ()

    def shout(self) -> str:
        return repr(self).upper()


def of(dataclass: Callable[..., Any]) -> tuple[type, ...]:
    """Classes of several kinds, created by a decorator."""

    @dataclass(frozen=True, slots=True)
    class Point(Named):
        """A point."""

        x: "int"
        y: "int" = 0
        tags: "list[int]" = dataclasses.field(default_factory=list, compare=False)
        known: "int" = dataclasses.field(default=3, init=False, repr=False)

    @dataclass(frozen=True, slots=True)
    class Place(Point):
        """A point with another coordinate."""

        z: "float" = 0.5

        def __post_init__(self) -> None:
            assert self.z >= 0

        def __repr__(self) -> str:
            return f"<{self.x} {self.z}>"

    @dataclass(slots=True)
    class Counter:
        """A number that changes."""

        count: "int" = 0

    @dataclass(frozen=True, slots=True, eq=False)
    class Symbol:
        """An object that only equals itself."""

        name: "str"

    return Point, Place, Counter, Symbol


OURS, STANDARD = of(records.dataclass), of(dataclasses.dataclass)


def facts(Point: Any, Place: Any, Counter: Any, Symbol: Any) -> list[Any]:
    """The observable properties of the classes and their objects."""
    point, place, counter, symbol = Point(1, tags=[2]), Place(1, 2, z=1.5), Counter(), Symbol("s")
    counter.count += 1
    seen: list[Any] = [repr(point), repr(place), place.shout(), counter == Counter(1), symbol == Symbol("s")]
    seen += [point == Point(1), hash(point) == hash(Point(1)), hash(point) == hash(Point(2)), point == place]
    seen += [dataclasses.replace(point, x=5).x, dataclasses.replace(place, z=2.0).z, point.known]
    for one in (Point, Place, Counter, Symbol):
        seen += [one.__match_args__, one.__slots__, [field.name for field in dataclasses.fields(one)]]
        seen += [str(inspect.signature(one)), one.__hash__ is None, hasattr(one(1), "__dict__")]
    match place:
        case Point(x, y):
            seen += [x, y]
    return seen


def test_they_behave_like_standard_dataclasses() -> None:
    assert facts(*OURS) == facts(*STANDARD)


@pytest.mark.parametrize("classes", [OURS, STANDARD], ids=["ours", "standard"])
def test_they_are_frozen_and_reject_the_same_errors(classes: tuple[Any, ...]) -> None:
    Point, Place, _, _ = classes
    for wrong in (lambda: Point(), lambda: Point(1, known=2), lambda: Point(1, 2, [], 4)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AssertionError):
        Place(1, z=-1)
    for name in ("x", "other"):
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
            setattr(Point(1), name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del Point(1).x


@records.dataclass(frozen=True, slots=True)
class Kept:
    """A class that pickle can find."""

    of: ClassVar[int] = 3
    name: "str"


@records.dataclass(frozen=True, slots=True)
class Read:
    """A class whose first object is unpickled, not constructed."""

    name: "str"
    number: "int" = 2


def test_the_first_object_may_be_read_from_a_pickle() -> None:
    written = pickle.dumps(Kept("a")).replace(b"Kept", b"Read")
    assert "__eq__" not in vars(Read)
    assert vars(Read)["__init__"] is Read.__init__ and pickle.loads(written).name == "a"
    assert pickle.loads(pickle.dumps(Read("b"))) == Read("b", 2) and Kept.of == 3
