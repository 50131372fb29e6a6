/* sproc(2): what the new process shares with its parent. */
#pragma once

#define PR_SFDS 0x02u  /* the open files; else a copy */
#define PR_SADDR 0x40u /* memory; else a copy */
#define PR_SALL 0xffffffffu
