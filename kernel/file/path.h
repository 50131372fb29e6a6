/* System calls on names. */
#pragma once

#include <stdint.h>

int32_t sys_open(const uint32_t arg[5]);
int32_t sys_stat(const uint32_t arg[5]);
int32_t sys_mkdir(const uint32_t arg[5]);
int32_t sys_remove(const uint32_t arg[5]);
int32_t sys_rename(const uint32_t arg[5]);
int32_t sys_chmod(const uint32_t arg[5]);
int32_t sys_chdir(const uint32_t arg[5]);
int32_t sys_getcwd(const uint32_t arg[5]);
int32_t sys_bind(const uint32_t arg[5]);
int32_t sys_unmount(const uint32_t arg[5]);
int32_t sys_rfork(const uint32_t arg[5]);
