// Nothing of the system's: of memory, processes and files kernels have none.
#pragma once
#include "stddef.h"
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
