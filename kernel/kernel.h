/* Every name of the kernel that another file uses, grouped by the file that has it. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/abi/errno.h"
#include "kernel/i386.h"
#include "kernel/lock.h"
#include "kernel/proc.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* A function whose entry tells nobody: one that runs in ticks, or before it could. */
#define UNSEEN __attribute__((no_instrument_function))

/* linker.ld */
extern uint8_t ktzero[], etext[], srodata[], erodata[], sdata[], edata[], sbss[], ebss[];
extern const uint32_t mcount_loc[], mcount_loc_end[]; /* address of every entry pad */
extern const uint8_t build_id_note[];		      /* Elf32_Nhdr, "GNU", 20 bytes */

/* string.c: as in C's <string.h>, and a little more */
void *memset(void *p, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
size_t strlcpy(char *to, const char *from, size_t size);
/* A whole unsigned number, decimal, or hexadecimal after 0x: true, and *out. */
bool parse_uint(const char *s, uint32_t *out);

/* div.c */
uint32_t div64(uint64_t *n, uint32_t by); /* *n /= by; the remainder */

/* print.c: %d %u %x %p %s %c, width and 0, l, ll and z; always ends the string */
void printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int snprintf(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap);
char *build_id(char *hex, unsigned digits); /* the kernel's; an even number, at most 40 */
/* Where printk goes, in any context but NMI; and where panics go, polled. */
void print_sink(void (*write)(const char *s, size_t n), void (*sync)(const char *s, size_t n));
void print_panic(void); /* from now on everything goes out at once, past all locks */
size_t print_log(char *buf, size_t n, size_t off); /* what was printed since boot, the last 16 KB */

/* panic.c */
void panic(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void backtrace(uint32_t eip, uint32_t ebp);
void machine_off(int status) __attribute__((noreturn)); /* power off, or leave QEMU with a status */
void machine_off_hook(void (*off)(int status)); /* may return when it could not */

/* cmdline.c: the boot loader's command line */
void cmdline_init(const char *s);
const char *cmdline(void);
bool cmdline_get(const char *key, char *value, size_t size); /* key or key=value */

/* frame.c: physical memory, 4 KB frames of the direct map */
void frame_add(uint32_t pa, uint32_t end); /* free memory, whole pages inside are taken */
void *frame_alloc_n(size_t n); /* n contiguous frames, content undefined; NULL: none */
void frame_free_n(void *va, size_t n);
void frame_share(uint32_t pa);	 /* one user more */
bool frame_shared(uint32_t pa); /* more than one user */
size_t frame_free_count(void);

static inline void *frame_alloc(void)
{
	return frame_alloc_n(1);
}

static inline void frame_free(void *va)
{
	frame_free_n(va, 1);
}

/* heap.c: kernel memory of any size; 16-byte aligned; NULL when there is none */
void *kmalloc(size_t n);
void *kzalloc_unseen(size_t n); /* zeros, of which memory profiling is not told */
void kfree(void *p);

/* Both are the caller's own call of kmalloc(), for memory profiling. */
static inline void *kzalloc(size_t n)
{
	void *p = kmalloc(n);

	return p ? memset(p, 0, n) : NULL;
}

static inline char *kstrdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = kmalloc(n);

	return copy ? memcpy(copy, s, n) : NULL;
}

/* vm.c: address spaces */
struct vm;
void vm_init(uint32_t ram_end); /* kvm.c */
void kvm_use(void);		/* kvm.c: this CPU, from here on */
struct vm *vm_new(void);
struct vm *vm_ref(struct vm *vm);
void vm_put(struct vm *vm);
struct vm *vm_fork(struct vm *vm); /* copy on write; NULL when out of memory */
void vm_use(struct vm *vm);	   /* NULL: the kernel's */
#define VM_R 4
#define VM_W 2
#define VM_X 1
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot); /* zero-filled on first touch */
int vm_fill(struct vm *vm, uint32_t va, const void *from, size_t n); /* whatever prot says */
int vm_brk(struct vm *vm, uint32_t addr, uint32_t *now);
int vm_setbrk(struct vm *vm, uint32_t start);
int vm_fault(struct vm *vm, uint32_t va, uint32_t error); /* 0: try again; -EFAULT, -ENOMEM */
size_t vm_resident(struct vm *vm); /* pages */
void *kstack_alloc(void); /* lowest usable byte, guard page below */
void kstack_free(void *stack);
void *map_device(uint32_t pa, size_t n); /* uncached; panics when there is no room */
/* One store: n <= 8, inside 8 aligned bytes. */
void text_write(uint32_t va, const void *from, size_t n);

/* user.asm, trap.c: user memory; -EFAULT */
int copyin(void *to, const void *user, size_t n);
int copyout(void *user, const void *from, size_t n);
int copyinstr(char *to, const char *user, size_t size); /* length; -ENAMETOOLONG */

/* cpu.c */
void cpu_init(int id); /* segments and tasks: cpu_self() works from here on */
bool cpu_prepare(int id); /* before that, for all but the first CPU; false: no memory */
void cpu_protect(void); /* SMEP, SMAP, UMIP */
void cpu_stack(void *top); /* where entries from user mode find their stack */
void double_fault(void); /* called by isr.asm */

