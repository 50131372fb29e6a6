/*
 * System calls: each takes its five argument words and returns the result or a negated error
 * number. abi/syscall.h says what the words are.
 */
#pragma once

struct trapframe;

/* Make the call whose number and arguments are in tf. */
void syscall(struct trapframe *tf);
