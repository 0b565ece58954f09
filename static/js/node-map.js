// The heat map of the nodes page: a cell opens its node, and the picture follows the list's filters.

// What of an address decides about the picture, written in one way.
const picture = (search) => {
  const query = new URLSearchParams(search);
  for (const name of ["page", "sort"]) query.delete(name);
  return [...query].filter(([, value]) => value).map((pair) => pair.join("=")).sort().join("&");
};

let drawn = picture(location.search);

// htmx resets the attributes of what it settles, so they cannot tell which plots have been looked at.
const linked = new WeakSet();

const link = () => {
  for (const frame of document.querySelectorAll("[data-node-map]")) {
    const plot = frame.querySelector(".figure-plot");
    // Plotly makes the element one that tells of clicks; charts.js has had it draw by now.
    if (!plot?.on || linked.has(plot)) continue;
    linked.add(plot);
    plot.on("plotly_click", ({ points }) => {
      const name = points.find(({ customdata }) => customdata)?.customdata[0];
      if (name) location.assign(`${frame.dataset.nodeMap}${encodeURIComponent(name)}/`);
    });
  }
};

link();
document.addEventListener("htmx:afterSettle", link);
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.target.id === "map") drawn = picture(detail.path.split("?")[1] ?? "");
});
document.addEventListener("htmx:pushedIntoHistory", () => {
  const map = document.getElementById("map");
  if (!map || drawn === picture(location.search)) return;
  const query = new URLSearchParams(location.search);
  window.htmx.ajax("GET", `${map.dataset.map}?${query}`, { target: map, swap: "innerHTML" });
});
