// What every page needs: menus that close, dialogs that open, and a spoken word about swapped results.

// The server tells times in the reader's zone.
document.cookie = `berth-zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`;

const openMenus = () => document.querySelectorAll("details.menu[open]");
document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.target.closest("details.menu[open]");
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("focusout", (event) => {
  for (const menu of openMenus()) {
    if (menu.contains(event.target) && event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  }
});

for (const opener of document.querySelectorAll("[data-opens]")) {
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById(opener.dataset.opens).showModal();
  });
}
for (const closer of document.querySelectorAll("dialog [data-closes]")) {
  closer.addEventListener("click", () => closer.closest("dialog").close());
}

// The announcer is short text only: a live table would read out every row.
const announcer = document.getElementById("announcer");
export const announce = (text) => {
  announcer.textContent = text;
};
// A sentence of the server's with values in its {holes}.
export const filled = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
document.addEventListener("htmx:afterSwap", (event) => {
  const spoken = event.detail.target.querySelector("[data-announce]");
  if (spoken) announce(spoken.textContent.trim().replace(/\s+/g, " "));
});

// An update that fails: what went wrong stays on the page until the same part is updated, or somebody dismisses it.
const banner = document.getElementById("update-failed");
const retry = banner.querySelector("[data-retry]");
let failed = null;

const sentenceFor = (status) => {
  const kind = status === 0 ? "silent" : status === 429 ? "limit" : "status";
  for (const each of banner.querySelectorAll("[data-failure]")) each.hidden = each.dataset.failure !== kind;
  const said = banner.querySelector(`[data-failure="${kind}"]`);
  for (const number of said.querySelectorAll("[data-status]")) number.textContent = status;
  return said.textContent.trim().replace(/\s+/g, " ");
};

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, ({ detail }) => {
    failed = detail;
    // What changes something is not sent twice.
    retry.hidden = detail.requestConfig.verb !== "get";
    announce(sentenceFor(detail.xhr.status));
    banner.hidden = false;
  });
}
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (failed && (detail.elt === failed.elt || detail.target === failed.target)) banner.hidden = true;
});
retry.addEventListener("click", () => {
  const { elt: source, target, requestConfig } = failed;
  if (source.isConnected && target.isConnected) window.htmx.ajax("get", requestConfig.path, { source, target });
  else location.reload();
});
banner.querySelector("[data-reload]").addEventListener("click", () => location.reload());
banner.querySelector("[data-dismiss]").addEventListener("click", () => {
  banner.hidden = true;
});
