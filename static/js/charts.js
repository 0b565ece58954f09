// Figures that can be explored: where somebody asks for it, the server's picture gives way to a chart by Plotly.
// Evaluating Plotly keeps a page from answering for some tenths of a second, so no page does that by itself; its file is
// fetched ahead, at the lowest priority, when such a figure comes into view.
// Colours in a chart are token references such as "var(--verdict-fits-solid)"; they are resolved when drawing, so the
// same chart is right in both themes and on paper.

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

// What each plot shows, to draw it again in another theme.
const charts = new WeakMap();
const draw = (plot) => {
  const chart = charts.get(plot);
  const style = getComputedStyle(document.documentElement);
  const layout = merge(houseLayout(style), resolve(chart.layout ?? {}, style));
  return window.Plotly.react(plot, resolve(chart.data, style), layout, CONFIG);
};

let library = null;
const load = ({ script, style }) => {
  library ??= new Promise((done, fail) => {
    // Plotly finds its rules by this element, and adds none by itself.
    const rules = { id: "plotly.js-style-global", className: "no-inline-styles", rel: "stylesheet", href: style };
    document.head.append(
      Object.assign(document.createElement("link"), rules),
      Object.assign(document.createElement("script"), { src: script, onload: done, onerror: fail }),
    );
  });
  return library;
};

// Figures that somebody explores stay charts when the page's filter brings others.
const explored = new Set();
const explore = async (offer) => {
  const figure = offer.closest("figure");
  const button = offer.querySelector("button");
  button.disabled = true;
  try {
    const [response] = await Promise.all([
      fetch(offer.dataset.explore, { headers: { Accept: "application/json" } }),
      load(offer.dataset),
    ]);
    if (!response.ok || response.redirected) throw new Error(`${response.status}`);
    const picture = figure.querySelector(".drawn");
    const plot = Object.assign(document.createElement("div"), { className: "figure-plot", tabIndex: -1 });
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", picture.querySelector("svg").getAttribute("aria-label"));
    charts.set(plot, await response.json());
    picture.replaceWith(plot);
    await draw(plot);
    if (offer.contains(document.activeElement)) plot.focus({ preventScroll: true });
    offer.remove();
    explored.add(figure.id);
  } catch (error) {
    console.warn(`chart: ${error.message ?? "its script could not be loaded"}`);
    library = window.Plotly ? library : null;
    button.disabled = false;
    offer.querySelector("[data-explore-problem]").hidden = false;
  }
};

let fetched = false;
const ahead = new IntersectionObserver((entries) => {
  if (fetched || !entries.some((entry) => entry.isIntersecting)) return;
  fetched = true;
  const { script } = entries[0].target.dataset;
  document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", as: "script", href: script }));
});

const begin = () => {
  for (const offer of document.querySelectorAll("[data-explore][hidden]")) {
    offer.hidden = false;
    offer.querySelector("button").addEventListener("click", () => explore(offer));
    if (explored.has(offer.closest("figure").id)) explore(offer);
    else ahead.observe(offer);
  }
};

begin();
document.addEventListener("htmx:afterSettle", begin);
document.addEventListener("berth:theme", () => {
  for (const plot of document.querySelectorAll(".js-plotly-plot")) draw(plot);
});
