// The help dialog, and the single keys of all pages. Whoever speaks to the machine, or types where no field is, can turn
// the keys off; the choice stays in this browser.

const STORED = "berth-keys";
const PATIENCE_MS = 1_500;

const opener = document.querySelector("[data-help]");
const dialog = document.getElementById("help");
const content = document.getElementById("help-content");
const field = document.querySelector(".site-search input");
let isLoaded = false;
let wentAt = 0;

const isOff = () => {
  try {
    return localStorage.getItem(STORED) === "off";
  } catch {
    return false; // Storage is forbidden in this browser: the choice lasts as long as the page.
  }
};
let areKeysOff = isOff();

const showChoice = () => {
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

// On the page of the help itself everything stands there already.
const isHere = opener?.pathname === location.pathname;

const openHelp = async () => {
  if (dialog.open || isHere) return;
  dialog.showModal();
  if (isLoaded) return;
  try {
    await window.htmx.ajax("GET", opener.href, { target: content, swap: "innerHTML" });
    isLoaded = content.querySelector("section") !== null;
  } catch {
    // Said below.
  }
  if (!isLoaded) content.textContent = content.dataset.saysUnread;
  showChoice();
};

if (opener && !isHere) {
  opener.setAttribute("role", "button");
  opener.setAttribute("aria-haspopup", "dialog");
  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openHelp();
  });
  opener.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    openHelp();
  });
}

const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=textbox]") !== null;

document.addEventListener("keydown", (event) => {
  if (areKeysOff || event.defaultPrevented || event.repeat || event.isComposing) return;
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
  if (event.key === "/" && field) {
    event.preventDefault();
    field.focus();
    field.select();
  } else if (event.key === "?" && opener && !isHere) {
    event.preventDefault();
    openHelp();
  } else if (event.key === "g") wentAt = event.timeStamp;
});
