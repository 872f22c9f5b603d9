// For the device, what nvcc declares by itself: the vocabulary has it. Of the driver's types, maps of tensors.
#pragma once

#define CUDA_VERSION 13000
typedef struct CUtensorMap_st {
  unsigned long long opaque[16];
} CUtensorMap;
