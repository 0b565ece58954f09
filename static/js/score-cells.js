// A score opens its arithmetic in the row below it; without this module it is a link to the same as a page.

const OPEN = "aria-expanded";
const cells = () => document.querySelectorAll("a.score");
const rowOf = (cell) => cell.closest("tr").nextElementSibling;

const mark = () => {
  for (const cell of cells()) if (!cell.hasAttribute(OPEN)) cell.setAttribute(OPEN, "false");
};
const close = (cell) => {
  const row = rowOf(cell);
  row.hidden = true;
  row.firstElementChild.replaceChildren();
  cell.setAttribute(OPEN, "false");
};
const opened = () => document.querySelector(`a.score[${OPEN}="true"]`);

mark();
document.addEventListener("berth:replaced", mark);
document.addEventListener("htmx:beforeRequest", (event) => {
  const cell = event.detail.elt;
  if (!cell.matches("a.score")) return;
  const before = opened();
  if (before) close(before);
  if (before === cell) event.preventDefault();
  // Not every browser focuses a link that is clicked.
  cell.focus({ preventScroll: true });
});
document.addEventListener("htmx:afterSwap", (event) => {
  const cell = event.detail.requestConfig?.elt;
  if (!cell?.matches("a.score")) {
    mark();
    return;
  }
  // An answer that comes late must not stand open beside another.
  const before = opened();
  if (before && before !== cell) close(before);
  const row = rowOf(cell);
  row.hidden = false;
  cell.setAttribute(OPEN, "true");
  row.firstElementChild.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const cell = opened();
  if (!cell || !(cell === document.activeElement || rowOf(cell).contains(document.activeElement))) return;
  close(cell);
  cell.focus();
});
