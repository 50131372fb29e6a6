/* Arguments and environment of a program to be run. System V ABI, chapter 3: the first stack. */
#include "kernel/process/args.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/user.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/page.h"
#include "kernel/sched/sched.h"

/* What a caller's words may take; the rest of ARG_MAX is for pointers to them, and the path. */
#define TEXT_MAX (ARG_MAX - NARG_MAX * sizeof(uint32_t) - PATH_MAX)

_Static_assert(ARG_MAX <= UINT16_MAX + 1, "16 bits say where a word begins");
_Static_assert(ARG_MAX - TEXT_MAX > PATH_MAX + MAXSCRIPT * 2 * 256, "scripts' words fit");
_Static_assert(sizeof(struct args) <= PAGE, "no more than a page in one piece");

struct args *args_new(void)
{
	struct args *a = kmalloc(sizeof(*a));

	if (a) {
		a->argc = a->envc = a->size = 0;
		memset(a->page, 0, sizeof(a->page));
	}
	return a;
}

void args_free(struct args *a)
{
	for (unsigned i = 0; i < nelem(a->page) && a->page[i]; i++)
		frame_free(a->page[i]);
	kfree(a);
}

/*
 * Return where the text goes on, in a page that is taken when the text reaches it; *room is how
 * many bytes it may have there. NULL when out of memory.
 */
static uint8_t *text_end(struct args *a, uint32_t limit, uint32_t *room)
{
	uint32_t i = a->size / PAGE, in = a->size % PAGE;

	*room = min_size(limit - a->size, PAGE - in);
	if (!a->page[i])
		a->page[i] = frame_alloc();
	if (!a->page[i])
		return NULL;
	return a->page[i] + in;
}

/* Append a user's string to the text. -E2BIG, -EFAULT, -EINTR, -ENOMEM. */
static int string_in(struct args *a, uint32_t user)
{
	uint32_t room;
	int n;

	for (;; a->size += room, user += room) {
		if (a->size == TEXT_MAX)
			return -E2BIG;
		uint8_t *to = text_end(a, TEXT_MAX, &room);
		if (!to)
			return -ENOMEM;
		n = copyinstr((char *)to, user_ptr(user), room);
		if (n != -ENAMETOOLONG)
			break;
		n = give_way();
		if (n)
			return n;
	}
	if (n < 0)
		return n;
	a->size += (uint32_t)n + 1;
	return 0;
}

int args_in(struct args *a, uint32_t user, unsigned *n)
{
	for (uint32_t at = user; at; at += 4) {
		uint32_t word;

		if (copyin(&word, user_ptr(at), sizeof(word)) != 0)
			return -EFAULT;
		if (!word)
			break;
		if (a->argc + a->envc == NARG_MAX)
			return -E2BIG;
		a->at[a->argc + a->envc] = (uint16_t)a->size;
		int err = string_in(a, word);
		if (err)
			return err;
		++*n;
	}
	return 0;
}

/* Append the kernel's string s to the text, and note where it begins. -ENOMEM. */
static int string_add(struct args *a, const char *s, uint16_t *at)
{
	size_t n = strlen(s) + 1;

	*at = (uint16_t)a->size;
	while (n > 0) {
		uint32_t room;
		uint8_t *to = text_end(a, ARG_MAX, &room);

		if (!to)
			return -ENOMEM;
		room = min_size(room, n);
		memcpy(to, s, room);
		a->size += room;
		s += room;
		n -= room;
	}
	return 0;
}

int args_first(struct args *a, const char *s)
{
	a->argc = 1;
	return string_add(a, s, &a->at[0]);
}

int args_script(struct args *a, const char *interp, const char *arg)
{
	unsigned n = 2 + (arg != NULL);
	uint16_t at[3];
	int err = string_add(a, interp, &at[0]);

	if (!err && arg)
		err = string_add(a, arg, &at[1]);
	if (!err)
		err = string_add(a, a->path, &at[n - 1]);
	if (err)
		return err;
	memmove(&a->at[n], &a->at[1], (a->argc - 1 + a->envc) * sizeof(at[0]));
	memcpy(a->at, at, n * sizeof(at[0]));
	a->argc += n - 1;
	return 0;
}

void args_join(const struct args *a, char *to, size_t size)
{
	size_t n = 0;

	for (unsigned i = 1; i < a->argc; i++) {
		if (i > 1 && n + 1 < size)
			to[n++] = ' ';
		for (uint32_t at = a->at[i]; n + 1 < size; at++) {
			char c = (char)a->page[at / PAGE][at % PAGE];

			if (!c)
				break;
			to[n++] = c;
		}
	}
	to[n] = 0;
}

/* Return word i of the stack, if the text is at base. */
static uint32_t stack_word(const struct args *a, unsigned i, uint32_t base)
{
	if (i == 0)
		return a->argc;
	if (i <= a->argc)
		return base + a->at[i - 1];
	if (i == a->argc + 1 || i == a->argc + a->envc + 2)
		return 0;
	return base + a->at[i - 2];
}

/* Copy the text to base and what follows, which begin elsewhere in their pages than it does. */
static int push_text(const struct args *a, struct vm *vm, uint32_t base)
{
	for (uint32_t at = 0, n; at < a->size; at += n) {
		n = min_size(PAGE - at % PAGE, PAGE - (base + at) % PAGE);
		n = min_size(n, a->size - at);
		void *to = page_load(vm, base + at, n);
		if (!to)
			return -ENOMEM;
		memcpy(to, a->page[at / PAGE] + at % PAGE, n);
	}
	return 0;
}

/* Write the n words from va, a multiple of 4, on. */
static int push_words(const struct args *a, struct vm *vm, unsigned n, uint32_t va, uint32_t base)
{
	uint32_t *to = NULL;

	for (unsigned i = 0; i < n; i++, va += sizeof(*to)) {
		if (i == 0 || va % PAGE == 0)
			to = page_load(vm, va, sizeof(*to));
		if (!to)
			return -ENOMEM;
		*to++ = stack_word(a, i, base);
	}
	return 0;
}

int args_push(const struct args *a, struct vm *vm, uint32_t *esp)
{
	unsigned n = a->argc + a->envc + 3;
	uint32_t base = *esp - a->size;
	int err = push_text(a, vm, base);

	*esp = (base - n * sizeof(uint32_t)) & ~15u;
	return err ? err : push_words(a, vm, n, *esp, base);
}
