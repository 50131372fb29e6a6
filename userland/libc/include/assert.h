/* Checking what must hold. Defining NDEBUG before the inclusion leaves the checks out. */
#undef assert
#ifdef NDEBUG
#define assert(x) ((void)0)
#else
#define assert(x) ((x) ? (void)0 : assert_failed(#x, __FILE__, __LINE__))
#endif

#ifndef ASSERT_H
#define ASSERT_H

void assert_failed(const char *what, const char *file, int line) __attribute__((noreturn));

#endif
