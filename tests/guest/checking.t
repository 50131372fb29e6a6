#!/bin/sh
# The tests that run inside, on the checking kernel (B9). The tests of coverage find its functions
# in a file of its own.
# Needs: gnomon-check.elf guest/gnomon-check.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/guest/machine.sh

machine checking --kernel "$b/gnomon-check.elf" -p "$b/guest/gnomon-check.elf:/boot/gnomon"
