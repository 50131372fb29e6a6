#!/bin/sh
# What the checking kernel finds only where several processors share an address space (B9, B19).
# Needs: gnomon-check.elf
cd "$(dirname "$0")/../.." || exit 1
set -- sproc
. tests/guest/machine.sh

machine "checking, 4 processors" --kernel "$b/gnomon-check.elf" --smp 4
