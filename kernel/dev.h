/*
 * What the kernel serves as files: channels, the rows of the device table, and helpers
 * with which a driver serves a fixed directory and control messages.
 *
 * A channel is a place in a device's file tree, or an open file there. The
 * namespace (kernel/ns.c) joins the trees; a device knows only its own.
 */
#pragma once

#include "kernel/abi/fcntl.h"
#include "kernel/abi/stat.h"
#include "kernel/lock.h"

typedef int32_t ssize_t;

struct account;
struct picture;
struct union_mount;

struct chan {
	uint32_t ref;		   /* atomic */
	const struct dev *dev;	   /* constant once attached */
	uint64_t qid;		   /* which file of the device; st_ino */
	uint32_t type;		   /* S_IFDIR, S_IFREG, S_IFCHR or S_IFIFO */
	int flags;		   /* the O_ flags it was opened with */
	bool opened;		   /* open() or create() succeeded: close() will be called */
	struct account *payer;	   /* the open file is counted here; NULL: nowhere */
	void *aux;		   /* the device's own; NULL at first */
	char *name;		   /* path as it was reached, "/dev/kpdata", or NULL; for getcwd */
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

struct dev {
	char letter;	  /* '#' letter */
	const char *name; /* as in "kprof" */
	/* The device's files, or NULL. Where walk, entry or stat is NULL, it answers. */
	const struct dirtab_list *dir;
	/* Initialise, once, when all devices are known and memory works. NULL: nothing to do. */
	void (*init)(void);
	/* Make c the root of the tree that spec names: set qid and type. NULL: 0 and directory. */
	int (*attach)(struct chan *c, const char *spec);
	/* Move c, which is not open, to the entry called name, never "..". */
	int (*walk)(struct chan *c, const char *name);
	/*
	 * The directory c's entry at *at or, if there is none any more, the next one: its name
	 * (NAME_MAX + 1 bytes), st_ino and st_mode; *at becomes the place behind it. The first
	 * is at 0; c need not be open. Return the name's length; -ENOENT past the last. NULL:
	 * there are none.
	 */
	int (*entry)(struct chan *c, uint64_t *at, char *name, struct stat *st);
	/* Correct and complete what chan_stat() has set. NULL: nothing to do. */
	int (*stat)(struct chan *c, struct stat *st);
	/* Open c; O_TRUNC is in flags if wanted. On failure c is not open. NULL: nothing to do. */
	int (*open)(struct chan *c, int flags);
	/* In directory c make a file, or directory if S_IFDIR; c becomes it, open. NULL: EPERM. */
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
	/* NULL: EPERM, each. */
	int (*remove)(struct chan *c);
	int (*rename)(struct chan *c, struct chan *newdir, const char *newname);
	int (*truncate)(struct chan *c, uint64_t size);
	int (*chmod)(struct chan *c, uint32_t mode);
};

/* The words that a file accepts: see below. */
struct cmd_list {
	const struct cmd *row;
	unsigned n;
};

/*
 * A device's files and directories: row 0 is ".", the root. A qid of theirs is the number of a row
 * and, from bit 8 on, which of several things, such as processes, the file belongs to; 0: none.
 */
#define DIRTAB_NAME 16
struct dirtab {
	const char *name;
	uint32_t mode;		  /* S_IF... and permissions */
	uint64_t (*length)(const struct chan *c); /* NULL: 0 */
	/* Write what the file holds to a picture (kernel/picture.h), or return an error. */
	int (*show)(struct chan *c, struct picture *to);
	bool live; /* it is shown for each read, and not when it is opened */
	/* For dirtab_read and dirtab_write; NULL: from the picture or -EINVAL, and -EPERM. */
	ssize_t (*read)(struct chan *c, void *buf, size_t n, uint64_t off);
	ssize_t (*write)(struct chan *c, const void *buf, size_t n, uint64_t off);
	struct cmd_list ctl;	    /* in place of write: the words that it accepts */
	unsigned in;		    /* bit n: the directory of row n has it; 0: the root */
	/*
	 * If not NULL, the row stands for one file or directory for each of several things. Set
	 * *which to the first of them from *which on, none of which is 0, and name it; or false.
	 */
	bool (*each)(uint32_t *which, char name[DIRTAB_NAME]);
};

struct dirtab_list {
	const struct dirtab *row;
	unsigned n;
	struct mutex *lock; /* held while a row is shown, or a word of its ctl runs; NULL: none */
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

/* For a row with something for each CPU: its number after the prefix. `which` is that + 1. */
bool dirtab_each_cpu(uint32_t *which, char name[DIRTAB_NAME], const char *prefix);
/* The walk, entry and stat of a device that has nothing but t. */
int dirtab_walk(const struct dirtab_list *t, struct chan *c, const char *name);
int dirtab_entry(const struct dirtab_list *t, struct chan *c, uint64_t *at, char *name,
		 struct stat *st);
int dirtab_stat(const struct dirtab_list *t, struct chan *c, struct stat *st);
/* The read and write of a device whose dir has a function for each file. */
ssize_t dirtab_read(struct chan *c, void *buf, size_t n, uint64_t off);
ssize_t dirtab_write(struct chan *c, const void *buf, size_t n, uint64_t off);
/* The write of a row that takes everything and does nothing. */
ssize_t dirtab_ignore(struct chan *c, const void *buf, size_t n, uint64_t off);

/* Answer a read out of len bytes at data: the part from off on, at most n bytes. */
ssize_t read_mem(void *buf, size_t n, uint64_t off, const void *data, size_t len);

/*
 * Control messages, which are words: the first says which row of the table is meant, the others
 * are its arguments. 'A word in quotes' may have blanks, and '' for a quote. A trailing newline is
 * allowed. An unknown word, and too few or too many arguments, are -EINVAL, and nothing is done.
 */
#define CMD_MAXWORD 16

struct cmd_words {
	unsigned n;
	char *word[CMD_MAXWORD];
	char text[2 * PATH_MAX + 16]; /* a path may be all quotes */
};

struct cmd {
	const char *word;
	unsigned minargs, maxargs; /* words after the first */
	/* Do the command that was written to c. Return 0 or an error. */
	int (*run)(struct chan *c, const struct cmd_words *msg);
};

/* Split the message into *out's words. Return the number of the row it means, or -EINVAL. */
int cmd_parse(const struct cmd *t, unsigned nrow, const char *msg, size_t n, struct cmd_words *out);
/* Do what a message of n bytes says. Return n, -EINVAL, or the row's error. */
ssize_t cmd_write(const struct cmd_list *t, struct chan *c, const char *msg, size_t n);
/* Return argument i as a number from min to max, or -EINVAL. */
int cmd_number(const struct cmd_words *msg, unsigned i, int min, int max);
/* Return 1 if argument i is the word yes, 0 if it is no, else -EINVAL. */
int cmd_either(const struct cmd_words *msg, unsigned i, const char *yes, const char *no);

/* dev.c: the device table, which boot/ fills, and channels. */
void dev_table(const struct dev *const *t, unsigned n);
int chan_attach(char letter, const char *spec, struct chan **out);
/* Add a reference. */
static inline struct chan *chan_ref(struct chan *c)
{
	__atomic_add_fetch(&c->ref, 1, __ATOMIC_RELAXED);
	return c;
}

void chan_free(struct chan *c);
/* Drop one reference, and with the last close the file and free c. May sleep; NULL is fine. */
static inline __attribute__((always_inline)) void chan_put(struct chan *c)
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
/* Check that the calling process may do what the bits say. Return 0 or -EACCES. */
#define MAY_READ 4
#define MAY_WRITE 2
#define MAY_EXEC 1 /* of a directory: search it */
int chan_permit(struct chan *c, int may);
int chan_walk(struct chan *c, const char *name); /* by the device's walk or its dir */
int chan_entry(struct chan *c, uint64_t *at, char *name, struct stat *st);

/* ns.c, walk.c, open.c: names to channels, in the namespace of the calling process. */
struct ns;
struct ns *ns_new(struct chan *root); /* takes its own reference to root */
struct ns *ns_copy(struct ns *ns);
struct ns *ns_ref(struct ns *ns);
void ns_put(struct ns *ns);
int ns_walk(const char *path, struct chan **out);
int ns_open(const char *path, int flags, uint32_t mode, struct chan **out);
int ns_bind(const char *name, const char *old, int flags);
int ns_unmount(const char *name, const char *old);

/* file.c: reading and writing an open channel, for programs and the kernel. */
ssize_t chan_read(struct chan *c, void *buf, size_t n);	       /* kernel memory; moves the offset */
ssize_t chan_pread(struct chan *c, void *buf, size_t n, uint64_t off);
ssize_t chan_write(struct chan *c, const void *buf, size_t n);
int chan_stat(struct chan *c, struct stat *st);
int stat_out(struct chan *c, uint32_t user); /* the same to user memory */

/* fd.c: a process's open files. */
#define NFD 64
struct fdtable;
struct fdtable *fds_new(void);
struct fdtable *fds_copy(struct fdtable *t);
struct fdtable *fds_ref(struct fdtable *t);
void fds_put(struct fdtable *t);
void fds_exec(struct fdtable *t); /* closes what has O_CLOEXEC */
int fd_install(struct chan *c, bool cloexec); /* the lowest free; takes c, even if -EMFILE */
/*
 * Look which of the files in `want`, sets of bits, can be read (the first) or written (the second)
 * without waiting. Return how many bits are set in both of `is`, or -EBADF.
 */
int fds_ready(const uint32_t want[2][NFD / 32], uint32_t is[2][NFD / 32]);
struct chan *fd_chan(uint32_t fd); /* with a reference of the caller's own; NULL: not open */

/* pipe.c */
int pipe_make(struct chan *end[2]); /* [0] reads, [1] writes */
