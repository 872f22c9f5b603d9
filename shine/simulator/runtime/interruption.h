// Kernels that fault or do not end: signals are taken while one runs, and put back after.
#pragma once
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "findings.h"

static pthread_t runner;
static pid_t runner_process;  // a child that was forked while a kernel ran has all of this, but not the runner
static volatile sig_atomic_t armed;
static volatile int alarms;
static int const MOST_ALARMS = 5;
static double const NEXT_ALARM = 0.02;  // seconds
static int const taken_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, 0};
static struct sigaction earlier[5];

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

static void on_signal(int number, siginfo_t *info, void *context) {
  if (!armed || runner_process != getpid() || !pthread_equal(pthread_self(), runner)) {
    // Not ours: what was there before decides.
    for (int i = 0; i < 5; i++) {
      int taken = taken_signals[i] ? taken_signals[i] : timer_signal();
      if (taken != number) continue;
      if (earlier[i].sa_flags & SA_SIGINFO) return earlier[i].sa_sigaction(number, info, context);
      if (earlier[i].sa_handler == SIG_IGN || number == timer_signal()) return;
      if (earlier[i].sa_handler != SIG_DFL) return earlier[i].sa_handler(number);
      sigaction(number, &earlier[i], nullptr);
      return;
    }
    return;
  }
  if (number == timer_signal() && checking && alarms++ < MOST_ALARMS) {
    // The next step of the kernel tells where it is; this may be between steps.
    request.budget -= (uint64_t)steps_left + steps_beyond;
    steps_left = 0, steps_beyond = 0;
    out_of_time = true;
    return;
  }
  armed = 0;
  uint32_t place = place_if_own(interrupted_code(context));
  FindingRecord *one = found(number == timer_signal() ? BUDGET : FAULT, place);
  if (one && number == timer_signal()) {
    strcpy(one->text, "time");
  } else if (one) {
    const char *at = (const char *)info->si_addr;
    bool overflow = false;
    for (unsigned i = 0; i < request.stacks->count; i++)
      overflow |= at >= request.stacks->at[i] - GUARD_BYTES && at < request.stacks->at[i];
    strcpy(one->text, number == SIGFPE ? "division" : overflow ? "stack" : number == SIGILL ? "instruction" : "address");
  }
  stop_launch();
}

// Handlers, a stack for them, and a timer of this thread's processor time; gone when disarmed.
struct Guard {
  stack_t earlier_stack;
  timer_t timer;
  bool timed = false, taken = false;
  static char *handler_stack() {
    alignas(64) static char place[64 * 1024];
    return place;
  }

  void arm(double seconds) {
    const bool are_ours = armed;  // only in such a child: `earlier` has what was there before
    runner = pthread_self();
    runner_process = getpid();
    timed = false;
    stack_t stack = {};
    stack.ss_sp = handler_stack();
    stack.ss_size = 64 * 1024;
    sigaltstack(&stack, &earlier_stack);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 5; i++)
      sigaction(taken_signals[i] ? taken_signals[i] : timer_signal(), &action, are_ours ? nullptr : &earlier[i]);
    taken = true;
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
    if (!taken) return;
    for (int i = 0; i < 5; i++)
      sigaction(taken_signals[i] ? taken_signals[i] : timer_signal(), &earlier[i], nullptr);
    sigaltstack(&earlier_stack, nullptr);
    taken = false;
  }
};
