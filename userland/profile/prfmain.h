/*
 * What prfld's file is by its other names. Each is a command's main(): take the options and
 * operands, do it, and return an exit status; see the manual page of that name.
 */
#ifndef USERLAND_PROFILE_PRFMAIN_H
#define USERLAND_PROFILE_PRFMAIN_H

int prfdc_main(int argc, char **argv);
int prfsnap_main(int argc, char **argv);
int prfstat_main(int argc, char **argv);

#endif
