#!/bin/sh
# The pages of gnomon report and gnomon diff in a browser, of small profiles that are known: the
# flame chart of ticks and of functions, durations beside a function, and the z of differences.
# B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1
build=abcd000000000000000000000000000000000000

page() { "$B/gnomon" report --html "$@"; }

# What all hands have. memcpy is at 0xc0100030, sched at 0xc0100070, idle at 0xc01000b0.
cat >begin <<'END'
const id = (name) => document.getElementById(name);
const press = (where, ...keys) => keys.forEach((key) =>
  id(where).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
const change = (name, value) => {
  id(name).value = value;
  id(name).dispatchEvent(new Event(name === "search" ? "input" : "change", { bubbles: true }));
};
const spent = () => [...id("spentrows").rows].map((row) => [...row.cells]
  .map((cell) => cell.textContent).join(" ")).join(", ");
const mouse = (type, name, part, y) => {
  const canvas = id(name).querySelector("canvas"), at = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(type, { bubbles: true,
    clientX: at.x + line.left + part * (line.width - line.left), clientY: at.y + y }));
};
END

# looks PAGE [WIDTH [SCHEME]] <HANDS: what a reader sees who does what the hands do
looks() {
	page=$1
	shift
	hands=$(printf '(async () => {\n%s\nif (!document.querySelector("#graph[data-frames]")) return false;\n%s\n})()' \
		"$(cat begin)" "$(cat)")
	node "$top/tests/browser/page.js" "file://$work/$page" "$hands" "$@" 2>&1
}

# ---- functions: entries and returns

# sched runs from 1000 to 2000 and calls memcpy three times, the second time for long, with an
# interrupt in it, which is idle's; then it is in sched alone, and on the other CPU memcpy runs.
{
	echo "# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000 build=$build cpus=2"
	echo '# cpu=0 records=11 overwritten=0'
	sed 's/ [IMS]/ 0 0 kernel&/; s/ I$/;[interrupt];0xc01000b0/; s/ S$/;[kernel];0xc0100070/
		s/ M$/;[kernel];0xc0100075;0xc0100030/' <<'END'
1000 S
1100 M
1110 S
1200 M
1500 I
1550 M
1700 S
1710 M
1715 S
2000 S
END
	echo '2000 0 0 off;[switch]'
	echo '# cpu=1 records=2 overwritten=0'
	echo '1000 1 0 kernel;[kernel];0xc0100030'
	echo '1600 1 0 off;[switch]'
} >functions
page functions.html functions >said 2>&1
is "$? $(cat said)" '0 ' 'T7: a page of functions'
looks functions.html >seen <<'END'
  const seen = { total: view.total[0], lanes: line.trace.lanes.map(({ name }) => name).join() };
  id("tab-chart").click();
  seen.lane = id("lane").value;
  seen.rows = id("slices").dataset.rows;
  press("slices", "ArrowDown", "ArrowDown", "ArrowDown");
  seen.first = id("slice").textContent;
  press("slices", "ArrowRight");
  seen.second = id("slice").textContent;
  seen.spent = spent();
  press("slices", "ArrowDown");
  seen.interrupt = id("slice").textContent;
  press("slices", "ArrowUp", "ArrowUp");
  seen.outer = id("slice").textContent;
  seen.where = spent();
  press("slices", "ArrowDown", "ArrowRight", "Enter");
  seen.zoomed = `${id("lanes").dataset.from}-${id("lanes").dataset.to}`;
  press("slices", "Backspace");
  seen.back = `${id("lanes").dataset.from}-${id("lanes").dataset.to}`;
  id("longest").click();
  press("slices", "Home");
  change("search", "memcpy");
  id("longest").click();
  seen.longest = id("slice").textContent;
  seen.hash = location.hash;
  change("search", "");
  press("slices", "Home");
  mouse("mousemove", "slices", 0.25, 2.5 * ROW);
  seen.under = id("slice").textContent;
  mouse("click", "slices", 0.9, 1.5 * ROW);
  seen.clicked = chart.slices.label[chart.selected] === chart.slices.label[1];
  change("lane", "cpu1");
  seen.other = `${id("slices").dataset.slices} ${chart.slices.to[1] - chart.slices.from[1]}`;
  line.select([1150, 1250]);
  seen.range = view.total[0];
  line.select(null);
  change("cpu", "1");
  seen.cpu = `${view.total[0]} ${[...id("lane").options].map((o) => o.value).join()}`;
  return JSON.stringify(seen, null, 1);
END
seen=$(cat seen)
has "$seen" '"total": 1600,' 'T7: what ran is counted' "$seen"
has "$seen" '"lanes": "cpu0,cpu1,kernel"' 'T7: lanes of what has no numbers of processes'
has "$seen" '"rows": "4"' 'T7: slices are nested'
has "$seen" '"first": "memcpy of kernel: from 100 instructions on for 10 instructions, itself 10' \
	'T7: a call has a duration'
has "$seen" '"second": "memcpy of kernel: from 200 instructions on for 500 instructions, itself 450' \
	'T7: and its own time, and an interrupt does not end it'
has "$seen" '"spent": "450 90.00 1 memcpy, 50 10.00 1 idle"' 'T7: it tells where the time went'
has "$seen" '"interrupt": "idle of kernel: from 500 instructions on for 50 instructions' \
	'T7: an interrupt is on top of what it interrupts'
has "$seen" '"outer": "sched of kernel: from 0 instructions on for 1000 instructions, itself 485' \
	'T7: by key to the caller'
has "$seen" '"where": "485 48.50 1 sched, 465 46.50 3 memcpy, 50 5.00 1 idle"' \
	'T7: with the number of calls'
