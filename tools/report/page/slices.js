/* Slices: what ran in a lane of the time line, nested as it was called, in order of time. */

const MOST_SLICES = 5e5; /* of a lane; where it has more, a zoom shows the rest */

/*
 * What ran in a lane from when to when, as far as a filter keeps it: [{from, to, at}], in order of
 * time. A tick stands for the time up to the next record of its CPU, two ticks at most. Of entries
 * and returns, where `at` is -1, nothing is known that runs.
 */
const segmentsOf = (trace, lane, filter) => {
  const found = [];
  trace.cpus.forEach((cpu, c) => {
    if (lane.cpu === undefined ? !filter.keepsCPU(c) : lane.cpu !== c) return;
    for (let i = cpu.first; i < cpu.end; i++) {
      const to = trace.until(i), at = trace.at[i];
      if (lane.cpu === undefined && trace.process[i] !== lane.number) continue;
      if (at < 0 ? !trace.exact : !filter.keeps(at)) continue;
      if (to > trace.time[i] || trace.exact) found.push({ from: trace.time[i], to, at });
    }
  });
  return lane.cpu === undefined ? found.sort((a, b) => a.from - b.from) : found;
};

/*
 * The labels of a node's path without its mode, which is no call: where there is no function it
 * stands for what ran.
 */
const pathOf = (tree, filter, at) => {
  const path = [];
  let mode = OTHERS;
  for (let i = at; i > 0; i = tree.parent[i]) {
    const isMode = filter.modeOf[i] !== "" && filter.modeOf[tree.parent[i]] === "";
    if (isMode) mode = tree.label[i];
    else path.push(tree.label[i]);
  }
  if (filter.modeOf[at] !== "" && path.length < 2) path.unshift(mode);
  return path.reverse();
};

/*
 * The slices in the order in which they began, so that what is in one follows it. Each has a
 * `label`, a `depth`, a `parent` (-1: none), when it was (`from`, `to`), and for how long nothing
 * ran that it called (`self`). `rows` has them by depth. Where `full`, `end` tells where they stop.
 */
class Slices {
  constructor(trace, tree, filter, lane, begin) {
    this.label = [];
    this.depth = [];
    this.parent = [];
    this.from = [];
    this.to = [];
    this.self = [];
    this.rows = [];
    this.begin = begin;
    this.end = trace.end;
    this.open = []; /* the slices that go on, the outermost first */
    const known = new Map();
    const labels = (at) => {
      if (at < 0) return [];
      if (!known.has(at)) known.set(at, pathOf(tree, filter, at));
      return known.get(at);
    };
    /* Where it is known when a process runs, what it has called goes on while it does not. */
    const sleeps = (left, from) => trace.exact && trace.numbered && lane.cpu === undefined &&
      !trace.isOff(left, from);
    let last = -Infinity, under = [];
    for (const { from, to, at } of segmentsOf(trace, lane, filter)) {
      let path = labels(at);
      if (from > last && !sleeps(last, from)) this.open.length = 0;
      /* An interrupt is a path of its own, and on top of the one that it interrupts. */
      const interrupts = trace.exact && filter.modeOf[at] === "[interrupt]";
      if (interrupts && from === last) path = under.concat(path.slice(1));
      else under = path;
      last = to;
      if (to <= begin) continue;
      this.change(path, from, to);
      this.full = this.label.length > MOST_SLICES;
      if (!this.full) continue;
      this.end = to;
      break;
    }
    this.n = this.label.length;
  }

  /* The path is that one from then on: return from what is no part of it, and call the rest. */
  change(path, from, to) {
    const { open } = this;
    let same = 0;
    const most = Math.min(open.length, path.length);
    while (same < most && this.label[open[same]] === path[same]) same++;
    open.length = same;
    for (let depth = same; depth < path.length; depth++) {
      const number = this.label.length;
      this.label.push(path[depth]);
      this.depth.push(depth);
      this.parent.push(depth ? open[depth - 1] : -1);
      this.from.push(from);
      this.to.push(to);
      this.self.push(0);
      if (!this.rows[depth]) this.rows[depth] = [];
      this.rows[depth].push(number);
      open.push(number);
    }
    for (const i of open) this.to[i] = to;
    if (open.length) this.self[open[open.length - 1]] += to - from;
  }

  /* Return the place in a row of the first slice that ends after a moment. */
  after(depth, time) {
    const row = this.rows[depth] || [];
    let a = 0, b = row.length;
    while (a < b) {
      const middle = (a + b) >> 1;
      if (this.to[row[middle]] > time) b = middle;
      else a = middle + 1;
    }
    return a;
  }

  /* Return the slice of a depth at a moment; -1: none. */
  find(depth, time) {
    const i = (this.rows[depth] || [])[this.after(depth, time)];
    return i !== undefined && this.from[i] <= time ? i : -1;
  }

  /* Return where the time of a slice went: [{label, self, calls}], the most first. */
  within(i) {
    const found = new Map();
    for (let k = i; k < this.n && (k === i || this.depth[k] > this.depth[i]); k++) {
      const one = found.get(this.label[k]) || { label: this.label[k], self: 0, calls: 0 };
      found.set(one.label, one);
      one.self += this.self[k];
      one.calls++;
    }
    return [...found.values()].sort((a, b) => b.self - a.self);
  }
}
