/* Variables of the environment. */
#ifndef TOOLS_ENV_H
#define TOOLS_ENV_H

#include <stdlib.h>

/* Return a variable's value, or `otherwise` if it is not set or empty. */
static inline const char *env_or(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	if (!value || !*value)
		return otherwise;
	return value;
}

#endif
