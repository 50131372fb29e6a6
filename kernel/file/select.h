/* Waiting for several open files. */
#pragma once

#include <stdint.h>

int32_t sys_select(const uint32_t arg[5]);
