/* Tables: they are sorted by a click on a head, and walked by the arrow keys. */

/* An element with text and, where given, a class. */
const element = (tag, text, kind) => {
  const e = document.createElement(tag);
  e.textContent = text;
  if (kind) e.className = kind;
  return e;
};

/* Make a row that a click or Enter chooses. */
const choosable = (tr, chosen) => {
  tr.tabIndex = -1;
  tr.addEventListener("click", chosen);
  return tr;
};

/* Let the keys go through the rows of a table's body, the first of which Tab reaches. */
const walk = (body) => {
  body.addEventListener("keydown", (event) => {
    const rows = [...body.rows], at = rows.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1,
      PageDown: Math.min(at + 20, rows.length - 1), PageUp: Math.max(at - 20, 0) }[event.key];
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      rows[at].click();
    } else if (to === undefined) {
      return;
    } else if (rows[to]) {
      rows[at].tabIndex = -1;
      rows[to].tabIndex = 0;
      rows[to].focus();
    }
    event.preventDefault();
  });
};

/* Put rows into a table's body. */
const put = (body, rows) => {
  body.replaceChildren(...rows);
  if (rows.length && rows[0].tabIndex < 0) rows[0].tabIndex = 0;
};

/*
 * The table of functions. A column has {key, title, text(row), number: BOOL, wide: BOOL}; rows have
 * a member for each key, and `idle`: idle time is no work, so where numbers are sorted the
 * functions with nothing else come last.
 */
class Table {
  constructor(head, body, chosen) {
    this.head = head;
    this.body = body;
    this.chosen = chosen;
    walk(body);
  }

  /* Show rows in these columns; the first one sorts them. */
  show(columns, rows) {
    if (!this.columns || columns.map((c) => c.key).join() !== this.columns.map((c) => c.key).join())
      this.sorted = columns[0];
    this.sorted = columns.find((c) => c.key === this.sorted.key);
    this.down = this.down === undefined || this.columns === undefined ? true : this.down;
    this.columns = columns;
    this.rows = rows;
    put(this.head, columns.map((column) => this.title(column)));
    return this.fill("");
  }

  /* Return the head of a column. */
  title(column) {
    const th = element("th", "", column.wide ? "wide-only" : "");
    const button = element("button", column.title);
    th.dataset.key = column.key;
    th.append(button);
    if (column === this.sorted) th.ariaSort = this.down ? "descending" : "ascending";
    button.addEventListener("click", () => {
      this.down = column === this.sorted ? !this.down : !!column.number;
      this.sorted = column;
      for (const other of this.head.children) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      this.fill(this.term);
    });
    return th;
  }

  /* Fill the table with the rows whose names have a term. Return how many. */
  fill(term) {
    const { key, number } = this.sorted, sign = this.down ? -1 : 1;
    this.term = term;
    const rows = this.rows.filter((row) => row.name.toLowerCase().includes(term.toLowerCase()));
    const order = (a, b) => (a[key] > b[key]) - (a[key] < b[key]);
    rows.sort((a, b) => (number && a.idle - b.idle) || order(a, b) * sign || a.i - b.i);
    put(this.body, rows.map((row) => {
      const tr = document.createElement("tr");
      tr.append(...this.columns.map((c) => element("td", c.text ? c.text(row) : row[c.key],
        `${c.number ? "n" : ""} ${c.wide ? "wide-only" : ""}`)));
      return choosable(tr, () => this.chosen(row.i));
    }));
    return rows.length;
  }
}
