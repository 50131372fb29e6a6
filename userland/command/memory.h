/* Memory for commands that end when there is none. */
#ifndef USERLAND_COMMAND_MEMORY_H
#define USERLAND_COMMAND_MEMORY_H

/*
 * Return what malloc() or one of its kin returned, or end the program with status 1 and a
 * message when that is NULL, as in memory(strdup(name)). Commands whose status 1 means something
 * else, as grep's does, check for NULL themselves.
 */
void *memory(void *allocated);

#endif
