# Tests and measurements: what they are made of, and how they run.
#
# A hosted or guest test is a file with a main function in its folder; a script is a file
# tests/*/*.t: neither needs a line here. What else a hosted test is linked with stands in its
# first comment, "Links: FILE...".

MAINS	:= $(shell grep -l '^int main' tests/*/*.c)
LINKS	:= $(shell awk '/ Links: / { sub(/ \*\/$$/, ""); for (i = 3; i <= NF; i++) \
		print FILENAME ":" $$i }' tests/*/*.c)
# tests FOLDER: its programs; links FILE: what it asks for, and what that asks for
tests	= $(patsubst %.c,$(B)/%,$(filter tests/$1/%,$(MAINS)))
named	= $(patsubst $1:%,%,$(filter $1:%,$(LINKS)))
links	= $(sort $(call named,$1) $(foreach f,$(call named,$1),$(call named,$f)))

# ---------------------------------------------------------------- hosted tests

# The worlds of what runs under sanitizers: the host's programs and prof/, the same where threads
# are CPUs, drivers and files over fakes of what is below them, and the guest's commands.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
CHECKED	= $(CC) -O1 -g $(WARN)
ASANCC	= $(CHECKED) $(SANITIZE) -std=gnu11 -D_GNU_SOURCE -I.
TSANCC	= $(CHECKED) -fsanitize=thread -std=gnu2x -D_GNU_SOURCE -I.
DRIVERCC = $(CHECKED) $(SANITIZE) -std=gnu2x -I. -include tests/drivers/machine.h
FILECC	= $(CHECKED) $(SANITIZE) -std=gnu2x -I. -include tests/kernel/host.h
BINCC	= $(CHECKED) -fsanitize=address,undefined -fno-sanitize-recover=undefined -std=gnu11 \
	  -D_GNU_SOURCE -Wno-missing-prototypes -Itests/bin/host -I.
$(eval $(call world,asan/,,ASANCC))
$(eval $(call world,tsan/,,TSANCC))
$(eval $(call world,asan-drivers/,,DRIVERCC))
$(eval $(call world,asan-kernel/,,FILECC))
$(eval $(call world,asan-bin/,,BINCC))

$(eval $(call archive,asan.a,$(call object,asan/,\
	$(filter-out tools/report/page/page.c tools/export/pprof.c,$(TOOLS))),ar))

# hosted-test FILE,WORLD,COMPILER,SUFFIX,ARCHIVE
define hosted-test
HOSTED	+= $(B)/$(1:.c=)$4
$(B)/$(1:.c=)$4: $(call object,$2,$1 $(call links,$1)) $5
	@mkdir -p $$(@D)
	@echo "  LD    $$@"
	$$($3) $$(EXTRA) $$^ $$(HOSTLIBS) -lcmocka -lpthread -o $$@
