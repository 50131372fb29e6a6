/* Streams, as the files of <stdio.h> see them. */
#ifndef FILE_H
#define FILE_H

#include <stdint.h>
#include <stdio.h>

#define PUSHBACK 8     /* bytes of room before what was read, for ungetc() */
#define MODE_UNKNOWN 3 /* until the first byte: then line buffered on a terminal */

#define F_READ 1    /* may be read */
#define F_WRITE 2   /* may be written */
#define F_READING 4 /* buf[at, end) was read, and is not used yet */
#define F_WRITING 8 /* buf[0, at) waits to be written; the stream is in the list */
#define F_EOF 16
#define F_ERR 32
#define F_HEAP 64 /* fopen() made it, so fclose() frees it */

struct stdio_file {
	int fd;
	uint8_t flags;
	uint8_t mode; /* _IOFBF, _IOLBF, _IONBF or MODE_UNKNOWN */
	size_t at, end;
	struct stdio_file *next; /* of those that have been written to */
	unsigned char *buf;	 /* PUSHBACK + BUFSIZ bytes */
};

/* flush.c: those that return an int return 0, or EOF with errno and F_ERR. */
int __flush(FILE *f); /* writes waiting bytes, or seeks back over unread ones */
int __start_reading(FILE *f);
int __start_writing(FILE *f);
int __write_all(int fd, const void *buf, size_t n);
void __forget(FILE *f);	  /* takes it out of the list of those being written */
void __flush_lines(void); /* writes what is line buffered, before input is awaited */

/* fread.c: return the next byte, even if the buffer is empty, or EOF. */
int __fill(FILE *f);

/* fwrite.c: write n bytes. Return 0, or EOF. */
int __put(FILE *f, const char *s, size_t n);

/* fopen.c: return the flags of open() for "r", "w+" and so on, or -1 with EINVAL. */
int __open_flags(const char *mode);

/* format.c: where formatted text goes. put() is called for each piece, and may not fail. */
struct sink {
	void (*put)(struct sink *to, const char *s, size_t n);
};
int __format(struct sink *to, const char *fmt, va_list ap); /* length; -1: EOVERFLOW */

#endif
