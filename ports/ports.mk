# Foreign programs in the guest: the C library that they are built with, and they.

# ---------------------------------------------------------------- the C library
# newlib, over the files of ports/libc, with the start, the allocator and the profilers of our own
# library. Below its headers are the kernel's calls.
SYSROOT	= $(B)/sysroot
PORTFLAGS = -O2 -march=i686 -mtune=generic -fno-pic -fno-pie -fno-stack-protector \
	  -fcf-protection=none -fno-asynchronous-unwind-tables -fno-omit-frame-pointer \
	  -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls $(NOSPLIT)
NEWLIB	= $(B)/newlib/lib
OURLIBC	= dup isatty process signal sigaction alarm brk clock ioctl malloc calloc mmap memprof \
	  monitor gmonstart profil err progname
PORTLIBC = $(call in,ports/libc,c) $(OURLIBC:%=userland/libc/%.c) prof/files/prof_gmonout.c
PORTCC	= $(KCC) -m32 -U__linux__ -std=gnu2x -g $(PORTFLAGS) $(WARN) -Wno-missing-prototypes -fno-builtin -nostdinc -I. -include kernel/abi/signal.h \
	  -isystem ports/libc/include -isystem $(B)/newlib/include \
	  -isystem $(shell $(KCC) -print-file-name=include 2>/dev/null) -idirafter userland/libc/include
$(eval $(call world,port/,,PORTCC))
PORTOBJ	= $(call object,port/,$(PORTLIBC)) $(call object,,userland/libc/mcount.asm userland/libc/handler.asm)

sysroot: $(SYSROOT)/lib/libc.a ## newlib for foreign programs, in build/sysroot: gnomon-cc(1)
$(NEWLIB)/libc.a: ports/libc/newlib $(call in,ports/libc/include ports/libc/include/*,h)
	$(call say,BUILD,'newlib: some minutes')
	CROSS=$(CROSS) ports/libc/newlib $(B)/newlib -g $(PORTFLAGS)
$(call object,port/,$(PORTLIBC)): $(NEWLIB)/libc.a
$(SYSROOT)/lib/libc.a: $(NEWLIB)/libc.a $(PORTOBJ) $(CRT0) userland/libc/user.ld ports/ports.mk $(B)/sources
	$(call say,AR,$@)
	rm -rf $(SYSROOT) && mkdir -p $(SYSROOT)/lib
	cp -r $(B)/newlib/include $(SYSROOT)
	cp -r ports/libc/include $(SYSROOT)/include/gnomon
	cp userland/libc/include/err.h $(SYSROOT)/include/gnomon
	cp userland/libc/include/sys/gmon.h userland/libc/include/sys/mman.h $(SYSROOT)/include/gnomon/sys
	cp $(NEWLIB)/libm.a $(CRT0) userland/libc/user.ld $(SYSROOT)/lib
	cp $(NEWLIB)/libc.a $@.new
	$(KAR) dS $@.new $(patsubst %,lib_a-%.o,_Exit raise rename execve reallocarray isatty sleep usleep time system \
	  getpwent)
	$(KAR) qcDS $@.new $(PORTOBJ) && $(KAR) sD $@.new
	mv $@.new $@


# ---------------------------------------------------------------- the programs
# ports/NAME/port says what each is made of; ports/port does it.
PORTS	= $(patsubst ports/%/port,%,$(wildcard ports/*/port))
PORT	?= $(PORTS) ## these of the foreign programs: zlib lua ...
ports: sysroot all $(B)/mklines ## gets foreign programs from Debian, builds them, and runs their tests in the guest
	ports/port $(B) test $(PORT)

real: sysroot all $(B)/mklines ## has some of them do real work in the guest: real(1)
	ports/port $(B) build bzip2 lua awk sqlite tcc
	ports/real $(B) $(B)/real
	$(B)/gnomon run --mem 192 -o $(B)/real 'time /rc/real'

.PHONY: sysroot ports real
