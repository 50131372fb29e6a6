# What make gdb knows of Gnomon: the program that runs has its symbols in back traces, and the
# frames of ticks and of paths can be looked at. "help program", "help tick" and "help kpath"
# tell more.
set width 0
set confirm off
set pagination off
set backtrace limit 100
set $programs = 1
set $program_known = 0

define program
  if $argc == 1
    if $program_known != 0
      remove-symbol-file -a 0x400000
    end
    add-symbol-file $arg0
    set $program_known = -1
    set $programs = 0
  else
    set $programs = 1
    program_look
  end
end
document program
Show the functions of a program in back traces.
program FILE		of this one, such as build/guest/labs/onebyte, from now on
program			of the command that runs at each stop, from build/bin, as at the start
end

# A process has the name of its program. It is the guest's: only small letters are for the host's
# shell. What all of them add up to tells whether it is the name of the stop before.
define program_look
  set $program_name = cpus[$_thread - 1]->proc->name
  set $program_at = 0
  set $program_sum = 0
  while $program_name[$program_at] >= 'a' && $program_name[$program_at] <= 'z'
    set $program_sum = $program_sum * 31 + $program_name[$program_at]
    set $program_at = $program_at + 1
  end
  if $program_sum != $program_known && $program_name[$program_at] == 0
    if $program_known != 0
      remove-symbol-file -a 0x400000
      set $program_known = 0
    end
    eval "shell test -f build/bin/%s", $program_name
    if $_shell_exitcode == 0
      eval "add-symbol-file build/bin/%s", $program_name
      set $program_known = $program_sum
    end
  end
end

# Before the kernel's memory is there, and before the first process, there is nothing to look at.
define hook-stop
  if $programs && $pc >= 0x400000
    if cpus[$_thread - 1] != 0
      if cpus[$_thread - 1]->proc != 0
        program_look
      end
    end
  end
end

define tick
  tbreak statclock_sample
  continue
  # The frame of what was interrupted is the one after that of the interrupt's entry.
  while $pc < (unsigned)&isr_stubs || $pc >= (unsigned)&isr_step
    up-silently
  end
  up-silently
  frame
end
document tick
Go on to the next tick of the profiling clock while kprof has stacks on, and to the frame of what it
has interrupted.
end

define kpath
  # A function has no frame yet in its first instructions, and none in its last.
  tbreak *$arg1 if ((unsigned *)$ebp)[1] == $arg0 || ((unsigned *)$esp)[0] == $arg0 || ((unsigned *)$esp)[1] == $arg0
  continue
  backtrace
end
document kpath
Go on to the end of a path of /dev/kptrace or /dev/kpstack, whose last two addresses are given.
kpath CALLER PC		to the kernel's instruction PC, when it is called from CALLER
end
