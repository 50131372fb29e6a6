/* The time line of the page, and the flame chart of one of its lanes. */

/* A moment as gnomon report takes it: since the machine was started. */
const sinceStart = (n) => {
  if (!view.trace.numbered) return String(Math.round(n));
  const digits = view.trace.exact ? 9 : 6;
  return `${(n / 10 ** digits).toFixed(digits)}s`;
};

const line = new Line(id("lanes"), {
  ink: () => style("--fg"),
  line: () => style("--mark"),
  time: (n) => view.trace.numbered ? moment(n)
    .replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ") : brief(n),
  /* A click on the name of a process's lane shows only that process, or all of them again. */
  named: ({ process }) => {
    if (process === undefined || !view.filter.processes().includes(process)) return;
    filterBy(view.filter.process === process ? "" : process, id("mode").value, id("cpu").value,
      view.filter.idle);
  },
  /* Processes that follow each other have hues that are far apart; ticks are darker. */
  shade: (processes, i, tick) => view.trace.isIdle(processes[i]) ?
    hsl(0, 0, dark.matches ? 35 : 80) :
    hsl((137.5 * i) % 360, 50, dark.matches ? 45 + (tick ? 25 : 0) : 68 - (tick ? 28 : 0)),
  cause: (cause) => {
    if (cause === IDLE) return hsl(0, 0, dark.matches ? 40 : 75);
    return hsl(causes[cause], 50, dark.matches ? 50 : 60);
  },
  state: (state) => stateWords(state),
  moment: (us, lane, what) => {
    id("moment").textContent = `${moment(us)} after the first record, ` +
      `--from ${sinceStart(us + view.trace.begin)}` +
      `${lane ? `, ${lane}` : ""}${what ? `: ${what}` : ""}`;
  },
  moved: (selected) => {
    view.range = selected;
    refresh();
    if (!selected) {
      id("moment").textContent = "All is selected";
      return;
    }
    const [from, to] = selected.map((us) => moment(us - view.trace.begin));
    const [since, until] = selected.map(sinceStart);
    const options = view.trace.numbered ? `, --from ${since} --to ${until}` : "";
    id("moment").textContent = `Selected: ${from} to ${to}, ${amount(view.total[0])}${options}`;
  },
  /* The flame chart has the times of the line; a click on a lane shows it there. */
  panned: () => chart.draw(),
  entered: (lane) => {
    if (id("chart").hidden || !charted().includes(lane)) return;
    id("lane").value = lane.name;
    showLane();
  },
});

const processWords = ([pid, name]) => `${name} ${pid}`;

/* Tell what a process did that did not run, how long, and what ended that. */
const stateWords = ({ from, to, cause, woken, by, whole }) => {
  const long = moment(to - from) + (whole ? ` (of ${moment(whole)})` : "");
  if (cause === "[ready]") return `ready for ${long}, but not running`;
  let ended = woken && BY_INTERRUPT.includes(cause) ? ", ended by an interrupt" : "";
  if (by >= 0) ended = `, woken by ${processWords(view.trace.processes[by])}`;
  return `waited for ${cause.slice(1, -1)} ${long}${ended}`;
};

/* List the longest waits of what is selected; a row leads to one. */
const showWaits = () => {
  const { trace } = view;
  id("waits").hidden = !trace || !trace.hasStates;
  if (!trace || !trace.hasStates) return;
  const range = view.range || [trace.begin, trace.end];
  put(id("waitrows"), longestWaits(trace.lanes, range, 20).map(({ lane, state }) => {
    const tr = element("tr", "");
    tr.append(element("td", moment(state.to - state.from), "n"), element("td", lane.name),
      element("td", stateWords(state)), element("td", moment(state.from - trace.begin), "n"));
    return choosable(tr, () => {
      const span = Math.max(1, state.to - state.from);
      line.pan(state.from - span / 10, 1.2 * span);
      line.reveal(lane);
    });
  }));
};
walk(id("waitrows"));

/* Return whether less is shown than all, or than all but idle time. */
const narrowed = () => view.range || view.filter.narrows();

/*
 * Call found(record, count) for what was in the selected range of time, and on the CPU: ticks, or how
 * long what was entered there ran.
 */
const eachSelected = (found) => {
  const { trace } = view, { at, cpu, time: times, n } = trace;
  const [from, to] = view.range || [-Infinity, Infinity];
  for (let i = 0; i < n; i++) {
    if (at[i] < 0 || !view.filter.keepsCPU(cpu[i])) continue;
    if (trace.exact)
      found(i, Math.max(0, Math.min(trace.until(i), to) - Math.max(times[i], from)));
    else if (times[i] >= from && times[i] < to)
      found(i, 1);
  }
};

/* Count that in the nodes of the tree. */
const selected = () => {
  const counts = new Float64Array(view.tree.n);
  eachSelected((record, n) => { counts[view.trace.at[record]] += n; });
  return [counts];
};

