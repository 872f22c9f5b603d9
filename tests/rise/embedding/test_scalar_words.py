"""Python's operators and functions of numbers in loops, and lists as arrays: kernels compute the same as Python.

One subject: the expressions, in groups that are compiled together.
"""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from tests.examples import some

X = np.array([0.5, 1.5, 2.5, 4.25])
K = np.array([5, 1, 2, 7])
#: expressions of the number i of a loop, of two arrays x and k, and of their length n
OF_NUMBERS = {
    "types that are called": """
        np.uint32(i) np.uint8(k[i]) np.int64(x[i]) np.float64(k[i]) np.float64(i) float(np.float32(x[i])*np.float32(2))
        bool(x[i]-.5) bool(i) np.bool_(k[i]-1) int(x[i]) float(k[i]) x.dtype.type(3)*x[i] np.int64(7)//k[i]
        divmod(np.int64(7),k[i])[1] np.float64(n) complex(x[i],1).real complex(1,x[i]).imag abs(complex(x[i],i))""",
    "bits of sizes": """
        i&1 i&3 i&5 k[i]&i i>>1 i>>k[i] 1<<i i<<2 i<<i i^1 3|i ~i x[~i] x[i^1] x[k[i]&3] i.bit_length() n.bit_length()
        +i divmod(i,3)[0] divmod(n,3)[1] np.bitwise_and(i,1) np.left_shift(1,i) np.divmod(i,2)[0]""",
    "sizes that are rounded": """
        int(n/3) int(n*.75) x[int(n*.75)] x[math.floor(i/2)] int((i-2)/2) math.floor((i-2)/2) math.ceil((i-2)/2)
        math.ceil(n/3) np.ones(math.ceil(n/3)).sum() np.ones(int(n/2)+1).sum() int(math.sqrt(i)) int(n**.5)
        round(i/2) round(i/3,1) round(n) -int(i/2) int(i/3*3) math.trunc(i) n//2.0 i//.5 np.round(i/3,2) np.clip(i,1,2)
        int(math.log2(n)) math.floor(-x[i]) math.ceil(-x[i]) math.trunc(-x[i]) x[round(x[i])%4] round(x[i],1)
        round(-x[i]*10,-1) round(k[i])""",
    "functions of math": """
        math.isqrt(i) math.isqrt(k[i]) math.gcd(k[i],6,4) math.gcd(i,6) math.lcm(k[i],6) math.isclose(x[i],1.5+1e-10)
        math.isclose(x[i],math.inf) math.dist((x[i],0.),(1.,i)) math.log(x[i]+1,2) math.log(8,i+2) math.log(n,3)
        math.hypot(x[i],1.,2.) math.remainder(x[i],2.) math.remainder(-x[i],2) math.remainder(x[i],math.inf)
        math.remainder(3.,x[i]) math.erf(x[i]) math.erf(i) math.pow(k[i],2) math.pow(2,i) math.fabs(-k[i])""",
    "powers of integers": """
        2**i (-1)**i i**i 3**i np.power(2,i) k[i]**k[i] k[i]**20 k[i]**np.int64(3) 2**k[i] (-1)**k[i] 2.0**i 2**n
        k[i]**i i**k[i] np.uint8(3)**np.uint8(k[i])""",
    "lists of numbers": """
        [1.,2.,3.][i%3] (1,2,3)[k[i]%3] [[1,2],[3,4]][i%2][k[i]%2] [x[0],x[1]][i%2] list(range(3))[i%3]
        sorted((x[i],1.))[1]
        sorted([x[i],1.,2.],reverse=True)[0] any([x[i]>1,False]) all([x[i]>1,True]) np.max([x[i],1.]) np.min((x[i],1.))
        np.mean([x[i],1]) np.median([x[i],1.,9.]) np.argmax([x[i],1.,2.]) np.std([x[i],i]) np.prod([i+1,2])
        np.dot([x[i],1.],[1.,2.]) np.cross([x[i],0,0],[0,1.,0])[2] np.sort([x[i],1.,2.])[0] np.diff([x[i],1.])[0]
        np.linalg.norm([x[i],1.]) np.where([x[i]>1,True],1,2)[0] np.sin([x[i],1.])[0] np.maximum([x[i],1.],2.)[1]""",
    "truth": """
        (i_and_5) (i_or_5) (x_and_5) (either_or_7) (both_and_2) isinstance(x[i],float) isinstance(x,np.ndarray)
        isinstance(k[i],(int,np.integer)) isinstance(i,int) isinstance(x,(list,tuple)) isinstance(n/2,float)
        np.isscalar(x[i]) (k_in_1_2) (i_not_in_1_2) (half_in_x) (k_in_array) (k_in_range) (i_in_down)
        bool([x[i]]) math.prod([x[i],2.]) round(i,None)""",
    "elements": "x.item(i) x[i].item() x.reshape(2,2).item(i) x.reshape(2,2).item(1,0) x.nbytes x.itemsize",
}
#: the expressions above that have spaces
SPACED = {
    "(i_and_5)": "(i and 5)",
    "(i_or_5)": "(i or 5)",
    "(x_and_5)": "(x[i] - .5 and 5.)",
    "(either_or_7)": "(x[i] > 1 or 7)",
    "(both_and_2)": "(x[i] > 1 and k[i])",
    "(k_in_1_2)": "(k[i] in (1, 2))",
    "(i_not_in_1_2)": "(i not in [1, 2])",
    "(half_in_x)": "(i / 2 in x)",
    "(k_in_array)": "(k[i] in np.array([1, 2]))",
    "(k_in_range)": "(k[i] in range(1, 6, 2))",
    "(i_in_down)": "(i not in range(5, 0, -2))",
}
#: expressions of arrays
OF_ARRAYS = (
    "np.convolve(x,[1.,2.,1.])",
    "np.correlate(x,[1.,2.])",
    "np.kron(x,[1.,2.])",
    "np.outer(x,[1.,2.])",
    "np.vdot(x,[1.,2.,3.,4.])",
    "np.dot([1.,2.,3.,4.],x)",
    "x.dot([1.,2.,3.,4.])",
    "x+[1.,2.,3.,4.]",
    "(1.,2.,3.,4.)*x",
    "x>[1.,2.,3.,4.]",
    "np.maximum(x,[1.,2.,3.,4.])",
    "np.where(x>1,x,[1.,2.,3.,4.])",
    "np.where(k-1,x,0)",
    "np.average(x,weights=[1.,2.,3.,4.])",
    "np.trapezoid(x,[0.,1.,2.,4.])",
    "np.subtract.outer(x,[1.,2.])",
    "np.meshgrid(x,[1.,2.])[0]",
    "np.meshgrid(np.arange(3.),x)[1]",
    "np.tile([1.,2.],len(x))",
    "np.lexsort([x,k])",
    "np.median([x,2*x],axis=0)",
    "np.linalg.solve([[x[0]+9,1.],[2.,x[1]]],[1.,2.])",
    "np.choose(k%2,[x,[1.,2.,3.,4.]])",
    "np.gradient(x,[0.,1.,2.,4.])",
    "np.gradient(np.outer(x,k),x,[0.,1.,2.,4.])[1]",
    "np.histogram(x,[0.,2.,4.25])[0]",
    "np.histogram(x,bins=[0.,1.,2.],weights=x)[0]",
    "np.histogram(x,[0.,2.,5.],density=True)[0]",
)


