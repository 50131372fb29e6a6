/* What processes do while they do not run: they wait, until one is woken, and are ready. */

/* Causes of waits that a device's interrupt ends, or the clock's, and not whoever runs there. */
const BY_INTERRUPT = ["[sleep]", "[device]"];

/* The times at which each process was woken, and on which CPU, by its number; in order of time. */
const wakingsOf = (trace) => {
  const found = new Map();
  for (let i = 0; i < trace.woken.length; i += 3) {
    const [cpu, time, pid] = trace.woken.slice(i, i + 3);
    if (!found.has(pid)) found.set(pid, []);
    found.get(pid).push({ time, cpu: trace.cpus.findIndex((one) => one.cpu === cpu) });
  }
  for (const list of found.values()) list.sort((a, b) => a.time - b.time);
  return found;
};

/* Return the last of a list in order of time that is not after a moment, or undefined. */
const lastUpTo = (list, time, timeOf) => {
  let a = 0, b = list.length;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (timeOf(list[middle]) <= time) a = middle + 1;
    else b = middle;
  }
  return list[a - 1];
};

/* Return the last of a process's wakings in a time, or undefined. */
const wakingIn = (wakings, from, to) => {
  const one = lastUpTo(wakings || [], to, ({ time }) => time);
  return one && one.time >= from ? one : undefined;
};

/* Return when each process ran, by its number, whatever its name was then; in order of time. */
const runsOf = (trace) => {
  const found = new Map([...trace.reach.keys()].map((pid) => [pid, []]));
  for (const run of trace.onCPU.flat()) {
    const process = trace.processes[run.process], [pid] = process;
    if (trace.isIdle(process)) continue;
    if (!found.has(pid)) found.set(pid, []);
    found.get(pid).push(run);
  }
  for (const list of found.values()) list.sort((a, b) => a.from - b.from);
  return found;
};

/*
 * Return the states of a process from when it ran last, -Infinity if that is not known, up to a run:
 * [{from, to, process, cause, woken, by}]. It is under the name that it has in that run, for it may
 * have become another program meanwhile. The cause is a mode, "[ready]" while it could run; a wait that
 * was ended has the time at which it was, and the process that ran there, -1 if that did not end it.
 */
const statesUpTo = (trace, wakings, left, { from: runs, process, waited }) => {
  const states = [], woken = wakingIn(wakings, left, runs);
  const ready = waited === undefined ? left : woken ? woken.time : runs;
  const known = left > -Infinity && !trace.isOff(left, runs);
  if (known && waited !== undefined && ready > left) {
    const by = woken && !BY_INTERRUPT.includes(MODES[waited]) ? trace.woke(woken, MODES[waited]) : -1;
    states.push({ from: left, to: ready, process, cause: MODES[waited], woken, by });
  }
  const since = left > -Infinity ? ready : woken ? woken.time : runs;
  if (runs > since && !trace.isOff(since, runs))
    states.push({ from: since, to: runs, process, cause: "[ready]", by: -1 });
  return states;
};

/* Return a state with what of it is in the time of a trace, and its length if that is not all. */
const cutState = (trace, state) => {
  const from = Math.max(state.from, trace.begin), to = Math.min(state.to, trace.end);
  return state.from < from || state.to > to ?
    { ...state, from, to, whole: state.to - state.from } : state;
};

/* Return the states of a process between its runs, and of what reaches over an edge the part here. */
const statesOf = (trace, runs, pid) => {
  const wakings = trace.wakings.get(pid), reach = trace.reach.get(pid) || [];
  const states = reach.flatMap((one) => statesUpTo(trace, wakings, one.left, one));
  let left = -Infinity;
  for (const run of runs) {
    const waited = trace.waited.get(run.record);
    if (!reach.some(({ from }) => from === run.from))
      states.push(...statesUpTo(trace, wakings, left, { ...run, waited }));
    left = Math.max(left, run.to);
  }
  return states.map((state) => cutState(trace, state)).filter(({ from, to }) => from < to);
};

/* Return who did not run at an edge of the part that was chosen, by the process's number. */
const reachOf = ({ reach, processes }) => {
  const found = new Map();
  for (let i = 0; i < reach.length; i += 4) {
    const [process, left, from, mode] = reach.slice(i, i + 4), [pid] = processes[process];
    if (!found.has(pid)) found.set(pid, []);
    found.get(pid).push({ process, left, from, waited: mode < 0 ? undefined : mode });
  }
  return found;
};

/* Return the longest waits of the lanes in a time, `most` of them: [{lane, state}]. */
const longestWaits = (lanes, [from, to], most) => lanes
  .flatMap((lane) => (lane.states || []).map((state) => ({ lane, state })))
  .filter(({ state }) => state.to > from && state.from < to)
  .sort((a, b) => b.state.to - b.state.from - (a.state.to - a.state.from)).slice(0, most);
