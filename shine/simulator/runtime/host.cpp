// The process that a CUDA text runs in: gives up what the text must not have, loads the text's library, serves launches.
// Knows no CUDA. Its arguments are the library, and the seconds and bytes of addresses that loading it may take; its file
// descriptors are those of serve.h.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SOCKET = 0, MEMORY = 3 };

// The system calls that are left, none of which opens, starts or sends anything. While the library is loaded, files may
// also be opened to be read, and code may be mapped.
static const int allowed_calls[] = {
    SYS_rt_sigreturn, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_timer_create, SYS_timer_settime,
    SYS_timer_delete, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_exit, SYS_exit_group, SYS_getpid,
    SYS_gettid, SYS_clock_gettime, SYS_restart_syscall, SYS_getrandom,
};
static const int calls_on_the_socket[] = {SYS_recvfrom, SYS_sendto, SYS_fcntl};
static const int calls_that_map[] = {SYS_mmap, SYS_mprotect};
static const int calls_that_load[] = {
    SYS_read, SYS_pread64, SYS_close, SYS_fstat, SYS_newfstatat, SYS_lseek, SYS_mmap, SYS_mprotect, SYS_set_robust_list,
    SYS_prlimit64, SYS_getcwd, SYS_readlinkat,
#ifdef SYS_stat
    SYS_stat, SYS_access, SYS_readlink, SYS_arch_prctl,
#endif
};

#if defined(__x86_64__)
enum : uint32_t { THIS_ARCHITECTURE = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum : uint32_t { THIS_ARCHITECTURE = AUDIT_ARCH_AARCH64 };
#else
enum : uint32_t { THIS_ARCHITECTURE = 0 };
#endif

// A program of the kernel's filters, made instruction by instruction.
struct Filter {
  sock_filter code[160];
  unsigned short length = 0;

  void add(sock_filter instruction) { code[length++] = instruction; }
  void load(size_t offset) { add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset)); }
  void answer(uint32_t action) { add(BPF_STMT(BPF_RET | BPF_K, action)); }
  void load_argument(int number) { load(offsetof(seccomp_data, args) + 8 * (size_t)number); }
  void allow(int call) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1));
    answer(SECCOMP_RET_ALLOW);
  }
  // Allow a call if all these bits of an argument have a value.
  void allow_if(int call, int argument, uint32_t bits, uint32_t value) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5));
    load_argument(argument);
    add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    answer(SECCOMP_RET_ALLOW);
    load(offsetof(seccomp_data, nr));
  }

  bool install(bool loading) {
    if (!THIS_ARCHITECTURE) return false;
    load(offsetof(seccomp_data, arch));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0));
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
    for (int call : allowed_calls) allow(call);
    for (int call : calls_on_the_socket) allow_if(call, 0, ~0u, SOCKET);
    if (loading) {
      for (int call : calls_that_load) allow(call);
      allow_if(SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
      allow(SYS_prctl), allow(SYS_seccomp);
    } else {
      for (int call : calls_that_map) allow_if(call, 2, PROT_EXEC, 0);
    }
    answer(loading ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_TRAP);
    sock_fprog program = {length, code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }
};

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// The caller may raise what is limited softly, before each launch.
static void limit(int resource, rlim_t most, bool softly = false) {
  rlimit both;
  getrlimit((__rlimit_resource_t)resource, &both);
  if (most > both.rlim_max) return;
  both.rlim_cur = most;
  if (!softly) both.rlim_max = most;
  setrlimit((__rlimit_resource_t)resource, &both);
}

// Say what went wrong instead of the kernels: a message that begins with '!'.
static int refuse(const char *reason) {
  uint64_t bytes = strlen(reason) + 1;
  send(SOCKET, &bytes, sizeof bytes, MSG_NOSIGNAL);
  send(SOCKET, "!", 1, MSG_NOSIGNAL);
  send(SOCKET, reason, bytes - 1, MSG_NOSIGNAL);
  return 1;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  // What the caller was started with is not ours.
  if (syscall(SYS_close_range, MEMORY + 1, ~0u, 0))
    for (int file = MEMORY + 1; file < 1024; file++) close(file);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, strtoull(words[2], nullptr, 10), true);
  limit(RLIMIT_AS, strtoull(words[3], nullptr, 10), true);
  if (chdir("/")) return 2;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  Filter while_loading, after;
  bool confined = while_loading.install(true);
  void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return refuse(dlerror());
  void (*serve)() = (void (*)())dlsym(library, "sim_serve");
  if (!serve) return refuse("it has no function sim_serve");
  if (confined) after.install(false);
  serve();
}
