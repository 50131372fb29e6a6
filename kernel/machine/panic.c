/* Panics, back traces with names, and switching the machine off. */
#include "kernel/machine/panic.h"
#include "kernel/machine/image.h"
#include "kernel/machine/smp.h"
#include "kernel/machine/string.h"
#include "kernel/prof/hooks.h"

#define MAXFRAMES 24
#define MAXPUSHED 6 /* words, by a function that has no frame yet */

static const uint8_t mov_ebp_esp[] = {0x89, 0xe5}; /* the instruction that makes the frame */

void (*machine_off_hook)(int status);

/* Switch the power off, or under test tell QEMU's exit device; else stop for good. */
void machine_off(int status)
{
	irq_off();
	if (machine_off_hook)
		machine_off_hook(status);
	for (;;)
		__asm__ volatile("cli; hlt");
}

/* Return whether pc lies in kernel text. */
static bool in_text(uint32_t pc)
{
	return in_range(pc, (uintptr_t)ktzero, (uintptr_t)etext);
}

const char *ksym_name(uint32_t pc, uint32_t *off)
{
	uint32_t lo = 0, hi = ksym_count;

	if (ksym_count == 0 || !in_range(pc, ksym_addr[0], (uintptr_t)etext))
		return NULL;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (ksym_addr[mid] <= pc)
			lo = mid;
		else
			hi = mid;
	}
	*off = pc - ksym_addr[lo];
	return ksym_names + ksym_off[lo];
}

/* Print one line of a back trace. */
static void print_frame(uint32_t pc)
{
	uint32_t off;
	const char *name = ksym_name(pc, &off);

	if (name)
		printk("  %08x %s+0x%x\n", pc, name, off);
	else
		printk("  %08x\n", pc);
}

/* Return whether ebp can be a frame: aligned, surely mapped, and further up the stack. */
static bool frame_plausible(uint32_t ebp, uint32_t above)
{
	if (ebp % 4 != 0 || ebp / PAGE != (ebp + 7) / PAGE)
		return false;
	return in_range(ebp, above + 1, above + KSTACK_PAGES * PAGE);
}

/*
 * If the function that went wrong at eip had not made its frame yet, print what called it: the
 * stack then begins with at most a few words that it has pushed, and the return address.
 */
static void print_caller(uint32_t eip, const uint32_t *sp)
{
	uint32_t off = 0;

	ksym_name(eip, &off);
	for (const uint8_t *code = (const uint8_t *)(uintptr_t)(eip - off); off > 0; code++, off--)
		if (memcmp(code, mov_ebp_esp, sizeof(mov_ebp_esp)) == 0)
			return;
	for (int i = 0; i < MAXPUSHED; i++)
		if (in_text(sp[i]))
			return print_frame(sp[i]);
}

/*
 * Print the calls that led to eip, by the stack at esp and the chain of frame pointers that starts
 * at ebp. Only the first call prints: a panic that follows a fault adds nothing to its trace.
 */
void backtrace(uint32_t eip, uint32_t ebp, uint32_t esp)
{
	static bool told;
	uint32_t above = esp - 4; /* a frame may begin at esp */

	if (told)
		return;
	told = true;
	hook_panic();
	print_frame(eip);
	print_caller(eip, (const uint32_t *)(uintptr_t)esp);
	for (int i = 0; i < MAXFRAMES && frame_plausible(ebp, above); i++) {
		const uint32_t *frame = (const uint32_t *)(uintptr_t)ebp;

		if (!in_text(frame[1]))
			break;
		print_frame(frame[1]);
		above = ebp;
		ebp = frame[0];
	}
}

/* Stop the other CPUs, and print a last line without waiting for any lock. */
static void panic_line(const char *prefix, const char *fmt, va_list ap)
{
	char line[200];

	irq_off();
	smp_stop();
	print_panic();
	vsnprintf(line, sizeof(line), fmt, ap);
	printk("%s: %s\n", prefix, line);
}

/* Print what happened and the calls that led to it, and stop the machine with a failure. */
void panic(const char *fmt, ...)
{
	const uint32_t *frame = __builtin_frame_address(0);
	va_list ap;

	va_start(ap, fmt);
	panic_line("panic", fmt, ap);
	va_end(ap);
	hook_panic(); /* before this function's own return address is read */
	backtrace(frame[1], frame[0], (uintptr_t)(frame + 2));
	machine_off(1);
}

/*
 * Print what the machine or the boot loader does not provide, and stop the machine with a
 * failure. The kernel is not at fault then, so there is no back trace.
 */
void lacking(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	panic_line("gnomon", fmt, ap);
	va_end(ap);
	machine_off(1);
}
