/* How blocks of instructions end, by short names for tables of them. */
#ifndef TESTS_TOOLS_ENDS_H
#define TESTS_TOOLS_ENDS_H

#include "tools/record/plugin/decode.h"

#define STEP DECODE_STEP
#define JUMP DECODE_JUMP
#define BRANCH DECODE_BRANCH
#define INDIRECT DECODE_INDIRECT
#define CALL DECODE_CALL
#define RET DECODE_RETURN
#define RESUME DECODE_RESUME
#define TRAP DECODE_TRAP

#endif
