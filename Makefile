# Gnomon. "make help" lists what there is to make.
#
# Sources are found in their folders: a new file, command, manual page or test needs no line here.
# Every source is compiled by the rule of its world (the kernel's, the programs', the host's), to
# an object under $(O). tests/tests.mk has the rules of tests and of measurements.

## the tool chain of the guest; i686-elf- works too
CROSS	?= i686-linux-gnu-
SMP	?= 1
MEM	?= 64
ACCEL	?= tcg
# By counting instructions where QEMU can and it is of use: several processors would take turns.
## the time of the guest of "make run": shift=3 counts instructions, no is the host's
ICOUNT	?= $(if $(and $(filter tcg%,$(ACCEL)),$(filter 1,$(SMP))),shift=3,no)
APPEND	?=
QEXTRA	?=
PROFILE_USER ?= ## these commands, as in "sort wc", write gmon.out: monitor(3)
## the QEMU of everything, tests too
QEMU	?= qemu-system-i386
export QEMU
CHECK	?= ## 1: a checking kernel, see CONTRIBUTING.md
## the host's compiler; CFLAGS= and LDFLAGS= are its, too
CC	= gcc
CFLAGS	?= -O2 -g
LDFLAGS	?=
HFLAGS	?= ## for whoever wants a sanitizer or the like in the host's programs
## where everything is built
B	= build
O	= $(B)/obj
KCC	= $(CROSS)gcc
KLD	= $(CROSS)ld
KAR	= $(CROSS)ar
NM	= $(CROSS)nm
OBJCOPY	= $(CROSS)objcopy
OBJDUMP	= $(CROSS)objdump

MAKEFLAGS += -rR # no rules but these
V	?= ## 1: the commands are shown
ifeq ($V,)
.SILENT:
endif
# What every compiler is told.
WARN	= -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow -Wundef $(WERROR) \
	  '-DGNOMON_VERSION="$(VERSION)"'

# Code for the machine. There are no clones, parts or cold halves of functions: gprof knows no
# symbol with a dot in it, and would charge their time to the function before.
NOSPLIT	= -fno-ipa-cp -fno-ipa-sra -fno-partial-inlining -fno-reorder-blocks-and-partition
MACHINE	= -m32 -march=i686 -mtune=generic -std=gnu2x -ffreestanding -fno-pic -fno-pie -O2 -g \
	  -fno-stack-protector -fcf-protection=none -mgeneral-regs-only -fno-omit-frame-pointer \
	  -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls \
	  '-ffile-prefix-map=$(CURDIR)/=' -I.
# Arguments travel in registers; only vector instructions would need a wider stack alignment. A
# function makes its frame first and leaves it last: its caller is known at each instruction.
CALLS	= -mregparm=3 -mpreferred-stack-boundary=2 -falign-functions=16 \
	  -fno-shrink-wrap -fno-schedule-insns2 \
	  -fno-asynchronous-unwind-tables
# Programs lie in memory with the initrd: nothing within their functions is padded, functions begin
# at the 4 bytes that a histogram's bucket covers, and the stack is aligned for no vectors.
SMALL	= -falign-jumps=1 -falign-loops=1 -falign-labels=1 -falign-functions=4 \
	  -mpreferred-stack-boundary=2
LIBGCC	= $(shell $(KCC) -m32 -print-libgcc-file-name 2>/dev/null)

# The worlds' compilers: the kernel's; prof/'s, whose functions are not instrumented; that of the
# guest's programs, and the same for programs whose functions call mcount; the host's.
KERNELCC = $(KCC) $(MACHINE) $(NOSPLIT) $(WARN) $(CALLS) -pg -mfentry -mnop-mcount -mrecord-mcount
PROFCC	= $(KCC) $(MACHINE) $(NOSPLIT) $(WARN) $(CALLS) -fno-tree-loop-distribute-patterns
USERCC	= $(KCC) $(MACHINE) $(WARN) $(SMALL) -ffunction-sections -fdata-sections \
	  -fno-asynchronous-unwind-tables -nostdinc \
	  -isystem $(shell $(KCC) -print-file-name=include 2>/dev/null) \
	  -isystem userland/libc/include
