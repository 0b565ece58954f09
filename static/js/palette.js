// The command palette: pages and clusters that the head of the page links to, and what the search of the cluster finds, or
// answers to a verb, in one list. A combobox in a dialog: arrow keys choose, Enter opens, Escape closes.
import { onKey } from "./keys.js";

const dialog = document.getElementById("palette");
const opener = document.querySelector("[data-palette]");
const field = dialog.querySelector("input");
const list = document.getElementById("palette-options");
const pages = document.getElementById("palette-pages");
const found = document.getElementById("palette-found");
const none = document.getElementById("palette-none");

const isMac = /mac|iphone|ipad/i.test(navigator.platform);
for (const hint of document.querySelectorAll("[data-palette-keys]")) if (isMac) hint.textContent = "⌘ K";

// -- what there is to choose --------------------------------------------------------------------------------------------

const linksOf = (selector) => [...document.querySelectorAll(selector)].map((link) => ({ href: link.href, label: link.textContent.trim() }));
const groups = [
  { name: "pages", label: dialog.dataset.saysPages, links: [...linksOf(".sections a"), ...linksOf("[data-palette-page]")] },
  { name: "clusters", label: dialog.dataset.saysClusters, links: linksOf(".cluster-switcher a:not([aria-current])") },
];

const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const listPages = (text) => {
  const wanted = text.trim().toLowerCase();
  const isBegun = ({ label }) => label.toLowerCase().startsWith(wanted);
  pages.replaceChildren(
    ...groups.flatMap(({ name, label, links }) => {
      const matching = links.filter((link) => link.label.toLowerCase().includes(wanted));
      if (!matching.length) return [];
      matching.sort((one, other) => isBegun(other) - isBegun(one));
      const title = element("div", { class: "search-group", id: `go-to-${name}` }, label);
      const options = matching.map((link, number) =>
        element("a", { role: "option", id: `go-to-${name}-${number + 1}`, tabindex: "-1", "aria-selected": "false", href: link.href }, link.label),
      );
      return [element("div", { role: "group", "aria-labelledby": title.id }, title, ...options)];
    }),
  );
};

// -- what is chosen -----------------------------------------------------------------------------------------------------

const options = () => [...list.querySelectorAll("[role=option]")];
let chosen = null;
// Of which text the cluster was searched; what is found answers no other.
let searched = "";
let isAwaited = false;

const choose = (option) => {
  chosen?.setAttribute("aria-selected", "false");
  chosen = option ?? null;
  if (chosen === null) field.removeAttribute("aria-activedescendant");
  else {
    chosen.setAttribute("aria-selected", "true");
    chosen.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", chosen.id);
  }
};
const isUpToDate = () => !field.hasAttribute("hx-get") || searched === field.value;
const show = () => {
  const all = options();
  choose(all.includes(chosen) ? chosen : all[0]);
  none.hidden = all.length > 0 || !isUpToDate();
  list.hidden = all.length === 0;
  field.setAttribute("aria-expanded", String(all.length > 0));
};
const say = (text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

field.addEventListener("input", () => {
  isAwaited = false;
  listPages(field.value);
  if (field.value.trim() === "") found.replaceChildren();
  chosen = null;
  show();
});
found.addEventListener("htmx:afterSwap", (event) => {
  searched = event.detail.requestConfig?.parameters.q ?? "";
  if (!dialog.open) return;
  show();
  if (isAwaited && isUpToDate() && chosen) chosen.click();
});
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("mousemove", (event) => {
  const option = event.target.closest("[role=option]");
  if (option && option !== chosen) choose(option);
});
list.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (!option || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // One that leads to the search for something else is the beginning of what can be said: it is typed on.
  const text = option.pathname === new URL(field.getAttribute("hx-get"), location).pathname ? new URLSearchParams(option.search).get("q") : field.value;
  if (text === field.value) return dialog.close();
  event.preventDefault();
  say(text);
});

field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const all = options();
  const at = all.indexOf(chosen);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (all.length) choose(all[(at + (event.key === "ArrowDown" ? 1 : -1) + all.length) % all.length]);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (chosen && (pages.contains(chosen) || isUpToDate())) chosen.click();
    else isAwaited = true;
  }
});

// -- the dialog ---------------------------------------------------------------------------------------------------------

const openPalette = () => {
  field.value = "";
  searched = "";
  isAwaited = false;
  found.replaceChildren();
  listPages("");
  chosen = null;
  dialog.showModal();
  field.focus();
  show();
};

opener.addEventListener("click", openPalette);
onKey(":", () => {
  if (!field.hasAttribute("hx-get")) return false;
  openPalette();
  say(":");
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey || event.repeat) return;
  if (isMac ? !event.metaKey || event.ctrlKey : !event.ctrlKey || event.metaKey) return;
  // An editor has its own meaning of the keys.
  if (event.target.closest(".ace_editor, [contenteditable], [role=textbox]")) return;
  if (!dialog.open && document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (dialog.open) dialog.close();
  else openPalette();
});