/* ------------------------------------------------------------ the flame chart */

/* A number of instructions for the ruler. */
const brief = (n) => {
  if (n >= 1e6) return `${+(n / 1e6).toFixed(3)} M`;
  return n >= 1e3 ? `${+(n / 1e3).toFixed(3)} k` : String(Math.round(n));
};

/* A time of the time line, in its unit. */
const moments = { ticks: time, nanoseconds: nanotime,
  instructions: (n) => `${Math.round(n)} instructions` };
const moment = (n) => moments[view.trace.unit](n);

/* Say what a slice is, and how long it took. */
const saySlice = (i) => {
  const { slices } = chart;
  if (i < 0) return;
  const f = labelFunction(slices.label[i]), name = labelName(slices.label[i]);
  id("slice").textContent = `${f && f.image ? `${name} of ${f.image}` : name}: from ` +
    `${moment(slices.from[i] - view.trace.begin)} on for ` +
    `${moment(slices.to[i] - slices.from[i])}, itself ${moment(slices.self[i])}`;
};

/* Show where the time of the selected slice went. */
const showSpent = (i) => {
  const { slices } = chart, exact = view.trace && view.trace.exact;
  const timed = view.trace && view.trace.numbered;
  id("slice").textContent = i < 0 ? "A click selects a call" : "";
  id("deeper").disabled = i < 0;
  id("outer").disabled = i < 0 || slices.parent[i] < 0;
  id("spent").hidden = i < 0;
  if (i < 0) return;
  const all = slices.to[i] - slices.from[i];
  id("spentheads").replaceChildren(...[timed ? "time" : "instructions", "%",
    ...(exact ? ["calls"] : []), "function"].map((title) => element("th", title)));
  put(id("spentrows"), slices.within(i).filter(({ self, calls }) => self > 0 || (exact && calls))
    .map(({ label, self, calls }) => {
      const tr = document.createElement("tr");
      tr.append(element("td", timed ? moment(self) : self, "n"),
        element("td", share(self, all).toFixed(2), "n"),
        ...(exact ? [element("td", calls, "n")] : []), element("td", labelName(label)));
      return labelFunction(label) ? choosable(tr, () => {
        choose(label);
        show("code");
      }) : tr;
    }));
};
walk(id("spentrows"));

const chart = new Chart(id("slices"), line, {
  name: labelName,
  color: (label) => paint(labelName(label), shade(label)),
  line: owner.line,
  say: saySlice,
  selected: showSpent,
});

/* Select the longest slice of the selected function, or of what the search finds. */
const selectLongest = () => {
  const { slices, selected } = chart, term = id("search").value.toLowerCase();
  const wanted = (label) => term ? labelName(label).toLowerCase().includes(term) :
    selected >= 0 && label === slices.label[selected];
  let best = -1;
  for (let i = 0; i < slices.n; i++) {
    const longer = best < 0 || slices.to[i] - slices.from[i] > slices.to[best] - slices.from[best];
    if (longer && wanted(slices.label[i])) best = i;
  }
  if (best >= 0) chart.zoomTo(best);
};

/*
 * The lanes that a chart can be of: only those in which one thing is done after the other. Without
 * numbers of processes that is a CPU.
 */
const charted = () => view.trace.lanes
  .filter(({ cpu }) => view.trace.numbered || cpu !== undefined);

/* Return the name of the lane in which the most is to be seen. */
const busiest = () => {
  const size = (lane) => lane.ticks.length + lane.runs.length;
  const none = { name: "", ticks: [], runs: [] };
  return charted().reduce((best, lane) => size(lane) > size(best) ? lane : best, none).name;
};

/* Make the slices of the chosen lane, once they are looked at. */
const showLane = () => {
  const { trace, tree, filter } = view;
  if (id("chart").hidden || !trace) return;
  const lane = charted().find(({ name }) => name === id("lane").value);
  view.chartKnown = true;
  if (!lane) chart.clear();
  else chart.show((begin) => new Slices(trace, tree, filter, lane, begin));
};

/* Show the flame chart; what was filtered since it was seen last is made again. */
const showChart = () => {
  const { trace } = view;
  if (!trace) return;
  const names = charted().map(({ name }) => name), was = id("lane").value;
  if (!view.chartKnown) {
    id("lane").replaceChildren(...names.map((name) => element("option", name)));
    id("lane").value = names.includes(was) ? was : busiest();
    showLane();
  }
  id("sampled").textContent = trace.exact ? "" : "These are ticks" +
    `${trace.tick > 0 ? `, ${time(trace.tick)} apart` : ""}: what took less may be missing, and ` +
    "several calls of one function may look like one.";
  chart.draw();
};


id("lane").addEventListener("change", showLane);
id("deeper").addEventListener("click", () => chart.zoomTo(chart.selected));
id("longest").addEventListener("click", selectLongest);
id("outer").addEventListener("click", () => chart.zoomTo(chart.slices.parent[chart.selected]));
