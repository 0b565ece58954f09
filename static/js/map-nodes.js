// What stands on a map of nodes: where each tile or part of a bar is, what is said of it, what is beside it, and where it leads.

// As many as the server answers at once.
const LINES = 50;
const KEY_DIGITS = 36;

const isShown = (element) => element.getClientRects().length > 0;

// The drawing that is shown, and how its units come to pixels of the stage.
export const drawingOf = (stage) => {
  const name = isShown(stage.querySelector(".narrow")) ? "narrow" : "wide";
  const svg = stage.querySelector(`.${name} svg`);
  const [at, frame] = [svg.getBoundingClientRect(), stage.getBoundingClientRect()];
  const { x, width } = svg.viewBox.baseVal;
  const scale = at.width / width;
  return { name, svg, scale, left: at.left - frame.left - x * scale, top: at.top - frame.top };
};

// Arrows that begin or end at what is pointed at stand out; `names` are what the server calls it.
export const trace = (stage, names) => {
  const arrows = [...stage.querySelectorAll(".map-moves > g")];
  for (const arrow of arrows)
    arrow.classList.toggle("is-traced", names.includes(arrow.dataset.from) || names.includes(arrow.dataset.to));
  stage.classList.toggle("is-tracing", arrows.some((arrow) => arrow.matches(".is-traced")));
};

// -- tiles --------------------------------------------------------------------------------------------------------------

// Return the nodes of a map: name, place, key, and pool and number within it.
export const nodesOf = (data) => {
  const nodes = [];
  data.pools.forEach(([place, begin, end, names], pool) => {
    names.split(" ").forEach((middle, number) => {
      nodes.push({ name: `${begin}${middle}${end}`, place, pool, number, key: Number.parseInt(data.key[nodes.length], KEY_DIGITS) });
    });
  });
  return nodes;
};

