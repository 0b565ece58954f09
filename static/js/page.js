// What every page needs: menus that close, dialogs that open, and a spoken word about swapped results.

for (const menu of document.querySelectorAll("details.menu")) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
}

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
document.addEventListener("htmx:afterSwap", (event) => {
  const spoken = event.detail.target.querySelector("[data-announce]");
  if (spoken) announce(spoken.textContent.trim().replace(/\s+/g, " "));
});
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, () => announce("The page could not be updated. Check the connection and try again."));
}
