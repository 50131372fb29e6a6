/* What the page shows, behind the # of its address. */

const radios = [...document.querySelectorAll("#profiles input")];
const ranged = (range) => range.map(Math.round).join("-");

/* Write what is shown behind the # of the address, so that a reload, or another reader, sees it. */
const remember = () => {
  const now = new URLSearchParams({ profile: pages.indexOf(view.data),
    view: tabs.find((tab) => tab.tabIndex === 0).dataset.view });
  const set = (name, value) => { if (value) now.set(name, value); };
  set("search", id("search").value);
  set("frame", flame.zoom);
  for (const name of ["process", "mode", "cpu"]) set(name, id(name).value);
  if (!id("idle").parentElement.hidden) set("idle", view.filter.idle);
  set("turned", id("turn").getAttribute("aria-pressed") === "true");
  if (!id("code").hidden && view.chosen !== null) set("function", String(view.chosen));
  if (view.trace) {
    set("order", line.byTime && "time");
    set("line", ranged([line.from, line.to]));
    set("range", view.range && ranged(view.range));
    if (!id("chart").hidden) set("lane", id("lane").value);
    if (!id("chart").hidden && chart.selected >= 0)
      set("slice", `${chart.slices.depth[chart.selected]}-${chart.slices.from[chart.selected]}`);
  }
  history.replaceState(null, "", `#${now}`);
};

/* Return the two numbers of a range in the address, or null if it has none. */
const rangeOf = (text) => {
  const range = (text || "").split("-").map(Number);
  return range.length === 2 && range[0] < range[1] ? range : null;
};

/* Show a lane in the flame chart, and select a slice by its depth and time. */
const recallSlice = (lane, slice) => {
  if ([...id("lane").options].some((one) => one.value === lane)) {
    id("lane").value = lane;
    showLane();
  }
  const [depth, from] = (slice || "").split("-").map(Number);
  if (slice && chart.slices) chart.select(chart.slices.find(depth, from));
};

/* Show what the address says, as far as there is such a thing in these data. */
const recall = () => {
  const was = new URLSearchParams(location.hash.slice(1));
  const number = +was.get("profile") || 0, frame = +was.get("frame") || 0;
  if (radios[number]) radios[number].checked = true;
  if (was.get("order") === "time") id("order").value = "time";
  line.order(id("order").value === "time");
  open(pages[number] ? number : 0);
  filterBy(was.get("process"), was.get("mode"), was.get("cpu"),
    was.get("idle") === "true" || view.filter.idle);
  const shown = rangeOf(was.get("line")), range = rangeOf(was.get("range"));
  if (view.trace && shown) line.pan(shown[0], shown[1] - shown[0]);
  if (view.trace && range) line.select(range);
  if (was.get("turned")) id("turn").click();
  const chosen = Number(was.get("function") ?? "none");
  if (view.data.functions[chosen]) choose(chosen);
  id("search").value = was.get("search") || "";
  look();
  show(tabs.some((tab) => !tab.hidden && tab.dataset.view === was.get("view")) ? was.get("view") :
    "flame");
  if (!id("chart").hidden) recallSlice(was.get("lane"), was.get("slice"));
  if (frame > 0 && frame < view.tree.n) flame.zoomTo(frame);
};

recall();
for (const event of ["click", "keydown", "input", "change", "pointerup", "wheel"])
  document.addEventListener(event, remember, { passive: true });
