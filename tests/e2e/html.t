#!/bin/sh
# gnomon report --html: the page opens from its file in a browser; search finds a function, a
# click on a frame zooms to it, a row of the table shows its source and code, callers and callees.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

"$b/gnomon" run -o "$tmp" -f /dev/kpstack:kpstack -f /dev/kpdata:kpdata 'echo stacks on >/dev/kpctl
	echo startclr >/dev/kpctl; /rc/workload 1; echo stop >/dev/kpctl' >"$tmp/out" 2>&1
ok $? 'a profile' "$(cat "$tmp/out")"
"$b/gnomon" report -I --html "$tmp/page.html" "$tmp/kpstack" >"$tmp/out" 2>&1
ok $? 'its page is written' "$(cat "$tmp/out")"
grep -q 'https\{0,1\}://[^ "]*["'"'"' ]*\(.js\|.css\)["'"'"']' "$tmp/page.html"
is $? 1 'it loads nothing from elsewhere'

# What a reader of the page would do, and would then see. Frames are clicked where the graph says
# that they are: x and y are those of the canvas.
cat >"$tmp/hands" <<'END'
(async () => {
  const id = (name) => document.getElementById(name);
  const seen = {};
  const rows = () => [...document.querySelectorAll("#rows tr")];
  const name = (row) => row.cells[4].textContent;
  const search = (term) => {
    id("search").value = term;
    id("search").dispatchEvent(new Event("input"));
    return rows().find((row) => name(row) === term);
  };
  const press = (where, ...keys) => {
    for (const key of keys)
      where.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  };
  const point = (type, x, y) => id("graph").querySelector("canvas").dispatchEvent(
    new MouseEvent(type, { bubbles: true, clientX: x, clientY: y }));
  const later = () => new Promise((then) => setTimeout(then, 100));
  if (!document.querySelector("#graph[data-frames]")) return false;
  seen.idleFirst = rows().some((row) => name(row) === "cpu_idle");
  id("idle").click();
  seen.title = document.title;
  seen.facts = id("facts").textContent;
  seen.functions = rows().length;
  search("memcp");
  const found = rows().map(name);
  seen.found = found.length > 0 && found.length < seen.functions &&
    found.every((n) => n.includes("memcp"));
  search("");

  const at = id("graph").getBoundingClientRect(), frames = +id("graph").dataset.frames;
  point("mousemove", at.x + 5, at.y + 19 * 1.5);
  seen.under = id("details").textContent;
  point("click", at.x + 5, at.y + 19 * 1.5);
  seen.zoom = id("graph").dataset.zoom;
  seen.fewer = +id("graph").dataset.frames < frames;
  id("reset").click();
  seen.reset = id("graph").dataset.zoom === "all" && +id("graph").dataset.frames === frames;
  press(id("graph"), "ArrowDown", "ArrowDown", "ArrowDown");
  seen.third = id("graph").dataset.selected;
  press(id("graph"), "Enter");
  seen.byKey = id("graph").dataset.zoom === seen.third && id("which").textContent;
  press(id("graph"), "ArrowUp");
  seen.mode = id("graph").dataset.selected;
  press(id("graph"), "Escape", "ArrowDown");
  const first = id("graph").dataset.selected;
  press(id("graph"), "ArrowRight");
  seen.beside = id("graph").dataset.selected !== first;
  press(id("graph"), "ArrowLeft");
  seen.back = id("graph").dataset.selected === first;
  id("turn").click();
  press(id("graph"), "Home", "ArrowUp");
  seen.turned = id("graph").dataset.selected === first;
  id("turn").click();

  press(id("tab-flame"), "ArrowRight");
  id("tab-flame").focus();
  press(id("tab-flame"), "ArrowRight");
  seen.tab = document.activeElement.id;
  press(id("uptree"), "ArrowDown");
  const leaf = id("uptree").dataset.selected;
  seen.leaf = view.data.functions.find((f) => f.name === leaf).self[0] ===
    Math.max(...view.data.functions.map((f) => f.self[0]));
  press(id("uptree"), "ArrowDown");
  seen.caller = view.data.functions.find((f) => f.name === leaf).callers
    .some(([row]) => view.data.functions[row]?.name === id("uptree").dataset.selected);

  id("tab-flat").click();
  rows()[0].focus();
  press(rows()[0], "ArrowDown");
  seen.row = document.activeElement === rows()[1] && rows()[1].tabIndex === 0;
  search("memcpy").click();
  seen.which = id("which").textContent;
  seen.hot = document.querySelectorAll("#machine tr.hot").length;
  seen.source = id("source").textContent.includes("memcpy");
  id("tab-flat").click();
  const copy = search("user_copy");
  copy.focus();
  press(copy, "Enter");
  seen.last = [...document.querySelectorAll("#machine tr.hot")]
    .some((r) => r.textContent.includes("rep movs"));
  const callers = [...document.querySelectorAll("#callers tr")];
  seen.callers = callers.map((r) => r.cells[2].textContent).join();
  callers[0].click();
  seen.callerOf = id("which").textContent;
  seen.callees = [...document.querySelectorAll("#callees tr")].map((r) => r.cells[2].textContent)
    .join();
  search("INLINED (inlined)").click();
  seen.inlined = id("which").textContent + id("why").textContent +
    [...document.querySelectorAll("#machine tr")].slice(0, 1).map((r) => r.textContent).join();
  seen.inlinedHot = document.querySelectorAll("#source tr.hot").length *
    document.querySelectorAll("#machine tr.hot").length;
  search("");
  seen.empty = view.data.functions.filter((f) => !f.where && !f.missing).length;
  const order = rows().map(name);
  seen.idle = order.indexOf("cpu_idle") > order.length / 2;
  document.querySelector("th[data-key=name] button").click();
  const names = rows().map(name);
  seen.sorted = names.every((n, i) => i === 0 || names[i - 1] <= n) &&
    document.querySelector("th[data-key=name]").ariaSort;

  id("tab-flame").click();
  document.body.style.width = "300px";
  await later();
  seen.resized = parseInt(document.querySelector("#graph canvas").style.width) <= 300 &&
    +id("graph").dataset.frames < frames;
  document.body.style.width = "";
  await later();
  seen.tree = id("graph").dataset.rows;
  return JSON.stringify(seen, null, 1);
})()
END
inlined=$("$b/gnomon" report -I -m kernel "$tmp/kpstack" | sed -n 's/.* \(kernel:\)\{0,1\}\([a-z_]*\) (inlined)/\2/p' | head -n 1)
sed "s/INLINED/$inlined/" "$tmp/hands" >"$tmp/moved"
looks "$tmp/page.html" "$tmp/moved" >"$tmp/seen"
seen=$(cat "$tmp/seen")
has "$seen" '"title": "'"$tmp/kpstack"'"' 'the page renders' "$seen"
has "$seen" 'ticks' 'the facts of the run'
has "$seen" '"found": true' 'search finds a function'
zoom=$(sed -n 's/.*"zoom": "\(.*\)".*/\1/p' "$tmp/seen")
has "$seen" "\"under\": \"${zoom:-nothing}" 'H5: the page says what is under the mouse'
has "$seen" '"fewer": true' 'a click on a frame zooms' "$seen"
has "$seen" '"reset": true' 'and a button shows all again'
third=$(sed -n 's/.*"third": "\(.*\)".*/\1/p' "$tmp/seen")
has "$seen" "\"byKey\": \"${third:-nothing} of " 'H5: keys go through the frames, and zoom'
has "$seen" '"mode": "[' 'also outwards'
has "$seen" '"beside": true' 'and to the side'
has "$seen" '"back": true' 'and back'
has "$seen" '"turned": true' 'H5: the roots can be at the bottom, and the keys follow'
has "$seen" '"tab": "tab-bottom"' 'H5: keys go through the views'
has "$seen" '"leaf": true' 'H5: the callers begin with the function that was counted most'
has "$seen" '"caller": true' 'and lead to who called it'
has "$seen" '"row": true' 'H5: keys go through the table'
has "$seen" '"resized": true' 'H5: the graph follows the width of the page'
has "$seen" '"which": "memcpy of kernel' 'a row chooses its function'
has "$seen" '"source": true' 'whose source is shown'
hot=$(sed -n 's/.*"hot": \([0-9]*\).*/\1/p' "$tmp/seen")
[ "${hot:-0}" -gt 0 ]
ok $? 'and its instructions, with counts' "$seen"
has "$seen" '"sorted": "ascending"' 'a click on a head sorts'
has "$seen" '"last": true' 'the last function of the text has its code, too'
caller=$("$b/gnomon" report -I -b user_copy "$tmp/kpstack" | sed -n '/  user_copy$/{n; s/ (inlined)$//; s/.*[ :]//p; q; }')
has "$(sed -n 's/.*"callers"//p' "$tmp/seen")" "${caller:-nobody}" 'a function shows who calls it'
has "$(sed -n 's/.*"callerOf"//p' "$tmp/seen")" ' of kernel' 'a click on a caller chooses it'
has "$(sed -n 's/.*"callees"//p' "$tmp/seen")" 'user_copy' 'and it shows what it calls'
has "$(sed -n 's/.*"inlined"//p' "$tmp/seen")" "$inlined (inlined) of kernel" 'an inlined function has a place'
grep -q '"inlined": .*:[0-9]*, in all functions that it was inlined inin [a-z_0-9]*:' "$tmp/seen"
ok $? 'and code, in the functions that have it' "$seen"
! grep -q '"inlinedHot": 0' "$tmp/seen"
ok $? 'with its counts' "$seen"
has "$seen" '"empty": 0' 'where source and code are missing it says why'
has "$seen" '"idleFirst": false' 'H12: idle time is hidden at first' "$seen"
has "$seen" '"idle": true' 'idle time comes last, however much it is'
total=$("$b/gnomon" report -n 0 "$tmp/kpstack" | awk 'NF == 5 && $1 ~ /^[0-9]+$/' | wc -l)
functions=$(sed -n 's/.*"functions": \([0-9]*\).*/\1/p' "$tmp/seen")
[ "${functions:-0}" -ge "$total" ] && [ "$total" -gt 10 ]
ok $? 'every function is in the table' "$functions of $total"

