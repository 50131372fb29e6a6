/* The kernel's own function symbols, ascending by address; tools/ksyms writes the arrays. */
#ifndef KERNEL_KSYMS_H
#define KERNEL_KSYMS_H

#include <stdint.h>

extern const uint32_t ksym_count;
extern const uint32_t ksym_addr[]; /* address of function i */
extern const uint32_t ksym_off[];  /* where its name starts in ksym_names */
extern const char ksym_names[];

#endif
