/* A process whose threads are processors, as far as prof/ has to know it. */
#ifndef PORT_MACHINE_H
#define PORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define STACK (64 * 1024) /* of a thread's, which is larger, the part where its frames are */
#define HZ 1000 /* ticks a second on each CPU */
#define CPUS 2
#ifndef ROUNDS
#define ROUNDS 400000
#endif
#ifndef MIGRATE
#define MIGRATE 0 /* 1: each tick moves the thread to the other CPU, wherever it is */
#endif

struct clock_frame {
	uintptr_t pc, fp, sp, link;
	bool user;
};

/* Return whether what plays a program was interrupted. */
static inline bool frame_user(const struct clock_frame *f)
{
	return f->user;
}

static inline uintptr_t frame_pc(const struct clock_frame *f)
{
	return f->pc;
}

static inline uintptr_t frame_fp(const struct clock_frame *f)
{
	return f->fp;
}

static inline uintptr_t frame_sp(const struct clock_frame *f)
{
	return f->sp;
}

/* The link register; 0 on a machine that has none. */
static inline uintptr_t frame_link(const struct clock_frame *f)
{
	return f->link;
}

#endif
