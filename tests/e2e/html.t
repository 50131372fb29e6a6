#!/bin/sh
# gnomon report --html: the page opens from its file in a browser; search finds a function, a
# click on a frame zooms to it, a row of the table shows its source and code.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

"$b/gnomon" run -o "$tmp" -f /dev/kpdata:kpdata \
	'echo startclr >/dev/kpctl; /rc/workload 1; echo stop >/dev/kpctl' >"$tmp/out" 2>&1
ok $? 'a profile' "$(cat "$tmp/out")"
"$b/gnomon" report --html "$tmp/page.html" "$tmp/kpdata" >"$tmp/out" 2>&1
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
sed '$d' "$tmp/page.html" >"$tmp/tried.html"
cat "$tmp/hands" >>"$tmp/tried.html"
echo '</html>' >>"$tmp/tried.html"
within 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
	--user-data-dir="$tmp/chromium" --virtual-time-budget=20000 \
	--dump-dom "file://$tmp/tried.html" >"$tmp/dom" 2>"$tmp/errors"
sed -n '/SEEN/,/END/p' "$tmp/dom" | sed 's/.*SEEN //; s/ END.*//' >"$tmp/seen"
seen=$(cat "$tmp/seen")
has "$seen" '"title": "'"$tmp/kpdata"'"' 'the page renders' "$(tail -n 5 "$tmp/errors")"
has "$seen" 'ticks' 'the facts of the run'
has "$seen" '"found": true' 'search finds a function'
has "$seen" '"zoomed": true' 'a click on a frame zooms'
has "$seen" '"which": "memcpy of kernel' 'a row chooses its function'
has "$seen" '"source": true' 'whose source is shown'
hot=$(sed -n 's/.*"hot": \([0-9]*\).*/\1/p' "$tmp/seen")
[ "${hot:-0}" -gt 0 ]
ok $? 'and its instructions, with counts' "$seen"
has "$seen" '"sorted": true' 'a click on a head sorts'
total=$("$b/gnomon" report -n 0 "$tmp/kpdata" | awk 'NF == 4 && $1 ~ /^[0-9]+$/' | wc -l)
functions=$(sed -n 's/.*"functions": \([0-9]*\).*/\1/p' "$tmp/seen")
[ "${functions:-0}" -ge "$total" ] && [ "$total" -gt 10 ]
ok $? 'every function is in the table' "$functions of $total"

"$b/gnomon" report --html "$tmp/none/page.html" "$tmp/kpdata" >"$tmp/out" 2>&1
is "$? $(cat "$tmp/out")" "1 gnomon report: cannot write $tmp/none/page.html: No such file or directory" \
	'a page that cannot be written is an error'
finish
