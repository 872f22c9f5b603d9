// assert, as often as it is included: NDEBUG may have changed.
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : sim_assert(#expression, __LINE__))
#endif
