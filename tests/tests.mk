# Tests and measurements: what they are made of, and how they run.
#
# A program is a file with a main function in its folder, a script one that is named *.t. What is
# particular about a file is told in its first comment, by lines that begin with
#	Links: FILE...	what else the program is linked with, and what that asks for in turn
#	Flags: FLAG...	how these are compiled, and the program is linked
#	Needs: FILE...	what a script uses of $(B)
#	World: host	this program is the host's, though others in the folder are the guest's
#	World: cpus	this one of tests/kernel has a machine of its own, whose CPUs may be threads
#	Host: no	a file of userland/ that cannot be tried on the host

MAINS	:= $(shell grep -l '^int main' tests/*/*.c)
SAID	:= $(shell awk '/^ ?[^ ] (Links|Flags|Needs|World|Host|Inside): / \
		{ for (i = 3; i <= NF && $$i != "*/"; i++) print FILENAME ":" $$2 $$i } \
		/\*\/$$/ || !NF { nextfile }' tests/*/*.[ct] tests/*/run userland/*/*.c)
# said WORD,FILE: what such a line of the file names; saying WORD,TEXT: the files that say so
said	= $(patsubst $2:$1:%,%,$(filter $2:$1:%,$(SAID)))
saying	= $(patsubst %:$1:$2,%,$(filter %:$1:$2,$(SAID)))
links	= $(sort $(call said,Links,$1) $(foreach f,$(call said,Links,$1),$(call said,Links,$f)))
needs	= $(foreach f,$1,$(addprefix $(B)/,$(call said,Needs,$f)))

# ---------------------------------------------------------------- hosted tests
# The worlds of what runs under sanitizers: the host's programs and prof/, the same where threads
# are CPUs, drivers and files over fakes of what is below them, and the guest's commands.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
LOOSE	= -O1 -g $(WARN) -Wno-unused-parameter
CHECKED	= $(CC) $(LOOSE)
CC-asan	= $(CHECKED) $(SANITIZE) -std=gnu11 -D_GNU_SOURCE -I.
CC-tsan	= $(CHECKED) -fsanitize=thread -std=gnu2x -D_GNU_SOURCE -I.
CC-asan-drivers = $(CHECKED) $(SANITIZE) -std=gnu2x -I. -include tests/drivers/machine.h
CC-asan-kernel = $(CHECKED) $(SANITIZE) -std=gnu2x -I. -include tests/kernel/host.h
CC-asan-bin = $(CHECKED) -fsanitize=address,undefined -fno-sanitize-recover=undefined -std=gnu11 \
	  -D_GNU_SOURCE -Wno-missing-prototypes -Itests/bin/host -I.
CC-host	= $(HOSTCC)
worlds	= $(foreach w,$1,$(eval $(call world,$w/,,CC-$w)))
$(call worlds,asan tsan asan-drivers asan-kernel asan-bin asan-libc fuzz fuzz-drivers fuzz-kernel)
$(eval $(call archive,asan.a,$(call object,asan/,$(TOOLS)),ar))

# hosted-tests FILES,WORLD,SUFFIX,ARCHIVE: those of fuzz have a linker of their own
hosted-tests = $(foreach t,$1,$(eval HOSTED += $(B)/$(t:.c=)$3)\
	$(eval $(call hosted,$(t:.c=)$3,$t $(call links,$t),$2/,$(if $(filter \
	fuzz%,$2),FUZZLINK,CC-$2),$4,$(call said,Flags,$t))))
# Those of the folders, and of these those with threads.
mains	= $(filter $(1:%=tests/%/%),$(MAINS))
threads	= $(shell grep -l pthread $(call mains,$1))
$(call hosted-tests,$(call mains,tools prof),asan,,$(O)/asan.a)
$(call hosted-tests,$(call threads,prof),tsan,-tsan)
$(call hosted-tests,$(call mains,drivers),asan-drivers)
# Those of the kernel with threads, or with a machine of their own.
CPUTESTS := $(call saying,World,cpus)
$(call hosted-tests,$(filter-out $(CPUTESTS),$(call mains,kernel)),asan-kernel)
$(call hosted-tests,$(CPUTESTS),tsan)

# The C library: its files that need no kernel are linked with the prefix gn_ before every name,
# next to the host's library.
CC-asan-libc = $(CHECKED) $(SANITIZE) -std=gnu11 -ffreestanding \
	  -fno-tree-loop-distribute-patterns -nostdinc -Iuserland/libc/include -I. \
	  -isystem $(shell $(CC) -print-file-name=include)
GNLIBC	= $(filter-out $(call saying,Host,no) $(shell grep -l SYS_ $(LIBC)),$(LIBC))
$(O)/gnlibc.o: $(call object,asan-libc/,$(GNLIBC) tests/libc/fake.c)
	$(CC) -r -nostdlib $^ -o $(@:.o=-plain.o)
	nm -g -P $(@:.o=-plain.o) | awk '$$1 !~ /^(__asan|__ubsan|fake_|_GLOBAL)/ \
		{ print $$1, "gn_" $$1 }' >$(@:.o=-names)
	objcopy --redefine-syms=$(@:.o=-names) $(@:.o=-plain.o) $@
$(call hosted-tests,$(call mains,libc),asan)
$(patsubst %.c,$(B)/%,$(call mains,libc)): $(O)/gnlibc.o

# The commands as programs of this machine, with what they ask the kernel faked.
HB	= $(B)/hostbin
HOSTBIN	= $(patsubst userland/bin/%.c,$(HB)/%,$(filter-out $(call saying,Host,no),\
	    $(call in,userland/bin,c)))
HBLIB	= $(filter-out $(call saying,Host,no),$(BINLIB))
$(eval $(call archive,hostbin.a,$(call object,asan-bin/,$(HBLIB)),ar))
$(HB)/%: $(O)/asan-bin/userland/bin/%.o $(O)/asan-bin/tests/bin/host/gnomon.o $(O)/hostbin.a
	$(call say,LD,$@)
	$(CC-asan-bin) $^ -Wl,--wrap=open,--wrap=opendir,--wrap=rename -o $@

# ---------------------------------------------------------------- fuzzing
# A harness is a file of tests/fuzz with the function that libFuzzer calls. Its world is that of
# the hosted tests whose fakes it includes, compiled by clang with what libFuzzer looks at.
CLANG	= clang
FUZZERS	:= $(shell grep -l '^int LLVMFuzzerTestOneInput' tests/fuzz/*.c)
# clang counts NULL + 0 among the overflows of pointers.
FUZZCC	= $(CLANG) $(LOOSE) -I. -fno-omit-frame-pointer -fno-sanitize-recover=all \
	  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow
CC-fuzz	= $(FUZZCC) -std=gnu11 -D_GNU_SOURCE
CC-fuzz-drivers = $(FUZZCC) -std=gnu2x -include tests/drivers/machine.h
CC-fuzz-kernel = $(FUZZCC) -std=gnu2x -include tests/kernel/host.h
FUZZLINK = $(CLANG) -fsanitize=fuzzer,address,undefined
$(eval $(call archive,fuzz.a,$(call object,fuzz/,$(TOOLS)),ar))
fakes	= $(shell grep -l 'include "tests/$1/' $(FUZZERS))
$(call hosted-tests,$(call fakes,drivers),fuzz-drivers)
$(call hosted-tests,$(call fakes,kernel),fuzz-kernel)
OTHERS	= $(filter-out $(call fakes,drivers) $(call fakes,kernel),$(FUZZERS))
$(call hosted-tests,$(OTHERS),fuzz,,$(O)/fuzz.a)

# The kernel in whose memory a harness looks: files with the variables that are looked for.
$(O)/inside.elf: $(call object,,$(call said,Inside,tests/fuzz/inside.c))
	$(KLD) -m elf_i386 -n -Ttext 0xc0100000 -e 0 --unresolved-symbols=ignore-all \
		--build-id=sha1 --no-warn-rwx-segments -z noexecstack $^ -o $@
$(O)/fuzz/tests/fuzz/inside.o: EXTRA = -DFUZZ_KERNEL='"$(abspath $(O)/inside.elf)"'
$(B)/tests/fuzz/inside: | $(O)/inside.elf

# ---------------------------------------------------------------- programs for tests
# Those that run in the guest; each of tests/guest has TAP and the modules of prof(3) with it.
$(eval $(call program,tests/,user/tests/))
$(eval $(call program,pg/tests/,pg/tests/))
GUESTMAINS = $(filter-out $(call saying,World,host),$(call mains,guest e2e soak bench))
GUEST	= $(GUESTMAINS:%.c=$(B)/%)
define guest-program
$(if $(call said,Flags,$1),$(O)/user/$(1:.c=.o): EXTRA = $(call said,Flags,$1))
$(B)/$(1:.c=): $(call object,user/,$(call links,$1))
endef
$(foreach t,$(GUESTMAINS),$(eval $(call guest-program,$t)))
$(B)/tests/guest/sproc: AT = 0x3ff00000
$(filter $(B)/tests/guest/%,$(GUEST)): $(call object,user/,tests/guest/tap.c tests/guest/modules.c)

# Programs that EXAMPLES in the manual show: tests/e2e/examples.t runs them in the guest.
EXAMPLES := $(patsubst docs/man/%,$(B)/examples/%,$(shell grep -l '^#include' docs/man/[23]/*))
$(O)/examples/%.c: docs/man/%
	@mkdir -p $(@D)
	sed -n '/^#include/,/^\.Ed/{/^\.Ed/d;s/\\e/\\/g;p}' $< >$@
$(O)/examples/%.o: $(O)/examples/%.c $(B)/flags
	$(call say,CC,$<)
	$(USERCC) -Werror -c $< -o $@
$(eval $(call program,examples/,examples/))

# The smallest program that can be executed.
$(B)/tests/bench/tiny: $(O)/tests/bench/tiny.o userland/libc/user.ld
	$(call say,LD,$@)
	$(ULINK) $< -o $@

# The kernel with one device more, by which tests make it do what they want to see; the same with
# ten times as much text, for what depends on that; the checking kernel with that device, which can
# make allocations fail there; and one without profilers, whose hooks are empty: it takes from the
# kernel what it needs.
TESTOBJ	= $(KOBJ) $(O)/tests/devtest.o
$(eval $(call kernel,gnomon-test,$(TESTOBJ)))
$(eval $(call kernel,gnomon-big,$(TESTOBJ) $(O)/tests/bench/synthetic.o))
$(eval $(call kernel,gnomon-check,\
	$(CHECKOBJ) $(call object,check/,tests/devtest.c tests/invariants.c)))
$(eval $(call archive,kernel.a,$(KOBJ),$(KAR)))
$(eval $(call kernel,gnomon-nohooks,$(O)/tests/nohooks.o $(O)/kernel.a))

# What is true: a plugin of QEMU's that counts every instruction, and what compares. Each of
# these programs, plain and compiled with -pg, runs at addresses that no other has.
TR	= $(B)/tests/truth
TRUTHPROG := $(shell sed -n "s/^programs='\(.*\)'/\1/p" tests/truth/run)
TRUTH	= $(call needs,tests/truth/run tests/truth/callers) $(TRUTHPROG:%=$(TR)/%) $(TRUTHPROG:%=$(TR)/pg/%)
$(foreach n,1 2 3 4 5,$(eval $(TR)/$(word $n,$(TRUTHPROG)): AT = 0x1$n000000) \
	$(eval $(TR)/pg/$(word $n,$(TRUTHPROG)): AT = 0x2$n000000))
$(TRUTHPROG:%=$(TR)/pg/%): $(O)/user/tests/truth/fast.o
$(eval $(call program,tests/truth/,user/userland/bin/))
$(eval $(call program,tests/truth/pg/,pg/userland/bin/))

# Programs of the host's that measure and compare, and parts for others.
$(call hosted-tests,$(call mains,truth screen) $(call saying,World,host),host,,$(O)/tools.a)
$(B)/tests/screen/readscreen: $(call object,host/,$(O)/font.c)
$(B)/tests/%.so: tests/%.c $(B)/flags
	$(call say,CC,$@)
	$(HOSTCC) -shared -fPIC -MMD -MP -MF $(NOTE).d $< -o $@
$(HOSTED): HOSTLIBS += -lcmocka -lpthread

# ---------------------------------------------------------------- tests
# The longest begin first, so that none of them is still running when all others are done.
SCRIPTS	= $(sort $(wildcard tests/guest/*.t)) \
	  $(filter-out tests/guest/%,$(sort $(wildcard tests/*.t tests/*/*.t)))
