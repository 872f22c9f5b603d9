// NVIDIA's driver without a device, for tests of PyCUDA's own code: memory is the host's, streams are numbers, and a
// launch is written to the file named by FAKE_CUDA_LOG. The kernel `axpy` is computed, `broken` breaks the context.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
FILE* log_file = nullptr;
int broken = 0;
uintptr_t next_handle = 0x1000;
int depth = 0;

void note(const char* text) {
  if (!log_file) log_file = fopen(getenv("FAKE_CUDA_LOG"), "w");
  fputs(text, log_file);
  fputc('\n', log_file);
  fflush(log_file);
}

struct Axpy {
  float alpha;
  const float* x;
  const float* y;
  float* output;
  int n;
};
}  // namespace

extern "C" {
typedef uintptr_t handle;

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int index) { return *device = index, 0; }
int cuDeviceGetName(char* name, int size, int) { return snprintf(name, size, "Fake 9000"), 0; }
int cuDeviceComputeCapability(int* major, int* minor, int) { return *major = 9, *minor = 0, 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;  // the major and minor compute capability are 75 and 76
  return 0;
}
int cuDevicePrimaryCtxRetain(handle* context, int) { return *context = 1, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxPushCurrent_v2(handle) { return ++depth, 0; }
int cuCtxPopCurrent_v2(handle* context) { return *context = 1, --depth, 0; }
int cuCtxGetDevice(int* device) { return *device = 0, 0; }
int cuMemAlloc_v2(handle* address, size_t bytes) {
  if (!depth) return 201;
  if (bytes > (size_t(1) << 40)) return 2;
  *address = handle(aligned_alloc(256, (bytes + 255) / 256 * 256));
  memset((void*)*address, 0xCD, bytes);
  return 0;
}
int cuMemFree_v2(handle address) {
  note("free");
  free((void*)address);
  return 0;
}
int cuMemcpyHtoD_v2(handle target, const void* source, size_t bytes) {
  return memcpy((void*)target, source, bytes), 0;
}
int cuMemcpyHtoDAsync_v2(handle target, const void* source, size_t bytes, handle) {
  return memcpy((void*)target, source, bytes), 0;
}
int cuMemcpyDtoHAsync_v2(void* target, handle source, size_t bytes, handle) {
  return memcpy(target, (void*)source, bytes), broken;
}
int cuMemcpyDtoDAsync_v2(handle target, handle source, size_t bytes, handle) {
  return memmove((void*)target, (void*)source, bytes), 0;
}
int cuMemsetD8Async(handle target, unsigned char byte, size_t bytes, handle) {
  return memset((void*)target, byte, bytes), 0;
}
int cuModuleLoadDataEx(handle* module, const void* image, unsigned, void*, void*) {
  if (memcmp(image, "cubin", 5)) return 200;
  return *module = 2, 0;
}
int cuModuleUnload(handle) { return depth ? (note("unload"), 0) : 201; }
int cuModuleGetFunction(handle* function, handle, const char* name) {
  return *function = handle(strdup(name)), 0;
}
int cuFuncSetAttribute(handle function, int attribute, int value) {
  char line[200];
  snprintf(line, sizeof line, "attribute %s %d %d", (const char*)function, attribute, value);
  return note(line), 0;
}
int cuFuncSetBlockShape(handle, int, int, int) { return 0; }
int cuFuncSetSharedSize(handle, unsigned) { return 0; }
int cuLaunchKernel(handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, handle stream, void**, void** extra) {
  const unsigned char* packed = nullptr;
  size_t bytes = 0;
  for (; *extra; extra += 2) {
    if (*extra == (void*)1) packed = (const unsigned char*)extra[1];  // CU_LAUNCH_PARAM_BUFFER_POINTER
    if (*extra == (void*)2) bytes = *(size_t*)extra[1];               // CU_LAUNCH_PARAM_BUFFER_SIZE
  }
  char line[1000];
  int at = snprintf(line, sizeof line, "launch %s %u %u %u %u %u %u %u %zu ", (const char*)function, gx, gy, gz, bx, by,
                    bz, shared, size_t(stream));
  for (size_t i = 0; i < bytes; ++i) at += snprintf(line + at, sizeof line - at, "%02x", packed[i]);
  note(line);
  if (!strcmp((const char*)function, "broken")) broken = 700;
  if (!strcmp((const char*)function, "axpy")) {
    Axpy all;
    memcpy(&all, packed, bytes);
    for (int i = 0; i < all.n; ++i) all.output[i] = all.alpha * all.x[i] + all.y[i];
  }
  return 0;
}
int cuStreamCreate(handle* stream, unsigned) { return *stream = next_handle++, 0; }
int cuStreamDestroy_v2(handle) { return 0; }
int cuStreamSynchronize(handle) { return broken; }
int cuStreamWaitEvent(handle stream, handle event, unsigned) {
  char line[200];
  snprintf(line, sizeof line, "wait %zu %zu", size_t(stream), size_t(event));
  return note(line), 0;
}
int cuEventCreate(handle* event, unsigned) { return *event = next_handle++, 0; }
int cuEventRecord(handle event, handle stream) {
  char line[200];
  snprintf(line, sizeof line, "record %zu %zu", size_t(event), size_t(stream));
  return note(line), 0;
}
int cuEventSynchronize(handle) { return broken; }
int cuEventElapsedTime_v2(float* milliseconds, handle, handle) { return *milliseconds = 4, 0; }
int cuEventElapsedTime(float* milliseconds, handle, handle) { return *milliseconds = 4, 0; }
int cuEventDestroy_v2(handle) { return 0; }
int cuPointerGetAttribute(void* value, int, handle) { return *(int*)value = 0, 0; }
int cuGetErrorString(int status, const char** text) {
  *text = status == 700   ? "an illegal memory access was encountered"
          : status == 2   ? "out of memory"
          : status == 200 ? "device kernel image is invalid"
          : status == 201 ? "invalid device context"
                          : "some error";
  return 0;
}
}
