# Gnomon. "make help" lists what there is to make.

CROSS	?= i686-linux-gnu-
SMP	?= 1
MEM	?= 64
ACCEL	?= tcg
ICOUNT	?=
APPEND	?=
QEXTRA	?=
PROFILE_USER ?=

B	= build
O	= $(B)/obj
KCC	= $(CROSS)gcc
KLD	= $(CROSS)ld
KAR	= $(CROSS)ar
NM	= $(CROSS)nm
OBJCOPY	= $(CROSS)objcopy
OBJDUMP	= $(CROSS)objdump
CC	= gcc
QEMU	?= qemu-system-i386

# make V=1 shows the commands.
ifndef V
.SILENT:
endif

WARN	= -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow -Wundef $(WERROR)

# Code for the machine. No clones, parts or cold halves of functions: gprof knows no
# symbol with a dot in it, and would charge their time to the function before.
NOSPLIT	= -fno-ipa-cp -fno-ipa-sra -fno-partial-inlining -fno-reorder-blocks-and-partition
MACHINE	= -m32 -march=i686 -mtune=generic -std=gnu2x -ffreestanding \
	  -fno-pic -fno-pie -O2 -g \
	  -fno-stack-protector -fcf-protection=none -mgeneral-regs-only -fno-omit-frame-pointer \
	  -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls \
	  '-ffile-prefix-map=$(CURDIR)/='
# Arguments in registers, and no stack alignment that only vector instructions need.
CALLS	= -mregparm=3 -mpreferred-stack-boundary=2 -falign-functions=16 \
	  -fno-asynchronous-unwind-tables
KFLAGS	= $(MACHINE) $(NOSPLIT) $(WARN) $(CALLS) \
	  -I.
ENTRY	= -pg -mfentry -mnop-mcount -mrecord-mcount
PFLAGS	= $(MACHINE) $(NOSPLIT) $(WARN) $(CALLS) \
	  -fno-tree-loop-distribute-patterns -I.
UFLAGS	= $(MACHINE) $(WARN) -ffunction-sections -fdata-sections \
	  -fno-asynchronous-unwind-tables \
	  -nostdinc -isystem $(shell $(KCC) -print-file-name=include 2>/dev/null) \
	  -isystem userland/libc/include -I.
LIBGCC	= $(shell $(KCC) -m32 -print-libgcc-file-name 2>/dev/null)
HFLAGS	= -std=gnu11 -O2 -g -D_GNU_SOURCE $(WARN) -I.

# ---------------------------------------------------------------- what is built from what

BOOT	= boot/ap.c boot/main.c boot/memory.c boot/devtab.c
KERNEL	= kernel/clock.c kernel/cmd.c kernel/cmdline.c kernel/prof/cover.c kernel/cpu.c \
	  kernel/dev.c kernel/dirtab.c kernel/div.c kernel/elf.c kernel/fd.c kernel/file.c \
	  kernel/frame.c kernel/heap.c kernel/kvm.c kernel/lock.c kernel/prof/memprof.c \
	  kernel/prof/module.c kernel/ns.c kernel/panic.c kernel/prof/patch.c kernel/path.c \
	  kernel/pipe.c kernel/print.c kernel/proc.c kernel/prof/profil.c kernel/prof/profport.c \
	  kernel/sched.c kernel/select.c kernel/smp.c kernel/prof/stack.c kernel/string.c \
	  kernel/syscall.c kernel/sysproc.c kernel/trap.c kernel/prof/userprof.c kernel/vm.c \
	  kernel/walk.c
DRIVERS	= drivers/bus/ac97.c drivers/bus/acpi.c drivers/console/cons.c \
	  drivers/console/consline.c drivers/files/cpio.c \
	  drivers/files/dev9p.c drivers/files/devaudio.c \
	  drivers/files/devcons.c drivers/files/deveia.c \
	  drivers/files/devgmon.c drivers/files/devkprof.c \
	  drivers/files/devprf.c drivers/files/devproc.c \
	  drivers/files/devprof.c drivers/files/devroot.c \
	  drivers/clock/ioapic.c drivers/clock/lapic.c drivers/files/ninep.c \
	  drivers/bus/pci.c drivers/files/picture.c drivers/clock/pit.c \
	  drivers/clock/profclock.c drivers/files/rootfile.c \
	  drivers/clock/rtc.c drivers/console/uart.c drivers/bus/virtio.c drivers/bus/virtio9p.c
PROF	= prof/gmon.c prof/kprof.c prof/memprof.c prof/module.c prof/prf.c prof/profil.c \
	  prof/stack.c prof/files/stackout.c prof/tick.c
ASM	= boot/multiboot.asm boot/trampoline.asm kernel/isr.asm kernel/prof/mcount.asm \
	  kernel/switch.asm kernel/user.asm
LIBC	= userland/libc/abort.c userland/libc/abs.c userland/libc/asprintf.c \
	  userland/libc/assert.c userland/libc/atexit.c userland/libc/atoi.c \
	  userland/libc/bind.c userland/libc/brk.c userland/libc/bsearch.c \
	  userland/libc/calendar.c userland/libc/calloc.c userland/libc/clock.c \
	  userland/libc/ctype.c userland/libc/dirent.c userland/libc/dprintf.c \
	  userland/libc/env.c userland/libc/err.c userland/libc/errno.c userland/libc/exec.c \
	  userland/libc/exit.c userland/libc/fd.c userland/libc/fileno.c userland/libc/flush.c \
	  userland/libc/fopen.c userland/libc/format.c userland/libc/fread.c \
	  userland/libc/fseek.c userland/libc/fwrite.c userland/libc/getchar.c \
	  userland/libc/getline.c userland/libc/getopt.c userland/libc/gmonstart.c \
	  userland/libc/ioctl.c userland/libc/isatty.c userland/libc/libgen.c \
	  userland/libc/malloc.c userland/libc/memcmp.c userland/libc/memcpy.c \
	  userland/libc/memprof.c userland/libc/monitor.c userland/libc/name.c \
	  userland/libc/perror.c \
	  userland/libc/printf.c userland/libc/process.c userland/libc/profil.c \
	  userland/libc/progname.c userland/libc/puts.c userland/libc/qsort.c \
	  userland/libc/rand.c userland/libc/select.c userland/libc/signal.c \
	  userland/libc/snprintf.c userland/libc/sproc.c userland/libc/start.c \
	  userland/libc/stat.c userland/libc/strchr.c userland/libc/strcmp.c \
	  userland/libc/strcpy.c userland/libc/strdup.c userland/libc/stream.c \
	  userland/libc/strerror.c userland/libc/strftime.c userland/libc/strlen.c \
	  userland/libc/strsignal.c userland/libc/strspn.c userland/libc/strstr.c \
	  userland/libc/strtol.c userland/libc/sysctl.c
