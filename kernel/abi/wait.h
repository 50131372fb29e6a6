/* waitpid(2)'s status word and options. */
#pragma once

#define WNOHANG 1
#define WUNTRACED 2 /* also tell of a child that a signal has stopped, once */

/* Status: the exit code << 8, or the signal that ended the process; if that has stopped it: */
#define WSTOPPED_WORD(sig) ((sig) << 8 | 0x7f)
