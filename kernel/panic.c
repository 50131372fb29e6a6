/* Panics, back traces with names, and switching the machine off. */
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/smp.h"

#define MAXFRAMES 24
#define MAXPUSHED 6	   /* words, by a function that has no frame yet */
#define MOV_EBP_ESP 0xe589 /* mov ebp, esp: the frame is made */

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
	return pc >= (uintptr_t)ktzero && pc < (uintptr_t)etext;
}

/* Return the function that pc lies in, and how far into it; NULL outside kernel text. */
static const char *ksym_name(uint32_t pc, uint32_t *off)
{
	uint32_t lo = 0, hi = ksym_count;

	if (!in_text(pc) || ksym_count == 0 || pc < ksym_addr[0])
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
static bool frame_ok(uint32_t ebp, uint32_t above)
{
	return ebp % 4 == 0 && ebp > above && ebp - above < KSTACK_PAGES * PAGE &&
	       ebp / PAGE == (ebp + 7) / PAGE;
}

/*
 * Print what called a function that went wrong at eip before it had made its frame, if it had not:
 * its stack then begins with at most a few words that it has pushed, and the return address.
 */
static void print_caller(uint32_t eip, const uint32_t *sp)
{
	uint32_t off = 0;

	ksym_name(eip, &off);
	for (const uint8_t *code = (const uint8_t *)(uintptr_t)(eip - off); off > 0; code++, off--)
		if (code[0] == (MOV_EBP_ESP & 0xff) && code[1] == MOV_EBP_ESP >> 8)
			return;
	for (int i = 0; i < MAXPUSHED; i++)
		if (in_text(sp[i]))
			return print_frame(sp[i]);
}

/*
 * Print the calls that led to eip, by the stack at esp and the chain of frame pointers that starts
 * at ebp. There is one such trace: a panic that follows a fault has been told of already.
 */
void backtrace(uint32_t eip, uint32_t ebp, uint32_t esp)
{
	static bool told;
	uint32_t above = esp;

	if (told)
		return;
	told = true;
	print_frame(eip);
	print_caller(eip, (const uint32_t *)(uintptr_t)esp);
	for (int i = 0; i < MAXFRAMES && frame_ok(ebp, above); i++) {
		const uint32_t *frame = (const uint32_t *)(uintptr_t)ebp;

		if (!in_text(frame[1]))
			break;
		print_frame(frame[1]);
		above = ebp;
		ebp = frame[0];
	}
}

/* Stop the other CPUs, and print a line that nothing may hold up any more. */
static void last_line(const char *prefix, const char *fmt, va_list ap)
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
	last_line("panic", fmt, ap);
	va_end(ap);
	backtrace(frame[1], frame[0], (uintptr_t)(frame + 2));
	machine_off(1);
}

/*
 * Print what the machine or the boot loader does not provide, and stop the machine with a
 * failure. The kernel is not wrong then, so where it was does not matter.
 */
void lacking(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	last_line("gnomon", fmt, ap);
	va_end(ap);
	machine_off(1);
}
