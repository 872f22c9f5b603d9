"""Inline PTX: ordinary instructions compared with numpy, asynchronous copies, shared addresses, and unsupported
instructions.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, build
from shine.simulator.assembly import replace_assembly
from shine.simulator.ptx import instructions
from tests.examples import some
from tests.simulator.corpus import KERNELS


def bits(x: Any) -> Any:
    return np.float32(x).view(np.uint32)


U = [0, 1, 5, 0x80000000, 0xFFFFFFFF, 0x12345678]
PAIRS = [(x, y) for x in U for y in U]
#: the body of a kernel from u32 x, y to u32 z, and its result
ORDINARY: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "add": ('asm("add.u32 %0, %1, %2;" : "=r"(z) : "r"(x), "r"(y));', lambda x, y: x + y),
    "twice": ('asm("add.u32 %0, %1, %2;\\n\\tadd.u32 %0, %0, %0; // twice" : "=&r"(z) : "r"(x), "r"(y));',
              lambda x, y: 2 * (x + y)),
    "in place": ('z = y; asm("xor.b32 %0, %0, %1;" : "+r"(z) : "r"(x));', lambda x, y: x ^ y),
    "mad.wide": ('unsigned long long w; asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(x), "r"(y), "l"(7ull));'
                 " z = w >> 32;", lambda x, y: (x * y + 7) >> 32),
    "mul.hi.s32": ('asm("mul.hi.s32 %0, %1, %2;" : "=r"(z) : "r"(x), "r"(y));',
                   lambda x, y: (signed(x) * signed(y)) >> 32),
    "lop3": ('asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(z) : "r"(x), "r"(y), "r"(3), "n"(0xe8));',
             lambda x, y: x & y | x & 3 | y & 3),
    "prmt": ('asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(z) : "r"(x), "r"(y));',
             lambda x, y: x & 0xFFFF | (y & 0xFFFF) << 16),
    "bfe.u32": ('asm("bfe.u32 %0, %1, 4, 9;" : "=r"(z) : "r"(x));', lambda x, y: x >> 4 & 0x1FF),
    "bfe.s32": ('asm("bfe.s32 %0, %1, 28, 4;" : "=r"(z) : "r"(x));', lambda x, y: signed(x) >> 28),
    "bfi": ('asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(z) : "r"(x), "r"(y));',
            lambda x, y: y & ~0xF00 | (x & 15) << 8),
    "shf": ('asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(z) : "r"(x), "r"(y));', lambda x, y: y << 8 | x >> 24),
    "shr.s32": ('asm("shr.s32 %0, %1, 40;" : "=r"(z) : "r"(x));', lambda x, y: -(x >> 31)),
    "popc": ('asm("popc.b32 %0, %1;" : "=r"(z) : "r"(x));', lambda x, y: bin(x).count("1")),
    "select": ('asm("{ .reg .pred p, q; setp.lt.s32 p, %1, %2; not.pred q, p; selp.u32 %0, 7, 9, q; }"'
               ' : "=r"(z) : "r"(x), "r"(y));', lambda x, y: 9 if signed(x) < signed(y) else 7),
    "guarded": ('z = 1; asm("{ .reg .pred p; setp.eq.u32 p, %1, %2; @p mov.u32 %0, 2; @!p add.u32 %0, %0, 4; }"'
                ' : "+r"(z) : "r"(x), "r"(y));', lambda x, y: 2 if x == y else 5),
    "halves": ('asm("{ .reg .b16 h<2>; mov.b32 {h0, h1}, %1; mov.b32 %0, {h1, h0}; }" : "=r"(z) : "r"(x));',
               lambda x, y: x >> 16 | (x & 0xFFFF) << 16),
    "cvt": ('asm("{ .reg .u64 w; cvt.u64.u32 w, %1; shl.b64 w, w, 4; cvt.u32.u64 %0, w; }" : "=r"(z) : "r"(x));',
            lambda x, y: x << 4),
    "cvt.rzi": ('asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(z) : "f"(__int2float_rn((int)x)));',
                lambda x, y: min(int(np.float32(signed(x))), 2**31 - 1)),
    "cvt.bf16x2": ('asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(z) : "f"(1.0f), "f"(-2.0f));',
                   lambda x, y: 0x3F80C000),
    "fma.f16x2": ('asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(z) : "r"(0x3c004000), "r"(0x42004200), "r"(0x3c003c00));',
                  lambda x, y: 0x44004700),
    "tf32": ('asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(z) : "f"(1.00048828125f));', lambda x, y: int(bits(1.0009765625))),
    "laneid": ('asm("mov.u32 %0, %%laneid;" : "=r"(z));', lambda x, y: 0),
    "lanemask": ('asm("mov.u32 %0, %%lanemask_le;" : "=r"(z));', lambda x, y: 1),
    "raw": ('asm(R"(add.u32 %0, %1, 1;)" : "=r"(z) : "r"(x));', lambda x, y: x + 1),
}  # fmt: skip


def signed(x: int) -> int:
    return x - 2**32 if x >> 31 else x


def test_ordinary_instructions_agree_with_python(programs: Callable[..., Program]) -> None:
    cases = "\n".join(f"    case {i}: {{ {body} break; }}" for i, (body, _) in enumerate(ORDINARY.values()))
    text = f"""extern "C" __global__ void f(const unsigned* xs, const unsigned* ys, unsigned* zs, int which) {{
  unsigned x = xs[blockIdx.x], y = ys[blockIdx.x], z = 0;
  switch (which) {{
{cases}
  }}
  zs[blockIdx.x] = z;
}}"""
    xs, ys = (np.array(column, np.uint32) for column in zip(*PAIRS, strict=True))
    for check in (False, True):
        program = programs(text, check)
        for i, (name, (_, meaning)) in enumerate(ORDINARY.items()):
            zs = np.zeros(len(PAIRS), np.uint32)
            assert program.launch("f", len(PAIRS), 1, [xs, ys, zs, np.int32(i)]).findings == ()
            assert zs.tolist() == [meaning(x, y) % 2**32 for x, y in PAIRS], name


GREATEST = [  # of a, b; the greater one, the lesser one
    (1.0, 2.0, 2.0, 1.0),
    (2.0, -1.0, 2.0, -1.0),
    (0.0, -0.0, 0.0, -0.0),
    (-0.0, 0.0, 0.0, -0.0),
    (np.inf, -np.inf, np.inf, -np.inf),
    (np.nan, 1.0, np.nan, np.nan),
    (1.0, np.nan, np.nan, np.nan),
    (np.nan, np.nan, np.nan, np.nan),
]


def test_selections_that_keep_nan(programs: Callable[..., Program]) -> None:
    """PTX ISA, `max`: with `.NaN`, the result is NaN if an input is NaN; +0 is greater than -0."""
    text = """extern "C" __global__ void f(const float* a, const float* b, float* most, float* least) {
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(most[threadIdx.x]) : "f"(a[threadIdx.x]), "f"(b[threadIdx.x]));
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(least[threadIdx.x]) : "f"(a[threadIdx.x]), "f"(b[threadIdx.x]));
}"""
    a, b, most, least = (np.array(column, np.float32) for column in zip(*GREATEST, strict=True))
    found = [np.zeros(len(GREATEST), np.float32) for _ in range(2)]
    assert programs(text, True).launch("f", 1, len(GREATEST), [a, b, *found]).findings == ()
    for one, other in zip(found, (most, least), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(np.signbit(one[:5]), np.signbit(other[:5]))


LANES = """extern "C" __global__ void f(const float* x, unsigned* y, float* z) {
  unsigned l, votes; float s = x[threadIdx.x];
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(l));
  asm volatile("{ .reg .pred p; setp.gt.f32 p, %1, 0f3F000000; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(votes) : "f"(s));
#pragma unroll
  for (int by = 16; by > 0; by /= 2) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(other) : "f"(s), "r"(by));
    asm("add.f32 %0, %0, %1;" : "+f"(s) : "f"(other));
  }
  asm("ex2.approx.ftz.f32 %0, %1; rcp.approx.f32 %0, %0;" : "=f"(s) : "f"(s));
  asm volatile("st.global.v2.u32 [%0 + 8], {%1, %2};" :: "l"(y + 4 * l), "r"(votes), "r"(l) : "memory");
  if (l == 3) asm volatile("red.global.add.f32 [%0], %1;" :: "l"(z), "f"(s) : "memory");
}
"""


def test_instructions_of_whole_warps(programs: Callable[..., Program]) -> None:
    x = np.zeros(32, np.float32)
    x[[3, 17]] = 1
    y, z = np.zeros((32, 4), np.uint32), np.ones(1, np.float32)
    assert programs(LANES, True).launch("f", 1, 32, [x, y, z]).findings == ()
    assert (y[:, 2] == (1 << 3 | 1 << 17)).all() and (y[:, 3] == np.arange(32)).all() and z[0] == 1.25
    wrong = programs(LANES.replace("[%0 + 8]", "[%0 + 4]"), True).launch("f", 1, 32, [x, y, z])
    assert [finding.kind for finding in wrong.findings] == ["misaligned"]


REDUX = """extern "C" __global__ void f(const int* x, int* y) {
  int value = x[threadIdx.x], least, both; unsigned mask = threadIdx.x < 8 ? 0xffu : 0xffffff00u;
  asm volatile("redux.sync.min.s32 %0, %2, %3; redux.sync.and.b32 %1, %2, %3;"
               : "=r"(least), "=r"(both) : "r"(value), "r"(mask));
  y[2 * threadIdx.x] = least, y[2 * threadIdx.x + 1] = both;
}
"""


@pytest.mark.parametrize("percent", ["%", "%%"])
def test_special_registers_are_read_with_one_or_two_percent_signs(
    percent: str, programs: Callable[..., Program]
) -> None:
    """nvcc accepts both beside operands."""
    text = f"""__global__ void f(unsigned* x) {{
      unsigned block, blocks; unsigned long long grid, time, later;
      asm volatile("mov.u64 %0, {percent}globaltimer;" : "=l"(time));
      asm volatile("mov.u32 %0, {percent}smid;" : "=r"(block));
      asm("mov.u32 %0, {percent}nsmid; mov.u64 %1, {percent}gridid;" : "=r"(blocks), "=l"(grid));
      asm volatile("mov.u64 %0, {percent}globaltimer;" : "=l"(later));
      x[blockIdx.x] = block < blocks && grid == 0 && later >= time;
    }}"""
    x = np.zeros(300, np.uint32)
    assert programs(text, True).launch("f", 300, 1, [x]).findings == () and x.all()


def test_names_of_registers_may_begin_with_percent_signs(programs: Callable[..., Program]) -> None:
    """As in CUTLASS, which elects a lane like this."""
    text = """__global__ void f(unsigned* x, int* y) {
      unsigned is_elected = 0, lane = 0;
      asm volatile("{\\n.reg .b32 %%rx;\\n.reg .pred %%px;\\n  elect.sync %%rx|%%px, %2;\\n"
                   "@%%px mov.s32 %1, 1;\\n  mov.s32 %0, %%rx;\\n@!%%px mov.s32 %1, 0;\\n}"
                   : "+r"(lane), "+r"(is_elected) : "r"(0xffffffff));
      if (is_elected) x[0] = lane, atomicAdd(y, 1);
    }"""
    x, y = np.full(1, 99, np.uint32), np.zeros(1, np.int32)
    assert programs(text, True).launch("f", 1, 32, [x, y]).findings == () and x[0] < 32 and y[0] == 1


def test_a_reduction_has_its_mask_last(programs: Callable[..., Program]) -> None:
    x = np.arange(40, 8, -1, np.int32)
    y = np.zeros((32, 2), np.int32)
    assert programs(REDUX, True).launch("f", 1, 32, [x, y]).findings == ()
    for lanes in (slice(0, 8), slice(8, 32)):
        assert (y[lanes] == (x[lanes].min(), np.bitwise_and.reduce(x[lanes]))).all()


PRODUCT = "mma_swizzled.cu"
MISTAKES = [
    ("__syncthreads();", "", "race"),
    ('"n"(STAGES - 2)', '"n"(STAGES - 1)', "in-flight"),
    ('asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2) : "memory");', "", "in-flight"),
    ('asm volatile("cp.async.commit_group;" ::: "memory");', "", "in-flight"),
    ("return r * 64", "return r * 63", "misaligned"),
    ("const unsigned end = ", "const unsigned end = 4096 + ", "out-of-bounds"),
]


def product_arguments() -> tuple[list[Any], Any]:
    random = np.random.default_rng(2)
    a, b = (random.integers(-3, 4, shape).astype(np.float16) for shape in ((128, 160), (160, 128)))
    return [a, b, np.zeros((128, 128), np.float32), 128, 128, 160], a.astype(np.float32) @ b.astype(
        np.float32
    )


@pytest.mark.parametrize("schedule", some(["ascending", "random:3"], 2))
def test_a_pipelined_product_is_exact(schedule: str, programs: Callable[..., Program]) -> None:
    for check in (False, True):
        arguments, expected = product_arguments()
        report = programs(PRODUCT, check).launch(
            "product", 1, 128, arguments, dynamic_shared=3 * 128 * 32 * 2 * 2, schedule=schedule
        )
        assert report.findings == ()
        np.testing.assert_array_equal(arguments[2], expected)


@pytest.mark.parametrize(("old", "new", "kind"), MISTAKES)
def test_mistakes_of_a_pipeline_are_found(
    old: str, new: str, kind: str, programs: Callable[..., Program]
) -> None:
    text = (KERNELS / PRODUCT).read_text(encoding="utf-8")
    assert old in text
    arguments, _ = product_arguments()
    program = programs(text.replace(old, new), True)
    report = program.launch("product", 1, 128, arguments, dynamic_shared=3 * 128 * 32 * 2 * 2)
    assert kind in {finding.kind for finding in report.findings}
    assert all(finding.first.line for finding in report.findings)


def test_swizzling_only_one_side_is_wrong(programs: Callable[..., Program]) -> None:
    text = (
        (KERNELS / PRODUCT).read_text(encoding="utf-8").replace("a + A_OF_COPY(r, c)", "a + r * 64 + c * 16")
    )
    arguments, expected = product_arguments()
    programs(text, False).launch("product", 1, 128, arguments, dynamic_shared=3 * 128 * 32 * 2 * 2)
    assert (arguments[2] != expected).any()


ADDRESSES = """extern "C" __global__ void f(unsigned long long* y) {
  __shared__ __align__(16) int a[40];
  __shared__ __align__(16) int b[8];
  extern __shared__ __align__(16) int c[];
  unsigned pa = (unsigned)__cvta_generic_to_shared(a), pb = (unsigned)__cvta_generic_to_shared(&b[3]), pc;
  asm("{ .reg .u64 w; cvta.to.shared.u64 w, %1; cvt.u32.u64 %0, w; }" : "=r"(pc) : "l"(c + 5));
  asm volatile("st.shared.u32 [%0 + 156], 1; st.shared.u32 [%1], 2; st.shared.u32 [%2], 3;"
               :: "r"(pa), "r"(pb), "r"(pc) : "memory");
  y[0] = a[39] * 100 + b[3] * 10 + c[5];
  y[1] = (int*)__cvta_shared_to_generic(pb) == b + 3;
  y[2] = pa % 16 + (pb - 12) % 16 + (pc - 20) % 16;
  y[3] = (pa < pb ? pb - pa : pa - pb) >= 8 && pa != 0 && __cvta_generic_to_shared(y) == 0;
}
"""


def test_shared_addresses_have_their_own_window(programs: Callable[..., Program]) -> None:
    for check in (False, True):
        y = np.zeros(4, np.uint64)
        assert programs(ADDRESSES, check).launch("f", 1, 1, [y], dynamic_shared=64).findings == ()
        assert y.tolist() == [123, 1, 0, 1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[%0 + 156]", "[%0 + 160]", "160 bytes"),
        ("st.shared.u32 [%1], 2", "st.shared.u32 [%1 + 0x7000000], 2", "where there is no array"),
        (
            '"r"(pc) : "memory"',
            '"r"(64) : "memory"',
            "address 0x40 of shared memory, where there is no array",
        ),
    ],
)
def test_wrong_shared_addresses_are_found(
    old: str, new: str, said: str, programs: Callable[..., Program]
) -> None:
    assert ADDRESSES.count(old) == 1
    program = programs(ADDRESSES.replace(old, new), True)
    report = program.launch("f", 1, 1, [np.zeros(4, np.uint64)], dynamic_shared=64)
    assert report.findings[0].kind == "out-of-bounds" and said in report.findings[0].message
    assert report.findings[0].first.line in (7, 8)


REFUSED = [
    ('asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%0};" : "=f"(x[0]));',
     "that the simulator supports, found `mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32`",
     "`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`"),
    ('asm volatile("ret;");', "found `ret`", "docs/simulator.md"),
    ('asm("{ .reg .b32 t; call f, (t); }" :: "r"(u));', "found `call`", "docs/simulator.md"),
    ('asm("add.u32 %0, %1;" : "=r"(u) : "r"(u));', "expected `=u32, u32, u32` after `add.u32`, found `%0, %1`", "nvcc"),
    ('asm("add.u32 %0, %1, %2" : "=r"(u) : "r"(u), "r"(u));', "expected `;` after each instruction", "nvcc"),
    ('asm("add.u32 %0, %1, %3;" : "=r"(u) : "r"(u), "r"(u));', "expected one of 3 operands, found `%3`", "nvcc"),
    ('asm("add.u32 %0, %1, t;" : "=r"(u) : "r"(u));', "expected a register that is declared, found `t`", "nvcc"),
    ('asm("add.u16 %0, %1, %1;" : "=r"(u) : "r"(u));',
     "expected a register of 16 bits to write to, found `%0` of 32 bits", "nvcc"),
    ('asm("mov.u32 %0, %1;" : "=r"(u) : "r"(x[0]));', "operands of the sizes and kinds of their constraints", "nvcc"),
    ('asm("mov.u32 %0, %1;" : "=r"(u) : "r"((short)u));',
     "operands of the sizes and kinds of their constraints", "nvcc"),
    ('asm("mov.u32 %0, %1;" : "=r"(u) : "m"(u));',
     "expected one of the constraints h, r, l, f, d, n, found `m`", "nvcc"),
    ('asm("mov.u32 %1, %0;" : "=r"(u) : "r"(u));', "expected an operand that is written", "nvcc"),
    ('asm("mov.u32 %0, 1;" : "r"(u));', "expected operands like =r(x) and r(x), found `", "nvcc"),
    ('asm(TEXT "mov.u32 %0, 1;" : "=r"(u));', "expected literals as the text, found `TEXT`", "nvcc"),
    ('asm("ld.global.u32 %0, [%1];" : "=r"(u) : "r"(u));', "expected an address of 64 bits", "nvcc"),
    ('asm("cp.async.wait_group %0;" :: "r"(u));', "expected a constant (`n`, or a number), found `%0`", "nvcc"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "said", "hint"), REFUSED)
def test_unsupported_ptx_is_reported_by_line(statement: str, said: str, hint: str, tmp_path: Path) -> None:
    text = f"__global__ void f(float* x) {{\n  unsigned u = 1;\n  {statement}\n  x[1] = u;\n}}"
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=tmp_path)
    diagnostic = caught.value.diagnostic
    assert said in diagnostic.title and diagnostic.title.endswith("on line 3")
    assert hint in (diagnostic.hint or "") and caught.value.lines[0][0] == 3


def test_lines_keep_their_numbers() -> None:
    text = (
        'f() {\n#define MOV(d, s) asm("mov.u32 %0, %1;" \\\n   : "=r"(d) : "r"(s))\nasm("trap;"\n);\nint b;}'
    )
    replaced = replace_assembly(text)
    assert [line.endswith("\\") for line in replaced.split("\n")] == [
        line.endswith("\\") for line in text.split("\n")
    ]
    assert replaced.split("\n")[-1] == "int b;}"


def test_every_instruction_has_a_function(tmp_path: Path) -> None:
    """One text with a call for each row of the table that only uses registers, so that all functions are checked to
    exist.
    """
    lines = []
    for rows in instructions().values():
        for row in rows:
            if any("[" in one or one.startswith("+") for one in row.operands) or ".v" in row.mnemonic:
                continue
            mnemonic = row.mnemonic.replace("proxy.async.shared", "proxy.async.shared::cta")
            lines.append(statement_of(mnemonic.replace("cta::cluster", "cluster"), row.operands))
    text = "\n".join(['extern "C" __global__ void f(int* x) {', *lines, "}"])
    assert build(text, cache=tmp_path)


def statement_of(mnemonic: str, operands: tuple[str, ...]) -> str:
    """A statement with declared registers for all operands."""
    declared, names = [], []
    for i, one in enumerate(operands):
        t, _, count = one.lstrip("=<>").partition("*")
        if "|" in t:
            declared.append(f".reg .pred p{i};")
            names.append(f"_|p{i}")
            continue
        if t == "imm":
            names.append("0")
            continue
        size = "".join(filter(str.isdigit, t))
        kind = "pred" if t == "pred" else f"b{max(int(size), 16)}"
        if count:
            declared.append(f".reg .{kind} r{i}_<{count}>;")
            names.append("{" + ", ".join(f"r{i}_{j}" for j in range(int(count))) + "}")
        else:
            declared.append(f".reg .{kind} r{i};")
            names.append(f"r{i}")
    return f'  asm("{{ {" ".join(declared)} {mnemonic} {", ".join(names)}; }}");'
