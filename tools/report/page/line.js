/* The time line: a lane for each CPU, with what runs there, and one for each process. */

const LANE = 20; /* pixels; above the lanes is a ruler as high as one */
const MOST_WAKINGS = 300; /* more lines from who woke to who was woken are not drawn */
const HATCH = 6; /* pixels between the lines where records were lost */
const LABEL = 110; /* pixels at the left for the names of lanes, less on narrow pages */

/* The records of a trace, unpacked, and the lanes that they are drawn in. */
class Trace {
  constructor(trace) {
    const n = trace.time.length;
    this.processes = trace.processes;
    this.n = n;
    this.time = new Float64Array(n);
    this.cpu = new Uint32Array(n);
    this.process = trace.process;
    this.at = trace.at;
    this.line = trace.line; /* of the source, by its place in the table of lines */
    this.unit = trace.unit;
    this.exact = trace.unit !== "ticks"; /* records are entries and returns */
    this.numbered = trace.unit !== "instructions"; /* processes are */
    this.tick = trace.tick;
    this.woken = trace.woken;
    this.marks = trace.marks;
    this.waited = new Map(); /* by record: the cause */
    for (let k = 0; k < trace.waits.length; k += 2)
      this.waited.set(trace.waits[k], trace.waits[k + 1]);
    this.reach = reachOf(trace);
    this.hasStates = trace.waits.length + trace.woken.length > 0;
    let i = 0;
    this.cpus = trace.cpus.map(([cpu, records, time, lost], number) => {
      for (const end = i + records; i < end; i++) {
        time += trace.time[i];
        this.time[i] = time;
        this.cpu[i] = number;
      }
      return { cpu, first: i - records, end: i, lost };
    });
    this.begin = Infinity;
    this.end = -Infinity;
    for (const time of this.time) {
      this.begin = Math.min(this.begin, time);
      this.end = Math.max(this.end, time);
    }
    this.end = Math.max(this.end, trace.end);
    if (!(this.end > this.begin)) this.end = this.begin + 1;
    this.wakings = wakingsOf(this);
  }

  /* Return whether recording was off at some time between. */
  isOff(from, to) {
    return this.offs.some((off) => off.from < to && off.to > from);
  }

  /*
   * Return the process that ended a wait for something, on the CPU of its waking; -1: none, or not
   * known. The parent of a process that has ended is woken only after the change to what runs next.
   */
  woke({ cpu, time }, cause) {
    const runs = this.onCPU[cpu] || [];
    let run = lastUpTo(runs, time, ({ from }) => from);
    if (!run || time > run.to) return -1;
    if (cause === "[child]") run = lastUpTo(runs, run.from, ({ to }) => to);
    return run && !this.isIdle(this.processes[run.process]) ? run.process : -1;
  }

  /* Return until when a record holds: up to its CPU's next one, but of ticks for two at most. */
  until(i) {
    const last = i + 1 === this.cpus[this.cpu[i]].end;
    if (this.exact) return this.time[last ? i : i + 1];
    const most = this.tick > 0 ? this.time[i] + 2 * this.tick : Infinity;
    return Math.min(last ? most : this.time[i + 1], most, this.end);
  }

  /* Return whether a process stands for a CPU that is idle, or that nothing is recorded of. */
  isIdle([pid, name]) { return this.numbered ? pid === 0 : name === "off"; }

  /* Return whether a record tells that nothing is known from then on. */
  isEnd(i) { return this.at[i] < 0 && this.processes[this.process[i]][1] === "off"; }

  /*
   * Make the lanes of what a filter keeps: their ticks, and from when to when a process ran on a
   * CPU. The last one ran up to the end of the recording, for a change would have been recorded.
   */
  makeLanes(filter) {
    const cpus = this.cpus.map(({ cpu, first, lost }, c) => ({ name: `cpu${cpu}`, ticks: [],
      runs: [], cpu: c, lost: lost > 0 ? this.time[first] : -Infinity,
      kept: filter.keepsCPU(c) }));
    const processes = this.processes.map(([pid, name], number) => ({
      name: this.numbered ? `${name} ${pid}` : name, number,
      process: name, ticks: [], runs: [], since: Infinity, kept: false }));
    const idle = this.processes.map((one) => this.isIdle(one));
    const shown = this.processes.map(([, name], i) => filter.keepsProcess(idle[i], name));
    if (this.exact) this.addEntries(filter, cpus, processes, shown);
    else this.addTicks(filter, cpus, processes, shown);
    if (!filter.idle && filter.process === null && filter.mode === null)
      for (const lane of cpus) lane.idles = this.idlesOn(lane.cpu);
    if (this.hasStates && filter.cpu === null) /* of one alone: it may have run elsewhere */
      this.addStates(processes, shown);
    this.lanes = cpus.concat(processes.filter((lane, i) => !idle[i])).filter((lane) => lane.kept);
  }

