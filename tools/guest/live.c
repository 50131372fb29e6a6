/*
 * The memory of a running guest: see ram.h. QMP has no command that answers with memory, but
 * pmemsave writes a part of it to a file, which we read: QEMU runs on this host too.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/ending.h"
#include "tools/env.h"
#include "tools/folder.h"
#include "tools/guest/qmp.h"
#include "tools/guest/ram.h"
#include "tools/memory.h"
#include "tools/slurp.h"

#define BYTES_MOST (1ull << 47) /* of memory: QEMU has no room for more */

struct live {
	struct ram ram; /* first, so that a pointer to it is one to all this */
	struct qmp qmp;
	char *dir, *file; /* a folder of our own, and what QEMU writes there */
};

/* Say so if QEMU had no room for what it should write; its own words for that are vague. -1. */
static int no_room(const struct live *l, struct complaint *why)
{
	struct complaint full;

	if (folder_room(l->dir, &full) < 0)
		*why = full;
	return -1;
}

/*
 * Read while the guest goes on: each number is whole, but several may be of different moments. Once
 * a signal has ended the wait for an answer, nothing more is asked: live_close() relies on that.
 */
static int live_read(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	struct live *l = (struct live *)r;
	json_t *arguments;
	struct stat st;
	uint8_t *data;
	size_t size;

	if (n == 0)
		return 0;
	if (ending_came())
		return complain(why, "a signal has ended the wait for QEMU");
	arguments = json_pack("{s:I, s:I, s:s}", "val", (json_int_t)pa, "size", (json_int_t)n,
			      "filename", l->file);
	if (qmp_execute(&l->qmp, "pmemsave", arguments, why) < 0)
		return no_room(l, why);
	if (lstat(l->file, &st) == 0 && !S_ISREG(st.st_mode))
		return complain(why, "%s: not a file as QEMU makes one", l->file);
	if (slurp(l->file, &data, &size, why) < 0)
		return no_room(l, why);
	if (size == n)
		memcpy(to, data, n);
	free(data);
	if (size == n)
		return 0;
	complain(why, "QEMU gave %zu bytes of %zu at %" CODE_ADDR, size, n, pa);
	return no_room(l, why);
}

/* Take a line such as "  0000000000100000-0000000003ffffff (prio 0, ram): pc.ram". */
static void take_range(const char *line, struct ram *r, size_t *room)
{
	unsigned long long first, last;
	char kind[8];

	if (sscanf(line, " %llx-%llx (prio %*d, %7[a-z]):", &first, &last, kind) != 3)
		return;
	if (strcmp(kind, "ram") != 0)
		return;
	if (last < first)
		return;
	r->range = memory_grow(r->range, room, r->nrange + 1, sizeof(*r->range));
	r->range[r->nrange++] = (struct ram_range){first, last - first + 1};
}

/* QEMU lists what is where in several address spaces, which have the same memory. */
static int live_find(struct ram *r, struct complaint *why)
{
	struct live *l = (struct live *)r;
	char *text = qmp_monitor(&l->qmp, "info mtree -f", why), *line, *rest = text;
	size_t room = 0;

	if (!text)
		return -1;
	while ((line = strsep(&rest, "\n")) != NULL)
		take_range(line, r, &room);
	free(text);
	if (!r->range)
		return complain(why, "QEMU does not tell where the guest's memory is");
	ram_arrange(r);
	if (ram_bytes(r) > BYTES_MOST)
		return complain(why, "QEMU tells of more memory than it can have");
	return 0;
}

/*
 * Remove our folder, leave QEMU alone, and let signals come. If a signal has ended the wait for an
 * answer, QEMU may still make its file, but only once.
 */
static void live_close(struct ram *r)
{
	struct live *l = (struct live *)r;

	unlink(l->file);
	if (rmdir(l->dir) < 0 && errno == ENOTEMPTY) {
		unlink(l->file);
		rmdir(l->dir);
	}
	qmp_close(&l->qmp);
	free(l->dir);
	free(l->file);
	free(r->range);
	free(l);
	ending_release();
}

/* Make our folder, whose path must be absolute, for QEMU runs in another. 0, or -1 and *why. */
static int make_folder(struct live *l, struct complaint *why)
{
	const char *tmp = env_or("TMPDIR", "/tmp");
	char path[PATH_MAX];

	if (!realpath(tmp, path))
		return complain_errno(why, tmp);
	l->dir = memory_format("%s/gnomon-XXXXXX", path);
	l->file = memory_format("%s/ram", l->dir);
	if (!mkdtemp(l->dir)) {
		complain_errno(why, l->dir);
		free(l->dir);
		free(l->file);
		return -1;
	}
	memcpy(l->file, l->dir, strlen(l->dir));
	return 0;
}

/*
 * The folder is ours alone, so that nobody else can put a file there for us to read. As long as it
 * is there, signals that end the program only end the wait for QEMU.
 */
struct ram *ram_live(const char *socket, struct complaint *why)
{
	struct live *l = memory_zeroed(1, sizeof(*l));

	l->ram = (struct ram){.read = live_read, .close = live_close, .find = live_find};
	if (qmp_open(&l->qmp, socket, why) < 0) {
		free(l);
		return NULL;
	}
	ending_hold();
	if (make_folder(l, why) < 0) {
		qmp_close(&l->qmp);
		free(l);
		ending_release();
		return NULL;
	}
	return &l->ram;
}
