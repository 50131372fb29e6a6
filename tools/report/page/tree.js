"use strict";
/* The trees of the page: flat arrays, so that neither depth nor size is a matter of recursion. */

const OTHERS = -1; /* the label of what is folded */
const SMALLEST = 1e-4; /* the least share of a frame of callers */
const MOST_STEPS = 4e6; /* of all paths together, when callers are looked for */

/*
 * Nodes by number, parents first: `first` and `kids` tell each one's children, `self` its counts
 * on one side or on two.
 */
class Tree {
  constructor(kids, label, self) {
    const n = kids.length;
    this.n = n;
    this.kids = Uint32Array.from(kids);
    this.label = Int32Array.from(label);
    this.self = self.map((counts) => Float64Array.from(counts));
    this.first = new Uint32Array(n);
    this.parent = new Int32Array(n).fill(-1);
    this.depth = new Uint32Array(n);
    for (let i = 0, next = 1; i < n; i++) {
      this.first[i] = next;
      for (const end = next + this.kids[i]; next < end; next++) {
        this.parent[next] = i;
        this.depth[next] = this.depth[i] + 1;
      }
    }
  }

  /* Counts of nodes with all that is below them. */
  sums(self) {
    const all = Float64Array.from(self);
    for (let i = this.n - 1; i > 0; i--) all[this.parent[i]] += all[i];
    return all;
  }

  /* Counts by label: their own, and with all that is below, once where one calls itself. */
  byLabel(self, all, labels) {
    const out = { self: new Float64Array(labels), all: new Float64Array(labels) };
    const open = new Uint32Array(labels);
    const todo = [0];
    while (todo.length) {
      const i = todo.pop();
      if (i < 0) {
        open[this.label[~i]]--;
        continue;
      }
      const label = this.label[i];
      if (label >= 0) {
        out.self[label] += self[i];
        if (!open[label]++) out.all[label] += all[i];
        todo.push(~i);
      }
      for (let k = 0; k < this.kids[i]; k++) todo.push(this.first[i] + k);
    }
    return out;
  }
}

/*
 * The same tree from below: the children of the root are the functions that were counted, theirs
 * the callers. weight(i) is a node's own share of everything.
 */
const callersOf = (tree, self, weight) => {
  const kids = [0], label = [OTHERS], counts = self.map(() => [0]);
  /* Of each path: where it was counted, how far up it is now, and its node in the new tree. */
  let alive = [];
  for (let i = 0; i < tree.n; i++)
    if (weight(i) > 0) alive.push({ from: i, at: i, node: 0 });
  const append = (node, name) => {
    kids.push(0);
    label.push(name);
    for (const side of counts) side.push(0);
    kids[node]++;
    return kids.length - 1;
  };
  const count = (node, path) => counts.forEach((side, s) => { side[node] += self[s][path.from]; });
  for (let steps = 0; alive.length;) {
    const groups = new Map();
    for (const path of alive) {
      if (path.at <= 0) {
        count(path.node, path);
        continue;
      }
      const key = path.node * (2 ** 21) + tree.label[path.at] + 1;
      const group = groups.get(key) || { node: path.node, label: tree.label[path.at], share: 0,
        paths: [] };
      groups.set(key, group);
      group.share += weight(path.from);
      group.paths.push(path);
    }
    steps += alive.length;
    alive = [];
    const small = (group) => group.share < SMALLEST || steps > MOST_STEPS;
    const sorted = [...groups.values()].sort((a, b) =>
      a.node - b.node || small(a) - small(b) || b.share - a.share);
    let folded = -1, parent = -1;
    for (const group of sorted) {
      if (group.node !== parent) folded = -1;
      parent = group.node;
      const fold = small(group);
      const node = fold && folded >= 0 ? folded : append(parent, fold ? OTHERS : group.label);
      if (fold) folded = node;
      for (const path of group.paths) {
        if (fold) {
          count(node, path);
          continue;
        }
        path.node = node;
        path.at = tree.parent[path.at];
        alive.push(path);
      }
    }
  }
  return new Tree(kids, label, counts);
};