  /* Return when a CPU was idle, where a lane does not show that as what ran. */
  idlesOn(cpu) {
    return this.onCPU[cpu].filter(({ process }) => this.isIdle(this.processes[process]) &&
      this.processes[process][1] !== "off");
  }

  /* Give each process what it did between its runs. */
  addStates(processes, shown) {
    for (const lane of processes) lane.states = [];
    for (const [pid, runs] of runsOf(this))
      for (const state of statesOf(this, runs, pid)) processes[state.process].states.push(state);
    processes.forEach((lane, i) => { /* one may wait all of the time */
      if (lane.since === Infinity && lane.states.length) {
        lane.since = lane.states[0].from;
        lane.kept = shown[i];
      }
    });
  }

  /* Note that a process runs, or that this one still does. */
  addRun(runs, one) {
    const last = runs[runs.length - 1];
    const same = last && last.to === one.from && last.process === one.process;
    if (same) last.to = one.to;
    else runs.push(one);
    return !same;
  }

  /* A process runs from one of its records on up to the first of another. */
  addEntries(filter, cpus, processes, shown) {
    this.onCPU = this.cpus.map(() => []);
    this.offs = [];
    for (let i = 0; i < this.n; i++) {
      const process = this.process[i], c = this.cpu[i], lane = processes[process];
      const one = { from: this.time[i], to: this.until(i), process, cpu: c, record: i };
      if (this.isEnd(i)) this.offs.push(one);
      else this.addRun(this.onCPU[c], { ...one });
      const kept = this.at[i] < 0 ? !this.isEnd(i) : filter.keeps(this.at[i]);
      if (!cpus[c].kept || !shown[process] || !kept) continue;
      lane.kept = true;
      lane.since = Math.min(lane.since, one.from);
      if (this.addRun(cpus[c].runs, one)) lane.runs.push(one);
    }
  }

  /* Return whether a tick tells that the process of that record has become another program. */
  hasBecome(tick, since) {
    const [now, was] = [tick, since].map((i) => this.processes[this.process[i]]);
    return this.numbered && now !== was && now[0] === was[0];
  }

  /*
   * A tick is a moment; that a process runs is what changes of process tell, and under which name
   * after exec, the ticks.
   */
  addTicks(filter, cpus, processes, shown) {
    this.onCPU = this.cpus.map(() => []);
    this.offs = [];
    this.cpus.forEach(({ first, end }, c) => {
      let since = -1;
      const run = (to, process) => {
        const one = { from: this.time[since], to, process, cpu: c, record: since };
        if (since < 0) return;
        this.onCPU[c].push(one);
        if (this.processes[process][1] === "off") this.offs.push(one);
        if (!shown[process]) return;
        cpus[c].runs.push(one);
        processes[process].runs.push(one);
      };
      if (!cpus[c].kept) return;
      for (let i = first; i < end; i++) {
        const lane = processes[this.process[i]];
        lane.since = Math.min(lane.since, this.time[i]);
        lane.kept = shown[this.process[i]];
        if (this.at[i] >= 0) {
          if (since >= 0 && this.hasBecome(i, since)) {
            run(this.time[i], this.process[since]);
            since = i;
          }
          if (!shown[this.process[i]] || !filter.keeps(this.at[i])) continue;
          cpus[c].ticks.push(i);
          lane.ticks.push(i);
          continue;
        }
        run(this.time[i], since < 0 ? -1 : this.process[since]);
        since = i;
      }
      if (since >= 0) run(this.end, this.process[since]);
    });
  }