# The lines that gnomon report --lines has, of paths and of buckets, which several lines may share.
cat >"$tmp/lines.js" <<'END'
(() => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  if (!id("idle").parentElement.hidden) id("idle").click();
  return [...id("linerows").rows].map((row) => [0, 1, 2, 3].map((cell) =>
    row.cells[cell].textContent.replace("\u2007", "")).join(" ")).join("\n");
})()
END
for file in kpstack kpdata; do
	"$b/gnomon" report --html "$tmp/lines.html" "$tmp/$file" >"$tmp/out" 2>&1
	looks "$tmp/lines.html" "$tmp/lines.js" >"$tmp/seen"
	"$b/gnomon" report --lines -n 500 "$tmp/$file" 2>"$tmp/out" | sed '1,/ function  *source$/d' |
		awk '$5 ~ /^[(].*[.]c[)]$/ { $4 = $4 " " $5 }
			$2 ~ /[.]/ { print $1, $2, $3, $4 }' >"$tmp/lines"
	is "$(cat "$tmp/seen")" "$(cat "$tmp/lines")" "H12: lines of $file as on the command line"
	grep -q '^[1-9][0-9]* .*:[0-9]* ' "$tmp/seen"
	ok $? "H12: of which there are some" "$(cat "$tmp/seen")"
