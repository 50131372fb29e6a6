#!/bin/sh
# The page of gnomon report --html shows part of a profile: without idle time, or one process, one
# mode, one processor, in all of its views.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

id=$("${cross}readelf" -n "$b/gnomon.elf" | sed -n 's/.*Build ID: //p')
# at FUNCTION: its address in the kernel
at() { "${cross}nm" "$b/gnomon.elf" | awk -v f="$1" '$3 == f { print "0x" $1 }'; }
copy=$(at memcpy) set=$(at memset) compare=$(at memcmp) idle=$(at cpu_idle) user=0x00401234
move=$(at user_copy)

# What is below 0.01 % is folded in the tree: memcmp of all, and memset of cat.
printf '%s\n' "# kpstack version=1 build=$id" "idle;[idle];$idle 60000" "shop;[user];$user 20000" \
	"shop;[kernel];$copy 9999" "cat;[kernel];$copy 8000" "cat;[kernel];$move 1999" \
	"cat;[kernel];$set 1" "tiny;[kernel];$compare 1" \
	'# period_us=1000 ticks=100000 overflow=0 depth=64' >"$tmp/modes"
printf '%s\n' "# kptrace version=1 build=$id cpus=2 period_us=1000" \
	'# cpu=0 records=5 overwritten=0' '1000000 0 9 cat;[switch]' \
	"1001000 0 9 cat;[kernel];$copy" '1002000 0 12 sorter;[switch]' \
	"1003000 0 12 sorter;[kernel];$move" "1004000 0 12 sorter;[user];$user" \
	'# cpu=1 records=4 overwritten=0' '1000000 1 0 idle;[switch]' \
	"1001000 1 0 idle;[idle];$idle" '1002000 1 14 cat;[switch]' \
	"1003000 1 14 cat;[kernel];$set" >"$tmp/lines"
cat >"$tmp/filters" <<'END'
(() => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  const seen = { fits: document.documentElement.scrollWidth <= innerWidth };
  const state = () => {
    const at = [...id("heads").cells].findIndex((head) => head.textContent.startsWith("function"));
    const table = [...document.querySelectorAll("#rows tr")].map((r) => r.cells[at].textContent);
    const frames = flame.rows[1] ? flame.rows[1].map((one) => nodeName(one.i, view.tree)) : [];
    const lanes = view.trace ? line.trace.lanes.map((lane) => lane.name) : [];
    return [view.total[0], table.join(), frames.join(), id("shown").textContent, lanes.join()]
      .join("|");
  };
  const choose = (name, value) => {
    id(name).value = value;
    id(name).dispatchEvent(new Event("change", { bubbles: true }));
    return state();
  };
  seen.hidden = state();
  id("idle").click();
  seen.all = state();
  id("idle").click();
  seen.cat = choose("process", "cat");
  id("search").value = "memcpy";
  look();
  seen.search = id("found").textContent;
  id("search").value = "";
  look();
  seen.catUser = choose("mode", "[user]");
  choose("process", "");
  seen.user = choose("mode", "[user]");
  seen.idleOnly = choose("mode", "[idle]");
  choose("mode", "");
  document.querySelectorAll("#profiles input")[1].click();
  seen.line = state();
  seen.cpu = choose("cpu", "1");
  choose("cpu", "");
  const canvas = id("lanes").querySelector("canvas"), at = canvas.getBoundingClientRect();
  const row = line.trace.lanes.findIndex((lane) => lane.name === "sorter 12") + 1;
  canvas.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, clientX: at.x + 5,
    clientY: at.y + row * LANE + 5 }));
  seen.lane = state();
  seen.kernel = choose("mode", "[kernel]");
  line.select([1000000, 1002500]);
  seen.early = state();
  line.select(null);
  choose("process", "cat");
  choose("cpu", "1");
  seen.hash = location.hash;
  return JSON.stringify(seen, null, 1);
})()
END
cat >"$tmp/again" <<'END'
(() => {
  const id = (name) => document.getElementById(name);
  if (!document.querySelector("#graph[data-frames]")) return false;
  const { process, mode, cpu, idle } = view.filter;
  return JSON.stringify([view.total[0], process, mode, cpu, idle, id("shown").textContent]);
})()
END
"$b/gnomon" report --html "$tmp/page.html" "$tmp/modes" "$tmp/lines" >"$tmp/out" 2>&1
ok $? 'a page of a profile and a time line' "$(cat "$tmp/out")"
looks "$tmp/page.html" "$tmp/filters" 400 >"$tmp/seen"
seen=$(cat "$tmp/seen")
# field NAME: what the page showed then: its total, rows, frames, remark and lanes
field() { sed -n 's/^ *"'"$1"'": "\(.*\)",\{0,1\}$/\1/p' "$tmp/seen"; }
of=' ticks of 100000 ticks, and shares are of these:'
is "$(field hidden)" \
	"40000|?,memcpy,user_copy,memcmp,memset|shop,cat|Shown: 40000$of idle time is hidden|" \
	'H12: idle time is hidden, and what is folded keeps its rows' "$seen"
has "$(field all)" '100000|' 'H12: a click shows it'
has "$(field all)" ',cpu_idle|idle,shop,cat||' 'H12: in the table and in the graph'
is "$(field cat)" "10000|memcpy,user_copy|cat|Shown: 10000$of only process cat; idle time is \
hidden; 0.01 % of it is in (others), whose functions have no row|" \
	'H12: one process, and what of it has no rows'
is "$(field search)" '1 function, 80.00 % of all' 'H12: the search is among what is shown'
has "$(field catUser)" "0|||Shown: 0$of" 'H12: of which there may be nothing'
has "$(field user)" '20000|?|shop|' 'H12: one mode'
has "$(field idleOnly)" '60000|cpu_idle|idle|' 'H12: which may be idle time'
of=' of 5 ticks, and shares are of these:'
has "$(field line)" '4|?,memcpy,memset,user_copy|' 'H12: the time line begins without idle time, too'
has "$(field line)" '|cpu0,cpu1,sorter 12,cat 9,cat 14' 'H12: with all lanes'
is "$(field cpu)" \
	"1|memset|cat|Shown: 1 ticks$of only cpu1; idle time is hidden|cpu1,cat 14" \
	'H12: one CPU, in table, graph and time line alike'
has "$(field lane)" "|sorter|Shown: 2 ticks$of only process sorter; idle time is hidden|cpu0,cpu1,sorter" \
	"H12: a click on a lane's name shows only that process"
has "$(field kernel)" '1|user_copy|sorter|' 'H12: filters work together'
has "$(field early)" "0|||Shown: 0 ticks$of" 'H12: and with a range of time'
has "$seen" '"fits": true' 'H5: with filters, nothing is beside the page at 400 pixels'
seen=$(looks "$tmp/page.html$(field hash)" "$tmp/again")
is "$seen" "[1,\"cat\",\"[kernel]\",1,false,\"Shown: 1 ticks$of only process cat, kernel, \
cpu1; idle time is hidden\"]" 'H12: filters are in the address'
seen=$(looks "$tmp/page.html#process=none&mode=x&cpu=9&idle=true" "$tmp/again")
is "$seen" '[100000,null,null,null,true,""]' \
	'H12: an address with filters that make no sense shows all'
finish