endef
hosted-tests = $(foreach t,$(filter $1,$(MAINS)),$(eval $(call hosted-test,$t,$2,$3,$4,$5)))
THREADED := $(shell grep -l pthread tests/prof/*.c)
$(call hosted-tests,tests/tools/% tests/prof/%,asan/,ASANCC,,$(O)/asan.a)
$(call hosted-tests,$(THREADED),tsan/,TSANCC,-tsan)
$(call hosted-tests,tests/drivers/%,asan-drivers/,DRIVERCC)
CPUTESTS = tests/kernel/lock.c tests/kernel/smp.c
$(call hosted-tests,$(filter-out $(CPUTESTS),$(filter tests/kernel/%,$(MAINS))),asan-kernel/,FILECC)
$(call hosted-tests,$(CPUTESTS),tsan/,TSANCC)
# That sanitizer knows no fences; what is behind this one is atomic in itself.
$(O)/tsan/tests/kernel/smp.o: EXTRA = -Wno-tsan
# The address sanitizer keeps its own where the kernel's memory is.
$(B)/tests/kernel/memory: EXTRA = -fno-sanitize=address

# The C library: its files that need no kernel are linked with the prefix gn_ before every name,
# next to the host's library.
GNCC	= $(CHECKED) $(SANITIZE) -std=gnu11 -ffreestanding -fno-tree-loop-distribute-patterns \
	  -nostdinc -Iuserland/libc/include -I. \
	  -isystem $(shell $(CC) -print-file-name=include)
$(eval $(call world,asan-libc/,,GNCC))
GNLIBC	= $(filter-out $(addprefix userland/libc/,abort.c gmonstart.c isatty.c monitor.c) \
	    $(shell grep -l 'SYS_' $(LIBC)),$(LIBC)) tests/libc/fake.c
$(O)/gnlibc.o: $(call object,asan-libc/,$(GNLIBC))
	$(CC) -r -nostdlib $^ -o $(@:.o=-plain.o)
	nm -g -P $(@:.o=-plain.o) | awk '$$1 !~ /^(__asan|__ubsan|fake_|_GLOBAL)/ \
		{ print $$1, "gn_" $$1 }' >$(@:.o=-names)
	objcopy --redefine-syms=$(@:.o=-names) $(@:.o=-plain.o) $@
$(call hosted-tests,tests/libc/%,asan/,ASANCC,,$(O)/gnlibc.o)

# The commands as programs of this machine, with what they ask the kernel faked.
HB	= $(B)/hostbin
HOSTBIN	= $(patsubst %,$(HB)/%,$(filter-out agent cprof kgmon mprof prfdc prfld prfsnap prfstat \
	    prof top,$(BIN)))
HBLIB	= $(call in,$(addprefix userland/,command files text),c) \
	  $(addprefix userland/profile/,loss.c prffile.c symtab.c) \
	  $(FORMATS) tests/bin/host/gnomon.c
$(HB)/%: $(O)/asan-bin/userland/bin/%.o $(call object,asan-bin/,$(HBLIB))
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(BINCC) $^ -Wl,--wrap=open,--wrap=opendir -o $@

# ---------------------------------------------------------------- fuzzing

# A harness is a file of tests/fuzz with the function that libFuzzer calls. Its world is that of
# the hosted tests whose fakes it includes, compiled by clang with what libFuzzer looks at.
CLANG	= clang
FUZZERS	:= $(shell grep -l '^int LLVMFuzzerTestOneInput' tests/fuzz/*.c)
# clang counts NULL + 0 among the overflows of pointers.
FUZZCC	= $(CLANG) -O1 -g $(WARN) -fno-sanitize-recover=all -fno-omit-frame-pointer \
	  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -I.
FUZZHOST = $(FUZZCC) -std=gnu11 -D_GNU_SOURCE
FUZZDRIVER = $(FUZZCC) -std=gnu2x -include tests/drivers/machine.h
FUZZKERNEL = $(FUZZCC) -std=gnu2x -include tests/kernel/host.h
$(eval $(call world,fuzz/,,FUZZHOST))
$(eval $(call world,fuzz-drivers/,,FUZZDRIVER))
$(eval $(call world,fuzz-kernel/,,FUZZKERNEL))

$(eval $(call archive,fuzz.a,$(call object,fuzz/,\
	$(filter-out tools/report/page/page.c tools/export/pprof.c,$(TOOLS))),ar))

# fuzzer FILE,WORLD,ARCHIVE
define fuzzer
$(B)/$(1:.c=): $(call object,$2,$1 $(call links,$1)) $3
	@mkdir -p $$(@D)
	@echo "  LD    $$@"
	$(CLANG) -fsanitize=fuzzer,address,undefined $$^ $$(HOSTLIBS) -lcmocka -o $$@
endef
FUZZOF	= $(shell grep -l 'include "tests/$1/' $(FUZZERS))
$(foreach f,$(call FUZZOF,drivers),$(eval $(call fuzzer,$f,fuzz-drivers/)))
$(foreach f,$(call FUZZOF,kernel),$(eval $(call fuzzer,$f,fuzz-kernel/)))
$(foreach f,$(filter-out $(call FUZZOF,drivers) $(call FUZZOF,kernel),$(FUZZERS)),\
	$(eval $(call fuzzer,$f,fuzz/,$(O)/fuzz.a)))

# Two files meet names of the host's, and of the kernel's, that they do not meet in the kernel.
$(O)/fuzz-kernel/tests/fuzz/sprofil.o: EXTRA = -Wno-shadow -D_SYS_SELECT_H -D__timeval_defined
$(O)/fuzz-kernel/prof/prof_profil.o: EXTRA = -Wno-shadow

# The kernel in whose memory a harness looks: files with the variables that are looked for.
INSIDE	= $(addprefix $(O)/,kernel/clock.o kernel/cpu.o kernel/print.o kernel/proc.o)
$(O)/inside.elf: $(INSIDE)
	$(KLD) -m elf_i386 -n -Ttext 0xc0100000 -e 0 --unresolved-symbols=ignore-all \
		--build-id=sha1 --no-warn-rwx-segments -z noexecstack $^ -o $@
$(O)/fuzz/tests/fuzz/inside.o: EXTRA = -DFUZZ_KERNEL='"$(abspath $(O)/inside.elf)"'
$(B)/tests/fuzz/inside: | $(O)/inside.elf

# All of them for SECONDS each, or the one that FUZZ names: CONTRIBUTING.md has more.
FUZZNAMES = $(notdir $(FUZZERS:.c=))
FUZZ	= $(FUZZNAMES)
ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
$(foreach f,$(filter-out $(FUZZNAMES),$(FUZZ)),\
	$(error FUZZ=$f: there is no such harness; there are $(FUZZNAMES)))
endif
SECONDS	= 60
fuzz: $(FUZZ:%=$(B)/tests/fuzz/%)
	B=$(B) tests/fuzz/fuzz $(SECONDS) $(FUZZ)

# ---------------------------------------------------------------- programs for tests

# Those that run in the guest; each of tests/guest has TAP and the modules of prof(3) with it.
TAP	= $(call object,user/,tests/guest/tap.c tests/guest/modules.c)
TAPPED	= $(B)/tests/e2e/hour $(B)/tests/e2e/wakeups
SOAK	= $(B)/tests/soak/soak
GUEST	= $(call tests,guest) $(SOAK) $(TAPPED) $(patsubst %,$(B)/tests/e2e/%,covered leaks spin)
$(eval $(call program,tests/,user/tests/))
$(call tests,guest) $(TAPPED): $(TAP)

$(SOAK): $(call object,user/,$(call in,tests/soak,c)) $(O)/user/tests/guest/tap.o

# A program compiled with -pg, in both ways in which entries can call.
PGTEST	= $(B)/tests/e2e/userprof $(B)/tests/e2e/userprof-fentry
$(B)/tests/e2e/userprof: PG = -pg
$(B)/tests/e2e/userprof-fentry: PG = -pg -mfentry
$(PGTEST): tests/e2e/userprof.c $(UNEEDS)
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(USERCC) $(NOSPLIT) $(PG) -c $< -o $@.o
	$(ULINK) $(CRT0) $@.o $(ULIBS) -o $@

# The kernel with one device more, by which tests make it do what they want to see; and the same
# with ten times as much text, for what depends on that.
TESTOBJ	= $(KOBJ) $(O)/tests/devtest.o
$(eval $(call kernel,gnomon-test,$(TESTOBJ)))
$(eval $(call kernel,gnomon-big,$(TESTOBJ) $(O)/tests/bench/synthetic.o))

# The checking kernel with that device, which can make allocations fail there.
$(eval $(call kernel,gnomon-check,\
	$(CHECKOBJ) $(call object,check/,tests/devtest.c tests/invariants.c)))

# One without profilers, whose hooks are empty.
$(eval $(call kernel,gnomon-nohooks,$(O)/tests/nohooks.o $(filter-out $(addprefix $(O)/,prof/% \
	kernel/prof/% boot/devtab.o drivers/clock/profclock.o drivers/clock/profspan.o \
	drivers/files/devgmon.o drivers/files/devkprof.o drivers/files/devprf.o drivers/files/devprof.o),$(KOBJ))))

# What is true: a plugin of QEMU's that counts every instruction, and what compares. Each of
# these programs, plain and compiled with -pg, runs at addresses that no other has.
TR	= $(B)/tests/truth
TRUTHPROG = words sort grep sum xd
TRUTH	= $(TR)/plugin.so $(TR)/compare $(TRUTHPROG:%=$(TR)/%) $(TRUTHPROG:%=$(TR)/pg/%) \
	  $(B)/tests/bench/results $(B)/gnomon-test.elf $(B)/initrd.cpio $(B)/gnomon
$(TR)/plugin.so $(B)/tests/bench/waits.so: $(B)/%.so: %.c tests/truth/qemuplugin.h
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(HOSTCC) -shared -fPIC $< -o $@

$(TR)/compare: $(call object,host/,tests/truth/compare.c tests/truth/sampling.c) $(O)/tools.a
	@echo "  LD    $@"
	$(HOSTCC) $(LDFLAGS) $^ $(HOSTLIBS) -o $@

$(foreach n,1 2 3 4 5,$(eval $(TR)/$(word $n,$(TRUTHPROG)): AT = 0x1$n000000))
$(foreach n,1 2 3 4 5,$(eval $(TR)/pg/$(word $n,$(TRUTHPROG)): AT = 0x2$n000000))
$(TRUTHPROG:%=$(TR)/pg/%): $(O)/user/tests/truth/fast.o
$(eval $(call program,tests/truth/,user/userland/bin/))
$(eval $(call program,tests/truth/pg/,pg/userland/bin/))

# What makes output fail in the host's programs.
FAULTS	= $(B)/tests/host/faults.so
$(FAULTS): tests/host/faults.c
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(HOSTCC) -shared -fPIC $< -o $@

# What reads a machine's screen.
READSCREEN = $(B)/tests/screen/readscreen
$(READSCREEN): tests/screen/readscreen.c $(O)/font.c
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(HOSTCC) $^ -o $@

# What shows the results of make bench, and finds what changed between two.
TB	= $(B)/tests/bench
RESULTS	= $(addprefix tests/bench/,results.c records.c table.c diff.c page.c truth.c truthpage.c)
$(TB)/results: $(call object,host/,$(RESULTS)) $(O)/tools.a
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(HOSTCC) $(LDFLAGS) $^ $(HOSTLIBS) -o $@

# How much a program of the host's computes, and how large it becomes.
$(TB)/need: $(O)/host/tests/bench/need.o
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(HOSTCC) $(LDFLAGS) $^ -o $@

# What measures services in the guest, and the smallest program that can be executed.
$(TB)/bench: $(call object,user/,$(addprefix tests/bench/,calls.c directories.c memory.c pipes.c \
	processes.c))
$(TB)/tiny: $(O)/tests/bench/tiny.o userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $< -o $@

# ---------------------------------------------------------------- tests

SCRIPTS	= $(filter-out tests/library.t,$(sort $(wildcard tests/*.t tests/*/*.t)))
# These begin first, so that none of them is still running when all others are done.
LONGEST	= tests/guest/checking.t $(filter-out %/checking.t,$(sort $(wildcard tests/guest/*.t)))
# What makes input for tests has a main function, but is none.
TESTS	= $(filter-out %/mkbig %/mkframes %/mkgmon %/mkkernel %/mkprf %/showlines,$(HOSTED))
TESTNEEDS = $(HOSTED) $(FAULTS) $(FUZZERS:%.c=$(B)/%) $(GUEST) $(PGTEST) $(HOSTBIN) \
	  $(TB)/results $(B)/pg/sort $(B)/pg/words \
	  $(B)/guest/tests/e2e/covered $(B)/guest/tests/e2e/leaks $(B)/gnomon-test.elf \
	  $(B)/gnomon-check.elf $(B)/guest/gnomon-check.elf $(B)/gnomon-nohooks.elf \
	  $(B)/stackdepth $(READSCREEN) $(TRUTH) all

# All tests: hosted ones under sanitizers, those inside the guest, and whole systems.
test: $(TESTNEEDS)
	B=$(B) BIN=$(HB) CROSS=$(CROSS) CMOCKA_MESSAGE_OUTPUT=TAP \
		prove -j2 --exec '' $(LONGEST) $(TESTS) $(filter-out $(LONGEST),$(SCRIPTS))

# All that make test needs.
tests: $(TESTNEEDS)

# The first of the two builds all once more, with warnings as errors; that is what both look at.
lint:
	B=$(B) CROSS=$(CROSS) prove --exec '' tests/lint.t
	B=$(B)/lint prove --exec '' tests/floors.t
	CROSS=$(CROSS) prove --exec '' tests/library.t

# How deep the kernel's stacks can become.
stack: $(B)/stackdepth $(B)/gnomon.elf
	$(B)/stackdepth $(B)/gnomon.elf tests/stack.rules

# What each profiler of prof/ takes in a kernel.
prof-size:
	@CC="$(CC)" CROSS=$(CROSS) tests/prof/size

# How true profiles are, for every way in which the profiling clock can run.
truth: $(TRUTH)
	tests/truth/run $(B) >$(B)/truth.records
	$(TB)/results json $(B)/truth.records >$(B)/truth.json
	$(TB)/results truth $(B)/truth.json

# Random system calls, damaged executables and devices, for MINUTES= on each of CPUS="1 4"
# processors; SEED= gives a run again. Then the package, on a bare machine.
soak: $(SOAK) deb
	MINUTES=$(MINUTES) SEED=$(SEED) CPUS="$(CPUS)" tests/soak/run $(B)
	tests/soak/starts $(B)
	tests/soak/package $(B)

# That, and what it costs: a table here, and $(B)/bench.json and $(B)/bench.html.
bench: $(B)/gnomon-big.elf $(addprefix $(TB)/,bench tiny profiled addresses crowd need waits.so) \
	  $(B)/tests/tools/mkbig $(TRUTH)
	tests/bench/run $(B)

# Two runs beside each other: make bench-diff OLD=FILE, and NEW=FILE unless it is the last.
NEW	= $(B)/bench.json
bench-diff: $(TB)/results
	@[ -n "$(OLD)" ] || \
		{ echo "make bench-diff: OLD=FILE names the earlier bench.json" >&2; exit 2; }
	$(TB)/results diff $(OLD) $(NEW)

.PHONY: test tests fuzz lint stack prof-size soak truth bench bench-diff
