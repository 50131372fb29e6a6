/* A flame graph, or an icicle graph: a tree with frames as wide as what was counted in them. */

const ROW = 19; /* pixels */
const TEXT = 34; /* the least width of a frame with its name */
const NARROWEST = 0.6; /* narrower frames are not drawn */

/* Make a canvas as sharp as the screen. */
const fit = (canvas, width, height) => {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const to = canvas.getContext("2d");
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.textBaseline = "middle";
  to.font = "12px system-ui, sans-serif";
  return to;
};

/* Write text into a width, cut short where it is longer. */
const write = (to, text, x, y, width) => {
  const wide = to.measureText(text).width;
  const room = wide <= width ? text.length : Math.floor((text.length * width) / wide) - 1;
  if (room < text.length && room < 2) return;
  to.fillText(room < text.length ? `${text.slice(0, room)}\u2026` : text, x, y);
};

/*
 * It draws into the canvas of a box that scrolls, and only what can be seen. `owner` has name(i),
 * color(i, tree), text(i, all) for a node, matches(label), and chosen(i) to be told.
 */
class Graph {
  constructor(box, owner) {
    this.box = box;
    this.space = box.firstElementChild;
    this.canvas = box.querySelector("canvas");
    this.owner = owner;
    this.turned = false; /* roots at the bottom */
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("mousemove", (event) => this.say(this.under(event)));
    this.canvas.addEventListener("mouseleave", () => this.say(this.selected));
    this.canvas.addEventListener("click", (event) => this.zoomTo(this.under(event)));
    new ResizeObserver(() => this.lay()).observe(box);
  }

  /* Show a tree; the widths are those of `all`. */
  show(tree, all) {
    this.tree = tree;
    this.all = all;
    this.zoom = this.selected = 0;
    this.lay(true);
  }

  /* Compute where the frames are, row by row: those above the zoomed one are as wide as it. */
  lay(home) {
    const width = this.box.clientWidth;
    if (!this.tree || !width) return;
    const above = [];
    for (let i = this.zoom; i > 0;) above.push(i = this.tree.parent[i]);
    this.rows = above.reverse().map((i) => [{ i, x: 0, w: width }]);
    const scale = this.all[this.zoom] > 0 ? width / this.all[this.zoom] : 0;
    let row = [{ i: this.zoom, x: 0, w: width }];
    let frames = 0;
    while (row.length) {
      this.rows.push(row);
      frames += row.length;
      row = this.below(row, scale);
    }
    this.width = width;
    this.frames = frames;
    this.space.style.height = `${this.rows.length * ROW}px`;
    this.box.dataset.frames = frames;
    this.box.dataset.rows = this.rows.length;
    this.box.dataset.zoom = this.owner.name(this.zoom, this.tree);
    if (home) this.box.scrollTop = this.turned ? this.rows.length * ROW : 0;
    this.draw();
  }

  /* Return the next row: the children of all frames that are wide enough. */
  below(row, scale) {
    const { kids, first } = this.tree, next = [];
    for (const frame of row) {
      let x = frame.x;
      for (let k = 0; k < kids[frame.i]; k++) {
        const i = first[frame.i] + k, w = this.all[i] * scale;
        if (w >= NARROWEST) next.push({ i, x, w });
        x += w;
      }
    }
    return next;
  }

  /* Return the top of a row. */
  top(row) { return (this.turned ? this.rows.length - 1 - row : row) * ROW; }

  /* Draw the rows that can be seen. */
  draw() {
    if (!this.rows) return;
    const height = Math.max(ROW, Math.min(this.box.clientHeight, this.rows.length * ROW));
    const to = fit(this.canvas, this.width, height), from = this.box.scrollTop;
    const a = Math.floor(from / ROW), b = Math.ceil((from + height) / ROW);
    for (let at = Math.max(0, a); at < Math.min(b, this.rows.length); at++) {
      const row = this.turned ? this.rows.length - 1 - at : at;
      for (const frame of this.rows[row]) this.frame(to, frame, at * ROW - from);
    }
  }

  /* Draw one frame. */
  frame(to, { i, x, w }, y) {
    const { fill, ink } = this.owner.color(i, this.tree);
    to.fillStyle = fill;
    to.fillRect(x, y, w > 3 ? w - 1 : w, ROW - 1);
    if (i === this.selected) {
      to.strokeStyle = this.owner.line();
      to.lineWidth = 2;
      to.strokeRect(x + 1, y + 1, Math.max(1, w - 3), ROW - 3);
    }
    if (w < TEXT) return;
    to.fillStyle = ink;
    write(to, this.owner.name(i, this.tree), x + 4, y + ROW / 2, w - 8);
  }

  /* Return the frame under the mouse; -1: none. */
  under(event) {
    const at = Math.floor((event.offsetY + this.box.scrollTop) / ROW);
    const row = this.rows && this.rows[this.turned ? this.rows.length - 1 - at : at];
    const frame = row && row.find(({ x, w }) => event.offsetX >= x && event.offsetX < x + w);
    return frame ? frame.i : -1;
  }

  /* Say what a frame is. */
  say(i) {
    if (this.tree && i >= 0) this.owner.say(i, this.tree);
  }

  /* Make a frame as wide as the graph. */
  zoomTo(i) {
    if (i < 0) return;
    this.zoom = i;
    this.select(i);
    this.lay();
    this.reveal();
    this.owner.chosen(i, this.tree);
  }

  select(i) {
    this.selected = i;
    this.box.dataset.selected = this.owner.name(i, this.tree);
    this.say(i);
  }

  /* Scroll to the row of the selected frame. */
  reveal() {
    const y = this.top(this.tree.depth[this.selected]), box = this.box;
    if (y < box.scrollTop) box.scrollTop = y;
    else if (y + ROW > box.scrollTop + box.clientHeight)
      box.scrollTop = y + ROW - box.clientHeight;
    this.draw();
  }

  /* Return the frame that a key leads to from the selected one; -1: none. */
  neighbour(key) {
    const depth = this.tree.depth[this.selected], row = this.rows[depth] || [];
    const at = row.findIndex((frame) => frame.i === this.selected);
    const inward = this.turned ? "ArrowUp" : "ArrowDown";
    const outward = this.turned ? "ArrowDown" : "ArrowUp";
    if (key === outward) return this.tree.parent[this.selected];
    if (key === inward) {
      const next = this.rows[depth + 1];
      const child = next && next.find((frame) => this.tree.parent[frame.i] === this.selected);
      return child ? child.i : -1;
    }
    const beside = row[at + (key === "ArrowLeft" ? -1 : 1)];
    return at >= 0 && beside ? beside.i : -1;
  }

  key(event) {
    if (!this.tree || event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    if (key.startsWith("Arrow")) {
      const i = this.neighbour(key);
      if (i >= 0) this.select(i);
      this.reveal();
    } else if (key === "Enter" || key === " ") {
      this.zoomTo(this.selected);
    } else if (key === "Backspace") {
      this.zoomTo(Math.max(0, this.tree.parent[this.zoom]));
    } else if (key === "Escape" || key === "Home") {
      this.zoomTo(0);
    } else {
      return;
    }
    event.preventDefault();
  }

  turn(turned) {
    this.turned = turned;
    this.lay(true);
  }
}
