/* The table of the lines of the source on which most was counted. */

/*
 * Count by line what is shown: records of the time line, where a range of it or a CPU is selected;
 * else what each process has in each mode.
 */
const lineCounts = () => {
  const { data: { lines }, filter, trace } = view;
  const counts = new Float64Array(lines.rows.length);
  if (view.range || filter.cpu !== null) {
    eachSelected((record, n) => {
      const i = trace.line[record];
      if (i >= 0 && filter.keeps(trace.at[record])) counts[i] += n;
    });
    return counts;
  }
  lines.rows.forEach(({ by }, i) => {
    for (let k = 0; k < by.length; k += 2)
      if (filter.keepsGroup(...lines.groups[by[k]])) counts[i] += by[k + 1];
  });
  return counts;
};

const placeOf = ({ file, line, image }) => file ? `${file}:${line}` : `${image}:?`;

/* Return the text of a line: its own, or the one in the source that shows it. */
const lineText = ({ row, line, text }) => text === undefined ?
  sourceRow(row).source.find(([number]) => number === line)[2].trimStart() : text;

/* The rows of what is shown. They are found by their place and by their function. */
const lineRows = () => {
  const counts = lineCounts();
  return view.data.lines.rows.map((line, i) => ({ ...line, i, idle: !!line.idle,
    count: counts[i], share: counts[i], place: placeOf(line), text: lineText(line),
    name: `${placeOf(line)} ${line.function}` })).filter((row) => row.count > 0);
};

const lineColumns = () => [
  { key: "count", title: timed() ? "time" : view.data.unit, number: true,
    text: (r) => count(r.count) },
  { key: "share", title: "%", number: true,
    text: (r) => `${percent(r.share)}${r.shared ? "*" : "\u2007"}` },
  ...(view.data.lines.rows.some(({ runs }) => runs !== undefined) ?
    [{ key: "runs", title: "runs", number: true, text: (r) => String(r.runs) }] : []),
  { key: "place", title: "line" }, { key: "function", title: "function" },
  { key: "image", title: "of", wide: true }, { key: "text", title: "source" },
];

/* Show a line in the source of its function, and go there. */
const openLine = (i) => {
  const one = view.data.lines.rows[i];
  choose(one.row);
  show("code");
  if (one.text !== undefined) {
    id("why").textContent += `; ${placeOf(one)} is not in it${one.text ? `: ${one.text}` : ""}`;
    id("tab-code").focus();
    return;
  }
  const at = id("source").rows[sourceRow(one.row).source.findIndex(([n]) => n === one.line)];
  at.classList.add("at");
  at.tabIndex = -1;
  at.setAttribute("aria-current", "true");
  at.scrollIntoView({ block: "center" });
  at.focus({ preventScroll: true });
};

const hotLines = new Table(id("lineheads"), id("linerows"), openLine);

/* Say how much of what is shown these lines have, and what is missing. */
const sayLines = (rows) => {
  const { left, missing } = view.data.lines;
  const sum = rows.reduce((n, row) => n + row.count, 0);
  const words = [`${rows.length} ${rows.length === 1 ? "line has" : "lines have"} ` +
    `${percent(sum)} % of what is shown.`];
  if (left > 0)
    words.push(`${left} more, on which less was counted, are not on the page: gnomon report ` +
      `--lines -n 0 ${quoted(view.data.title)}`);
  if (rows.some((row) => row.shared))
    words.push("*: some of it may be of the lines that follow, which share a count with this one.");
  id("linesaid").textContent = [...words, ...missing.map((why) => `${why}.`)].join(" ");
};

/* Show the table; where two profiles are compared there is none. */
const showLines = () => {
  id("tab-lines").hidden = !view.data.lines;
  if (!view.data.lines) return;
  const rows = lineRows();
  hotLines.show(lineColumns(), rows);
  sayLines(rows);
};
