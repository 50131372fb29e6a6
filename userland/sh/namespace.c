/*
 * rfork, the one builtin that needs a kernel with namespaces; tests on a host replace this
 * file's calls.
 */
#include "userland/sh/sh.h"
#include <string.h>
#include <sys/bind.h>

/*
 * rfork [n|N]: give the shell its own namespace, a copy of what it has, or with N only the
 * root.
 */
int builtin_rfork(struct list *args)
{
	const char *s = args->next ? args->next->s : "n";
	bool copy = strcmp(s, "n") == 0;

	if ((!copy && strcmp(s, "N") != 0) || (args->next && args->next->next)) {
		sh_warn("usage: rfork [n|N]");
		return 2;
	}
	if (rfork(copy ? RFNAMEG : RFCNAMEG) < 0) {
		sh_errno("rfork");
		return 1;
	}
	return 0;
}
