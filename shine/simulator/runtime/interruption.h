// Kernels that fault or do not end: signals are taken while one runs. The process is the simulator's own.
#pragma once
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "findings.h"

static volatile sig_atomic_t armed;
static volatile int alarms;
static int const MOST_ALARMS = 5;
static double const NEXT_ALARM = 0.02;  // seconds
static int const FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};

static int timer_signal() { return SIGRTMIN + 9; }

static const void *interrupted_code(void *context) {
#if defined(__x86_64__)
  return (const void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (const void *)((ucontext_t *)context)->uc_mcontext.pc;
#else
  return nullptr;
#endif
}

static uint32_t place_if_own(const void *code) {
  const char *at = (const char *)code;
  return at >= __ehdr_start && at < end_of_library ? place_of_code(at + 1) : 0;
}

static const char *fault_text(int number, const char *at) {
  for (unsigned i = 0; i < request.stacks->count; i++)
    if (at >= request.stacks->at[i] - GUARD_BYTES && at < request.stacks->at[i]) return "stack";
  switch (number) {
    case SIGFPE: return "division";
    case SIGILL: return "instruction";
    case SIGSYS: return "system";
    default: return "address";
  }
}

static void on_signal(int number, siginfo_t *info, void *context) {
  bool is_alarm = number == timer_signal();
  if (!armed) {  // no kernel runs: a fault is the simulator's own, and ends the process
    if (!is_alarm) signal(number, SIG_DFL);
    return;
  }
  if (is_alarm && checking && alarms++ < MOST_ALARMS) {
    // The next step of the kernel tells where it is; this may be between steps.
    request.budget -= (uint64_t)steps_left + steps_beyond;
    steps_left = 0, steps_beyond = 0;
    out_of_time = true;
    return;
  }
  armed = 0;
  if (FindingRecord *one = found(is_alarm ? BUDGET : FAULT, place_if_own(interrupted_code(context))))
    strcpy(one->text, is_alarm ? "time" : fault_text(number, number == SIGSYS ? nullptr : (const char *)info->si_addr));
  stop_launch();
}

// Handlers, a stack for them, and a timer of this thread's processor time, which ends when disarmed.
struct Guard {
  timer_t timer;
  bool timed = false;

  void arm(double seconds) {
    alignas(64) static char place[64 * 1024];
    stack_t stack = {};
    stack.ss_sp = place;
    stack.ss_size = sizeof place;
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int number : FAULTS) sigaction(number, &action, nullptr);
    sigaction(timer_signal(), &action, nullptr);
    armed = 1;
    alarms = 0;
    out_of_time = false;
    struct sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = timer_signal();
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (seconds > 0 && timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0) {
      timed = true;
      struct itimerspec when = {};
      when.it_value.tv_sec = (time_t)seconds;
      when.it_value.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9) + 1;
      when.it_interval.tv_nsec = (long)(NEXT_ALARM * 1e9);
      timer_settime(timer, 0, &when, nullptr);
    }
  }

  void disarm() {
    armed = 0;
    if (timed) timer_delete(timer);
    timed = false;
  }
};
