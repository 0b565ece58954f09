// Tables that are no wider than their room need not scroll by themselves, so that their heads stay in sight while the page
// scrolls. Only measuring tells which; without this script every table may scroll.

const measure = (frame) => {
  const table = frame.querySelector(":scope > table");
  frame.toggleAttribute("data-fits", table !== null && table.offsetWidth <= frame.clientWidth);
};
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    // A live part may have taken the table away.
    const frame = target.closest(".table-scroll");
    if (frame) measure(frame);
  }
});

const seen = new WeakSet();
const watch = () => {
  for (const frame of document.querySelectorAll("main .table-scroll")) {
    if (seen.has(frame)) continue;
    seen.add(frame);
    sizes.observe(frame);
    const table = frame.querySelector(":scope > table");
    if (table) sizes.observe(table);
  }
};
watch();

// htmx and live parts bring tables, too.
let isWaiting = false;
new MutationObserver(() => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    watch();
  });
}).observe(document.getElementById("main"), { childList: true, subtree: true });
