/* Copies from and to user memory, for system calls. */
#include "kernel/machine/copy.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/string.h"
#include "kernel/machine/user.h"

/* Return whether n bytes at user lie below KERNBASE. */
static bool in_user(const void *user, size_t n)
{
	return (uintptr_t)user <= KERNBASE && n <= KERNBASE - (uintptr_t)user;
}

/* Copy n bytes from user memory. -EFAULT: an unknown part of them has been copied. */
int copyin(void *to, const void *user, size_t n)
{
	if (!in_user(user, n) || copy_bytes(to, user, n) != n)
		return -EFAULT;
	return 0;
}

/* Copy n bytes to user memory. -EFAULT: an unknown part of them has been copied. */
int copyout(void *user, const void *from, size_t n)
{
	if (!in_user(user, n) || copy_bytes(user, from, n) != n)
		return -EFAULT;
	return 0;
}

/* Copy a string with its NUL from user memory. Return its length, -EFAULT or -ENAMETOOLONG. */
int copyinstr(char *to, const char *user, size_t size)
{
	for (size_t done = 0, end; done < size;) {
		size_t room = PAGE - ((uintptr_t)user + done) % PAGE; /* the next may be absent */

		end = min_size(done + min_size(room, 64), size);
		if (copyin(to + done, user + done, end - done) != 0)
			return -EFAULT;
		for (; done < end; done++)
			if (to[done] == 0)
				return (int)done;
	}
	return -ENAMETOOLONG;
}
