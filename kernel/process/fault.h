/* What traps of programs lead to. */
#pragma once

void fault_init(void); /* after trap_init() */
