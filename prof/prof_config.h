/*
 * What is chosen when the profilers are compiled, with the same choice everywhere. The first ones
 * may be defined on the command line. To change others, or many, write a header, name it by
 * -DPROF_CONFIG='"FILE"', and in it let an #undef stand before each #define.
 */
#pragma once

#define PROF_VERSION 30100 /* 3.1.0: CHANGELOG */

#ifndef PROF_MAXCPU
#define PROF_MAXCPU 64 /* the most CPUs */
#endif

/*
 * 0: that profiler is left out, and is never called. Its source need not be compiled, nor its
 * hooks written. Memory is counted in modules.
 */
#ifndef PROF_HAVE_KPROF
#define PROF_HAVE_KPROF 1
#endif
#ifndef PROF_HAVE_GMON
#define PROF_HAVE_GMON 1
#endif
#ifndef PROF_HAVE_PRF
#define PROF_HAVE_PRF 1
#endif
#ifndef PROF_HAVE_PROFIL
#define PROF_HAVE_PROFIL 1
#endif
#ifndef PROF_HAVE_MODULE
#define PROF_HAVE_MODULE 1
#endif
#ifndef PROF_HAVE_MEMPROF
#define PROF_HAVE_MEMPROF PROF_HAVE_MODULE
#endif
#ifndef PROF_HAVE_STACK
#define PROF_HAVE_STACK 1
#endif

#ifndef PROF_HAVE_CALL
#define PROF_HAVE_CALL PROF_HAVE_MODULE /* whose kernel chose its profilers before 3.1.0 has none */
#endif

#ifndef PROF_STACK_WORDS
#define PROF_STACK_WORDS 262144u /* of all CPUs' paths; for hashes 1/4 to 1/2 as many numbers */
#endif

#ifndef PROF_PREEMPT
#define PROF_PREEMPT 1 /* 0: kernel code leaves its CPU only when it asks to: prof/arch/ */
#endif
#ifndef PROF_ENTRY_USER
#define PROF_ENTRY_USER 0 /* 1: a program, which cannot switch interrupts off: prof/arch/ */
#endif

#define PROF_KPROF_LOG2 3 /* of the bytes of text in a bucket */

#define PROF_GMON_HASHFRACTION 2 /* a froms cell of 2 bytes for each 4 bytes of text */
#define PROF_GMON_ARCDENSITY 2u	 /* per cent of text size */
#define PROF_GMON_MINARCS 50u
#define PROF_GMON_MAXARCS 65534u

#define PROF_PRF_MAXADDR 8192u
#define PROF_PRF_MINADDR 3u
#define PROF_PRF_US 10000u /* 100 samples a second, whatever the clock's rate is */

#define PROF_PROFIL_US 10000u	  /* between samples */
#define PROF_PROFIL_FAST_US 1000u /* the same, by PROF_FAST */
#define PROF_PROFIL_QUEUE 64u

#define PROF_MODULE_US 100000u	/* between samples, until prof_module_interval() */
#define PROF_MODULE_NAMES 4096u /* bytes of names of wanted modules, each with its NUL */
#define PROF_MODULE_NAME 32u	/* bytes of the name that is kept of one that was left out */

#define PROF_STACK_DEPTH 64u /* addresses in a path, until prof_stack_depth() */
#define PROF_STACK_MAXDEPTH 128u
#define PROF_STACK_LOG2_RECENT 10u
#define PROF_STACK_PAGE 4096u /* a power of two: what prof_hook_user() can show at once */

#ifdef PROF_CONFIG
#include PROF_CONFIG
#endif

/* What C and C++ call otherwise: an assertion of the compiler's, and around what is declared. */
#ifdef __cplusplus
#define PROF_ASSERT static_assert
#define PROF_BEGIN extern "C" {
#define PROF_END }
#else
#define PROF_ASSERT _Static_assert
#define PROF_BEGIN
#define PROF_END
#endif

/* How many CPUs' state a profiler has in struct prof. */
#define PROF_CPUS(have) ((have) ? PROF_MAXCPU : 1)
