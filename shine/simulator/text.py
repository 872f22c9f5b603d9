"""Parses CUDA texts as far as the simulator needs: kernels, their parameters, dynamic shared memory.

Rewrites one declaration, `extern __shared__ T name[];`, which C++ cannot express. In check builds it marks local
arrays, and in builds for profiles assignments of values in braces; everything else is unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rise.records import dataclass
from shine.simulator.local_arrays import track_local_arrays
from shine.simulator.model import Buffer

FILE: Final = "kernel.cu"  # the name of the text in the compiler's messages
_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_KERNEL = re.compile(r"\b__global__\b")
_CONDITION_OR_KERNEL = re.compile(r"^[ \t]*#[ \t]*(if|endif)|\b__global__\b", re.MULTILINE)
_CALLED = re.compile(r"\b(\w+)\s*(<[^;{}()]*>\s*)?\(")
_ATTRIBUTE = re.compile(r"\[\[.*?\]\]")
_CLUSTER = re.compile(r"\b__cluster_dims__\s*\(")
_BOUNDS = re.compile(r"\b__launch_bounds__\s*\(\s*(\d+)")
_QUALIFIERS: Final = frozenset(
    {"__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__align__", "__attribute__", "alignas"}
)
_DYNAMIC = re.compile(
    r"\bextern\s+__shared__\b([^;{}()]*(?:\([^()]*\)[^;{}()]*)*?)\b(\w+)\s*\[\s*\]((?:\s*\[[^\]]*\])*)\s*;"
)
_VOLATILE = re.compile(r"(?<!\basm )(?<!\basm)(?<!\b__asm__ )(?<!\b__asm__)\bvolatile\b")
_PTX = re.compile(r"\bsimulator::ptx::|\b__cvta_|\b__isShared\b")
_PARTS_OF_WORDS = re.compile(r"\b__v(?:i\w+|[a-z]+[24])\b")
_FENCE = re.compile(r"\bsimulator::ptx::ordered_|\b__threadfence|\bcuda(?:::|/)|\bcooperative_groups\b")
_PARTIAL_BARRIER = re.compile(
    r"\bcuda/(?:barrier|pipeline)\b|\bthis_cluster\b|\bcluster_group\b|\b__cluster_barrier_|\bsimulator::ptx::(?:(?:named|mbarrier|bulk)_|set_registers\b|block_barrier<\w+>\((?!\(unsigned\)0ull,))"
)
_PRODUCT = re.compile(r"\bsimulator::ptx::bulk_(?:integer_)?product\b")
_DEVICE = re.compile(r"\b(?:__device__|__managed__)\b([^;(){}]*)(?:;|\{[^;()]*\}\s*;)")
_DECLARED = re.compile(r"(\w+)\s*(?:=.*)?$", re.DOTALL)
#: an assignment to `*p`, `p[i]` or `p->x`, of a value whose type stands before its braces
_IN_BRACES = re.compile(
    r"((?:^|[;{})])\s*\*[^;{}=]*|[)\]]|(?:\.|->)\w+)\s*=\s*((?:\w+::)*\w+\s*(?:<[^<>;(){}]*>)?)\s*(?=\{)"
)
_EXCHANGE = re.compile(r"\batomicCAS|\bcompare_exchange_|\bordered_cas\b")
_ATOMIC = re.compile(
    r"(?:::\s*)?\batomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_block|_system)?\s*\("
)
_BEGIN_OF_STATEMENT = re.compile(r"(?:[;{}]|\b(?:else|do)|\(\s*void\s*\))\s*$")
_CONDITION = re.compile(r"\b(?:if|for|while)\s*(?:constexpr\s*)?$")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_ALIGNMENT = re.compile(r"\b(?:__align__|alignas)\s*\([^()]*\)")


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel's name, its parameters, and the maximum of threads in its launch bounds, if any.

    A pointer to const is read-only. The name has the namespaces around it, and the arguments of a template; `function`
    is the plain name. A template has no arguments yet; `template` are its parameters. `cluster` has the sizes of its
    clusters, if it has them, as expressions. `line` is that of its `__global__`.
    """

    name: str
    parameters: tuple[Buffer, ...]
    most_threads: int | None
    function: str
    is_template: bool = False
    template: str = ""
    cluster: str = ""
    line: int = 1


