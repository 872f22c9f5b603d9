"""Prints GPU kernels as CUDA C++. Independent of compilers, devices and passes.

The printer makes no decisions: the kernels already contain barriers, offsets in shared memory and numbers of threads.
The text includes only CUDA's own headers, if it needs them, and uses the program's names. Note [Failures] explains what
happens if the program has no result.

Note [Failures] In a check build, an index outside of its array and an integer division by zero stop a kernel with
`__trap()`. In other builds, such an access is undefined, and such a quotient or remainder is 0. Numbers that are not
valid indices, if a program converts them to indices, are reported in all builds: see Note [Failures] in
`shine.targets.c.source`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import prod

from rise.hardware import Architecture, architecture
from rise.indices import divisors_of
from rise.naturals import NatVar, nat
from rise.types import ScalarType
from shine.imperative.contents import Names
from shine.imperative.kernel_names import kernel_names
from shine.imperative.kernels import GpuKernel, GpuProgram
from shine.imperative.limits import Noted, limits_of, note_bytes
from shine.imperative.nodes import Buffer
from shine.imperative.omitted_variables import repeats, used_once
from shine.imperative.scopes import Scope
from shine.imperative.signature import passed_by_value, signature_text
from shine.passes.gpu.lay_out_shared import shared_bytes
from shine.targets.c.assignments import element_type
from shine.targets.c.constants import constant_lines
from shine.targets.c.expressions import Context
from shine.targets.c.foreign import foreign_texts
from shine.targets.c.gcc_defects import divides_integers
from shine.targets.c.helpers import Helpers
from shine.targets.c.lines import Line, Page, function_head, preamble, whole_text
from shine.targets.c.printer import caller_type, integers_of
from shine.targets.c.source import FAILURE, Site
from shine.targets.cuda.dialect import cuda_dialect
from shine.targets.cuda.fragments import Fragments, check_products
from shine.targets.cuda.levels import Hardware, name_units
from shine.targets.cuda.module import (
    Argument,
    CudaKernel,
    CudaModule,
    PointerArgument,
    ScalarArgument,
    SizeArgument,
)
from shine.targets.cuda.names import RESERVED, exported
from shine.targets.cuda.shared_memory import declare_shared
from shine.targets.cuda.statements import Kernel, print_block
from shine.targets.cuda.usage import Usage, usage


def print_program(program: GpuProgram, arch: str, wide: bool, check: bool = False) -> CudaModule:
    """Print a program for an architecture. Indices have 64 bits if `wide`, else 32.

    Raises TranslationError if the architecture lacks a matrix instruction, or if a number is too large for 64 bits at
    all sizes.
    """
    target, helpers = architecture(arch), Helpers(cuda_dialect(wide, check, architecture(arch).features))
    parameters = (*program.procedure.inputs, program.procedure.output)
    counts = [buffer.size for one in parameters for buffer in one.buffers]
    bodies = [kernel.body for kernel in program.kernels]
    integral = integers_of(program.procedure.sizes, counts, bodies)
    foreign = foreign_texts(program.procedure.foreign, helpers, RESERVED)
    words = RESERVED | {one.name for one in program.procedure.foreign}
    names = Scope()
    kernels: list[CudaKernel] = []
    lines: list[Line] = []
    noted, sites = Noted(), list[Site]()
    note_bytes(noted, (*program.temporaries, *program.procedure.output.buffers))
    for number, (kernel, called) in enumerate(zip(program.kernels, kernel_names(program), strict=True)):
        name = names.take(number, exported(kernel.name, words))
        body = kernel.body
        context = Context(
            check,
            integral,
            helpers,
            repeats(body),
            used_once(body),
            divides_integers(body),
            sites=sites,
            noted=noted,
        )
        may_be_passed = _arguments(program, wide, usage(kernel))
        made, written = _kernel(name, kernel, called, program, target, wide, context.fresh(), may_be_passed)
        if len(made.arguments) < len(may_be_passed):  # what is not passed takes no name either
            made, written = _kernel(
                name, kernel, called, program, target, wide, context.fresh(), made.arguments
            )
        _note_launch(made, target, noted)
        kernels.append(made)
        lines += [*([Line("")] if lines else []), *written]
    first = [Line(f"// {signature_text(program.procedure)}"), Line(f"// for {target.name}")]
    source, origins = whole_text([*first, *preamble(helpers, foreign), *lines])
    limits = limits_of(program.procedure, noted)
    temporaries = (*program.temporaries, FAILURE) if sites else program.temporaries
    return CudaModule(source, origins, tuple(kernels), temporaries, limits, tuple(sites))


def _note_launch(kernel: CudaKernel, arch: Architecture, noted: Noted) -> None:
    """Record what a launch computes from sizes: the numbers of blocks, which the device limits, and size arguments."""
    for axis, blocks, most in zip("xyz", kernel.grid, arch.grid, strict=True):
        noted.note(blocks, (), f"the number of blocks of `{kernel.name}` along {axis}", most + 1)
    for argument in kernel.arguments:
        if isinstance(argument, SizeArgument):
            noted.note(nat(argument.size), ())


def _kernel(
    name: str,
    kernel: GpuKernel,
    called: Names,
    program: GpuProgram,
    arch: Architecture,
    wide: bool,
    context: Context,
    may_be_passed: Sequence[Argument],
) -> tuple[CudaKernel, list[Line]]:
    """Print one kernel, with names from `called`. Its parameters are the possible arguments that it uses."""
    found = usage(kernel)
    check_products(found, arch)
    procedure = program.procedure
    page = Page(Scope(words=RESERVED | {name, *(one.name for one in procedure.foreign)}, called=called), 1)
    given = {buffer for parameter in program.procedure.inputs for buffer in parameter.buffers}
    declarations = [_parameter(argument, given, page.scope, context) for argument in may_be_passed]
    integer = context.helpers.dialect.types[context.helpers.dialect.counting]
    hardware, units = name_units(Hardware(kernel.launch, integer, wide), found.loops, page.scope)
    declared, arrays = declare_shared(kernel, arch.static_shared, page, context.helpers)
    divisors = divisors_of(check.subject for check in procedure.checks if check.relation == "divides")
    fragments = Fragments(arch, found, divisors)
    known = constant_lines(kernel.body, page, context)
    body = print_block(kernel.body.statements, page, Kernel(context, hardware, found, fragments))
    passed = [_key(argument) in page.scope.written for argument in may_be_passed]
    arguments, parameters = compress(may_be_passed, passed), list(compress(declarations, passed))
    threads, total = prod(kernel.launch.block), shared_bytes(kernel)
    head = function_head(f'extern "C" __global__ void __launch_bounds__({threads}) {name}', parameters)
    made = CudaKernel(
        name,
        kernel.launch.grid,
        kernel.launch.block,
        tuple(arguments),
        shared_bytes=0 if total <= arch.static_shared else total,
        static_shared=total if total <= arch.static_shared else 0,
        shared=arrays,
    )
    return made, [Line(head), *page.lines(units), *declared, *known, *body, Line("}")]


def _arguments(program: GpuProgram, wide: bool, found: Usage) -> list[Argument]:
    """The possible arguments of a kernel: arrays, numbers, sizes; each in the order of the program."""
    procedure = program.procedure
    numbers: list[Buffer] = []
    arrays: list[Buffer] = []
    for parameter in procedure.inputs:
        for buffer, by_value in zip(parameter.buffers, passed_by_value(parameter), strict=True):
            (numbers if by_value else arrays).append(buffer)
    arrays += [*program.temporaries, *procedure.output.buffers]
    pointers = [PointerArgument(buffer, buffer in found.written) for buffer in arrays]
    pointers.append(PointerArgument(FAILURE, True))
    values = [ScalarArgument(buffer, _scalar(buffer)) for buffer in numbers]
    return [*pointers, *values, *(SizeArgument(size, 64 if wide else 32) for size in procedure.sizes)]


def _key(argument: Argument) -> Buffer | NatVar:
    """The buffer or size that an argument's name refers to."""
    return argument.size if isinstance(argument, SizeArgument) else argument.buffer


def _scalar(buffer: Buffer) -> ScalarType:
    assert isinstance(buffer.element, ScalarType), buffer
    return buffer.element


def _parameter(argument: Argument, given: set[Buffer], scope: Scope, context: Context) -> str:
    """Declare a parameter of a kernel; `given` are the arrays of the caller."""
    match argument:
        case PointerArgument(buffer, is_written):
            c = element_type(buffer, context.helpers)
            c = caller_type(buffer, c, context) if buffer in given else c
            return f"{'' if is_written else 'const '}{c}* __restrict__ {scope.bind(buffer, buffer.name)}"
        case ScalarArgument(buffer):
            context.variables.add(buffer)
            context.given.add(buffer)
            return f"const {element_type(buffer, context.helpers)} {scope.bind(buffer, buffer.name)}"
        case SizeArgument(size):
            dialect = context.helpers.dialect
            return f"const {dialect.types[dialect.counting]} {scope.bind(size, size.name)}"
