/* Copies from and to user memory, for system calls. */
#include "kernel/machine/copy.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/string.h"
#include "kernel/machine/user.h"

/* Copy n bytes, of which those at user are a program's, to or from there. */
static inline int copy_user(const void *user, void *to, const void *from, size_t n)
{
	if ((uintptr_t)user > KERNBASE || n > KERNBASE - (uintptr_t)user)
		return -EFAULT;
	return copy_bytes(to, from, n) == n ? 0 : -EFAULT;
}

/* Copy n bytes from user memory. -EFAULT: an unknown part of them has been copied. */
int copyin(void *to, const void *user, size_t n)
{
	return copy_user(user, to, user, n);
}

/* Copy n bytes to user memory. -EFAULT: an unknown part of them has been copied. */
int copyout(void *user, const void *from, size_t n)
{
	return copy_user(user, user, from, n);
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