done
grep -q '^[0-9]* [0-9.]*[*] ' "$tmp/seen"
ok $? 'H12: with the mark of those that share buckets' "$(cat "$tmp/seen")"

# Many paths and deep ones.
cat >"$tmp/narrow" <<'END'
(async () => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  const seen = { rows: +id("graph").dataset.rows, nodes: view.data.tree.kids.length };
  seen.fits = document.documentElement.scrollWidth <= innerWidth;
  seen.dark = getComputedStyle(document.body).backgroundColor;
  id("graph").scrollTop = 1e9;
  await new Promise((then) => setTimeout(then, 100));
  const canvas = document.querySelector("#graph canvas");
  const at = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new MouseEvent("click",
    { bubbles: true, clientX: at.x + 5, clientY: at.bottom - 30 }));
  seen.deepest = flame.tree.depth[flame.zoom];
  seen.drawn = Math.max(...canvas.getContext("2d").getImageData(5, canvas.height - 30, 1, 1).data
    .slice(0, 3));
  show("bottom");
  seen.callers = +id("uptree").dataset.rows;
  id("search").value = "zzz";
  id("search").dispatchEvent(new Event("input"));
  seen.none = id("found").textContent;
  return JSON.stringify(seen);
})()
END
id=$("${CROSS-i686-linux-gnu-}readelf" -n "$b/gnomon.elf" | sed -n 's/.*Build ID: //p')
start=$("${CROSS-i686-linux-gnu-}nm" "$b/gnomon.elf" | awk '$3 == "memcpy" { print $1 }')
awk -v id="$id" -v pc="0x$start" 'BEGIN {
	print "# kpstack version=1 build=" id
	printf "deep;[kernel]"
	for (i = 0; i < 65535; i++)
		printf ";%s", pc
	print " 60000"
	for (i = 0; i < 20000; i++)
		print "p" i ";[user];0x00401234 2"
	print "# period_us=1000 ticks=100000 overflow=0 depth=65535"
}' >"$tmp/deep"
# shellcheck disable=SC3045 # dash has -v
(ulimit -v 500000 && "$b/gnomon" report --html "$tmp/deep.html" "$tmp/deep") >"$tmp/out" 2>&1
ok $? 'H5: a page of a path of 65,535 steps, and of 20,000 processes' "$(cat "$tmp/out")"
seen=$(looks "$tmp/deep.html" "$tmp/narrow" 400 dark)
has "$seen" '"rows":65538,' 'it shows all of them' "$seen"
has "$seen" '"deepest":65536' 'to the innermost'
has "$seen" '"nodes":65539,' 'and what is below 0.01 % in one frame'
has "$seen" '"callers":' 'the callers of so deep a path are shown, too'
has "$seen" '"none":"0 functions, 0.00 % of all"' 'it answers a search'
has "$seen" '"fits":true' 'H5: at 400 pixels nothing is beside the page'
has "$seen" '"dark":"rgb(23, 23, 26)"' 'H5: it is dark where the reader likes it so'
grep -q '\["Folded","20000 frames of at most 0.002 %[^"]*: 40.00 % of all' "$tmp/deep.html"
ok $? 'H5: it says how many frames are folded, and how much that is'
[ "$(wc -c <"$tmp/deep.html")" -lt 2000000 ]
ok $? 'H5: the page stays small' "$(wc -c <"$tmp/deep.html") bytes"

