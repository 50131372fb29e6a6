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
		strcat(text, o->command[i]);
		strcat(text, i + 1 < o->ncommand ? " " : "\n");
	}
	s->text = (uint8_t *)text;
	s->size = strlen(text);
	return 0;
}

/* Add one of the host's files; it can be executed in the guest if it can be here. */
static int put_file(FILE *f, const struct put *p, struct complaint *why)
{
	struct stat st;
	uint8_t *data;
	size_t n;
	int bad;

	if (stat(p->host, &st) < 0)
		return complain(why, "%s: %s", p->host, strerror(errno));
	if (slurp(p->host, &data, &n, why) < 0)
		return -1;
	bad = cpio_file(f, p->guest, st.st_mode & 0111 ? 0755 : 0644, data, n, why);
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
	bool folder = o->machine.folder;
	char *list = memory_string("", 0), *longer;
	unsigned i;
	int bad;

	for (i = 0; i < o->nfetch; i++) {
		longer = folder ? memory_format("%s%s.%s:%s\n", list, o->fetch[i].name,
						o->fetch[i].nonce, o->fetch[i].guest)
				: memory_format("%s%s\n", list, o->fetch[i].guest);
		free(list);
		list = longer;
	}
	bad = cpio_file(f, folder ? "run/store" : "run/fetch", 0644, list, strlen(list), why);
	free(list);
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

int archive_write(FILE *f, const struct script *s, const struct runopts *o,
		  struct complaint *why)
{
	unsigned i;
	int bad;

	bad = cpio_file(f, "run/script", 0755, s->text, s->size, why) < 0 ||
	      put_list(f, o, why) < 0 || (o->machine.folder && put_start(f, why) < 0);
	for (i = 0; !bad && i < o->nput; i++)
		bad = put_file(f, &o->put[i], why) < 0;
	bad = bad || cpio_end(f, why) < 0;
	if (fclose(f) != 0 && !bad)
		bad = complain(why, "the archive for the guest: %s", strerror(errno));
	return bad ? -1 : 0;
}
