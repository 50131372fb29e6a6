# A process of this machine, or, with TOOLS and EMULATOR, of one that qemu-user emulates. Its text
# begins where the linker puts _init.
TOOLS	=
MACHINE	= $(firstword $(subst -, ,$(shell $(TOOLS)gcc -dumpmachine)))
OWN	= machine
FLAGS	+= -mgeneral-regs-only -mno-omit-leaf-frame-pointer \
	  $(addprefix -DROUNDS=,$(ROUNDS)) $(addprefix -DMIGRATE=,$(MIGRATE))
CALLS	+= $(if $(filter x86_64,$(MACHINE)),-mfentry)
LDFLAGS	= -static -no-pie -Wl,--defsym,ktzero=_init,-z,noexecstack
RUN	= timeout 120 $(EMULATOR) ./example.elf
