/* Running another program in the calling process. */
#pragma once

struct args;
struct trapframe;

int exec(struct args *a, struct trapframe *tf);
