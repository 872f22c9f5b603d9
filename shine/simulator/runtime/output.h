// What a kernel says: printed text, which the caller gets with the answer, failed assertions, and a clock that counts.
#pragma once
#include <stdarg.h>
#include <stdio.h>

#include "findings.h"

enum : uint64_t { MOST_PRINTED_BYTES = 1 << 20 };
static char printed[MOST_PRINTED_BYTES + 1];
static uint64_t printed_bytes, dropped_bytes, ticks;

static void forget_output() { printed_bytes = dropped_bytes = ticks = 0; }

extern "C" int sim_printf(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  uint64_t room = MOST_PRINTED_BYTES - printed_bytes;
  int length = vsnprintf(printed + printed_bytes, room + 1, format, rest);
  va_end(rest);
  if (length < 0) return -1;
  uint64_t kept = (uint64_t)length < room ? (uint64_t)length : room;
  printed_bytes += kept, dropped_bytes += (uint64_t)length - kept;
  int arguments = 0;  // CUDA's printf returns how many it was given
  for (const char *at = format; *at; at++)
    if (*at == '%' && *++at != '%') arguments++;
  return arguments;
}

extern "C" void sim_assert(const char *expression, int line) {
  if (FindingRecord *one = found(TRAP, place_of_line(line))) snprintf(one->text, sizeof one->text, "%s", expression);
  stop_launch();
}

// Later for each thread that asks later; it measures nothing.
extern "C" long long sim_clock() { return (long long)(switches + ++ticks); }
