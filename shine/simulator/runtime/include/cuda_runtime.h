// What nvcc includes by itself: the vocabulary is there already.
#pragma once
