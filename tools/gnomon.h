/* The subcommands of gnomon(1). */
#ifndef TOOLS_GNOMON_H
#define TOOLS_GNOMON_H

/* Each gets its own name as argv[0] and returns the exit status. */
int extract_main(int argc, char **argv);
int run_main(int argc, char **argv);
int top_main(int argc, char **argv);

#endif
