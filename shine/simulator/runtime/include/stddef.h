// Sizes and offsets.
#pragma once
typedef decltype(nullptr) nullptr_t;
#ifndef NULL
#define NULL nullptr
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
