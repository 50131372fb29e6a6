/*
 * Redirections: of a process for good, or of the shell itself while a command runs in it. They are
 * parsed in parseword.c.
 */
#include "userland/sh/sh.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The first descriptor for copies of what was redirected, beyond those that users name. */
#define SAVE_BASE 40

static struct {
	int fd;
	bool was_open; /* its copy is SAVE_BASE + the place in this table */
} saved[REDIR_SAVED];
static unsigned nsaved;

/* Expand the file names and texts. Return false after a message. */
bool redir_expand(struct redir *r)
{
	for (; r; r = r->next)
		if (r->kind == REDIR_HERE)
			r->path = r->quoted ? r->text : expand_text(r->text);
		else if (r->file && !expand_one(r->file, "a file to redirect to", &r->path))
			return false;
	return true;
}

/* Open the file of a redirection. Return -1 after a message. */
static int redir_open(const struct redir *r)
{
	static const int flags[] = {
		[REDIR_READ] = O_RDONLY,
		[REDIR_WRITE] = O_WRONLY | O_CREAT | O_TRUNC,
		[REDIR_APPEND] = O_WRONLY | O_CREAT | O_APPEND,
	};
	int fd = open(r->path, flags[r->kind], 0644);

	if (fd < 0)
		sh_errno(r->path);
	return fd;
}

/*
 * Return a descriptor that reads the text of a here document, or -1 after a message. A process
 * writes it, for it may be longer than a pipe. That is a child's child: nobody has to wait for it.
 */
static int redir_text(const char *text)
{
	int fd[2], pid;

	if (pipe(fd) < 0) {
		sh_errno("pipe");
		return -1;
	}
	pid = job_fork();
	if (pid == 0) {
		pid = job_fork();
		if (pid == 0) {
			close(fd[0]);
			dprintf(fd[1], "%s", text);
		}
		_exit(pid < 0);
	}
	close(fd[1]);
	if (pid > 0 && job_wait(pid, "<<") == 0)
		return fd[0];
	close(fd[0]);
	return -1;
}

/*
 * Make `to' what `from' is, and close `from'. Return false if `to' is not a possible
 * descriptor.
 */
bool fd_move(int from, int to)
{
	bool ok = from == to || dup2(from, to) >= 0;

	if (from != to)
		close(from);
	return ok;
}

/* Redirect one descriptor of this process. Return false after a message. */
static bool redir_one(const struct redir *r)
{
	int fd;

	if (r->kind == REDIR_CLOSE) {
		close(r->fd);
		return true;
	}
	if (r->kind == REDIR_DUP) {
		if (dup2(r->from, r->fd) >= 0)
			return true;
		sh_warn("descriptor %d: not open", r->from);
		return false;
	}
	fd = r->kind == REDIR_HERE ? redir_text(r->path) : redir_open(r);
	if (fd < 0)
		return false;
	if (fd_move(fd, r->fd))
		return true;
	sh_warn("descriptor %d: cannot be used", r->fd);
	return false;
}

/* Redirect this process for good, from left to right. Return false at the first failure. */
bool redir_apply(const struct redir *r)
{
	for (; r; r = r->next)
		if (!redir_one(r))
			return false;
	return true;
}

/* Redirect until redir_pop(*mark), which must be called after a failure, too. */
bool redir_push(const struct redir *r, unsigned *mark)
{
	*mark = nsaved;
	for (; r; r = r->next) {
		if (nsaved == REDIR_SAVED) {
			sh_warn("redirections are nested too deeply");
			return false;
		}
		saved[nsaved].fd = r->fd;
		saved[nsaved].was_open = dup2(r->fd, SAVE_BASE + (int)nsaved) >= 0;
		nsaved++;
		if (!redir_one(r))
			return false;
	}
	return true;
}

/* Undo what was redirected since the mark, the latest first. */
void redir_pop(unsigned mark)
{
	while (nsaved > mark) {
		nsaved--;
		if (saved[nsaved].was_open)
			fd_move(SAVE_BASE + (int)nsaved, saved[nsaved].fd);
		else
			close(saved[nsaved].fd);
	}
}

/* Close the copies in a child, which would keep pipes open with them. */
void redir_forget(void)
{
	while (nsaved > 0)
		close(SAVE_BASE + (int)--nsaved);
}