LIBCASM	= userland/libc/mcount.asm userland/libc/setjmp.asm
SH	= userland/sh/arena.c userland/sh/builtin.c userland/sh/command.c \
	  userland/sh/complete.c userland/sh/console.c userland/sh/edit.c userland/sh/error.c \
	  userland/sh/function.c userland/sh/glob.c userland/sh/history.c userland/sh/job.c \
	  userland/sh/lex.c userland/sh/main.c userland/sh/namespace.c userland/sh/parse.c \
	  userland/sh/parseword.c userland/sh/redir.c userland/sh/run.c userland/sh/source.c \
	  userland/sh/var.c userland/sh/whatis.c userland/sh/word.c
BIN	= agent as base64 bind cat chmod cmp cp cprof date echo false flame grep head help \
	  kgmon kill ls man mkdir mprof mv prfdc prfld prfpr prfsnap prfstat prof ps pwd rm \
	  seq shutdown sleep sort sum sysctl tail tee test time top touch true unmount wc \
	  words xd
# what several commands share
BINLIB	= userland/profile/buildid.c userland/profile/core.c userland/profile/gmonflat.c \
	  userland/profile/lines.c userland/profile/modules.c userland/text/number.c \
	  userland/text/page.c userland/profile/parts.c userland/text/path.c \
	  userland/text/pattern.c \
	  userland/profile/present.c userland/profile/prfappend.c userland/profile/prfdev.c \
	  userland/text/process.c userland/text/stream.c userland/profile/symtab.c
# and what they share with the host's programs and the tests of prof/
FORMATS	= prof/files/gmonout.c prof/files/prflog.c prof/files/prfreport.c
# and to look at tables that a kernel has filled
OFFLINE	= $(PROF) tools/guest/offline.c
RC	= userland/rc/init userland/rc/workload
MAN	= docs/man/1/as.1 docs/man/1/base64.1 docs/man/1/bind.1 docs/man/1/cat.1 \
	  docs/man/1/chmod.1 docs/man/1/cmp.1 docs/man/1/cp.1 docs/man/1/cprof.1 \
	  docs/man/1/date.1 docs/man/1/echo.1 docs/man/1/false.1 docs/man/1/flame.1 \
	  docs/man/1/gnomon-diff.1 docs/man/1/gnomon-export.1 docs/man/1/gnomon-extract.1 \
	  docs/man/1/gnomon-merge.1 docs/man/1/gnomon-report.1 docs/man/1/gnomon-run.1 \
	  docs/man/1/gnomon-top.1 \
	  docs/man/1/gnomon.1 docs/man/1/grep.1 docs/man/1/head.1 docs/man/1/help.1 \
	  docs/man/1/intro.1 docs/man/1/kill.1 docs/man/1/kprof.1 docs/man/1/ls.1 \
	  docs/man/1/man.1 docs/man/1/mkdir.1 docs/man/1/mprof.1 docs/man/1/mv.1 \
	  docs/man/1/prof.1 \
	  docs/man/1/ps.1 docs/man/1/pwd.1 docs/man/1/rm.1 docs/man/1/seq.1 docs/man/1/sh.1 \
	  docs/man/1/sleep.1 docs/man/1/sort.1 docs/man/1/sum.1 docs/man/1/sysctl.1 \
	  docs/man/1/tail.1 docs/man/1/tee.1 docs/man/1/test.1 docs/man/1/time.1 docs/man/1/top.1 \
	  docs/man/1/touch.1 docs/man/1/true.1 docs/man/1/unmount.1 docs/man/1/wc.1 \
	  docs/man/1/words.1 docs/man/1/workload.1 docs/man/1/xd.1 docs/man/2/intro.2 \
	  docs/man/2/ioctl.2 docs/man/2/profil.2 docs/man/2/select.2 docs/man/2/sproc.2 \
	  docs/man/2/sprofil.2 \
	  docs/man/3/intro.3 docs/man/3/kprof.3 docs/man/3/monitor.3 docs/man/3/prof.3 \
	  docs/man/3/sysctl.3 docs/man/4/9p.4 docs/man/4/audio.4 docs/man/4/cons.4 \
	  docs/man/4/eia.4 docs/man/4/gmon.4 docs/man/4/prf.4 docs/man/4/proc.4 \
	  docs/man/4/root.4 docs/man/5/frames.5 docs/man/5/gmon.5 docs/man/5/kpdata.5 \
	  docs/man/5/kpstack.5 docs/man/5/lines.5 docs/man/5/modules.5 docs/man/7/prf.7 \
	  docs/man/8/agent.8 docs/man/8/init.8 docs/man/8/kgmon.8 docs/man/8/prfdc.8 \
	  docs/man/8/prfld.8 docs/man/8/prfpr.8 docs/man/8/prfsnap.8 docs/man/8/prfstat.8 \
	  docs/man/8/shutdown.8 \
	  docs/man/9/mcount.9 docs/man/9/prof.9 docs/man/9/profclock.9
SYMBOLS	= tools/code/symbols.c tools/complaint.c
# a profile in memory: reading it, and whose functions and lines its addresses are
PROFILE	= tools/build.c tools/profile/coverage.c tools/code/disasm.c \
	  tools/profile/functions.c tools/code/image.c \
	  tools/code/imagebind.c tools/profile/kpdata.c tools/code/lines.c \
	  tools/memory.c tools/profile/profdata.c tools/profile/profread.c \
	  tools/profile/readgmon.c \
	  tools/profile/readkpdata.c tools/profile/readmodules.c \
	  tools/profile/readprf.c tools/profile/readstacks.c \
	  tools/code/source.c tools/profile/textline.c prof/files/prflog.c $(SYMBOLS)
