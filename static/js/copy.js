// Buttons that copy what they stand beside, the page's address, or a picture, and say that they did.
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

const say = (button, said) => {
  button.dataset.copied = said;
  announce(said);
  setTimeout(() => {
    // Announced again when it is copied again.
    announce("");
    delete button.dataset.copied;
  }, SHOWN_MS);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-beside], [data-copy-address]");
  if (!button) return;
  const isCopied = await copy(textOf(button), button);
  say(button, isCopied ? button.dataset.saysCopied : button.dataset.saysFailed);
});

// Chats take no SVG: the drawing becomes pixels, sharp enough for a dense screen.
const pixels = async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-copy-picture]");
  // Where there is no clipboard for pictures the link is a download.
  if (!link || !window.ClipboardItem || !navigator.clipboard?.write) return;
  event.preventDefault();
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": pixels(link.href) })]);
    say(link, link.dataset.saysCopied);
  } catch {
    location.assign(link.href);
  }
});
