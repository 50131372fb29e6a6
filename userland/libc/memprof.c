/* Memory profiling: what the allocator tells the kernel while it asks. */
#include "userland/libc/libc.h"
#include "kernel/abi/memprof.h"

const volatile uint32_t *const __memprof_asked = (const uint32_t *)MEMPROF_ASKED;

void __memprof_tell(void *old, void *new, size_t n, const void *caller)
{
	sys5(SYS_memprof, (int)old, (int)new, (int)n, (int)caller, 0);
}