# Some hosted programs make input for tests; a test has a table to run.
HOSTTESTS = $(foreach t,$(patsubst %.c,$(B)/%,$(shell grep -l "RUN.tests, " $(MAINS))),\
	    $(filter $t $t-tsan,$(HOSTED)))
TESTNEEDS = $(HOSTED) $(GUEST) $(EXAMPLES) $(HOSTBIN) $(TRUTH) $(sort $(call needs,$(SCRIPTS))) all

# The longest takes three minutes on two quiet CPUs. One that hangs is ended with all its processes,
# so that prove names it, and the others run.
LIMIT	= timeout -k 10 1500
test: $(TESTNEEDS) ## everything that can be checked
	B=$(B) BIN=$(HB) CROSS=$(CROSS) prove -j2 --exec '$(LIMIT)' $(SCRIPTS) $(HOSTTESTS) </dev/null
tests: $(TESTNEEDS) ## all that make test needs
# The first of the two builds all once more, with warnings as errors; that is what both look at.
lint: ## style, manual pages, warnings
	B=$(B) CROSS=$(CROSS) prove --exec '' tests/lint.t
	B=$(B)/lint prove --exec '' tests/floors.t
	CROSS=$(CROSS) prove --exec '' tests/library.t

# All harnesses for SECONDS each, or those that FUZZ names: CONTRIBUTING.md has more.
FUZZ	= $(notdir $(FUZZERS:.c=))
SECONDS	= 60
## parsers with damaged input; FUZZ=name SECONDS=n
fuzz: $(filter $(FUZZ:%=$(B)/tests/fuzz/%),$(FUZZERS:%.c=$(B)/%))
	B=$(B) tests/fuzz/fuzz $(SECONDS) $(FUZZ)