/* trap.c */
typedef void trap_fn(struct trapframe *tf);
void trap_init(void);	  /* the IDT */
void trap_load(void);	  /* on each CPU */
void trap_set(unsigned vector, trap_fn *fn);
void trap(struct trapframe *tf); /* called by isr.asm */
/* Device interrupts: the table of handlers, and the chip, which boot/ names. */
struct irqchip {
	void (*enable)(unsigned irq, unsigned vector); /* to CPU 0 */
	void (*eoi)(void);
	void (*ipi)(unsigned cpu, unsigned vector); /* from any context but NMI, as the next */
	void (*ipi_others)(unsigned vector); /* to all but this CPU; VEC_NMI: an NMI */
};
extern const struct irqchip *irqchip; /* boot/ sets it, once; NULL before */
void irq_register(unsigned irq, const char *name, void (*fn)(void *arg), void *arg);

/* clock.c: time, and the system clock; a timer is the hardware of either clock */
#define HZ 100
struct timer {
	const char *name;
	uint32_t max_ns;	       /* the longest it can be armed for */
	bool percpu;		       /* each CPU has its own */
	void (*arm)(uint32_t ns);      /* one interrupt, ns from now, on this CPU's timer */
	void (*arm_cycles)(uint32_t n); /* the same, n of the TSC's cycles from now */
	void (*disarm)(void);
	/* How it interrupts: by this vector, by NMI when it is VEC_NMI; -ENOTSUP if it cannot. */
	int (*deliver)(unsigned vector);
};
void time_init(uint64_t tsc_hz, int64_t unix_time);
uint64_t time_ns(void);	    /* since time_init, from the TSC */
uint64_t time_cycles(uint64_t cycles); /* as ns */
uint32_t time_tsc_khz(void);
int64_t time_unix(void);    /* seconds since 1970 now */
int64_t time_boot(void);    /* the same at time 0 */
void clock_start(const struct timer *t); /* HZ interrupts a second from here on */
void clock_join(void);			 /* this CPU too, one that started later */
uint64_t clock_ticks(void); /* system clock ticks, CPU 0's */

/* sched.c */
void sched_init(struct proc *idle); /* the calling context becomes the idle thread */
void sched_ready(struct proc *p);
void sched_yield(void);
void sched_begin(void); /* a new process, on its own stack */
void sched_exit(void) __attribute__((noreturn)); /* this process is a zombie now */
void sched_loop(void) __attribute__((noreturn)); /* the idle thread of each CPU */
void idle_hold(void); /* CPU 0 does not halt until idle_release() */
void idle_release(void);
void sched_slice(void);	       /* a system clock tick on this CPU */
void sched_tick(uint64_t now); /* wakes sleepers */
void sched_signal(struct proc *p, int sig); /* pending; wakes it if need be */
void sched_forget(uint32_t sig); /* the calling process ignores it now */
int sleep_until(uint64_t deadline);

/* proc.c */
void proc_init(void *stack);
extern uint8_t boot_stack[]; /* behind a guard page */
int proc_fork(const struct trapframe *tf, uint32_t share);
int proc_wait(int pid, int *status, int options);
void proc_exit(int status) __attribute__((noreturn));
int proc_kill(int pid, int sig);
int proc_kill_group(int pgid, int sig);
void proc_interrupt_group(int pgid, int sig); /* without asking who; from interrupt handlers too */
int proc_setpgid(int pid, int pgid);
void proc_account(void); /* closes the current stretch of kernel time */
/* Each process in order of pid, under the lock: fn returns false to stop. */
void proc_each(bool (*fn)(struct proc *p, void *arg), void *arg);
void start_init(const char *path); /* the first process */
void enter_user(struct trapframe *tf) __attribute__((noreturn)); /* isr.asm */

void proc_left(struct proc *p); /* p is dead and no longer on its stack */
/* exec's effect on the calling process */
void proc_becomes(struct vm *vm, char *path, char *args, uint32_t text, uint32_t textsize);
int proc_parent(void);
void proc_signalled(void); /* ends the calling process if a pending signal says so */

/* elf.c */
struct args { /* of a program; the strings are the kernel's */
	char *const *argv, *const *envp;
	unsigned argc, envc;
	int depth; /* scripts on the way there; 0 at first */
};
int exec(const char *path, const struct args *a, struct trapframe *tf);

/* syscall.c */
void syscall(struct trapframe *tf);
bool is_eve(void); /* the calling process belongs to the host owner */

/* userprof.c: from the profiling clock to prof/ */
extern struct prof *const prof; /* the kernel's one set of profilers */
extern struct mutex prof_lock;	/* held around all that starts, stops, clears or reads them */
void userprof_init(void);	/* CPU 0, once memory and the command line are there */

/* patch.c: entry calls in and out; who wants them is a set of these */
#define ENTRY_ARCS 1u  /* gmon */
#define ENTRY_COVER 2u /* the coverage of prof(3), which module_entered() counts */
#define ENTRY_PAD 5u   /* bytes of a function before the address that its call pushes */
void patch_entries(unsigned who, bool on);

/* profport.c: the same; on return from switching off, no CPU is in such a call any more */
void entries_switch(unsigned who, bool on);

#endif