export const tilesPicture = (stage, data, isolated, nodes) => {
  const firstOf = data.pools.map((_, pool) => nodes.findIndex((node) => node.pool === pool));
  const unitBox = (number) => {
    const { tile, pools } = data.layouts[drawingOf(stage).name];
    const node = nodes[number];
    const [left, top, columns] = pools[node.pool];
    const [column, row] = [node.number % columns, Math.floor(node.number / columns)];
    return { x: left + column * tile[0], y: top + row * tile[1], w: tile[0] - tile[2], h: tile[1] - tile[2] };
  };
  const boxOf = ({ node }) => {
    const { scale, left, top } = drawingOf(stage);
    const { x, y, w, h } = unitBox(node);
    return { x: left + x * scale, y: top + y * scale, w: w * scale, h: h * scale };
  };
  const find = (x, y) => {
    const { name, scale, left, top } = drawingOf(stage);
    const { tile, pools } = data.layouts[name];
    const [across, down] = [(x - left) / scale, (y - top) / scale];
    for (let pool = 0; pool < pools.length; pool += 1) {
      const [poolLeft, poolTop, columns] = pools[pool];
      const [column, row] = [Math.floor((across - poolLeft) / tile[0]), Math.floor((down - poolTop) / tile[1])];
      const number = row * columns + column;
      const node = firstOf[pool] + number;
      if (column >= 0 && column < columns && row >= 0 && node < (firstOf[pool + 1] ?? nodes.length)) return { node };
    }
    return null;
  };

  // What is said of nodes comes with the map while they are few; else it is asked for by fifties.
  const lines = data.line.map((line) => data.lines[line]);
  const asked = new Set();
  const ask = async (node, then) => {
    const part = Math.floor(node / LINES);
    if (!data.linesAt || lines[node] !== undefined || asked.has(part)) return;
    asked.add(part);
    try {
      const response = await fetch(`${data.linesAt}${part * LINES}`, { headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(`${response.status}`);
      const found = await response.json();
      found.lines.forEach((line, number) => {
        lines[part * LINES + number] = line;
      });
      then();
    } catch (error) {
      // The next look asks again.
      asked.delete(part);
      console.warn(`map: ${error.message}`);
    }
  };

  const among = () => {
    const key = isolated();
    return nodes.flatMap((node, number) => (key === null || node.key === key ? [number] : []));
  };
  // The nearest of the next row above (-1) or below (1).
  const beyond = (node, step) => {
    const here = unitBox(node);
    let best = node;
    let nearest = [Infinity, Infinity];
    for (const other of among()) {
      const box = unitBox(other);
      const away = [(box.y - here.y) * step, Math.abs(box.x - here.x)];
      if (away[0] <= 0.5 || away[0] > nearest[0] + 0.5 || (away[0] > nearest[0] - 0.5 && away[1] >= nearest[1])) continue;
      best = other;
      nearest = away;
    }
    return best;
  };
  const move = (key, { node }) => {
    const all = among();
    const before = all.findLast((other) => other < node) ?? all[0];
    const after = all.find((other) => other > node) ?? all.at(-1);
    const to = {
      ArrowLeft: () => before,
      ArrowRight: () => after,
      ArrowUp: () => beyond(node, -1),
      ArrowDown: () => beyond(node, 1),
      Home: () => all[0],
      End: () => all.at(-1),
    }[key];
    if (to) return { node: to() };
    return key === "Escape" ? null : undefined;
  };

  return {
    find,
    boxOf,
    move,
    ask,
    isSame: (one, other) => one.node === other.node,
    first: () => {
      const all = among();
      return all.length ? { node: all[0] } : null;
    },
    lines: ({ node }) => {
      const { name, place, key } = nodes[node];
      if (!lines[node]) return [name, place, data.keys[key]];
      // Nodes of a filter differ in their reasons, and each says its own.
      return [name, place, data.sources[key] || data.keys[key], lines[node]];
    },
    // As the server names what arrows begin and end at: a node, or the nodes of a key in a pool.
    stopsOf: ({ node }) => [`n${node}`, `p${nodes[node].pool}k${nodes[node].key}`],
    addressOf: ({ node }) => `${data.node}${encodeURIComponent(nodes[node].name)}`,
  };
};

// -- bars ---------------------------------------------------------------------------------------------------------------

// Of a drawing with several maps, `groundOf` finds the one that has the bars.
export const barsPicture = (stage, data, isolated, groundOf = () => drawingOf(stage).svg) => {
  const parts = () => {
    const key = isolated();
    const all = [...groundOf().querySelectorAll("[data-nodes]")];
    return key === null ? all : all.filter((part) => Number(part.dataset.key) === key);
  };
  const poolOf = (part) => Number(part.parentElement.dataset.pool);
  const boxOf = ({ part }) => {
    const [at, frame] = [part.getBoundingClientRect(), stage.getBoundingClientRect()];
    // A stroke's own box has no height: that of its bar counts.
    const { top, height } = part.parentElement.getBoundingClientRect();
    return { x: at.left - frame.left, y: top - frame.top, w: at.width, h: height };
  };
  const find = (x, y) => {
    const frame = stage.getBoundingClientRect();
    const part = document.elementFromPoint(x + frame.left, y + frame.top)?.closest("[data-nodes]");
    return part && groundOf().contains(part) ? { part } : null;
  };
  const beyond = (part, step) => {
    const middle = (each) => {
      const { x, w } = boxOf({ part: each });
      return x + w / 2;
    };
    const others = parts().filter((other) => (poolOf(other) - poolOf(part)) * step > 0);
    const next = Math.min(...others.map((other) => Math.abs(poolOf(other) - poolOf(part))));
    const away = (other) => Math.abs(middle(other) - middle(part));
    return others
      .filter((other) => Math.abs(poolOf(other) - poolOf(part)) === next)
      .reduce((best, other) => (best === part || away(other) < away(best) ? other : best), part);
  };
  const move = (key, { part }) => {
    const all = parts();
    const at = all.indexOf(part);
    const to = {
      ArrowLeft: () => all[Math.max(0, at - 1)],
      ArrowRight: () => all[Math.min(all.length - 1, at + 1)],
      ArrowUp: () => beyond(part, -1),
      ArrowDown: () => beyond(part, 1),
      Home: () => all[0],
      End: () => all.at(-1),
    }[key];
    if (to) return { part: to() };
    return key === "Escape" ? null : undefined;
  };
  return {
    find,
    boxOf,
    move,
    isSame: (one, other) => one.part === other.part,
    first: () => {
      const [part] = parts();
      return part ? { part } : null;
    },
    lines: ({ part }) => [part.dataset.nodes, data.pools[poolOf(part)][0], data.keys[part.dataset.key]],
    stopsOf: ({ part }) => [`p${poolOf(part)}k${part.dataset.key}`],
    addressOf: ({ part }) => data.pools[poolOf(part)][1],
  };
};
