/* The archive that the guest gets besides its initrd: see archive.h. agent(8) reads it there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/memory.h"
#include "tools/outfile.h"
#include "tools/run/archive.h"
#include "tools/run/cpio.h"
#include "tools/slurp.h"

int script_read(struct script *s, const struct runopts *o, struct complaint *why)
{
	size_t n = 1;
	char *text;
	int i;

	if (o->script)
		return slurp(o->script, &s->text, &s->size, why);
	for (i = 0; i < o->ncommand; i++)
		n += strlen(o->command[i]) + 1;
	text = memory_zeroed(n, 1);
	for (i = 0; i < o->ncommand; i++) {
		if (i > 0)
			strcat(text, " ");
		strcat(text, o->command[i]);
	}
	strcat(text, "\n");
	s->text = (uint8_t *)text;
	s->size = strlen(text);
	return 0;
}

/* Add one of the host's files; it can be executed in the guest if it can be here. */
static int put_file(FILE *f, const struct put *p, struct complaint *why)
{
	unsigned mode = 0644;
	struct stat st;
	uint8_t *data;
	size_t n;
	int bad;

	if (stat(p->host, &st) < 0)
		return complain_errno(why, p->host);
	if (slurp(p->host, &data, &n, why) < 0)
		return -1;
	if (st.st_mode & 0111)
		mode = 0755;
	bad = cpio_file(f, p->guest, mode, data, n, why);
	free(data);
	return bad;
}

/*
 * Add the list of files to fetch, one a line. If the guest is to store them in its /n/remote,
 * each line begins with the name that the file gets there, which holds no colon. No other run has
 * that name, though several may use one folder.
 */
static int put_list(FILE *f, const struct runopts *o, struct complaint *why)
{
	const char *name = "run/fetch";
	struct memory_stream list;
	unsigned i;
	int bad;

	if (o->machine.folder)
		name = "run/store";
	memory_stream_open(&list);
	for (i = 0; i < o->nfetch; i++) {
		if (o->machine.folder)
			fprintf(list.f, "%s.%s:", o->fetch[i].name, o->fetch[i].nonce);
		fprintf(list.f, "%s\n", o->fetch[i].guest);
	}
	memory_stream_close(&list);
	bad = cpio_file(f, name, 0644, list.data, list.n, why);
	free(list.data);
	return bad;
}

/*
 * Add a number that no other run has, for logs that several runs share: those are alike to the bit
 * otherwise, and this one is as long in each. A run with --serial has nothing to share.
 */
static int put_start(FILE *f, struct complaint *why)
{
	char nonce[OUTFILE_NONCE + 1];

	outfile_nonce(nonce);
	return cpio_file(f, "run/start", 0444, nonce, OUTFILE_NONCE, why);
}

/* Add everything that the guest takes. Return 0, or -1 and why. */
static int put_all(FILE *f, const struct script *s, const struct runopts *o,
		   struct complaint *why)
{
	unsigned i;

	if (cpio_file(f, "run/script", 0755, s->text, s->size, why) < 0)
		return -1;
	if (put_list(f, o, why) < 0)
		return -1;
	if (o->machine.folder && put_start(f, why) < 0)
		return -1;
	for (i = 0; i < o->nput; i++)
		if (put_file(f, &o->put[i], why) < 0)
			return -1;
	return cpio_end(f, why);
}

int archive_write(FILE *f, const struct script *s, const struct runopts *o,
		  struct complaint *why)
{
	int bad = put_all(f, s, o, why);

	if (fclose(f) != 0 && !bad)
		bad = complain_errno(why, CPIO_NAME);
	return bad;
}
