/* Memory profiling of programs, between the C library and the kernel: prof(3). */
#pragma once

/*
 * The address of a word at the top of each program's stack. While it is not 0, the program
 * reports the memory that it allocates and frees to the kernel, by SYS_memprof.
 */
#define MEMPROF_ASKED 0xBFFFEFFCu
#define MEMPROF_TOP 16u /* bytes that are kept free there */
