// Keeps the nodes that are ticked while the list is filtered, sorted, paged and fetched again.

const results = document.getElementById("results");
const form = document.getElementById("drain-choice");
const ticked = new Set();

const boxes = () => [...results.querySelectorAll("input[type=checkbox][name=node]")];

const show = () => {
  const listed = boxes();
  for (const box of listed) box.checked = ticked.has(box.value);
  const inView = new Set(listed.map((box) => box.value));
  for (const old of form.querySelectorAll("input[name=node]")) old.remove();
  for (const name of ticked) {
    if (inView.has(name)) continue;
    const hidden = document.createElement("input");
    hidden.type = "hidden";
    hidden.name = "node";
    hidden.value = name;
    form.append(hidden);
  }
};

if (results && form) {
  // A browser that comes back to the page ticks what was ticked.
  for (const box of boxes()) if (box.checked) ticked.add(box.value);
  results.addEventListener("change", (event) => {
    if (event.target.name !== "node") return;
    if (event.target.checked) ticked.add(event.target.value);
    else ticked.delete(event.target.value);
    show();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === results) show();
  });
}
