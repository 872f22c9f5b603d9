"""Names that mean something in CUDA C++ already, so that no program's name becomes one. Knows no statements."""

from __future__ import annotations

from typing import Final

from shine.targets.c.names import RESERVED as OF_C

_WORDS: Final = """
alignas and and_eq asm bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept
const_cast consteval constexpr constinit const_cast decltype delete dynamic_cast explicit export final friend mutable
namespace new noexcept not not_eq nullptr operator or or_eq override private protected public reinterpret_cast requires
static_assert static_cast template this throw try typeid typename using virtual wchar_t xor xor_eq
threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 half half2 nv_half nv_half2 nv_bfloat16 nv_bfloat162
nvcuda wmma std cuda clock clock64 printf memcpy memset malloc free new delete assert
atomicAdd atomicMin atomicMax atomicCAS vec all_lanes shared_memory
NULL NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL MAXFLOAT SNAN SNANF SNANL NZERO BUFSIZ EOF RAND_MAX TMP_MAX
M_E M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_LN2 M_LN10 M_LOG2E M_LOG10E M_SQRT2 M_SQRT1_2 M_2_SQRTPI
stdin stdout stderr errno alloca offsetof
"""
_ELEMENTS: Final = "char uchar short ushort int uint long ulong longlong ulonglong float double"
_VECTORS: Final = frozenset(f"{element}{lanes}" for element in _ELEMENTS.split() for lanes in (1, 2, 3, 4))
#: in every place of a text
RESERVED: Final = OF_C | frozenset(_WORDS.split()) | _VECTORS

_MATHEMATICS: Final = """
abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 drem erf erfc
erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide finite floor fma fmax fmin fmod frexp gamma hypot ilogb
isinf isnan j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround max min modf nan nearbyint
nextafter nextpow norm norm3d norm4d normcdf normcdfinv pow rcbrt remainder remquo rhypot rint rnorm rnorm3d rnorm4d
round rsqrt scalb scalbln scalbn significand sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn
saturate umax umin llmax llmin ullmax ullmin
"""
_LIBRARY: Final = """
abort abs access alarm asctime atexit atof atoi atol bcmp bcopy bsearch bzero calloc clearenv clock close ctime daemon
difftime div drand48 dup ecvt execv exit fcvt ffs fork free ftime gcvt getenv getline getopt getpid gmtime index
initstate isalnum isalpha isatty iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit labs ldiv link
llabs lldiv localtime lockf lseek mblen mbtowc memchr memcmp memcpy memmove memset mkstemp mktemp mktime nanosleep nice
pause pclose perror pipe popen psignal putenv puts qsort raise rand random read realloc realpath remove rename rindex
rmdir scanf select setenv setstate signal sleep sprintf srand srandom strcat strchr strcmp strcoll strcpy strdup strlen
strncat strncmp strncpy strpbrk strrchr strsep strspn strstr strtod strtok strtol strxfrm swab symlink sync system time
times tmpfile tmpnam tolower toupper truncate ttyname unlink usleep vfork wait wcstombs write
"""
_FUNCTIONS: Final = _MATHEMATICS.split()
#: in names of kernels: also the functions of the headers that nvcc includes by itself
OF_KERNELS: Final = RESERVED | {*_LIBRARY.split(), *_FUNCTIONS, *(f"{name}f" for name in _FUNCTIONS)}