GNOMON	= tools/gnomon.c tools/run/run.c tools/run/runopts.c \
	  tools/run/session.c tools/run/qemu.c \
	  tools/run/cpio.c tools/run/frames.c tools/run/fetch.c \
	  tools/progress.c tools/slurp.c tools/run/workdir.c \
	  tools/report/annotate.c tools/export/callgrindfile.c \
	  tools/diff/chance.c tools/diff/compare.c \
	  tools/diff/diff.c tools/diff/print.c tools/export/export.c tools/export/callgrind.c \
	  tools/export/folded.c tools/export/gmon.c tools/export/path.c tools/export/pprof.c \
	  tools/export/speedscope.c tools/guest/extract.c tools/folder.c tools/profile/graph.c \
	  tools/guest/inside.c tools/guest/layout.c \
	  tools/guest/live.c tools/merge/merge.c tools/merge/gmon.c tools/merge/kpdata.c \
	  tools/merge/modules.c tools/merge/stacks.c tools/export/names.c tools/option.c \
	  tools/report/page/page.c tools/guest/qmp.c \
	  tools/guest/ram.c tools/report/report.c tools/report/flat.c tools/report/graph.c \
	  tools/report/html.c tools/report/lines.c tools/profile/selection.c tools/guest/top.c \
	  prof/files/gmonout.c $(OFFLINE) $(PROFILE)
KPROF	= tools/classic/kprof.c tools/profile/kpdata.c tools/slurp.c $(SYMBOLS)
PRFPR	= tools/classic/prfpr.c tools/build.c tools/slurp.c \
	  prof/files/prflog.c prof/files/prfreport.c $(SYMBOLS)
KSYMS	= tools/build/ksyms.c $(SYMBOLS)
MKLINES	= tools/build/mklines.c tools/complaint.c
KOBJ	= $(BOOT:%.c=$(O)/%.o) $(KERNEL:%.c=$(O)/%.o) $(DRIVERS:%.c=$(O)/%.o) \
	  $(PROF:%.c=$(O)/%.o) $(ASM:%.asm=$(O)/%.o)
LOBJ	= $(LIBC:%.c=$(O)/%.o) $(LIBCASM:%.asm=$(O)/%.o) $(O)/userland/prof/files/gmonout.o
CRT0	= $(O)/userland/libc/crt0.o
CHIME	= tools/build/chime.c
HOST	= $(B)/gnomon $(B)/kprof $(B)/prfpr

all: $(B)/gnomon.elf $(B)/initrd.cpio $(B)/gnomon.iso $(HOST) $(B)/kernel.sym $(B)/kernel.asm

# What the machine lacks is installed first, once; see tools/setup. make remakes what it
# includes before anything else.
GOALS	= $(or $(MAKECMDGOALS),all)
SETUP	= build $(if $(filter run debug profile bench test lint,$(GOALS)),profile) \
	  $(if $(filter test lint,$(GOALS)),test) $(if $(filter gdb,$(GOALS)),debug) \
	  $(if $(filter compile_commands.json,$(GOALS)),editor)
BLANK	= $() $()
ifneq ($(filter-out clean help,$(GOALS)),)
include $(B)/setup-$(subst $(BLANK),-,$(strip $(SETUP))).mk
endif
$(B)/setup-%.mk: tools/setup
	@mkdir -p $(B)
	@CROSS=$(CROSS) tools/setup $(subst -, ,$*)
	@echo "# $* is set up" >$@

# A change of compiler or flags makes everything anew; one of what is profiled, the initrd.
FLAGS	:= $(KCC) $(KFLAGS) $(ENTRY) | $(PFLAGS) | $(UFLAGS) | $(CC) $(HFLAGS)
ifneq ($(FLAGS),$(shell cat $(B)/flags 2>/dev/null))
$(shell mkdir -p $(B) && echo "$(FLAGS)" >$(B)/flags)
endif
ifneq ([$(PROFILE_USER)],$(shell cat $(B)/profiled 2>/dev/null))
$(shell mkdir -p $(B) && echo "[$(PROFILE_USER)]" >$(B)/profiled)
endif

# ---------------------------------------------------------------- the kernel

$(O)/prof/%.o: prof/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(PFLAGS) -MMD -MP -c $< -o $@

KRULE	= $(KCC) $(KFLAGS) $(ENTRY) -MMD -MP
$(O)/boot/%.o: boot/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KRULE) -c $< -o $@
$(O)/kernel/%.o: kernel/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KRULE) -c $< -o $@
$(O)/drivers/%.o: drivers/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KRULE) -c $< -o $@

$(O)/%.o: %.asm
	@mkdir -p $(@D)
	@echo "  NASM  $<"
	nasm -f elf32 -g -F dwarf -MD $(@:.o=.d) -MP $< -o $@

# The kernel is linked twice: the first time to learn the addresses of its functions,
# whose names are then linked in behind the text.
KLINK	= $(KLD) -m elf_i386 -T linker.ld -nostdlib --build-id=sha1 --orphan-handling=error \
	  --no-warn-rwx-segments -z noexecstack

$(O)/nosyms.o: | $(B)/ksyms
	@mkdir -p $(@D)
	$(B)/ksyms >$(O)/nosyms.c
	$(KCC) $(KFLAGS) -c $(O)/nosyms.c -o $@

$(O)/first.elf: $(KOBJ) $(O)/nosyms.o linker.ld
	@echo "  LD    $@"
	$(KLINK) $(KOBJ) $(O)/nosyms.o -o $@

$(O)/ksyms.o: $(O)/first.elf $(B)/ksyms
	$(B)/ksyms $(O)/first.elf >$(O)/ksyms.c
	$(KCC) $(KFLAGS) -c $(O)/ksyms.c -o $@

$(B)/gnomon.elf: $(KOBJ) $(O)/ksyms.o linker.ld
	@echo "  LD    $@"
	$(KLINK) $(KOBJ) $(O)/ksyms.o -o $@

