/* The flame chart: the slices of a lane, as far as the time line shows them, on the same scale. */

/*
 * It draws into the canvas of a box that scrolls. `line` is the time line; `owner` has name(label),
 * color(label), line(), say(slice) and selected(slice), where a slice is -1 if there is none.
 */
class Chart {
  constructor(box, line, owner) {
    this.box = box;
    this.space = box.firstElementChild;
    this.canvas = box.querySelector("canvas");
    this.line = line;
    this.owner = owner;
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("mousemove", (event) => this.owner.say(this.under(event)));
    this.canvas.addEventListener("mouseleave", () => this.owner.say(this.selected));
    this.canvas.addEventListener("click", (event) => this.select(this.under(event)));
    this.canvas.addEventListener("dblclick", (event) => this.zoomTo(this.under(event)));
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /* Show what make(begin) returns, the slices from there on. */
  show(make) {
    this.make = make;
    this.slices = make(-Infinity);
    this.selected = -1;
    this.owner.selected(-1);
    this.draw();
  }

  /* There is nothing to show. */
  clear() {
    this.slices = null;
    this.selected = -1;
    this.owner.selected(-1);
    fit(this.canvas, this.box.clientWidth, 0);
  }

  /* Where there were too many slices, take those of the time that is shown. */
  follow() {
    const { slices, line } = this, [from, to] = [line.from, line.to];
    if (from >= slices.begin && (!slices.full || to <= slices.end)) return;
    if (slices.begin === from) return;
    const chosen = this.selected < 0 ? null :
      [slices.depth[this.selected], Math.max(slices.from[this.selected], from)];
    this.slices = this.make(from);
    this.selected = chosen ? this.slices.find(...chosen) : -1;
  }

  /* Draw the rows that can be seen. */
  draw() {
    const width = this.box.clientWidth;
    if (!this.slices || !width) return;
    this.follow();
    const { rows, n, full } = this.slices, all = Math.max(1, rows.length) * ROW;
    this.space.style.height = `${all}px`;
    const height = Math.max(ROW, Math.min(this.box.clientHeight || all, all));
    const to = fit(this.canvas, width, height), scroll = this.box.scrollTop;
    this.drawn = 0;
    for (let row = Math.floor(scroll / ROW); row * ROW < scroll + height; row++)
      this.row(to, row, row * ROW - scroll, width);
    Object.assign(this.box.dataset, { slices: n, rows: rows.length, drawn: this.drawn });
    if (full) this.box.dataset.full = this.slices.end;
    else delete this.box.dataset.full;
  }

  /* Draw a row: of slices that share a pixel, the first. */
  row(to, depth, y, width) {
    const { slices, line } = this, row = slices.rows[depth] || [];
    let last = -1;
    for (let k = slices.after(depth, line.from); k < row.length; k++) {
      const i = row[k];
      if (slices.from[i] >= line.to) break;
      const a = Math.max(line.left, line.x(slices.from[i]));
      const b = Math.min(width, line.x(slices.to[i]));
      if (b < last + 0.5) continue;
      this.slice(to, i, a, y, Math.max(0.6, b - a));
      last = b;
    }
  }

  /* Draw one slice. */
  slice(to, i, x, y, w) {
    const { fill, ink } = this.owner.color(this.slices.label[i]);
    this.drawn++;
    to.fillStyle = fill;
    to.fillRect(x, y, w > 3 ? w - 1 : w, ROW - 1);
    if (i === this.selected) {
      to.strokeStyle = this.owner.line();
      to.lineWidth = 2;
      to.strokeRect(x + 1, y + 1, Math.max(1, w - 3), ROW - 3);
    }
    if (w < TEXT) return;
    to.fillStyle = ink;
    write(to, this.owner.name(this.slices.label[i]), x + 4, y + ROW / 2, w - 8);
  }

  /* Return the slice under the mouse; -1: none. */
  under(event) {
    if (!this.slices || event.offsetX < this.line.left) return -1;
    const depth = Math.floor((event.offsetY + this.box.scrollTop) / ROW);
    return this.slices.find(depth, this.line.time(event.offsetX));
  }

  /* Select a slice, and bring it into view. */
  select(i) {
    this.selected = i;
    this.owner.selected(i);
    this.owner.say(i);
    if (i >= 0) {
      const y = this.slices.depth[i] * ROW, { box } = this;
      if (y < box.scrollTop) box.scrollTop = y;
      else if (y + ROW > box.scrollTop + box.clientHeight)
        box.scrollTop = y + ROW - box.clientHeight;
    }
    this.draw();
  }

  /* Make a slice as wide as the chart. */
  zoomTo(i) {
    if (i < 0) return;
    const { slices, line } = this;
    line.pan(slices.from[i], Math.max(line.least(), slices.to[i] - slices.from[i]));
    this.select(this.slices === slices ? i : this.selected);
  }

  /* Return the slice that a key leads to from the selected one; -1: none. */
  neighbour(key) {
    const { slices, line, selected: i } = this;
    if (i < 0) return slices.rows[0] ? slices.rows[0][slices.after(0, line.from)] : -1;
    if (key === "ArrowUp") return slices.parent[i];
    if (key === "ArrowDown") return i + 1 < slices.n && slices.parent[i + 1] === i ? i + 1 : -1;
    const row = slices.rows[slices.depth[i]];
    const at = slices.after(slices.depth[i], slices.from[i]);
    const beside = row[at + (key === "ArrowLeft" ? -1 : 1)];
    return beside === undefined ? -1 : beside;
  }

  /* Select what a key leads to, and move the time line so that it can be seen. */
  go(key) {
    const i = this.neighbour(key), { slices, line } = this;
    if (i === undefined || i < 0) return;
    if (slices.to[i] <= line.from || slices.from[i] >= line.to)
      line.pan((slices.from[i] + slices.to[i] - line.span()) / 2);
    this.select(this.slices === slices ? i : this.selected);
  }

  key(event) {
    if (!this.slices || event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event, { slices, line, selected } = this;
    if (key.startsWith("Arrow")) this.go(key);
    else if (key === "Enter" || key === " ") this.zoomTo(selected);
    else if (key === "Backspace" && selected >= 0 && slices.parent[selected] >= 0)
      this.zoomTo(slices.parent[selected]);
    else if (key === "+" || key === "-") line.zoom(key === "+" ? 2 : 0.5);
    else if (key === "Escape" || key === "Home") line.whole();
    else return;
    event.preventDefault();
  }
}
