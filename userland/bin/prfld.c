/*
 * prfld: loads a prf device with the addresses of the kernel's functions, from the running kernel's
 * own image: prf(7) counts the ticks between an address and the next. The other commands for a prf
 * device are names of the same file, which is in memory once.
 * Host: no
 */
#include <sys/prf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/usage.h"
#include "userland/profile/buildid.h"
#include "userland/profile/prfdev.h"
#include "userland/profile/prfmain.h"
#include "userland/profile/symtab.h"

#define KERNEL "/boot/gnomon" /* which /dev/version must agree with */

static const char synopsis[] = "prfld [-f dev] [namelist]";

/* Return the addresses of the functions in the kernel's text, ascending; *n is their number. */
static uint32_t *addresses(const struct symtab *s, size_t *n, const char *kernel)
{
	uint32_t *address = memory(calloc(s->n, sizeof(*address)));

	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->function[i].address >= s->ktzero && s->function[i].address < s->etext)
			address[(*n)++] = s->function[i].address;
	if (*n < PRF_MIN)
		errx(1, "%s: %u functions between ktzero and etext: not a kernel of ours", kernel,
		     (unsigned)*n);
	return address;
}

/* Load them all: to leave some out would charge their time to others. */
static void load(const char *dev, const uint32_t *address, size_t n, const char *kernel)
{
	int fd = prfdev_open(dev, O_RDWR), max = prfdev_get(fd, PRF_GETMAX, dev);
	ssize_t put;

	if (n > (size_t)max)
		errx(1, "%s: %u functions, and %s takes no more than %d", kernel, (unsigned)n, dev,
		     max);
	/* One write is one array. */
	put = write(fd, address, n * sizeof(*address));
	if (put < 0 && errno == EBUSY)
		errx(1, "%s: it is on; turn it off by prfstat(8) first", dev);
	if (put < 0)
		err(1, "%s", dev);
	if (put != (ssize_t)(n * sizeof(*address)))
		errx(1, "%s: it did not take all addresses", dev);
	close(fd);
}

static int prfld_main(int argc, char **argv)
{
	const char *dev = prfdev_option(argc, argv, synopsis), *kernel = KERNEL;
	struct symtab symtab;
	uint32_t *address;
	size_t n;

	if (argc - optind > 1)
		usage('?', synopsis);
	if (optind < argc)
		kernel = argv[optind];
	symtab_read(&symtab, kernel);
	buildid_check(&symtab, kernel);
	address = addresses(&symtab, &n, kernel);
	load(dev, address, n, kernel);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*main)(int argc, char **argv);
	} commands[] = {
		{"prfdc", prfdc_main}, {"prfsnap", prfsnap_main}, {"prfstat", prfstat_main},
	};
	const char *name = getprogname();

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(name, commands[i].name) == 0)
			return commands[i].main(argc, argv);
	}
	return prfld_main(argc, argv);
}