# Ticks, waits and a time line together. In its first second cat runs in memcpy on CPU 0, in the
# other one sort does in user_copy; CPU 1 is idle but for one process of many at the end.
copy=$("${CROSS-i686-linux-gnu-}nm" "$b/gnomon.elf" | awk '$3 == "user_copy" { print $1 }')
cat >"$tmp/kpwait" <<END
# kpwait version=1 build=$id
sort;[pipe];0x$start 1500000
sort;[ready];0x$start 2500
sh;[child];0x$copy 497500
# unit=us waits=3 overflow=0 depth=64
END
awk -v id="$id" -v first="0x$start" -v other="0x$copy" 'BEGIN {
	print "# kptrace version=1 build=" id " cpus=2 period_us=1000"
	print "# cpu=0 records=2002 overwritten=123"
	print "5000000 0 9 cat;[switch]"
	for (t = 5000000; t < 6000000; t += 1000)
		print t, 0, 9, "cat;[kernel];" first
	print "6000000 0 12 sort;[switch]"
	for (; t < 7000000; t += 1000)
		print t, 0, 12, "sort;[kernel];" other
	print "# cpu=1 records=101 overwritten=0"
	print "5000000 1 0 idle;[switch]"
	for (i = 100; i < 200; i++)
		print 6999000 + i, 1, i, "p" i ";[switch]"
}' >"$tmp/kptrace"
cat >"$tmp/times" <<'END'
(async () => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  const seen = {}, radios = [...document.querySelectorAll("#profiles input")];
  const names = () => [...document.querySelectorAll("#rows tr")].map((r) => r.cells[2].textContent)
    .sort();
  const press = (where, key, shiftKey) =>
    where.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  const frames = () => {
    const found = [];
    for (let i = 0; i < 9; i++) {
      press(id("graph"), "ArrowDown");
      found.push(id("details").textContent);
    }
    return found;
  };
  seen.profiles = document.getElementById("profiles").textContent;
  seen.ticks = view.data.total[0];
  radios[1].click();
  seen.facts = id("facts").textContent;
  seen.waits = frames()[1];
  id("search").value = "memcpy";
  id("search").dispatchEvent(new Event("input"));
  seen.share = id("found").textContent;
  id("search").value = "";
  id("search").dispatchEvent(new Event("input"));
  seen.row = document.querySelector("#rows tr").textContent;
  radios[2].click();
  seen.lanes = id("lanes").dataset.lanes;
  seen.left = id("facts").textContent;
  id("lanes").scrollTop = 1e9;
  line.draw();
  const high = Math.floor(parseInt(id("lanes").querySelector("canvas").style.height) / LANE);
  seen.lowest = line.under({ offsetY: high * LANE - 5 }).name;
  id("lanes").scrollTop = 0;
  line.draw();
  seen.whole = names().join();
  seen.ruler = [0, 100, 1500, 120000, 2e6].map(line.owner.time).join();
  const canvas = id("lanes").querySelector("canvas"), at = canvas.getBoundingClientRect();
  const mouse = (type, part) => canvas.dispatchEvent(new PointerEvent(type, { bubbles: true,
    clientX: at.x + line.left + part * (line.width - line.left), clientY: at.y + 30 }));
  canvas.setPointerCapture = () => {};
  mouse("pointermove", 0.25);
  seen.moment = id("moment").textContent;
  mouse("pointerdown", 0.001);
  mouse("pointermove", 0.45);
  mouse("pointerup", 0.45);
  seen.early = names().join();
  seen.only = frames()[0];
  const [a, b] = line.range.map((us) => (us / 1e6).toFixed(6));
  seen.options = id("moment").textContent.endsWith(`, --from ${a}s --to ${b}s`);
  id("in").click();
  seen.enlarged = Math.abs(line.from - line.range[0]) < 1 && Math.abs(line.to - line.range[1]) < 1;
  id("whole").click();
  press(id("lanes"), "Escape");
  seen.again = names().join();
  press(id("lanes"), "ArrowRight", true);
  seen.late = names().join();
  id("free").click();
  press(id("lanes"), "+");
  press(id("lanes"), "+");
  seen.span = id("lanes").dataset.to - id("lanes").dataset.from;
  press(id("lanes"), "ArrowLeft");
  seen.panned = id("lanes").dataset.from;
  press(id("lanes"), "Home");
  seen.home = id("lanes").dataset.to - id("lanes").dataset.from;
  radios[0].click();
  id("tab-code").click();
  seen.which = id("which").textContent;
  seen.most = Math.max(...view.data.functions.map((f) => f.idle ? 0 : f.self[0]));
  seen.none = id("line").hidden;
  return JSON.stringify(seen, null, 1);
})()
END
"$b/gnomon" report --html "$tmp/times.html" "$tmp/kpstack" "$tmp/kpwait" "$tmp/kptrace" \
	>"$tmp/out" 2>&1