has "$seen" '"zoomed": "1200-1700"' 'T7: Enter zooms down to one call'
has "$seen" '"back": "1000-2000"' 'T7: and Backspace out to its caller'
has "$seen" '"longest": "memcpy of kernel: from 200 ' 'T7: the longest call of what is searched'
has "$seen" '"under": "memcpy of kernel: from 200 ' 'T7: the mouse finds a slice'
has "$seen" '"clicked": true' 'T7: and selects one'
has "$seen" '"other": "2 600"' 'T7: another lane'
has "$seen" '"range": 200,' 'T7: a range of time counts the part in it'
has "$seen" '"cpu": "600 cpu1"' 'T7: a filter is for the chart, too'
hash=$(sed -n 's/.*"hash": "\(.*\)".*/\1/p' seen)
seen=$(looks "functions.html$hash" 400 dark <<'END'
  id("where").open = true;
  return JSON.stringify({ slice: id("slice").textContent, lane: id("lane").value,
    fits: document.documentElement.scrollWidth <= innerWidth });
END
)
has "$seen" '"slice":"memcpy of kernel: from 200 ' 'H12: a reload shows the selected slice' "$seen"
has "$seen" '"fits":true' 'H5: and all of it fits into 400 pixels, with the help open'

# ---- calls that the kernel measured

# sh calls sched, that memcpy, that itself; then sh goes on with the outer memcpy on the other
# processor, and from sched calls it again. cat waits for a pipe before it calls idle.
cp "$top/tests/host/called.kptrace" called
page called.html called >said 2>&1
is "$? $(cat said)" '0 ' 'T6: a page of calls'
seen=$(looks called.html <<'END'
  const seen = { lanes: line.trace.lanes.map(({ name }) => name).join() };
  seen.total = amount(view.total[0]);
  seen.runs = line.trace.lanes[0].runs.map(({ from, to }) => `${from}-${to}`).join();
  seen.states = line.trace.lanes.find(({ name }) => name === "sh 7").states
    .map(({ from, to, cause }) => `${from}-${to} ${cause}`).join();
  id("tab-chart").click();
  seen.hands = [...id("lane").options].map((o) => o.value).join();
  change("lane", "sh 7");
  press("slices", "ArrowDown");
  seen.sched = id("slice").textContent;
  press("slices", "ArrowDown");
  seen.memcpy = id("slice").textContent;
  seen.spent = spent();
  press("slices", "ArrowDown");
  seen.inner = id("slice").textContent;
  change("lane", "cpu1");
  press("slices", "ArrowDown", "ArrowDown");
  seen.there = id("slice").textContent;
  line.select([10100, 10350]);
  seen.range = id("moment").textContent;
  line.select(null);
  seen.note = id("sampled").textContent;
  seen.ruler = line.owner.time(2500);
  return JSON.stringify(seen, null, 1);
END
)
has "$seen" '"lanes": "cpu0,cpu1,sh 7,cat 9"' 'T6: lanes of processors and processes' "$seen"
has "$seen" '"total": "3.250 us"' 'T6: what ran in functions is counted, as a time'
has "$seen" '"runs": "10000-12000,12000-20000"' 'T6: who runs is shown, in functions or not'
has "$seen" '"states": "12000-13000 [ready]"' 'T6: and what a process does meanwhile'
has "$seen" '"sched": "sh: from 100 ns on for 4.150 us, itself 0 ns"' 'T6: a chart of a process'
has "$seen" '"memcpy": "sched of kernel: from 100 ns on for 4.150 us, itself 200 ns"' \
	'T6: a call goes on while its process does not run'
has "$seen" '"spent": "2.950 us 71.08 3 memcpy, 200 ns 4.82 1 sched"' 'T6: it tells where the time went'
has "$seen" '"inner": "memcpy of kernel: from 200 ns on for 3.800 us, itself 2.750 us"' \
	'T6: functions are nested, also on another processor'
has "$seen" '"there": "sched of kernel: from 3.000 us on for 1.250 us, itself 100 ns"' \
	'T6: a chart of a processor has what ran there'
has "$seen" '"range": "Selected: 100 ns to 350 ns, 250 ns, --from 0.000010100s --to 0.000010350s"' \
	'T6: a range of time, as --from takes it'
has "$seen" '"note": "",' 'T6: these are no samples'
has "$seen" '"ruler": "2.5 us"' 'T6: the ruler has nanoseconds'

# ---- ticks in order of time

# cat runs from 1 ms to 6 ms: in sched, then with memcpy called from sched, then no tick for long.
{
	echo "# kptrace version=1 build=$build cpus=1 period_us=1000"
	echo '# cpu=0 records=9 overwritten=0'
	sed 's/ M$/ 0 9 cat;[kernel];0xc0100075;0xc0100030/; s/ S$/ 0 9 cat;[kernel];0xc0100070/' <<'END'
1000 S
2000 M
3000 M
4000 S
5000 M
20000 M
20500 0 0 idle;[switch]
20600 0 0 idle;[idle];0xc01000b0
21000 0 0 idle;[idle];0xc01000b0
END
} >ticks
page ticks.html ticks >said 2>&1
is "$? $(cat said)" '0 ' 'H12: a page of a time line'
seen=$(looks ticks.html <<'END'
  const seen = {};
  id("tab-chart").click();
  const slice = (i) => `${labelName(chart.slices.label[i])} ${chart.slices.from[i]}-` +
    `${chart.slices.to[i]}`;
  seen.all = Array.from({ length: chart.slices.n }, (_, i) => slice(i)).join();
  seen.note = id("sampled").textContent;
  id("idle").click();
  seen.idle = chart.slices.n;
  change("lane", "cat 9");
  seen.process = chart.slices.n;
  id("lanes").querySelector("canvas").setPointerCapture = () => {};
  mouse("pointerdown", "lanes", 0.5, 1.5 * LANE);
  mouse("pointerup", "lanes", 0.5, 1.5 * LANE);
  seen.entered = id("lane").value;
  seen.drawn = +id("slices").dataset.drawn;
  seen.names = id("tab-chart").textContent;
  return JSON.stringify(seen, null, 1);
END
)
has "$seen" '"all": "cat 1000-7000,sched 1000-7000,memcpy 2000-4000,memcpy 5000-7000,cat 20000-20500,sched 20000-20500,memcpy 20000-20500"' \
	'H12: a flame chart in order of time; a tick stands for two at most' "$seen"
