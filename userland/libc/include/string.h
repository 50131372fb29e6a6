/* Strings and bytes. */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *p, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *p, int c, size_t n);
void *memrchr(const void *p, int c, size_t n);
void *memmem(const void *p, size_t n, const void *sub, size_t nsub);

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from); /* the end of the copy */
char *strncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t n);
/* These two return the length that the whole result would have: size or more if it was cut. */
size_t strlcpy(char *to, const char *from, size_t size);
size_t strlcat(char *to, const char *from, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcoll(const char *a, const char *b);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strchrnul(const char *s, int c); /* the end if there is none */
char *strstr(const char *s, const char *sub);
size_t strspn(const char *s, const char *set);
size_t strcspn(const char *s, const char *set);
char *strpbrk(const char *s, const char *set);
char *strtok(char *s, const char *sep);
char *strtok_r(char *s, const char *sep, char **rest);
char *strsep(char **s, const char *sep);
char *strdup(const char *s);
char *strndup(const char *s, size_t max);
char *strerror(int err);
char *strsignal(int sig);

#endif
