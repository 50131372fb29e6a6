/*
 * The memory of a running guest: see ram.h. QMP has no command that answers with memory, but
 * pmemsave writes a part of it to a file, which we read: QEMU runs on this host too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/guest/qmp.h"
#include "tools/guest/ram.h"
#include "tools/memory.h"
#include "tools/slurp.h"

struct live {
	struct ram ram; /* first, so that a pointer to it is one to all this */
	struct qmp qmp;
	char dir[32], file[40]; /* a folder of our own, and what QEMU writes there */
};

/* Read while the guest goes on: each number is whole, but several may be of different moments. */
static int live_read(struct ram *r, uint32_t pa, void *to, size_t n, struct complaint *why)
{
	struct live *l = (struct live *)r;
	json_t *arguments = json_pack("{s:I, s:I, s:s}", "val", (json_int_t)pa, "size",
				      (json_int_t)n, "filename", l->file);
	uint8_t *data;
	size_t size;

	if (n == 0)
		return 0;
	if (qmp_execute(&l->qmp, "pmemsave", arguments, why) < 0 ||
	    slurp(l->file, &data, &size, why) < 0)
		return -1;
	if (size == n)
		memcpy(to, data, n);
	free(data);
	return size == n ? 0 : complain(why, "QEMU gave %zu bytes of %zu at %08x", size, n, pa);
}

/* Remove our folder, and leave QEMU alone. */
static void live_close(struct ram *r)
{
	struct live *l = (struct live *)r;

	unlink(l->file);
	rmdir(l->dir);
	qmp_close(&l->qmp);
	free(l);
}

/* The folder is ours alone, so that nobody else can put a file there for us to read. */
struct ram *ram_live(const char *socket, struct complaint *why)
{
	struct live *l = memory_zeroed(1, sizeof(*l));

	l->ram = (struct ram){live_read, live_close};
	strcpy(l->dir, "/tmp/gnomon-XXXXXX");
	if (qmp_open(&l->qmp, socket, why) < 0) {
		free(l);
		return NULL;
	}
	if (!mkdtemp(l->dir)) {
		complain(why, "%s: %s", l->dir, strerror(errno));
		qmp_close(&l->qmp);
		free(l);
		return NULL;
	}
	snprintf(l->file, sizeof(l->file), "%s/ram", l->dir);
	return &l->ram;
}
