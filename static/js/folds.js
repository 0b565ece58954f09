// On a phone what is detail is folded, so that the answer comes first; without this module everything is open.

const NARROW = matchMedia("(max-width: 40rem)");
const foldsIn = (root) => root.querySelectorAll("details[data-folds]");

const fold = (root) => {
  if (!NARROW.matches) return;
  for (const each of foldsIn(root)) each.open = false;
};

// What an address leads to is opened, with all that it is folded into; the keyboard goes on from there.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let each = target; each; each = each.parentElement) if (each.matches("details")) each.open = true;
  target.querySelector(":scope > summary")?.focus({ preventScroll: true });
  target.scrollIntoView();
};

fold(document);
reveal();
addEventListener("hashchange", reveal);
addEventListener("beforeprint", () => {
  for (const each of foldsIn(document)) each.open = true;
});
document.addEventListener("htmx:load", (event) => {
  if (event.detail.elt !== document.body) fold(event.detail.elt);
});
document.addEventListener("berth:replaced", (event) => fold(event.target));