  /* Order the lanes of processes: those that began first, or those with the most records. */
  sort(byTime) {
    const records = (lane) => lane.ticks.length + lane.runs.length;
    const order = byTime ? (a, b) => a.since - b.since : (a, b) => records(b) - records(a);
    const isCPU = (lane) => lane.process === undefined;
    this.lanes = this.lanes.filter(isCPU)
      .concat(this.lanes.filter((lane) => !isCPU(lane)).sort(order));
  }
}

/* It draws a trace into the canvas of a box; `owner` has colours, time(us), moved(). */
class Line {
  constructor(box, owner) {
    this.box = box;
    this.space = box.firstElementChild;
    this.canvas = box.querySelector("canvas");
    this.owner = owner;
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => this.release());
    this.canvas.addEventListener("pointercancel", () => this.release());
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  show(trace, filter) {
    this.trace = trace;
    this.range = null;
    this.from = trace.begin;
    this.to = trace.end;
    this.filter(filter);
  }

  /* Show the lanes that a filter keeps. */
  filter(filter) {
    this.trace.makeLanes(filter);
    this.trace.sort(this.byTime);
    this.box.dataset.lanes = this.trace.lanes.length;
    this.draw();
  }

  /* The place of a moment, and the moment at a place. */
  x(time) {
    return this.left + ((time - this.from) / (this.to - this.from)) * (this.width - this.left);
  }

  time(x) {
    const part = (x - this.left) / Math.max(1, this.width - this.left);
    return this.from + Math.min(1, Math.max(0, part)) * (this.to - this.from);
  }

  span() { return this.to - this.from; }

  /* The middle of what is selected, or of what is shown. */
  middle() {
    const [a, b] = this.range || [this.from, this.to];
    return (a + b) / 2;
  }

  /* The shortest span that a zoom shows. */
  least() { return this.trace.exact ? 10 : 1; }

  /* Order the lanes of processes by the time of their first record, or by their number. */
  order(byTime) {
    this.byTime = byTime;
    if (!this.trace) return;
    this.trace.sort(byTime);
    this.draw();
  }

  /* Draw the lanes that can be seen, below the ruler, which stays. */
  draw() {
    this.width = this.box.clientWidth;
    if (!this.trace || !this.width) return;
    this.left = Math.min(LABEL, this.width / 4);
    const { lanes } = this.trace, all = (lanes.length + 1) * LANE;
    this.space.style.height = `${all}px`;
    const height = Math.max(LANE, Math.min(this.box.clientHeight, all));
    const to = fit(this.canvas, this.width, height);
    this.first = Math.ceil(this.box.scrollTop / LANE);
    lanes.slice(this.first, this.first + Math.ceil(height / LANE))
      .forEach((lane, i) => this.lane(to, lane, (i + 1) * LANE));
    this.wakings(to);
    to.clearRect(0, 0, this.width, LANE);
    this.ruler(to, height);
    this.marks(to, height);
    if (this.range) {
      const a = Math.max(this.left, this.x(this.range[0])), b = this.x(this.range[1]);
      to.fillStyle = this.owner.line();
      to.globalAlpha = 0.2;
      to.fillRect(a, 0, Math.max(1, b - a), height);
      to.globalAlpha = 1;
    }
    this.box.dataset.from = Math.round(this.from);
    this.box.dataset.to = Math.round(this.to);
  }