def without_noise(source: str) -> str:
    """The text with comments and literals replaced by spaces; other characters keep their positions."""
    return _NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def find_kernels(source: str) -> tuple[KernelText, ...]:
    """The kernels of a text, in order.

    >>> find_kernels("extern \\"C\\" __global__ void f(const float* __restrict__ x, int n) {}")[0].parameters
    (Buffer(name='x', read_only=True), Buffer(name='n', read_only=False))
    """
    clean = without_noise(source)
    return tuple(_kernels(clean))


def conditional_kernels(source: str) -> tuple[int, ...]:
    """Where `__global__` stands under a condition of the preprocessor.

    >>> conditional_kernels("__global__ void f();\\n#if 0\\n__global__ void g();\\n#endif")
    (27,)
    """
    depth, places = 0, []
    for mark in _CONDITION_OR_KERNEL.finditer(without_noise(source)):
        if mark[1] is None:
            places += [mark.start()] if depth else []
        else:
            depth = max(0, depth + (-1 if mark[1] == "endif" else 1))
    return tuple(places)


def signature(kernel: KernelText) -> str:
    """A kernel with the names of its parameters.

    >>> signature(find_kernels("template <int N> __global__ void f(const float* x, int n) {}")[0])
    'template f<...>(x, n)'
    """
    names = ", ".join(parameter.name for parameter in kernel.parameters)
    return f"{'template ' if kernel.is_template else ''}{kernel.name}{'<...>' if kernel.is_template else ''}({names})"


def _kernels(clean: str) -> Iterator[KernelText]:
    names: set[str] = set()
    scopes = list(_scopes(clean))
    for start in _KERNEL.finditer(clean):
        for called in _CALLED.finditer(clean, start.end()):
            if called[1] not in _QUALIFIERS:
                break
        else:
            continue
        if called[2]:  # an explicit instance, or a specialisation, of a template
            continue
        bounds = _BOUNDS.search(clean, start.end(), called.start())
        end = closing(clean, called.end())
        around = [name for first, last, name in scopes if first < start.start() < last and name]
        name = "::".join([*around, called[1]])
        if name not in names:
            names.add(name)
            parameters = tuple(map(_parameter, _split(clean[called.end() : end])))
            before = re.split(r"[;{}]", clean[: start.start()])[-1]
            template = re.search(r"\btemplate\s*<\s*([^>\s].*)>", before, re.DOTALL)
            dimensions = _CLUSTER.search(clean, start.start() - len(before), called.start())
            cluster = clean[dimensions.end() : closing(clean, dimensions.end())] if dimensions else ""
            yield KernelText(
                name,
                parameters,
                int(bounds[1]) if bounds else None,
                called[1],
                template is not None,
                template[1] if template else "",
                " ".join(cluster.split()),
                clean.count("\n", 0, start.start()) + 1,
            )


def _scopes(clean: str) -> Iterator[tuple[int, int, str]]:
    """Where named namespaces begin and end, the outermost first."""
    opened: list[tuple[int, str]] = []
    found: list[tuple[int, int, str]] = []
    for mark in re.finditer(r"\bnamespace\s+([\w:]+)\s*\{|\{|\}", clean):
        if mark[0] != "}":
            opened.append((mark.start(), mark[1] or ""))
        elif opened:
            start, name = opened.pop()
            if name:
                found.append((start, mark.start(), name))
    return iter(sorted(found))


def closing(text: str, start: int, brackets: str = "()") -> int:
    """The position of the bracket that closes the one open at `start`."""
    depth = 1
    for bracket in re.finditer(f"[{brackets}]", text[start:]):
        depth += 1 if bracket[0] == brackets[0] else -1
        if depth == 0:
            return start + bracket.start()
    return len(text)


