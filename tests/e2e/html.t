#!/bin/sh
# gnomon report --html: the page opens from its file in a browser; search finds a function, a
# click on a frame zooms to it, a row of the table shows its source and code, callers and callees.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

"$b/gnomon" run -o "$tmp" -f /dev/kpstack:kpstack 'echo stacks on >/dev/kpctl
	echo startclr >/dev/kpctl; /rc/workload 1; echo stop >/dev/kpctl' >"$tmp/out" 2>&1
ok $? 'a profile' "$(cat "$tmp/out")"
"$b/gnomon" report --html "$tmp/page.html" "$tmp/kpstack" >"$tmp/out" 2>&1
ok $? 'its page is written' "$(cat "$tmp/out")"
grep -q 'https\{0,1\}://[^ "]*["'"'"' ]*\(.js\|.css\)["'"'"']' "$tmp/page.html"
is $? 1 'it loads nothing from elsewhere'

# What a reader of the page would do, and would then see.
cat >"$tmp/hands" <<'END'
<script>
window.addEventListener("load", () => setTimeout(() => {
  const id = (name) => document.getElementById(name);
  const seen = {};
  seen.title = document.title;
  seen.facts = id("facts").textContent;
  seen.frames = document.querySelectorAll("#graph g.frame").length;
  seen.functions = document.querySelectorAll("#rows tr").length;
  id("search").value = "memcp";
  id("search").dispatchEvent(new Event("input"));
  const found = [...document.querySelectorAll("#rows tr")].map((r) => r.cells[4].textContent);
  seen.found = found.length > 0 && found.length < seen.functions &&
    found.every((n) => n.includes("memcp"));
  const frame = [...document.querySelectorAll("#graph g.frame")]
    .find((g) => g.getAttribute("name") === "memcpy");
  seen.before = +frame.getAttribute("width");
  frame.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  document.querySelector("#rows tr").click();
  seen.which = id("which").textContent;
  seen.hot = document.querySelectorAll("#machine tr.hot").length;
  seen.source = id("source").textContent.includes("memcpy");
  const search = (name) => {
    id("search").value = name;
    id("search").dispatchEvent(new Event("input"));
    return [...document.querySelectorAll("#rows tr")].find((r) => r.cells[4].textContent === name);
  };
  search("user_copy").click();
  seen.last = [...document.querySelectorAll("#machine tr.hot")]
    .some((r) => r.textContent.includes("rep movs"));
  const callers = [...document.querySelectorAll("#callers tr")];
  seen.callers = callers.map((r) => r.cells[2].textContent).join();
  callers[0].click();
  seen.caller = id("which").textContent;
  seen.callees = [...document.querySelectorAll("#callees tr")].map((r) => r.cells[2].textContent)
    .join();
  search("INLINED").click();
  seen.inlined = id("which").textContent + id("why").textContent +
    [...document.querySelectorAll("#machine tr")].slice(0, 1).map((r) => r.textContent).join();
  seen.inlinedHot = document.querySelectorAll("#source tr.hot").length *
    document.querySelectorAll("#machine tr.hot").length;
  document.querySelector("th[data-key=self]").click();
  if (document.querySelector("th[data-key=self]").getAttribute("aria-sort") === "ascending")
    document.querySelector("th[data-key=self]").click();
  search("");
  const data = JSON.parse(id("data").textContent);
  seen.empty = data.functions.filter((f) => !f.where && !f.missing).length;
  const all = [...document.querySelectorAll("#rows tr")].map((r) => r.cells[4].textContent);
  seen.idle = all.indexOf("cpu_idle") > all.length / 2;
  document.querySelector("th[data-key=name]").click();
  id("search").value = "";
  id("search").dispatchEvent(new Event("input"));
  const names = [...document.querySelectorAll("#rows tr")].map((r) => r.cells[4].textContent);
  seen.sorted = names.every((n, i) => i === 0 || names[i - 1] <= n);
  setTimeout(() => {
    seen.after = +frame.getAttribute("width");
    seen.zoomed = seen.after > 2 * seen.before;
    const out = document.createElement("pre");
    out.textContent = "SEEN " + JSON.stringify(seen, null, 1) + " END";
    document.body.append(out);
  }, 2000);
}, 1000));
</script>
END
inlined=$("$b/gnomon" report -I -m kernel "$tmp/kpstack" | sed -n 's/.* \(kernel:\)\{0,1\}\([a-z_]*\) (inlined)/\2/p' | head -n 1)
sed '$d' "$tmp/page.html" >"$tmp/tried.html"
sed "s/INLINED/$inlined/" "$tmp/hands" >>"$tmp/tried.html"
echo '</html>' >>"$tmp/tried.html"
within 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
	--user-data-dir="$tmp/chromium" --virtual-time-budget=20000 \
	--dump-dom "file://$tmp/tried.html" >"$tmp/dom" 2>"$tmp/errors"
sed -n '/SEEN/,/END/p' "$tmp/dom" | sed 's/.*SEEN //; s/ END.*//' >"$tmp/seen"
seen=$(cat "$tmp/seen")
has "$seen" '"title": "'"$tmp/kpstack"'"' 'the page renders' "$(tail -n 5 "$tmp/errors")"
has "$seen" 'ticks' 'the facts of the run'
has "$seen" '"found": true' 'search finds a function'
has "$seen" '"zoomed": true' 'a click on a frame zooms'
has "$seen" '"which": "memcpy of kernel' 'a row chooses its function'
has "$seen" '"source": true' 'whose source is shown'
hot=$(sed -n 's/.*"hot": \([0-9]*\).*/\1/p' "$tmp/seen")
[ "${hot:-0}" -gt 0 ]
ok $? 'and its instructions, with counts' "$seen"
has "$seen" '"sorted": true' 'a click on a head sorts'
has "$seen" '"last": true' 'the last function of the text has its code, too'
caller=$("$b/gnomon" report -I -b user_copy "$tmp/kpstack" | sed -n '/  user_copy$/{n; s/ (inlined)$//; s/.*[ :]//p; q; }')
has "$(sed -n 's/.*"callers"//p' "$tmp/seen")" "${caller:-nobody}" 'a function shows who calls it'
has "$(sed -n 's/.*"caller"//p' "$tmp/seen")" ' of kernel' 'a click on a caller chooses it'
has "$(sed -n 's/.*"callees"//p' "$tmp/seen")" 'user_copy' 'and it shows what it calls'
has "$(sed -n 's/.*"inlined"//p' "$tmp/seen")" "$inlined of kernel" 'an inlined function has a place'
grep -q '"inlined": .*:[0-9]*in [a-z_0-9]*:' "$tmp/seen"
ok $? 'and code, in the functions that have it' "$seen"
! grep -q '"inlinedHot": 0' "$tmp/seen"
ok $? 'with its counts' "$seen"
has "$seen" '"empty": 0' 'where source and code are missing it says why'
has "$seen" '"idle": true' 'idle time comes last, however much it is'
total=$("$b/gnomon" report -n 0 "$tmp/kpstack" | awk 'NF == 5 && $1 ~ /^[0-9]+$/' | wc -l)
functions=$(sed -n 's/.*"functions": \([0-9]*\).*/\1/p' "$tmp/seen")
[ "${functions:-0}" -ge "$total" ] && [ "$total" -gt 10 ]
ok $? 'every function is in the table' "$functions of $total"

"$b/gnomon" report --html "$tmp/none/page.html" "$tmp/kpstack" >"$tmp/out" 2>&1
is "$? $(cat "$tmp/out")" "1 gnomon report: cannot write $tmp/none/page.html: No such file or directory" \
	'a page that cannot be written is an error'
finish
