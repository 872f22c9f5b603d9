"""Wrong rules, each similar to a correct one: none may be proved. `PARAMETERS` are the sizes that make one a family."""

from typing import Final

from elevate import FloatClass
from rise.checker import Operator
from strategies.equations.laws import cases_of, ensures
from strategies.equations.matcher import Bindings
from strategies.rules.gpu_reductions import is_flagged, isLinearStep, may_restart
from strategies.rules.reductions import is_commutative, is_monoid
from strategies.rules.sliding import isDotStep

#: about numbers: wrong for some float or integer, or for extreme values
NUMBERS: Final = (
    "sub 0.0 x = neg (x : f32)",
    "sub x x = 0.0",
    "neg (sub (x : f32) y) = sub y x",
    "eq (x : f32) x = true",
    "lt (x : i32) (add x 1) = true",
    "div (mul (x : i8) 2) 2 = x",
    "div (mul (x : i32) y) y = x",
    "sqrt (mul (x : f32) x) = abs x",
    "add (x : f32) 0.0 = x",
    "mul (x : f32) 0.0 = 0.0",
    "div (x : f32) x = 1.0",
    "sub (x : f32) y = sub y x",
    "div (x : f32) y = div y x",
    "lt (x : f32) y = lt y x",
    "add (add (x : f32) y) z = add x (add y z)",
    "mul (x : f32) (add y z) = add (mul x y) (mul x z)",
    "add (x : f32) (mul y z) = fma y z x",
    "cast{f32} (cast{f16} (x : f32)) = x",
    "padCst l r (0.0 : f32) (map (fun(x => cast x)) (xs : n.f16)) = map (fun(x => cast x)) (padCst l r (-0.0) xs)",
    "padCst l r (1.0 : f32) (map (fun(x => cast x)) (xs : n.f16)) = map (fun(x => cast x)) (padCst l r 0.0 xs)",
    "select c x y = x",
    "select c x y = select c y x",
    "select (lt (x : f32) y) x y = min x y",
)
#: about views: transposes, sizes, steps and operands confused
VIEWS: Final = (
    "transpose xs = xs",
    "transpose (transpose (transpose xs)) = xs",
    "join (transpose xs) = join xs",
    "map (map f) (transpose xs) = map (map f) xs",
    "split n (join xs) = transpose (split n (join (transpose xs)))",
    "join (map transpose xs) = transpose (map join xs)",
    "join (join xs) = join (map transpose (join xs))",
    "zip xs ys = zip ys xs",
    "map fst (zip xs ys) = ys",
    "map f (zip xs ys) = map (fun(p => f (pair (snd p) (fst p)))) (zip xs ys)",
    "unzip (zip xs ys) = pair ys xs",
    "pair (fst p) (snd p) = pair (snd p) (fst p)",
    "take n (concat xs ys) = take n (concat ys xs)",
    "concat (concat xs ys) zs = concat xs (concat zs ys)",
    "concat (take n xs) (drop n xs) = concat (drop n xs) (take n xs)",
    "take n (drop m xs) = take n (drop n (xs : (n + m + k).t))",
    "drop n (padCst n n c xs) = drop 0 (padCst n 0 c xs)",
    "padCst n m c xs = padCst m n c xs",
    "padClamp n m xs = padClamp m n xs",
    "padClamp n m xs = padCst n m (idx 0 xs) xs",
    "padCst 0 n c xs = padEmpty n xs",
    "map f (padCst l r c xs) = padCst l r c (map f xs)",
    "map f (padEmpty n xs) = padEmpty n xs",
    "map (map f) (slide a b xs) = slide a b xs",
    "slide 2 b (xs : (b * n + 2).t) = slide 2 b (take (b * n + 2) (concat (drop 1 xs) xs))",
    "slide 3 1 (slide 3 2 xs) = slide 3 1 (slide 3 2 xs) |> map transpose",
    "gather is (gather js xs) = gather js (gather is xs)",
    "gather is (map f xs) = map f xs",
    "idx i (map f xs) = idx i xs",
    # n is not the length of xs, which only the left side does not name
    "pair xs (indexAsInt (fromEnd (0 : idx[n])))"
    " = pair xs (fst (idx 0 (zip (generate (fun(j => indexAsInt (fromEnd j)))) xs)))",
    "idx i (zip xs ys) = pair (idx i ys) (idx i xs)",
    "generate (fun(i => idx (fromEnd i) xs)) = xs",
    "generate (fun(i => f i)) = generate (fun(i => f (fromEnd i)))",
    "map f xs = xs",
    "map f (map g xs) = map (g . f) xs",
    "map f xs = map f (gather (generate (fun(i => fromEnd i)) ) xs)",
    "let x f = f (f x)",
    "asScalar (asVector 4 xs) = asScalar (asVector 4 (gather (generate (fun(i => fromEnd i)) ) xs))",
    "asVector n (asScalar xs) = gather (generate (fun(i => fromEnd i))) xs",
)
#: about reductions and scans: order, start value, and laws that are not claimed
REDUCTIONS: Final = (
    "reduce f i xs = reduce (fun(a, b => f b a)) i xs",
    "reduce f i (map g xs) = reduce f i xs",
    "reduce f i (map g xs) = g (reduce f i xs)",
    "reduce f i (concat xs ys) = reduce f i (concat ys xs)",
    "reduce f i (concat xs ys) = f (reduce f i xs) (reduce f i ys)",
    "reduce f i (concat xs ys) = reduce f (reduce f i ys) xs",
    "reduce f i (join xs) = reduce f i (join (transpose xs))",
    "reduce f i (join xs) = reduce f i (map (reduce f i) xs)",
    "reduce f i (take n xs) = reduce f i xs",
    "reduce f i xs = reduce f (f i i) xs",
    "reduce f i (padCst 0 n i xs) = reduce f i xs",
    "reduce f i (padCst 0 n c xs) = reduce f i xs",
    "reduceSeq f i (zip xs ys) = reduceSeq f i (zip xs ys |> gather (generate (fun(k => fromEnd k))))",
    "reduceSeq f i xs = reduceSeq (fun(acc, x => x)) i xs",
    "scan f i xs = map (f i) xs",
    "scan f i xs = map (fun(x => reduce f i xs)) xs",
    "scan f i (map g xs) = map g (scan f i xs)",
    "scan f i (concat xs ys) = concat (scan f i xs) (scan f i ys)",
    "map (reduce f i) xs = reduce (fun(a, b => map (fun(p => f (fst p) (snd p))) (zip b a)))"
    " (map (fun(x => i)) xs) (transpose xs)",
)
#: about sizes: tiles one too wide, remainders dropped, and conditions that the left side does not have
PARAMETERS: Final = (
    ("map f xs = join (map (map f) (split t (xs : n.e)))", ("t",)),
    ("map f xs = join (map (map f) (split (t + 1) (xs : n.e)))", ("t",)),
    ("reduceSeq f i (xs : n.e) = reduceSeq (fun(a, b => reduceSeq f a b)) i (split (t + 1) xs)", ("t",)),
    ("map f (xs : n.e) = concat (map f (take (t * (n / t)) xs))"
     " (map f (drop (t * (n / t)) xs)) |> split (t + 1) |> join", ("t",)),
    ("reduceSeq f i (xs : n.e) = reduceSeq f (reduceSeq f i (drop (t * (n / t)) xs)) (take (t * (n / t)) xs)",
     ("t",)),
    ("split t (xs : (t * t).e) = transpose (split t xs)", ("t",)),
    ("slide u s (xs : (s * (t * q - 1) + u).e) = join (map (fun(tile => slide u s tile))"
     " (slide ((t - 1) * s + u) (t * s) (gather (generate (fun(i => fromEnd i))) xs)))", ("t",)),
    ("scan f i (xs : (m * t).e) = join (map (fun(block => scan f i block)) (split t xs))", ("t",)),
)  # fmt: skip
#: right only if a function is associative, commutative, or starts with its neutral element, which nobody claims here
LAWLESS: Final = (
    "reduce f i (split n xs |> map (reduce f i)) = reduce f i xs",
    "reduce f i (xs : (2 * n).e) = reduce f i (map (fun(p => f (idx 0 p) (idx 1 p))) (transpose (split n xs)))",
    "map (fun(x => f i x)) xs = xs",
    "map (fun(x => f x i)) xs = map (fun(x => f i x)) xs",
)
#: reassociating, for operations whose laws do not suffice, or with another start value
REASSOCIATING: Final = (
    "reduce sub 0.0 (join xs) = reduce sub 0.0 (map (reduce sub 0.0) xs)",
    "reduce add 1.0 (join xs) = reduce add 1.0 (map (reduce add 1.0) xs)",
    "reduce mul 0.0 (join xs) = reduce mul 1.0 (map (reduce mul 1.0) xs)",
    "reduce add 0.0 (join xs) = reduce add 0.0 (map (reduce mul 1.0) xs)",
    "reduce add 0.0 (concat xs ys) = add (reduce add 0.0 xs) (reduce add 0.0 xs)",
    "reduce add 0.0 (padCst 0 n 1.0 xs) = reduce add 0.0 xs",
    "reduce max 0.0 (padCst 0 n 1.0 xs) = reduce max 0.0 xs",
    "reduce add 0.0 (join xs) = reduce add 0.0 (map (fun(r => idx 0 r)) xs)",
    "reduce f i (join xs) = reduce f i (map (reduce f i) xs)",
    "reduce f i (concat xs ys) = reduce f i (concat ys xs)",
)
#: with conditions that ensure laws, but not those that the equation needs
SUMS: Final = (
    ("reduce f i xs = reduce f i (map (reduce f i) (split t xs))", ("t",), is_commutative),
    ("reduce f i (xs : n.e) = reduce f i (padCst 0 t i xs)", ("t",), is_commutative),
    ("reduce f i (xs : n.e) = reduce f i (padCst 0 t (f i i) (drop 0 xs)) |> f i |> f i", ("t",), is_commutative),
    ("reduce f i (xs : (2 * n).e) = reduce f i (map (fun(p => f (idx 0 p) (idx 0 p))) (transpose (split n xs)))",
     ("n",), is_monoid),
    ("reduce f i xs = reduce f i (map (fun(strip => reduce f i strip)) (transpose (split n"
     " (drop 1 (xs : (m*n+1).e)))))", ("n",), is_monoid),
    ("reduce f i (xs : m.t) = reduce f i (map (fun(block => reduce f i block)) (split n (take (n * (m / n)) xs)))",
     ("n",), is_monoid),
    ("reduce f i (xs : m.t) = reduce f (reduce f i (map (fun(block => reduce f i block)) (split n (take"
     " (n * (m / n)) xs)))) (take (m % n) xs)", ("n",), is_monoid),
    ("reduce f i xs = reduce f i (map (fun(strip => reduce f i strip)) (transpose (split n xs)))", ("n",),
     may_restart),
    ("reduceSeq f i xs = reduceSeq f i (gather (generate (fun(k => fromEnd k))) (join (split n xs)))", ("n",),
     may_restart),
    ("scan f i (xs : (m*n).t) = join (map (fun(block => scan f i block)) (split n xs))", ("n",), is_monoid),
)  # fmt: skip


