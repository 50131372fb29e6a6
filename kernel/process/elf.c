/* Programs: ELF32 executables and "#!" scripts. System V ABI, chapters 4 and 5. */
#include "kernel/process/args.h"
#include "kernel/abi/elf.h"
#include "kernel/file/fd.h"
#include "kernel/file/file.h"
#include "kernel/file/open.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/page.h"
#include "kernel/memory/vm.h"
#include "kernel/prof/hooks.h"
#include "kernel/sched/sched.h"

#define MAXPHDR 16
#define SCRIPT_LINE 128	     /* bytes of a script's first line that are looked at */
#define SHOWN_ARGS 256	     /* bytes of the arguments that ps shows */

/* A program being loaded. */
struct image {
	struct chan *file;
	struct vm *vm;
	uint32_t end, esp;
	uint32_t text, textsize; /* the first segment that can be executed */
	union {
		struct elf32_head eh;
		char text[SCRIPT_LINE + 1];
	} head; /* how the file begins */
	struct elf32_segment ph[MAXPHDR];
	char args[SHOWN_ARGS];
};

_Static_assert(!((PF_R ^ VM_R) | (PF_W ^ VM_W) | (PF_X ^ VM_X)), "segments' flags are the map's");

/* Read n bytes of the file at off to user address va, page by page. */
static int read_pages(struct chan *c, struct vm *vm, uint32_t va, uint32_t off, uint32_t n)
{
	while (n > 0) {
		uint32_t part = min_size(PAGE - va % PAGE, n);
		void *to = page_load(vm, va, part);
		if (!to)
			return -ENOMEM;
		if (chan_pread(c, to, part, off) != (ssize_t)part)
			return -ENOEXEC;
		int err = give_way();
		if (err)
			return err;
		va += part;
		off += part;
		n -= part;
	}
	return 0;
}

#define VM_WX (VM_W | VM_X)

/*
 * Return where in the file the first page of a segment is, which ends at `past` there, if all of
 * its pages can be the file's own; else VM_NOFILE.
 */
static uint32_t elf_shares(const struct image *im, const struct elf32_segment *ph, uint64_t past)
{
	if (past > im->file->held || ph->flags & PF_W)
		return VM_NOFILE;
	if (ph->memsz > ph->filesz)
		return VM_NOFILE;
	uint32_t at = (uint32_t)(uintptr_t)im->file->dev->page(im->file, ph->offset);
	if ((at ^ ph->vaddr) % PAGE || ph->offset < ph->vaddr % PAGE)
		return VM_NOFILE;
	return ph->offset - ph->vaddr % PAGE;
}

/*
 * Map one segment of the file, unless it is empty, and read it, or have it share the file's pages.
 * Pages that cannot be written have to be in the file: others would be charged to nobody, however
 * many there were, but take time. -EINTR, -ENOEXEC, -ENOMEM.
 */
static int elf_load_segment(struct image *im, const struct elf32_segment *ph)
{
	uint32_t start = ph->vaddr & ~(PAGE - 1);
	uint64_t past = (uint64_t)ph->vaddr + ph->memsz;
	uint64_t file_past = (uint64_t)ph->offset + ph->filesz;
	int prot = (int)ph->flags & (VM_R | VM_W | VM_X);

	if ((prot & VM_WX) == VM_WX || ph->memsz < ph->filesz)
		return -ENOEXEC;
	if (ph->memsz == 0)
		return 0;
	if (past > USER_TOP - PAGE || file_past > UINT32_MAX)
		return -ENOEXEC; /* not in user space, or no offsets of a file */
	uint32_t end = (ph->vaddr + ph->memsz + PAGE - 1) & ~(PAGE - 1);
	if (!(prot & VM_W) && end - ph->vaddr >= ph->filesz + PAGE)
		return -ENOEXEC;
	uint32_t offset = elf_shares(im, ph, file_past);
	int err = vm_map(im->vm, start, end, prot, offset);
	if (err)
		return err;
	if (ph->vaddr + ph->memsz > im->end)
		im->end = ph->vaddr + ph->memsz;
	if (ph->flags & PF_X && im->textsize == 0) {
		im->text = ph->vaddr;
		im->textsize = ph->memsz;
	}
	if (offset != VM_NOFILE)
		return 0;
	return read_pages(im->file, im->vm, ph->vaddr, ph->offset, ph->filesz);
}

/* Return whether the file begins as a program for this machine does. */
static bool head_suits(const struct elf32_head *eh)
{
	bool suits = eh->ident.class == ELFCLASS32;

	suits &= eh->ident.data == ELFDATA2LSB;
	suits &= eh->type == ET_EXEC;
	suits &= eh->machine == EM_386;
	suits &= eh->phentsize == sizeof(struct elf32_segment);
	suits &= in_range(eh->phnum, 1, MAXPHDR + 1);
	return suits;
}