ok $? 'H5: one page of ticks, waits and a time line' "$(cat "$tmp/out")"
seen=$(looks "$tmp/times.html" "$tmp/times")
ticks=$(awk '!/^#/ { n += $NF } END { print n }' "$tmp/kpstack")
has "$seen" 'kpstack (ticks)kpwait (us)kptrace (ticks)' 'a switch between them' "$seen"
has "$seen" "\"ticks\": $ticks," 'they are not added up'
has "$seen" 'Total2.000 s' 'H10: waits are in seconds'
has "$seen" 'pipe1.500 s' 'by cause'
has "$seen" '"waits": "[pipe]: 1.500 s, 75.00 %"' 'H10: a frame is a cause'
has "$seen" '"share": "1 function, 75.13 % of all"' 'a search says how much it has found'
has "$seen" '"row": "1.502 s75.13' 'H10: the table has times, too'
has "$seen" '"lanes": "104"' 'H12: a lane for each CPU, and for each process'
has "$seen" '"lowest": "p' 'H12: the last one can be reached' "$seen"
has "$seen" 'Overwritten123 earlier records' 'H9: and what was overwritten'
has "$seen" '"ruler": "0 us,100 us,1.5 ms,120 ms,2 s"' 'H9: the ruler has round times'
has "$seen" '"whole": "memcpy,user_copy"' 'H9: all of it is in the table'
grep -q '"moment": "[45][0-9.]* ms after the first record, --from 5[.][45][0-9]*s, cpu0: cat 9 on cpu0"' <<END
$seen
END
ok $? 'H9: the mouse finds who ran when' "$seen"
has "$seen" '"early": "memcpy"' 'H9: a range that is drawn with the mouse filters the table'
has "$seen" '"only": "cat: ' 'and the graph'
has "$seen" '"options": true' 'H12: what is selected is told as gnomon report takes it'
has "$seen" '"enlarged": true' 'H12: and fills the line'
has "$seen" "of kernel: $(echo "$seen" | sed -n 's/.*"most": \([0-9]*\).*/\1/p') ticks" \
	'H12: the source is of the hottest function until one is chosen'
