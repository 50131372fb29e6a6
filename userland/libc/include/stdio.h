/* Buffered input and output. */
#ifndef STDIO_H
#define STDIO_H

#include <stdarg.h>
#include <sys/types.h>
#include "kernel/abi/fcntl.h"

#define EOF (-1)
#define BUFSIZ 4096

#define _IOFBF 0 /* write when the buffer is full */
#define _IOLBF 1 /* and after each line */
#define _IONBF 2 /* write at once */

typedef struct stdio_file FILE;

extern FILE *const stdin;
extern FILE *const stdout; /* line buffered on a terminal */
extern FILE *const stderr; /* unbuffered; one printf is one write */

FILE *fopen(const char *path, const char *mode);
FILE *fdopen(int fd, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *f);
int fclose(FILE *f);
int fflush(FILE *f); /* NULL: all streams */
int fileno(FILE *f);
int feof(FILE *f);
int ferror(FILE *f);
void clearerr(FILE *f);
/* Choose the mode only: the buffer is always the library's own. */
int setvbuf(FILE *f, char *buf, int mode, size_t size);
int fseek(FILE *f, long offset, int whence);
int fseeko(FILE *f, off_t offset, int whence);
long ftell(FILE *f);
off_t ftello(FILE *f);
void rewind(FILE *f);

size_t fread(void *buf, size_t size, size_t n, FILE *f);
size_t fwrite(const void *buf, size_t size, size_t n, FILE *f);
int fgetc(FILE *f);
int getc(FILE *f);
int getchar(void);
int ungetc(int c, FILE *f);
char *fgets(char *buf, int size, FILE *f);
ssize_t getline(char **line, size_t *size, FILE *f);
ssize_t getdelim(char **line, size_t *size, int delim, FILE *f);
int fputc(int c, FILE *f);
int putc(int c, FILE *f);
int putchar(int c);
int fputs(const char *s, FILE *f);
int puts(const char *s);

/*
 * The conversions are %d %i %u %x %X %o %c %s %p and %%, with the flags - 0 + space #, a width and
 * a precision, which may be *, and the sizes hh h l ll j z t. Each function returns the length of
 * the text, or -1 with errno.
 */
int printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int dprintf(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int sprintf(char *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int asprintf(char **out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int vprintf(const char *fmt, va_list ap);
int vfprintf(FILE *f, const char *fmt, va_list ap);
int vdprintf(int fd, const char *fmt, va_list ap);
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap);
int vsprintf(char *buf, const char *fmt, va_list ap);
int vasprintf(char **out, const char *fmt, va_list ap);

void perror(const char *s);
int remove(const char *path);
int rename(const char *from, const char *to);

#endif