def function(name: str, source: str) -> Any:
    """The function `f` that a text defines, whose lines `inspect` finds."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"np": np, "math": math}
    exec(compile(source, name, "exec"), names)
    return names["f"]


@pytest.mark.parametrize("group", some(OF_NUMBERS, 2))
def test_expressions_of_numbers_agree_with_python(group: str) -> None:
    expressions = [SPACED.get(one, one) for one in OF_NUMBERS[group].split()]
    rows = "".join(f"        s[{row}, i] = {one}\n" for row, one in enumerate(expressions))
    head = (
        f"def f(x, k):\n    n = len(x)\n    s = np.zeros(({len(expressions)}, n))\n    for i in range(n):\n"
    )
    f = function(f"<{group}>", head + rows + "    return s\n")
    built = rise.program(f, types={"x": "N.f64", "k": "N.i64"}, where=("N >= 2",))
    found, wanted = built(X, K), f(X, K)
    for row, one in enumerate(expressions):
        np.testing.assert_allclose(found[row], wanted[row], rtol=1e-14, err_msg=one)


def test_lists_are_arrays_where_numpy_reads_arrays() -> None:
    tried = some(OF_ARRAYS, 2)
    f = function("<lists>", f"def f(x, k):\n    return ({', '.join(tried)},)\n")
    for one, found, wanted in zip(tried, shine.jit(f)(X, K), f(X, K), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, err_msg=one)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype, one


def changed(x, k):
    """Methods and operators that change an array in place."""
    a, b, c, d, e = x.copy(), x.copy(), k.copy(), np.outer(x, -x), x.copy()
    a.sort()
    b //= 0.5
    b **= 2
    c >>= 1
    c **= 3
    d.sort(axis=0)
    e.fill(7)
    e[:2] %= 2.0
    m = np.zeros((4, 3))
    m[0], m[1], m[2] = (x[0], x[1], 2.0), [1, x[2], 3], (1, 2, 3)
    m[1:3, 0] = x[1], x[0]
    m[3, :0] = np.arange(0)
    quotients = np.divide(1.0, x - 1.5, out=np.zeros_like(x), where=x != 1.5)
    np.sqrt(x[1:], out=quotients[1:], where=x[1:] > 2)
    np.add(m, 1, out=m, where=m > 1)
    return a, b, c, d, e, m, quotients


def test_arrays_change_in_place() -> None:
    for found, wanted in zip(shine.jit(changed)(X[::-1].copy(), K), changed(X[::-1], K), strict=True):
        np.testing.assert_array_equal(found, wanted)


WRONG = {
    "math.lgamma(x[0])": "programs do not support `math.lgamma` of values that are not known yet",
    "np.zeros(len(x) * 0.3)": "expected a size, found a float computed from sizes",
    "x[len(x) / 2]": "expected an index, found a float computed from sizes",
    "k ** -1": "`**` expected a floating type, found i64",
    "np.geterr([x])": "programs do not support `np.geterr`",
    "sorted(x)": "expected a known length, found a symbolic one",
}


@pytest.mark.parametrize("expression", WRONG)
def test_expressions_without_a_meaning_are_refused(expression: str) -> None:
    f = function(f"<{expression}>", f"def f(x, k):\n    return {expression}\n")
    with pytest.raises(RiseError) as caught:
        shine.jit(f)(X, K)
    assert WRONG[expression] in str(caught.value) and caught.value.diagnostic.hint
