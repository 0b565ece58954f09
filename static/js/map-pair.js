// Two maps of nodes with arrows between them. The server draws them; this module leads along the nodes of each and the
// boxes below by keyboard, says what is known of one with its arrows, and opens it.
import { barsPicture, drawingOf, nodesOf, tilesPicture, trace } from "./map-nodes.js";
import { filled } from "./page.js";
import { pointing } from "./picture-pointing.js";

// As the server names both maps.
const SIDES = ["l", "r"];
// Of so many arrows each is said.
const MOST_SAID = 4;

const isolated = () => null;

// One of the maps by itself: its nodes as tiles or bars, then its boxes.
const sidePicture = (root, stage, data, side) => {
  const mark = SIDES[side];
  const ofDrawing = (selector) => drawingOf(stage).svg.querySelector(`${selector}[data-side="${mark}"]`);
  const moved = (layout, [left, top]) => ({
    ...layout,
    pools: layout.pools.map(([x, y, ...rest]) => [x + left, y + top, ...rest]),
  });
  const names = Object.keys(data.corners);
  const own = {
    ...data,
    ...data.sides[side],
    line: [],
    layouts: data.layouts && Object.fromEntries(names.map((name) => [name, moved(data.layouts[name], data.corners[name][side])])),
  };
  const hasTiles = data.layouts !== undefined;
  const nodes = hasTiles ? nodesOf(own) : [];
  const figures = own.figures.split(" ");
  const without = new Set(own.without);
  const inner = hasTiles
    ? tilesPicture(stage, own, isolated, nodes)
    : barsPicture(stage, own, isolated, () => ofDrawing("g"));
  const boxes = data.boxes.map((labels, box) => ({ box, label: labels[side], address: own.boxes[box] }));

  const boxOf = (target) => {
    if (target.box === undefined) return inner.boxOf(target);
    const [at, frame] = [ofDrawing(`[data-box="${target.box}"]`).getBoundingClientRect(), stage.getBoundingClientRect()];
    return { x: at.left - frame.left, y: at.top - frame.top, w: at.width, h: at.height };
  };
  const isSame = (one, other) =>
    one.box === undefined && other.box === undefined ? inner.isSame(one, other) : one.box === other.box;
  const ofBox = (number) => ({ box: number });
  const moveFromBox = (key, at) => {
    const back = () => (at ? ofBox(at - 1) : inner.move("End", inner.first()));
    const on = () => ofBox(Math.min(boxes.length - 1, at + 1));
    const to = { ArrowLeft: back, ArrowUp: back, ArrowRight: on, ArrowDown: on, Home: inner.first, End: on }[key];
    if (to) return to();
    return key === "Escape" ? null : undefined;
  };
  const move = (key, target) => {
    if (target.box !== undefined) return moveFromBox(key, target.box);
    const to = inner.move(key, target);
    // Where no node comes after it, a box does.
    const isLast = to && isSame(to, target) && (key === "ArrowDown" || key === "ArrowRight");
    return boxes.length && (isLast || (key === "End" && to)) ? ofBox(key === "End" ? boxes.length - 1 : 0) : to;
  };
  const stopsOf = (target) =>
    (target.box === undefined ? inner.stopsOf(target) : [`b${target.box}`]).map((name) => `${mark}${name}`);
  const factsOf = (target) => {
    if (target.box !== undefined) return [boxes[target.box].label];
    const figure = hasTiles ? figures[target.node] : "";
    return [...inner.lines(target), ...(figure ? [filled(root.dataset.saysFigure, { pods: figure })] : [])];
  };
  const addressOf = (target) => {
    if (target.box !== undefined) return boxes[target.box].address;
    if (!hasTiles || !own.node || without.has(target.node)) return "";
    return `${inner.addressOf(target)}${own.nodeEnd}`;
  };
  const find = (x, y) => {
    const found = inner.find(x, y);
    if (found !== null) return found;
    const isAt = (box) => x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
    return boxes.find(({ box }) => isAt(boxOf(ofBox(box)))) ?? null;
  };
  return { boxOf, isSame, move, stopsOf, factsOf, addressOf, find, first: inner.first };
};

// What the arrows of both drawings say, which stand in a list, those of the most pods first.
const arrowsOf = (root) => {
  const words = [...root.querySelectorAll("[data-map-arrows] > li")].map((entry) => entry.textContent).reverse();
  for (const drawing of root.querySelectorAll(".map-drawing")) {
    [...drawing.querySelectorAll(".map-moves > g")].forEach((arrow, number) => {
      const title = document.createElementNS(drawing.namespaceURI, "title");
      title.textContent = words[number];
      arrow.prepend(title);
    });
  }
  const arrows = [...root.querySelectorAll(".wide .map-moves > g")];
  return arrows.map((arrow, number) => ({ from: arrow.dataset.from, to: arrow.dataset.to, words: words[number] })).reverse();
};

const start = (root) => {
  const data = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const stage = root.querySelector("[data-map-stage]");
  const stops = [...stage.querySelectorAll("[data-map-stop]")];
  const sides = stops.map((_, side) => sidePicture(root, stage, data, side));
  const arrows = arrowsOf(root);

  const of = (target, side) => (target ? { ...target, side } : target);
  const said = (target) => {
    const names = sides[target.side].stopsOf(target);
    const own = arrows.filter(({ from, to }) => names.includes(from) || names.includes(to)).map(({ words }) => words);
    const more = own.length - MOST_SAID;
    return more > 0 ? [...own.slice(0, MOST_SAID), filled(root.dataset.saysMore, { arrows: more })] : own;
  };
  const picture = {
    find: (x, y) => sides.map((side, number) => of(side.find(x, y), number)).find((found) => found !== null) ?? null,
    boxOf: (target) => sides[target.side].boxOf(target),
    isSame: (one, other) => one.side === other.side && sides[one.side].isSame(one, other),
    isIn: (target, stop) => stops[target.side] === stop,
    first: (stop) => of(sides[stops.indexOf(stop)].first(), stops.indexOf(stop)),
    move: (key, target) => of(sides[target.side].move(key, target), target.side),
    lines: (target) => [...sides[target.side].factsOf(target), ...said(target)],
    open: (target, isAside) => {
      const address = sides[target.side].addressOf(target);
      if (!address) return;
      if (isAside) window.open(address, "_blank", "noopener");
      else location.assign(address);
    },
    onPoint: (at) => trace(stage, at === null ? [] : sides[at.side].stopsOf(at)),
  };

  // Without this module the maps are a picture.
  stops.forEach((stop) => {
    stop.tabIndex = 0;
    stop.setAttribute("role", "application");
    stop.setAttribute("aria-roledescription", "map");
    stop.setAttribute("aria-label", stop.dataset.label);
    stop.setAttribute("aria-describedby", stage.dataset.described);
  });
  const pointer = pointing(stage, root.querySelector("[data-map-spoken]"), picture, stops);
  const lay = () => {
    const { name, scale, left, top } = drawingOf(stage);
    stops.forEach((stop, side) => {
      const [x, y, width, height] = data.corners[name][side];
      Object.assign(stop.style, {
        left: `${left + x * scale}px`,
        top: `${top + y * scale}px`,
        width: `${width * scale}px`,
        height: `${height * scale}px`,
      });
    });
    if (pointer.at !== null) pointer.point(pointer.at);
  };
  new ResizeObserver(lay).observe(stage);
};

const begin = () => {
  for (const root of document.querySelectorAll("[data-map-pair]:not([data-begun])")) {
    root.dataset.begun = "";
    start(root);
  }
};
begin();
document.addEventListener("htmx:afterSettle", begin);
