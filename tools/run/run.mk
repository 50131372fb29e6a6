# What is done with the kernel: an interactive console, profiles, pictures.
COUNTED	= $(filter-out no,$(ICOUNT))
QFLAGS	= -kernel $(B)/gnomon.elf -initrd $(B)/initrd.cpio -append "$(APPEND)" \
	  -accel $(ACCEL) -cpu max -smp $(SMP) -m $(MEM) -no-reboot -display none \
	  $(if $(COUNTED),-icount $(COUNTED)) $(QEXTRA)
COUNTS	= The guest's time counts its instructions (-icount $(COUNTED)); ICOUNT=no: the host's time.
HOSTS	= The guest's time is the host's.$(if $(filter tcg%,$(ACCEL)), \
	  Profiles show what takes QEMU long; ICOUNT=shift=3 counts instructions.)

# The guest's /n/remote; "make FOLDER= run" does for a QEMU without 9P.
FOLDER	= -fsdev local,id=host,path=$(B)/out,security_model=none,multidevs=remap \
	  -device virtio-9p-pci,fsdev=host,mount_tag=host

run: $(IMAGE) ## an interactive console (Ctrl-] X leaves); takes SMP= MEM= ACCEL= APPEND= QEXTRA=
	@echo "$(if $(COUNTED),$(COUNTS),$(HOSTS))"
	tools/run/console $(B) $(QFLAGS) $(FOLDER)
debug: $(IMAGE) ## like run, but waits for "make gdb" in another terminal
	@echo 'waiting for: make gdb'
	tools/run/console $(B) $(QFLAGS) $(FOLDER) -S -gdb tcp:127.0.0.1:1234
gdb: $(B)/gnomon.elf ## the kernel and its programs in gdb: docs/gdb.md; takes PORT=
	gdb -x tools/run/commands.gdb -ex 'target remote 127.0.0.1:$(or $(PORT),1234)' $<

profile: $(IMAGE) $(HOST) $(B)/record.so ## boot, profile, show what gprof and kprof say
	tools/run/profile $(B)
profile-boot: $(IMAGE) $(B)/gnomon ## of the boot, with a flame graph in build/out/boot.html
	tools/run/profileboot $(B)
timeline: $(IMAGE) $(B)/gnomon ## when processors and processes ran what, and waited for what
	tools/run/timeline $(B)
# docs/record.png is the page of Linux that gnomon-record(1) tells how to make.
picture: profile timeline ## the pages of make profile and timeline, as in docs/
	tools/report/page/picture $(B)/out/profile.html docs/page.png
	tools/report/page/picture $(B)/out/timeline.html docs/timeline.png
screenshot: $(B)/gnomon.iso $(B)/tests/screen/readscreen ## the screen of a PC, as in docs/
	tests/screen/screenshot $(B) docs/screen.png
