// Draws every figure of the page: a JSON block in, Plotly.react out. Loaded only by pages with figures.
// Colours in a figure are token references such as "var(--verdict-fits-solid)"; they are resolved when drawing, so the
// same figure is right in both themes and on paper.

const BLOCKS = 'script[type="application/json"][id$="-data"]';
const TOKEN = /^var\((--[\w-]+)\)$/;
const CONFIG = { displayModeBar: false, responsive: true, showTips: false };

const resolve = (value, style) => {
  if (typeof value === "string") {
    const token = TOKEN.exec(value);
    return token ? style.getPropertyValue(token[1]).trim() : value;
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, style));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, style)]));
  }
  return value;
};

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const merge = (base, extra) => {
  const merged = { ...base };
  for (const [key, value] of Object.entries(extra)) {
    merged[key] = isPlain(value) && isPlain(base[key]) ? merge(base[key], value) : value;
  }
  return merged;
};

const houseLayout = (style) => {
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = {
    gridcolor: colour("--chart-grid"),
    linecolor: colour("--line-strong"),
    zerolinecolor: colour("--line-strong"),
    tickcolor: colour("--line-strong"),
    automargin: true,
    title: { font: { size: 13, color: colour("--chart-axis") } },
  };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("--ink") },
    autosize: true,
    margin: { l: 8, r: 8, t: 8, b: 8 },
    xaxis: axis,
    yaxis: axis,
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: { color: colour("--ink") } },
    hoverlabel: {
      bgcolor: colour("--surface-raised"),
      bordercolor: colour("--line-strong"),
      font: { color: colour("--ink") },
    },
    transition: { duration: still ? 0 : 150 },
  };
};

const draw = (block) => {
  const figure = JSON.parse(block.textContent);
  const plot = document.getElementById(block.id.replace(/-data$/, "-plot"));
  if (!plot) return;
  const style = getComputedStyle(document.documentElement);
  const layout = merge(houseLayout(style), resolve(figure.layout ?? {}, style));
  if (layout.height) plot.style.minHeight = `${layout.height}px`;
  window.Plotly.react(plot, resolve(figure.data, style), layout, { ...CONFIG, ...figure.config });
};

const drawAll = (root) => {
  for (const block of root.querySelectorAll(BLOCKS)) draw(block);
};

drawAll(document);
document.addEventListener("berth:theme", () => drawAll(document));
document.addEventListener("htmx:afterSettle", (event) => drawAll(event.detail.elt.parentElement ?? document));
document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.matches?.(BLOCKS)) draw(document.getElementById(event.detail.target.id));
});
// A figure inside a closed <details> has no width until it opens.
document.addEventListener("toggle", (event) => {
  if (!event.target.open) return;
  for (const plot of event.target.querySelectorAll(".js-plotly-plot")) window.Plotly.Plots.resize(plot);
}, true);
