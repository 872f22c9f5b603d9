// Switching between stacks: own assembly where the processor is known, ucontext elsewhere.
// Knows no threads of CUDA. A context is where a stack was left.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "include/simulator/interface.h"

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(SIM_UCONTEXT)

typedef void *Context;
extern "C" SIM_HIDDEN void sim_switch(Context *left, Context entered);

#if defined(__x86_64__)
// The last jump is no `ret`: the processor would predict it by calls made on the other stack.
asm(R"(
.text
.globl sim_switch
.hidden sim_switch
.type sim_switch,@function
sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size sim_switch, .-sim_switch
)");
static const int ENTRY_WORD = 6, FRAME_WORDS = 8;
#else
asm(R"(
.text
.globl sim_switch
.hidden sim_switch
.type sim_switch,%function
sim_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  br x30
.size sim_switch, .-sim_switch
)");
static const int ENTRY_WORD = 11, FRAME_WORDS = 20;
#endif

// A context that begins `start` on a fresh stack. The tops are staggered, or all stacks would share cache lines.
static Context make_context(char *stack, size_t bytes, unsigned number, void (*start)()) {
  uintptr_t top = ((uintptr_t)stack + bytes - number % 61 * 576) & ~(uintptr_t)63;
  uintptr_t *frame = (uintptr_t *)top - FRAME_WORDS;
  memset(frame, 0, FRAME_WORDS * sizeof(uintptr_t));
  frame[ENTRY_WORD] = (uintptr_t)start;
  return frame;
}

static inline void switch_context(Context *left, Context entered) { sim_switch(left, entered); }

#else
#include <ucontext.h>

#include <cstdlib>

typedef ucontext_t *Context;

static Context make_context(char *stack, size_t bytes, unsigned, void (*start)()) {
  Context made = (Context)stack;  // the record lies at the far end of its own stack
  getcontext(made);
  made->uc_stack.ss_sp = stack + sizeof(ucontext_t);
  made->uc_stack.ss_size = bytes - sizeof(ucontext_t);
  made->uc_link = nullptr;
  makecontext(made, start, 0);
  return made;
}

static inline void switch_context(Context *left, Context entered) {
  ucontext_t here;
  *left = &here;
  swapcontext(&here, entered);
}
#endif
