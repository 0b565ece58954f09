// What hovering over a time says, beside it: by a button in the foot of every page, or by a key. The choice stays in this browser.
import { onKey } from "./keys.js";
import { announce } from "./page.js";

const STORED = "berth-exact-times";
const button = document.querySelector("[data-exact-times]");

const isWanted = () => {
  try {
    return localStorage.getItem(STORED) === "on";
  } catch {
    return false; // Storage is forbidden in this browser: the choice lasts as long as the page.
  }
};

const show = (isExact) => {
  document.documentElement.classList.toggle("exact-times", isExact);
  button.setAttribute("aria-pressed", String(isExact));
};

const toggle = () => {
  const isExact = !document.documentElement.classList.contains("exact-times");
  try {
    localStorage.setItem(STORED, isExact ? "on" : "off");
  } catch {
    // As above.
  }
  show(isExact);
  announce(isExact ? button.dataset.saysExact : button.dataset.saysShort);
};

show(isWanted());
button.addEventListener("click", toggle);
onKey("t", () => toggle());
addEventListener("storage", (event) => {
  if (event.key === STORED) show(isWanted());
});
