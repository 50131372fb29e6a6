/* Memory, numbers, sorting, the environment, and the end of the program. */
#ifndef STDLIB_H
#define STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff

/* Memory is aligned to 8 bytes. NULL with ENOMEM; what was there before stays as it was. */
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);
void *reallocarray(void *p, size_t n, size_t size);
void free(void *p);

/* The ato functions check nothing. The strto functions set *end, and errno out of range. */
int atoi(const char *s);
long atol(const char *s);
long long atoll(const char *s);
long strtol(const char *s, char **end, int base);
unsigned long strtoul(const char *s, char **end, int base);
long long strtoll(const char *s, char **end, int base);
unsigned long long strtoull(const char *s, char **end, int base);
int abs(int n);
long labs(long n);
long long llabs(long long n);
int rand(void);
void srand(unsigned seed);

/* cmp is negative, 0 or positive as its first argument is less, equal or greater. */
void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t n, size_t size,
	      int (*cmp)(const void *, const void *));

/* Variables of the environment. The functions that change one return 0, or -1 with errno. */
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *assignment);

char *realpath(const char *path, char *to); /* PATH_MAX bytes; NULL: memory of its own */
const char *getprogname(void); /* the last part of argv[0] */
void setprogname(const char *name);

int atexit(void (*fn)(void)); /* at most 32 */
void exit(int status) __attribute__((noreturn));
void _Exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

#endif
