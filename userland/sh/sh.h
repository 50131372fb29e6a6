/*
 * The shell: every name that its files share, by the file that defines it.
 *
 * A source (source.c) hands characters to the parser (lex.c, parse*.c), which makes
 * trees; run.c, command.c and job.c run them; word.c and glob.c turn their words into lists of
 * strings. What lives as long as one command line is in an arena. A failure is reported where it
 * is found; callers only pass it on.
 */
#ifndef SH_H
#define SH_H

#include <stdbool.h>
#include <stddef.h>

/* arena.c: memory that is released all at once, back to a mark; running out ends the shell. */
struct arena {
	struct chunk *newest;
};

struct mark {
	struct chunk *chunk;
	size_t used;
};

void *arena_alloc(struct arena *a, size_t n);		    /* zeroed */
char *arena_text(struct arena *a, const char *s, size_t n); /* a copy, ended with NUL */
char *arena_join(struct arena *a, const char *x, const char *y);
struct mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct mark m);
void arena_free(struct arena *a);
void *need(void *p); /* p; for what malloc() and the like return */

/* A growing string. All zero, it is empty; free(text) releases it. */
struct text {
	char *text;
	size_t len, size;
};

void text_put(struct text *t, const char *s, size_t n);
void text_add(struct text *t, const char *s);
void text_char(struct text *t, char c);
void text_quoted(struct text *t, const char *s, size_t n);
bool text_read(struct text *t, int fd);
char *text_take(struct arena *a, struct text *t); /* instead of free */

/* A list of words while they are worked on. It lives in an arena. */
struct list {
	struct list *next;
	char *s;
};

struct list *list_new(struct arena *a, char *s);
struct list **list_append(struct list **tail, struct list *l); /* the new tail */
unsigned list_length(const struct list *l);
char **list_argv(struct arena *a, const struct list *l); /* NULL at its end */

/* A word as it was written. */
enum word_kind { WORD_TEXT, WORD_VAR, WORD_LIST, WORD_JOIN, WORD_QUOTED, WORD_OUTPUT };

struct word {
	enum word_kind kind;
	int line;
	struct word *next;	   /* in the list it is part of */
	const char *text;	   /* TEXT: with GLOB_MARK before what is special */
	struct word *left, *right; /* JOIN: both; VAR: name, indices; LIST, QUOTED: the parts */
	char how;		   /* VAR: '$', '#' or '"' */
	struct node *body;	   /* OUTPUT */
};

/* In a string: the next character, one of * ? [, is special, or it is a plain GLOB_MARK. */
#define GLOB_MARK '\001'

enum redir_kind { REDIR_READ, REDIR_WRITE, REDIR_APPEND, REDIR_DUP, REDIR_CLOSE, REDIR_HERE };

struct redir {
	struct redir *next;
	enum redir_kind kind;
	int fd, from; /* DUP: fd becomes what from is */
	struct word *file;   /* HERE: the mark */
	const char *path;    /* the file's name, or the text, while the command runs */
	const char *text;    /* HERE: as it was written */
	bool quoted;	     /* HERE: nothing is replaced in the text */
	struct redir *after; /* HERE: the next one whose text is to come */
};

enum node_kind {
	NODE_SIMPLE,   /* assigns, words, redirs */
	NODE_SEQUENCE, /* left, and the chain of its next */
	NODE_BLOCK,    /* { body } redirs */
	NODE_AND,      /* left && right */
	NODE_OR,
	NODE_NOT,
	NODE_PIPE, /* left |[fd] right */
	NODE_BACKGROUND,
	NODE_SUBSHELL, /* @ body */
	NODE_IF,       /* if(left) body */
	NODE_ELSE,     /* if not body */
	NODE_WHILE,    /* while(left) body */
	NODE_FOR,      /* for(name in words) body */
	NODE_SWITCH,   /* switch(words) { cases } */
	NODE_FUNCTION, /* fn words { text } */
	NODE_MATCH,    /* ~ words cases->patterns */
	NODE_KINDS
};

struct assign {
	struct assign *next;
	const char *name;
	struct word *value; /* NULL: the empty list */
};

struct node_case {
	struct node_case *next;
	struct word *patterns;
	struct node *body;
};

struct node {
	enum node_kind kind;
	int line;
	struct node *next;	   /* in a sequence */
	struct node *left, *right; /* right is the body, where there is one */
	struct word *words;
	struct assign *assigns;
	struct redir *redirs;
	struct node_case *cases;
	const char *name; /* FOR */
	const char *text; /* FUNCTION: the block; NULL removes the functions */
	bool all;	  /* FOR without `in': over $* */
	int fd, tofd;	  /* PIPE: the descriptors that write and read */
};

