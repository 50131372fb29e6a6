#!/bin/sh
# The tests that run inside, on the machine that `gnomon run` gives.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/guest/machine.sh

machine usual