@ensures((Operator("f", restarts="i"),))
def restarts(bindings: Bindings) -> bool:
    """Folds of f may restart from i"""
    return True


@ensures((Operator("e", commutes=True, associates=False),))
def is_symmetric(bindings: Bindings) -> bool:
    """e is the same for its two rows swapped"""
    return True


@ensures(cases_of(isDotStep)[0])
def is_dot_step(bindings: Bindings) -> bool:
    """f is the step of a dot product"""
    return True


@ensures(cases_of(isLinearStep)[0])
def is_linear_step(bindings: Bindings) -> bool:
    """f is y -> y * a + b"""
    return True


@ensures(cases_of(is_flagged)[0])
def has_flags(bindings: Bindings) -> bool:
    """f combines values with flags"""
    return True


_SCORES: Final = "reduceSeq f 0.0 (zip (join (map (fun(a => map (fun(b => a * b)) hs)) vs)) (join ww))"
#: with conditions that ensure something about an operation or the form of a function, but not enough
ENSURED: Final = (
    ("reduce f i (xs : (m*n).t) = reduce f i (map (fun(strip => reduce f i strip)) (transpose (split n xs)))",
     ("n",), FloatClass.REASSOCIATING, restarts),
    ("reduce f j (xs : (m*n).t) = reduce f j (map (fun(block => reduce f j block)) (split n xs))", ("n",),
     FloatClass.REASSOCIATING, restarts),
    ("pair (f (f x y) z) x = pair (f x (f y z)) x", (), FloatClass.REASSOCIATING, restarts),
    ("pair x (f (reduce f i xs) (reduce f i ys)) = pair x (f (reduce f i ys) (reduce f i xs))", (),
     FloatClass.REASSOCIATING, restarts),
    ("pair x (f (reduce f i xs) (reduce f i xs)) = pair x (reduce f i xs)", (), FloatClass.REASSOCIATING, restarts),
    ("reduce f i (map (fun(x => f x i)) xs) = reduce f i xs", (), FloatClass.REASSOCIATING, restarts),
    ("map (fun(r => map (fun(c => e)) xs)) (ys : n.t) = map (fun(r => map (fun(c => e)) ys)) (xs : n.t)", (),
     FloatClass.EXACT, is_symmetric),
    ("map (fun(r => map (fun(c => e)) xs)) (xs : n.t) = map (fun(r => map (fun(c => e)) xs |> gather"
     " (generate (fun(k => fromEnd k))))) xs", (), FloatClass.EXACT, is_symmetric),
    (f"{_SCORES} = reduceSeq f 0.0 (zip hs (map (fun(row => reduceSeq f 0.0 (zip vs row))) (ww : n.n.f32)))", (),
     FloatClass.REASSOCIATING, is_dot_step),
    (f"{_SCORES} = reduceSeq f 0.0 (zip vs (map (fun(row => reduceSeq f 1.0 (zip hs row))) ww))", (),
     FloatClass.REASSOCIATING, is_dot_step),
    (f"{_SCORES} = reduceSeq f 0.0 (zip vs (map (fun(row => reduceSeq f 0.0 (zip hs row))) ww))", (),
     FloatClass.EXACT, is_dot_step),
    ("scan f i xs = map (fun(p => f i p)) (scan (fun(p, q => pair (fst p * fst q) (f (snd q) p))) (pair 1 0) xs)", (),
     FloatClass.REASSOCIATING, is_linear_step),
    ("scan f i xs = map (fun(p => f i p)) (scan (fun(p, q => pair (fst p * fst q) (f (snd p) q))) (pair 1 1) xs)", (),
     FloatClass.REASSOCIATING, is_linear_step),
    ("reduce f (pair true i) xs = f (pair true i) (reduce (fun(a, b => if fst a then f a b else a)) (pair false i) xs)",
     (), FloatClass.REASSOCIATING, has_flags),
    ("reduce f (pair true i) xs = f (pair true i) (reduce (fun(a, b => if fst a then f a b else b)) (pair true i) xs)",
     (), FloatClass.REASSOCIATING, has_flags),
)  # fmt: skip
_STEP: Final = "fun(a, b => if fst b > fst a then b else a)"
_BEST: Final = "reduce max (fst q) (map fst xs)"
#: about folds, whose accumulators are stored in another form, or unchanged
FOLDS: Final = (
    ("reduceSeq f (i : (m*k).t) xs = join (reduceSeq (fun(a, x => split k (f (join (transpose a)) x))) (split k i) xs)",
     ("k",)),
    ("reduceSeq f (i : (k*k).t) xs = join (transpose (reduceSeq (fun(a, x => split k (f (join a) x))) (split k i) xs))",
     ("k",)),
    ("reduceSeq f (i : (k*k).t) xs = join (reduceSeq (fun(a, x => split k (f (join a) x))) (transpose (split k i)) xs)",
     ("k",)),
    ("reduceSeq f (i : (m*k).t) xs = join (reduceSeq (fun(a, x => split k (f i x))) (split k i) xs)", ("k",)),
    ("reduceSeq (fun(acc, x => f)) (i : k.(s, s)) xs = (fun(r => zip (snd r) (fst r))) (reduceSeq (fun(acc, x => unzip"
     " ((fun(acc => f)) (zip (fst acc) (snd acc))))) (unzip i) xs)", ()),
    (f"reduce ({_STEP}) q xs = if {_BEST} >= fst q then q else reduceSeq ({_STEP}) q xs", ()),
    (f"reduce ({_STEP}) q xs = if {_BEST.replace('max', 'min')} <= fst q then q"
     f" else reduceSeq ({_STEP}) q xs", ()),
    (f"reduce ({_STEP.replace(' > ', ' >= ')}) q xs = if {_BEST} <= fst q then q else reduceSeq ({_STEP}) q xs",
     ()),
    ("reduce greaterPair q xs = if reduce max (snd q) (map snd (take n (xs : (n+1).(s, t)))) <= snd q then q"
     " else reduceSeq greaterPair q xs", ()),
    ("argmax (xs : (1+n).t) = argmin xs", ()),
    ("argmin (xs : (1+n).t) = fst (reduce greaterPair (pair (0 : idx[1+n]) (idx (0 : idx[1+n]) xs))"
     " (zip (generate (fun(i => i))) xs))", ()),
    ("p = dmatch p (fun(n: nat, x => makeDepPair n (map neg x)))", ()),
    ("depJoin (depTile n 0 (map f xs)) = depJoin (depTile n 0 xs)", ()),
    ("reduceSeq (fun(acc, b => scatterAdd (is) (xs) acc)) ys bs = reduceSeq (fun(acc, table => map (fun(p => fst p"
     " + snd p)) (zip acc table))) ys (map (fun(b => scatterAdd (is) (xs) (generate (fun(i => (1 : t)))))) bs)", ()),
)  # fmt: skip
CLASSES: Final = (
    *((one, (), FloatClass.EXACT, ()) for one in (*NUMBERS, *VIEWS, *REDUCTIONS, *LAWLESS)),
    *((one, parameters, FloatClass.EXACT, ()) for one, parameters in PARAMETERS),
    *((one, (), FloatClass.REASSOCIATING, ()) for one in REASSOCIATING),
    *((one, parameters, FloatClass.REASSOCIATING, (where,)) for one, parameters, where in SUMS),
    *((one, parameters, float_class, (where,)) for one, parameters, float_class, where in ENSURED),
    *((one, parameters, FloatClass.REASSOCIATING, ()) for one, parameters in FOLDS),
)
