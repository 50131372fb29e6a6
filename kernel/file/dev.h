/*
 * What the kernel serves as files: channels, the rows of the device table, and
 * what each must do. dirtab.h, cmd.h and picture.h help to serve files.
 *
 * A channel is a place in a device's file tree, or an open file there. The
 * namespace (kernel/file/ns.c) joins the trees; a device knows only its own.
 */
#pragma once

#include "kernel/abi/fcntl.h"
#include "kernel/memory/account.h"
#include "kernel/sched/mutex.h"

typedef int32_t ssize_t;


struct chan {
	uint32_t ref;		   /* atomic */
	const struct dev *dev;	   /* constant once attached */
	uint64_t qid;		   /* which file of the device; st_ino */
	uint16_t type;		   /* S_IFDIR, S_IFREG, S_IFCHR, S_IFIFO or S_IFLNK */
	bool opened;		   /* open() or create() succeeded: close() will be called */
	int flags;		   /* the O_ flags it was opened with */
	uint32_t held;		   /* bytes of the file that stay as they are; hold() */
	enum payer payer;	   /* for the open file; PAYER_NONE: it is not counted */
	void *aux;		   /* the device's own; NULL at first */
	char *name;		   /* path as it was reached, "/dev/kpdata", or NULL */
	struct union_mount *mount; /* a union directory walked to: its members; else NULL */
	struct mutex lock;
	uint64_t offset;	   /* lock; of the next read or write */
	unsigned mount_at;	   /* lock; which member of the union getdents lists */
};

/*
 * A device. Buffers are at most IO_MAX bytes, and kernel memory unless `direct` is set; functions
 * return a negated error number; NULL stands for "the default", which is named here.
 * Permission was checked by the caller, from stat(), before open/create/remove.
 */
#define IO_MAX (1u << 20)

#define READY_READ 1
#define READY_WRITE 2

/* A device's files and directories, by a row each: dirtab.h. */
struct dirtab_list {
	const struct dirtab *row;
	unsigned n;
	struct mutex *lock; /* held while a row is shown, or a word of its ctl runs; NULL: none */
};

struct dev {
	char letter;	  /* '#' letter */
	const char *name; /* as in "kprof" */
	/* The device's files, if it has rows. Where walk, entry or stat is NULL, they answer. */
	struct dirtab_list dir;
	/* Initialise, once, when all devices are known and memory works. NULL: nothing to do. */
	void (*init)(void);
	/* Make c the root of the tree that spec names: set qid and type. NULL: 0 and directory. */
	int (*attach)(struct chan *c, const char *spec);
	/* Move c, which is not open, to the entry called name, never "..". */
	int (*walk)(struct chan *c, const char *name);
	/*
	 * The directory c's entry at *at or, if there is none any more, the next one: its name
	 * (NAME_MAX + 1 bytes), st_ino and st_mode; *at becomes the place after it. The first
	 * is at 0; c need not be open. Return the name's length; -ENOENT past the last. NULL:
	 * there are none.
	 */
	int (*entry)(struct chan *c, uint64_t *at, char *name, struct stat *st);
	/* Correct and complete what chan_stat() has set. NULL: nothing to do. */
	int (*stat)(struct chan *c, struct stat *st);
	/* Open c; O_TRUNC is in flags if wanted. On failure c is not open. NULL: nothing to do. */
	int (*open)(struct chan *c, int flags);
	/*
	 * In directory c make a file, directory or, if there is link(), symbolic link by mode's
	 * kind; c becomes it, open. What is written to a symbolic link is its target, which can be
	 * read without opening it. NULL: EPERM.
	 */
	int (*create)(struct chan *c, const char *name, uint32_t mode, int flags);
	/* Close c, which was open, at its last reference. NULL: nothing to do. */
	void (*close)(struct chan *c);
	/* dup: c is a new clone that shares aux. drop: c is going away. NULL: nothing to do. */
	void (*dup)(struct chan *c);
	void (*drop)(struct chan *c);
	/* Move at most n bytes at off, which devices without offsets ignore. NULL: EINVAL. */
	ssize_t (*read)(struct chan *c, void *buf, size_t n, uint64_t off);
	ssize_t (*write)(struct chan *c, const void *buf, size_t n, uint64_t off);
	/*
	 * If not 0: requests of up to this size, empty ones too, are passed on in one call, and
	 * the first part of a longer one has this size; but a regular file's may be smaller when
	 * memory is short. If 0: parts may be smaller, and empty requests are not passed on.
	 */
	size_t whole;
	/*
	 * Whether read and write touch their buffer with copy_bytes() only: it may be a program's.
	 * What is up to a page is then moved as a whole or, if not all is accessible, not at all.
	 */
	bool direct;
	/* Do a command, whose argument is as the program gave it. NULL: ENOTTY. */
	int (*ioctl)(struct chan *c, uint32_t cmd, uint32_t arg);
	/* Return READY_ bits: those of read and write that would not wait. NULL: both. */
	int (*ready)(struct chan *c);
	/* Have w watch for what may change that. NULL: nothing does. */
	void (*watch)(struct chan *c, struct watcher *w);
	/* NULL: EPERM, each. */
	int (*remove)(struct chan *c);
	int (*rename)(struct chan *c, struct chan *newdir, const char *newname);
	int (*link)(struct chan *c, struct chan *newdir, const char *newname);
	int (*set)(struct chan *c, uint32_t what, uint64_t value); /* FSET_... of abi/stat.h */
	/*
	 * If open c has its whole file in memory, have that stay as it is until c is closed: who
	 * writes or cuts it gets -ETXTBSY. Return how many bytes of it are in pages that have
	 * nothing else, wherever those begin; 0: it is not held. NULL: 0.
	 */
	uint32_t (*hold)(struct chan *c);
	/* Return where the byte at off is, which is held. Must not sleep. */
	const void *(*page)(const struct chan *c, uint32_t off);
};

/* The device table, which boot/ fills. */
void dev_table(const struct dev *const *t, unsigned n);
int chan_attach(char letter, const char *spec, struct chan **out);
/* Add a reference. */
static inline struct chan *chan_ref(struct chan *c)
{
	__atomic_add_fetch(&c->ref, 1, __ATOMIC_RELAXED);
	return c;
}

/* Return whether two channels are at the same file. */
static inline bool same_place(const struct chan *a, const struct chan *b)
{
	return a->qid == b->qid && a->dev == b->dev;
}

void chan_free(struct chan *c);
/* Drop one reference, and with the last close the file and free c. May sleep; NULL is fine. */
static INLINED void chan_put(struct chan *c)
{
	if (c && !__atomic_sub_fetch(&c->ref, 1, __ATOMIC_ACQ_REL))
		chan_free(c);
}

/* Marks a local pointer to a channel, or NULL, whose reference is dropped where its block ends. */
#define DROPPED __attribute__((cleanup(chan_drop)))
static inline void chan_drop(struct chan **c)
{
	chan_put(*c);
}

struct chan *chan_new(const struct dev *dev);	 /* at no place yet; NULL if out of memory */
struct chan *chan_clone(const struct chan *c);	 /* without name and union; NULL if out of memory */
int chan_count(struct chan *c); /* as a file that is about to be open: 0, -EMFILE */
/* Check that the calling process may do what the bits say: 0, -EACCES, or stat's error. */
#define MAY_READ 4
#define MAY_WRITE 2
#define MAY_EXEC 1 /* of a directory: search it */
int chan_permit(struct chan *c, int may);
int chan_walk(struct chan *c, const char *name); /* by the device's walk or its dir */
