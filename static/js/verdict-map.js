// The map of nodes by verdict. The server draws it; this module finds the node under a pointer, says what counts there,
// leads along tiles by keyboard, and shows more about a node beside the map. Where nodes are bars, a part of one opens.
import { barsPicture, nodesOf, tilesPicture, trace } from "./map-nodes.js";
import { playing } from "./map-player.js";
import { pointing } from "./picture-pointing.js";

// A pointer that passes by asks for nothing.
const PATIENCE_MS = 120;

// -- the map --------------------------------------------------------------------------------------------------------------

const start = (root) => {
  const data = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const stage = root.querySelector("[data-map-stage]");
  const spoken = root.querySelector("[data-map-spoken]");
  // A map without a place for more about a node leads to pages.
  const panel = root.querySelector("[data-map-panel]");
  const answer = panel?.querySelector("[data-map-answer]") ?? null;
  const keys = [...root.querySelectorAll(".map-key input")];
  const isolated = () => {
    const value = keys.find((input) => input.checked)?.value ?? "";
    return value === "" ? null : Number(value);
  };
  const hasTiles = data.layouts !== undefined;
  const nodes = hasTiles ? nodesOf(data) : [];
  const picture = hasTiles ? tilesPicture(stage, data, isolated, nodes) : barsPicture(stage, data, isolated);

  // Without this module the map is a picture.
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "map");
  stage.setAttribute("aria-label", stage.dataset.label);
  stage.setAttribute("aria-describedby", stage.dataset.described);

  const open = (target, isAside) => {
    // A page may take what is chosen for itself, as the answer to a question about nodes.
    const chosen = new CustomEvent("berth:node", { bubbles: true, cancelable: true, detail: nodes[target.node] });
    if (hasTiles && !root.dispatchEvent(chosen)) return;
    const address = picture.addressOf(target);
    // Of some maps no more is kept than they show.
    if (!address) return;
    if (isAside) {
      window.open(address, "_blank", "noopener");
      return;
    }
    const byKeyboard = document.activeElement === stage && stage.matches(":focus-visible");
    if (!hasTiles) {
      const key = target.part.dataset.key;
      window.htmx.ajax("GET", address, { source: root, target: "#map-part", swap: "innerHTML" }).then(() => {
        begin();
        const opened = document.querySelector(`#map-part .map-key [value="${key}"]`);
        opened?.click();
        if (byKeyboard) document.querySelector("#map-part [data-map-stage]").focus({ preventScroll: true });
      });
      return;
    }
    if (panel === null) {
      location.assign(address);
      return;
    }
    window.htmx.ajax("GET", address, { source: stage, target: answer, swap: "innerHTML" }).then(() => {
      if (byKeyboard) answer.focus({ preventScroll: true });
      const isBelow = panel.getBoundingClientRect().top >= stage.getBoundingClientRect().bottom;
      panel.scrollTop = 0;
      const isSheet = getComputedStyle(panel.parentElement).position === "sticky";
      if (isSheet) stage.querySelector(".picture-cursor").scrollIntoView({ block: "nearest" });
      else if (isBelow) answer.scrollIntoView({ block: "start" });
    });
  };
  let waiting = 0;
  const pointer = pointing(stage, spoken, {
    ...picture,
    open,
    opensAtOnce: picture.addressOf,
    onPoint: (at) => {
      clearTimeout(waiting);
      trace(stage, at === null ? [] : picture.stopsOf(at));
      if (at !== null && picture.ask) waiting = setTimeout(() => picture.ask(at.node, pointer.retell), PATIENCE_MS);
    },
  });
  stage.addEventListener("pointerdown", (event) => {
    const frame = stage.getBoundingClientRect();
    const found = hasTiles ? picture.find(event.clientX - frame.left, event.clientY - frame.top) : null;
    const grabbed = { node: nodes[found?.node]?.name, event, stage };
    if (found) root.dispatchEvent(new CustomEvent("berth:grab", { bubbles: true, detail: grabbed }));
  });
  answer?.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === answer) stage.focus();
  });
  panel?.querySelector("[data-map-close]")?.addEventListener("click", () => {
    answer.replaceChildren();
    stage.focus({ preventScroll: true });
  });

  const fade = () => {
    const key = isolated();
    for (const part of root.querySelectorAll(".map-drawing [data-key]"))
      part.classList.toggle("is-faded", key !== null && Number(part.dataset.key) !== key);
    for (const arrow of root.querySelectorAll(".map-moves > g"))
      arrow.classList.toggle("is-faded", key !== null && !arrow.dataset.keys.split(" ").includes(`${key}`));
  };
  // A verdict that is isolated is let go by another click on it.
  let last = isolated();
  for (const input of keys) {
    input.addEventListener("click", () => {
      if (last !== null && last === isolated()) keys[0].checked = true;
      last = isolated();
      fade();
    });
  }
  fade();

  playing(root, data, nodes);

  new ResizeObserver(() => {
    if (pointer.at !== null) pointer.point(pointer.at);
  }).observe(stage);
};

const begin = () => {
  for (const root of document.querySelectorAll("[data-verdict-map]:not([data-begun])")) {
    root.dataset.begun = "";
    start(root);
  }
};
begin();
document.addEventListener("htmx:afterSettle", begin);
document.addEventListener("berth:live", begin);
document.addEventListener("berth:replaced", begin);
