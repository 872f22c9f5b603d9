// Declares printf, which nvcc declares by itself: the vocabulary has it.
#pragma once
