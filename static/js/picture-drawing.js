// Draws the picture of a cluster on a canvas, in the colours of the theme.

const MARKS = { "not-ready": "×", unknown: "?", pressure: "!", cordoned: "–", reserved: "◦", open: "" };
const HIGH = 90;

const channels = (colour) => [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
const mix = (one, other, share) => {
  const [from, to] = [channels(other), channels(one)];
  return `rgb(${from.map((value, number) => Math.round(value + (to[number] - value) * share)).join(" ")})`;
};

// Every token that is drawn with, as the theme has it now.
export const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(`--${name}`).trim();
  const empty = token("surface-muted");
  const most = token("verdict-chosen-solid");
  const [high, over] = [token("verdict-preemptible-solid"), token("verdict-rejected-solid")];
  return {
    ink: token("ink"),
    muted: token("ink-muted"),
    card: token("surface-card"),
    line: token("line-strong"),
    empty,
    most,
    high,
    over,
    shades: Array.from({ length: HIGH + 1 }, (_, percent) => mix(most, empty, percent ? 0.12 + (0.88 * percent) / HIGH : 0)),
    zone: (number) => token(`zone-${(number % 8) + 1}`),
    looks: { placed: [most, []], nominated: [most, [6, 4]], kept: [over, []], left: [high, [6, 4]] },
    font: getComputedStyle(document.body).fontFamily,
    nodes: {
      "not-ready": [over, over],
      unknown: [token("verdict-unknown-solid"), token("verdict-unknown-solid")],
      pressure: [token("verdict-rejected-surface"), over],
      cordoned: [high, high],
      reserved: [mix(most, empty, 0.35), most],
      open: [mix(token("verdict-fits-solid"), empty, 0.35), token("verdict-fits-solid")],
    },
    pods: {
      terminating: [token("verdict-preemptible-surface"), high],
      starting: [token("verdict-preemptible-surface"), high],
      unready: [token("verdict-rejected-surface"), over],
      ready: [mix(most, empty, 0.35), token("surface-card")],
    },
  };
};

const shareOf = (data, node, shade) => {
  if (shade !== "pods") return data.nodes[shade][node];
  const places = data.sizes[data.nodes.size[node]][4];
  if (places > 0) return Math.ceil((100 * data.nodes.pods[node]) / places);
  return data.nodes.pods[node] ? HIGH + 100 : 0;
};
const shaded = (share, colours) => (share > 100 ? colours.over : share > HIGH ? colours.high : colours.shades[share]);

const shortened = (context, text, room) => {
  if (context.measureText(text).width <= room) return text;
  // Names of nodes differ at their ends.
  let start = 1;
  while (start < text.length && context.measureText(`…${text.slice(start)}`).width > room) start += 1;
  return `…${text.slice(start)}`;
};

const drawHeads = (context, data, layout, { shade, colours }) => {
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const { y, zone } of layout.heads) {
    const { name, words } = data.zones[zone];
    context.fillStyle = colours.zone(zone);
    context.fillRect(0, y - 6, 4, 12);
    context.font = `600 13px ${colours.font}`;
    context.fillStyle = colours.ink;
    context.fillText(name, 10, y);
    const from = 10 + context.measureText(name).width + 10;
    context.font = `12px ${colours.font}`;
    context.fillStyle = colours.muted;
    context.fillText(words[shade], from, y, Math.max(40, layout.width - from));
  }
};

const drawLabel = (context, data, cell, node, state, colours) => {
  const mark = MARKS[state];
  context.textBaseline = "middle";
  context.font = `12px ${colours.font}`;
  context.textAlign = "left";
  context.fillStyle = colours.muted;
  context.fillText(shortened(context, data.nodes.name[node], cell.w - (mark ? 14 : 0)), cell.x, cell.y + 8);
  if (!mark) return;
  context.font = `700 14px ${colours.font}`;
  context.textAlign = "right";
  context.fillStyle = colours.ink;
  context.fillText(mark, cell.x + cell.w, cell.y + 8);
};

const drawBody = (context, data, cell, node, state, { shade, colours }, isNamed) => {
  const { x, y, w, h } = cell.body;
  const [fill, edge] = colours.nodes[state];
  const share = shade === "state" ? 0 : shareOf(data, node, shade);
  if (shade === "state") context.fillStyle = fill;
  else context.fillStyle = isNamed ? colours.empty : shaded(share, colours);
  context.fillRect(x, y, w, h);
  if (isNamed) {
    context.lineWidth = share > HIGH || state === "not-ready" || state === "pressure" ? 2 : 1;
    context.strokeStyle = shade === "state" ? edge : share > 100 ? colours.over : share > HIGH ? colours.high : colours.line;
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    return;
  }
  if (MARKS[state] && state !== "reserved") {
    context.lineWidth = 2;
    context.strokeStyle = edge;
    context.strokeRect(x + 1, y + 1, w - 2, h - 2);
    if (w < 9) return;
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.font = `700 ${Math.min(14, w)}px ${colours.font}`;
    context.fillStyle = shade === "state" && state !== "pressure" ? colours.card : colours.ink;
    context.fillText(MARKS[state], x + w / 2, y + h / 2 + 1);
  }
};

const drawPods = (context, data, layout, { kin, colours }) => {
  const { pods } = data;
  layout.pods.forEach(({ x, y, w, h }, pod) => {
    const [fill, edge] = colours.pods[data.podStates[pods.state[pod]][0]];
    context.fillStyle = kin >= 0 && pods.workload[pod] === kin ? colours.most : fill;
    context.fillRect(x, y, w, h);
    if (w < 2 || h < 2) return;
    context.lineWidth = 1;
    context.strokeStyle = edge;
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  });
};

// The node that a moment is about: a ring around it, and its pod in full colour.
const drawHighlight = (context, { highlight }, layout, { colours }) => {
  if (!highlight || highlight.node < 0) return;
  const [colour, dashes] = colours.looks[highlight.look];
  const pod = layout.pods[highlight.pod];
  if (pod) {
    context.fillStyle = colour;
    context.fillRect(pod.x, pod.y, pod.w, pod.h);
    context.lineWidth = 2;
    context.strokeStyle = colours.ink;
    context.strokeRect(pod.x + 1, pod.y + 1, Math.max(0, pod.w - 2), Math.max(0, pod.h - 2));
  }
  const { x, y, w, h } = layout.cells[highlight.node].body;
  // Where nodes have names, the ring must not cover them.
  const inset = layout.isNamed ? 1.5 : -1;
  const ring = (width, style, pattern) => {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.setLineDash(pattern);
    context.strokeRect(x + inset, y + inset, w - 2 * inset, h - 2 * inset);
  };
  ring(layout.isNamed ? 3 : 6, colours.card, []);
  ring(3, colour, dashes);
  context.setLineDash([]);
};

export const draw = (canvas, data, layout, look) => {
  const dense = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(layout.width * dense), Math.round(layout.height * dense)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.height = `${layout.height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.clearRect(0, 0, layout.width, layout.height);
  drawHeads(context, data, layout, look);
  layout.cells.forEach((cell, node) => {
    const [state] = data.nodeStates[data.nodes.state[node]];
    if (layout.isNamed) drawLabel(context, data, cell, node, state, look.colours);
    drawBody(context, data, cell, node, state, look, layout.isNamed);
  });
  drawPods(context, data, layout, look);
  drawHighlight(context, data, layout, look);
};
