// Serves launches to the process that started this one, over a socket: a request, then an answer, until it closes.
// Arrays lie in memory that both share; all else is in the messages. Knows nothing of how a kernel runs.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "output.h"

extern "C" SIM_VISIBLE int sim_launch(const Request *asked);

// What precedes the tables of a request: sizes of what follows, in this order.
struct RequestHead {
  Request request;
  uint64_t memory_bytes;    // of the shared memory, of which the caller made at least as much
  uint64_t argument_count;  // places of the arguments, in words
  uint64_t word_count;      // words of the arguments
};
struct AnswerHead {
  int32_t status;
  uint32_t finding_count, needed_granule, finding_bytes;
  uint64_t switches, steps, processor_nanoseconds, printed_bytes, dropped_bytes, digest, count_records, reached, deferred;
};

enum { SOCKET = 0, MEMORY = 3 };  // file descriptors that the process is started with

static void send_all(const void *from, uint64_t bytes) {
  for (const char *at = (const char *)from; bytes;) {
    ssize_t sent = send(SOCKET, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) _exit(0);
    at += sent, bytes -= (uint64_t)sent;
  }
}
static void receive_all(void *to, uint64_t bytes) {
  for (char *at = (char *)to; bytes;) {
    ssize_t got = recv(SOCKET, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(0);
    at += got, bytes -= (uint64_t)got;
  }
}

// The kernels: a line for each, of its name, the kinds and the sizes of its parameters, and the sizes of its clusters.
static void send_kernels() {
  static char text[1 << 20];
  uint64_t at = sizeof(uint64_t);
  for (int i = 0; i < sim_kernel_count; i++) {
    const simulator::Kernel &kernel = sim_kernels[i];
    at += (uint64_t)snprintf(text + at, sizeof text - at, "%s\t%s\t", kernel.name, kernel.kinds);
    for (int p = 0; p < kernel.count && at < sizeof text; p++)
      at += (uint64_t)snprintf(text + at, sizeof text - at, "%d ", kernel.sizes[p]);
    static const unsigned none[3] = {};
    const unsigned *cluster = sim_clusters[i] ? sim_clusters[i] : none;
    if (at < sizeof text)
      at += (uint64_t)snprintf(text + at, sizeof text - at, "\t%u %u %u", cluster[0], cluster[1], cluster[2]);
    if (at + 2 > sizeof text) _exit(1);
    text[at++] = '\n';
  }
  uint64_t bytes = at - sizeof(uint64_t);
  memcpy(text, &bytes, sizeof bytes);
  send_all(text, at);
}

static uint64_t processor_nanoseconds() {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

template <class T> static T *take(char *&at, uint64_t count) {
  T *taken = (T *)at;
  at += count * sizeof(T);
  return taken;
}

static char *shared_memory;
static uint64_t shared_bytes;

static void map_memory(uint64_t bytes) {
  if (bytes == shared_bytes) return;
  if (shared_memory) munmap(shared_memory, shared_bytes);
  void *made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY, 0);
  shared_memory = made == MAP_FAILED ? nullptr : (char *)made;
  shared_bytes = shared_memory ? bytes : 0;
}

static int answer_request(char *message) {
  static Stacks stacks;
  char *at = message;
  RequestHead &head = *take<RequestHead>(at, 1);
  Request &asked = head.request;
  map_memory(head.memory_bytes);
  asked.memory = shared_memory, asked.memory_bytes = shared_bytes;
  asked.buffers = take<Buffer>(at, asked.buffer_count);
  asked.static_arrays = take<ArrayPlace>(at, asked.static_count);
  asked.dynamic_arrays = take<ArrayPlace>(at, asked.dynamic_count);
  asked.pointers = take<const uint64_t[3]>(at, asked.pointer_count);
  uint64_t *places = take<uint64_t>(at, head.argument_count);
  asked.guards = take<const int64_t>(at, asked.guard_count);
  for (uint32_t i = 0; i < asked.guard_count; i++) ((char *)&sim_kernel_count)[asked.guards[i]] = 1;
  asked.deferrals = take<const uint64_t>(at, asked.deferral_count);
  uint64_t *words = take<uint64_t>(at, head.word_count);
  for (uint64_t i = 0; i < head.argument_count; i++) places[i] = (uint64_t)(words + places[i]);
  asked.arguments = (void **)places;
  asked.stacks = &stacks;
  return sim_launch(&asked);
}

// What happens on the socket is a signal, also while a kernel runs. The other end's closing ends this process. A message
// does not: its signal may come after it was read.
static void on_socket(int) {
  int before = errno;
  char next;
  ssize_t got = recv(SOCKET, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) _exit(0);
  errno = before;
}

extern "C" [[noreturn]] SIM_VISIBLE void sim_serve() {
  send_kernels();
  struct sigaction action = {};
  action.sa_handler = on_socket;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGIO, &action, nullptr);
  fcntl(SOCKET, F_SETOWN, getpid());
  fcntl(SOCKET, F_SETFL, fcntl(SOCKET, F_GETFL) | O_ASYNC);
  for (;;) {
    uint64_t bytes;
    receive_all(&bytes, sizeof bytes);
    char *message = (char *)malloc(bytes);
    if (!message) _exit(1);
    receive_all(message, bytes);
    uint64_t before = processor_nanoseconds();
    AnswerHead answer = {};
    answer.status = answer_request(message);
    answer.finding_count = finding_count;
    answer.needed_granule = needed_granule;
    answer.finding_bytes = sizeof(FindingRecord);
    answer.switches = switches, answer.steps = request.budget - (uint64_t)steps_left - steps_beyond;
    answer.processor_nanoseconds = processor_nanoseconds() - before;
    answer.printed_bytes = printed_bytes, answer.dropped_bytes = dropped_bytes;
    answer.digest = digest;
    answer.reached = reached, answer.deferred = deferred;
    PROFILED(answer.count_records = count_used;)
    send_all(&answer, sizeof answer);
    send_all(findings, finding_count * sizeof(FindingRecord));
    send_all(printed, printed_bytes);
    PROFILED(send_all(count_records, count_used * sizeof *count_records);)
    free(message);
  }
}
