"""Local variables that are read before they are written: found if results depend on them, and only then."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program
from shine.simulator.compiler import find_compiler
from shine.simulator.unset_variables import fill_unset_variables
from tests import required_tools
from tests.examples import in_turns, some
from tests.simulator.corpus import SCHEDULES

X = np.arange(64, dtype=np.float32)
#: the line of the read is the second, third or fourth of the text
DEPENDENT = {
    "sum of a loop": "float sum;\n  for (int i = 0; i < n; i++)\n    sum += x[i];\n  y[threadIdx.x] = sum;",
    "one of two": "float a, b = 0;\n  for (int i = 0; i < n; i++) a += x[i], b += x[i];\n  y[threadIdx.x] = a + b;",
    "a branch": "float best;\n  if (x[n] > 100) best = x[1];\n  y[threadIdx.x] = best + x[n];\n  if (n > 70) best = 0;",
    "a vector": "float4 v;\n  v.x = x[0];\n  y[threadIdx.x] = v.x + v.y;",
    "a structure": "Four v;\n  y[threadIdx.x] = v.of[threadIdx.x & 3];",
    "what is printed": 'int count;\n  if (x[0] > 1) count = n;\n  if (threadIdx.x == 0) printf("%d\\n", count);',
    "of a shuffle": "float mine;\n  if (threadIdx.x < 16) mine = x[1];\n  y[threadIdx.x] = __shfl_sync(~0u, mine, 20);",
}
INDEPENDENT = {
    "a leader's value": """int r;
  if (threadIdx.x % 32 == 0) r = n;
  r = __shfl_sync(~0u, r, 0);
  y[threadIdx.x] = r;""",
    "a value with a flag": """float best; bool any = false;
  for (int i = 0; i < n; i++) if (!any || x[i] > best) best = x[i], any = true;
  if (any) y[threadIdx.x] = best;""",
    "an output of assembly": """unsigned lane, more;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("add.u32 %0, %1, 1;" : "=r"(more) : "r"(lane));
  y[threadIdx.x] = more;""",
    "results by pointers": """float s, c; int e;
  sincosf(x[0], &s, &c);
  y[threadIdx.x] = s + c + frexpf(8.0f, &e) + e;""",
    "an unused part": """float4 v;
  v.x = x[0], v.y = x[1];
  float2 half = make_float2(v.x, v.y);
  y[threadIdx.x] = half.x;""",
    "a variable of a loop": "for (int i = 0, j; i < n; i++) { j = i; y[j] = x[j]; }",
}


def launched(body: str, programs: Callable[..., Program], schedule: str = "ascending") -> Any:
    text = (
        "struct Four { float of[4]; };\n__global__ void f(float* y, const float* x, int n) {  "
        + body
        + "\n}\n"
    )
    y = np.zeros(64, np.float32)
    block = 1 if "for (int i = 0, j;" in body else 64
    return programs(text, True).launch("f", 1, block, [y, X, np.int32(8)], schedule=schedule).findings


@pytest.fixture(autouse=True)
def needs_gcc() -> None:
    """clang does not say where such variables are read."""
    if find_compiler(None).is_clang:
        required_tools.skip_without(required_tools.GCC)


@pytest.mark.parametrize(("schedule", "name"), in_turns(SCHEDULES, DEPENDENT))
def test_results_that_depend_on_a_variable_without_value_are_found(
    name: str, schedule: str, programs: Callable[..., Program]
) -> None:
    found = launched(DEPENDENT[name], programs, schedule)
    assert [one.kind for one in found] == ["uninitialised"] and 2 <= found[0].first.line <= 5
    assert (
        found[0].message.startswith("results depend on the variable `") and "read at line" in found[0].message
    )


@pytest.mark.parametrize("name", some(INDEPENDENT, 2))
def test_results_that_do_not_depend_on_it_are_not_reported(
    name: str, programs: Callable[..., Program]
) -> None:
    assert launched(INDEPENDENT[name], programs) == ()


def test_a_launch_that_is_stopped_reports_why(programs: Callable[..., Program]) -> None:
    (found,) = launched("float best;\n  if (x[n] > 1) best = x[2];\n  y[64 + n] = best;", programs)
    assert (found.kind, found.array) == ("out-of-bounds", "y")


def test_calls_are_inserted_only_where_a_statement_may_follow() -> None:
    def filled(text: str, *notes: tuple[int, int, str]) -> str:
        said = "\n".join(
            f"kernel.cu:{line}:9: warning: ‘{name}’ may be used uninitialized [-Wmaybe-uninitialized]\n"
            f"kernel.cu:{line}:{column}: note: ‘{name}’ was declared here"
            for line, column, name in notes
        )
        unit = f'#include "vocabulary.h"\n#line 1 "kernel.cu"\n{text}'
        return fill_unset_variables(unit, said).split('kernel.cu"\n')[1]

    assert filled("{ int a, b[2]; }", (1, 7, "a")) == "{ int a, b[2]; SIM_UNSET(a, 1) }"
    assert (
        filled("{ int a,\n  c; }", (1, 7, "a"), (2, 3, "c"))
        == "{ int a,\n  c; SIM_UNSET(a, 1) SIM_UNSET(c, 2) }"
    )
    assert filled("{ for (int a, b; f(a);) {} }", (1, 12, "a")) == "{ for (int a, b; f(a);) {} }"
    assert filled("void f(int a) {}", (1, 12, "a")) == "void f(int a) {}"
    assert filled("#define D int d;\n{ D }", (2, 3, "d")) == "#define D int d;\n{ D }"
    assert filled("{ /* é */ int a; }", (1, 16, "a")) == "{ /* é */ int a; SIM_UNSET(a, 1) }"
    assert filled("{ int a; }", (7, 1, "a")) == "{ int a; }"
    assert fill_unset_variables("{ int a; }", "kernel.cu:1:7: note: 'a' was declared here") == "{ int a; }"
