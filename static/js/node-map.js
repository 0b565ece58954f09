// The picture of the nodes page follows the list's filters.

// What of an address decides about the picture, written in one way.
const picture = (search) => {
  const query = new URLSearchParams(search);
  for (const name of ["page", "sort"]) query.delete(name);
  return [...query].filter(([, value]) => value).map((pair) => pair.join("=")).sort().join("&");
};

let drawn = picture(location.search);

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.target.id === "map") drawn = picture(detail.path.split("?")[1] ?? "");
});
document.addEventListener("htmx:pushedIntoHistory", () => {
  const map = document.getElementById("map");
  if (!map || drawn === picture(location.search)) return;
  const query = new URLSearchParams(location.search);
  window.htmx.ajax("GET", `${map.dataset.map}?${query}`, { source: map, target: map, swap: "innerHTML" });
});