/* source.c: where commands are read from. */
struct source {
	const char *name; /* for messages; NULL at the prompt */
	int line;
	struct text text;
	size_t at; /* of the next character in text, which ends with NUL */
	/* Add a line to text; return false at the end. NULL: text is everything. */
	bool (*more)(struct source *in);
	bool inside;	   /* a command has begun: use the second prompt */
	bool failed;	   /* a syntax error was reported; drop the rest of the line */
	bool ended;	   /* there is no more */
	bool console;	   /* a person types it */
	int depth;	   /* of lists that are being parsed */
	struct redir *heres; /* those whose texts begin with the next line */
	struct arena *mem; /* for what is parsed */
};

void source_string(struct source *in, const char *name, const char *s, size_t n);
bool source_file(struct source *in, const char *path); /* false with errno */
const char *source_kind(const char *path);	   /* of one that gave ENOEXEC */
void source_stdin(struct source *in);
void source_console(struct source *in);
void source_close(struct source *in);
int run_source(struct source *in); /* the last command's status */
int run_text(const char *name, const char *s, size_t n);

/* lex.c: characters, blanks and the words of the grammar. */
int peek(struct source *in);  /* EOF at the end and after an error */
int peek2(struct source *in); /* the one after it, on the same line */
int next(struct source *in);
void skip_blank(struct source *in); /* blanks, comments, continued lines */
void skip_space(struct source *in); /* newlines as well */
void end_line(struct source *in);   /* takes a newline, and the texts of here documents */
bool is_name_char(int c);
bool is_word_char(int c);
bool at_keyword(struct source *in, const char *word);
bool accept_keyword(struct source *in, const char *word);
bool expect(struct source *in, int c, const char *why);
void syntax_near(struct source *in);
void syntax_error(struct source *in, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* parse.c: commands; NULL if in->failed. */
struct node *parse_line(struct source *in); /* NULL otherwise: an empty line or the end */
struct node *parse_list(struct source *in, int close);
const char *parse_block_text(struct source *in); /* "{...}", checked, but kept as text */
struct node *node_new(struct source *in, enum node_kind kind); /* it begins in this line */
struct node *node_pair(struct source *in, enum node_kind kind, struct node *left,
		       struct node *right);
struct node *parse_and_or(struct source *in);
struct node *parse_not(struct source *in);
bool parse_item(struct source *in, struct node ***tail, int close);
struct node *parse_terminator(struct source *in, struct node *n, int close);
void parse_redirs(struct source *in, struct node *n);

/* parsekeyword.c: commands that a keyword begins. */
typedef struct node *parse_rule(struct source *in);
parse_rule *parse_keyword(struct source *in); /* takes it; NULL: none comes next */

/* parseword.c: words and redirections; NULL if in->failed. */
bool at_word(struct source *in);
struct word *parse_word(struct source *in);
struct word *parse_words(struct source *in, bool lines);   /* all that follow; NULL: none */
bool parse_redir(struct source *in, struct redir **list);  /* false: there is none */
bool parse_pipe_fds(struct source *in, int *fd, int *tofd);

/* var.c: variables. A name that is a number is an element of $*. */
struct words { /* a variable's value: at least one word */
	unsigned n;
	size_t size; /* of the text, which is in one piece from w[0] on, with its NULs */
	char *w[];
};

struct piece { /* of what a variable is set to: all words of another, then a list */
	struct piece *next;
	const struct words *whole; /* NULL: none */
	const struct list *list;
};

void var_set(const char *name, const struct list *value);
void var_set_pieces(const char *name, const struct piece *value);
void var_set_word(const char *name, const char *s);
struct list *var_get(struct arena *a, const char *name);
const struct words *var_words(const char *name); /* NULL: none, or it is computed */
const char *var_first(const char *name); /* "" if unset; valid until it is set again */
/* Take a variable's value away, and give it back. */
struct list *list_number(struct arena *a, int n);
struct words *var_save(const char *name);
void var_restore(const char *name, struct words *old);
void var_import(char **env);
char **var_export(struct arena *a);

/* function.c: functions and blocks. */
struct function;
void function_set(const char *name, const char *text, int line); /* NULL removes it */
struct function *function_find(const char *name);
const char *function_text(const struct function *f);
void function_each(void (*each)(const char *name, void *arg), void *arg);
int function_run(struct function *f, const struct list *args);
int block_run(const char *text, const struct list *args);

/* word.c: words to strings; false after a message. */
bool expand_list(struct word *w, struct list **out);	 /* names matched against the files */
bool expand_pieces(struct word *w, struct piece **out);  /* as expand_list, for var_set_pieces */
bool expand_patterns(struct word *w, struct list **out); /* as patterns, for glob_match */
bool expand_one(struct word *w, const char *what, const char **out); /* exactly one word */
const char *expand_text(const char *s); /* of a here document */

/* glob.c: patterns. */
bool glob_match(const char *pattern, const char *s);
struct list *glob_files(const char *pattern); /* sorted; the pattern itself when none matches */
char *glob_literal(struct arena *a, const char *s); /* a string that matches only s */
char *glob_unmark(struct arena *a, const char *pattern);

/* redir.c: redirections; false after a message. */
#define REDIR_SAVED 16		/* of the shell itself, at a time */
bool fd_move(int from, int to); /* dup2, then close from */
bool redir_expand(struct redir *r);
bool redir_apply(const struct redir *r);		/* for good */
bool redir_push(const struct redir *r, unsigned *mark); /* until redir_pop(mark) */
void redir_pop(unsigned mark);
void redir_forget(void); /* in a child: close what the parent saved */

/* run.c: trees. What a command wants of those around it, while they return: */
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_EXIT, FLOW_INTERRUPT };

