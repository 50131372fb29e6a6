/* The first process. */
#pragma once

void start_init(const char *path); /* from the program at path */
