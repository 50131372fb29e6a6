/* waitpid(2)'s status word and options. */
#pragma once

#define WNOHANG 1

/* Status: the exit code << 8, or the signal that ended the process. */