/* Load the program into a new address space. -EINTR, -ENOEXEC, -ENOMEM. */
static int elf_load(struct image *im)
{
	const struct elf32_head *eh = &im->head.eh;
	ssize_t size = eh->phnum * (ssize_t)sizeof(im->ph[0]);

	if (!head_suits(eh))
		return -ENOEXEC;
	if (chan_pread(im->file, im->ph, (size_t)size, eh->phoff) != size)
		return -ENOEXEC;
	im->vm = vm_new(eh->phnum + 2u); /* heap and stack */
	if (!im->vm)
		return -ENOMEM;
	if (im->file->dev->hold)
		im->file->dev->hold(im->file);
	for (unsigned i = 0; i < eh->phnum; i++) {
		if (im->ph[i].type != PT_LOAD)
			continue;
		int err = elf_load_segment(im, &im->ph[i]);
		if (err)
			return err;
	}
	return vm_growing(im->vm, im->end);
}

/*
 * Put the loaded program in the place of the calling process's old one; cannot fail. The strings
 * become the process's own. While eip is 0 a path of calls has no address of the program's: there
 * is none that goes with its name, which changes in between.
 */
static void elf_commit(struct image *im, char *path, char *args, struct trapframe *tf)
{
	struct proc *p = proc_self();

	tf->eip = 0;
	proc_becomes(im->vm, im->file, path, args, im->text, im->textsize);
	im->file = NULL;
	hook_exec(p->program);
	fds_exec(p->fds);
	*tf = (struct trapframe){
		.cs = SEL_UCODE, .ds = SEL_UDATA, .es = SEL_UDATA, .gs = SEL_UDATA, .ss = SEL_UDATA,
		.eflags = EFL_IF | 2, .esp = im->esp,
	};
	__asm__ volatile("movl %0, %%fs" : : "r"(SEL_UDATA));
	__atomic_store_n(&tf->eip, im->head.eh.entry, __ATOMIC_RELEASE);
}

/* Load the program that im->file is, and run it. */
static int elf_run(struct image *im, const struct args *a, struct trapframe *tf)
{
	int err = elf_load(im);

	im->esp = USER_TOP - HOOK_USER_STACK;
	if (!err)
		err = args_push(a, im->vm, &im->esp);
	if (err)
		return err;
	args_join(a, im->args, sizeof(im->args));
	char *name = kstrdup(im->file->name), *args = kstrdup(im->args);
	if (name && args) {
		elf_commit(im, name, args, tf);
		return 0;
	}
	kfree(name);
	kfree(args);
	return -ENOMEM;
}

/* Cut the first line of a script, "#!interpreter argument", in two. */
static bool script_line(char *head, char **interp, char **arg)
{
	char *end = strchr(head, '\n'), *s = head + 2;

	if (!end)
		return false;
	while (end[-1] == ' ' || end[-1] == '\r') /* at most to the "!" */
		end--;
	*end = 0;
	while (*s == ' ')
		s++;
	*interp = s;
	char *blank = strchr(s, ' ');
	if (blank)
		*blank++ = 0;
	while (blank && *blank == ' ')
		blank++;
	*arg = blank;
	return *s != 0;
}

/*
 * Open the file of a->path, which must be a plain file that the caller may execute, and read how it
 * begins. 1: it names an interpreter. The file may be open on failure, too.
 */
static int read_head(struct image *im, const struct args *a)
{
	int err = ns_open(a->path, O_RDONLY, 0, &im->file);

	if (err)
		return err;
	if (im->file->type != S_IFREG)
		return -EACCES;
	err = chan_permit(im->file, MAY_EXEC);
	if (err)
		return err;
	ssize_t n = chan_pread(im->file, &im->head, SCRIPT_LINE, 0);
	if (n < 0)
		return n;
	im->head.text[n] = 0;
	if (strncmp(im->head.text, "#!", 2) == 0)
		return 1;
	if (n < (ssize_t)sizeof(im->head.eh) || im->head.eh.ident.magic != ELF_MAGIC)
		return -ENOEXEC;
	return 0;
}

/*
 * Find the program that a->path leads to, by way of at most MAXSCRIPT scripts: each puts its
 * interpreter, and words for that, in the place of a's path and argument 0.
 */
static int find_program(struct image *im, struct args *a)
{
	char *interp, *arg;

	for (int i = 0; i <= MAXSCRIPT; i++) {
		int err = read_head(im, a);

		if (err <= 0)
			return err;
		chan_put(im->file);
		im->file = NULL;
		if (!script_line(im->head.text, &interp, &arg))
			return -ENOEXEC;
		err = args_script(a, interp, arg);
		if (err)
			return err;
		strlcpy(a->path, interp, sizeof(a->path));
	}
	return -ELOOP;
}

/*
 * Replace the calling process's program by the one at a->path. On success tf is where it starts;
 * on failure nothing has changed but *a. -EINVAL without an argument 0, -ENOENT, -EACCES, -EINTR,
 * -ENOEXEC, -ENOMEM, -ELOOP.
 */
int exec(struct args *a, struct trapframe *tf)
{
	if (a->argc == 0)
		return -EINVAL;
	struct image *im = kmalloc(sizeof(*im));
	if (!im)
		return -ENOMEM;
	im->file = NULL;
	im->vm = NULL;
	im->end = im->text = im->textsize = 0;
	int err = find_program(im, a);
	if (!err)
		err = elf_run(im, a, tf);
	if (err)
		vm_put(im->vm);
	chan_put(im->file);
	kfree(im);
	return err;
}
