/* Programs: ELF32 executables and "#!" scripts. System V ABI, chapters 4 and 5. */
#include "kernel/abi/elf.h"
#include "kernel/dev.h"
#include "kernel/memory.h"
#include "kernel/prof/hooks.h"
#include "kernel/vm.h"

#define MAXPHDR 16
#define MAXSCRIPT 4 /* how deep scripts may be run by scripts */

/* A program being loaded. */
struct image {
	struct vm *vm;
	uint32_t entry, end, esp;
	uint32_t text, textsize; /* the first segment that can be executed */
};

/* Translate a program header's flags to VM_ bits. */
static int prot_of(uint32_t flags)
{
	return (flags & PF_R ? VM_R : 0) | (flags & PF_W ? VM_W : 0) | (flags & PF_X ? VM_X : 0);
}

/* Read n bytes of the file at off to user address va, page by page. */
static int read_pages(struct chan *c, struct vm *vm, uint32_t va, uint32_t off, uint32_t n)
{
	while (n > 0) {
		uint32_t part = PAGE - va % PAGE < n ? PAGE - va % PAGE : n;
		void *to = vm_page(vm, va, part);
		if (!to)
			return -ENOMEM;
		if (chan_pread(c, to, part, off) != (ssize_t)part)
			return -ENOEXEC;
		va += part;
		off += part;
		n -= part;
	}
	return 0;
}

/* Map one segment of the file, and read it. -ENOEXEC, -ENOMEM. */
static int load_segment(struct chan *c, struct image *im, const struct elf32_segment *ph)
{
	uint32_t start = ph->vaddr & ~(PAGE - 1);
	int prot = prot_of(ph->flags);

	if ((prot & VM_W && prot & VM_X) || ph->memsz < ph->filesz)
		return -ENOEXEC;
	if (ph->vaddr < PAGE || ph->vaddr > USER_TOP - PAGE ||
	    ph->memsz > USER_TOP - PAGE - ph->vaddr || ph->offset > UINT32_MAX - ph->filesz)
		return -ENOEXEC;
	uint32_t end = (ph->vaddr + ph->memsz + PAGE - 1) & ~(PAGE - 1);
	int err = vm_map(im->vm, start, end, prot);
	if (err)
		return err == -EINVAL ? -ENOEXEC : err;
	if (ph->vaddr + ph->memsz > im->end)
		im->end = ph->vaddr + ph->memsz;
	if (ph->flags & PF_X && im->textsize == 0) {
		im->text = ph->vaddr;
		im->textsize = ph->memsz;
	}
	return read_pages(c, im->vm, ph->vaddr, ph->offset, ph->filesz);
}

/* Load the program of file c, whose header is given, into a new address space. */
static int load(struct chan *c, const struct elf32_head *eh, struct image *im)
{
	struct elf32_segment ph[MAXPHDR];
	ssize_t size = eh->phnum * (ssize_t)sizeof(ph[0]);

	if (eh->ident.class != ELFCLASS32 || eh->ident.data != ELFDATA2LSB ||
	    eh->type != ET_EXEC || eh->machine != EM_386 ||
	    eh->phentsize != sizeof(ph[0]) || eh->phnum == 0 || eh->phnum > MAXPHDR ||
	    chan_pread(c, ph, (size_t)size, eh->phoff) != size)
		return -ENOEXEC;
	im->vm = vm_new();
	if (!im->vm)
		return -ENOMEM;
	im->entry = eh->entry;
	for (unsigned i = 0; i < eh->phnum; i++) {
		int err = ph[i].type == PT_LOAD ? load_segment(c, im, &ph[i]) : 0;
		if (err)
			return err;
	}
	int err = vm_setbrk(im->vm, im->end);
	if (!err)
		err = vm_stack(im->vm);
	return err == -EINVAL ? -ENOEXEC : err;
}

/* Copy the strings below *esp; their user addresses go to at[]. */
static int push_strings(struct image *im, char *const *s, unsigned n, uint32_t *at)
{
	for (unsigned i = 0; i < n; i++) {
		size_t len = strlen(s[i]) + 1;
		im->esp -= len;
		int err = vm_fill(im->vm, im->esp, s[i], len);
		if (err)
			return err;
		at[i] = im->esp;
	}
	at[n] = 0;
	return 0;
}

/* Lay out the stack that crt0 expects: argc, argv, NULL, environment, NULL; strings above. */
static int push_args(struct image *im, const struct args *a)
{
	size_t size = (a->argc + a->envc + 3) * sizeof(uint32_t);
	uint32_t *words = kmalloc(size);

	if (!words)
		return -ENOMEM;
	im->esp = USER_TOP - HOOK_USER_STACK;
	words[0] = a->argc;
	int err = push_strings(im, a->argv, a->argc, words + 1);
	if (!err)
		err = push_strings(im, a->envp, a->envc, words + a->argc + 2);
	if (!err) {
		im->esp = (im->esp - size) & ~15u;
		err = vm_fill(im->vm, im->esp, words, size);
	}
	kfree(words);
	return err;
}

