/* sigsetjmp(3) and siglongjmp(3). */
#ifndef _GNOMON_SETJMP_H
#define _GNOMON_SETJMP_H

#include_next <setjmp.h>
#include <signal.h>

typedef struct {
	jmp_buf at;
	int masked; /* whether there is a mask to go back to */
	sigset_t mask;
} sigjmp_buf[1];

#define sigsetjmp(env, save)                                                                       \
	((env)->masked = (save), sigprocmask(SIG_BLOCK, 0, &(env)->mask), setjmp((env)->at))
#define siglongjmp(env, value)                                                                     \
	((env)->masked ? sigprocmask(SIG_SETMASK, &(env)->mask, 0) : 0, longjmp((env)->at, value))

#endif
