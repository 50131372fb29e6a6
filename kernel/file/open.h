/* Opening and making files, by path, in the namespace of the calling process. */
#pragma once

#include <stdint.h>

struct chan;

int ns_open(const char *path, int flags, uint32_t mode, struct chan **out);
int ns_mkdir(const char *path, uint32_t mode);
