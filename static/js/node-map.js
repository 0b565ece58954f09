// The heat map of the nodes page: a cell opens its node, and the picture follows the list's filters.

// What of an address decides about the picture, written in one way.
const picture = (search) => {
  const query = new URLSearchParams(search);
  for (const name of ["page", "sort"]) query.delete(name);
  return [...query].filter(([, value]) => value).map((pair) => pair.join("=")).sort().join("&");
};

let drawn = picture(location.search);

// By plot the function with which it was asked to tell of clicks; Plotly makes a new one whenever it starts over.
const linked = new WeakMap();

// A click begins with a press, and by then the plot that is pressed on stands, however often it was drawn again.
document.addEventListener(
  "pointerdown",
  ({ target }) => {
    const frame = target.closest("[data-node-map]");
    const plot = frame?.querySelector(".figure-plot");
    if (!plot?.on || linked.get(plot) === plot.on) return;
    linked.set(plot, plot.on);
    plot.on("plotly_click", ({ points }) => {
      const name = points.find(({ customdata }) => customdata)?.customdata[0];
      if (name) location.assign(`${frame.dataset.nodeMap}${encodeURIComponent(name)}/`);
    });
  },
  { capture: true },
);

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.target.id === "map") drawn = picture(detail.path.split("?")[1] ?? "");
});
document.addEventListener("htmx:pushedIntoHistory", () => {
  const map = document.getElementById("map");
  if (!map || drawn === picture(location.search)) return;
  const query = new URLSearchParams(location.search);
  window.htmx.ajax("GET", `${map.dataset.map}?${query}`, { source: map, target: map, swap: "innerHTML" });
});