has "$seen" '"again": "memcpy,user_copy"' 'until nothing is selected'
has "$seen" '"late": "user_copy"' 'H9: keys select a range, too'
has "$seen" '"span": 499799' 'keys zoom'
has "$seen" '"panned": "572' 'and pan'
has "$seen" '"home": 1999' 'and show all of it again'
has "$seen" '"none": true' 'other profiles have no time line'

# A ring that has overwritten its first second, and a process that ran up to the end.
printf '%s\n' "# kptrace version=1 build=$id cpus=2 period_us=1000" '# cpu=0 records=2 overwritten=5' \
	'2000000 0 9 cat;[switch]' "3000000 0 9 cat;[kernel];0x$start" '# cpu=1 records=2 overwritten=0' \
	'1000000 1 12 sort;[switch]' "1500000 1 12 sort;[kernel];0x$copy" >"$tmp/lost"
cat >"$tmp/view" <<'END'
(async () => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  const seen = {}, canvas = id("lanes").querySelector("canvas");
  const names = () => line.trace.lanes.map((lane) => lane.name).join();
  const at = canvas.getBoundingClientRect();
  const mouse = (type, part, y) => canvas.dispatchEvent(new PointerEvent(type, { bubbles: true,
    clientX: at.x + line.left + part * (line.width - line.left), clientY: at.y + y }));
  const drawn = (part, lane) => {
    const x = Math.round(line.left + part * (line.width - line.left));
    return canvas.getContext("2d").getImageData(x, LANE * (lane + 1) + 4, 12, 12).data
      .some((value, i) => i % 4 === 3 && value > 0);
  };
  canvas.setPointerCapture = () => {};
  seen.weight = names();
  seen.hatched = drawn(0.23, 0) && !drawn(0.23, 2);
  mouse("pointermove", 0.2, 30);
  seen.lost = id("moment").textContent;
  mouse("pointermove", 0.9, 50);
  seen.end = id("moment").textContent;
  id("order").value = "time";
  id("order").dispatchEvent(new Event("change", { bubbles: true }));
  seen.time = names();
  mouse("pointerdown", 0.001, 30);
  mouse("pointermove", 0.5, 30);
  mouse("pointerup", 0.5, 30);
  id("search").value = "copy";
  id("search").dispatchEvent(new Event("input", { bubbles: true }));
  id("tab-flat").click();
  seen.hash = location.hash;
  return JSON.stringify(seen, null, 1);
})()
END
cat >"$tmp/again" <<'END'
(() => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  return JSON.stringify({ rows: document.querySelectorAll("#rows tr").length, order: line.byTime,
    search: id("search").value, flat: !id("flat").hidden, ticks: view.total[0] });
})()
END
"$b/gnomon" report --html "$tmp/lost.html" "$tmp/lost" >"$tmp/out" 2>&1
seen=$(looks "$tmp/lost.html" "$tmp/view")
has "$seen" '"weight": "cpu0,cpu1,cat 9,sort 12"' 'H12: lanes in order of weight' "$seen"
has "$seen" '"time": "cpu0,cpu1,sort 12,cat 9"' 'H12: or of time'
has "$seen" '"hatched": true' 'H12: what a ring has overwritten is hatched'
has "$seen" 'cpu0: its records were lost' 'H12: and the mouse finds it'
has "$seen" 'cpu1: sort 12 on cpu1' 'H12: who ran is known up to the end of the recording'
hash=$(sed -n 's/.*"hash": "\(.*\)".*/\1/p' <<END
$seen
END
)
seen=$(looks "$tmp/lost.html${hash:-#nothing}" "$tmp/again")
is "$seen" '{"rows":1,"order":true,"search":"copy","flat":true,"ticks":1}' \
	'H12: the view is in the address, and a reload shows it' "$hash"
