/* What commands do when memory is exhausted. */
#include "userland/command/memory.h"

#include <err.h>

void *memory(void *allocated)
{
	if (!allocated)
		err(1, "memory");
	return allocated;
}
