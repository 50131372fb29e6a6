#!/bin/sh
# The tests that run inside, on a small and old machine: 16 MB, and a processor without NX.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/guest/machine.sh
at_once=15 # what has run leaves memory in pieces, and tables are in one piece

machine '16 MB, no NX' --mem 16 --cpu qemu32
