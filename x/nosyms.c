/* The kernel's functions, ascending by address. Made by tools/build/ksyms.c. */
#include "kernel/image.h"

const uint32_t ksym_count = 0;

const uint32_t ksym_addr[] = {
	0,
};

const uint32_t ksym_off[] = {
	0,
};

const char ksym_names[] = "";
