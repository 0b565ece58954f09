// The help dialog: static/js/keys.js has the keys that it tells of.
import { onKey, showChoice } from "./keys.js";

const opener = document.querySelector("[data-help]");
const dialog = document.getElementById("help");
const content = document.getElementById("help-content");
let isLoaded = false;

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
  onKey("?", () => void openHelp());
}
