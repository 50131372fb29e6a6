/* Streams, as the files of <stdio.h> see them. */
#ifndef FILE_H
#define FILE_H

#include <stdint.h>
#include <stdio.h>

#define PUSHBACK 8     /* room before what was read, for ungetc */
#define MODE_UNKNOWN 3 /* line buffered on a terminal; found out with the first byte */

#define F_READ 1    /* may be read */
#define F_WRITE 2   /* may be written */
#define F_READING 4 /* buf[at, end) was read and is not yet given out */
#define F_WRITING 8 /* buf[0, at) waits to be written; the stream is in the list */
#define F_EOF 16
#define F_ERR 32
#define F_HEAP 64 /* fopen made it, fclose frees it */

struct stdio_file {
	int fd;
	uint8_t flags;
	uint8_t mode; /* _IOFBF, _IOLBF, _IONBF or MODE_UNKNOWN */
	size_t at, end;
	struct stdio_file *next; /* of those that have been written to */
	unsigned char *buf;	 /* PUSHBACK + BUFSIZ bytes */
};

/* flush.c: each of these returns 0, or EOF with errno and F_ERR */
int __flush(FILE *f); /* writes what waits, or gives back what was read too early */
int __start_reading(FILE *f);
int __start_writing(FILE *f);
int __write_all(int fd, const void *buf, size_t n);
void __forget(FILE *f);	  /* out of the list */
void __flush_lines(void); /* what is line buffered, before somebody waits for input */

/* fread.c: the next byte, when the buffer is empty; EOF */
int __fill(FILE *f);

/* fwrite.c: n bytes; 0, or EOF */
int __put(FILE *f, const char *s, size_t n);

/* fopen.c: an open() mode for "r", "w+" and so on, or -1 and EINVAL */
int __open_flags(const char *mode);

/* format.c: where formatted text goes */
struct sink {
	void (*put)(struct sink *to, const char *s, size_t n);
};
int __format(struct sink *to, const char *fmt, va_list ap); /* length; -1: EOVERFLOW */

#endif
