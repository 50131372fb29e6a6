/* Devices that are tables: a row a file or directory. */
#pragma once

#include "kernel/file/cmd.h"

struct picture;

/*
 * A device's files and directories: row 0 is ".", the root. A qid of theirs is the number of a row
 * and, from bit 8 on, which of several things, such as processes, the file belongs to; 0: none.
 */
#define DIRTAB_NAME 16
struct dirtab {
	const char *name;
	uint32_t mode;		  /* S_IF... and permissions */
	uint64_t (*length)(const struct chan *c); /* NULL: 0 */
	/* Write what the file holds to a picture (kernel/file/picture.h), or return an error. */
	int (*show)(struct chan *c, struct picture *to);
	size_t room; /* bytes, for more than some hundred */
	bool live; /* it is shown for each read, and not when it is opened */
	/* For dirtab_read and dirtab_write; NULL: from the picture or -EINVAL, and -EPERM. */
	ssize_t (*read)(struct chan *c, void *buf, size_t n, uint64_t off);
	ssize_t (*write)(struct chan *c, const void *buf, size_t n, uint64_t off);
	struct cmd_list ctl;	    /* in place of write: the words that it accepts */
	unsigned in;		    /* bit n: the directory of row n has it; 0: the root */
	/*
	 * If not NULL, the row stands for one file or directory for each of several things, whose
	 * names are not the row's. Set *which to the first of them from *which on, none of which
	 * is 0, name it, and return the length of the name; 0: no more.
	 */
	size_t (*each)(const struct dirtab *row, uint32_t *which, char name[DIRTAB_NAME]);
};

/* Return the number of the row that c's file has, and which thing it belongs to. */
static inline unsigned dirtab_row(const struct chan *c)
{
	return c->qid & 0xff;
}

static inline uint32_t dirtab_which(const struct chan *c)
{
	return (uint32_t)(c->qid >> 8);
}

/* The `each` for what each CPU has: the row's name and the CPU's number. `which` is that + 1. */
size_t dirtab_each_cpu(const struct dirtab *row, uint32_t *which, char name[DIRTAB_NAME]);
/* The walk, entry and stat of a device that has nothing but rows. */
int dirtab_walk(struct chan *c, const char *name);
int dirtab_entry(struct chan *c, uint64_t *at, char *name, struct stat *st);
int dirtab_stat(struct chan *c, struct stat *st);
/* Get the entry of c at *at, and move that on: by the device's entry or its dir. */
static inline int chan_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	if (c->dev->entry)
		return c->dev->entry(c, at, name, st);
	return dirtab_entry(c, at, name, st);
}

/* The read and write of a device whose dir has a function for each file. */
ssize_t dirtab_read(struct chan *c, void *buf, size_t n, uint64_t off);
ssize_t dirtab_write(struct chan *c, const void *buf, size_t n, uint64_t off);
/* The write of a row that takes everything and does nothing. */
ssize_t dirtab_ignore(struct chan *c, const void *buf, size_t n, uint64_t off);

/* Answer a read out of len bytes at data: the part from off on, at most n bytes. */
ssize_t read_mem(void *buf, size_t n, uint64_t off, const void *data, size_t len);