has "$seen" 'ticks, 1.000 ms apart' 'H12: it says what ticks cannot tell'
has "$seen" '"idle": 9,' 'H12: idle time is there where it is wanted'
has "$seen" '"process": 7,' 'H12: a lane of a process'
has "$seen" '"entered": "cpu0"' 'H12: a click on a lane shows it'

# ---- memory

printf '%s\n' 'gnomon modules 3 memory 0' "module kernel /boot/gnomon c0100000 $build" '48 40 2 100 5' \
	'112 0 0 7 1' 'end 4' >memory
page memory.html memory >said 2>&1
looks memory.html >seen <<'END'
  const texts = (cells) => [...cells].map((cell) => cell.textContent.replace("\u2007", "")).join("|");
  return [texts(id("heads").cells), ...[...id("rows").rows].map((row) => texts(row.cells))].join("\n");
END
is "$(head -n 1 seen | cut -d'|' -f 1-3)" 'self|self %|blocks' 'H12: without calls nothing is with what it calls'
has "$(cat seen)" '|blocks|bytes in all|blocks in all|function|of|where' 'P11 H12: memory has its columns' "$(cat said seen)"
has "$(cat seen)" '|2|100|5|memcpy' 'P11 H12: with blocks, and what there was in all'
has "$(cat seen)" '|0|7|1|sched' 'P11 H12: what was freed is there, too'

# ---- waits

# cat waits for a pipe from 2 to 6 ms, when sort, on the other processor, wakes it, and runs from 7 ms
# on; then it sleeps from 8 ms to 9 ms, which the clock ends while sort runs.
printf '%s\n' "# kptrace version=1 build=$build cpus=2 period_us=1000" \
	'# cpu=0 records=7 overwritten=0' '1000 0 9 cat;[switch]' '2000 0 0 idle;[switch]' \
	'7000 0 9 cat;[switch]' '# wait=[pipe]' '8000 0 0 idle;[switch]' '9000 0 9 cat;[switch]' \
	'# wait=[sleep]' '9500 0 9 cat;[kernel];0xc0100030' '10000 0 0 off;[switch]' \
	'# cpu=1 records=3 overwritten=0' '1000 1 12 sort;[switch]' '# woken=9 us=6000' \
	'# woken=9 us=9000' '9500 1 12 sort;[kernel];0xc0100070' '10000 1 0 off;[switch]' \
	'# mark=12 cpu=1 us=4000 half way' >waits
page waits.html waits >said 2>&1
is "$? $(cat said)" '0 ' 'H12: a page of waits'
looks waits.html >seen <<'END'
  const seen = { list: [...id("waitrows").rows].map((row) => [...row.cells]
    .map((cell) => cell.textContent).join(" ")) };
  mouse("pointermove", "lanes", 0.3, 3.5 * LANE);
  seen.pipe = id("moment").textContent;
  mouse("pointermove", "lanes", 0.6, 3.5 * LANE);
  seen.ready = id("moment").textContent;
  mouse("pointermove", "lanes", 0.7, 3.5 * LANE);
  seen.ran = id("moment").textContent;
  const canvas = id("lanes").querySelector("canvas"), to = canvas.getContext("2d");
  const at = (part) => [...to.getImageData(line.left + part * (line.width - line.left),
    3.5 * LANE, 1, 1).data].slice(0, 3).join();
  seen.colours = at(0.3) !== at(0.6) && at(0.3) !== at(0.84);
  seen.drawn = at(0.3) !== "0,0,0";
  seen.wakings = id("lanes").dataset.wakings;
  seen.marks = id("lanes").dataset.marks;
  mouse("pointermove", "lanes", 1 / 3, 0.5 * LANE);
  seen.mark = id("moment").textContent;
  id("waitrows").rows[0].click();
  seen.led = `${id("lanes").dataset.from}-${id("lanes").dataset.to}`;
  change("cpu", "0");
  seen.one = line.trace.lanes.some((lane) => lane.states);
  return JSON.stringify(seen, null, 1);
END
seen=$(cat seen)
has "$seen" '"4.000 ms cat 9 waited for pipe 4.000 ms, woken by sort 12 1.000 ms"' \
	'H12: a wait has its cause, and who ended it' "$seen"
has "$seen" '"1.000 ms cat 9 ready for 1.000 ms, but not running 5.000 ms"' \
	'H12: between being woken and running a process is ready'
has "$seen" '"1.000 ms cat 9 waited for sleep 1.000 ms, ended by an interrupt 7.000 ms"' \
	'H12: a sleep is ended by nobody'
has "$seen" 'cat 9: waited for pipe 4.000 ms, woken by sort 12"' 'H12: the mouse finds it'
has "$seen" 'cat 9: ready for 1.000 ms' 'H12: and that it was ready'
has "$seen" 'cat 9: cat 9 on cpu0"' 'H12: and that it ran'
has "$seen" '"colours": true' 'H12: causes have colours'
has "$seen" '"drawn": true' 'H12: which are seen'
has "$seen" '"wakings": "1"' 'H12: a line leads from who woke it'
has "$seen" '"marks": "1"' 'H13: marks are drawn'
has "$seen" 'mark of process 12: half way"' 'H13: and said'
has "$seen" '"mark": "3.000 ms after the first record, --from 0.004000s: ' \
	'H13: with the time as --from takes it'
has "$seen" '"led": "1600-6400"' 'H12: the list leads to a wait'
has "$seen" '"one": false' 'H12: of one processor alone waits are not known'

