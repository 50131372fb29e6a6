/*
 * The subcommands of gnomon(1). Each is in the folder of its name, but for top and extract, which
 * are in guest/, and has a page of its own, gnomon-NAME(1).
 */
#ifndef TOOLS_GNOMON_H
#define TOOLS_GNOMON_H

/* Each has its own name as argv[0] and returns the exit status; it may leave stdout unflushed. */
int cc_main(int argc, char **argv);
int diff_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
int export_main(int argc, char **argv);
int import_main(int argc, char **argv);
int merge_main(int argc, char **argv);
int record_main(int argc, char **argv);
int report_main(int argc, char **argv);
int extract_main(int argc, char **argv);
int run_main(int argc, char **argv);
int top_main(int argc, char **argv);

#endif
