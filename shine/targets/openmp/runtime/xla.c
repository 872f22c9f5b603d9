/* A handler by which XLA calls a kernel: `shine_xla` runs the function that `shine_xla_set` got, on the buffers of a
   call. The attribute `sizes` has the kernel's sizes, `ends` for each argument the exclusive bound of its indices, or -1;
   both end in an additional 0, since XLA has no empty arrays. Each kernel has a copy of this library. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "xla/ffi/api/c_api.h"

static int (*kernel)(const int64_t *, void *const *);

void shine_xla_set(int (*function)(const int64_t *, void *const *)) { kernel = function; }

static XLA_FFI_Error *failed(const XLA_FFI_Api *api, XLA_FFI_Error_Code code, const char *message) {
  XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message, code};
  return api->XLA_FFI_Error_Create(&args);
}

static const int64_t *numbers_of(const XLA_FFI_Attrs *attrs, const char *name) {
  for (int64_t i = 0; i < attrs->size; i++)
    if (attrs->types[i] == XLA_FFI_AttrType_ARRAY && attrs->names[i]->len == strlen(name) &&
        !strncmp(attrs->names[i]->ptr, name, strlen(name)))
      return ((const XLA_FFI_Array *)attrs->attrs[i])->data;
  return NULL;
}

XLA_FFI_Error *shine_xla(XLA_FFI_CallFrame *frame) {
  if (frame->extension_start && frame->extension_start->type == XLA_FFI_Extension_Metadata) {
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return NULL;
  }
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return NULL;
  const int64_t *sizes = numbers_of(&frame->attrs, "sizes"), *ends = numbers_of(&frame->attrs, "ends");
  if (!sizes || !ends)
    return failed(frame->api, XLA_FFI_Error_Code_INVALID_ARGUMENT, "expected the attributes `sizes` and `ends`");
  void *passed[frame->args.size + frame->rets.size + 1];
  for (int64_t i = 0; i < frame->args.size; i++) {
    const XLA_FFI_Buffer *buffer = frame->args.args[i];
    passed[i] = buffer->data;
    if (ends[i] < 0) continue;
    const int64_t *indices = buffer->data;
    int64_t count = 1;
    for (int64_t axis = 0; axis < buffer->rank; axis++) count *= buffer->dims[axis];
    for (int64_t k = 0; k < count; k++)
      if ((uint64_t)indices[k] >= (uint64_t)ends[i]) {
        char message[160];
        snprintf(message, sizeof message,
                 "argument %lld: expected indices from 0 to %lld (exclusive), found %lld at %lld", (long long)i,
                 (long long)ends[i], (long long)indices[k], (long long)k);
        return failed(frame->api, XLA_FFI_Error_Code_OUT_OF_RANGE, message);
      }
  }
  for (int64_t i = 0; i < frame->rets.size; i++)
    passed[frame->args.size + i] = ((const XLA_FFI_Buffer *)frame->rets.rets[i])->data;
  return kernel(sizes, passed)
             ? failed(frame->api, XLA_FFI_Error_Code_INTERNAL,
                      "the kernel failed: an index is out of range, an integer is divided by 0, or there is no memory")
             : NULL;
}