stack: $(B)/stackdepth $(B)/gnomon.elf ## how deep the stacks of the kernel can become
	$(B)/stackdepth $(B)/gnomon.elf tests/stack.rules
prof-size: ## what each profiler takes in a kernel
	@CC="$(CC)" CROSS=$(CROSS) tests/prof/size
# For every way in which the profiling clock can run.
truth: $(TRUTH) ## how near profiles are to what really ran
	tests/truth/run $(B) >$(B)/truth.records
	$(B)/tests/bench/results json $(B)/truth.records >$(B)/truth.json
	$(B)/tests/bench/results truth $(B)/truth.json
	tests/truth/callers $(B)
# System calls, damaged executables and devices, on each of CPUS="1 4" processors; then the
# package, on a bare machine.
soak: $(B)/tests/soak/soak $(B)/tests/drivers/clocksinturn $(call needs,tests/soak/clocks) deb ## random calls of all kinds for MINUTES=30; SEED= gives a run again
	MINUTES=$(MINUTES) SEED=$(SEED) CPUS="$(CPUS)" tests/soak/run $(B)
	tests/soak/starts $(B)
	tests/soak/clocks $(B)
	SEEDS=10000 $(B)/tests/drivers/clocksinturn
	tests/soak/package $(B)
## what is true, and what it costs, in instructions; also build/bench.json and .html
bench: $(TRUTH) $(call needs,tests/bench/run)
	tests/bench/run $(B)
NEW	= $(B)/bench.json # unless NEW=FILE
bench-diff: $(B)/tests/bench/results ## what changed since the run of which OLD=FILE.json is
	@[ -n "$(OLD)" ] || \
		{ echo "make bench-diff: OLD=FILE names the earlier bench.json" >&2; exit 2; }
	$(B)/tests/bench/results diff $(OLD) $(NEW)

.PHONY: test tests fuzz lint stack prof-size soak truth bench bench-diff