PGCC	= $(USERCC) $(NOSPLIT) -pg -mfentry
# The checking kernel's two: CONTRIBUTING.md.
CHECKS	= -DKERNEL_CHECKED -fsanitize=undefined -fno-sanitize-recover=all
CHECKCC	= $(KERNELCC) $(CHECKS)
CHECKPROFCC = $(PROFCC) $(CHECKS)
HOSTCC	= $(CC) -std=gnu11 -D_GNU_SOURCE -I. $(WARN) $(CFLAGS) $(CPPFLAGS) $(HFLAGS)

# say WHAT,FILE: begins a recipe: tells what it does, and makes the folder of what it makes.
say	= @mkdir -p $(@D) && printf '  %-5s %s\n' $1 $2

# ---------------------------------------------------------------- what is built from what
# The version's number has its one place in the file VERSION. The commit is that of a checkout, with
# what was changed since; where there is none, nothing is said of it.
VERSION	:= $(file <VERSION)
COMMIT	:= $(shell GIT_OPTIONAL_LOCKS=0 git --git-dir=.git --work-tree=. describe --always \
	     --exclude='*' --abbrev=12 --dirty=-changed 2>/dev/null)

# in FOLDERS,ENDING: the files there, always in the same order
in	= $(sort $(wildcard $(addsuffix /*.$2,$1)))
object	= $(patsubst %.asm,$(O)/%.o,$(patsubst %.S,$(O)/%.o,$(2:%.c=$(O)/$1%.o)))

KERNEL	= $(filter-out $(OFFSETS),$(call in,boot kernel/* drivers/* prof,c)) \
	  $(call in,boot kernel/*,asm) prof/arch/i386/mcount.S
OFFSETS	= kernel/prof/offsets.c
KOBJ	= $(call object,,$(KERNEL)) $(O)/font.o
CHECKOBJ = $(call object,check/,$(KERNEL) tests/check.c) $(O)/font.o
LIBC	= $(call in,userland/libc,c)
CRT0	= $(O)/userland/libc/crt0.o
LIBCASM	= $(filter-out userland/libc/crt0.asm,$(call in,userland/libc,asm))
SH	= $(call in,userland/sh,c)
BIN	= $(basename $(notdir $(call in,userland/bin,c)))
# Other names of a program, which is the command that it is called by: NAME=PROGRAM.
NAMES	= cprof=prof mprof=prof prfdc=prfld prfsnap=prfld prfstat=prfld
named	= $(B)/bin/$(word $2,$(subst =, ,$1))
NAMED	= $(foreach n,$(NAMES),$(call named,$n,1))
# What commands share, and files that both worlds know. kgmon -M looks at tables in a memory dump
# with the functions of prof/ that filled them.
BINLIB	= $(call in,userland/command userland/files userland/profile userland/text prof,c) \
	  tools/guest/offline.c $(FORMATS)
FORMATS	= $(call in,prof/files userland/formats,c)
RC	= $(sort $(wildcard userland/rc/* userland/bin/*.rc))
# Pages of programs for the host, and of prof/ for other kernels, stay on the host.
MAN	= $(sort $(shell grep -L '^.." World: host' docs/man/*/*))
# The host's programs: gnomon, and a program a file of classic/ and build/. All else is a library.
PROGRAM	= tools/gnomon.c $(call in,tools/classic tools/build,c)
TOOLS	= $(filter-out $(PROGRAM),$(call in,tools tools/* tools/report/page,c)) \
	  $(FORMATS) $(call in,prof,c) $(PPROF) $(OTLP)
PPROF	= $(O)/pprof.pb-c.c
OTLP	= $(O)/otlp.pb-c.c
HOST	= $(B)/gnomon $(patsubst tools/classic/%.c,$(B)/%,$(call in,tools/classic,c))

# The sources whose lines profiles in the guest show: of our headers, those with functions.
HEADERS	= $(call in,boot kernel/* drivers/* prof prof/arch prof/files userland/*,h)
SOURCES	= $(KERNEL) $(sort $(call in,userland/*,c) $(FORMATS)) $(call in,userland/libc,asm) \
	  $(call in,userland/libc/include,h) $(shell grep -l "static [iI]\|^PROF_ARCH" $(HEADERS))

## the kernel, its initrd, the ISO and the host programs, in build/
all: $(B)/gnomon.elf $(B)/initrd.cpio $(B)/gnomon.iso $(HOST) $(B)/record.so \
	$(B)/kernel.sym $(B)/kernel.asm $(NAMED)

# What the machine lacks is installed first, once; see tools/setup. make remakes what it
# includes before anything else.
GOALS	= $(or $(MAKECMDGOALS),all)
asks	= $(if $(filter $2,$(GOALS)),$1)
SETUP	= build $(call asks,profile,run debug profile profile-boot timeline picture screenshot \
		bench test lint) \
	  $(call asks,test,picture screenshot test fuzz lint demo) $(call asks,debug,gdb) \
	  $(call asks,editor,compile_commands.json) $(call asks,package,deb) \
	  $(call asks,soak,soak) $(call asks,clients,clients) $(call asks,docs,docs diagrams) \
	  $(call asks,sysroot,sysroot) $(call asks,ports,ports real)
ifneq ($(filter-out clean help index uninstall dist,$(GOALS)),)
include $(B)/setup-$(subst $() ,-,$(strip $(SETUP))).mk
endif
$(B)/setup-%.mk: tools/setup
	@mkdir -p $(B) && CROSS=$(CROSS) tools/setup $(subst -, ,$*) && echo "# $* is set up" >$@

# remember FILE,TEXT: the file under $(B) changes when the text does. After a change of compilers
# or flags everything is made anew; after one of which files there are, what is linked of them;
# after one of what is profiled, the initrd.
differ	= $(subst |$(strip $1)|,,|$(strip $2)|)
remember = $(if $(call differ,$2,$(file <$(B)/$1)),\
	     $(shell mkdir -p $(B))$(file >$(B)/$1,$(strip $2)))
$(call remember,flags,$(VERSION) | $(KERNELCC) | $(PROFCC) | $(CHECKS) | $(USERCC) | \
	$(HOSTCC) $(LDFLAGS))
$(call remember,sources,$(CHECK) $(KERNEL) $(LIBC) $(SH) $(BIN) $(BINLIB) $(MAN) $(TOOLS) \
	$(SOURCES))
$(call remember,profiled,[$(PROFILE_USER)])
$(call remember,commit,[$(COMMIT)])

# world FOLDER,PREFIX,COMPILER: how sources below PREFIX become objects below $(O)/FOLDER. Where
# two worlds fit, make takes the longer prefix.
define world
$(O)/$1$2%.o: $2%.c $(B)/flags
	$$(call say,CC,$$<)
	$$($3) $$(EXTRA) -MMD -MP -c $$< -o $$@ $$(THEN)
endef
$(eval $(call world,,,KERNELCC))
$(eval $(call world,,prof/,PROFCC))
$(eval $(call world,check/,,CHECKCC))
$(eval $(call world,check/,prof/,CHECKPROFCC))
$(eval $(call world,user/,,USERCC))
$(eval $(call world,pg/,,PGCC))
$(eval $(call world,host/,,HOSTCC))

$(O)/%.o: %.asm $(O)/offsets.inc
	$(call say,NASM,$<)
	nasm -f elf32 -g -F dwarf -I$(O)/ -MD $(@:.o=.d) -MP $< -o $@

# Kernel code is not preempted; 20 is where struct cpu has entry.
STUB	= -DPROF_PREEMPT=0 '-DPROF_ENTRY(field)=%gs:20 + field'
$(O)/%.o: %.S $(B)/flags
	$(call say,AS,$<)
	$(PROFCC) $(STUB) -MMD -MP -c $< -o $@

# What assembly code has to know of C's structs is lines "#equ NAME VALUE" in the compiler's output.
$(O)/offsets.inc: $(OFFSETS) $(B)/flags
	@mkdir -p $(@D)
	$(KERNELCC) -MMD -MP -MT $@ -MF $(@:.inc=.d) -S $< -o $(@:.inc=.s)
	sed -n 's/^[ \t]*#equ \(.*\) \(.*\)/\1 equ \2/p' $(@:.inc=.s) >$@

# ---------------------------------------------------------------- the kernel
KLINK	= $(KLD) -m elf_i386 -T linker.ld -n -nostdlib --build-id=sha1 --orphan-handling=error \
	  --no-warn-rwx-segments -z noexecstack

# The screen's font: GNU Unifont's for consoles.
$(O)/font.c: /usr/share/consolefonts/Unifont-APL8x16.psf.gz $(B)/font
	@mkdir -p $(@D)
	$(B)/font $< >$@

# kernel NAME,OBJECTS: a kernel is linked twice, the first time, without names, to learn the
# addresses of its functions, whose names are then linked in after the text.
define kernel
$(O)/$1-first.elf: $2 $(O)/no-syms.o linker.ld $(B)/sources
	$$(KLINK) $$(filter %.o %.a,$$^) -o $$@
$(O)/$1-syms.c: $(O)/$1-first.elf
$(B)/$1.elf: $2 $(O)/$1-syms.o linker.ld $(B)/sources
	$$(call say,LD,$$@)
	$$(KLINK) $$(filter %.o %.a,$$^) -o $$@
endef
$(O)/%-syms.c: $(B)/ksyms
	@mkdir -p $(@D)
	$< $(filter %.elf,$^) >$@
$(O)/%.o: $(O)/%.c
	$(KERNELCC) -c $< -o $@
$(eval $(call kernel,gnomon,$(if $(CHECK),$(CHECKOBJ),$(KOBJ))))

$(B)/kernel.sym: $(B)/gnomon.elf
	$(NM) -n $< >$@
$(B)/kernel.asm: $(B)/gnomon.elf
	$(OBJDUMP) -d -S $< >$@

# ---------------------------------------------------------------- userland
# archive FILE,OBJECTS,ARCHIVER: one that names its objects, and does not hold them
define archive
MEMBERS += $2
$(O)/$1: $2 $(B)/sources
	$$(call say,AR,$$@)
	rm -f $$@
	$3 rcsDT $$@ $$(filter %.o,$$^)
endef
$(eval $(call archive,libc.a,$(call object,user/,$(LIBC)) $(call object,,$(LIBCASM)) \
	$(call object,user/,prof/files/prof_gmonout.c),$(KAR)))
$(eval $(call archive,binlib.a,$(call object,user/,$(BINLIB)),$(KAR)))

ULINK	= $(KLD) -m elf_i386 -T userland/libc/user.ld -n -nostdlib -static --gc-sections \
	  --build-id=sha1 --orphan-handling=error -z noexecstack
ULIBS	= $(O)/binlib.a $(O)/libc.a $(LIBGCC)
UNEEDS	= $(CRT0) userland/libc/user.ld $(B)/sources | $(O)/binlib.a $(O)/libc.a

# OURS is what a program is linked of. NOTED ends the command of its link, which is told to --trace:
# what archives gave is noted, for when that changes the program is linked again.
OURS	= $(filter-out $(TAKEN),$(filter %.o,$^))
NOTE	= $(O)/$(subst /,-,$(@:$(B)/%=%))
NOTED	= >$(NOTE).trace && awk '/\.a$$/ { ours = index($$0, "$(O)/") == 1 } \
	  ours && /\.o$$/ { o = o " " $$0 } \
	  END { print "$@: TAKEN =" o "\n$@: $$(filter" o ",$$(MEMBERS))" }' \
	  $(NOTE).trace >$(NOTE).new && mv $(NOTE).new $(NOTE).taken

# program FOLDER,OBJECT: programs of the guest; an object may have more prerequisites.
define program
$(B)/$1%: $(O)/$2%.o $(UNEEDS)
	$$(call say,LD,$$@)
	$$(ULINK) --trace $$(if $$(AT),-Ttext-segment=$$(AT)) \
		$(CRT0) $$(filter-out $(CRT0),$$(OURS)) $$(ULIBS) -o $$@ $$(NOTED)
endef
$(eval $(call program,bin/,user/userland/bin/))
# Programs lie in memory with the initrd, so they are made small, but for the sources whose first
# comment says that speed counts, "Optimize: speed".
# Of a small function the compiler does not align the beginning: here the sections are.
FAST	:= $(shell grep -l 'Optimize: speed' userland/*/*.c)
SMALLEST := $(call object,user/,$(filter-out $(FAST),$(call in,userland/*,c)))
$(SMALLEST): EXTRA = -Os
$(SMALLEST): THEN = && $(OBJCOPY) --set-section-alignment '.text.*=4' $@
%/obj/prof/prof_kprof.o: EXTRA = -funroll-loops # startclr waits until its tables are zero
# A program whose functions call mcount; at its end it writes gmon.out: monitor(3).
$(eval $(call program,pg/,pg/userland/bin/))
$(B)/bin/sh: $(CRT0) $(call object,user/,$(SH)) $(UNEEDS)
	$(call say,LD,$@)
	$(ULINK) --trace $(OURS) $(ULIBS) -o $@ $(NOTED)
# The commands named in PROFILE_USER= are such programs.
PROGRAMS = $(B)/bin/sh $(foreach p,$(BIN),$(B)/$(if $(filter $p,$(PROFILE_USER)),pg,bin)/$p)
# Each is a link to its program.
define name
$(call named,$1,1): $(call named,$1,2)
	ln -f $$< $$@
endef
$(foreach n,$(NAMES),$(eval $(call name,$n)))

# The manual as plain text.
MANTEXT	= $(MAN:docs/man/%=$(B)/man/%)
$(B)/man/%: docs/man/% tools/build/mantext
	$(call say,MAN,$<)
	tools/build/mantext $< >$@

# What the guest gets of a program: no DWARF data, but the source lines from it, lines(5).
$(B)/guest/%: $(B)/% $(B)/mklines
	$(call say,LINES,$@)
	$(OBJDUMP) -dz --no-show-raw-insn $< | $(B)/mklines $< >$@.lines
	$(NM) $< | awk '$$2 ~ /[bBdDrR]/ { v[$$3] } $$2 ~ /[tT]/ { f[$$3] } \
		END { for (n in v) if (!(n in f)) print n }' >$@.data
	$(OBJCOPY) --strip-debug $(if $(filter %.elf,$@),,--strip-symbols=$@.data) \
		--add-section .lines=$@.lines $< $@

GUESTPROG = $(PROGRAMS:$(B)/%=$(B)/guest/%)
$(B)/initrd.cpio: tools/build/initrd $(B)/flags $(B)/profiled $(B)/sources $(GUESTPROG) $(RC) \
		$(MANTEXT) $(B)/guest/gnomon.elf $(B)/chime $(B)/align $(SOURCES)
	$(call say,CPIO,$@)
	OBJCOPY=$(OBJCOPY) tools/build/initrd $(B) "$(NAMES)" "$(GUESTPROG)" \
		"$(MANTEXT)" "$(SOURCES)"

IMAGE	= $(B)/gnomon.elf $(B)/initrd.cpio
$(B)/gnomon.iso: $(IMAGE) boot/grub.cfg
	$(call say,ISO,$@)
	rm -rf $(B)/iso && mkdir -p $(B)/iso/boot/grub
	cp $(IMAGE) $(B)/iso/boot && cp boot/grub.cfg $(B)/iso/boot/grub
	grub-mkrescue -o $@ $(B)/iso >$(B)/iso.log 2>&1 || { cat $(B)/iso.log; exit 1; }

# ---------------------------------------------------------------- host programs
# The page of gnomon report --html.
$(B)/page.html: tools/report/page/make $(wildcard tools/report/page/*[!e])
	$(call say,PAGE,$@)
	tools/report/page/make >$@
MADE	= host asan fuzz
$(MADE:%=$(O)/%/tools/report/page/page.o): $(B)/page.html
%/report/page/page.o: EXTRA = -DPAGE='"$(B)/page.html"'
# pprof's and OpenTelemetry's messages as C, from the schemas.
$(PPROF) $(OTLP): $(O)/%.pb-c.c: tools/export/%.proto
	$(call say,PROTO,$<)
	protoc-c --proto_path=$(<D) --c_out=$(@D) $<
$(MADE:%=$(O)/%/tools/export/pprof.o) $(MADE:%=$(O)/%/tools/import/pprof.o): $(PPROF)
$(MADE:%=$(O)/%/tools/export/otlp.o): $(PPROF) $(OTLP)
%/pprof.o %/pprof.pb-c.o %/otlp.o %/otlp.pb-c.o: EXTRA = -I$(O)

$(eval $(call archive,tools.a,$(call object,host/,$(TOOLS)),ar))

# The programs for users say of which commit they are: they, and nothing else, are linked again
# after each.
$(O)/host/commit.o: $(B)/commit $(B)/flags
	@mkdir -p $(@D)
	echo 'const char version_commit[] = "$(COMMIT)";' | $(HOSTCC) -x c -c - -o $@

# hosted FILE,SOURCES,WORLD,COMPILER,ARCHIVE,FLAGS: a program of the host's takes from an archive
# what it names, and only the libraries it needs.
HOSTLIBS = -Wl,--as-needed -lelf -ldw -lz -lcapstone -ljansson -lprotobuf-c -lm
define hosted
$(if $6,$(call object,$3,$2): EXTRA = $6)
$(B)/$1: $(call object,$3,$2) $(B)/sources | $5
	$$(call say,LD,$$@)
	$$($4) $6 $$(LDFLAGS) $$(OURS) $5 $$(HOSTLIBS) -Wl,--trace -o $$@ $$(NOTED)
endef
$(foreach p,$(PROGRAM),$(eval $(call hosted,$(notdir $(p:.c=)),$p,host/,HOSTCC,$(O)/tools.a)))
$(HOST): $(O)/host/commit.o

# ---------------------------------------------------------------- what is done with all that
include tools/run/run.mk tests/tests.mk tools/install.mk ports/ports.mk $(filter-out tools/run/%, \
	$(sort $(wildcard prof/*.mk docs/*/*.mk tests/*/*.mk tools/*/*.mk)))

compile_commands.json: Makefile tests/tests.mk ## for editors
	rm -rf $(B)/cc && mkdir -p $(B)/cc
	bear --output $@ -- $(MAKE) B=$(B)/cc all
	rm -rf $(B)/cc
map: $(B)/gnomon.elf ## which names each file of the kernel has for others
	NM=$(NM) tools/map $(B)
index: ## every source file, with what it is for
	tools/index
clean: ## removes build/
	rm -rf $(B) compile_commands.json
help: ## this list
	tools/help $(filter Makefile %.mk,$(filter-out $(B)/%,$(MAKEFILE_LIST)))

.PHONY: all run debug gdb profile profile-boot timeline picture screenshot index map clean help
.SECONDARY:
.DELETE_ON_ERROR:

-include $(wildcard $(O)/*.taken) $(shell find $(O) -name '*.d' ! -name '*.*.d' 2>/dev/null)
