/* Handlers of signals: the kernel enters all in handler.asm, and here is known which is whose. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include "userland/libc/libc.h"

#define KERNEL_FLAGS (SA_ONSTACK | SA_RESTART)
#define FLAGS (KERNEL_FLAGS | SA_NODEFER | SA_RESETHAND)

static struct sigaction actions[NSIG];
static stack_t stack = {.ss_flags = SS_DISABLE};

/* Call the signal's handler: from handler.asm. */
void __signal_run(int sig)
{
	sighandler_t handler = actions[sig].sa_handler;

	if (actions[sig].sa_flags & SA_RESETHAND)
		signal(sig, SIG_DFL);
	handler(sig);
}

/* Tell whether there is a function to be called. */
static bool is_function(sighandler_t handler)
{
	return handler != SIG_DFL && handler != SIG_IGN;
}

/* Have the kernel do that with the signal. */
static int set_action(int sig, const struct sigaction *a)
{
	sigset_t mask = a->sa_mask;
	int word = (int)a->sa_handler;

	if (is_function(a->sa_handler))
		word = (int)__signal_entry;
	if (!(a->sa_flags & SA_NODEFER))
		mask |= 1ul << sig;
	return sys5(SYS_sigaction, sig, word, (int)mask, a->sa_flags & KERNEL_FLAGS, 0);
}

/*
 * Set what a signal does, unless act is NULL, and tell what it did. EINVAL: no such signal, or one
 * that cannot be caught, or a flag that is not known.
 */
int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	int r = sys5(SYS_sigaction, sig, 0, 0, SA_ASK, 0);
	struct sigaction before, new;

	if (r < 0 || (act && act->sa_flags & ~FLAGS))
		return __sysret(-EINVAL);
	before = actions[sig];
	if (!is_function(before.sa_handler)) /* exec keeps SIG_IGN, but not what is noted here */
		before.sa_handler = (sighandler_t)r;
	r = 0;
	if (act) {
		new = *act;
		actions[sig] = new;
		r = set_action(sig, &new);
	}
	if (r < 0)
		actions[sig] = before;
	else if (old)
		*old = before;
	return __sysret(r < 0 ? r : 0);
}

/*
 * Set what a signal does: SIG_DFL, SIG_IGN or a handler, which calls that it interrupts are made
 * again after. Return what it did, or SIG_ERR.
 */
sighandler_t signal(int sig, sighandler_t handler)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	return sigaction(sig, &act, &old) < 0 ? SIG_ERR : old.sa_handler;
}

/* Set the stack of handlers with SA_ONSTACK, unless `new' is NULL. EINVAL, EPERM, ENOMEM. */
int sigaltstack(const stack_t *new, stack_t *old)
{
	stack_t before = stack, after;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), base = (uintptr_t)before.ss_sp;
	int r = 0;

	if (!(before.ss_flags & SS_DISABLE) && here - base < before.ss_size)
		before.ss_flags = SS_ONSTACK;
	if (new) {
		after = *new;
		if (after.ss_flags & ~SS_DISABLE)
			return __sysret(-EINVAL);
		if (after.ss_flags)
			after.ss_size = 0;
		else if (after.ss_size < MINSIGSTKSZ)
			return __sysret(-ENOMEM);
		r = __sysret(sys2(SYS_sigaltstack, (int)after.ss_sp, (int)after.ss_size));
		if (r == 0)
			stack = after;
	}
	if (old && r == 0)
		*old = before;
	return r;
}
