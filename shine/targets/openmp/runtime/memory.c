/* The memory of temporary arrays, which is kept for the next calls: see shine/targets/openmp/kept_memory.py.

   One pool serves all kernels of a process. Blocks are in slots, which threads empty and fill by atomic exchanges, so that
   nobody waits for anybody, in a forked child least of all. A thread that takes a block out of a slot owns it; the size
   beside the slot is only a hint, and what counts is the size in the block. A block is at most twice as large as it has
   to be. If there are no slots left, or more than KEPT bytes in them, the blocks that were used least recently are freed.

   KEPT is a number of bytes. */

#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
  SLOTS = 64,
  HEADER = 64,          // bytes before a block, so that its alignment is that of temporaries
  LEAST = 16 * 1024,    // bytes of a block that is kept; the C library keeps smaller ones
  LARGE_PAGES = 4 << 20 // bytes of a block for which large pages are requested, as numpy does for its arrays
};

typedef struct { // its memory follows after HEADER bytes
  size_t size;
  void *whole; // what the C library returned
} Block;

static Block *blocks[SLOTS];
static size_t sizes[SLOTS]; // 0: the slot is empty
static uint64_t given[SLOTS];
static uint64_t clock_of_gives;
static size_t kept;

static void release(Block *block) {
  if (block != NULL) free(block->whole);
}

static Block *new_block(size_t bytes) { // or NULL; aligned_alloc takes several times as long for small blocks
  const size_t whole_size = bytes < LEAST ? 2 * HEADER + bytes : HEADER + bytes;
  void *const whole = bytes < LEAST ? malloc(whole_size) : aligned_alloc(HEADER, whole_size);
  if (whole == NULL) return NULL;
  Block *const block = (Block *)(((uintptr_t)whole + HEADER - 1) / HEADER * HEADER);
  block->size = bytes;
  block->whole = whole;
  return block;
}

static Block *taken(int slot) { // the block in a slot, which is empty then
  Block *const block = __atomic_exchange_n(&blocks[slot], NULL, __ATOMIC_ACQUIRE);
  if (block != NULL) __atomic_fetch_sub(&kept, block->size, __ATOMIC_RELAXED);
  return block;
}

static int is_stored(Block *block) { // whether there was a slot for it
  for (int slot = 0; slot < SLOTS; slot++) {
    Block *none = NULL;
    if (__atomic_load_n(&blocks[slot], __ATOMIC_RELAXED) != NULL) continue;
    const size_t size = block->size; // somebody else may own it as soon as it is in the slot
    __atomic_fetch_add(&kept, size, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&blocks[slot], &none, block, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
      __atomic_store_n(&sizes[slot], size, __ATOMIC_RELAXED);
      __atomic_store_n(&given[slot], __atomic_add_fetch(&clock_of_gives, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
      return 1;
    }
    __atomic_fetch_sub(&kept, size, __ATOMIC_RELAXED);
  }
  return 0;
}

static int is_freed(void) { // whether a block was there: the one that was used least recently
  int oldest = -1;
  uint64_t when = UINT64_MAX;
  for (int slot = 0; slot < SLOTS; slot++) {
    const uint64_t then = __atomic_load_n(&given[slot], __ATOMIC_RELAXED);
    if (__atomic_load_n(&blocks[slot], __ATOMIC_RELAXED) != NULL && then < when) oldest = slot, when = then;
  }
  if (oldest < 0) return 0;
  release(taken(oldest));
  return 1;
}

void shine_release(void) { // free all that is kept
  for (int slot = 0; slot < SLOTS; slot++) release(taken(slot));
}

static Block *kept_block(size_t bytes) { // the smallest one that fits, or NULL
  for (int attempts = 0; attempts < SLOTS; attempts++) {
    int best = -1;
    size_t least = bytes <= SIZE_MAX / 2 ? 2 * bytes + 1 : SIZE_MAX;
    for (int slot = 0; slot < SLOTS; slot++) {
      const size_t size = __atomic_load_n(&sizes[slot], __ATOMIC_RELAXED);
      if (bytes <= size && size < least && __atomic_load_n(&blocks[slot], __ATOMIC_RELAXED) != NULL)
        best = slot, least = size;
    }
    if (best < 0) return NULL;
    Block *const block = taken(best);
    if (block == NULL) continue;
    if (bytes <= block->size) return block;
    if (!is_stored(block)) release(block); // the hint was out of date
  }
  return NULL;
}

void *shine_take(size_t bytes) { // memory that is aligned like the header, or NULL
  if (bytes > SIZE_MAX - 2 * HEADER) return NULL;
  Block *block = bytes < LEAST ? NULL : kept_block(bytes);
  if (block == NULL) {
    block = new_block(bytes);
    if (block == NULL && bytes >= LEAST) {
      shine_release();
      block = new_block(bytes);
    }
    if (block == NULL) return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= LARGE_PAGES) {
      const uintptr_t page = 4096, start = ((uintptr_t)block + page - 1) / page * page;
      madvise((void *)start, ((uintptr_t)block + bytes - start) / page * page, MADV_HUGEPAGE);
    }
#endif
  }
  return (char *)block + HEADER;
}

void shine_give(void *memory) { // what `shine_take` returned
  if (memory == NULL) return;
  Block *const block = (Block *)((char *)memory - HEADER);
  if (block->size < LEAST || block->size > KEPT) {
    release(block);
    return;
  }
  while (!is_stored(block)) {
    if (!is_freed()) {
      release(block);
      return;
    }
  }
  while (__atomic_load_n(&kept, __ATOMIC_RELAXED) > KEPT && is_freed()) {
  }
}

size_t shine_kept(void) { // the bytes that are kept
  return __atomic_load_n(&kept, __ATOMIC_RELAXED);
}

__attribute__((destructor)) static void release_at_exit(void) { shine_release(); }