seen=$(looks "$tmp/lost.html#profile=7&view=no&frame=-1&line=x&range=9-1&search=" "$tmp/again")
is "$seen" '{"rows":2,"order":false,"search":"","flat":false,"ticks":2}' \
	'H12: an address that makes no sense shows all'

# Two profiles: of A's 100 ticks and B's 300, memcpy has 50 and 60, user_copy 50 and 240; cat is
# new, and sort is gone.
printf '%s\n' "# kpstack version=1 build=$id" "sh;[kernel];0x$start 40" "sh;[kernel];0x$copy 50" \
	"sort;[kernel];0x$start 10" '# period_us=1000 ticks=100 overflow=0 depth=64' >"$tmp/a"
printf '%s\n' "# kpstack version=1 build=$id" "sh;[kernel];0x$start 60" "sh;[kernel];0x$copy 210" \
	"cat;[kernel];0x$copy 30" '# period_us=1000 ticks=300 overflow=0 depth=64' >"$tmp/b"
cat >"$tmp/two" <<'END'
(async () => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  const press = (...keys) => keys.forEach((key) =>
    id("graph").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
  const pixel = () => {
    const canvas = document.querySelector("#graph canvas");
    const i = flame.rows[1].findIndex((frame) => frame.i === flame.selected);
    const { x, w } = flame.rows[1][i];
    const [red, , blue] = canvas.getContext("2d").getImageData(x + w - 5, 19 + 8, 1, 1).data;
    return red > blue ? "red" : "blue";
  };
  const seen = { title: document.title, facts: id("facts").textContent };
  press("ArrowDown");
  const of = {};
  for (let i = 0; i < 3; i++) {
    of[id("graph").dataset.selected] = `${pixel()} ${id("details").textContent}`;
    press("ArrowRight");
  }
  seen.of = of;
  seen.rows = [...document.querySelectorAll("#rows tr")].map((r) =>
    [...r.cells].map((c) => c.textContent).join(" "));
  id("side").value = "0";
  id("side").dispatchEvent(new Event("change"));
  seen.a = flame.rows[1].map((frame) => nodeName(frame.i, view.tree)).join();
  id("side").value = "1";
  id("side").dispatchEvent(new Event("change"));
  seen.b = flame.rows[1].map((frame) => nodeName(frame.i, view.tree)).join();
  show("bottom");
  seen.up = bottom.rows[1].map((frame) => nodeName(frame.i, bottom.tree)).join();
  show("flat");
  document.querySelector("#rows tr").click();
  seen.shown = id("search").value + id("flame").hidden;
  return JSON.stringify(seen, null, 1);
})()
END
"$b/gnomon" diff --html "$tmp/two.html" "$tmp/a" "$tmp/b" >"$tmp/out" 2>&1
is "$? $(cat "$tmp/out")" '0 ' 'H5: a page of two profiles'
seen=$(looks "$tmp/two.html" "$tmp/two" 400 dark)
has "$seen" "A$tmp/a: 100 ticksB$tmp/b: 300 ticksComparedshares of everything" \
	'it says what they are'
