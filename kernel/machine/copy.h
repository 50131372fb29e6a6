/* Copies from and to user memory that return -EFAULT if it is not accessible. */
#pragma once

#include <stddef.h>

int copyin(void *to, const void *user, size_t n);
int copyout(void *user, const void *from, size_t n);
/* Copy out what a program may not want: then user is NULL. */
static inline int copyout_wanted(void *user, const void *from, size_t n)
{
	if (!user)
		return 0;
	return copyout(user, from, n);
}

int copyinstr(char *to, const char *user, size_t size); /* or length, -ENAMETOOLONG */
