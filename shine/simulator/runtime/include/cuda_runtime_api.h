// For the device, what nvcc declares by itself: the vocabulary has it.
#pragma once
