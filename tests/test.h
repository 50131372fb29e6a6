/* What hosted tests begin with: cmocka, what its header needs, and what most tests use. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Run a program's table of tests and print TAP; the other two are NULL or stand around them all. */
#define RUN(tests, set_up, tear_down)              \
	(cmocka_set_message_output(CM_OUTPUT_TAP), \
	 cmocka_run_group_tests_name(__FILE__, tests, set_up, tear_down))

#endif
