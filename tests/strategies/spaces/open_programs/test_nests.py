"""Open nests: Telamon's worked example, the least common multiple of open sizes, and all nests of a small program."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import ceil, prod

from strategies.spaces.bounds import Bound, Extent, Use, in_waves
from strategies.spaces.open_programs.domains import Conflict, relation
from strategies.spaces.open_programs.nests import (
    INSIDE,
    OUTSIDE,
    Dimension,
    LoopKind,
    OpenNest,
    extent_of,
    open_nest,
    order_of,
    size_of,
    use_of,
)

#: the hardware of the example, and what its two operations use
HARDWARE = {"issue": 1, "alu": 8}
ADDITION = Use(0, {"issue": 1, "alu": 1})
PRODUCT = Use(0, {"issue": 1, "alu": 3})
I, J = Dimension("I", 0), Dimension("J", 0)
THREADS = frozenset({LoopKind.THREAD})


def example(*kinds: LoopKind) -> OpenNest:
    """`B{i: range(16), j: range(4)} = i*j`, with loops of these kinds in any order."""
    found = open_nest({"I": 16, "J": 4}, {I: kinds, J: kinds}, {}, [])
    assert isinstance(found, OpenNest)
    return found


def after(nest: OpenNest, **decisions: str | int) -> OpenNest:
    for name, value in decisions.items():
        found = nest.decide(name.replace("_", " "), value)
        assert isinstance(found, OpenNest), found
        nest = found
    return nest


def test_the_worked_example_of_telamon() -> None:
    """84 and 27 cycles of sequential loops in any order, 64 and 24 if they may be threads, 2 for a block of these."""
    sequential = use_of(example(LoopKind.SEQUENTIAL), PRODUCT, ADDITION)
    assert (sequential.of["issue"], sequential.of["alu"]) == (84, 212)
    assert [ceil(Fraction(sequential.of[name]) / much) for name, much in HARDWARE.items()] == [84, 27]
    assert sequential.bound(HARDWARE) == Bound(84, "issue")
    nest = example(LoopKind.SEQUENTIAL, LoopKind.THREAD)
    of_open = use_of(nest, PRODUCT, ADDITION)
    assert [ceil(Fraction(of_open.of[name]) / much) for name, much in HARDWARE.items()] == [64, 24]
    extent = extent_of(nest, THREADS)
    assert extent == Extent(1, 64)
    assert in_waves(of_open.bound(HARDWARE).time, extent, 32) == 2


def test_each_decision_of_the_example_only_raises_its_bound() -> None:
    nest = example(LoopKind.SEQUENTIAL, LoopKind.THREAD)
    before = use_of(nest, PRODUCT, ADDITION).of["issue"]
    for name, value in (("kind I0", "sequential"), ("kind J0", "sequential"), ("order I0 J0", OUTSIDE)):
        decided = nest.decide(name, value)
        assert isinstance(decided, OpenNest)
        nest, now = decided, use_of(decided, PRODUCT, ADDITION).of["issue"]
        assert now >= before
        before = now
    assert before == 64 + 16 + 16 * 4


def test_a_maximum_instead_of_the_least_common_multiple_is_no_bound() -> None:
    """Work for two or three threads on two units: three seem to take longer than two, so 2 must not exclude them."""
    among = relation((size_of(I),), lambda size: 1 < size < 6, "2 or 3")
    nest = open_nest(
        {"I": 6}, {I: (LoopKind.THREAD,), Dimension("I", 1): (LoopKind.SEQUENTIAL,)}, {}, [among]
    )
    assert isinstance(nest, OpenNest) and nest.sizes(I) == (2, 3)
    extent, work = extent_of(nest, THREADS), Fraction(6)
    assert extent == Extent(2, 6)
    times = [in_waves(work / size, Extent(size, size), 2) for size in nest.sizes(I)]
    assert in_waves(work / extent.least, extent, 2) <= min(times) == 3
    assert in_waves(work / extent.least, Extent(2, 3), 2) > min(times)


def test_the_sizes_of_an_axis_multiply_to_it() -> None:
    parts = {Dimension("I", place): (LoopKind.SEQUENTIAL,) for place in range(3)}
    nest = open_nest({"I": 12}, parts, {}, [])
    assert isinstance(nest, OpenNest) and nest.sizes(Dimension("I", 1)) == (1, 2, 3, 4, 6, 12)
    assert after(nest, size_I0=4).sizes(Dimension("I", 1)) == (1, 3)
    assert after(nest, size_I0=4, size_I2=3).sizes(Dimension("I", 1)) == (1,)


def test_loops_of_one_iteration_are_sequential_and_have_no_order() -> None:
    nest = after(example(LoopKind.SEQUENTIAL, LoopKind.THREAD), kind_I0="thread")
    assert list(nest.open_decisions()) == ["kind J0", "order I0 J0"]
    one = open_nest(
        {"I": 1, "J": 4}, {I: (LoopKind.SEQUENTIAL, LoopKind.THREAD), J: (LoopKind.THREAD,)}, {}, []
    )
    assert isinstance(one, OpenNest) and one.kinds(I) == {LoopKind.SEQUENTIAL}
    assert list(one.open_decisions()) == [] and one.nest() == [J]


def test_kinds_restrict_the_order() -> None:
    """Blocks are outermost, only unrolled loops and vectors are in unrolled loops, and nothing is in a vector."""
    kinds = (LoopKind.SEQUENTIAL, LoopKind.UNROLLED, LoopKind.VECTOR, LoopKind.BLOCK)
    nest = example(*kinds)
    assert after(nest, kind_I0="block", kind_J0="sequential").nest() == [I, J]
    assert after(nest, kind_I0="vector", kind_J0="sequential").nest() == [J, I]
    assert after(nest, kind_I0="unrolled", order_I0_J0=OUTSIDE).kinds(J) == {
        LoopKind.UNROLLED,
        LoopKind.VECTOR,
    }
    assert after(nest, kind_I0="vector", order_I0_J0=INSIDE).kinds(J) == set(kinds) - {LoopKind.VECTOR}
    assert LoopKind.VECTOR not in after(nest, kind_I0="vector").kinds(J)
    conflict = after(nest, kind_I0="unrolled", kind_J0="sequential").decide(order_of(I, J), OUTSIDE)
    assert conflict == Conflict(order_of(I, J), "outside was excluded by earlier decisions")


def test_all_nests_of_a_small_program() -> None:
    """Every combination of sizes, kinds and orders that the rules allow is found once, and no other."""
    kinds = (LoopKind.SEQUENTIAL, LoopKind.UNROLLED, LoopKind.THREAD)
    loops = (Dimension("I", 0), Dimension("I", 1), J)
    nest = open_nest({"I": 4, "J": 2}, dict.fromkeys(loops, kinds), {}, [])
    found: set[tuple[object, ...]] = set()
    waiting = [nest]
    while waiting:
        one = waiting.pop()
        assert isinstance(one, OpenNest)
        name = next(one.open_decisions(), None)
        if name is None:
            of = tuple((loop, one.sizes(loop), tuple(one.kinds(loop))) for loop in one.nest())
            assert of not in found
            found.add(of)
        else:
            decided = (one.decide(name, value) for value in one.domains[name])
            waiting += [each for each in decided if isinstance(each, OpenNest)]
    wanted: set[tuple[object, ...]] = set()
    for sizes in product((1, 2, 4), (1, 2, 4), (2,)):
        if prod(sizes[:2]) != 4:
            continue
        repeated = [loop for loop, size in zip(loops, sizes, strict=True) if size > 1]
        for of in product(kinds, repeat=len(repeated)):
            kind = dict(zip(repeated, of, strict=True))
            for order in permutations(repeated):
                is_in_place = all(
                    a.axis != b.axis or a.place < b.place
                    for n, a in enumerate(order)
                    for b in order[n:]
                    if a != b
                )
                unrolled = [n for n, loop in enumerate(order) if kind[loop] is LoopKind.UNROLLED]
                if is_in_place and all(
                    kind[loop] is LoopKind.UNROLLED for n in unrolled for loop in order[n:]
                ):
                    wanted.add(tuple((loop, (sizes[loops.index(loop)],), (kind[loop],)) for loop in order))
    assert found == wanted
    assert order_of(I, J) == order_of(J, I) == "order I0 J0"
