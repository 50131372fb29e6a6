/* Arguments and environment of a program to be run. System V ABI, chapter 3: the first stack. */
#include "kernel/process/args.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/user.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/page.h"
#include "kernel/sched/sched.h"

#define WORDS_MAX (ARG_MAX - PAGE) /* what a caller's words may take, with pointers to them */

_Static_assert(ARG_MAX - WORDS_MAX > PATH_MAX + (MAXSCRIPT + 1) * 2 * 256, "scripts' words fit");
_Static_assert(sizeof(struct args) <= PAGE / 4 * sizeof(void *), "a page at most in one piece");

struct args *args_new(void)
{
	struct args *a = kmalloc(sizeof(*a));

	if (a) {
		a->argc = a->envc = a->size = a->npage = 0;
		a->nfirst = 1;
		a->first[0] = 0;
	}
	return a;
}

void args_free(struct args *a)
{
	for (unsigned i = 0; i < a->npage; i++)
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
	if (a->npage == i) {
		a->page[i] = frame_alloc();
		if (!a->page[i])
			return NULL;
		a->npage++;
	}
	return a->page[i] + in;
}

/* Append a user's string to the text, up to the limit. -E2BIG, -EFAULT, -EINTR, -ENOMEM. */
static int string_in(struct args *a, uint32_t user, uint32_t limit)
{
	uint32_t room;
	int n;

	for (;; a->size += room, user += room) {
		if (a->size >= limit)
			return -E2BIG;
		uint8_t *to = text_end(a, limit, &room);
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
		int err = string_in(a, word, WORDS_MAX - (a->argc + a->envc) * sizeof(word));
		if (!err)
			err = give_way();
		if (err)
			return err;
		++*n;
		if (a->argc + a->envc == 1)
			a->rest = a->size;
	}
	return 0;
}

/* Append the kernel's string s to the text, and note where it begins. -ENOMEM. */
static int string_add(struct args *a, const char *s, uint32_t *at)
{
	size_t n = strlen(s) + 1;

	*at = a->size;
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
	return string_add(a, s, &a->first[0]);
}

int args_script(struct args *a, const char *interp, const char *arg)
{
	unsigned n = 2 + (arg != NULL);
	uint32_t at[3];
	int err = string_add(a, interp, &at[0]);

	if (!err && arg)
		err = string_add(a, arg, &at[1]);
	if (!err)
		err = string_add(a, a->path, &at[n - 1]);
	if (err)
		return err;
	memmove(&a->first[n], &a->first[1], (a->nfirst - 1) * sizeof(at[0]));
	memcpy(a->first, at, n * sizeof(at[0]));
	a->nfirst += n - 1;
	a->argc += n - 1;
	return 0;
}

/* Return where the word begins that comes after the one at `at`. */
static uint32_t word_after(const struct args *a, uint32_t at)
{
	const uint8_t *p = a->page[at / PAGE] + at % PAGE;

	while (*p++)
		if (++at % PAGE == 0)
			p = a->page[at / PAGE];
	return at + 1;
}

/*
 * Return where word i begins, of the arguments and the variables; each of them in turn, for *rest,
 * which is a->rest at first, moves on.
 */
static uint32_t word_at(const struct args *a, unsigned i, uint32_t *rest)
{
	uint32_t at = *rest;

	if (i < a->nfirst)
		return a->first[i];
	*rest = word_after(a, at);
	return at;
}

void args_join(const struct args *a, char *to, size_t size)
{
	uint32_t rest = a->rest;
	size_t n = 0;

	for (unsigned i = 1; i < a->argc && n + 1 < size; i++) {
		if (i > 1)
			to[n++] = ' ';
		for (uint32_t at = word_at(a, i, &rest); n + 1 < size; at++) {
			char c = (char)a->page[at / PAGE][at % PAGE];

			if (!c)
				break;
			to[n++] = c;
		}
	}
	to[n] = 0;
}

/* Return word i of the stack, each of them in turn, if the text is at base. */
static uint32_t stack_word(const struct args *a, unsigned i, uint32_t base, uint32_t *rest)
{
	if (i == 0)
		return a->argc;
	if (i == a->argc + 1 || i == a->argc + a->envc + 2)
		return 0;
	return base + word_at(a, i <= a->argc ? i - 1 : i - 2, rest);
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
		int err = give_way();
		if (err)
			return err;
	}
	return 0;
}

/* Write the n words from va, a multiple of 4, on. */
static int push_words(const struct args *a, struct vm *vm, unsigned n, uint32_t va, uint32_t base)
{
	uint32_t *to = NULL, rest = a->rest;
	int err = 0;

	for (unsigned i = 0; i < n; i++, va += sizeof(*to)) {
		if (i == 0 || va % PAGE == 0) {
			to = page_load(vm, va, sizeof(*to));
			err = give_way();
		}
		if (!to)
			return -ENOMEM;
		if (err)
			return err;
		*to++ = stack_word(a, i, base, &rest);
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
