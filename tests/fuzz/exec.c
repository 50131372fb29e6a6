/*
 * The kernel's program loader, kernel/process/elf.c and args.c: ELF executables and scripts. Here
 * is what is below it: one file, an address space that is a list of ranges, and a heap that knows
 * its blocks.
 * Runs: 50000
 * Links: tests/fuzz/mutate.c tests/fuzz/elffields.c kernel/process/elf.c kernel/process/args.c
 */
#include "tests/kernel/host.h"
#include "tests/fuzz/elffields.h"
#include "kernel/process/args.h"
#include "kernel/file/dev.h"
#include "kernel/prof/hooks.h"
#include "kernel/memory/vm.h"
#include "kernel/abi/errno.h"
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/open.h"
#include "kernel/machine/copy.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/page.h"
#include "kernel/process/proc.h"

#define RANGES 32
#define BLOCKS 64
#define STACK (64u * 1024)

struct proc fake_proc, *fake_self = &fake_proc;

static const uint8_t *file;
static size_t size;
static jmp_buf started;
static void *block[BLOCKS];
static unsigned nopens;

struct vm {
	struct range {
		uint32_t start, end;
		int prot;
	} range[RANGES];
	unsigned n;
	uint32_t brk;
	uint8_t page[PAGE];
};

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	elf_fields(f, data, n);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

void *kmalloc(size_t n)
{
	unsigned i = 0;

	while (i < BLOCKS && block[i])
		i++;
	if (i == BLOCKS || n > 1u << 20)
		abort();
	block[i] = malloc(n ? n : 1);
	return memset(block[i], 0xa5, n);
}

void kfree(void *p)
{
	unsigned i = 0;

	while (p && i < BLOCKS && block[i] != p)
		i++;
	if (i == BLOCKS)
		abort();
	if (p)
		block[i] = NULL;
	free(p);
}

void *frame_alloc_n(size_t n)
{
	return kmalloc(n * PAGE);
}

void frame_free_n(void *p, size_t n)
{
	kfree(p);
}

size_t strlcpy(char *to, const char *from, size_t to_size)
{
	size_t n = strlen(from);

	if (n >= to_size)
		abort();
	memcpy(to, from, n + 1);
	return n;
}

int fake_give_way(void)
{
	return 0;
}

/* Arguments come from the kernel here, not from a user. */
int copyin(void *to, const void *user, size_t n)
{
	abort();
}

int copyinstr(char *to, const char *user, size_t n)
{
	return copyin(to, user, n);
}

struct vm *vm_new(unsigned)
{
	return kzalloc(sizeof(struct vm));
}

void vm_put(struct vm *vm)
{
	kfree(vm);
}

/* Ranges do not overlap; what is the file's own is read-only, and of whole pages that it has. */
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot, uint32_t offset)
{
	if (start % PAGE || end % PAGE || (prot & VM_W && prot & VM_X))
		abort();
	if (offset != VM_NOFILE && (prot & VM_W || offset + (uint64_t)(end - start) > size + PAGE))
		abort();
	if (start >= end || start < PAGE || end > USER_TOP)
		return -EINVAL;
	for (unsigned i = 0; i < vm->n; i++)
		if (start < vm->range[i].end && vm->range[i].start < end)
			return -EINVAL;
	if (vm->n == RANGES)
		abort();
	vm->range[vm->n++] = (struct range){start, end, prot};
	return 0;
}

int vm_growing(struct vm *vm, uint32_t data_end)
{
	if (data_end > USER_TOP)
		abort();
	vm->brk = data_end;
	return vm_map(vm, USER_TOP - STACK, USER_TOP, VM_R | VM_W, VM_NOFILE);
}

/* Check that n bytes are in one range. */
static bool mapped(const struct vm *vm, uint32_t va, size_t n)
{
	for (unsigned i = 0; i < vm->n; i++)
		if (va >= vm->range[i].start && va < vm->range[i].end &&
		    n <= vm->range[i].end - va)
			return true;
	return false;
}

/* The page's bytes from va on, of which there must be n. */
void *page_load(struct vm *vm, uint32_t va, size_t n)
{
	if (!mapped(vm, va, n) || n == 0 || va % PAGE + n > PAGE)
		abort();
	return vm->page + va % PAGE;
}

/* Files of an odd size have their content in pages, which begin with the file. */
static uint32_t hold(struct chan *c)
{
	return c->held = size % 2 * (uint32_t)size;
}

static const void *page(const struct chan *c, uint32_t off)
{
	if (off >= size)
		abort();
	return (const void *)(uintptr_t)off;
}

/* Every path is the one file; scripts name others, or it. */
int ns_open(const char *path, int flags, uint32_t mode, struct chan **c)
{
	static const struct dev dev = {.hold = hold, .page = page};
	static struct chan one = {.dev = &dev};

	if (!*path || strlen(path) > 128)
		return -ENOENT;
	one.name = (char *)(uintptr_t)"/bin/program";
	one.ref = 1;
	one.held = 0;
	nopens++;
	*c = &one;
	return 0;
}

void chan_free(struct chan *c)
{
	nopens--;
}

int chan_stat(struct chan *c, struct stat *st)
{
	*st = (struct stat){.st_mode = S_IFREG | 0755};
	return 0;
}

int chan_permit(struct chan *c, int how)
{
	return 0;
}

ssize_t chan_pread(struct chan *c, void *buf, size_t n, uint64_t off)
{
	size_t left = off < size ? size - off : 0;

	n = n < left ? n : left;
	memcpy(buf, file + off, n);
	return (ssize_t)n;
}

/* The program would start now. exec() is left here, for what it does next is the machine's. */
void proc_becomes(struct vm *vm, struct chan *program, char *path, char *args, uint32_t text,
		  uint32_t textsize)
{
	if (strcmp(path, "/bin/program") != 0 || strlen(args) > 255 ||
	    (textsize && !mapped(vm, text, textsize)))
		abort();
	longjmp(started, 1);
}

void hook_exec(struct chan *program)
{
	abort();
}

void fds_exec(struct fdtable *t)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct trapframe tf;
	struct args *args;
	volatile bool ran = true;

	file = data;
	size = n;
	nopens = 0;
	args = args_new();
	if (args_first(args, "program") != 0)
		abort();
	strlcpy(args->path, "/bin/program", sizeof(args->path));
	if (setjmp(started) == 0)
		ran = exec(args, &tf) == 0;
	args_free(args);
	if (!ran && nopens)
		abort();
	for (unsigned i = 0; i < BLOCKS; i++) {
		if (!ran && block[i])
			abort();
		free(block[i]);
		block[i] = NULL;
	}
	return 0;
}