def _split(parameters: str) -> list[str]:
    """Split parameters at commas outside of brackets."""
    parts, depth = [""], 0
    for character in parameters:
        depth += (character in "(<[") - (character in ")>]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip() and part.strip() != "void"]


def names_of_template(template: str) -> Iterator[tuple[str, str]]:
    """The parameters of a template, and what they are by default.

    >>> list(names_of_template("int N, class T = float"))
    [('N', ''), ('T', 'float')]
    """
    for part in _split(template):
        declared, _, default = part.partition("=")
        yield (re.findall(r"\w+", declared) or [""])[-1], default.strip()


def arguments_of_template(arguments: str) -> list[str]:
    """The arguments of an instance, apart."""
    return [part.strip() for part in _split(arguments)]


def _parameter(text: str) -> Buffer:
    """A parameter's name, and whether it is a pointer to const, also if it is written as an array."""
    declared = _ATTRIBUTE.sub("", text).split("=")[0]
    words = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", declared))
    points_to, *rest = re.split(r"[*\[]", declared, maxsplit=1)
    return Buffer(words[-1] if words else "", bool(rest) and "const" in re.findall(r"\w+", points_to))


def device_variables(source: str) -> frozenset[str]:
    """The names of variables in global memory that a text declares.

    >>> sorted(device_variables("__device__ unsigned a = 0, b[2]; __device__ int f(int x) { return x; }"))
    ['a', 'b']
    """
    names: set[str] = set()
    for declaration in _DEVICE.finditer(without_noise(source)):
        if "__constant__" not in declaration[0]:
            parts = re.sub(r"\[[^\]]*\]", "", declaration[1]).split(",")
            names.update(match[1] for part in parts if (match := _DECLARED.search(part)))
    return frozenset(names)


def has_volatile(source: str) -> bool:
    """Whether a text has volatile accesses; `volatile` of inline assembly does not count."""
    return _VOLATILE.search(without_noise(source)) is not None


def rewrite_dynamic(source: str, apart: bool) -> str:
    """Declare dynamic shared memory in C++: as the runtime's array, or as an object that keeps arrays apart."""
    clean = without_noise(source)

    def declaration(match: re.Match[str]) -> str:
        lines = "\n" * match[0].count("\n")
        element = " ".join(_ALIGNMENT.sub("", match[1]).split())
        if apart:
            return f"simulator::DynamicShared<{element}> {match[2]};{lines}"
        return f"{element} (&{match[2]})[]{match[3]} = *({element} (*)[]{match[3]})sim_dynamic_shared;{lines}"

    parts, end = [], 0
    for match in _DYNAMIC.finditer(clean):
        parts += [source[end : match.start()], declaration(match)]
        end = match.end()
    return "".join([*parts, source[end:]])


def assign_at_once(source: str) -> str:
    """Assign values in braces as a whole, as CUDA's compilers do: C++ compilers assign one component after the other.

    >>> assign_at_once("T v = T{x}; *(T*)p = T{x}; s[2] = vec<float, 2>{{x, 1}};")
    'T v = T{x}; *(T*)p = simulator::whole(T{x}); s[2] = simulator::whole(vec<float, 2>{{x, 1}});'
    """
    clean = without_noise(source)
    parts, end = [], 0
    for match in _IN_BRACES.finditer(clean):
        start, last = match.start(2), closing(clean, match.end() + 1, "{}") + 1
        if match.start() >= end:
            parts += [source[end:start], f"simulator::whole({source[start:last]})"]
            end = last
    return "".join([*parts, source[end:]])


def mark_discarded(source: str) -> str:
    """Mark atomic operations whose value is not used: a thread learns nothing of those that others have made.

    >>> mark_discarded("{ atomicAdd(&n, 1); if (f(n)) atomicMax(p, a[i]); int k = atomicAdd(&n, 1); }")
    '{ sim_discard(), atomicAdd(&n, 1); if (f(n)) sim_discard(), atomicMax(p, a[i]); int k = atomicAdd(&n, 1); }'
    """
    clean = _DIRECTIVE.sub(lambda line: re.sub(r"[^\n]", " ", line[0]), without_noise(source))
    parts, end = [], 0
    for match in _ATOMIC.finditer(clean):
        last = closing(clean, match.end())
        if not re.match(r"\)\s*;", clean[last:]) or "atomic" in clean[match.end() : last]:
            continue  # a nested operation would be taken for the marked one
        if _begins_statement(clean, match.start()):
            parts += [source[end : match.start()], "sim_discard(), "]
            end = match.start()
    return "".join([*parts, source[end:]])


def _begins_statement(clean: str, place: int) -> bool:
    before = clean[max(0, place - 4000) : place].rstrip()
    if _BEGIN_OF_STATEMENT.search(before[-40:]):
        return True
    if not before.endswith(")"):
        return False
    depth = 0
    for bracket in reversed(list(re.finditer(r"[();{}]", before))):
        depth += {")": 1, "(": -1}.get(bracket[0], 0)
        if depth == 0:
            return _CONDITION.search(before[: bracket.start()]) is not None
    return False


def dynamic_names(clean: str) -> frozenset[str]:
    """The names of dynamic shared memory in a text without comments and literals."""
    return frozenset(match[2] for match in _DYNAMIC.finditer(clean))


def has_descriptors(source: str) -> bool:
    """Whether a text has descriptors of matrices, which do not distinguish arrays that lie far apart."""
    return _PRODUCT.search(source) is not None


def dynamic_may_lie_apart(source: str) -> bool:
    """Whether dynamic shared memory is only used as `name + offset`, so that arrays can be placed separately."""
    clean = without_noise(source)
    names = dynamic_names(clean)
    rest = _DYNAMIC.sub(" ", clean)
    uses = [use for name in names for use in re.finditer(rf"\b{name}\b(.)?", rest.replace(" ", ""))]
    plain = [match for name in names for match in re.finditer(rf"\b{name}\b\s*\+(?![+=])", rest)]
    is_flat = not any(match[3] for match in _DYNAMIC.finditer(clean))
    return bool(names) and is_flat and len(uses) == len(plain)


def _cluster(number: int, kernel: KernelText) -> tuple[str, str]:
    """The name of the array with the sizes of a kernel's clusters, and its declaration in the kernel's namespace."""
    if not kernel.cluster:
        return "nullptr", ""
    *spaces, _ = kernel.name.partition("<")[0].split("::")
    name = f"sim_cluster_{number}"
    declared = f"static constexpr unsigned {name}[3] = {{{kernel.cluster}}};"
    opened = "".join(f"namespace {space} {{ " for space in spaces)
    return "::".join([*spaces, name]), f"{opened}{declared}{' }' * len(spaces)}"


def program_text(source: str, kernels: Sequence[KernelText], check: bool, apart: bool) -> str:
    """The text of the translation unit: vocabulary, the CUDA text with its own line numbers, table of kernels.

    `apart` says whether arrays in dynamic shared memory are placed separately.
    """
    rows = [f"{i}, {kernel.name}" for i, kernel in enumerate(kernels)]
    clusters = [_cluster(i, kernel) for i, kernel in enumerate(kernels)]
    cluster_names = ", ".join(name for name, _ in clusters)
    rewritten = rewrite_dynamic(source, apart)
    if check:
        rewritten = mark_discarded(rewritten)
        rewritten = track_local_arrays(rewritten, without_noise(rewritten))
    has_fence, has_partial = (pattern.search(source) is not None for pattern in (_FENCE, _PARTIAL_BARRIER))
    return "\n".join(
        [
            '#include "simulator/vocabulary.h"',
            *(['#include "simulator/ptx.h"'] if _PTX.search(rewritten) else []),
            *(['#include "simulator/lanes_of_words.h"'] if _PARTS_OF_WORDS.search(rewritten) else []),
            f'#line 1 "{FILE}"',
            rewritten,
            *(f'#line {kernel.line} "{FILE}"\nSIM_KERNEL({kernel.name})' for kernel in kernels),
            '#line 1 "entries"',
            *(f"SIM_ENTRY({row})" for row in rows),
            *(declared for _, declared in clusters if declared),
            f'extern "C" SIM_VISIBLE const unsigned *const sim_clusters[] = {{{cluster_names}}};',
            f"SIM_TABLE({len(rows)}, {' '.join(f'SIM_ROW({row})' for row in rows)})",
            f'extern "C" SIM_VISIBLE const int sim_dynamic_apart = {int(apart)};',
            f'extern "C" SIM_VISIBLE const int sim_has_fences = {int(has_partial or has_fence)};',
            f'extern "C" SIM_VISIBLE const int sim_has_partial_barriers = {int(has_partial)};',
            f'extern "C" SIM_VISIBLE const int sim_has_volatile = {int(has_volatile(source))};',
            f'extern "C" SIM_VISIBLE const int sim_has_exchanges = {int(_EXCHANGE.search(source) is not None)};',
            "",
        ]
    )
