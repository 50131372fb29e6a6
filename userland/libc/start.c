/* What crt0 fills in before main. */
#include <unistd.h>
#include "libc.h"

char **environ;
char **__argv;
