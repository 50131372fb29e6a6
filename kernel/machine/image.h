/* The kernel's own image: where its sections lie, its functions' names, its build ID. */
#pragma once

#include <stdint.h>

/* linker.ld */
extern uint8_t ktzero[], etext[], srodata[], erodata[], sdata[], ebss[];
extern const uint32_t mcount_loc[], mcount_loc_end[]; /* address of every entry pad */
extern const uint8_t build_id_note[];		      /* Elf32_Nhdr, "GNU", 20 bytes */

/* The functions, ascending by address; tools/build/ksyms.c writes the arrays. */
extern const uint32_t ksym_count;
extern const uint32_t ksym_addr[]; /* address of function i */
extern const uint32_t ksym_off[];  /* where its name starts in ksym_names */
extern const char ksym_names[];
