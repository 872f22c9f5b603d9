/* Four threads take, check, give and release memory of the pool at random. Prints nothing; fails if two threads had the
   same memory, if it was not aligned, or if more is kept than the limit. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *shine_take(size_t);
void shine_give(void *);
void shine_release(void);
size_t shine_kept(void);

static void *work(void *seed) {
  uint64_t random = (uint64_t)(uintptr_t)seed;
  char *held[8] = {0};
  size_t sizes[8];
  for (int turn = 0; turn < 5000; turn++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const int which = (random >> 40) % 8;
    if (held[which]) {
      for (size_t i = 0; i < sizes[which]; i += 512)
        if (held[which][i] != (char)(uintptr_t)seed) abort();
      shine_give(held[which]);
      held[which] = NULL;
    } else {
      sizes[which] = ((random >> 33) % 40 + 1) * 1600;
      held[which] = shine_take(sizes[which]);
      if ((uintptr_t)held[which] % 64) abort();
      memset(held[which], (char)(uintptr_t)seed, sizes[which]);
    }
    if (turn % 2000 == 0) shine_release();
  }
  for (int i = 0; i < 8; i++) shine_give(held[i]);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  const size_t kept = shine_kept();
  shine_release();
  return kept == 0 || kept > KEPT || shine_kept() != 0;
}
