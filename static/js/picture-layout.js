// Where everything of the picture lies: a box for each node, zone after zone, and for each pod inside of its node.

const HEAD = 26;
const GAP = 8;
const LABEL = 16;
const BOX = { least: 128, height: 44 };
const SMALLEST = 9;
const LARGEST = 28;
const WANTED_HEIGHT = 420;
// A pod that asks for nothing is there all the same.
const SLIVER = 0.004;

// Lay weights out as boxes that are as square as may be (Bruls, Huizing, van Wijk), the largest first.
const squarify = (weights, box, give) => {
  let { x, y, w, h } = box;
  let left = weights.reduce((sum, weight) => sum + weight, 0);
  let from = 0;
  const worst = (row, sum, side, scale) => {
    const length = (sum * scale) / side;
    return Math.max(...[row[0], row.at(-1)].map((weight) => {
      const breadth = (weight * scale) / length;
      return Math.max(length / breadth, breadth / length);
    }));
  };
  while (from < weights.length && left > 0 && w > 0 && h > 0) {
    const side = Math.min(w, h);
    const scale = (w * h) / left;
    const row = [weights[from]];
    let sum = weights[from];
    let to = from + 1;
    while (to < weights.length) {
      const longer = [...row, weights[to]];
      if (worst(longer, sum + weights[to], side, scale) > worst(row, sum, side, scale)) break;
      row.push(weights[to]);
      sum += weights[to];
      to += 1;
    }
    const length = (sum * scale) / side;
    let along = 0;
    row.forEach((weight, number) => {
      const breadth = (weight * scale) / length;
      give(from + number, w < h ? { x: x + along, y, w: breadth, h: length } : { x, y: y + along, w: length, h: breadth });
      along += breadth;
    });
    if (w < h) {
      y += length;
      h -= length;
    } else {
      x += length;
      w -= length;
    }
    left -= sum;
    from = to;
  }
};

const sharesOfPods = (data, node, first, last, shade) => {
  const [, , cpu, memory, places] = data.sizes[data.nodes.size[node]];
  const shares = [];
  for (let pod = first; pod < last; pod += 1) {
    const [, , milli, bytes] = data.pods.shapes[data.pods.shape[pod]];
    const share = { cpu: milli / cpu, memory: bytes / memory, pods: 1 / places, state: 0 }[shade];
    shares.push(Math.max(Number.isFinite(share) ? share : 1, SLIVER));
  }
  return shares;
};

const placePods = (data, cells, shade) => {
  const boxes = [];
  const firstPod = [0];
  let first = 0;
  data.pods.count.forEach((count, node) => {
    const { x, y, w, h } = cells[node].body;
    const shares = sharesOfPods(data, node, first, first + count, shade);
    const total = shares.reduce((sum, share) => sum + share, 0);
    // By memory the order is another one than by CPU, in which they come.
    const order = shares.map((_, number) => number).sort((one, other) => shares[other] - shares[one]);
    const inner = { x: x + 1, y: y + 1, w: (w - 2) * Math.min(1, total), h: h - 2 };
    const start = first;
    squarify(order.map((number) => shares[number]), inner, (number, box) => {
      boxes[start + order[number]] = box;
    });
    first += count;
    firstPod.push(first);
  });
  return { boxes, firstPod };
};

// Return cells (x, y, w, h of each node, body: where its pods lie), pods (boxes), heads of zones, and how to find one.
export const arrange = (data, width, shade) => {
  const count = data.nodes.name.length;
  const withPods = data.pods !== null && shade !== "state";
  const isNamed = data.pods !== null;
  let cell;
  if (isNamed) {
    const columns = Math.max(1, Math.floor((width + GAP) / (BOX.least + GAP)));
    cell = { w: (width - GAP * (columns - 1)) / columns, h: LABEL + BOX.height, columns, gap: GAP };
  } else {
    const side = Math.min(LARGEST, Math.max(SMALLEST, Math.floor(Math.sqrt((width * WANTED_HEIGHT) / count))));
    const gap = side > 14 ? 3 : side > 10 ? 2 : 1;
    cell = { w: side - gap, h: side - gap, columns: Math.max(1, Math.floor((width + gap) / side)), gap };
  }
  const cells = [];
  const heads = [];
  const bands = [];
  let y = 0;
  data.zones.forEach((zone, number) => {
    heads.push({ y: y + HEAD / 2, zone: number });
    y += HEAD;
    const first = cells.length;
    for (let place = 0; place < zone.nodes; place += 1) {
      const column = place % cell.columns;
      const top = y + Math.floor(place / cell.columns) * (cell.h + cell.gap);
      const x = column * (cell.w + cell.gap);
      const body = isNamed ? { x, y: top + LABEL, w: cell.w, h: BOX.height } : { x, y: top, w: cell.w, h: cell.h };
      cells.push({ x, y: top, w: cell.w, h: cell.h, body, zone: number, band: bands.length + Math.floor(place / cell.columns) });
    }
    const rows = Math.ceil(zone.nodes / cell.columns);
    for (let row = 0; row < rows; row += 1) {
      const from = first + row * cell.columns;
      bands.push({ from, to: Math.min(first + zone.nodes, from + cell.columns), y: y + row * (cell.h + cell.gap) });
    }
    y += rows * (cell.h + cell.gap) + GAP;
  });
  const { boxes, firstPod } = withPods ? placePods(data, cells, shade) : { boxes: [], firstPod: [] };
  const find = (x, at) => {
    const band = bands.find((each) => at >= each.y && at < each.y + cell.h);
    const node = band ? band.from + Math.floor(x / (cell.w + cell.gap)) : -1;
    if (!band || x < 0 || node >= band.to || x - cells[node].x > cell.w) return null;
    for (let pod = firstPod[node] ?? 0; pod < (firstPod[node + 1] ?? 0); pod += 1) {
      const box = boxes[pod];
      if (box && x >= box.x && x < box.x + box.w && at >= box.y && at < box.y + box.h) return { node, pod };
    }
    return { node, pod: -1 };
  };
  return { width, height: Math.max(y, HEAD), cells, heads, bands, pods: boxes, firstPod, isNamed, find };
};

// Return the node above (-1) or below (1) of a node, or the node itself where there is none.
export const above = ({ cells, bands }, node, step) => {
  const here = cells[node];
  const band = bands[here.band + step];
  if (!band) return node;
  return Math.min(band.to - 1, band.from + (node - bands[here.band].from));
};
