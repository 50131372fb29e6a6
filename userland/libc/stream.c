/* The three streams that every program has. */
#include <unistd.h>
#include "userland/libc/file.h"

static unsigned char in_buf[PUSHBACK + BUFSIZ];
static unsigned char out_buf[PUSHBACK + BUFSIZ];
static unsigned char err_buf[PUSHBACK + BUFSIZ];

static FILE in = {.fd = STDIN_FILENO, .flags = F_READ, .mode = MODE_UNKNOWN, .buf = in_buf};
static FILE out = {.fd = STDOUT_FILENO, .flags = F_WRITE, .mode = MODE_UNKNOWN, .buf = out_buf};
static FILE err = {.fd = STDERR_FILENO, .flags = F_WRITE, .mode = _IONBF, .buf = err_buf};

FILE *const stdin = &in;
FILE *const stdout = &out;
FILE *const stderr = &err;