# sh becomes wc, which had begun to wait for a pipe under its old name, and then sleeps as sleep.
printf '%s\n' "# kptrace version=1 build=$build cpus=1 period_us=1000" \
	'# cpu=0 records=8 overwritten=0' '1000 0 20 sh;[switch]' '2000 0 9 seq;[switch]' \
	'# woken=20 us=5000' '6000 0 20 wc;[switch]' '# wait=[pipe]' '7000 0 0 idle;[switch]' \
	'9000 0 20 sleep;[switch]' '# wait=[sleep]' '9500 0 20 sleep;[kernel];0xc0100030' \
	'10000 0 0 idle;[switch]' '11000 0 0 off;[switch]' >execs
page execs.html execs >said 2>&1
looks execs.html >seen <<'END'
  const seen = {}, lists = () => [...id("waitrows").rows].map((row) => [...row.cells].slice(1, 3)
    .map((cell) => cell.textContent).join(" ")).join(", ");
  const states = () => line.trace.lanes.filter(({ states }) => states)
    .map(({ name, states }) => `${name}: ${states.map(({ from, to, cause }) =>
      `${from}-${to} ${cause}`).join()}`).join("; ");
  seen.states = states();
  seen.list = lists();
  change("process", "sleep");
  seen.one = states();
  return JSON.stringify(seen, null, 1);
END
seen=$(cat seen)
has "$seen" 'wc 20: 2000-5000 [pipe],5000-6000 [ready]' \
	'H12: a wait that began before exec is in the lane of the new name' "$seen"
has "$seen" 'sleep 20: 7000-9000 [sleep]' 'H12: also that of a program that runs no more than once'
has "$seen" '"list": "wc 20 waited for pipe 3.000 ms, woken by seq 9, sleep 20 waited for sleep 2.000 ms,' \
	'H12: and both are in the list'
has "$seen" '"one": "sleep 20: 7000-9000 [sleep]"' 'H12: of one process, too, whatever it was called before'

# kid ends, its parent is woken when other runs already, which then becomes another program.
printf '%s\n' "# kptrace version=1 build=$build cpus=1 period_us=1000" \
	'# cpu=0 records=7 overwritten=0' '1000 0 18 parent;[switch]' '2000 0 19 kid;[switch]' \
	'5000 0 20 other;[switch]' '# woken=18 us=5010' '6000 0 20 another;[user];0x00400010' \
	'7000 0 20 another;[user];0x00400010' '8000 0 18 parent;[switch]' '# wait=[child]' \
	'10000 0 0 off;[switch]' >children
page children.html children >said 2>&1
looks children.html >seen <<'END'
  const seen = { list: [...id("waitrows").rows].map((row) => [...row.cells].slice(1, 3)
    .map((cell) => cell.textContent).join(" ")).join(", ") };
  seen.runs = line.trace.lanes.map(({ name, runs }) => `${name}: ${runs.map(({ from, to }) =>
    `${from}-${to}`).join()}`).join("; ");
  return JSON.stringify(seen, null, 1);
END
seen=$(cat seen)
has "$seen" 'parent 18 waited for child 3.010 ms, woken by kid 19' \
	'H12: who waited for a child was woken by that' "$seen"
has "$seen" '; another 20: 6000-8000;' \
	'H12: after exec a process runs under its new name'
has "$seen" '; other 20: 5000-6000' 'H12: and until then under the old one'

# Idle in the lane of a processor is not what is not known.
looks execs.html >seen <<'END'
  const seen = {}, cpu = line.trace.lanes[0], { begin, end } = line.trace;
  const canvas = id("lanes").querySelector("canvas"), to = canvas.getContext("2d");
  const at = (time, y) => {
    const part = (time - begin) / (end - begin), x = line.left + part * (line.width - line.left);
    return [...to.getImageData(x, y, 1, 1).data].join();
  };
  line.draw();
  seen.idles = cpu.idles.map(({ from, to }) => `${from}-${to}`).join();
  seen.drawn = at(8200, 1.5 * LANE);
  seen.thin = at(8200, 1.2 * LANE);
  mouse("pointermove", "lanes", 0.7, 1.5 * LANE);
  seen.said = id("moment").textContent;
  change("process", "sleep");
  seen.chosen = line.trace.lanes[0].idles === undefined;
  return JSON.stringify(seen, null, 1);
END
seen=$(cat seen)
has "$seen" '"idles": "7000-9000,10000-11000"' 'H12: a processor shows when it was idle' "$seen"
isnt "$(printf '%s' "$seen" | sed -n 's/.*"drawn": //p')" '"0,0,0,0",' 'H12: by a line'
has "$seen" '"thin": "0,0,0,0"' 'H12: which is thin'
has "$seen" 'cpu0: idle"' 'H12: the mouse finds it'
has "$seen" '"chosen": true' 'H12: it is not there where one process is chosen'

# Of a part of the waits above, what reaches over its edges: when it began, and what it is, is in
# records that the part does not have. It ends when it was chosen to, whatever the last record there.
for part in '3ms 5ms' '1.5ms 4ms' '3ms 8.5ms' '6.5ms 7.5ms'; do
	page part.html --from "${part% *}" --to "${part#* }" waits >said 2>&1
	looks part.html <<'END'
  const { trace } = line, lane = trace.lanes.find(({ name }) => name === "cat 9");
  return `${trace.begin}-${trace.end}: ${lane.states.map((state) => `${state.from}-${state.to} ` +
    `${stateWords(state)}`).join("; ")}; ${id("waitrows").rows.length}`;
