/* The first process. */
#pragma once

void start_init(void); /* from the program at /rc/init */
