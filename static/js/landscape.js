// The score landscape: a node that is pointed at is compared with the one chosen last, a stretch of the ribbon opens,
// and sliders rank anew. The server draws and says it all; without this module nodes, stretches and weights are links.

// A pointer that passes by asks for nothing.
const PATIENCE_MS = 120;
// A click on the ribbon shows so small a part of it.
const CLOSER = 8;

const landscapeOf = (element) => element.closest("[data-landscape]");
const addressOf = (base, values) => `${base}${base.includes("?") ? "&" : "?"}${new URLSearchParams(values)}`;

// -- two nodes ------------------------------------------------------------------------------------------------------------

const mark = (root) => {
  const { first, second } = root.querySelector("[data-first]")?.dataset ?? {};
  for (const row of root.querySelectorAll("[data-node]")) {
    const { node } = row.dataset;
    row.dataset.side = node === first ? "first" : node === second ? "second" : "";
  }
};

let waiting = 0;
const compare = (root, node, patience) => {
  clearTimeout(waiting);
  const { chosen, compare: address } = root.dataset;
  const shown = root.querySelector("#compare-card");
  if (node === chosen || !shown) return;
  const ask = () => {
    if (shown.contains(document.activeElement)) return;
    const { first, second } = shown.querySelector("[data-first]")?.dataset ?? {};
    if (first === chosen && second === node) return;
    window.htmx.ajax("GET", addressOf(address, { a: chosen, b: node }), {
      source: root,
      target: shown,
      select: "#compare",
      swap: "innerHTML",
    });
  };
  if (patience) waiting = setTimeout(ask, patience);
  else ask();
};
// What somebody writes or opens there stays, also when the answer for a node passed by comes after it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id === "compare-card" && detail.target.contains(document.activeElement)) detail.shouldSwap = false;
});
const choose = (root, node) => {
  compare(root, node, 0);
  root.dataset.chosen = node;
};

const rowOf = (event) => event.target.closest?.("[data-landscape] [data-node]");
document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const row = rowOf(event);
  if (row) compare(landscapeOf(row), row.dataset.node, PATIENCE_MS);
  else clearTimeout(waiting);
});
document.addEventListener("focusin", (event) => {
  const row = rowOf(event);
  if (row) compare(landscapeOf(row), row.dataset.node, PATIENCE_MS);
});
document.addEventListener("click", (event) => {
  const row = rowOf(event);
  if (!row || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choose(landscapeOf(row), row.dataset.node);
});
document.addEventListener("keydown", (event) => {
  const row = rowOf(event);
  const to = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  if (!to) return;
  event.preventDefault();
  to.querySelector("a").focus();
});

// -- a stretch ------------------------------------------------------------------------------------------------------------

const open = (root, address) =>
  window.htmx.ajax("GET", address, { source: root, target: root, select: "#landscape", swap: "outerHTML" });

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-stretch]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  open(landscapeOf(link), link.href);
});

const startRibbon = (root, ribbon) => {
  const { share, last, columns } = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const stretch = ribbon.querySelector(".landscape-stretch");
  const words = root.querySelector("[data-ribbon-words]");
  const whole = words.textContent;
  let at = 0;
  let from = null;

  const columnAt = (event) => {
    const box = ribbon.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / (box.width * (share / 100))) * columns.length);
    return Math.max(0, Math.min(columns.length - 1, place));
  };
  const point = (to, patience) => {
    at = to;
    const [first, end] = [Math.min(at, from ?? at), Math.max(at, from ?? at) + 1];
    Object.assign(stretch.style, {
      left: `${(first / columns.length) * share}%`,
      width: `${((end - first) / columns.length) * share}%`,
    });
    stretch.hidden = false;
    const [, node, said] = columns[at];
    words.textContent = `${node}: ${said}`;
    ribbon.setAttribute("aria-valuenow", at + 1);
    ribbon.setAttribute("aria-valuetext", words.textContent);
    if (from === null) compare(root, node, patience);
  };
  const endOf = (column) => columns[column]?.[0] ?? last;
  const zoom = (first, end) => open(root, addressOf(root.dataset.scores, { first: endOf(first), last: endOf(end) }));
  const closer = () => zoom(at, at + Math.max(1, Math.ceil(columns.length / CLOSER)));

  Object.entries({ role: "slider", tabindex: 0, "aria-label": ribbon.dataset.label, "aria-valuemin": 1, "aria-valuemax": columns.length, "aria-valuenow": 1, "aria-valuetext": whole })
    .forEach(([name, value]) => ribbon.setAttribute(name, value));
  stretch.hidden = true;
  ribbon.addEventListener("pointermove", (event) => {
    if (from !== null || event.pointerType === "mouse") point(columnAt(event), PATIENCE_MS);
  });
  ribbon.addEventListener("pointerdown", (event) => {
    ribbon.setPointerCapture(event.pointerId);
    from = columnAt(event);
    point(from, PATIENCE_MS);
  });
  ribbon.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const [first, end] = [Math.min(at, from), Math.max(at, from)];
    from = null;
    if (end > first) zoom(first, end + 1);
    else closer();
  });
  ribbon.addEventListener("pointercancel", () => {
    from = null;
  });
  ribbon.addEventListener("pointerleave", () => {
    if (from !== null || ribbon === document.activeElement) return;
    stretch.hidden = true;
    words.textContent = whole;
  });
  ribbon.addEventListener("keydown", (event) => {
    const page = Math.ceil(columns.length / CLOSER);
    const to = { ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, ArrowDown: at + 1, PageDown: at + page, PageUp: at - page, Home: 0, End: columns.length - 1 }[event.key];
    if (to !== undefined) point(Math.max(0, Math.min(columns.length - 1, to)), PATIENCE_MS);
    else if (event.key === "Enter") closer().then(() => document.querySelector("[data-ribbon]")?.focus());
    else if (event.key === "Escape") open(root, root.dataset.scores).then(() => document.querySelector("[data-ribbon]")?.focus());
    else return;
    event.preventDefault();
  });
};

// -- weights --------------------------------------------------------------------------------------------------------------

const startWeights = (form) => {
  const fields = [...form.querySelectorAll("[data-configured]")];
  const back = form.querySelector("[data-weights-configured]");
  const say = () => {
    for (const said of form.querySelectorAll("[data-weight]"))
      said.textContent = said.closest("label").querySelector("input").value;
    back.hidden = fields.every((field) => field.value === field.dataset.configured);
  };
  form.addEventListener("input", say);
  back.addEventListener("click", () => {
    for (const field of fields) field.value = field.dataset.configured;
    fields[0].focus();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  });
  say();
};

const begin = () => {
  for (const form of document.querySelectorAll("[data-weights]:not([data-begun])")) {
    form.dataset.begun = "";
    startWeights(form);
  }
  for (const root of document.querySelectorAll("[data-landscape]")) {
    mark(root);
    const ribbon = root.querySelector("[data-ribbon]:not([data-begun])");
    if (!ribbon) continue;
    ribbon.dataset.begun = "";
    startRibbon(root, ribbon);
  }
};
begin();
document.addEventListener("htmx:afterSettle", begin);
document.addEventListener("berth:live", begin);
document.addEventListener("berth:replaced", begin);
