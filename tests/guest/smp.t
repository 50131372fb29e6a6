#!/bin/sh
# The tests that run inside, on four processors at once, in the time of the host's clock.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/guest/machine.sh

machine '4 processors' --smp 4 --icount off
