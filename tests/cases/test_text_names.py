"""Names in the golden texts: they end in a counter rarely, and only if the name without it is taken. Compiles
nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.cases.texts import TEXTS

#: The number of names that end in a counter, each counted once per text, except for kernels, which run one after
#: another. What remains are loops of one nest along one axis with one cut (windows over `n`), values that are computed
#: in the same way from other elements of the same arrays (`product_1` in a filter), copies of two parts of one array in
#: one loop (`a_tile_1`), choices inside others (`chosen_1`), steps of two sums of the same kind in one kernel
#: (`sum_by_lane4_1`), array literals without a name in the program (`constants_1`), and accumulators to which the
#: program gives one name (`acc_1`). Lower the bound when the number falls.
MAX_COUNTED: Final = 84
#: The number of these that are not loops.
MAX_COUNTED_DECLARATIONS: Final = 64
COUNTED: Final = re.compile(r"(.*?)_\d+")
DECLARED: Final = re.compile(
    r"(?:for \()?(?:const |static |extern |__shared__ |__align__\(16\) |_Alignas\(64\) |unsigned |long |\"C\" )*"
    r"(?:[A-Za-z_][\w:<>, ]*?)(?: \*const | \*restrict |\* __restrict__ | \*| |\* )(?P<name>[A-Za-z_]\w*)"
    r"(?: =|;|\[\d|,$|$|\()"
)
KERNEL: Final = re.compile(r"__launch_bounds__\(\d+\) (\w+)\(")


def declarations(line: str) -> list[str]:
    """The names that a line of a text declares."""
    code = line.split("//")[0].strip()
    if code.startswith(("return", "give_memory", "report", "#", "}", "else")):
        return []
    kernel = KERNEL.search(code)
    if kernel:
        return [kernel[1], *parameters_of(code[kernel.end() :])]
    if re.match(r"(static inline )?int \w+\(", code):
        return parameters_of(code[code.index("(") + 1 :])
    found = DECLARED.match(code)
    return [found["name"]] if found else []


def parameters_of(text: str) -> list[str]:
    """The names of the parameters of a function that are in one line."""
    return [part.split()[-1].lstrip("*") for part in text.rstrip(") {").split(",") if part.strip()]


def test_declarations_are_found() -> None:
    lines = [
        ("  const int n_warp = threadIdx.x / 32;", ["n_warp"]),
        ("  __shared__ __align__(16) long long b_1st[8];", ["b_1st"]),
        ("    for (int64_t n_1 = 0; n_1 < 32; n_1++) {", ["n_1"]),
        ("  float *const sums = allocate(N / 2048, sizeof(float));", ["sums"]),
        ("    const float* __restrict__ xs,", ["xs"]),
        ("    float *restrict output", ["output"]),
        ("  float sum;", ["sum"]),
        ("  sum = sum_1;", []),
        ("  output[m * N + n] = sum;", []),
        ("int dot(int64_t N, const float *restrict xs, float *restrict output) {", ["N", "xs", "output"]),
        ('extern "C" __global__ void __launch_bounds__(256) dot_1(', ["dot_1"]),
    ]
    assert [declarations(line) for line, _ in lines] == [names for _, names in lines]


def without_need(text: str) -> list[str]:
    """The declarations of names that end in a counter although the name without it is not visible there."""
    found: list[str] = []
    around: list[tuple[int, str]] = []
    in_head = False
    for line in filter(str.strip, text.splitlines()):
        depth = 2 if in_head else len(line) - len(line.lstrip())
        in_head = line.endswith("(") or (in_head and not line.startswith(")"))
        around = [one for one in around if one[0] <= depth]
        kernel = KERNEL.search(line)
        for name in declarations(line):
            counted = COUNTED.fullmatch(name)
            if counted and not any(other == counted[1] for _, other in around):
                found.append(line.strip())
            is_inside = line.lstrip().startswith("for (")
            is_kernel = kernel is not None and name == kernel[1]
            around.append((0 if is_kernel else max(depth, 2) + 2 * is_inside, name))
    return found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("  float sum;\n  float sum_1;", []),
        ("  {\n    float sum;\n  }\n  float sum_1;", ["float sum_1;"]),
        ("  for (int n = 0; n < 2; n++) {\n    for (int n_1 = 0; n_1 < 2; n_1++) {", []),
        (
            "  for (int n = 0; n < 2; n++) {\n  }\n  for (int n_1 = 0; n_1 < 2; n_1++) {",
            ["for (int n_1 = 0; n_1 < 2; n_1++) {"],
        ),
    ],
)
def test_counters_without_need_are_found(text: str, wrong: list[str]) -> None:
    assert without_need(text) == wrong


def test_names_end_in_counters_only_where_the_name_is_taken() -> None:
    """A counter distinguishes two visible names whose words are equal: two loops along one axis with one cut, two sums
    of one block, a kernel and those that run after it.
    """
    for path in sorted(TEXTS.iterdir()):
        assert not without_need(path.read_text(encoding="utf-8")), path.name


def is_loop(line: str) -> bool:
    """Whether a line names the index of a loop, or the number of a GPU unit that runs its iterations."""
    code = line.strip()
    return (
        code.startswith("for (")
        or re.match(r"const \w+ \w+ = .*(threadIdx|blockIdx|warp|lane)", code) is not None
    )


def loops_without_need(text: str) -> list[str]:
    """The loops whose names end in a counter although no loop of the same axis and cut is visible."""
    found: list[str] = []
    around: list[tuple[int, str]] = []
    for line in filter(str.strip, text.splitlines()):
        depth = len(line) - len(line.lstrip())
        around = [(inside, name) for inside, name in around if inside <= depth]
        if KERNEL.search(line) or not is_loop(line):
            continue
        is_inside = line.lstrip().startswith("for (")
        for name in declarations(line):
            counted = COUNTED.fullmatch(name)
            if counted and not any(other == counted[1] for _, other in around):
                found.append(line.strip())
            around.append((depth + 2 * is_inside, name))
    return found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("  for (int n = 0; n < 2; n++) {\n    for (int n_1 = 0; n_1 < 2; n_1++) {", []),
        ("  float n;\n  for (int n_1 = 0; n_1 < 2; n_1++) {", ["for (int n_1 = 0; n_1 < 2; n_1++) {"]),
        ("  const int n_thread = threadIdx.x;\n  const int n_thread_1 = threadIdx.y;", []),
    ],
)
def test_loops_that_share_no_axis_and_cut_are_found(text: str, wrong: list[str]) -> None:
    assert loops_without_need(text) == wrong


#: texts of other strategies: products on tensor cores, contractions, image pipelines
OTHERS: Final = [path for path in TEXTS.parent.iterdir() if path.suffix in (".c", ".cu")]


def test_loops_end_in_counters_only_where_two_share_axis_and_cut() -> None:
    assert len(OTHERS) >= 8
    for path in sorted((*TEXTS.iterdir(), *OTHERS)):
        assert not loops_without_need(path.read_text(encoding="utf-8")), path.name


def test_no_loop_has_a_counter_inside_its_name() -> None:
    """A name such as `i_x_1_turn` is not derived from an axis."""
    for path in sorted((*TEXTS.iterdir(), *OTHERS)):
        loops = [name for line in code_of(path) if is_loop(line) for name in declarations(line)]
        assert [name for name in loops if re.search(r"_\d+_", name)] == [], path.name


def code_of(path: Path) -> list[str]:
    """The lines of a text without comments."""
    return [line.split("//")[0] for line in path.read_text(encoding="utf-8").splitlines()]


def test_few_names_end_in_counters() -> None:
    """Few names would be equal otherwise; `MAX_COUNTED` lists the reasons."""
    counted = declared = 0
    for path in TEXTS.iterdir():
        lines = code_of(path)
        kernels = {found[1] for line in lines if (found := KERNEL.search(line))}
        names = {name for line in lines for name in re.findall(r"[A-Za-z]\w*", line)}
        others = (line for line in lines if not line.lstrip().startswith("for ("))
        declarations_of_others = {name for line in others for name in declarations(line)}
        counted += sum(COUNTED.fullmatch(name) is not None for name in names - kernels)
        declared += sum(COUNTED.fullmatch(name) is not None for name in declarations_of_others - kernels)
    assert counted <= MAX_COUNTED
    assert declared <= MAX_COUNTED_DECLARATIONS
