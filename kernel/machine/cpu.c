/*
 * A CPU's own tables, segments and task states, and the protections that it offers.
 * SDM 3A: chapter 3 (segments), 7 (tasks), 2.5 (control registers).
 */
#include "kernel/machine/cpu.h"
#include "kernel/machine/isr.h"
#include "kernel/machine/paging.h"
#include "kernel/machine/string.h"
#include "kernel/machine/text.h"
#include "kernel/machine/user.h"
#include "kernel/process/proc.h"

#define NSEG 8
#define DF_STACK 3376

unsigned ncpu = 1;

/* A CPU's data, what it reads itself, and the stack of the task that handles a double fault. */
struct tables {
	struct cpu cpu; /* comes first: cpus[] points to it */
	uint64_t gdt[NSEG];
	struct tss tss, df;
	uint8_t dfstack[DF_STACK] __attribute__((aligned(16)));
};

static struct tables first;
struct cpu *cpus[MAXCPU] = {&first.cpu};
static struct proc boot = {.name = "boot", .payer = PAYER_OWNER}; /* until there is a thread */

/* A segment descriptor (SDM 3A, figure 3-8); limit in bytes or, above 1 MB, pages. */
static uint64_t segment_descriptor(uint32_t base, uint32_t limit, uint32_t type)
{
	uint32_t flags = 0x4; /* 32-bit */

	if (limit > 0xfffff) {
		limit >>= 12;
		flags |= 0x8;
	}
	return (uint64_t)(base >> 24) << 56 | (uint64_t)(flags << 4 | limit >> 16) << 48 |
	       (uint64_t)type << 40 | (uint64_t)(base & 0xffffff) << 16 | (limit & 0xffff);
}

/* Use the tables on this CPU; %gs points to its struct cpu from here on. */
static void load_segments(const struct tables *t)
{
	struct pseudo_descriptor gdtr = {NSEG * 8 - 1, (uintptr_t)t->gdt};

	__asm__ volatile("lgdt %0\n\t"
			 "ljmp %1, $1f\n"
			 "1:\n\t"
			 "movl %2, %%ds; movl %2, %%es; movl %2, %%fs; movl %2, %%ss\n\t"
			 "movl %3, %%gs\n\t"
			 "ltr %w4\n\t"
			 "lldt %w5" /* after a reset there is one, at 0, where users' memory is */
			 :
			 : "m"(gdtr), "i"(SEL_KCODE), "r"(SEL_KDATA), "r"(SEL_CPU), "r"(SEL_TSS),
			   "r"(0)
			 : "memory");
}

const size_t cpu_size = sizeof(struct tables);

/* Fill the tables of CPU id, and use them. cpu_self() works only then: not instrumented. */
UNSEEN void cpu_init(unsigned id)
{
	struct cpu *c = cpus[id];
	struct tables *t = (struct tables *)c;
	struct tss *tss = &t->tss, *df = &t->df;
	uint64_t *gdt = t->gdt;

	c->self = c;
	c->id = id;
	c->proc = c->idle = &boot;
	c->tss = tss;
	tss->ss0 = SEL_KDATA;
	tss->iomap = sizeof(*tss);
	df->ss0 = df->ss = df->ds = df->es = df->fs = SEL_KDATA;
	df->cs = SEL_KCODE;
	df->gs = SEL_CPU;
	df->eip = (uintptr_t)double_fault_entry;
	df->esp = (uintptr_t)t->dfstack + DF_STACK;
	df->cr3 = read_cr3();
	df->iomap = sizeof(*df);
	gdt[SEL_KCODE / 8] = segment_descriptor(0, UINT32_MAX, 0x9a);
	gdt[SEL_KDATA / 8] = segment_descriptor(0, UINT32_MAX, 0x92);
	gdt[SEL_UCODE / 8] = segment_descriptor(0, UINT32_MAX, 0xfa);
	gdt[SEL_UDATA / 8] = segment_descriptor(0, UINT32_MAX, 0xf2);
	gdt[SEL_CPU / 8] = segment_descriptor((uintptr_t)c, sizeof(*c) - 1, 0x92);
	gdt[SEL_TSS / 8] = segment_descriptor((uintptr_t)tss, sizeof(*tss) - 1, 0x89);
	gdt[SEL_DFTSS / 8] = segment_descriptor((uintptr_t)df, sizeof(*df) - 1, 0x89);
	load_segments(t);
}

/* Report a double fault: most often a kernel stack ran into its guard page. */
void double_fault(void)
{
	const struct tss *t = cpu_self()->tss; /* of the task that it ended */

	print_panic();
	printk("double fault at %08x, esp %08x: kernel stack overflow?\n", t->eip, t->esp);
	backtrace(t->eip, t->ebp, t->esp);
	panic("double fault");
}

/* Turn the nops around copies, and at entries, into SMAP's stac and clac. */
static void smap_on(void)
{
	static const uint8_t stac[] = {0x0f, 0x01, 0xcb}, clac[] = {0x0f, 0x01, 0xca};

	for (size_t i = 0; i < nelem(isr_clac_sites); i++)
		text_write(isr_clac_sites[i], clac, sizeof(clac));
	text_write(user_copy_sites.stac, stac, sizeof(stac));
	text_write(user_copy_sites.clac, clac, sizeof(clac));
}

void cpu_name(char name[CPU_NAME])
{
	struct cpuid r = cpuid(0);

	memset(name, 0, CPU_NAME);
	memcpy(name, (uint32_t[]){r.ebx, r.edx, r.ecx}, 12);
	if (cpuid(0x80000000).eax < 0x80000004)
		return;
	for (uint32_t i = 0; i < 3; i++) {
		r = cpuid(0x80000002 + i);
		memcpy(name + 16 * i, &r, 16);
	}
}

/* Switch on what this CPU offers against mistakes, and for floating point; say what it is. */
void cpu_protect(void)
{
	const struct cpuid has = cpuid(7), features = cpuid(1);
	const bool fxsr = features.edx >> 24 & 1;
	const struct {
		bool offered;
		uint32_t bit;
		const char *name;
	} row[] = {
		{pte_nx, 0, " NX"}, /* which is on since there are page tables */
		{has.ebx >> 7 & 1, CR4_SMEP, " SMEP"},
		{has.ebx >> 20 & 1, CR4_SMAP, " SMAP"},
		{has.ecx >> 2 & 1, CR4_UMIP, " UMIP"},
		{fxsr, CR4_OSFXSR, ""},
		{features.edx >> 25 & 1, CR4_OSXMMEXCPT, ""},
	};
	char name[CPU_NAME], list[24] = "";
	size_t n = 0;
	uint32_t bits = 0, cr0 = read_cr0() & ~(CR0_EM | CR0_MP);

	for (size_t i = 0; i < nelem(row); i++) {
		if (!row[i].offered)
			continue;
		bits |= row[i].bit;
		n += strlcpy(list + n, row[i].name, sizeof(list) - n);
	}
	if ((bits & CR4_SMAP) && cpu_self()->id == 0) /* text is the same for all */
		smap_on();
	write_cr4(read_cr4() | bits);
	if (fxsr)
		cr0 |= CR0_MP | CR0_NE | CR0_TS; /* kernel/sched/fpu.h */
	else
		cr0 |= CR0_EM; /* floating point ends a program */
	write_cr0(cr0 | CR0_WP);
	cpu_name(name);
	printk("cpu%u: %s, PAE%s\n", cpu_self()->id, name, list);
}
