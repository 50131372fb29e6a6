/*
 * What a program is given: its path, its arguments and its environment, between the caller of
 * execve(2) and the new program's stack. The words' text is in single pages, taken as it grows:
 * no more than one page is ever needed in one piece.
 */
#pragma once

#include "kernel/abi/stat.h"
#include "kernel/machine/i386.h"

#define ARG_MAX (1u << 21) /* bytes of words and pointers to them, and what scripts add */
#define MAXSCRIPT 4	   /* how many scripts may lead to a program */

struct args {
	unsigned argc, envc;
	uint32_t size; /* bytes of text, each word's NUL among them */
	uint32_t rest; /* where argument 1 begins in the text, and all others follow */
	unsigned nfirst;
	/* Where argument 0 begins, or the words in its place: those of one script too many fit. */
	uint32_t first[1 + 2 * (MAXSCRIPT + 1)];
	unsigned npage;
	uint8_t *page[ARG_MAX / PAGE]; /* of the text */
	char path[PATH_MAX]; /* of the program, or of its script */
};

struct vm;

struct args *args_new(void); /* without words, and path undefined; NULL if out of memory */
void args_free(struct args *a);

/* Append the words of a user's array that ends with NULL, and count them in *n: a->argc or envc. */
int args_in(struct args *a, uint32_t user, unsigned *n); /* -E2BIG, -EFAULT, -EINTR, -ENOMEM */
/* Make s the only argument of none. -ENOMEM. */
int args_first(struct args *a, const char *s);
/* Put the interpreter, its argument unless NULL, and the path in the place of argument 0. */
int args_script(struct args *a, const char *interp, const char *arg); /* -ENOMEM */

/* Join the arguments from 1 on in one string, with blanks, cut to what size holds. */
void args_join(const struct args *a, char *to, size_t size);
/*
 * Lay out the stack that crt0 expects, below *esp: argc, argv, NULL, environment, NULL, text. *esp
 * becomes its lowest address. -EINTR, -ENOMEM.
 */
int args_push(const struct args *a, struct vm *vm, uint32_t *esp);

/* Run the program at a->path, with those words, in the calling process (elf.c). */
int exec(struct args *a, struct trapframe *tf);
