// The upload page with scripts: drop a file, see the bytes go, read the error without losing the form.
import { announce, filled } from "./page.js";

const form = document.getElementById("upload-form");
const zone = form.querySelector(".dropzone");
const file = form.querySelector('input[type="file"]');
const chosen = document.getElementById("upload-chosen");
const button = form.querySelector('button[type="submit"]');
const status = document.getElementById("upload-status");
const bar = status.querySelector("progress");
const words = document.getElementById("upload-words");
const problem = document.getElementById("upload-problem");
const cancel = document.getElementById("upload-cancel");
const limit = Number(form.dataset.limitBytes);
const units = form.dataset.units.split(" ");
const said = form.dataset;

const size = (bytes) => {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(unit ? 1 : 0)} ${units[unit]}`;
};

const complain = (text) => {
  problem.querySelector("p").textContent = text;
  problem.hidden = !text;
  if (text) announce(text);
};

const checked = () => {
  const picked = file.files[0];
  chosen.textContent = picked ? filled(said.saysChosen, { name: picked.name, size: size(picked.size) }) : "";
  const tooLarge = picked && picked.size > limit;
  complain(tooLarge ? filled(said.saysTooLarge, { name: picked.name, size: size(picked.size) }) : "");
  return !tooLarge;
};

file.addEventListener("change", checked);

for (const name of ["dragenter", "dragover"]) {
  zone.addEventListener(name, (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
}
zone.addEventListener("dragleave", (event) => {
  if (!zone.contains(event.relatedTarget)) zone.classList.remove("over");
});
zone.addEventListener("drop", (event) => {
  event.preventDefault();
  zone.classList.remove("over");
  if (event.dataTransfer.files.length !== 1) {
    complain(said.saysOneFile);
    return;
  }
  file.files = event.dataTransfer.files;
  checked();
});

const idle = () => {
  status.hidden = true;
  button.disabled = false;
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!checked()) return;
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (progress) => {
    if (!progress.lengthComputable) return;
    const percent = Math.floor((100 * progress.loaded) / progress.total);
    bar.value = percent;
    words.textContent = filled(said.saysSent, { sent: size(progress.loaded), size: size(progress.total), percent });
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    words.textContent = said.saysAllSent;
  });
  request.addEventListener("load", () => {
    if (request.status === 201) {
      location.assign(request.response.location);
      return;
    }
    idle();
    complain(request.response?.error ?? filled(said.saysAnswered, { status: request.status }));
    problem.focus();
  });
  request.addEventListener("error", () => {
    idle();
    complain(said.saysBroken);
    problem.focus();
  });
  request.addEventListener("abort", () => {
    idle();
    complain(said.saysCancelled);
  });
  cancel.onclick = () => request.abort();
  bar.value = 0;
  words.textContent = said.saysStarting;
  status.hidden = false;
  button.disabled = true;
  announce(said.saysStarted);
  request.send(new FormData(form));
});