END
done >seen
is "$(cat seen)" "3000-5000: 3000-5000 waited for pipe 2.000 ms (of 4.000 ms); 1
1500-4000: 2000-4000 waited for pipe 2.000 ms (of 4.000 ms); 1
3000-8500: 3000-6000 waited for pipe 3.000 ms (of 4.000 ms), woken by sort 12; 6000-7000 ready for 1.000 ms, but not running; 8000-8500 waited for sleep 500 us (of 1.000 ms), ended by an interrupt; 3
6500-7500: 6500-7000 ready for 500 us (of 1.000 ms), but not running; 1" \
	'H13: a wait that reaches over the edge of a part is cut there'
page part.html --from 3ms --to 5ms --pid 12 waits >said 2>&1
seen=$(looks part.html <<'END'
  return line.trace.lanes.map(({ name }) => name).join();
END
)
is "$seen" 'cpu0,cpu1,sort 12' 'H13: of one process alone others do not wait'

# ---- durations

printf '%s\n' "# kpcall version=1 build=$build cpus=1 per_ms=1000000 cost=720" \
	'# cpu=0 inside=300000 lost=0 left=0' \
	'0;0xc0100080;0xc0100035 3 60000 60000 7000 10000 30000 13:1 14:2' \
	'0;0xc01000c0;0xc0100035 1 240000 240000 0 240000 240000 17:1' '# pairs=2' >kpcall
page both.html functions kpcall >said 2>&1
is "$? $(cat said)" '0 ' 'T7: a page of functions and durations'
seen=$(looks both.html <<'END'
  const seen = {}, row = (name) => view.data.functions.findIndex((f) => f.name === name);
  const spans = () => [...id("spans").rows].map((r) => [...r.cells].map((c) => c.textContent)
    .join(" ").trim()).join();
  choose(row("memcpy"));
  seen.of = id("timesof").textContent;
  seen.spans = spans();
  choose(row("sched"));
  seen.none = id("times").hidden;
  document.querySelectorAll("#profiles input")[1].click();
  seen.chart = id("tab-chart").hidden;
  choose(row("memcpy"));
  seen.own = id("times").hidden;
  return JSON.stringify(seen, null, 1);
END
)
has "$seen" '"of": "4 calls: mean 75 us, shortest 10 us, longest 240 us; other processes ran for 7 us' \
	'T7: durations beside a function' "$seen"
has "$seen" 'from kpcall"' 'T7: of another file of the page'
has "$seen" '"spans": "8.192 us 16.38 us 1 25.00,16.38 us 32.77 us 2 50.00,131.1 us 262.1 us 1 25.00"' \
	'T7: with a histogram'
has "$seen" '"none": true' 'T7: where there is none it is not shown'
has "$seen" '"chart": true' 'T7: without a time line there is no chart'
has "$seen" '"own": false' 'T7: durations in their own profile'

# ---- differences, and whether chance explains them

# side NAME RUN MEMCPY SCHED IDLE: a run of a side, with ticks in each of three functions
side() {
	mkdir -p "$1/$2"
	printf '%s\n' "# kpstack version=1 build=$build" "sh;[kernel];0xc0100030 $3" \
		"sh;[kernel];0xc0100070 $4" "sh;[kernel];0xc01000b0 $5" \
		"# period_us=1000 ticks=$(($3 + $4 + $5)) overflow=0 depth=64" >"$1/$2/stacks"
}
side one 1 500 300 200
side one 2 510 290 201
side one 3 495 312 199
side two 1 600 300 201
side two 2 612 288 200
side two 3 604 305 200

# terminal ARGUMENT...: z and its mark, difference, error, and function, as gnomon diff prints them
terminal() {
	"$B/gnomon" diff "$@" | sed -n '/ function$/,$p' | sed 1d | awk '{ sub(/.*:/, "", $NF)
		print $7 ($8 == "*" ? " *" : ""), $3, $4, $NF }' | sort
}
# shown ARGUMENT...: the same of the page
shown() {
	"$B/gnomon" diff --html two.html "$@" || return
	looks two.html 400 dark <<'END'
  return [...id("rows").rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())
    .filter((_, i) => i < 3 || i === 5).join(" ").replace("\u2007", "")
    .replace(/ +/g, " ")).join("\n") + `\n#${id("facts").textContent}`;
END
}
shown one/1/stacks two/1/stacks >seen
is "$(sed '/^#/d' seen | sort)" "$(terminal one/1/stacks two/1/stacks)" \
	'H12: a page of differences has the z of gnomon diff, with its mark'
has "$(cat seen)" "#Verdict$("$B/gnomon" diff one/1/stacks two/1/stacks | head -n 1)" "H12: it begins with the verdict"
has "$(cat seen)" "$("$B/gnomon" diff one/1/stacks two/1/stacks | sed -n "1{N;s/\n/ /;p;}")" "H12: all of it, in one line"
has "$(cat seen)" "zin standard deviations: by chance alone" "H12: and tells what z is"
has "$(cat seen)" 'Testedthe chance of sampling' 'H12: it says by which test'
has "$(cat seen)" "Marked *$("$B/gnomon" diff one/1/stacks two/1/stacks | sed -n 's/^\([0-9]*\) of.*/\1/p') of 3" \
	'H12: and how many are marked'
shown one two >seen
is "$(sed '/^#/d' seen | sort)" "$(terminal one two)" 'H12: of several runs by Welch'
has "$(cat seen)" "TestedWelch's t-test" 'H12: which it says'
shown -t one two >seen
has "$(cat seen)" "All$("$B/gnomon" diff -t one two | awk '/\[total\]/ { print $5 " ms" }')" "H12: the page tells by how much all of it differs"
shown one two >seen
isnt "$(terminal one two)" "$(terminal one/1/stacks two/1/stacks)" 'H12: and that is another z'
shown -c 60 one/1/stacks two/1/stacks >seen
is "$(sed '/^#/d' seen | sort)" "$(terminal -c 60 one/1/stacks two/1/stacks)" 'H12: --confidence'
"$B/gnomon" diff --html two.html one two && looks two.html >seen <<'END'
  press("graph", "ArrowDown", "ArrowDown", "ArrowDown");
  return id("graph").dataset.selected + ": " + id("details").textContent + ` lines: ${!id("tab-lines").hidden}`;