  /* Draw the ruler: round times since the first record, some 100 pixels apart. */
  ruler(to, height) {
    const least = ((this.to - this.from) * 100) / Math.max(100, this.width - this.left);
    const ten = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= least);
    const { begin } = this.trace;
    for (let i = Math.ceil((this.from - begin) / step); begin + i * step < this.to; i++) {
      const x = this.x(begin + i * step);
      to.fillStyle = "#8886";
      to.fillRect(x, 0, 1, height);
      to.fillStyle = this.owner.ink();
      write(to, this.owner.time(i * step), x + 4, LANE / 2, this.width - x - 4);
    }
  }

  /* Draw the marks: a line through all lanes, and the text in the ruler. */
  marks(to, height) {
    const seen = this.trace.marks.map((mark) => ({ text: mark[3], x: this.x(mark[0]) }))
      .filter(({ x }) => x >= this.left && x <= this.width);
    this.box.dataset.marks = seen.length;
    for (const { text, x } of seen) {
      const room = Math.min(to.measureText(text).width + 8, this.width - x);
      to.clearRect(x, 0, room, LANE);
      to.fillStyle = this.owner.line();
      to.fillRect(x, 0, 2, height);
      write(to, text, x + 5, LANE / 2, room - 5);
    }
  }

  /* Draw one lane. At most one run and one tick are drawn in a pixel. */
  lane(to, lane, y) {
    to.fillStyle = this.owner.ink();
    write(to, lane.name, 2, y + LANE / 2, this.left - 6);
    this.hatch(to, this.left, Math.min(this.width, this.x(lane.lost)), y);
    let last = -1;
    for (const run of lane.runs) {
      const a = Math.max(this.left, this.x(run.from)), b = Math.min(this.width, this.x(run.to));
      if (b <= this.left || a >= this.width || b < last + 0.5) continue;
      to.fillStyle = this.owner.shade(this.trace.processes, run.process);
      to.fillRect(a, y + 2, Math.max(0.6, b - a), LANE - 4);
      last = b;
    }
    for (const { from, to: end } of lane.idles || []) this.thin(to, from, end, y, IDLE);
    for (const state of lane.states || []) this.thin(to, state.from, state.to, y, state.cause);
    last = -1;
    for (const i of lane.ticks) {
      const x = this.x(this.trace.time[i]);
      if (x < this.left || x > this.width || x < last + 1) continue;
      to.fillStyle = this.owner.shade(this.trace.processes, this.trace.process[i], true);
      to.fillRect(x, y + 5, 1, LANE - 10);
      last = x;
    }
  }

  /* Draw that a process waits or is ready, or that a CPU is idle: thinner than that one runs. */
  thin(to, from, end, y, cause) {
    const a = Math.max(this.left, this.x(from)), b = Math.min(this.width, this.x(end));
    if (b <= a) return;
    to.fillStyle = this.owner.cause(cause);
    to.fillRect(a, y + LANE / 2 - 2, Math.max(0.6, b - a), 4);
  }

  /* Lead from who woke to who was woken, as long as one can tell the lines apart. */
  wakings(to) {
    const { lanes } = this.trace, seen = [];
    lanes.forEach((lane, row) => (lane.states || []).forEach(({ to: end, by }) => {
      if (by < 0 || end < this.from || end > this.to) return;
      const other = lanes.findIndex(({ number }) => number === by);
      if (other >= 0) seen.push([this.x(end), row, other]);
    }));
    this.box.dataset.wakings = seen.length;
    if (seen.length > MOST_WAKINGS) return;
    to.strokeStyle = to.fillStyle = this.owner.line();
    to.lineWidth = 1;
    for (const [x, row, other] of seen) {
      const end = (row - this.first + 1.5) * LANE, from = (other - this.first + 1.5) * LANE;
      const side = Math.sign(end - from) * 4;
      to.beginPath();
      to.moveTo(x, from);
      to.lineTo(x, end - side);
      to.stroke();
      to.beginPath();
      to.moveTo(x - 3, end - side);
      to.lineTo(x + 3, end - side);
      to.lineTo(x, end + side / 2);
      to.fill();
    }
  }

  /* Hatch a part of a lane: a ring has overwritten what was there, or the page has no room. */
  hatch(to, from, end, y) {
    if (!(end > from)) return;
    to.save();
    to.beginPath();
    to.rect(from, y + 2, end - from, LANE - 4);
    to.clip();
    to.beginPath();
    for (let x = from - LANE; x < end; x += HATCH) {
      to.moveTo(x, y + LANE);
      to.lineTo(x + LANE, y);
    }
    to.strokeStyle = "#888c";
    to.stroke();
    to.restore();
  }

  /* Return the lane that is under the mouse, or undefined. */
  under(event) {
    const row = Math.floor(event.offsetY / LANE) - 1;
    return row < 0 ? undefined : this.trace.lanes[this.first + row];
  }

  /* Say what is at a place. */
  say(event) {
    const lane = this.under(event), time = this.time(event.offsetX);
    const run = lane && lane.runs.find((one) => one.from <= time && time < one.to);
    const process = run && this.trace.processes[run.process];
    let what = lane && time < lane.lost ? "its records were lost" : "";
    const cpu = run && this.trace.cpus[run.cpu].cpu;
    if (process) what = `${process[1]} ${this.trace.numbered ? `${process[0]} ` : ""}on cpu${cpu}`;
    const state = lane && (lane.states || []).find((one) => one.from <= time && time < one.to);
    if (!process && state) what = this.owner.state(state);
    if (!process && lane && (lane.idles || []).some((one) => one.from <= time && time < one.to))
      what = "idle";
    const mark = this.trace.marks.find(([at]) => Math.abs(this.x(at) - event.offsetX) < 4);
    if (mark) what = `${what && `${what}; `}mark of process ${mark[2]}: ${mark[3]}`;
    this.owner.moment(time - this.trace.begin, lane ? lane.name : "", what);
  }

  press(event) {
    const lane = this.under(event);
    if (event.offsetX < this.left) {
      if (lane) this.owner.named(lane);
      return;
    }
    this.pressedLane = lane;
    this.pressed = this.time(event.offsetX);
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (!this.trace) return;
    this.say(event);
    if (this.pressed === undefined) return;
    const time = this.time(event.offsetX);
    this.range = [Math.min(time, this.pressed), Math.max(time, this.pressed)];
    this.draw();
  }

  /* End a drag; a mere click selects nothing. */
  release() {
    if (this.pressed === undefined) return;
    delete this.pressed;
    this.select(this.range);
    if (!this.range && this.pressedLane) this.owner.entered(this.pressedLane);
  }

  /* Select a range of time, or null. */
  select(range) {
    const least = (this.to - this.from) / this.width;
    this.range = range && range[1] - range[0] > least ? range : null;
    this.draw();
    this.owner.moved(this.range);
  }

  /* Scroll to a lane. */
  reveal(lane) {
    const y = this.trace.lanes.indexOf(lane) * LANE, { box } = this;
    if (y < box.scrollTop || y + 2 * LANE > box.scrollTop + box.clientHeight) box.scrollTop = y;
    this.draw();
  }

  /* Zoom around a moment. */
  zoom(times, around = this.middle()) {
    const span = Math.min(this.trace.end - this.trace.begin, (this.to - this.from) / times);
    const part = (around - this.from) / (this.to - this.from);
    const shown = Math.max(this.least(), span);
    this.pan(around - part * shown, shown);
  }

  /* Show what is selected, if it is less than what is shown; or half of that. */
  enlarge() {
    const [a, b] = this.range || [0, Infinity];
    if (b - a < this.span()) this.pan(a, Math.max(this.least(), b - a));
    else this.zoom(2);
  }

  /* Show all of the time line. */
  whole() { this.pan(this.trace.begin, this.trace.end - this.trace.begin); }

  /* Show a span that begins there, or as near as there are records. */
  pan(from, wanted = this.to - this.from) {
    const span = Math.min(wanted, this.trace.end - this.trace.begin);
    this.from = Math.min(Math.max(from, this.trace.begin), this.trace.end - span);
    this.to = this.from + span;
    this.draw();
    this.owner.panned();
  }

  wheel(event) {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    if (event.ctrlKey) this.zoom(event.deltaY < 0 ? 1.25 : 0.8, this.time(event.offsetX));
    else this.pan(this.from + (Math.sign(event.deltaY + event.deltaX) * this.span()) / 10);
  }

  key(event) {
    const { key } = event, step = (this.to - this.from) / 20;
    if (!this.trace || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const by = key === "ArrowLeft" ? -step : step;
      if (event.shiftKey) this.stretch(by);
      else this.pan(this.from + by);
    } else if (key === "+" || key === "-") {
      if (key === "+") this.enlarge();
      else this.zoom(0.5);
    } else if (key === "Home") {
      this.whole();
    } else if (key === "Escape") {
      this.select(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /* Move the selected range's end, or begin with a range in the middle of what is shown. */
  stretch(by) {
    const middle = (this.from + this.to) / 2, [a, b] = this.range || [middle, middle];
    const end = Math.min(this.to, b + by);
    this.select(end > a ? [a, end] : [Math.max(this.from, this.range ? a + by : end), b]);
  }
}
