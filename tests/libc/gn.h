/*
 * The library under test, together with the host's: its functions are linked with the prefix gn_,
 * and those of its types that differ from the host's are opaque here.
 */
#ifndef GN_H
#define GN_H

#include <time.h>
#include "tests/test.h"
#include "tests/libc/fake.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

typedef struct gn_stream GNFILE;

extern int gn_errno;
extern char **gn_environ, **gn___argv;
extern GNFILE *const gn_stdin, *const gn_stdout, *const gn_stderr;
extern char *gn_optarg;
extern int gn_optind, gn_opterr, gn_optopt;

void *gn_memcpy(void *to, const void *from, size_t n);
void *gn_memmove(void *to, const void *from, size_t n);
void *gn_memset(void *p, int c, size_t n);
int gn_memcmp(const void *a, const void *b, size_t n);
void *gn_memchr(const void *p, int c, size_t n);
void *gn_memrchr(const void *p, int c, size_t n);
void *gn_memmem(const void *p, size_t n, const void *sub, size_t nsub);
size_t gn_strlen(const char *s);
size_t gn_strnlen(const char *s, size_t max);
char *gn_strcpy(char *to, const char *from);
char *gn_stpcpy(char *to, const char *from);
char *gn_strncpy(char *to, const char *from, size_t n);
char *gn_strcat(char *to, const char *from);
char *gn_strncat(char *to, const char *from, size_t n);
size_t gn_strlcpy(char *to, const char *from, size_t size);
size_t gn_strlcat(char *to, const char *from, size_t size);
int gn_strcmp(const char *a, const char *b);
int gn_strncmp(const char *a, const char *b, size_t n);
int gn_strcasecmp(const char *a, const char *b);
int gn_strncasecmp(const char *a, const char *b, size_t n);
char *gn_strchr(const char *s, int c);
char *gn_strrchr(const char *s, int c);
char *gn_strchrnul(const char *s, int c);
char *gn_strstr(const char *s, const char *sub);
size_t gn_strspn(const char *s, const char *set);
size_t gn_strcspn(const char *s, const char *set);
char *gn_strpbrk(const char *s, const char *set);
char *gn_strtok_r(char *s, const char *sep, char **rest);
char *gn_strsep(char **s, const char *sep);
char *gn_strdup(const char *s);
char *gn_strndup(const char *s, size_t max);
char *gn_strerror(int err);
char *gn_strsignal(int sig);
char *gn_basename(char *path);
char *gn_dirname(char *path);

long gn_strtol(const char *s, char **end, int base);
unsigned long gn_strtoul(const char *s, char **end, int base);
long long gn_strtoll(const char *s, char **end, int base);
unsigned long long gn_strtoull(const char *s, char **end, int base);
int gn_atoi(const char *s);
void gn_qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *));
void *gn_bsearch(const void *key, const void *base, size_t n, size_t size,
		 int (*cmp)(const void *, const void *));

void *gn_malloc(size_t n);
void *gn_calloc(size_t n, size_t size);
void *gn_realloc(void *p, size_t n);
void *gn_reallocarray(void *p, size_t n, size_t size);
void gn_free(void *p);

char *gn_getenv(const char *name);
int gn_setenv(const char *name, const char *value, int overwrite);
int gn_unsetenv(const char *name);
int gn_putenv(char *assignment);
const char *gn_getprogname(void);
void gn_setprogname(const char *name);
int gn_atexit(void (*fn)(void));
void gn_exit(int status);
int gn_execvp(const char *name, char *const *argv);
int gn_execlp(const char *name, const char *arg0, ...);
int gn_getopt(int argc, char *const *argv, const char *letters);

int gn_snprintf(char *buf, size_t size, const char *fmt, ...);
int gn_asprintf(char **out, const char *fmt, ...);
int gn_dprintf(int fd, const char *fmt, ...);
int gn_fprintf(GNFILE *f, const char *fmt, ...);
GNFILE *gn_fopen(const char *path, const char *mode);
GNFILE *gn_fdopen(int fd, const char *mode);
GNFILE *gn_freopen(const char *path, const char *mode, GNFILE *f);
int gn_fclose(GNFILE *f);
int gn_fflush(GNFILE *f);
int gn_feof(GNFILE *f);
int gn_ferror(GNFILE *f);
void gn_clearerr(GNFILE *f);
int gn_setvbuf(GNFILE *f, char *buf, int mode, size_t size);
int gn_fseek(GNFILE *f, long offset, int whence);
long gn_ftell(GNFILE *f);
void gn_rewind(GNFILE *f);
size_t gn_fread(void *buf, size_t size, size_t n, GNFILE *f);
size_t gn_fwrite(const void *buf, size_t size, size_t n, GNFILE *f);
int gn_fgetc(GNFILE *f);
int gn_ungetc(int c, GNFILE *f);
char *gn_fgets(char *buf, int size, GNFILE *f);
ssize_t gn_getline(char **line, size_t *size, GNFILE *f);
int gn_fputc(int c, GNFILE *f);
int gn_fputs(const char *s, GNFILE *f);
void gn_perror(const char *s);
void gn_warn(const char *fmt, ...);
void gn_warnx(const char *fmt, ...);
void gn_err(int status, const char *fmt, ...);

struct tm *gn_gmtime_r(const time_t *t, struct tm *tm);
time_t gn_timegm(struct tm *tm);
size_t gn_strftime(char *buf, size_t size, const char *fmt, const struct tm *tm);
char *gn_ctime(const time_t *t);

int gn_sysctl(const int *name, unsigned namelen, void *old, size_t *oldlenp, const void *new_,
	      size_t newlen);
int gn_sysctlbyname(const char *name, void *old, size_t *oldlenp, const void *new_, size_t newlen);

#define CTYPES(X)   \
	X(isalnum)  \
	X(isalpha)  \
	X(isascii)  \
	X(isblank)  \
	X(iscntrl)  \
	X(isdigit)  \
	X(isgraph)  \
	X(islower)  \
	X(isprint)  \
	X(ispunct)  \
	X(isspace)  \
	X(isupper)  \
	X(isxdigit) \
	X(tolower)  \
	X(toupper)
#define DECLARE(name) int gn_##name(int c);
CTYPES(DECLARE)

#endif
