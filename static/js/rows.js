// The row cursor: j and k, and the arrow keys once a row has it, lead from row to row of the lists of a page. The cursor is
// the focus of the row's main link, so that Enter opens it, screen readers say it, and a part that is updated keeps it.
import { onKey } from "./keys.js";
import { announce, filled } from "./page.js";

const ROWS = "main .table > tbody > tr, main .causes > li";
const STORED = `berth-row ${location.pathname}${location.search}`;

const mainOf = (row) => row.querySelector(":scope > details > summary, :scope > th a[href]") ?? row.querySelector(":scope > td a[href]");
const stops = () => [...document.querySelectorAll(ROWS)].map(mainOf).filter((main) => main?.checkVisibility());
const nameOf = (stop) => stop.getAttribute("href") ?? stop.closest("[id]").id;
// Rows of a cause lie within the row of the cause.
const stopAt = (element) => {
  const row = element.closest(ROWS);
  return row && mainOf(row);
};

// Where the cursor was last: a list that was filtered, or to which one comes back, goes on from there.
let last = null;
try {
  last = sessionStorage.getItem(STORED);
} catch {
  // Storage is forbidden in this browser: the place lasts as long as the page.
}

const show = (all, place) => {
  const stop = all[place];
  stop.focus({ preventScroll: true });
  stop.closest(ROWS).scrollIntoView({ block: "nearest", inline: "nearest" });
  announce(filled(document.getElementById("announcer").dataset.saysRow, { row: place + 1, rows: all.length }));
};

document.addEventListener("focusin", (event) => {
  const stop = stopAt(event.target);
  if (!stop) return;
  last = nameOf(stop);
  try {
    sessionStorage.setItem(STORED, last);
  } catch {
    // As above.
  }
});

const move = (step) => {
  const all = stops();
  if (!all.length) return false;
  const at = all.indexOf(stopAt(document.activeElement));
  if (at >= 0) {
    show(all, Math.max(0, Math.min(all.length - 1, at + step)));
    return true;
  }
  const left = last === null ? -1 : all.findIndex((stop) => nameOf(stop) === last);
  show(all, left >= 0 ? left : 0);
  return true;
};

onKey("j", () => move(1));
onKey("k", () => move(-1));
// Elsewhere arrow keys scroll, or belong to a map, a menu or a search.
const isOnRow = (event) => stopAt(event.target) === event.target;
onKey("ArrowDown", (event) => isOnRow(event) && move(1));
onKey("ArrowUp", (event) => isOnRow(event) && move(-1));

// From the filter down into what it lets through.
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" || event.isComposing || !event.target.matches("#filters input[type=search]")) return;
  const all = stops();
  if (!all.length) return;
  event.preventDefault();
  show(all, 0);
});

const goOn = () => {
  if (last === null || document.activeElement !== document.body) return;
  stops()
    .find((stop) => nameOf(stop) === last)
    ?.focus({ preventScroll: true });
};

// A row that is replaced by its like keeps the cursor.
let isHeld = false;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  isHeld = detail.target.contains(document.activeElement) && stopAt(document.activeElement) !== null;
});
document.addEventListener("htmx:afterSwap", () => {
  if (isHeld) goOn();
});

// Whoever comes back goes on from the row that was opened.
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") goOn();