END
has "$(cat seen)" 'memcpy as a whole: z +' 'H12: a frame tells its function'"'"'s z'
has "$(cat seen)" 'lines: false' 'H12: a page of differences has no lines'

# ---- what is folded

# Below sched memcpy has 0.008 % of everything, so it is folded; of sched alone it is 0.016 %.
printf '%s\n' "# kpstack version=1 build=$build" 'sh;[kernel];0xc01000b5;0xc0100075;0xc0100075;0xc0100030 8' \
	'sh;[kernel];0xc01000b5;0xc0100075;0xc0100070 49992' 'sh;[kernel];0xc01000b0 50000' \
	'# period_us=1000 ticks=100000 overflow=0 depth=64' >paths
page folded.html paths >said 2>&1
looks folded.html >seen <<'END'
  const at = view.tree.label.indexOf(OTHERS, 1);
  flame.zoomTo(at);
  return `${nodeName(view.tree.parent[at], view.tree)}: ${id("details").textContent}`;
END
has "$(cat seen)" 'sched: (others): 8 ticks, 0.01 %; to see it: gnomon report --html deeper.html --root kernel:sched --process sh --mode kernel paths' \
	'H12: what is folded tells how to see it'
"$B/$(sed 's/.*to see it: //' seen | cut -d ' ' -f 1)" report --html deeper.html --root kernel:sched \
	--process sh --mode kernel paths >said 2>&1
is "$? $(cat said)" '0 ' 'H12: which makes a page'
looks deeper.html >seen <<'END'
  const names = Array.from(view.tree.label, (_, i) => `${nodeName(i, view.tree)} ${view.all[0][i]}`);
  return `${names.join()} ${id("facts").textContent}`;
END
has "$(cat seen)" 'all 50000,sh 50000,[kernel] 50000,sched 50000,sched 50000,memcpy 8' \
	'H12: of what is below that function, from its outermost call on'
has "$(cat seen)" 'Onlywhat is below kernel:sched' 'H12: and says so'
for wrong in '--root nothing paths:paths: no path leads through a function nothing' \
	'--root sched kpdata:kpdata: --root wants call paths; it has none'; do
	# shellcheck disable=SC2086
	has "$(page no.html ${wrong%%:*} 2>&1)" "${wrong#*:}" "H12: ${wrong%%:*}"
done
has "$("$B/gnomon" report --root sched paths 2>&1)" '--root has no effect with --flat' \
	'H12: --root is of pages'

# ---- what cannot be shown

printf '# kpstack version=1 build=%s\ncaf\351\033[31m<b>;[kernel];0xc0100030 4\n%s\n' "$build" \
	'# period_us=1000 ticks=4 overflow=0 depth=64' >latin
page latin.html latin >said 2>&1
looks latin.html >seen <<'END'
  press("graph", "ArrowDown");
  return `${view.filter.processes()}|${id("details").textContent}|${document.querySelector("b")}`;
END
is "$(cat seen)" 'caf?\x1b[31m<b>|caf?\x1b[31m<b>: 4 ticks, 100.00 %|null' \
	'H12: what is not UTF-8, and no character, is shown replaced'


# ---- lines of the source, and inlined functions

cat >inline.h <<'END'
static inline __attribute__((always_inline)) void add(int n)
{
	count += n;
	count ^= 7;
}
END
cat >hot.c <<'END'
extern volatile int count;
#include "inline.h"
__attribute__((noinline)) void leaf(void)
{
	add(1);
	count--;
}
__attribute__((noinline)) void other(void)
{
	count = 5;
	add(2);
	leaf();
}
END
printf '%s\n' 'volatile int count; void other(void); void ktzero(void) { other(); }' >start.c
for file in start hot; do
	clang --target=x86_64-none-elf -mcmodel=kernel -g -O1 -ffreestanding -fno-pic \
		-fomit-frame-pointer -c $file.c -o $file.o
done
"${CROSS-i686-linux-gnu-}ld" -m elf_x86_64 -Ttext=ffffffff80100000 --defsym=etext=0xffffffff80100100 \
	-e ktzero start.o hot.o -o hot.elf

# addresses FUNCTION: of its instructions
addresses() {
	objdump -d --disassemble="$1" hot.elf | sed -n 's/^\(ffffffff[0-9a-f]*\):.*/0x\1/p'
}
after=0x$(objdump -d --disassemble=other hot.elf | sed -n '/call/{n; s/^\([0-9a-f]*\):.*/\1/p; }')
{
	echo '# kpstack version=1'
	i=0 total=0
	for at in $(addresses leaf); do
		i=$((i + 1))
		echo "sh;[kernel];$after;$at $((i * 10))"
		echo "cat;[interrupt];$at $i"
		total=$((total + i * 11))
	done
	for at in $(addresses other); do
		i=$((i + 1))
		echo "cat;[kernel];$at $i"
		total=$((total + i))
	done
	echo "# period_us=1000 ticks=$total overflow=0 depth=64"
} >hot