/* Join the arguments in one string, for ps, cut to what a line holds. */
static char *join(char *const *argv, unsigned argc)
{
	char line[256];
	size_t n = 0;

	line[0] = 0;
	for (unsigned i = 1; i < argc && n + 1 < sizeof(line); i++)
		n += (size_t)snprintf(line + n, sizeof(line) - n, "%s%s", i > 1 ? " " : "",
				      argv[i]);
	return kstrdup(line);
}

/* Put the loaded program in the place of the calling process's old one; cannot fail. */
static void commit(struct image *im, char *path, char *args, struct trapframe *tf)
{
	struct proc *p = proc_self();

	proc_becomes(im->vm, path, args, im->text, im->textsize);
	hook_exec();
	if (p->fds)
		fds_exec(p->fds);
	memset(tf, 0, sizeof(*tf));
	tf->cs = SEL_UCODE;
	tf->ds = tf->es = tf->gs = tf->ss = SEL_UDATA;
	__asm__ volatile("movl %0, %%fs" : : "r"(SEL_UDATA));
	tf->eflags = EFL_IF | 2;
	tf->eip = im->entry;
	tf->esp = im->esp;
}

static int run_elf(struct chan *c, const struct elf32_head *eh, const struct args *a,
		   struct trapframe *tf)
{
	struct image im = {0};
	int err = load(c, eh, &im);

	if (!err)
		err = push_args(&im, a);
	char *name = err ? NULL : kstrdup(c->name);
	char *args = err ? NULL : join(a->argv, a->argc);
	if (!err && (!name || !args))
		err = -ENOMEM;
	if (err) {
		kfree(name);
		kfree(args);
		vm_put(im.vm);
		return err;
	}
	commit(&im, name, args, tf);
	return 0;
}

/* Cut the first line of a script, "#!interpreter argument", in two. */
static bool script_line(char *head, char **interp, char **arg)
{
	char *end = strchr(head, '\n'), *s = head + 2;

	if (!end)
		return false;
	while (end > s && (end[-1] == ' ' || end[-1] == '\r'))
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

/* Run the script's interpreter with the script's name before its arguments. */
static int run_script(char *head, const char *path, const struct args *a, struct trapframe *tf)
{
	struct args script = *a;
	char *interp, *arg;
	unsigned n = 0;

	if (script.depth++ == MAXSCRIPT)
		return -ELOOP;
	if (!script_line(head, &interp, &arg))
		return -ENOEXEC;
	char **words = kmalloc((a->argc + 3) * sizeof(*words));
	if (!words)
		return -ENOMEM;
	words[n++] = interp;
	if (arg)
		words[n++] = arg;
	words[n++] = (char *)(uintptr_t)path;
	for (unsigned i = 1; i < a->argc; i++)
		words[n++] = a->argv[i];
	script.argv = words;
	script.argc = n;
	int err = exec(interp, &script, tf);
	kfree(words);
	return err;
}

/* Open path for execution: a plain file that the caller may execute. */
static int open_program(const char *path, struct chan **c)
{
	struct stat st;
	int err = ns_open(path, O_RDONLY, 0, c);

	if (err)
		return err;
	err = chan_stat(*c, &st);
	if (!err)
		err = (st.st_mode & S_IFMT) == S_IFREG ? chan_permit(*c, MAY_EXEC) : -EACCES;
	if (err)
		chan_put(*c);
	return err;
}

/*
 * Replace the calling process's program. On success tf is where the new program starts; on
 * failure nothing has changed. -ENOENT, -EACCES, -ENOEXEC, -ENOMEM, -ELOOP.
 */
int exec(const char *path, const struct args *a, struct trapframe *tf)
{
	union {
		struct elf32_head eh;
		char text[129];
	} head;
	struct chan *c;
	int err = open_program(path, &c);

	if (err)
		return err;
	memset(&head, 0, sizeof(head));
	ssize_t n = chan_pread(c, &head, sizeof(head.text) - 1, 0);
	if (n >= (ssize_t)sizeof(head.eh) && head.eh.ident.magic == ELF_MAGIC)
		err = run_elf(c, &head.eh, a, tf);
	else if (n > 2 && head.text[0] == '#' && head.text[1] == '!')
		err = run_script(head.text, path, a, tf);
	else
		err = n < 0 ? n : -ENOEXEC;
	chan_put(c);
	return err;
}
