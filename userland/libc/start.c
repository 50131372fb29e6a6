/* What crt0 fills in before main. */
#include <unistd.h>
#include "userland/libc/libc.h"

char **environ;
char **__argv;
