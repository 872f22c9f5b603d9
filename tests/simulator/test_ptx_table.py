"""The table of instructions agrees with NVIDIA's assembler, which accepts what it contains. Needs a CUDA compiler."""

import re
from itertools import count

import pytest

from shine.simulator import SimulatorError, build
from shine.simulator.ptx import instructions
from shine.simulator.ptx_operands import Operand
from shine.simulator.ptx_statements import in_order, statement_text
from shine.targets.cuda.compiler import compile_text
from tests import required_tools

#: the distance of the rows that are tried, in addition to the first of each family
ONE_IN = 25
WINDOWS = re.compile(r"cp\.(?:reduce\.)?async\.bulk|fence\.proxy")
CONSTANTS = {"cp": "4", "setmaxnreg": "40"}


def statement(mnemonic: str, operands: tuple[str, ...], name: str = "") -> str:
    """An instruction on registers that are declared for it, with another name if one is given."""
    declared: list[str] = []
    numbers = count()

    def register(kind: str) -> str:
        name = f"r{next(numbers)}x"
        declared.append(f".reg .{kind} {name};")
        return name

    def operand(one: str) -> str:
        t, _, times = one.lstrip("=<>+").partition("*")
        if one == "_":
            return one
        if t == "[tensor]":
            return f"[{register('b64')}, {{{', '.join(register('b32') for _ in range(int(times)))}}}]"
        if t[0] == "[":
            return f"[{register('b32' if t == '[shared]' else 'b64')}]"
        if t == "imm":
            return "16" if mnemonic.startswith("cp.async.cg") else CONSTANTS.get(mnemonic.split(".")[0], "1")
        if "|" in t:
            return f"{register('b32')}|{register('pred')}"
        kind = t if t == "pred" else f"{'f' if t[0] == 'f' else 'b'}{max(16, int(t[1:]))}"
        if times:
            return f"{{{', '.join(register(kind) for _ in range(int(times)))}}}"
        return register(kind)

    given = ", ".join(map(operand, operands))
    name = name or mnemonic
    name = re.sub(r"\.shared(?!::)", ".shared::cta", name) if WINDOWS.match(mnemonic) else name
    return f"{{ {' '.join(declared)} {name} {given}; }}"


def test_the_assembler_of_nvidia_accepts_the_instructions_of_the_table() -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    families: set[str] = set()
    chosen = []
    for number, (mnemonic, rows) in enumerate(instructions().items()):
        family = mnemonic.split(".")[0]
        for row in rows:
            if number % ONE_IN == 0 or family not in families:
                chosen.append(statement(mnemonic, row.operands))
        families.add(family)
    body = "\n".join(f'  asm volatile("{one}");' for one in chosen)
    text = f'extern "C" __global__ void __launch_bounds__(128, 1) f() {{\n{body}\n}}'
    assert compile_text(text, "sm_90a", ["f"]).image


def test_modifiers_are_taken_in_the_orders_that_the_assembler_of_nvidia_takes() -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    table = instructions()
    lines = []
    for mnemonic, rows in list(table.items())[::ONE_IN]:
        words = mnemonic.split(".")
        for at in range(1, len(words) - 1):
            other = ".".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]])
            if other not in table and in_order(other) == mnemonic:
                lines.append(f'  asm volatile("{statement(mnemonic, rows[0].operands, other)}");')
    assert len(lines) > 300
    body = "\n".join(lines)
    text = f'extern "C" __global__ void __launch_bounds__(128, 1) f() {{\n{body}\n}}'
    assert compile_text(text, "sm_90a", ["f"]).image


def test_a_load_of_matrices_with_its_number_first_is_that_of_the_table() -> None:
    # CUTLASS writes it so
    operands = [Operand("r", "a", False, True), Operand("r", "s", True, False)]
    texts = {
        statement_text(f"ldmatrix.sync.aligned.{modifiers}.shared.b16 {{%0}}, [%1];", operands)
        for modifiers in ("x1.m8n8", "m8n8.x1")
    }
    assert len(texts) == 1


@pytest.mark.parametrize(
    "mnemonic",
    [
        "mul.s32.lo",
        "shf.wrap.l.b32",
        "cvta.shared.to.u64",
        "cp.async.ca.global.shared",
        "mbarrier.arrive.shared.expect_tx.b64",
        "mbarrier.test_wait.shared.parity.b64",
        "cp.async.bulk.2d.tensor.shared::cluster.global.mbarrier::complete_tx::bytes",
        "barrier.cluster.release.arrive",
        "wgmma.sync.fence.aligned",
        "cvt.rn.f32.f16",
        "mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32",
    ],
)
def test_orders_that_name_no_instruction_are_refused(mnemonic: str) -> None:
    assert in_order(mnemonic) not in instructions()


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("mbarrier.init.shared::cluster.b64 [%0], 1;", "no instruction `mbarrier.init.shared::cluster.b64`"),
        (
            "mbarrier.test_wait.parity.shared::cluster.b64 p, [%0], 0;",
            "mbarrier.test_wait.parity.shared::cluster",
        ),
        (
            "mbarrier.arrive.shared::cluster.b64 s, [%0];",
            "expected `_` in `mbarrier.arrive.shared::cluster.b64`",
        ),
        (
            "fence.proxy.async.shared;",
            "expected `.shared::cta` or `.shared::cluster` in `fence.proxy.async.shared`",
        ),
        ("neg.u32 %0, %0;", "neg.u32"),
    ],
)
def test_instructions_that_the_assembler_rejects_are_rejected(instruction: str, said: str) -> None:
    text = f"""__global__ void f(unsigned* x) {{
      unsigned u = 0;
      asm volatile("{{ .reg .pred p; .reg .b64 s; {instruction} }}" : "+r"(u));
    }}"""
    with pytest.raises(SimulatorError) as caught:
        build(text)
    assert said.replace("no instruction ", "").strip("`") in caught.value.diagnostic.title
