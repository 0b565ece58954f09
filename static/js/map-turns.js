// Maps whose steps are turns of nodes: at each step some nodes have their turn, those before them fade, pods reach others,
// and only the arrows of the step are drawn. Tiles of one look are one path in each grid, as the server draws them.

const SVG = "http://www.w3.org/2000/svg";
const STRONGEST = 5;
const DIGITS = 36;

// In which grid each node's tile is, and at which column and row of it.
export const placesOf = (layout, nodes) => {
  const [width, height] = layout.tile;
  return nodes.map((node) => {
    const [left, top, columns, frame] = layout.pools[node.pool];
    const [frameLeft, frameTop] = layout.frames[frame];
    const column = Math.round((left - frameLeft) / width) + (node.number % columns);
    const row = Math.round((top - frameTop) / height) + Math.floor(node.number / columns);
    return [frame, column, row];
  });
};

// Returns what draws the step `at`; 0 draws none.
export const turning = (svg, { turns }, layout, nodes) => {
  const grids = [...svg.querySelectorAll(".map-tiles:not(.map-veils)")];
  const arrows = [...svg.querySelectorAll(".map-moves > [data-turns]")].map((arrow) => ({
    arrow,
    at: arrow.dataset.turns.split(" ").map(Number),
  }));
  const places = placesOf(layout, nodes);
  const turnOf = [...turns.of].map((digit) => Number.parseInt(digit, DIGITS));
  const drawn = [];
  return (at, isWhole) => {
    for (const path of drawn.splice(0)) path.remove();
    for (const each of arrows) each.arrow.classList.toggle("is-elsewhen", !isWhole && !each.at.includes(at));
    if (!at || isWhole) return;
    const runs = new Map();
    const add = (node, look, isPast) => {
      const [grid, column, row] = places[node];
      const name = `${grid} ${look} ${isPast}`;
      if (!runs.has(name)) runs.set(name, { grid, look, isPast, d: "" });
      runs.get(name).d += `M${column} ${row}h1`;
    };
    nodes.forEach(({ key }, node) => {
      if (turnOf[node] && turnOf[node] <= at) add(node, `${key}`, turnOf[node] < at);
    });
    for (const node of turns.reached[at - 1] ?? []) {
      if (!turnOf[node] || turnOf[node] > at) add(node, `${turns.reaching}-${STRONGEST}`, false);
    }
    for (const { grid, look, isPast, d } of runs.values()) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", isPast ? "map-turn is-past" : "map-turn");
      path.setAttribute("stroke", `url(#${svg.dataset.paints}-${look})`);
      path.setAttribute("d", d);
      drawn.push(grids[grid].appendChild(path));
    }
  };
};