# functions OPTION...: own ticks, all, and name of each function, and its own ticks again, as gnomon
# report has them
functions() {
	"$B/gnomon" report -i hot.elf -o csv "$@" hot | tr -d '\r' | awk -F, 'NR > 1 {
		print $4, $6, $2 ($3 == "true" ? " (inlined)" : ""), $4 }'
}
# onPage OPTION...: the same of the page; the second time as the sum of the source
onPage() {
	page hot.html -i hot.elf "$@" hot
	looks hot.html <<'END'
  const sum = (rows) => [...rows].reduce((n, row) => n + parseInt(row.cells[0].textContent || 0), 0);
  return [...id("rows").rows].map((row) => {
    row.click();
    return `${[0, 2, 4].map((cell) => row.cells[cell].textContent).join(" ")} ${sum(id("source").rows)}`;
  }).join("\n");
END
}
is "$(onPage)" "$(functions)" 'H12: inlined functions are part of others on the page as in the report'
has "$(grep -F '"facts"' hot.html)" '"Inlined","functions that were inlined are part of ' 'H12: which it says'
is "$(onPage -I)" "$(functions -I)" 'H12: or both have them by themselves'
has "$(functions -I)" 'add (inlined)' 'H12: under their names'
has "$(grep -F '"facts"' hot.html)" '"Inlined","functions that were inlined stand for themselves' \
	'H12: which it says, too'
isnt "$(functions)" "$(functions -I)" 'H12: these differ'


# onTerminal OPTION... FILE: ticks, share, line and function of each line, as gnomon report has them
onTerminal() {
	"$B/gnomon" report -i hot.elf -l -n 0 "$@" | sed '1,/ function  *source$/d' | awk '{ print $1, $2, $3, $4 }'
}
# The same of the page: what all hands have who look at its table.
cat >>begin <<'END'
const tableOfLines = () => [...id("linerows").rows].map((row) => [0, 1, 2, 3]
  .map((cell) => row.cells[cell].textContent.replace("\u2007", "")).join(" ")).join("\n");
END
page hot.html -i hot.elf hot
looks hot.html >seen <<'END'
  id("tab-lines").click();
  return tableOfLines();
