// The single keys of all pages: which there are, and when they act. Whoever speaks to the machine, or types where no field
// is, can turn them off; the choice stays in this browser.

const STORED = "berth-keys";
const PATIENCE_MS = 1_500;

const isOff = () => {
  try {
    return localStorage.getItem(STORED) === "off";
  } catch {
    return false; // Storage is forbidden in this browser: the choice lasts as long as the page.
  }
};
let areKeysOff = isOff();

export const showChoice = () => {
  document.documentElement.classList.toggle("keys-off", areKeysOff);
  for (const box of document.querySelectorAll("[data-keys-switch]")) box.checked = !areKeysOff;
};

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-keys-switch]")) return;
  areKeysOff = !event.target.checked;
  try {
    localStorage.setItem(STORED, areKeysOff ? "off" : "on");
  } catch {
    // As above.
  }
  showChoice();
});
addEventListener("storage", (event) => {
  if (event.key !== STORED) return;
  areKeysOff = isOff();
  showChoice();
});
showChoice();

const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=textbox]") !== null;

// By key: what it does. It returns false where the key does nothing here, and is then left to the browser.
const actions = new Map();
export const onKey = (key, act) => actions.set(key, act);

let wentAt = 0;
document.addEventListener("keydown", (event) => {
  if (areKeysOff || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (event.timeStamp - wentAt < PATIENCE_MS && wentAt > 0) {
    wentAt = 0;
    const link = document.querySelector(`.sections a[data-go="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
      return;
    }
  }
  if (event.key === "g") {
    wentAt = event.timeStamp;
    return;
  }
  const act = actions.get(event.key);
  if (act && act(event) !== false) event.preventDefault();
});

// The list's own filter where the page has one, otherwise the search of the cluster; the hint stands at that field alone.
const filter = () => document.querySelector("#filters input[type=search]");
for (const hint of document.querySelectorAll(".site-search .key-hint")) hint.hidden = filter() !== null;
onKey("/", () => {
  const field = filter() ?? document.querySelector(".site-search input");
  if (!field) return false;
  field.focus();
  field.select();
});
