/* B8 of links: they are made, read and followed while an allocation, or a charge, fails. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/guest/failing.h"
#include "tests/guest/tap.h"

static char target[PATH_MAX];

static int do_symlink(void)
{
	return symlink(TAP_HERE "there", TAP_HERE "new");
}

static int do_link(void)
{
	return link(TAP_HERE "f", TAP_HERE "new");
}

static int do_readlink(void)
{
	return (int)readlink(TAP_HERE "l", target, sizeof(target));
}

static int do_realpath(void)
{
	return realpath(TAP_HERE "l/../m/l/f", target) ? 0 : -1;
}

static int do_create(void)
{
	return open("n", O_CREAT | O_WRONLY, 0600);
}

static void undo_new(void)
{
	unlink("new");
}

void B8_links(void)
{
	must(mkdir("d", 0755) == 0 && mkdir("d/e", 0755) == 0 && symlink("d/e", "l") == 0);
	must(symlink("..", "d/m") == 0 && symlink("o", "n") == 0 && symlink("d/m/new", "o") == 0);
	tap_write("f", "x");
	tap_write("d/e/f", "x");
	walk(do_readlink);
	walk(do_realpath);
	undo = undo_new;
	walk(do_symlink);
	walk(do_link);
	walk(do_create);
}
