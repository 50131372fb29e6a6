/* The page of gnomon report --html: draws what stands in the element "data". */
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const id = (name) => document.getElementById(name);
const percent = (n) => (data.total ? (100 * n) / data.total : 0).toFixed(2);

/* An element with text and, where given, a class. */
const element = (tag, text, kind) => {
  const e = document.createElement(tag);
  e.textContent = text;
  if (kind) e.className = kind;
  return e;
};

const show = (view) => {
  for (const tab of document.querySelectorAll("nav button")) {
    const on = tab.dataset.view === view;
    tab.setAttribute("aria-selected", on);
    id(tab.dataset.view).hidden = !on;
  }
};

/* The head: what was run, and how. */
document.title = data.title;
id("title").textContent = data.title;
for (const [what, value] of data.facts) {
  const both = document.createElement("div");
  both.append(element("dt", what), element("dd", value));
  id("facts").append(both);
}

/* The flame graph. A click on a frame zooms to it, and chooses its function. */
const module = window.flamegraph;
const graph = (module.default || module.flamegraph || module)()
  .width(Math.max(600, document.documentElement.clientWidth - 40))
  .cellHeight(18).minFrameSize(1).transitionDuration(150).inverted(true).sort(true)
  .setLabelHandler((d) => `${d.data.n}: ${d.data.v} ${data.unit}, ${percent(d.data.v)} %`)
  .setDetailsElement(id("details"))
  .setSearchMatch((d, term) => d.data.n.toLowerCase().includes(term.toLowerCase()))
  .onClick((d) => { id("graph").dataset.zoom = d.data.n; if (d.data.f >= 0) choose(d.data.f); });
d3.select("#graph").datum(data.tree).call(graph);
id("nopaths").hidden = data.paths;
id("reset").addEventListener("click", () => {
  graph.resetZoom();
  delete id("graph").dataset.zoom;
});

/* The table of functions. */
let key = "self", down = true;
/* Idle time is no work: where numbers are sorted, the functions with nothing else come last. */
const texts = ["name", "image", "where"];
const rows = data.functions.map((f, i) => ({ ...f, i, selfPercent: f.self, allPercent: f.all }));
const fill = () => {
  const term = id("search").value.toLowerCase();
  const some = rows.filter((r) => r.name.toLowerCase().includes(term));
  some.sort((a, b) => (!texts.includes(key) && a.idle - b.idle) || (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.i - b.i) * (down ? -1 : 1));
  id("rows").replaceChildren(...some.map((r) => {
    const tr = document.createElement("tr");
    tr.append(element("td", r.self, "n"), element("td", percent(r.self), "n"),
      element("td", r.all, "n"), element("td", percent(r.all), "n"),
      element("td", r.name), element("td", r.image), element("td", r.where));
    tr.addEventListener("click", () => { choose(r.i); show("code"); });
    return tr;
  }));
  return some.length;
};
for (const th of document.querySelectorAll("th[data-key]")) {
  th.addEventListener("click", () => {
    down = th.dataset.key === key ? !down : !texts.includes(th.dataset.key);
    key = th.dataset.key;
    for (const other of document.querySelectorAll("th")) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    fill();
  });
}

/* Source and machine code of one function. */
const lines = (table, list) => table.replaceChildren(...list.map(([where, count, text]) => {
  const tr = document.createElement("tr");
  if (count) tr.className = "hot";
  tr.append(element("td", count || "", "n"), element("td", where, "n"), element("td", text));
  return tr;
}));
/* Callers or callees: a click chooses one that has a row of its own. */
const relatives = (table, list) => table.replaceChildren(...list.map(([row, name, count, calls]) => {
  const tr = document.createElement("tr");
  tr.append(element("td", +count.toFixed(2), "n"), element("td", percent(count), "n"),
    element("td", calls ? `${name}, ${calls} calls` : name));
  if (row >= 0) tr.addEventListener("click", () => choose(row));
  return tr;
}));
const choose = (i) => {
  const f = data.functions[i];
  id("which").textContent = `${f.name}${f.image ? ` of ${f.image}` : ""}: ${f.self} ${data.unit}`;
  id("why").textContent = f.where || `No source and code: ${f.missing}`;
  id("relatives").hidden = !f.callers;
  relatives(id("callers"), f.callers || []);
  relatives(id("callees"), f.callees || []);
  lines(id("source"), f.source || []);
  lines(id("machine"), f.code || []);
};

id("search").addEventListener("input", () => {
  const term = id("search").value;
  const n = fill();
  id("found").textContent = term ? `${n} functions` : "";
  if (term) graph.search(term);
  else graph.clear();
});
for (const tab of document.querySelectorAll("nav button"))
  tab.addEventListener("click", () => show(tab.dataset.view));
fill();
})();
