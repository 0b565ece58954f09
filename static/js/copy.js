// Buttons that copy what they stand beside, or the page's address, and say that they did.
import { announce } from "./page.js";

const SHOWN_MS = 2_000;

// Without TLS there is no clipboard for scripts but this one, and many reach Berth so within their network.
const copySelected = (text, beside) => {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  beside.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  beside.focus();
  return isCopied;
};

const copy = async (text, beside) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, beside);
  }
};

const textOf = (button) => {
  if ("copyAddress" in button.dataset) return location.href;
  return button.dataset.copy ?? button.closest(".copyable").querySelector("pre").textContent;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-beside], [data-copy-address]");
  if (!button) return;
  const isCopied = await copy(textOf(button), button);
  const said = isCopied ? button.dataset.saysCopied : button.dataset.saysFailed;
  button.dataset.copied = said;
  announce(said);
  setTimeout(() => {
    // Announced again when it is copied again.
    announce("");
    delete button.dataset.copied;
  }, SHOWN_MS);
});
