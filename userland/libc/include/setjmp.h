/* Jumping out of functions. */
#ifndef SETJMP_H
#define SETJMP_H

typedef unsigned long jmp_buf[6]; /* ebx, esi, edi, ebp, esp, eip */

int setjmp(jmp_buf env) __attribute__((returns_twice));
void longjmp(jmp_buf env, int value) __attribute__((noreturn));

#endif
