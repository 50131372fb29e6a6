/* Running another command. */
#ifndef USERLAND_COMMAND_RUN_H
#define USERLAND_COMMAND_RUN_H

/* Become the command args[0], found through $PATH: a failure is status 127 or 126, as in sh(1). */
void __attribute__((noreturn)) run_exec(char *const *args);

/*
 * Run a command to its end and return its status as sh(1) has it: 128 and the signal's number if
 * one ended it. ^C meanwhile is the command's alone, so that the caller can still report.
 */
int run_wait(char *const *args);

/* Have the standard output of commands that run_wait() runs go to a file, or end the program. */
void run_output(const char *file);

/*
 * Begin to report on a command that was run: where standard output is /dev/null, that is meant for
 * the command's, and what is printed from now on goes to standard error.
 */
void run_report(void);

#endif
