/* The page of gnomon report --html and gnomon diff --html: page.h tells what its data are. */

const id = (name) => document.getElementById(name);
const pages = JSON.parse(id("data").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/*
 * What is shown now: open() chooses a profile, and refresh() computes the counts of the selected
 * range of time and of the filter in it, side by side where two are compared.
 */
const view = {
  data: null, /* the profile */
  tree: null, /* its paths */
  trace: null, /* its time line, or null */
  filter: null, /* what of them is shown */
  range: null, /* what is selected of that, [from, to]; null: all */
  self: [], all: [], /* by node of the tree: its own counts, and those with all below it */
  total: [], /* of all counts */
  age: 0, /* how often refresh() was called */
  callersAge: -1, /* view.age when the tree of callers was made */
  chartKnown: false, /* the flame chart is of the filter */
  chosen: null, /* the function whose source and code are shown: its label */
};

/* ------------------------------------------------------------ numbers and names */

const compared = () => view.data.total.length > 1;
const ofWaits = () => view.data.unit === "us";
const timed = () => ofWaits() || view.data.unit === "nanoseconds";

/* A number of microseconds as people read it. */
const time = (us) => {
  if (us >= 1e6) return `${(us / 1e6).toFixed(3)} s`;
  if (us >= 1e3) return `${(us / 1e3).toFixed(3)} ms`;
  return `${Math.round(us)} us`;
};
/* The same of nanoseconds. */
const nanotime = (ns) => {
  if (ns >= 1e6) return time(ns / 1e3);
  return ns >= 1e3 ? `${(ns / 1e3).toFixed(3)} us` : `${Math.round(ns)} ns`;
};
const spell = (n) => ofWaits() ? time(n) : nanotime(n);
const count = (n) => timed() ? spell(n) : String(+n.toFixed(2));
const amount = (n) => timed() ? spell(n) : `${count(n)} ${view.data.unit}`;

/* Counts of each side as per cent of everything, or in a comparison of times, milliseconds. */
const share = (n, total) => total > 0 ? (100 * n) / total : 0;
const part = (n, side = 0) =>
  view.data.us ? (n * view.data.us[side]) / 1000 : share(n, view.total[side]);
const percent = (n, side = 0) => share(n, view.total[side]).toFixed(2);
const signed = (n) => `${n > 0 ? "+" : ""}${n.toFixed(2)} ${view.data.us ? "ms" : "points"}`;

/* Return the function that a label stands for; undefined: it is another name's. */
const labelFunction = (label) => view.data.functions[label];
const labelName = (label) => {
  if (label === OTHERS) return "(others)";
  const f = labelFunction(label);
  return f ? f.name : view.data.names[label - view.data.functions.length];
};
/* Return a function's name as gnomon report prints it. */
const functionName = (f) => f.inlined ? `${f.name} (inlined)` : f.name;
const nodeName = (i, of) => i === 0 ? "all" : labelName(of.label[i]);

/* Return the counts, by side, of a tree's nodes with all below them. */
const sidesOf = (of) => of === view.tree ? view.all : of.sides;

/* ------------------------------------------------------------ colours */

const hsl = (hue, saturation, light) => `hsl(${hue} ${saturation}% ${light}%)`;

/* A number from 0 to 1 that a name always has. */
const hash = (text) => {
  let h = 7;
  for (const c of text) h = (h * 31 + c.charCodeAt(0)) % 9973;
  return h / 9973;
};

/* What processes wait for. */
const causes = { "[pipe]": 170, "[sleep]": 230, "[child]": 280, "[lock]": 0, "[device]": 40,
  "[ready]": 100 };

/*
 * The kernel is orange, programs are green, what waits is blue; processes, modes and what has no
 * name are grey, but causes of waits have a colour each. Names differ in shade.
 */
const shade = (label) => {
  const name = labelName(label), f = labelFunction(label), h = hash(name);
  const image = f ? f.image : "";
  if (!image && name in causes) return [causes[name], 50, 66];
  if (!image) return [0, 0, 62 + 10 * h];
  if (ofWaits()) return [205 + 25 * h, 55, 58 + 14 * h];
  return image === "kernel" ? [18 + 28 * h, 85, 56 + 10 * h] : [85 + 45 * h, 42, 52 + 14 * h];
};

/* Red is more in B, blue less; the more, the stronger. */
const difference = (i, of) => {
  const [a, b] = sidesOf(of);
  const by = part(b[i], 1) - part(a[i], 0), most = Math.max(part(a[i], 0), part(b[i], 1));
  const strength = most > 0 ? Math.abs(by) / most : 0;
  return [by > 0 ? 5 : 215, by ? 30 + 55 * strength : 0, 84 - 29 * strength];
};

/* Return how a name is painted. What the search finds stands out, all else then is pale. */
const paint = (name, colour) => {
  const term = id("search").value.toLowerCase();
  let [hue, saturation, light] = colour;
  if (term && name.toLowerCase().includes(term))
    [hue, saturation, light] = [300, 75, 70];
  else if (term)
    saturation /= 4;
  if (dark.matches) light -= 22;
  return { fill: hsl(hue, saturation, light), ink: dark.matches && light < 52 ? "#fff" : "#111" };
};

/* The same of a node. */
const color = (i, of) => {
  const plain = i === 0 ? [0, 0, 70] : shade(of.label[i]);
  return paint(i > 0 ? nodeName(i, of) : "", compared() ? difference(i, of) : plain);
};
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* ------------------------------------------------------------ views */

const tabs = [...document.querySelectorAll("nav button")];
const show = (view) => {
  for (const tab of tabs) {
    const on = tab.dataset.view === view;
    tab.setAttribute("aria-selected", on);
    tab.tabIndex = on ? 0 : -1;
    id(tab.dataset.view).hidden = !on;
  }
  id("controls").hidden = id("help").hidden = view !== "flame" && view !== "bottom";
  if (view === "bottom") showCallers();
  if (view === "chart") showChart();
  if (view === "code") chooseHottest();
};

/* Return a text as a shell takes it. */
const quoted = (text) => /^[\w.:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/* Return the command that makes a page of what is below a node, in which less is folded. */
const deeper = (i) => {
  const { tree, data, filter } = view, words = [];
  const top = tree.label[i] === OTHERS ? tree.parent[i] : i, f = labelFunction(tree.label[top]);
  if (f) words.push(`--root ${quoted(f.image ? `${f.image}:${f.name}` : f.name)}`);
  if (filter.processOf[top]) words.push(`--process ${quoted(filter.processOf[top])}`);
  const mode = filter.modeOf[top], whole = data.processes ? 3 : 2;
  const chosen = mode && !["[outside]", "[overflow]"].includes(mode);
  if (chosen) words.push(`--mode ${mode.slice(1, -1)}`);
  if (!words.length || (data.root && tree.depth[top] <= whole)) words.push("-n 0");
  if (data.inlined) words.push("-I");
  return `gnomon report --html deeper.html ${words.join(" ")} ${quoted(data.title)}`;
};

/* Say what a node is. */
const say = (i, of) => {
  const f = i > 0 && labelFunction(of.label[i]);
  const name = f && f.image ? `${functionName(f)} of ${f.image}` : nodeName(i, of);
  const isOthers = i > 0 && of === view.tree && of.label[i] === OTHERS && !compared();
  const rest = isOthers ? `; to see it: ${deeper(i)}` : "";
  if (!compared()) {
    const n = sidesOf(of)[0][i];
    id("details").textContent = `${name}: ${amount(n)}, ${percent(n)} %${rest}`;
    return;
  }
  const [a, b] = sidesOf(of).map((side) => side[i]);
  let what = "";
  if (a === 0) what = ", new";
  else if (b === 0) what = ", gone";
  if (f && f.z !== undefined)
    what += `; ${f.name} as a whole: z ${f.z > 0 ? "+" : ""}${f.z.toFixed(2)}` +
      `${f.sure ? " *" : ", which chance may explain"}`;
  id("details").textContent = `${name}: A ${amount(a)}, ${percent(a)} %; B ${amount(b)}, ` +
    `${percent(b, 1)} %; ${signed(part(b, 1) - part(a))}${what}`;
};

const owner = {
  name: nodeName, color, say,
  line: () => style("--mark"),
  chosen: (i, of) => {
    if (i > 0 && labelFunction(of.label[i])) choose(of.label[i]);
  },
};
const flame = new Graph(id("graph"), owner), bottom = new Graph(id("uptree"), owner);

/* The widths of frames: of one side, or where two are compared of both or of the chosen one. */
const widths = (sides) => {
  if (!compared()) return sides[0];
  const side = id("side").value;
  return sides[0].map((a, i) => (side === "1" ? 0 : part(a, 0)) +
    (side === "0" ? 0 : part(sides[1][i], 1)));
};

/* Make the tree of callers, once it is looked at. */
const showCallers = () => {
  if (view.callersAge !== view.age) {
    const up = callersOf(view.tree, view.self, (i) =>
      Math.max(...view.self.map((side, s) => view.total[s] > 0 ? side[i] / view.total[s] : 0)));
    up.sides = up.self.map((side) => up.sums(side));
    bottom.show(up, widths(up.sides));
    view.callersAge = view.age;
  }
  bottom.draw();
};

/* ------------------------------------------------------------ functions */

/* A row leads to the function's source and code, in a comparison to its frames. */
const functions = new Table(id("heads"), id("rows"), (i) => {
  if (compared()) {
    id("search").value = view.data.functions[i].name;
    look();
    show("flame");
    id("graph").focus();
    return;
  }
  choose(i);
  show("code");
  id("tab-code").focus();
});

/* Return whether chance might explain what differs: the counts that are compared are samples. */
const tested = () => view.data.functions.some((f) => f.z !== undefined);

/* What is known of memory beside bytes in use, or beside bytes in all and their modes. */
const memoryColumns = () => ["blocks", "bytes in all", "blocks in all"]
  .map((title, k) => ({ key: `memory${k}`, title, number: true, wide: k === 1,
    text: (r) => r[`memory${k}`] }))
  .filter((_, k) => view.data.functions.some(({ memory }) => memory && memory[k] !== null));

const columns = () => [
  ...(compared() ? [
    ...(tested() ? [
      { key: "deviation", title: "z", number: true, text: (r) => r.z === undefined ? "" :
        `${r.z > 0 ? "+" : ""}${r.z.toFixed(2)} ${r.sure ? "*" : "\u2007"}` },
    ] : []),
    { key: "change", title: view.data.us ? "ms" : "points", number: true,
      text: (r) => `${r.by > 0 ? "+" : ""}${r.by.toFixed(2)}` },
    ...(tested() ? [
      { key: "error", title: "+-", number: true, wide: true,
        text: (r) => r.error === undefined ? "" : r.error.toFixed(2) },
    ] : []),
    { key: "a", title: "A %", number: true, text: (r) => percent(r.a) },
    { key: "b", title: "B %", number: true, text: (r) => percent(r.b, 1) },
  ] : [
    { key: "self", title: "self", number: true, wide: true, text: (r) => count(r.self) },
    { key: "selfPercent", title: "self %", number: true, text: (r) => percent(r.self) },
    ...(view.data.paths ? [
      { key: "all", title: "with what it calls", number: true, wide: true,
        text: (r) => count(r.all) },
      { key: "allPercent", title: "all %", number: true, text: (r) => percent(r.all) },
    ] : []),
    ...memoryColumns(),
  ]),
  { key: "name", title: "function" }, { key: "image", title: "of" },
  ...(compared() ? [] : [{ key: "where", title: "where" }]),
];

/* Counts of functions on each side, by the nodes of the tree. */
const byFunction = (self) => self.map((side) => view.tree.byLabel(side, view.tree.sums(side),
  view.data.functions.length + view.data.names.length));

/*
 * Return count(i, what, side) of the functions. The tree has all that is idle, but of the small
 * frames only how much they are together: without idle time the functions keep what the tree does
 * not have of them, while a part of the tree has but its own functions.
 */
const functionCounts = () => {
  if (narrowed()) {
    const found = byFunction(view.self);
    return (i, what, side) => found[side][what][i];
  }
  const idle = byFunction(view.tree.self.map((side) => view.filter.part(side, false)));
  const hidden = (f) => f.idle && !view.filter.idle;
  return (i, what, side) => {
    const f = view.data.functions[i];
    return hidden(f) ? 0 : f[what][side] - idle[side][what][i];
  };
};

/* The rows of the table: of what is shown. */
const rows = () => {
  const n = functionCounts();
  return view.data.functions.map((f, i) => {
    const row = { i, name: functionName(f), image: f.image, where: f.where, idle: f.idle };
    row.none = view.total.every((_, side) => n(i, "all", side) <= 0);
    if (compared()) {
      [row.a, row.b] = [n(i, "self", 0), n(i, "self", 1)];
      row.by = part(row.b, 1) - part(row.a);
      row.change = Math.abs(row.by);
      Object.assign(row, { z: f.z, sure: f.sure, error: f.error });
      row.deviation = f.z === undefined ? -1 : Math.abs(f.z);
    } else {
      row.self = row.selfPercent = n(i, "self", 0);
      row.all = row.allPercent = n(i, "all", 0);
      (f.memory || []).forEach((known, k) => { row[`memory${k}`] = known; });
      if (f.memory && f.memory[1] > 0 && !narrowed()) row.none = false;
    }
    return row;
  }).filter((row) => !row.none);
};

/* ------------------------------------------------------------ source and code */

/* Lines of the source, with how often they ran if that is known of some; or instructions. */
const lines = (body, list) => {
  const known = list.some(([, , , runs]) => runs !== undefined);
  body.replaceChildren(...list.map(([where, n, text, runs]) => {
    const tr = document.createElement("tr");
    if (n) tr.className = "hot";
    tr.append(element("td", n || "", "n"), element("td", where, "n"), element("td", text));
    if (known) tr.cells[0].after(element("td", runs === undefined ? "" : `${runs}\u00d7`, "n"));
    return tr;
  }));
};

/* Callers or callees: a click chooses one that has a row of its own. */
const relatives = (body, list) => put(body, list.map(([row, name, n, calls]) => {
  const f = view.data.functions[row], who = f ? functionName(f) : name;
  const tr = document.createElement("tr");
  tr.append(element("td", count(n), "n"),
    element("td", share(n, view.data.total[0]).toFixed(2), "n"),
    element("td", calls ? `${who}, ${calls} calls` : who));
  return row >= 0 ? choosable(tr, () => choose(row)) : tr;
}));

/* A time in microseconds that may be short. */
const short = (us) => us < 1e3 ? `${+us.toPrecision(4)} us` : time(us);

/* Show the histogram of a function's calls, which these data or another profile of the page has. */
const histogram = (f) => {
  const same = (other) => other.times && other.name === f.name && other.image === f.image;
  const from = [view.data, ...pages].find((page) => page.functions.some(same));
  const times = from && from.functions.find(same).times;
  id("times").hidden = !times;
  if (!times) return;
  const most = Math.max(...times.spans.map(([, n]) => n));
  id("timesof").textContent = `${times.calls} calls: mean ${short(times.mean)}, shortest ` +
    `${short(times.shortest)}, longest ${short(times.longest)}; other processes ran for ` +
    `${short(times.asleep)} meanwhile, which is in none of these` +
    (from === view.data ? "" : `; from ${from.title}`);
  put(id("spans"), times.spans.map(([us, n]) => {
    const tr = element("tr", ""), bar = element("div", "", "bar"), td = element("td", "");
    bar.style.width = `${(120 * n) / most}px`;
    td.append(bar);
    tr.append(element("td", short(us), "n"), element("td", short(2 * us), "n"),
      element("td", n, "n"), element("td", share(n, times.calls).toFixed(2), "n"), td);
    return tr;
  }));
};

/* Return what a row with source is of: of the table, or, after its end, beside it. */
const sourceRow = (i) => {
  const { functions, lines } = view.data;
  return functions[i] || lines.apart[i - functions.length];
};

/* Tell where the source of a function is, what its counts are of, and what the page lacks. */
const sourceWords = (f) => {
  const words = [f.where];
  if (f.inlined) words[0] += ", in all functions that it was inlined in";
  if (!f.code)
    words.push("its code is shown by gnomon report --annotate " +
      `${quoted(`${f.image}:${f.name}`)} ${quoted(view.data.title)}`);
  return words.join("; ");
};

const choose = (i) => {
  const f = sourceRow(i);
  view.chosen = i;
  histogram(f);
  const counts = compared() ? `A ${amount(f.self[0])}, B ${amount(f.self[1])}` : amount(f.self[0]);
  id("which").textContent = `${functionName(f)}${f.image ? ` of ${f.image}` : ""}: ${counts}`;
  id("why").textContent = f.where ? sourceWords(f) : `No source and code: ${f.missing}`;
  id("relatives").hidden = !f.callers;
  relatives(id("callers"), f.callers || []);
  relatives(id("callees"), f.callees || []);
  lines(id("source"), f.source || []);
  lines(id("machine"), f.code || []);
};
/* Where nobody has chosen a function, choose the one that most was counted in, idle time aside. */
const chooseHottest = () => {
  const { functions } = view.data, self = (i) => functions[i].idle ? 0 : functions[i].self[0];
  if (view.chosen !== null || !functions.length) return;
  choose(functions.reduce((best, _, i) => self(i) > self(best) ? i : best, 0));
};
walk(id("callers"));
walk(id("callees"));

/* ------------------------------------------------------------ filters */

/* Fill one of the selections; nobody is asked who has no choice. */
const offer = (name, all, values, texts, chosen) => {
  const option = (value, text) => {
    const one = element("option", text);
    one.value = value;
    return one;
  };
  id(name).replaceChildren(option("", all), ...values.map((v, i) => option(v, texts[i])));
  id(name).value = chosen === null ? "" : chosen;
  id(name).parentElement.hidden = values.length < 2 && chosen === null;
};

/* Show what the filter is, and what there is to choose. */
const offerFilters = () => {
  const { filter, trace } = view, processes = filter.processes(), modes = filter.modes();
  const cpus = trace ? trace.cpus : [];
  offer("process", "all", processes, processes, filter.process);
  offer("mode", "all", modes, modes.map((mode) => mode.slice(1, -1)), filter.mode);
  offer("cpu", "all", cpus.map((_, i) => i), cpus.map(({ cpu }) => `cpu${cpu}`), filter.cpu);
  id("idle").checked = filter.idle;
  id("idle").parentElement.hidden = !modes.includes(IDLE) || modes.length < 2;
};

/* Take what is chosen, as far as these data have it, and show that. */
const filterBy = (process, mode, cpu, idle) => {
  const known = (name, value) => [...id(name).options].some((one) => one.value === value);
  view.filter.process = process && known("process", process) ? process : null;
  view.filter.mode = mode && known("mode", mode) ? mode : null;
  view.filter.cpu = cpu && known("cpu", cpu) ? +cpu : null;
  view.filter.idle = idle;
  offerFilters();
  view.chartKnown = false;
  if (view.trace) line.filter(view.filter);
  refresh();
};

/* Say how much of everything is shown, and that percentages are of that. */
const sayShown = () => {
  const { filter, total, tree } = view, { total: all } = view.data;
  const words = [filter.words(view.trace ? view.trace.cpus : [])];
  const folded = view.self[0].reduce((sum, n, i) => sum + (tree.label[i] === OTHERS ? n : 0), 0);
  if (view.range) words.push("only the selected time");
  if (filter.modes().includes(IDLE) && !filter.idle && filter.mode !== IDLE)
    words.push("idle time is hidden");
  if (narrowed() && folded > 0)
    words.push(`${percent(folded)} % of it is in (others), whose functions have no row`);
  const said = words.filter((word) => word).join("; ");
  const sides = total.map((n, side) => `${amount(n)} of ${amount(all[side])}`).join(" and ");
  id("shown").textContent = said && `Shown: ${sides}, and shares are of these: ${said}`;
};

/* ------------------------------------------------------------ all together */

/* Compute everything that depends on the range, and show it. */
const refresh = () => {
  view.age++;
  const counts = view.range || view.filter.cpu !== null ? selected() : view.tree.self;
  view.self = counts.map((side) => view.filter.part(side));
  view.all = view.self.map((side) => view.tree.sums(side));
  view.total = view.all.map((side) => side[0]);
  flame.show(view.tree, widths(view.all));
  functions.show(columns(), rows());
  showLines();
  showWaits();
  sayShown();
  look();
  if (!id("bottom").hidden) showCallers();
  if (!id("chart").hidden) showChart();
};

/* Count what is on paths with a frame that the search finds. */
const found = (term) => {
  const below = new Uint8Array(view.tree.n);
  let sum = 0;
  for (let i = 1; i < view.tree.n; i++) {
    below[i] = below[view.tree.parent[i]];
    if (below[i] || !nodeName(i, view.tree).toLowerCase().includes(term)) continue;
    below[i] = 1;
    sum += view.all[0][i];
  }
  return sum;
};

/* Show what the search finds. */
const look = () => {
  const term = id("search").value, n = functions.fill(term);
  if (view.data.lines) hotLines.fill(term);
  let text = "";
  if (term) text = n === 1 ? "1 function" : `${n} functions`;
  if (term && !compared()) text += `, ${percent(found(term.toLowerCase()))} % of all`;
  id("found").textContent = text;
  flame.draw();
  bottom.draw();
  chart.draw();
};

/* Show one of the profiles. */
const open = (number) => {
  view.data = pages[number];
  view.tree = new Tree(view.data.tree.kids, view.data.tree.label,
    view.data.tree.b ? [view.data.tree.self, view.data.tree.b] : [view.data.tree.self]);
  view.trace = view.data.trace && new Trace(view.data.trace);
  view.filter = new Filter(view.tree, (i) => nodeName(i, view.tree), view.data.processes);
  view.range = null;
  view.chartKnown = false;
  view.chosen = null;
  document.title = view.data.title;
  id("title").textContent = view.data.title;
  id("summary").textContent = "About these data";
  put(id("facts"), view.data.facts.map(([what, value]) => {
    const both = document.createElement("div");
    both.append(element("dt", what), element("dd", value));
    return both;
  }));
  id("nopaths").hidden = view.data.paths;
  id("widths").hidden = !compared();
  id("line").hidden = id("tab-chart").hidden = !view.trace;
  if (!view.trace && !id("chart").hidden) show("flame");
  id("tab-code").hidden = compared();
  if (!view.data.lines && !id("hot").hidden) show("flame");
  id("which").textContent = "No function is chosen";
  id("times").hidden = true;
  for (const part of ["why", "callers", "callees", "source", "machine", "details"])
    id(part).replaceChildren();
  offerFilters();
  id("what").textContent = ofWaits() ? "Cause" : "Mode";
  if (view.trace) line.show(view.trace, view.filter);
  refresh();
};

/* A switch between profiles, which are never added up. */
pages.forEach((one, i) => {
  const label = document.createElement("label"), radio = document.createElement("input");
  radio.type = "radio";
  radio.name = "profile";
  radio.checked = i === 0;
  radio.addEventListener("change", () => open(i));
  label.append(radio, `${one.title.replace(/.*\//, "")} (${one.unit})`);
  id("profiles").append(label);
});
id("profiles").hidden = pages.length < 2;
id("about").open = window.innerWidth > 700;

for (const tab of tabs) tab.addEventListener("click", () => show(tab.dataset.view));
document.querySelector("nav").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const some = tabs.filter((tab) => !tab.hidden);
  const to = some[(some.indexOf(document.activeElement) + step + some.length) % some.length];
  show(to.dataset.view);
  to.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, select")) return;
  event.preventDefault();
  id("search").focus();
});
id("search").addEventListener("input", look);
id("reset").addEventListener("click", () => (id("bottom").hidden ? flame : bottom).zoomTo(0));
id("turn").addEventListener("click", () => {
  const turned = id("turn").getAttribute("aria-pressed") !== "true";
  id("turn").setAttribute("aria-pressed", turned);
  flame.turn(turned);
  bottom.turn(turned);
});
id("side").addEventListener("change", refresh);
for (const name of ["process", "mode", "cpu", "idle"])
  id(name).addEventListener("change", () =>
    filterBy(id("process").value, id("mode").value, id("cpu").value, id("idle").checked));
id("order").addEventListener("change", () => line.order(id("order").value === "time"));
id("in").addEventListener("click", () => line.enlarge());
id("out").addEventListener("click", () => line.zoom(0.5));
id("whole").addEventListener("click", () => line.whole());
id("free").addEventListener("click", () => line.select(null));
dark.addEventListener("change", () => { flame.draw(); bottom.draw(); line.draw(); chart.draw(); });