END
is "$(cat seen)" "$(onTerminal hot)" 'H12: the page has the lines that gnomon report --lines has'
has "$(cat seen)" 'inline.h:3 leaf' 'H12: also what was inlined'
for option in '-p sh' '-p cat' '-M interrupt' '-p cat -M kernel'; do
	looks hot.html >seen <<END
  const [process, mode] = [/-p (\w+)/, /-M (\w+)/].map((one) => (one.exec("$option") || [])[1]);
  if (process) change("process", process);
  if (mode) change("mode", \`[\${mode}]\`);
  return tableOfLines();
END
	# shellcheck disable=SC2086
	is "$(cat seen)" "$(onTerminal $option hot)" "H12: and of what is chosen: $option"
done

# Two processors: leaf is called from other on the first one, and other runs on the second.
{
	echo '# kptrace version=1 cpus=2 period_us=1000'
	echo '# cpu=0 records=9 overwritten=0'
	echo '1000 0 9 cat;[switch]'
	t=1000
	for at in $(addresses leaf) $(addresses leaf); do
		echo "$t 0 9 cat;[kernel];$after;$at"
		t=$((t + 1000))
	done
	echo "# cpu=1 records=$(($(addresses other | wc -l) + 1)) overwritten=0"
	echo '1000 1 12 sort;[switch]'
	t=1000
	for at in $(addresses other); do
		echo "$t 1 12 sort;[kernel];$at"
		t=$((t + 1000))
	done
} >hottrace
page hottrace.html -i hot.elf hottrace
for option in '' '--cpu 0' '--cpu 1' '--from 3000 --to 6000' '--cpu 1 --from 3000 --to 6000'; do
	looks hottrace.html >seen <<END
  const [cpu, from] = [/--cpu (\d)/, /--from (\d+)/].map((one) => (one.exec("$option") || [])[1]);
  if (cpu) change("cpu", cpu);
  if (from) line.select([+from, 6000]);
  return tableOfLines();
END
	# shellcheck disable=SC2086
	is "$(cat seen)" "$(onTerminal $option hottrace)" "H12: lines of a time line: ${option:-all}"
done

# Below a row's line is its source, by mouse and by key; what was inlined is with its function.
looks hot.html 400 dark >seen <<'END'
  const seen = {}, rows = () => [...id("linerows").rows];
  const shown = () => `${id("which").textContent}, ${id("why").textContent} ` +
    `${document.activeElement.textContent.replace(/\s+/g, " ")}${document.activeElement.className}`;
  const row = (place) => rows().find((one) => one.textContent.includes(place));
  id("tab-lines").click();
  seen.fits = document.documentElement.scrollWidth <= innerWidth;
  row("hot.c:6").click();
  seen.own = shown();
  id("tab-lines").click();
  row("inline.h:3").click();
  seen.inlined = shown();
  seen.code = id("machine").rows.length;
  id("tab-lines").click();
  seen.first = rows()[0].tabIndex;
  rows()[0].focus();
  rows()[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  seen.second = document.activeElement === rows()[1];
  rows()[1].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  seen.byKey = !id("code").hidden && document.activeElement.classList.contains("at") &&
    rows()[1].textContent.includes(`:${document.activeElement.cells[1].textContent}`);
  id("tab-lines").click();
  seen.said = id("linesaid").textContent;
  change("search", "INLINE.H:4 ");
  seen.found = tableOfLines();
  seen.hash = location.hash;
  return JSON.stringify(seen, null, 1);
END
seen=$(cat seen)
has "$seen" '"fits": true' 'H5: lines fit into 400 pixels' "$seen"
has "$seen" "\"own\": \"leaf of kernel: 110 ticks, hot.c:5 " 'H12: a click on a line shows its function'
has "$seen" '336 count--;hot at' 'H12: with the line marked, and the focus on it'
has "$seen" '"inlined": "add (inlined) of kernel: 50 ticks, inline.h:3, in all functions that it was inlined in; its code is shown by gnomon report --annotate kernel:add hot' \
	'H12: a line that was inlined is in the source of its function'
has "$seen" '"code": 0' 'H12: whose code it has no room for'
has "$seen" '"first": 0' 'H5: Tab reaches the lines'
has "$seen" '"second": true' 'H5: keys go through them'
has "$seen" '"byKey": true' 'H5: and open one'
has "$seen" "lines have 100.00 % of what is shown.\"" 'H12: it says how much they have'
has "$seen" 'inline.h:4 leaf' 'H12: the search finds lines'
seen=$(looks "hot.html$(sed -n 's/.*"hash": "\(.*\)".*/\1/p' seen)" <<'END'
  return `${!id("hot").hidden} ${id("linerows").rows.length}`;
END
)
is "$seen" 'true 2' 'H12: the table is in the address'
looks hot.html >seen <<'END'
  id("rows").rows[1].click();
  return `${id("which").textContent} ${location.hash}`;
END
seen=$(looks "hot.html$(sed 's/.*#/#/' seen)" <<'END'
  return `${id("code").hidden} ${id("which").textContent}`;
END
)
is "$seen" "false $(sed 's/ #.*//' seen)" 'H12: and so is the function whose source is shown' "$(cat seen)"
page hot.html -I -i hot.elf hot
looks hot.html >seen <<'END'
  const row = [...id("linerows").rows].find((one) => one.textContent.includes("inline.h:3"));
  row.click();
  return `${id("which").textContent} ${id("machine").rows.length > 0} ` +
    document.activeElement.textContent;
END
has "$(cat seen)" 'add (inlined) of kernel: 50 ticks true' 'H12: with -I such a function has its row, and its code'
"$B/gnomon" report -i hot.elf -a add hot >said
has "$(cat said)" 'add (inlined), inline.h: 50 ticks' 'H12: as in the report'

# Two functions of one name in two files are two.
for file in one two; do
	printf 'extern volatile int count;\nstatic inline __attribute__((always_inline)) void same(void)\n{\n%s\tcount += 3;\n}\nvoid %s(void)\n{\n\tsame();\n}\n' \
		"$([ $file = two ] && printf '\n\n\n\n\n\n\n\n.')" $file | tr -d . >$file.c
	clang --target=x86_64-none-elf -mcmodel=kernel -g -O1 -ffreestanding -fno-pic -fomit-frame-pointer \
		-c $file.c -o $file.o
done

printf '%s\n' 'volatile int count; void one(void); void two(void); void ktzero(void) { one(); two(); }' >start.c
clang --target=x86_64-none-elf -mcmodel=kernel -g -O1 -ffreestanding -fno-pic -fomit-frame-pointer \
	-c start.c -o start.o
"${CROSS-i686-linux-gnu-}ld" -m elf_x86_64 -Ttext=ffffffff80100000 --defsym=etext=0xffffffff80100100 \
	-e ktzero start.o one.o two.o -o same.elf
{
	echo '# kpstack version=1'
	for file in one two; do
		echo "sh;[kernel];0x$(nm same.elf | sed -n "s/ T $file\$//p") 5"
	done
	echo '# period_us=1000 ticks=10 overflow=0 depth=64'
} >same
page same.html -i same.elf same
looks same.html >seen <<'END'
  return [...id("linerows").rows].map((row) => {
    row.click();
    return `${id("which").textContent} ${document.activeElement.textContent}`;
  }).join();
END
is "$(cat seen)" "same (inlined) of kernel: 5 ticks 54	count += 3;,same (inlined) of kernel: 5 ticks 512	count += 3;" \
	'H12: functions of one name in two files are not one'

# More lines than there is room for, and one with very many processes, none of which can be chosen.
kernel=$B/gnomon.elf
id=$("${CROSS-i686-linux-gnu-}readelf" -n "$kernel" | sed -n 's/.*Build ID: //p')
"${CROSS-i686-linux-gnu-}nm" --defined-only "$kernel" | awk -v id="$id" '
	BEGIN { print "# kpstack version=1 build=" id }
	$2 ~ /^[Tt]$/ && $3 !~ /^(ktzero|etext)$/ {
		print "sh;[kernel];0x" $1, ++n
		ticks += n
		if ($3 == "memcpy")
			for (i = 0; i < 20000; i++)
				print "p" i ";[kernel];0x" $1, 3
	}
	END { print "# period_us=1000 ticks=" ticks + 60000 " overflow=0 depth=64" }' >many
page many.html -i "$kernel" many
looks many.html >seen <<'END'
  const all = tableOfLines();
  change("process", "sh");
  return `${all}\n${id("linesaid").textContent}\n${id("linerows").rows.length}`;
END
"$B/gnomon" report -i "$kernel" -l -n 500 many 2>/dev/null | sed '1,/ function  *source$/d' >lines
is "$(head -n 500 seen)" "$(awk 'NF > 3 && $1 ~ /^[0-9]+$/ && $2 ~ /\./ { print $1, $2, $3, $4 }' lines)" \
	'H12: the 500 lines with the most are on the page, in the order of the report'
has "$(cat seen)" "$(sed -n '$s/ .*//p' lines) more, on which less was counted, are not on the page: gnomon report --lines -n 0 many" \
	'H12: and it says how many are not'
is "$(tail -n 1 seen)" 500 'H12: however many processes there are'


# ---- names

# What ends a script, or begins a comment in one, is text.
printf '00001000 T <!--<script>\n00002000 T </script><b>\n' >odd.nm
printf '%s\n' '# kpstack version=1 text=0xc0000000-0xc0010000' "# program=a $PWD/odd.nm" 'a;[user];0x00001010 5' \
	'a;[user];0x00001010;0x00002010 5' '# period_us=1000 ticks=10 overflow=0 depth=2' >odd
page odd.html odd >said 2>&1
is "$? $(cat said)" '0 ' 'H14: a page of a function whose name is markup'
seen=$(looks odd.html <<'END'
const names = [...document.querySelectorAll("td")].map((cell) => cell.textContent.trim());
return names.filter((name) => name.includes("<")).join(" ");
END
)
has "$seen" '<!--<script> </script><b>' 'H14: it is shown as it is'

finish
