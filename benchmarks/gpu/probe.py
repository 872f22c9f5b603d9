"""A probe of a device and the launch path: parameters of all sizes, large shared memory, two consecutive kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rise.naturals import NatLike, const, nat
from rise.scalars import SCALARS
from rise.types import ArrayType, ScalarType, Type
from shine.imperative.nodes import Block, Buffer, Parameter, Procedure
from shine.kernel import Kernel
from shine.targets import TARGETS
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.launcher import Launcher
from shine.targets.cuda.module import (
    CudaKernel,
    CudaModule,
    PointerArgument,
    ScalarArgument,
)

#: numbers of all sizes, so that each parameter has to be aligned to its own size
NUMBERS = (
    ("bool", "bool", 1),
    ("f64", "double", 0.1),
    ("i8", "signed char", -3),
    ("f32", "float", 0.7),
    ("i16", "short", -1234),
    ("i64", "long long", -(1 << 60)),
    ("f16", "__half", 0.1),
    ("i32", "int", -(1 << 30)),
)
SHARED = 64 << 10  # bytes; every device since compute capability 7.0 provides it on request


def kernel_of(module: CudaModule, procedure: Procedure, arch: str, device: int = 0) -> Kernel:
    """A kernel from a module, compiled here."""
    cubin = compile_text(module.source, arch, [one.name for one in module.kernels], origins=module.origins)
    executable = Launcher(module, procedure, cubin.image, device)
    return Kernel(procedure, replace(TARGETS["cuda"], passes=(), build=lambda _p, _o: executable), {})


def probe(arch: str, device: int = 0) -> list[str]:
    """The errors found, if any."""
    module, procedure = probe_module()
    given = [np.array(value).astype(SCALARS[name].dtype)[()] for name, _, value in NUMBERS]
    found = kernel_of(module, procedure, arch, device)(*given)
    wrong = [
        f"a parameter of {name}: expected {one.tobytes().hex()}, found {int(bits):x}"
        for (name, _, _), one, bits in zip(NUMBERS, given, found, strict=False)
        if int(bits) != int.from_bytes(one.tobytes(), "little")
    ]
    total = sum(range(SHARED // 4))
    if int(found[-1]) != total:
        wrong.append(f"{SHARED} bytes of shared memory: expected the sum {total}, found {int(found[-1])}")
    return wrong


def probe_module() -> tuple[CudaModule, Procedure]:
    """Two kernels: the first writes the bits of its parameters, the second adds numbers in shared memory."""
    names = [chr(ord("a") + at) for at in range(len(NUMBERS))]
    inputs = [
        parameter(name, ScalarType(scalar), 1) for name, (scalar, _, _) in zip(names, NUMBERS, strict=True)
    ]
    count = len(NUMBERS) + 1
    output = parameter("output", ArrayType(const(count), ScalarType("u64")), count)
    to = PointerArgument(output.buffers[0], True)
    one = (const(1), const(1), const(1))
    numbers = tuple(
        ScalarArgument(given.buffers[0], ScalarType(scalar))
        for given, (scalar, _, _) in zip(inputs, NUMBERS, strict=True)
    )
    kernels = (
        CudaKernel("probe_parameters", one, (32, 1, 1), (*numbers, to)),
        CudaKernel("probe_shared", one, (256, 1, 1), (to,), SHARED),
    )
    text = probe_text(names)
    procedure = Procedure("probe", (), tuple(inputs), output, Block(()))
    return CudaModule(text, (None,) * len(text.splitlines()), kernels), procedure


def probe_text(names: list[str]) -> str:
    """The kernels in CUDA C++."""
    takes = ", ".join(f"{c} {name}" for name, (_, c, _) in zip(names, NUMBERS, strict=True))
    stores = "\n".join(f"  store(output + {at}, {name});" for at, name in enumerate(names))
    return f"""#include <cuda_fp16.h>
template <class T> __device__ __forceinline__ void store(unsigned long long* to, T number) {{
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&number);
  unsigned long long bits = 0;
  for (int i = int(sizeof(T)); i-- > 0;) bits = bits << 8 | bytes[i];
  *to = bits;
}}
extern "C" __global__ void probe_parameters({takes}, unsigned long long* output) {{
  if (threadIdx.x) return;
{stores}
}}
extern "C" __global__ void probe_shared(unsigned long long* output) {{
  extern __shared__ __align__(16) unsigned char shared_memory[];
  int* numbers = reinterpret_cast<int*>(shared_memory);
  for (int i = threadIdx.x; i < {SHARED // 4}; i += blockDim.x) numbers[i] = i;
  __syncthreads();
  if (threadIdx.x) return;
  unsigned long long sum = 0;
  for (int i = 0; i < {SHARED // 4}; ++i) sum += numbers[i];
  output[{len(names)}] = sum;
}}
"""


def parameter(name: str, t: Type, count: NatLike) -> Parameter:
    """A parameter with one buffer."""
    element = t.element if isinstance(t, ArrayType) else t
    assert isinstance(element, ScalarType)
    return Parameter(name, t, (Buffer(name, element, nat(count), "Global", ()),))
