// What warps ask of their multiprocessor: registers, which warpgroups pass to each other.
#pragma once
#include "wgmma.h"

enum { ALL_REGISTERS = 64 * 1024, LEAST_REGISTERS = 24, MOST_REGISTERS = 256, STEP_OF_REGISTERS = 8 };
struct Registers {
  uint32_t count, times;  // count: 0 as long as it is the compiler's
};
static Registers registers_of[MOST_WARPS];
struct RegistersMeeting : Meeting {
  int count, raises;
};

static void set_registers(Meeting **lanes, unsigned) {
  const RegistersMeeting &its = *(RegistersMeeting *)lanes[0];
  uint32_t place = place_of_line(its.line), asked = (uint32_t)its.count;
  if (its.count < LEAST_REGISTERS || its.count > MOST_REGISTERS || its.count % STEP_OF_REGISTERS)
    report_product("registers", place, 0, its.count);
  Registers &mine = registers_of[current / LANES];
  if (mine.count && (its.raises ? asked < mine.count : asked > mine.count))
    report_product(its.raises ? "raise" : "lower", place, 0, its.count, mine.count);
  mine.count = asked, mine.times++;
  uint64_t all = 0;
  for (unsigned warp = 0; warp * LANES < threads; warp++) {
    if (!registers_of[warp].count) return;
    all += registers_of[warp].count * LANES;
  }
  if (all > ALL_REGISTERS) report_product("all-registers", place, 0, (int64_t)all, ALL_REGISTERS);
}

extern "C" void sim_set_registers(int count, int raises, int line) {
  RegistersMeeting meeting = {{~0u, line, set_registers, true}, count, raises};
  meet(meeting);
}

// All warps of a group set their registers as often.
static void end_registers_of_block() {
  for (unsigned warp = 0; warp * LANES < threads; warp++) {
    const Registers &first = registers_of[warp / WARPS_OF_GROUP * WARPS_OF_GROUP];
    if (first.times == registers_of[warp].times && first.count == registers_of[warp].count) continue;
    if (FindingRecord *one = found(BAD_OPERAND, 0)) {
      one->number = warp, one->other_number = warp / WARPS_OF_GROUP * WARPS_OF_GROUP;
      strcpy(one->text, "warps-registers");
    }
    break;
  }
  memset(registers_of, 0, sizeof registers_of);
}

static void forget_warpgroups() {
  memset(products_of, 0, sizeof products_of);
  memset(registers_of, 0, sizeof registers_of);
}
