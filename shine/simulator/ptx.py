"""The PTX instructions that the simulator supports, by mnemonic: their operands and implementations.

A row's function is in `runtime/include/simulator/ptx.h`. Its behaviour, including which lane holds which element of a
matrix, is that of the PTX ISA 9.0. An operand is written as

- `f32`, `b16`, `pred`: read, of this type; `u32*4`: four registers in braces; `imm`: an integer in the text or an `n`;
- `=f32`, `=b32*4`: written; `=b32|pred`: written, and a predicate beside it; `>u8`: written to a register that may be
  wider; `<u8`: read from one that may be wider; `+f32*4`: registers that are written later, by their addresses;
- `[shared]`, `[global]`: an address; `[tensor]*2`: the address of a tensor map, and two coordinates in braces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from shine.simulator.ptx_asynchronous import asynchronous
from shine.simulator.ptx_barriers import barriers
from shine.simulator.ptx_narrow import narrow_products
from shine.simulator.ptx_orders import orders
from shine.simulator.ptx_rows import C_TYPES, STORED_TYPES, Instruction, row
from shine.simulator.ptx_warpgroups import OF_CLUSTERS, warpgroups

_INTEGERS: Final = ("s16", "u16", "s32", "u32", "s64", "u64")
_LONG_ENOUGH: Final = ("s32", "u32", "s64", "u64")
_BITS: Final = ("b16", "b32", "b64")
_REALS: Final = ("f32", "f64")
_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_SPACES: Final = {"shared": "[shared]", "global": "[global]", "": "[global]"}


def _c(t: str) -> str:
    return C_TYPES[t]


def _of_numbers() -> Iterator[Instruction]:
    for t in (*_INTEGERS, *_REALS):
        for name in ("add", "sub", "min", "max"):
            yield row(f"{name}.{t}", f"={t} {t} {t}", name)
        for comparison in _COMPARISONS:
            yield row(f"setp.{comparison}.{t}", f"=pred {t} {t}", comparison)
            yield row(f"set.{comparison}.u32.{t}", f"=u32 {t} {t}", f"set_{comparison}")
        yield row(f"selp.{t}", f"={t} {t} {t} pred", "selp")
        if t == "f32":
            yield row(f"min.NaN.{t}", f"={t} {t} {t}", "min_nan")
            yield row(f"max.NaN.{t}", f"={t} {t} {t}", "max_nan")
        if t[0] != "u":
            yield row(f"neg.{t}", f"={t} {t}", "neg")
            yield row(f"abs.{t}", f"={t} {t}", "abs")


def _of_integers() -> Iterator[Instruction]:
    for t in _INTEGERS:
        yield row(f"mul.lo.{t}", f"={t} {t} {t}", "mul")
        yield row(f"mul.hi.{t}", f"={t} {t} {t}", "mul_hi")
        yield row(f"mad.lo.{t}", f"={t} {t} {t} {t}", "mad")
        yield row(f"div.{t}", f"={t} {t} {t}", "div")
        yield row(f"rem.{t}", f"={t} {t} {t}", "rem")
    for narrow, wide in (("s16", "s32"), ("u16", "u32"), ("s32", "s64"), ("u32", "u64")):
        yield row(f"mul.wide.{narrow}", f"={wide} {narrow} {narrow}", f"mul_wide<{_c(wide)}>")
        yield row(f"mad.wide.{narrow}", f"={wide} {narrow} {narrow} {wide}", f"mad_wide<{_c(wide)}>")


def _of_reals() -> Iterator[Instruction]:
    for t in _REALS:
        for rounding in (".rn", ""):
            for name in ("add", "sub", "mul"):
                if rounding or name == "mul":
                    yield row(f"{name}{rounding}.{t}", f"={t} {t} {t}", name)
        yield row(f"div.rn.{t}", f"={t} {t} {t}", "div")
        yield row(f"fma.rn.{t}", f"={t} {t} {t} {t}", "fma")
        yield row(f"rcp.rn.{t}", f"={t} {t}", "rcp")
        yield row(f"sqrt.rn.{t}", f"={t} {t}", "sqrt")


def _approximations() -> Iterator[Instruction]:
    yield row("div.full.f32", "=f32 f32 f32", "div")
    for ftz in ("", ".ftz"):
        yield row(f"div.approx{ftz}.f32", "=f32 f32 f32", "div")
        for name, function in (
            ("ex2", "exp2"),
            ("lg2", "log2"),
            ("sin", "sin"),
            ("cos", "cos"),
            ("sqrt", "sqrt"),
        ):
            yield row(f"{name}.approx{ftz}.f32", "=f32 f32", function)
        for name in ("rcp", "rsqrt"):
            yield row(f"{name}.approx{ftz}.f32", "=f32 f32", name)
    yield row("tanh.approx.f32", "=f32 f32", "tanh", since=75)


def _of_halves() -> Iterator[Instruction]:
    for number, width in (("f16", "b16"), ("bf16", "b16"), ("f16x2", "b32"), ("bf16x2", "b32")):
        since = 80 if number.startswith("b") else 0
        kind = "Half" if number.startswith("f") else "BFloat"
        yield row(
            f"fma.rn.{number}",
            f"={width} {width} {width} {width}",
            f"each<simulator::ptx::{kind}Fma>",
            since=since,
        )
        for name, function in (
            ("add", "Add"),
            ("sub", "Sub"),
            ("mul", "Mul"),
            ("min", "Min"),
            ("max", "Max"),
        ):
            for rounding in ("", ".rn") if function not in ("Min", "Max") else ("",):
                after = 90 if since and function not in ("Min", "Max") else since
                yield row(
                    f"{name}{rounding}.{number}",
                    f"={width} {width} {width}",
                    f"each<simulator::ptx::{kind}{function}>",
                    since=after,
                )


def _on_bits() -> Iterator[Instruction]:
    for t in (*_BITS, "pred"):
        for name in ("and", "or", "xor"):
            yield row(f"{name}.{t}", f"={t} {t} {t}", f"{name}_bits")
        yield row(f"not.{t}", f"={t} {t}", "not_bits")
    for t in _BITS:
        for comparison in ("eq", "ne"):
            yield row(f"setp.{comparison}.{t}", f"=pred {t} {t}", comparison)
        yield row(f"selp.{t}", f"={t} {t} {t} pred", "selp")
        yield row(f"shl.{t}", f"={t} {t} u32", "shl")
        yield row(f"shr.{t}", f"={t} {t} u32", "shr")
    for t in _INTEGERS:
        yield row(f"shr.{t}", f"={t} {t} u32", "shr")
    for t in ("b32", "b64"):
        yield row(f"popc.{t}", f"=u32 {t}", "popc")
        yield row(f"clz.{t}", f"=u32 {t}", "clz")
        yield row(f"brev.{t}", f"={t} {t}", "brev")
        yield row(f"bfi.{t}", f"={t} {t} {t} u32 u32", "bfi")
    for t in _LONG_ENOUGH:
        yield row(f"bfe.{t}", f"={t} {t} u32 u32", "bfe")
        yield row(f"bfind.{t}", f"=u32 {t}", "bfind")
    yield row("lop3.b32", "=b32 b32 b32 b32 imm", "lop3")
    yield row("prmt.b32", "=b32 b32 b32 b32", "__byte_perm")
    for mode, suffix in (("wrap", ""), ("clamp", "c")):
        yield row(f"shf.l.{mode}.b32", "=b32 b32 b32 u32", f"__funnelshift_l{suffix}")
        yield row(f"shf.r.{mode}.b32", "=b32 b32 b32 u32", f"__funnelshift_r{suffix}")
    yield row("dp4a.s32.s32", "=s32 s32 s32 s32", "__dp4a")
    yield row("dp4a.u32.u32", "=u32 u32 u32 u32", "__dp4a")


def _moves() -> Iterator[Instruction]:
    for t in (*_BITS, *_INTEGERS, *_REALS, "pred"):
        yield row(f"mov.{t}", f"={t} {t}", "mov")
    for wide, narrow, count in (("b32", "b16", 2), ("b64", "b32", 2), ("b64", "b16", 4)):
        yield row(f"mov.{wide}", f"={wide} {narrow}*{count}", f"pack<{_c(wide)}>")
        yield row(f"mov.{wide}", f"={narrow}*{count} {wide}", "unpack")
    for to in ("u8", "s8", *_INTEGERS):
        for source in ("u8", "s8", *_INTEGERS):
            if to != source:
                yield row(f"cvt.{to}.{source}", f">{to} <{source}", f"to<{_c(to)}>")
    for t in ("f32", "f64"):
        for integer in _LONG_ENOUGH:
            yield row(f"cvt.rn.{t}.{integer}", f"={t} {integer}", f"to<{_c(t)}>")
            for rounding in ("rni", "rzi", "rmi", "rpi"):
                yield row(
                    f"cvt.{rounding}.{integer}.{t}",
                    f"={integer} {t}",
                    f"rounded<{_c(integer)}, '{rounding[1]}'>",
                )
    yield row("cvt.f64.f32", "=f64 f32", "to<double>")
    yield row("cvt.rn.f32.f64", "=f32 f64", "to<float>")
    for kind, since in (("f16", 0), ("bf16", 80)):
        yield row(f"cvt.f32.{kind}", "=f32 b16", f"float_of_{kind}", since=since)
        yield row(f"cvt.rn.{kind}.f32", "=b16 f32", f"{kind}_of", since=since)
        yield row(f"cvt.rn.{kind}x2.f32", "=b32 f32 f32", f"two_{kind}_of", since=80)
    yield row("cvt.rna.tf32.f32", "=b32 f32", "tf32_of", since=80)
    yield row("cvta.to.shared.u64", "=u64 u64", "to_shared")
    yield row("cvta.shared.u64", "=u64 u64", "from_shared", at_line=True)
    for direction in ("cvta.to.global", "cvta.global"):
        yield row(f"{direction}.u64", "=u64 u64", "mov")


def _memory() -> Iterator[Instruction]:
    ways_to_load = {
        "shared": ("", ".volatile"),
        "global": (
            "",
            ".volatile",
            ".nc",
            ".ca",
            ".cg",
            ".cs",
            ".lu",
            ".cv",
            ".nc.L1::no_allocate",
            ".L1::no_allocate",
        ),
        "": ("", ".volatile"),
    }
    ways_to_store = {
        "shared": ("", ".volatile"),
        "global": ("", ".volatile", ".wb", ".cg", ".cs", ".wt"),
        "": ("", ".volatile"),
    }
    for space, address in _SPACES.items():
        after = f".{space}" if space else ""
        for t in STORED_TYPES:
            for count in (1, 2, 4):
                if count * int(t[1:]) > 128:
                    continue
                vector = f".v{count}" if count > 1 else ""
                times = f"*{count}" if count > 1 else ""
                for way in ways_to_load[space]:
                    volatile = "volatile " if way in (".volatile", ".cv") else ""
                    name = (
                        f"ld{way}{after}{vector}.{t}" if way == ".volatile" else f"ld{after}{way}{vector}.{t}"
                    )
                    yield row(name, f">{t}{times} {address}", f"load<{volatile}{_c(t)}>")
                for way in ways_to_store[space]:
                    volatile = "volatile " if way == ".volatile" else ""
                    name = (
                        f"st{way}{after}{vector}.{t}" if way == ".volatile" else f"st{after}{way}{vector}.{t}"
                    )
                    yield row(name, f"{address} <{t}{times}", f"store<{volatile}{_c(t)}>")
    for way in ("ca", "cg"):
        for hint in ("", ".L2::64B", ".L2::128B", ".L2::256B"):
            name, function = f"cp.async.{way}.shared.global{hint}", f"copy_async_{way}"
            yield row(name, "[shared] [global] imm", function, True, 80)
            yield row(name, "[shared] [global] imm u32", function, True, 80)
    yield row("cp.async.commit_group", "", "commit_group", since=80)
    yield row("cp.async.wait_group", "imm", "wait_group", since=80)
    yield row("cp.async.wait_all", "", "wait_all", since=80)
    for level in ("L1", "L2"):
        yield row(f"prefetch.global.{level}", "[global]", "nothing")


def _threads() -> Iterator[Instruction]:
    for scope, function in (
        ("cta", "__threadfence_block"),
        ("gl", "__threadfence"),
        ("sys", "__threadfence_system"),
    ):
        yield row(f"membar.{scope}", "", function)
        for order in ("", ".sc", ".acq_rel"):
            yield row(f"fence{order}.{'gpu' if scope == 'gl' else scope}", "", function)
    yield row("bar.warp.sync", "b32", "warp_barrier", True)
    yield row("activemask.b32", "=b32", "active_lanes")
    yield row("vote.sync.ballot.b32", "=b32 pred b32", "vote<simulator::VOTE_BALLOT>", True)
    for name, vote in (("all", "VOTE_ALL"), ("any", "VOTE_ANY"), ("uni", "VOTE_UNIFORM")):
        yield row(f"vote.sync.{name}.pred", "=pred pred b32", f"holds<simulator::{vote}>", True)
    for name, way in (("idx", "INDEX"), ("up", "UP"), ("down", "DOWN"), ("bfly", "XOR")):
        yield row(
            f"shfl.sync.{name}.b32", "=b32 b32 b32 b32 b32", f"shuffle_lanes<simulator::SHUFFLE_{way}>", True
        )
    for t in ("u32", "s32"):
        for name in ("add", "min", "max"):
            yield row(f"redux.sync.{name}.{t}", f"={t} {t} b32", f"reduce_{name}", True, 80)
    for name in ("and", "or", "xor"):
        yield row(f"redux.sync.{name}.b32", "=b32 b32 b32", f"reduce_{name}", True, 80)
    yield row("nanosleep.u32", "u32", "sleep", True)
    yield row("trap", "", "trap", True)


#: shape, types of the result, of A and of B, and the architecture that first had it
_PRODUCTS: Final = (
    *(
        ((16, 8, k), d, t, t, 80 if k == 16 else 75)
        for k in (8, 16)
        for t, d in (("f16", "f32"), ("f16", "f16"))
    ),
    *(((16, 8, k), "f32", "bf16", "bf16", 80) for k in (8, 16)),
    *(((16, 8, k), "f32", "tf32", "tf32", 80) for k in (4, 8)),
    *(((8, 8, 16), "s32", a, b, 75) for a in ("s8", "u8") for b in ("s8", "u8")),
    *(((16, 8, k), "s32", a, b, 80) for k in (16, 32) for a in ("s8", "u8") for b in ("s8", "u8")),
    *(
        ((16, 8, k), d, a, b, 89)
        for k in (16, 32)
        for d in ("f32", "f16")
        for a in ("e4m3", "e5m2")
        for b in ("e4m3", "e5m2")
    ),
    ((8, 8, 4), "f64", "f64", "f64", 80),
    *(((16, 8, k), "f64", "f64", "f64", 90) for k in (4, 8, 16)),
)
#: for types of matrices: the type of a register, how many elements it holds, and the name of the elements' type
_REGISTERS: Final = {
    "f16": ("b32", 2, "HALF"),
    "bf16": ("b32", 2, "BFLOAT16"),
    "tf32": ("b32", 1, "TF32"),
    "s8": ("b32", 4, "SIGNED8"),
    "u8": ("b32", 4, "UNSIGNED8"),
    "e4m3": ("b32", 4, "E4M3"),
    "e5m2": ("b32", 4, "E5M2"),
    "f32": ("f32", 1, "FLOAT"),
    "s32": ("s32", 1, "INT32"),
    "f64": ("f64", 1, "DOUBLE"),
}


def _matrices() -> Iterator[Instruction]:
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            name = f"m8n8.x{count}{trans}.shared.b16"
            function = f"{count}, {'true' if trans else 'false'}>"
            rows = f"b32*{count}"
            yield row(
                f"ldmatrix.sync.aligned.{name}", f"={rows} [shared]", f"load_matrices<{function}", True, 75
            )
            yield row(
                f"stmatrix.sync.aligned.{name}", f"[shared] {rows}", f"store_matrices<{function}", True, 90
            )
    for (m, n, k), d, a, b, since in _PRODUCTS:
        operands = []
        for t, size in ((d, m * n), (a, m * k), (b, k * n), (d, m * n)):
            register, elements, _ = _REGISTERS[t]
            operands.append(f"{register}*{size // (32 * elements)}")
        names = ", ".join(f"simulator::{_REGISTERS[t][2]}" for t in (d, a, b))
        for saturates in ("", ".satfinite") if d == "s32" else ("",):
            mnemonic = f"mma.sync.aligned.m{m}n{n}k{k}.row.col{saturates}.{d}.{a}.{b}.{d}"
            function = f"multiply_matrices<{m}, {n}, {k}, {names}, {'true' if saturates else 'false'}>"
            yield row(mnemonic, "=" + " ".join(operands), function, True, since)
    for d, c in (("f32", "f32"), ("f16", "f16")):
        registers = "f32*8" if d == "f32" else "b32*4"
        for a_order in ("row", "col"):
            for b_order in ("row", "col"):
                mnemonic = f"mma.sync.aligned.m8n8k4.{a_order}.{b_order}.{d}.f16.f16.{c}"
                orders = ", ".join("true" if order == "row" else "false" for order in (a_order, b_order))
                function = f"multiply_quads<simulator::{_REGISTERS[d][2]}, {orders}>"
                yield row(mnemonic, f"={registers} b32*2 b32*2 {registers}", function, True, 70)


@cache
def instructions() -> Mapping[str, tuple[Instruction, ...]]:
    """The rows of each mnemonic, which differ in their operands."""
    rows: dict[str, tuple[Instruction, ...]] = {}
    for family in (
        _of_numbers(),
        _of_integers(),
        _of_reals(),
        _approximations(),
        _of_halves(),
        _on_bits(),
        _moves(),
        _memory(),
        _threads(),
        barriers(),
        orders(),
        asynchronous(),
        warpgroups(),
        narrow_products(),
        _matrices(),
    ):
        for one in family:
            known = rows.get(one.mnemonic, ())
            if all(one.operands != other.operands for other in known):
                rows[one.mnemonic] = (*known, one)
    return rows


#: what special registers hold, and their types
SPECIAL: Final[Mapping[str, tuple[str, str]]] = {
    **{
        f"{name}.{axis}": (f"{builtin}.{axis}", "u32")
        for name, builtin in (
            ("tid", "threadIdx"),
            ("ntid", "blockDim"),
            ("ctaid", "blockIdx"),
            ("nctaid", "gridDim"),
        )
        for axis in "xyz"
    },
    **OF_CLUSTERS,
    "laneid": ("simulator::ptx::lane()", "u32"),
    "warpid": ("simulator::ptx::warp()", "u32"),
    "nwarpid": ("simulator::ptx::warps()", "u32"),
    # Any block may run on any multiprocessor: here each on the next one.
    "smid": ("(simulator::ptx::number_of_block() % simulator::ptx::multiprocessors)", "u32"),
    "nsmid": ("simulator::ptx::multiprocessors", "u32"),
    "gridid": ("0ull", "u64"),
    "clock_hi": ("(unsigned)(clock64() >> 32)", "u32"),
    "globaltimer_lo": ("(unsigned)clock64()", "u32"),
    "globaltimer_hi": ("(unsigned)(clock64() >> 32)", "u32"),
    "lanemask_eq": ("(1u << simulator::ptx::lane())", "u32"),
    "lanemask_lt": ("((1u << simulator::ptx::lane()) - 1)", "u32"),
    "lanemask_le": ("(~0u >> (31 - simulator::ptx::lane()))", "u32"),
    "lanemask_gt": ("(~0u << simulator::ptx::lane() << 1)", "u32"),
    "lanemask_ge": ("(~0u << simulator::ptx::lane())", "u32"),
    "clock": ("(unsigned)clock64()", "u32"),
    "clock64": ("(unsigned long long)clock64()", "u64"),
    "globaltimer": ("(unsigned long long)clock64()", "u64"),
}