#define RUN_LAST 1 /* the process has nothing else to do, and may become the command */

int run(struct node *n, int flags);

/* command.c: one simple command. */
int run_simple(struct node *n, int flags);
int run_words(struct list *args, struct redir *redirs, int flags);
void exec_words(struct list *args) __attribute__((noreturn));

/* job.c: processes. */
int job_fork(void); /* as fork, with a message on failure; the child may run() */
int job_wait(int pid, const char *name); /* its status as $status has it */
void job_unstoppable(void); /* in a child whose output the shell reads: ^Z does not stop it */
void job_prompt(void);	  /* the line is over: ^C is not for what has stopped in it */
int job_foreground(int pid); /* 0: the latest that has stopped, or else in the background */
int job_go_on(int pid);	  /* the same, in the background */
int job_show(void);
void job_background(int pid, const char *name);
void job_no_input(void); /* standard input is /dev/null */
int job_last(void);	 /* $apid, 0 if none */
void job_reap(void);
int job_wait_all(void);
int job_wait_for(int pid); /* one in the background */
/* ^C for a loop that runs no command: the sentry, a child that only a ^C ends. */
void job_sentry_begin(void);
bool job_interrupted(void);
void job_sentry_end(void);

/* builtin.c: commands that the shell runs itself. */
struct builtin {
	const char *name;
	int (*run)(struct list *args);
};

const struct builtin *builtin_find(const char *name);
void builtin_each(void (*each)(const char *name, void *arg), void *arg);

/* whatis.c, namespace.c, history.c: those that have files of their own. */
int builtin_history(struct list *args);
int builtin_whatis(struct list *args);
int builtin_rfork(struct list *args);

/* console.c: the console, and who gets its ^C. */
void console_start(void);  /* ^C goes to the shell's process group */
int console_group(void);   /* that; 0: there is none */
void console_give(int group); /* ^C goes to this one */
void console_leave(int group); /* the shell goes to that group, and so does ^C */
bool console_raw(bool on); /* false: there is no raw mode here */
void console_forget(void); /* in a child */
int console_read(void);	   /* a byte, or one of these two */
#define CONSOLE_END (-1)
#define CONSOLE_BREAK (-2)
void console_write(const char *s, size_t n);
void console_measure(void); /* ask the terminal for its size; its answer is a key */
void console_measured(int lines, int columns);
unsigned console_columns(void);

/* edit.c: a line from the console, without its newline; the caller frees it. */
enum edit_result { EDIT_LINE, EDIT_END, EDIT_BREAK };
enum edit_result edit_line(const char *prompt, struct text *line);

/* history.c: the lines that were typed; 0 is the latest. */
void history_add(const char *line);
const char *history_line(unsigned back); /* NULL if there is none */

/* complete.c: what the word before line[at] could become. */
struct completion {
	size_t start;	    /* of the word in the line */
	struct list *names; /* sorted, each a whole word; a list shows their last parts */
	char *insert;	    /* what they all begin with, quoted if need be; NULL: nothing new */
	bool unique;
};
void complete(struct arena *a, const char *line, size_t at, struct completion *out);

/* error.c: messages on standard error. */
void sh_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void sh_errno(const char *what);

/* habit.c: what is right here in place of what is in other shells. */
const char *habit_command(const char *name); /* NULL: nothing is known */
void habit_variable(struct source *in);	     /* a message: no name follows a $ */
void habit_redirection(struct source *in);   /* a message if 2>file comes next */
void habit_word(struct source *in);	     /* a message if ~, {a,b} or \x begins an argument */

/* limit.c: say which of the user's limits is the cause of the error; NULL: none is. */
const char *limit_reached(int error);

/* main.c: the state of the shell. */
struct shell {
	struct arena mem;
	const char *file; /* of the running command; NULL at the prompt */
	int line;
	int status;
	enum flow flow;
	bool interactive;
	bool unless;	  /* the last if's condition was false */
	int quiet;	  /* > 0: in a condition; -e does not apply */
	int depth;	  /* of functions and blocks that are running */
	int loops;	  /* that are running; break and continue mean the innermost */
	unsigned outputs; /* how many `{} have run */
	bool opt_e, opt_n, opt_x;
};

extern struct shell sh;

#endif
