/*
 * 9P2000.L, the client's side: one function for each message. The caller chooses the fids.
 * Functions return 0, a count, or a negated error number, the server's or virtio9p_call()'s;
 * -EPROTO means that the answer makes no sense. Buffers are kernel memory.
 */
#pragma once

#include "kernel/file/dev.h"

#define NINEP_NOFID 0xffffffffu

struct ninep_qid {
	uint8_t type; /* NINEP_DIR */
	uint64_t path;
};
#define NINEP_DIR 0x80

struct ninep_attr {
	uint32_t mode; /* as stat(2)'s */
	uint64_t size;
	int64_t mtime;
};

/* Which field ninep_setattr() sets. */
#define NINEP_SETMODE 1u
#define NINEP_SETSIZE 8u
#define NINEP_SETMTIME (0x20u | 0x100u) /* to the time that is told, not that of the server */

/* An entry of a directory. */
struct ninep_entry {
	struct ninep_qid qid;
	uint64_t next; /* where the next entry is, for ninep_readdir() */
	char name[NAME_MAX + 1];
};

/* Agree on the protocol; this comes first. */
int ninep_version(int server);
/* Make fid the root of the server's tree. */
int ninep_attach(int server, uint32_t fid);
/* Make newfid the entry called name in the directory fid, or a copy of fid if name is NULL. */
int ninep_walk(int server, uint32_t fid, uint32_t newfid, const char *name, struct ninep_qid *qid);
int ninep_open(int server, uint32_t fid, int flags);
/* Make a file in the directory fid, which becomes that file, open. */
int ninep_create(int server, uint32_t fid, const char *name, int flags, uint32_t mode,
		 struct ninep_qid *qid);
int ninep_mkdir(int server, uint32_t fid, const char *name, uint32_t mode);
/* Transfer up to n bytes at off, but at most NINEP_IO. Return how many; it may be fewer. */
ssize_t ninep_read(int server, uint32_t fid, void *buf, size_t n, uint64_t off);
ssize_t ninep_write(int server, uint32_t fid, const void *buf, size_t n, uint64_t off);
int ninep_getattr(int server, uint32_t fid, struct ninep_attr *a);
int ninep_setattr(int server, uint32_t fid, uint32_t which, uint64_t value);
/* Read entries from place off on, as bytes for ninep_entry(); 0 at the end. */
ssize_t ninep_readdir(int server, uint32_t fid, void *buf, size_t n, uint64_t off);
/* Parse the first entry in the n bytes at p. Return its length there, or -EPROTO. */
ssize_t ninep_entry(const uint8_t *p, size_t n, struct ninep_entry *e);
/* Remove the file. The fid is invalid afterwards, whatever the answer. */
int ninep_remove(int server, uint32_t fid);
/* Forget the fid, without waiting for the answer. */
void ninep_clunk(int server, uint32_t fid);
int ninep_rename(int server, uint32_t fid, uint32_t dirfid, const char *name);
