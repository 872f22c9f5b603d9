"""The names that linked libraries define: ISO C, POSIX and GNU. Independent of texts.

An exported function with such a name would replace the library's function, or be rejected by a compiler whose headers
declare it. ISO C reserves its names (C11, 7.1.3), and so does POSIX; nvcc includes headers with GNU's names, too.
"""

from __future__ import annotations

import re
from typing import Final

#: functions with a variant for each type of numbers: `sin`, `sinf`, `sinl`, `sinf32`
_NUMBERS: Final = """
acos acosh asin asinh atan atan2 atanh cabs cacos cacosh canonicalize carg casin casinh catan catanh cbrt ccos ccosh
ceil cexp cimag clog conj copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh drem erf erfc exp exp10 exp2
expm1 fabs fdim finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum
fminimum_mag fminimum_mag_num fminimum_num fminmag fmod frexp fromfp fromfpx gamma getpayload hypot ilogb isinf isnan
j0 j1 jn ldexp lgamma llogb llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter
nextdown nexttoward nextup pow pow10 remainder remquo rint round roundeven scalb scalbln scalbn setpayload
setpayloadsig significand sin sincos sinh sqrt tan tanh tgamma totalorder totalordermag trunc ufromfp ufromfpx y0 y1
yn
"""
_TYPES: Final = ("", "f", "l", "f32", "f64", "f128", "f32x", "f64x")
#: names that may be macros with parameters
_BRACKETED: Final = """
assert assert_perror fpclassify isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan
isnormal issubnormal isunordered kill_dependency offsetof setjmp signbit va_arg va_copy va_end va_start
"""
MACROS: Final = frozenset(_BRACKETED.split())
_FUNCTIONS: Final = """
a64l abort abs accept access alarm aligned_alloc alloca alphasort arc4random arc4random_buf arc4random_uniform asctime
asprintf at_quick_exit atexit atof atoi atol atoll bcmp bcopy bind brk bsearch btowc bzero c16rtomb c32rtomb call_once
calloc canonicalize_file_name catclose catgets catopen cfgetispeed cfgetospeed cfree cfsetispeed cfsetospeed chdir
chmod chown clearenv clearerr clock close closedir closelog confstr connect creat ctermid ctime cuserid daemon
daylight difftime dirfd dirname div dlclose dlerror dlopen dlsym dprintf drand48 dup dup2 duplocale dysize ecvt
endgrent endhostent endnetent endprotoent endpwent endservent endutxent erand48 execl execle execlp execv execve
execvp exit explicit_bzero faccessat fchdir fchmod fchmodat fchown fchownat fclose fcloseall fcntl fcvt fd_mask fd_set
fdatasync fdopen fdopendir feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feof feraiseexcept ferror
fesetenv fesetexceptflag fesetround fetestexcept feupdateenv fexecve fflush ffs ffsl ffsll fgetc fgetpos fgets fgetwc
fgetws fileno flockfile fmemopen fmtmsg fnmatch fopen fopencookie fork fpathconf fprintf fputc fputs fputwc fputws
fread free freeaddrinfo freelocale freopen fscanf fseek fseeko fsetpos fstat fstatat fsync ftell ftello ftime
ftruncate ftrylockfile ftw funlockfile futimens fwide fwprintf fwrite fwscanf gai_strerror gcvt getaddrinfo getc
getchar getcwd getdate getdate_err getdelim getegid getenv geteuid getgid getgrent getgrgid getgrnam getgroups
gethostbyaddr gethostbyname gethostent gethostid gethostname getitimer getline getloadavg getlogin getnameinfo
getnetbyaddr getnetbyname getnetent getopt getpass getpeername getpgid getpgrp getpid getppid getprotobyname
getprotobynumber getprotoent getpt getpwent getpwnam getpwuid getservbyname getservbyport getservent getsid
getsockname getsockopt getsubopt gettimeofday getuid getutxent getutxid getutxline getw getwc getwchar glob globfree
gmtime grantpt hcreate hdestroy hsearch htonl htons iconv iconv_close iconv_open if_freenameindex if_indextoname
if_nameindex if_nametoindex imaxabs imaxdiv in6addr_any in6addr_loopback index inet_addr inet_lnaof inet_makeaddr
inet_netof inet_network inet_ntoa inet_ntop inet_pton initstate insque isalnum isalpha isascii isatty isblank iscntrl
isctype isdigit isgraph islower isprint ispunct isspace isupper isxdigit jrand48 kill killpg l64a labs lchown lcong48
ldiv lfind link linkat lio_listio listen llabs lldiv localeconv localtime lockf longjmp lrand48 lsearch lseek lstat
malloc mblen mbrlen mbrtoc16 mbrtoc32 mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc memccpy memchr memcmp
memcpy memfrob memmem memmove mempcpy memset mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkostemps
mkstemp mkstemps mktemp mktime mrand48 nanosleep newlocale nftw nice nl_langinfo nrand48 ntohl ntohs obstack_printf
obstack_vprintf on_exit open open_memstream open_wmemstream openat opendir openlog optarg opterr optind optopt
pathconf pause pclose perror pipe poll popen pread printf pselect psiginfo psignal ptsname putc putchar putenv puts
pututxline putw putwc putwchar pwrite qecvt qfcvt qgcvt qsort quick_exit raise rand random re_syntax_options read
readdir readlink readlinkat realloc reallocarray realpath recv recvfrom recvmsg regcomp regerror regexec regfree
remove remque rename renameat renameat2 rewind rewinddir rindex rmdir rpmatch sbrk scandir scanf secure_getenv seed48
seekdir select send sendmsg sendto setbuf setbuffer setegid setenv seteuid setgid setgrent sethostent setitimer
setlinebuf setlocale setlogmask setnetent setpgid setpgrp setprotoent setpwent setregid setreuid setservent setsid
setsockopt setstate setuid setutxent setvbuf shutdown sigabbrev_np sigaction sigaddset sigaltstack sigdelset
sigdescr_np sigemptyset sigfillset sighold sigignore siginterrupt sigismember siglongjmp signal signgam sigpause
sigpending sigprocmask sigqueue sigrelse sigset sigsuspend sigtimedwait sigwait sigwaitinfo sleep snprintf sockatmark
socket socketpair sprintf srand srand48 srandom sscanf stat stderr stdin stdout stime stpcpy stpncpy swab swprintf
swscanf symlink symlinkat sync sysconf syslog system tcdrain tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcsendbreak
tcsetattr tcsetpgrp tdelete telldir tempnam tfind time timegm timelocal times timespec_get timespec_getres timezone
tmpfile tmpnam toascii tolower toupper towctrans towlower towupper truncate tsearch ttyname twalk tzname tzset u_char
u_int u_long u_short uint ulimit ulong umask ungetc ungetwc unlink unlinkat unlockpt unsetenv uselocale ushort usleep
utime utimensat utimes va_list valloc vasprintf vdprintf vfork vfprintf vfscanf vfwprintf vfwscanf vlimit vprintf
vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wait wait3 wait4 waitid waitpid wordexp wordfree
wprintf write wscanf
"""
_STRINGS: Final = """
iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strdupa strerror strerrordesc_np strerrorname_np strfmon
strfry strftime strlen strncasecmp strncat strncmp strncpy strndup strndupa strnlen strpbrk strptime strrchr strsep
strsignal strspn strstr strtok strverscmp strxfrm wcpcpy wcpncpy wcrtomb wcscasecmp wcscat wcschr wcscmp wcscoll
wcscpy wcscspn wcsdup wcsftime wcslen wcsncasecmp wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs
wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcstoumax wcswcs
wcswidth wcsxfrm wctob wctomb wctrans wctype wcwidth wmemchr wmemcmp wmemcpy wmemmove wmemset
"""
LIBRARY: Final = frozenset(
    (
        *(f"{name}{kind}" for name in _NUMBERS.split() for kind in _TYPES),
        *MACROS,
        *_FUNCTIONS.split(),
        *_STRINGS.split(),
    )
)
_VARIANT: Final = re.compile(r"(\w+?)(_r|_l|_np|_unlocked|64)")
_FAMILIES: Final = re.compile(
    r"(aio|atomic|clock|cnd|mq|mtx|omp|ompt|GOMP|kmp|kmpc|posix|pthread|sched|sem|thrd|timer|tss)_.*"
    r"|(f|d|f(32|64)x?)(add|div|fma|mul|sqrt|sub)(l|f(32|64|128)x?)?"  # in one type, rounded to a shorter one
    r"|strfrom\w+|strto\w+"
    r"|(le|be)(16|32|64)toh|hto(le|be)(16|32|64)"
)


def is_of_library(name: str) -> bool:
    """Whether the C library, POSIX or OpenMP has a function of this name, or reserves the name.

    >>> is_of_library("ilogb"), is_of_library("omp_get_max_threads"), is_of_library("random_r")
    (True, True, True)
    >>> is_of_library("softmax"), is_of_library("conv_r")
    (False, False)
    """
    variant = _VARIANT.fullmatch(name)
    return (
        name in LIBRARY
        or (variant is not None and variant[1] in LIBRARY)
        or _FAMILIES.fullmatch(name) is not None
    )
