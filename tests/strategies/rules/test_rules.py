"""Every rule satisfies its law; the parts of rules; where rules must not fire. Depends on the rules by name."""

import importlib
import pickle
import pkgutil
from collections.abc import Iterator
from functools import cache

import pytest

import rise
import strategies.rules
from elevate import Failure, FloatClass, StrategyError, Success, normalize, topDown, try_
from rise.terms import Expr, Lam, spine
from strategies import EquationRule, RuleFamily, family, load, registry
from strategies.equations.examples import example
from strategies.parts.memory import NameSubterm
from strategies.rules import (
    functions,
    fusion,
    lowering,
    matrix_products,
    movement,
    reductions,
    softmax,
    tensor_cores,
)
from strategies.rules import let_floating as selection
from strategies.rules.normal_forms import writeOut
from strategies.testing import check, check_in_program, firings
from strategies.testing.terms import closed
from tests.examples import THOROUGH, examples, some
from tests.laws.rules_by_functions import BY_A_FUNCTION
from tests.strategies import corpus
from tests.strategies.rules.proved_rules import evaluated, sweep_less

Law = EquationRule | RuleFamily

MOST_APPLICATIONS = 12
#: by the beginning of a rule's name; otherwise `MOST_APPLICATIONS`
MOST_OF = {
    # they split and join matrices several times, in an array of tiles, each dimension of which takes four maps
    "accumulators.fragmentsOfFirst": 48,  # and takes a pair apart three times
    "accumulators.": 44,
    "symmetric_products.": 28,
    "tensor_cores.inLanes": 28,
    # a permutation is expanded to views, up to four times in a rule: of the arrays before and after a loop and in it
    "strides.": 70,
    # a reduction for the number, and two for its index: of numbers that equal it, and of NaN
    "argmin_argmax.": 42,
    # a product of some rows of both factors, and one of the others, which starts from its sums
    "product_steps.": 28,
    # both factors are cut into parts by views, and the array of sums is transposed twice
    "shared_sums.": 30,
    # three reductions become a loop with three sums, each rescaled
    "softmax.": 62,
}
#: a few random ones in addition to all small sizes, which `check` tests itself
EXAMPLES = examples(20) if THOROUGH else 2


def rules() -> Iterator[tuple[str, Law]]:
    """All rules and families in strategies/rules, by their addresses."""
    for info in pkgutil.iter_modules(strategies.rules.__path__):
        module = importlib.import_module(f"strategies.rules.{info.name}")
        for name, value in vars(module).items():
            found = equation_of(value)
            if found is not None and found.module == module.__name__:
                yield f"{info.name}.{name}", value


def equation_of(value: object) -> EquationRule | None:
    """The rule of a rule or a family."""
    found = value.rule if isinstance(value, RuleFamily) else value
    return found if isinstance(found, EquationRule) else None


#: the number of programs that are kept in which a strategy applied a rule
KEPT = 4 if THOROUGH else 1
RULES = dict(rules())
SINGLE = {name: found for name, value in RULES.items() if (found := equation_of(value)) is not None}
BY = [name for name, found in SINGLE.items() if found.by is not None]
EQUATIONS = [name for name, found in SINGLE.items() if found.by is None]
#: rules with predicates that random instances rarely satisfy: these are also tested in programs
IN_PROGRAMS = [name for name, found in SINGLE.items() if found.by is not None or found.of]
#: those of them that are evaluated
RUN_IN_PROGRAMS = evaluated(IN_PROGRAMS, apart=24)


