/* What traps of programs lead to. */
#pragma once

void fault_init(void); /* after trap_init(), before trap_load() */
/* Say in a line where the calling process goes wrong, and end it. */
void fault_end(int sig, const char *what) __attribute__((noreturn));
