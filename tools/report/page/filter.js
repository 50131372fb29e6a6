/* Filters: which nodes of the tree, and with them which records of the time line, are shown. */

const IDLE = "[idle]";

/* The second level of a tree: how the CPU ran, or what was waited for. */
const MODES = ["[kernel]", "[interrupt]", "[user]", IDLE, "[outside]", "[in_use]", "[freed]", "[pipe]",
  "[sleep]", "[child]", "[lock]", "[device]", "[ready]", "[overflow]"];

/*
 * What is chosen: a process's name, a mode and the index of a CPU, each null if all are shown; and
 * whether idle time is. Without `processes`, the modes are the first level of the tree.
 */
class Filter {
  constructor(tree, name, processes) {
    this.tree = tree;
    this.processOf = new Array(tree.n).fill("");
    this.modeOf = new Array(tree.n).fill("");
    for (let i = 1; i < tree.n; i++) {
      const parent = tree.parent[i], level = tree.depth[i] - (processes ? 2 : 1);
      this.processOf[i] = level < 0 ? name(i) : this.processOf[parent];
      if (level === 0) this.modeOf[i] = MODES.includes(name(i)) ? name(i) : "";
      else if (level > 0) this.modeOf[i] = this.modeOf[parent];
    }
    this.reset();
  }

  /* Show all but idle time, or even that where there is nothing else. */
  reset() {
    this.process = this.mode = this.cpu = null;
    this.idle = !this.modes().some((mode) => mode !== IDLE);
  }

  /* The processes and the modes that there are, those with the largest frames first. */
  processes() {
    return this.names(this.processOf, (i) => this.tree.label[i] !== OTHERS);
  }

  modes() { return this.names(this.modeOf, (i) => this.modeOf[i] !== ""); }

  names(of, wanted) {
    const found = new Set();
    for (let i = 1; i < this.tree.n && this.tree.depth[i] <= 2; i++)
      if (of[i] && wanted(i)) found.add(of[i]);
    return [...found];
  }

  /* Return whether the counts of a node are shown. */
  keeps(i) { return this.keepsGroup(this.processOf[i], this.modeOf[i]); }

  /* Return whether what a process has in a mode is. */
  keepsGroup(process, mode) {
    if (mode === IDLE && !this.idle && this.mode !== IDLE) return false;
    if (this.mode !== null && mode !== this.mode) return false;
    return this.process === null || process === this.process;
  }

  /* Return whether a process's lane, or that it runs, is shown. */
  keepsProcess(idle, name) {
    if (idle && !this.idle && this.mode !== IDLE) return false;
    return this.process === null || name === this.process;
  }

  keepsCPU(index) { return this.cpu === null || index === this.cpu; }

  /* Return whether something is chosen, so that just a part of the tree is shown. */
  narrows() { return this.process !== null || this.mode !== null || this.cpu !== null; }

  /* Return counts with 0 for what is not shown; or, with `kept` false, for what is. */
  part(counts, kept = true) {
    return counts.map((n, i) => this.keeps(i) === kept ? n : 0);
  }

  /* Tell in words what is chosen. */
  words(cpus) {
    const words = [];
    if (this.process !== null) words.push(`process ${this.process}`);
    if (this.mode !== null) words.push(this.mode.slice(1, -1));
    if (this.cpu !== null) words.push(`cpu${cpus[this.cpu].cpu}`);
    return words.length ? `only ${words.join(", ")}` : "";
  }
}