has "$seen" '"cat": "red cat: A 0 ticks, 0.00 %; B 30 ticks, 10.00 %; +10.00 points, new"' \
	'H5: what is new is red'
has "$seen" '"sort": "blue sort: A 10 ticks, 10.00 %; B 0 ticks, 0.00 %; -10.00 points, gone"' \
	'H5: what is gone is blue'
has "$seen" '"sh": "blue sh: A 90 ticks, 90.00 %; B 270 ticks, 90.00 %; 0.00 points"' \
	'H5: shares are compared, not counts'
grep -q '"+[0-9.]* \* +30.00 5.51 50.00 80.00 user_copy kernel"' <<END
$seen
END
ok $? 'the table has them by function' "$seen"
grep -q '"-[0-9.]* \* -30.00 5.51 50.00 20.00 memcpy kernel"' <<END
$seen
END
ok $? 'with their signs'
has "$seen" '"a": "sh,sort"' 'widths may be those of A alone'
has "$seen" '"b": "sh,cat"' 'or those of B'
has "$seen" '"up": "user_copy,memcpy"' 'it has the callers, too'
has "$seen" '"shown": "user_copyfalse"' 'a row shows its frames'
"$b/gnomon" diff --time --html "$tmp/two.html" "$tmp/a" "$tmp/b" >"$tmp/out" 2>&1
seen=$(looks "$tmp/two.html" "$tmp/two")
has "$seen" '"sh": "red sh: A 90 ticks, 90.00 %; B 270 ticks, 90.00 %; +180.00 ms"' \
	'H5: with --time it is milliseconds'
"$b/gnomon" diff --html "$tmp/two.html" --sort name "$tmp/a" "$tmp/b" >"$tmp/out" 2>&1
has "$? $(cat "$tmp/out")" '2 gnomon diff: --sort has no effect with --html' \
	'but rows have no order there'

"$b/gnomon" report --html "$tmp/none/page.html" "$tmp/kpstack" >"$tmp/out" 2>&1
is "$? $(cat "$tmp/out")" "1 gnomon report: cannot write $tmp/none/page.html: No such file or directory" \
	'a page that cannot be written is an error'
finish
