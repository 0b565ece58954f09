// The upload page with scripts: drop a file, see the bytes go, read the error without losing the form.
import { announce } from "./page.js";

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

const size = (bytes) => {
  const units = ["B", "KiB", "MiB", "GiB"];
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
  chosen.textContent = picked ? `${picked.name}, ${size(picked.size)}` : "";
  const tooLarge = picked && picked.size > limit;
  complain(
    tooLarge
      ? `${picked.name} is ${size(picked.size)}; this Berth takes files up to ${size(limit)}. ` +
          "Compress it with gzip, or leave out kinds that Berth does not read."
      : "",
  );
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
    complain("Drop one file at a time. Several files go into one .tar.gz archive.");
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
    words.textContent = `${size(progress.loaded)} of ${size(progress.total)} sent (${percent} %)`;
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    words.textContent = "All bytes sent. The server is taking the file over.";
  });
  request.addEventListener("load", () => {
    if (request.status === 201) {
      location.assign(request.response.location);
      return;
    }
    idle();
    complain(request.response?.error ?? `The server answered ${request.status}. Reload the page and try again.`);
    problem.focus();
  });
  request.addEventListener("error", () => {
    idle();
    complain("The connection broke before the file was through. Nothing was changed; try again.");
    problem.focus();
  });
  request.addEventListener("abort", () => {
    idle();
    complain("The upload was cancelled. Nothing was changed.");
  });
  cancel.onclick = () => request.abort();
  bar.value = 0;
  words.textContent = "Starting.";
  status.hidden = false;
  button.disabled = true;
  announce("Upload started.");
  request.send(new FormData(form));
});