$(B)/kernel.sym: $(B)/gnomon.elf
	$(NM) -n $< >$@

$(B)/kernel.asm: $(B)/gnomon.elf
	$(OBJDUMP) -d -S $< >$@

# ---------------------------------------------------------------- userland

$(O)/userland/%.o: userland/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

# files that leave the guest, in the form that the host's programs know too
$(O)/userland/prof/%.o: prof/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

$(O)/userland/tools/%.o: tools/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

$(O)/libc.a: $(LOBJ) Makefile
	@echo "  AR    $@"
	rm -f $@
	$(KAR) rcsD $@ $(LOBJ)

$(O)/binlib.a: $(BINLIB:%.c=$(O)/%.o) \
		$(patsubst %.c,$(O)/userland/%.o,$(FORMATS) $(OFFLINE)) Makefile
	@echo "  AR    $@"
	rm -f $@
	$(KAR) rcsD $@ $(filter %.o,$^)

ULINK	= $(KLD) -m elf_i386 -T userland/libc/user.ld -n -nostdlib -static --gc-sections \
	  --build-id=sha1 --orphan-handling=error -z noexecstack

$(B)/bin/%: $(O)/userland/bin/%.o $(CRT0) $(O)/binlib.a $(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $(CRT0) $< $(O)/binlib.a $(O)/libc.a $(LIBGCC) -o $@

$(B)/bin/sh: $(SH:%.c=$(O)/%.o) $(CRT0) $(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $(CRT0) $(SH:%.c=$(O)/%.o) $(O)/libc.a $(LIBGCC) -o $@

# A program whose functions call mcount; where it ends it writes gmon.out: monitor(3).
$(O)/pg/%.o: userland/bin/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) $(NOSPLIT) -pg -mfentry -MMD -MP -c $< -o $@

$(B)/pg/%: $(O)/pg/%.o $(CRT0) $(O)/binlib.a $(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $(CRT0) $< $(O)/binlib.a $(O)/libc.a $(LIBGCC) -o $@

# The commands named in PROFILE_USER= are such programs.
PROGRAMS = $(B)/bin/sh $(foreach p,$(BIN),$(B)/$(if $(filter $p,$(PROFILE_USER)),pg,bin)/$p)

# The manual as plain text, which the guest's man shows.
MANTEXT	= $(MAN:docs/man/%=$(B)/man/%)
$(B)/man/%: docs/man/%
	@mkdir -p $(@D)
	@echo "  MAN   $<"
	mandoc -Tascii -Owidth=78 $< | sed 's/.\x08//g' >$@

# What the guest gets of a program: no DWARF data, but the source lines from it, lines(5).
$(B)/guest/%: $(B)/% $(B)/mklines
	@mkdir -p $(@D)
	@echo "  LINES $@"
	$(OBJDUMP) -dz --no-show-raw-insn $< | $(B)/mklines $< >$@.lines
	$(OBJCOPY) --strip-debug --add-section .lines=$@.lines $< $@

# The sources that those lines are in.
SOURCES	= $(BOOT) $(KERNEL) $(DRIVERS) $(PROF) $(ASM) $(LIBC) $(LIBCASM) \
	  userland/libc/crt0.asm $(SH) $(BIN:%=userland/bin/%.c) $(BINLIB) $(FORMATS) \
	  $(wildcard boot/*.h kernel/*.h kernel/*/*.h drivers/*/*.h prof/*.h \
	  prof/*/*.h userland/*/*.h \
	    userland/libc/include/*.h)

# The root's first content. Directories that devices are bound to are empty.
ROOTDIRS = dev proc prof sysctl test tmp run n/remote
GUESTPROG = $(PROGRAMS:$(B)/%=$(B)/guest/%)
$(B)/initrd.cpio: $(B)/flags $(B)/profiled $(GUESTPROG) $(RC) $(MANTEXT) \
		$(B)/guest/gnomon.elf $(B)/chime $(SOURCES)
	@echo "  CPIO  $@"
	rm -rf $(B)/root
	mkdir -p $(ROOTDIRS:%=$(B)/root/%) $(B)/root/bin $(B)/root/rc $(B)/root/boot $(B)/root/man \
		$(B)/root/src
	install -m 755 $(GUESTPROG) $(B)/root/bin
	install -m 755 $(RC) $(B)/root/rc
	for m in $(MANTEXT:$(B)/man/%=%); do \
		install -m 644 -D $(B)/man/$$m $(B)/root/man/$${m%.*} || exit; done
	install -m 755 $(B)/guest/gnomon.elf $(B)/root/boot/gnomon
	cp --parents $(SOURCES) $(B)/root/src
	chmod -R u=rwX,go=rX $(B)/root/src
	$(B)/chime >$(B)/root/sound
	cd $(B)/root && find . -exec touch -d @0 {} + && find . | LC_ALL=C sort | \
		cpio --quiet -o -H newc -R 0:0 --reproducible >$(abspath $@)

$(B)/gnomon.iso: $(B)/gnomon.elf $(B)/initrd.cpio boot/grub.cfg
	@echo "  ISO   $@"
	rm -rf $(B)/iso
	mkdir -p $(B)/iso/boot/grub
	cp $(B)/gnomon.elf $(B)/initrd.cpio $(B)/iso/boot
	cp boot/grub.cfg $(B)/iso/boot/grub
	grub-mkrescue -o $@ $(B)/iso >$(B)/iso.log 2>&1 || { cat $(B)/iso.log; exit 1; }

# ---------------------------------------------------------------- host programs

$(O)/host/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(CC) $(HFLAGS) -MMD -MP -c $< -o $@

# The page of gnomon report --html, with the code of others that draws it.
PAGE	= tools/report/page/package.json \
	  tools/report/page/package-lock.json tools/report/page/page.html \
	  tools/report/page/page.css tools/report/page/page.js
$(B)/page.html: tools/report/page/make $(PAGE)
	@echo "  PAGE  $@"
	tools/report/page/make $(O)/page >$@

$(O)/host/tools/report/page/page.o: HFLAGS += -DPAGE='"$(B)/page.html"'
$(O)/host/tools/report/page/page.o: $(B)/page.html

# pprof's messages as C, from the schema.
$(O)/gen/pprof.pb-c.c: tools/export/pprof.proto
	@mkdir -p $(@D)
	@echo "  PROTO $<"
	protoc-c --proto_path=tools/export --c_out=$(@D) $<

$(O)/host/pprof.pb-c.o: $(O)/gen/pprof.pb-c.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(CC) $(HFLAGS) -c $< -o $@

$(O)/host/tools/export/pprof.o: HFLAGS += -I$(O)/gen
$(O)/host/tools/export/pprof.o: $(O)/gen/pprof.pb-c.c

$(B)/gnomon: $(GNOMON:%.c=$(O)/host/%.o) $(O)/host/pprof.pb-c.o
	@echo "  LD    $@"
	$(CC) $^ -lelf -ldw -lz -lcapstone -ljansson -lprotobuf-c -lm -o $@

$(B)/kprof: $(KPROF:%.c=$(O)/host/%.o)
	@echo "  LD    $@"
	$(CC) $^ -lelf -ldw -o $@

$(B)/prfpr: $(PRFPR:%.c=$(O)/host/%.o)
	@echo "  LD    $@"
	$(CC) $^ -lelf -ldw -o $@

$(B)/ksyms: $(KSYMS:%.c=$(O)/host/%.o)
	@echo "  LD    $@"
	$(CC) $^ -lelf -ldw -o $@

$(B)/mklines: $(MKLINES:%.c=$(O)/host/%.o)
	@echo "  LD    $@"
	$(CC) $^ -lelf -ldw -o $@

# What makes the sound that kprof(3) plays.
$(B)/chime: $(CHIME:%.c=$(O)/host/%.o)
	@echo "  LD    $@"
	$(CC) $^ -lm -o $@

# ---------------------------------------------------------------- programs for tests

$(O)/tests/guest/%.o: tests/guest/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

$(O)/tests/bench/%.o: tests/bench/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

$(B)/tests/bench/%: $(O)/tests/bench/%.o $(CRT0) $(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $(CRT0) $< $(O)/libc.a $(LIBGCC) -o $@

$(B)/tests/guest/%: $(O)/tests/guest/%.o $(O)/tests/guest/modules.o $(O)/tests/guest/tap.o \
		$(CRT0) $(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $(CRT0) $(filter $(O)/tests/%.o,$^) $(O)/libc.a $(LIBGCC) -o $@

# A program compiled with -pg, in both ways in which entries can call.
$(B)/tests/e2e/userprof: PG = -pg
$(B)/tests/e2e/userprof-fentry: PG = -pg -mfentry
$(B)/tests/e2e/userprof $(B)/tests/e2e/userprof-fentry: tests/e2e/userprof.c $(CRT0) \
		$(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(KCC) $(UFLAGS) $(NOSPLIT) $(PG) -c $< -o $@.o
	$(ULINK) $(CRT0) $@.o $(O)/libc.a $(LIBGCC) -o $@

# Programs whose lines run, or get memory, in a known way.
$(O)/tests/e2e/%.o: tests/e2e/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

$(B)/tests/e2e/covered $(B)/tests/e2e/leaks: $(B)/tests/e2e/%: $(O)/tests/e2e/%.o $(CRT0) \
		$(O)/libc.a userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) $(CRT0) $< $(O)/libc.a $(LIBGCC) -o $@

# The kernel with one device more, by which tests make it do what they want to see.
$(O)/tests/devtest.o: tests/devtest.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KRULE) -c $< -o $@

$(O)/testfirst.elf: $(KOBJ) $(O)/tests/devtest.o $(O)/nosyms.o linker.ld
	@echo "  LD    $@"
	$(KLINK) $(KOBJ) $(O)/tests/devtest.o $(O)/nosyms.o -o $@

$(O)/testksyms.o: $(O)/testfirst.elf $(B)/ksyms
	$(B)/ksyms $(O)/testfirst.elf >$(O)/testksyms.c
	$(KCC) $(KFLAGS) -c $(O)/testksyms.c -o $@

$(B)/gnomon-test.elf: $(KOBJ) $(O)/tests/devtest.o $(O)/testksyms.o linker.ld
	@echo "  LD    $@"
	$(KLINK) $(KOBJ) $(O)/tests/devtest.o $(O)/testksyms.o -o $@

# The same with ten times as much text, for what depends on that.
BIGOBJ	= $(KOBJ) $(O)/tests/devtest.o $(O)/tests/bench/synthetic.o
$(O)/bigfirst.elf: $(BIGOBJ) $(O)/nosyms.o linker.ld
	@echo "  LD    $@"
	$(KLINK) $(BIGOBJ) $(O)/nosyms.o -o $@

$(O)/bigksyms.o: $(O)/bigfirst.elf $(B)/ksyms
	$(B)/ksyms $(O)/bigfirst.elf >$(O)/bigksyms.c
	$(KCC) $(KFLAGS) -c $(O)/bigksyms.c -o $@

$(B)/gnomon-big.elf: $(BIGOBJ) $(O)/bigksyms.o linker.ld
	@echo "  LD    $@"
	$(KLINK) $(BIGOBJ) $(O)/bigksyms.o -o $@

# What is true: a plugin of QEMU's that counts every instruction, and who compares. Each of
# these programs, plain and compiled with -pg, runs at addresses that no other has.
TR	= $(B)/tests/truth
TRUTHPROG = words sort grep sum xd
TRUTH	= $(TR)/plugin.so $(TR)/compare $(TRUTHPROG:%=$(TR)/%) $(TRUTHPROG:%=$(TR)/pg/%) \
	  $(B)/tests/bench/results $(B)/gnomon-test.elf $(B)/initrd.cpio $(B)/gnomon
$(TR)/plugin.so: tests/truth/plugin.c
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(CC) -std=gnu11 -O2 -g -D_GNU_SOURCE $(WARN) -shared -fPIC $< -o $@

$(TR)/compare: $(addprefix $(O)/host/,tests/truth/compare.o tests/truth/sampling.o \
		tools/diff/chance.o tools/slurp.o) $(PROFILE:%.c=$(O)/host/%.o)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(CC) $^ -lelf -ldw -lcapstone -lm -o $@

$(O)/tests/truth/%.o: tests/truth/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(KCC) $(UFLAGS) -MMD -MP -c $< -o $@

BASE_words = 1
BASE_sort = 2
BASE_grep = 3
BASE_sum = 4
BASE_xd	= 5
$(TRUTHPROG:%=$(TR)/%): $(TR)/%: $(O)/userland/bin/%.o
$(TRUTHPROG:%=$(TR)/pg/%): $(TR)/pg/%: $(O)/pg/%.o $(O)/tests/truth/fast.o
$(TRUTHPROG:%=$(TR)/%): AT = 0x1$(BASE_$(@F))000000
$(TRUTHPROG:%=$(TR)/pg/%): AT = 0x2$(BASE_$(@F))000000
$(TRUTHPROG:%=$(TR)/%) $(TRUTHPROG:%=$(TR)/pg/%): $(CRT0) $(O)/binlib.a $(O)/libc.a \
		userland/libc/user.ld
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(ULINK) -Ttext-segment=$(AT) $(filter %.o,$^) $(O)/binlib.a $(O)/libc.a $(LIBGCC) -o $@

# What shows the results of make bench, and finds what changed between two.
TB	= $(B)/tests/bench
RESULTS	= tests/bench/results.c tests/bench/records.c \
	  tests/bench/table.c tests/bench/diff.c \
	  tests/bench/page.c tests/bench/truth.c tests/bench/truthpage.c tools/diff/chance.c \
	  tools/memory.c
$(TB)/results: $(RESULTS:%.c=$(O)/host/%.o)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(CC) $^ -ljansson -lm -o $@

# Hosted tests of tools/, under sanitizers: each is one file, and the sources it tests.
TT	= $(B)/tests/tools
TOOLTEST = $(addprefix $(TT)/,callgrind chance cpio fetch frames functions kpdata linetable merge \
	  profread runopts sampling symbols)
$(TT)/callgrind: tools/export/callgrindfile.c tools/export/names.c tools/memory.c
$(TT)/chance: tools/diff/chance.c tools/memory.c
$(TT)/cpio: tools/run/cpio.c tools/complaint.c
$(TT)/fetch: tools/run/fetch.c tools/run/frames.c tools/progress.c tools/complaint.c
$(TT)/frames: tools/run/frames.c tools/complaint.c
$(TT)/kpdata: tests/tools/elfdata.c tools/profile/kpdata.c $(SYMBOLS)
$(TT)/functions: tests/tools/elfdata.c tools/profile/graph.c tools/slurp.c $(PROFILE)
$(TT)/merge: tools/merge/gmon.c tools/merge/kpdata.c tools/merge/modules.c tools/merge/stacks.c \
		tools/slurp.c $(PROFILE)
$(TT)/profread: tools/slurp.c $(PROFILE)
$(TT)/linetable: userland/profile/lines.c userland/profile/lines.h
$(TT)/showlines: userland/profile/lines.c userland/profile/lines.h
$(TT)/runopts: tools/run/runopts.c tools/complaint.c
$(TT)/sampling: tests/truth/sampling.c tests/truth/sampling.h tools/diff/chance.c tools/memory.c
$(TT)/symbols: tests/tools/elfdata.c $(SYMBOLS)
$(TT)/mkbig: tests/tools/elfdata.c
$(TT)/mkkernel: tests/tools/elfdata.c
$(TT)/mkprf: tests/tools/elfdata.c prof/files/prflog.c
$(TOOLTEST) $(TT)/mkbig $(TT)/mkframes $(TT)/mkkernel $(TT)/mkprf $(TT)/showlines: \
		$(wildcard tools/*.h tools/*/*.h tests/tools/*.h)
$(TT)/%: tests/tools/%.c
	@mkdir -p $(@D)
	$(CC) $(HFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all \
		$(filter %.c,$^) -lcmocka -lelf -ldw -lz -lcapstone -lm -o $@

# Hosted tests of the C library, under sanitizers: its files that need no kernel are linked
# with the prefix gn_ before every name, next to the host's library.
LT	= $(B)/tests/libc
LIBCTEST = $(addprefix $(LT)/,calendar format malloc number program stdio string)
LTFLAGS	= -std=gnu11 -O1 -g $(WARN) -fsanitize=address,undefined -fno-sanitize-recover=all
LTCC	= $(CC) $(LTFLAGS) -ffreestanding -fno-tree-loop-distribute-patterns -nostdinc \
	  -Iuserland/libc/include -isystem $(shell $(CC) -print-file-name=include) -I. -MMD -MP
LTCALLS	= abort bind brk clock dirent fd gmonstart ioctl isatty \
	  memprof monitor name process \
	  profil select signal sproc stat
LTOBJ	= $(patsubst userland/libc/%.c,$(O)/hostlibc/%.o, \
	    $(filter-out $(LTCALLS:%=userland/libc/%.c),$(LIBC))) $(O)/hostlibc/fake.o

$(O)/hostlibc/%.o: userland/libc/%.c $(B)/flags
	@mkdir -p $(@D)
	$(LTCC) -c $< -o $@

$(O)/hostlibc/fake.o: tests/libc/fake.c
	@mkdir -p $(@D)
	$(LTCC) -c $< -o $@

$(O)/hostlibc.o: $(LTOBJ)
	$(CC) -r -nostdlib $^ -o $(O)/hostlibc-plain.o
	nm -g -P $(O)/hostlibc-plain.o | awk '$$1 !~ /^(__asan|__ubsan|fake_|_GLOBAL)/ \
		{ print $$1, "gn_" $$1 }' >$(O)/hostlibc-names
	objcopy --redefine-syms=$(O)/hostlibc-names $(O)/hostlibc-plain.o $@

$(LT)/%: tests/libc/%.c $(O)/hostlibc.o tests/libc/gn.h tests/libc/fake.h
	@mkdir -p $(@D)
	$(CC) $(LTFLAGS) -I. -D_GNU_SOURCE $< $(O)/hostlibc.o -lcmocka -o $@

# Hosted tests of drivers/, under sanitizers: each is one file, the kernel and the machine
# that the drivers believe in, and the drivers themselves.
DT	= $(B)/tests/drivers
DRIVERTEST = $(addprefix $(DT)/,ac97 acpi clocks ninep pci profclock profcpus uart virtio9p)
$(DT)/ac97: drivers/bus/ac97.c
$(DT)/acpi: drivers/bus/acpi.c
$(DT)/clocks: drivers/clock/pit.c drivers/clock/rtc.c
$(DT)/ninep: drivers/files/ninep.c
$(DT)/pci: drivers/bus/pci.c
$(DT)/profclock: drivers/clock/profclock.c tests/drivers/shots.c
$(DT)/profcpus: drivers/clock/profclock.c tests/drivers/shots.c
$(DT)/uart: drivers/console/uart.c
$(DT)/virtio9p: drivers/bus/virtio.c drivers/bus/virtio9p.c tests/drivers/virtiocard.c
$(DT)/%: tests/drivers/%.c tests/drivers/fakes.c \
		$(wildcard tests/drivers/*.h kernel/*.h kernel/*/*.h drivers/*/*.h)
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(CC) -std=gnu2x -O1 -g $(WARN) -fsanitize=address,undefined -fno-sanitize-recover=all \
		-include tests/drivers/machine.h -I. \
		$(filter %.c,$^) -lcmocka -o $@

# Hosted tests of prof/, under sanitizers; threads under both, for its threads are CPUs.
PT	= $(B)/tests/prof
PROFTEST = $(addprefix $(PT)/,kprof gmon gmonout gmonpercpu memprof module prf prflog profil \
	  stack stack-tsan threads threads-tsan)
PTSRC	= tests/prof/machine.c $(sort $(PROF) $(FORMATS))
PTCC	= $(CC) -std=gnu11 -O1 -g -D_GNU_SOURCE $(WARN) -fno-sanitize-recover=all -I.

$(PT)/gmon $(PT)/gmonpercpu: tests/prof/gmonmachine.c tests/prof/gmonmachine.h
$(PT)/%: tests/prof/%.c $(PTSRC) tests/prof/machine.h prof/prof.h prof/port.h prof/tick.h
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(PTCC) -fsanitize=address,undefined $(filter %.c,$^) -lcmocka -lpthread -o $@
$(PT)/%-tsan: tests/prof/%.c $(PTSRC) tests/prof/machine.h prof/prof.h prof/port.h prof/tick.h
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(PTCC) -fsanitize=thread $< $(PTSRC) -lcmocka -lpthread -o $@

# Hosted tests of the kernel's files, under sanitizers: what is below them is in fakes.c.
KT	= $(B)/tests/kernel
KERNELTEST = $(addprefix $(KT)/,cmd cons file lock memory ns pipe root)
KTCC	= $(CC) -std=gnu2x -O1 -g $(WARN) -fsanitize=address,undefined \
	  -fno-sanitize-recover=all \
	  -I. -include tests/kernel/host.h -MMD -MP
KTSRC = kernel/cmd.c kernel/dev.c kernel/dirtab.c kernel/fd.c kernel/file.c kernel/ns.c \
	  kernel/path.c kernel/pipe.c kernel/walk.c drivers/console/cons.c \
	  drivers/console/consline.c drivers/files/cpio.c \
	  drivers/files/devroot.c drivers/files/rootfile.c tests/kernel/fakes.c
KTOBJ	= $(KTSRC:%.c=$(O)/hostkernel/%.o)

$(O)/hostkernel/%.o: %.c
	@mkdir -p $(@D)
	@echo "  HOSTCC $<"
	$(KTCC) -c $< -o $@

$(KT)/%: tests/kernel/%.c $(KTOBJ)
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(KTCC) $< $(KTOBJ) -lcmocka -o $@
# The address sanitizer keeps its own where the kernel's memory is.
$(KT)/memory: tests/kernel/memory.c kernel/frame.c kernel/heap.c
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(KTCC) -fno-sanitize=address $^ -lcmocka -o $@
$(KT)/lock: tests/kernel/lock.c kernel/lock.c $(wildcard kernel/*.h)
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(CC) -std=gnu2x -O1 -g $(WARN) -fsanitize=thread -I. $< -lcmocka -lpthread -o $@

# The commands as programs of this machine, under sanitizers, with what they ask the kernel faked.
HB	= $(B)/hostbin
HOSTBIN	= $(patsubst %,$(HB)/%,$(filter-out agent cprof kgmon mprof \
	  prfdc prfld prfsnap prfstat \
	    prof top,$(BIN)))
HBLIB	= $(addprefix userland/text/,stream.c path.c page.c number.c \
	  pattern.c process.c) userland/profile/symtab.c \
	  prof/files/prflog.c prof/files/prfreport.c tests/bin/host/gnomon.c
$(HB)/%: userland/bin/%.c $(HBLIB) $(wildcard userland/*/*.h tests/bin/host/*)
	@mkdir -p $(@D)
	@echo "  HOSTCC $@"
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g $(WARN) -Wno-missing-prototypes \
		-fsanitize=address,undefined -fno-sanitize-recover=undefined -Itests/bin/host \
		-I. $< $(HBLIB) -Wl,--wrap=open,--wrap=opendir -o $@

# ---------------------------------------------------------------- tests

GUEST	= cover devices entries files fuzz gmon hour instructions kprof libc memory \
	  memprof names ninep ns pipes pointers prf process prof profil program select signals \
	  sproc stacks
GUESTTEST = $(GUEST:%=$(B)/tests/guest/%)
TESTPROG = $(PROFTEST) $(KERNELTEST) $(DRIVERTEST) $(LIBCTEST) $(TOOLTEST)
TESTSCRIPT = tests/bin/run.t tests/e2e/audio.t tests/e2e/bochs.t tests/e2e/boot.t \
	  tests/e2e/console.t tests/e2e/example.t tests/e2e/export.t tests/e2e/gmon.t \
	  tests/e2e/html.t tests/e2e/kprof.t tests/e2e/kpstack.t tests/e2e/lines.t \
	  tests/e2e/memory.t tests/e2e/mprof.t tests/e2e/ninep.t tests/e2e/port.t \
	  tests/e2e/prf.t tests/e2e/prof.t tests/e2e/profileuser.t tests/e2e/report.t \
	  tests/e2e/run.t tests/e2e/smp.t tests/e2e/switch.t tests/e2e/top.t \
	  tests/e2e/truth.t tests/e2e/tutorial.t tests/e2e/userprof.t tests/floors.t \
	  tests/guest/run.t tests/lint.t tests/prof/gprof.t tests/sh/run.t \
	  tests/host/benchdiff.t tests/host/completion.t tests/host/diff.t \
	  tests/host/export.t tests/host/kprof.t tests/host/merge.t \
	  tests/host/mklines.t tests/host/prfpr.t tests/host/qmp.t tests/host/report.t \
	  tests/host/run.t tests/host/setup.t
TESTNEEDS = $(TESTPROG) $(GUESTTEST) $(HOSTBIN) $(TT)/mkbig $(TT)/mkframes \
	  $(TT)/mkkernel $(TT)/mkprf $(TT)/showlines $(TB)/results \
	  $(B)/guest/tests/e2e/covered $(B)/guest/tests/e2e/leaks $(PT)/mkgmon \
	  $(B)/tests/e2e/userprof $(B)/tests/e2e/userprof-fentry $(B)/pg/sort $(B)/pg/words \
	  $(B)/gnomon-test.elf $(TRUTH) all

# All tests: hosted ones under sanitizers, those inside the guest, and whole systems.
test: $(TESTNEEDS)
	B=$(B) BIN=$(HB) CROSS=$(CROSS) CMOCKA_MESSAGE_OUTPUT=TAP \
		prove -j2 --exec '' $(TESTPROG) $(TESTSCRIPT)

lint: $(TESTNEEDS)
	B=$(B) prove --exec '' tests/lint.t tests/floors.t

# ---------------------------------------------------------------- use

QFLAGS	= -kernel $(B)/gnomon.elf -initrd $(B)/initrd.cpio -append "$(APPEND)" \
	  -accel $(ACCEL) -cpu max -smp $(SMP) -m $(MEM) -no-reboot -display none \
	  $(if $(ICOUNT),-icount $(ICOUNT)) $(QEXTRA)

# The guest's /n/remote; "make FOLDER= run" does for a QEMU without 9P.
FOLDER	= -fsdev local,id=host,path=$(B)/out,security_model=none,multidevs=remap \
	  -device virtio-9p-pci,fsdev=host,mount_tag=host

# Where gnomon top and gnomon extract find the machine.
QMP	= -qmp unix:$(B)/qmp.sock,server=on,wait=off

# An interactive console in this terminal; Ctrl-A X leaves.
run: $(B)/gnomon.elf $(B)/initrd.cpio
	mkdir -p $(B)/out
	$(QEMU) $(QFLAGS) $(FOLDER) -serial mon:stdio $(QMP)

# The same, stopped before the first instruction; "make gdb" in another terminal goes on.
debug: $(B)/gnomon.elf $(B)/initrd.cpio
	@echo 'waiting for: make gdb'
	mkdir -p $(B)/out
	$(QEMU) $(QFLAGS) $(FOLDER) -serial mon:stdio $(QMP) -S -gdb tcp:127.0.0.1:1234

gdb: $(B)/gnomon.elf
	gdb -ex 'target remote 127.0.0.1:1234' $<

# A workload under all profilers, and what gprof and kprof say of it.
profile: $(B)/gnomon.elf $(B)/initrd.cpio $(HOST)
	tools/run/profile $(B)

# How true profiles are, for every way in which the profiling clock can run.
truth: $(TRUTH)
	tests/truth/run $(B) >$(B)/truth.records
	$(TB)/results json $(B)/truth.records >$(B)/truth.json
	$(TB)/results truth $(B)/truth.json

# That, and what it costs: a table here, and $(B)/bench.json and $(B)/bench.html.
bench: $(B)/gnomon-big.elf $(B)/tests/bench/bench $(B)/tests/bench/addresses $(TT)/mkbig $(TRUTH)
	tests/bench/run $(B)

# Two runs beside each other: make bench-diff OLD=FILE, and NEW=FILE unless it is the last.
NEW	= $(B)/bench.json
bench-diff: $(TB)/results
	@[ -n "$(OLD)" ] || \
		{ echo "make bench-diff: OLD=FILE names the earlier bench.json" >&2; exit 2; }
	$(TB)/results diff $(OLD) $(NEW)

compile_commands.json: Makefile
	rm -rf $(B)/cc && mkdir -p $(B)/cc
	bear --output $@ -- $(MAKE) B=$(B)/cc all
	rm -rf $(B)/cc

clean:
	rm -rf $(B) compile_commands.json

help:
	@echo 'make            the kernel, its initrd, the ISO and the host programs, in $(B)/'
	@echo 'make run        an interactive console here (Ctrl-A X leaves);'
	@echo '                takes SMP= MEM= ACCEL= ICOUNT= APPEND= QEXTRA='
	@echo 'make PROFILE_USER="sort wc"   these commands write gmon.out: monitor(3)'
	@echo 'make profile    boot, profile a workload, show what gprof and kprof say;'
	@echo '                output in $(B)/out'
	@echo 'make test       everything that can be checked'
	@echo 'make truth      how near profiles are to what really ran'
	@echo 'make bench      what it costs, in instructions; also $(B)/bench.json and .html'
	@echo 'make bench-diff OLD=FILE.json   what changed since that run'
	@echo 'make debug      like run, but waits for "make gdb" in another terminal'
	@echo 'make lint       style, manual pages, warnings'
	@echo 'make compile_commands.json   for editors'
	@echo 'make clean      remove $(B)/'
	@echo 'CROSS=$(CROSS) selects the tool chain (i686-elf- works too)'

.PHONY: all run debug gdb profile bench bench-diff truth test lint clean help
.SECONDARY:
.DELETE_ON_ERROR:

-include $(shell find $(O) -name '*.d' 2>/dev/null)