@pytest.mark.parametrize("name", evaluated((name for name in EQUATIONS if name not in IN_PROGRAMS), apart=24))
def test_an_equation_holds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rules that are proved for all sizes, every sixteenth is evaluated, at fewer of the small sizes."""
    sweep_less(name.partition(".")[2], monkeypatch)
    assert check(RULES[name], examples=EXAMPLES) > 0


@pytest.mark.parametrize("name", RUN_IN_PROGRAMS)
def test_a_rule_preserves_the_meaning_of_programs(name: str) -> None:
    found = SINGLE[name]
    shown = example(RULES[name])
    given = [] if shown is None or found is writeOut else [closed_program(shown.before)]
    assert check(RULES[name], examples=EXAMPLES, given_programs=[*cases(), *redexes()[found], *given]) > 0


def closed_program(e: rise.Expr) -> rise.Expr:
    """A function of the free variables of an example."""
    return closed(e, sorted((v for v in e.free if isinstance(v, rise.Var)), key=lambda v: v.name))


@cache
def cases() -> tuple[rise.Expr, ...]:
    """The programs of some cases, at small sizes; those in which a rule fires in a derivation are added."""
    names = corpus.NAMES[:: 3 if THOROUGH else 29]
    return tuple(corpus.at(corpus.program(name), **corpus.sizes(name)) for name in names)


@cache
def redexes() -> dict[EquationRule, list[rise.Expr]]:
    """Programs in which a strategy applied a rule that is tested in programs."""
    found: dict[EquationRule, list[rise.Expr]] = {SINGLE[name]: [] for name in RUN_IN_PROGRAMS}
    for name in some(corpus.NAMES, 5):
        fired = {step.rule for step in corpus.derived(name, 1).steps}
        assert all(isinstance(one, EquationRule | NameSubterm) for one in fired)
        is_long = name in ("argmax", "attention", "batched_mm")
        if is_long or all(len(found[one]) >= KEPT for one in found.keys() & fired):
            continue  # nothing new: the intermediate programs are not computed again
        for step, before, _ in corpus.derivation(name, 1):
            if isinstance(step.rule, EquationRule) and len(found.get(step.rule, [None] * KEPT)) < KEPT:
                found[step.rule].append(corpus.at(before, **corpus.sizes(name)))
    for step, before, sizes in (*corpus.fragments(), *corpus.on_blocks(), *corpus.on_vectors()):
        if step.rule in found and len(found[step.rule]) < KEPT:
            found[step.rule].append(corpus.at(before, **sizes))
    return found


def test_the_rules_that_cannot_be_equations_are_listed() -> None:
    assert {name.partition(".")[2] for name in BY} == BY_A_FUNCTION.keys()


def test_all_rules_are_registered() -> None:
    addresses = {f"strategies.rules.{name.replace('.', ':')}" for name in RULES}
    assert set(registry.rules()) == addresses


def test_rules_give_reasons() -> None:
    assert [name for name, one in SINGLE.items() if not one.why.endswith(".") or len(one.why) < 15] == []


def test_no_two_rules_have_the_same_equations() -> None:
    equations = {(one.equation, one.also, one.roots, one.where, one.of) for one in SINGLE.values()}
    assert len(equations) == len(RULES)


def test_rules_are_single_ideas() -> None:
    for name in EQUATIONS:
        most = next((most for start, most in MOST_OF.items() if name.startswith(start)), MOST_APPLICATIONS)
        for form in SINGLE[name].forms:
            compiled = form.compiled
            assert applications(compiled.right) <= most, name
            assert compiled.left.type == compiled.right.type, name


def applications(e: Expr) -> int:
    """The number of function applications, each with as many arguments as there are."""
    head, arguments = spine(e)
    inside = [a for a in arguments if isinstance(a, Expr)]
    if isinstance(head, Lam):
        inside.append(head.body)
    return sum(map(applications, inside)) + bool(arguments)


def test_rules_print_and_pickle_by_their_names() -> None:
    for name, value in RULES.items():
        short = name.partition(".")[2]
        assert repr(value) == short
        given = range(2, 2 + len(value.parameters)) if isinstance(value, RuleFamily) else ()
        made = value(*given) if isinstance(value, RuleFamily) else value
        again = pickle.loads(pickle.dumps(made))
        assert again == made and hash(again) == hash(made), name
        assert repr(again) == (f"{short}({', '.join(map(str, given))})" if given else short)
        assert len(pickle.dumps(made)) < 400, name


@pytest.mark.parametrize("address", ["strategies.sequential:sequential", "strategies.openmp:parallel"])
def test_a_composed_strategy_pickles_by_the_names_of_its_rules(address: str) -> None:
    strategy = load(address)
    again = pickle.loads(pickle.dumps(strategy))
    assert again == strategy and repr(again) == repr(strategy)
    again = pickle.loads(pickle.dumps(try_(topDown(movement.splitJoin(4))) >> normalize(fusion.mapFusion)))
    assert repr(again) == "try_(topDown(splitJoin(4))) >> normalize(mapFusion)"


ONE = {"xs": "12.f32", "ys": "12.f32", "i": "f32", "n": "nat"}
TWO = {"xs": "4.6.f32", "ys": "6.f32", "f": "f32 -> f32 -> f32", "c": "16.16.f32"}
PAIRS = {"p": "(f32, f32)", "q": "(f32, f32)"}
SCALARS = {"acc": "f32", "a": "f32", "b": "f32"}
WHOLE = {"acc": "i32", "a": "i32", "b": "i32"}
CAPTURES: list[tuple[str, dict[str, str], EquationRule]] = [
    ("map(fun(x => (fun(y => x + y)(x * x))), xs)", ONE, fusion.mapFission),
    ("map(fun(x => x + 1.0), xs)", ONE, movement.constantMap),
    ("transpose(map(fun(row => map(fun(x => x + 1.0), row)), xs))", TWO, movement.interchange),
    ("transpose(map(fun(row => row), xs))", TWO, movement.transposeRepeated),
    (
        "transpose(map(fun(row => map(f(reduceSeq(add, 0.0, row)), row)), xs))",
        TWO,
        movement.transposeMapInner,
    ),
    (
        "map(fun(row => map(f(reduceSeq(add, 0.0, row)), zip(row, ys) |> map(fst))), xs)",
        TWO,
        movement.zipBroadcast,
    ),
    (
        "map(fun(row => reduceSeq(fun(acc, x => acc + x * reduceSeq(add, 0.0, row)), 0.0, row)), xs)",
        TWO,
        reductions.liftReduceSeq,
    ),
    ("reduceSeq(fun(acc, x => f(acc, acc * x)), 0.0, ys)", TWO, fusion.reduceMapFission),
    (
        "reduceSeq(fun(tile, x => asMatrix(mapFragment(f(reduceSeq(add, x, join(tile))),"
        " asFragmentAcc{k = 16}(tile)))), c, ys)",
        TWO,
        tensor_cores.fragmentLoop,
    ),
    ("fun(x: f32 => f(x, x))", TWO, functions.etaReduction),
    ("map(fun(row => map(fun(x => f(x, reduceSeq(add, 0.0, row))), row)), xs)", TWO, movement.columnsFirst),
]
"""Terms in which a subterm mentions a variable that is not in scope on the right side."""
SIZES: list[tuple[str, dict[str, str], EquationRule]] = [
    ("map(neg, xs)", ONE, movement.splitJoin(5)),
    ("reduceSeq(add, i, xs)", ONE, reductions.splitReduceSeq(7)),
    ("take(5, xs)", ONE, movement.takeAll),
    ("take(n, generate(fun(j: idx[n + 1] => i)))", ONE, movement.takeAll),
    ("padClamp(0, 1, xs)", ONE, movement.padNothing),
]
"""Terms with a size that differs, or may differ, from the size that a rule requires."""
OTHERS: list[tuple[str, dict[str, str], EquationRule]] = [
    ("pair(fst(p), snd(q))", PAIRS, functions.pairEta),
    ("pair(snd(p), fst(p))", PAIRS, functions.pairEta),
    ("acc + a * b", WHOLE, matrix_products.mulAddToFma),
    ("a * b + acc", SCALARS, matrix_products.mulAddToFma),
    ("(fun(x => x + x))(i * i)", ONE, functions.gentleBeta),
    ("map(fun(x => (fun(y => map(fun(z => y + z), ys)))(x * x)), xs)", ONE, functions.gentleBeta),
    ("map(fun(x => (fun(y => map(add(y), ys)))(x * x)), xs)", ONE, functions.gentleBeta),
    ("map(fun(x => x + 1.0), xs)", ONE, lowering.etaAbstraction),
    ("reduceSeq(fun(acc, x => acc + x), i, xs)", ONE, lowering.etaAbstractionFold),
    ("map(fun(p => fst(p) + snd(p)), zip(xs, ys))", ONE, selection.narrowZip),
    ("fun(x: f32 => reduce(add, x, xs))", ONE, selection.isolateReduction),
    ("fun(x: f32 => map(fun(y => reduce(add, y, xs)), ys))", ONE, selection.isolateReduction),
    ("(fun(p => fst(p) + fst(id(p))))(pair(i, i))", ONE, selection.betaPair),
    ("transpose(map(fun(x => ys), xs))", ONE, movement.transposeTranspose),
]
"""Terms that only look like what a rule matches."""


@pytest.mark.parametrize(("text", "context", "found"), CAPTURES + SIZES + OTHERS, ids=repr)
def test_a_rule_does_not_fire(text: str, context: dict[str, str], found: EquationRule) -> None:
    e = rise.parse_expr(text, context)
    result = topDown(found)(e) if found.roots is not None else found(e)
    assert isinstance(result, Failure), result
    assert str(result.explain())


def test_copy_does_not_fire_on_a_number() -> None:
    assert isinstance(lowering.copy(rise.parse_expr("i + 1.0", ONE)), Failure)


@pytest.mark.parametrize("text", ["12.f32", "(4*n).f32", "n.f32"])
def test_a_symbolic_size_is_divided_exactly(text: str) -> None:
    e = rise.parse_expr("map(neg, xs)", {"xs": text})
    result = movement.splitJoin(4)(e)
    assert isinstance(result, Success)
    assert result.program.type == e.type


#: mistakes in the sums of a softmax by blocks: what stands there, and what is wrong instead
WRONG_SUMS = {
    "the divisor": ("f[sum / fst (snd state)]", "f[sum / (fst (snd state) + 1.0)]"),
    "the total": ("fst (snd acc) * old", "fst (snd acc)"),
    "the sums": ("fst q * old", "fst q"),
    "the weights": ("(map (fun(x => exp (x - (if top", "(map (fun(x => exp (x + (if top"),
    "the padding": ("(b * ceil(n, b) - n) (-inf) xs", "(b * ceil(n, b) - n) 0.0 xs"),
}


@pytest.mark.parametrize(("right", "wrong"), some(WRONG_SUMS.values(), 2), ids=some(WRONG_SUMS, 2))
def test_a_wrong_approximation_is_caught(right: str, wrong: str) -> None:
    """By a single random example: the sweep of small sizes finds it."""
    equation = softmax.onlineSoftmaxBlocks.rule.equation
    assert right in equation
    wrong_family = family(
        equation.replace(right, wrong), parameters=("b",), why="Wrong.", float_class=FloatClass.APPROXIMATE
    )
    with pytest.raises(StrategyError, match="changes what a program computes"):
        check(wrong_family, examples=1)


def test_firings_are_the_places_where_a_rule_fires() -> None:
    e = rise.parse_expr("map(neg, map(abs, map(neg, xs)))", ONE)
    assert [path for path, _, _ in firings(fusion.mapFusion, e)] == [(), (1,)]
    assert (
        check_in_program(fusion.mapFusion, rise.parse("fun(xs: 3.f32 => map(neg, map(abs, xs)))").main) == 1
    )
