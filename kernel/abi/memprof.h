/* Memory profiling of programs, between the C library and the kernel: prof(3). */
#ifndef ABI_MEMPROF_H
#define ABI_MEMPROF_H

/*
 * The address of a word at the top of each program's stack. While it is not 0, the program
 * reports the memory that it allocates and frees to the kernel, by SYS_memprof.
 */
#define MEMPROF_ASKED 0xBFFFEFFCu
#define MEMPROF_TOP 16u /* bytes that are kept free there */

#endif
