// The search in the head of the page, as a combobox: htmx brings the options, arrow keys choose, Enter opens.
// Without this script the field is a form that leads to a page.

const form = document.querySelector(".site-search");
const field = form.querySelector("input");
const panel = form.querySelector(".search-panel");
let chosen = -1;

const options = () => [...panel.querySelectorAll("[role=option]")];

const choose = (place) => {
  const all = options();
  all[chosen]?.setAttribute("aria-selected", "false");
  chosen = all.length ? (place + all.length) % all.length : -1;
  if (chosen < 0) field.removeAttribute("aria-activedescendant");
  else {
    all[chosen].setAttribute("aria-selected", "true");
    all[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", all[chosen].id);
  }
};

const show = (isShown) => {
  const isFilled = isShown && panel.childElementCount > 0 && field.value.trim() !== "";
  panel.hidden = !isFilled;
  const isList = isFilled && panel.querySelector("[role=listbox]") !== null;
  field.setAttribute("aria-expanded", String(isList));
  if (isList) field.setAttribute("aria-controls", "search-options");
  else field.removeAttribute("aria-controls");
  choose(isList ? 0 : -1);
};

field.setAttribute("role", "combobox");
field.setAttribute("aria-autocomplete", "list");
field.setAttribute("aria-expanded", "false");

// What is listed answers what was typed before; Enter must not open that.
let listed = null;
panel.addEventListener("htmx:afterSwap", (event) => {
  listed = event.detail.requestConfig?.parameters.q ?? null;
  chosen = -1;
  show(form.contains(document.activeElement));
});
field.addEventListener("input", () => {
  if (field.value.trim() === "") show(false);
});
field.addEventListener("focus", () => show(listed === field.value));
form.addEventListener("focusout", (event) => {
  if (!form.contains(event.relatedTarget)) show(false);
});
// A click must not take the focus away before it opens what it is on.
panel.addEventListener("mousedown", (event) => event.preventDefault());
panel.addEventListener("mousemove", (event) => {
  const place = options().indexOf(event.target.closest("[role=option]"));
  if (place >= 0 && place !== chosen) choose(place);
});

field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const isOpen = !panel.hidden;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (isOpen) choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    else show(listed === field.value);
  } else if (event.key === "Enter" && isOpen && chosen >= 0 && listed === field.value) {
    event.preventDefault();
    options()[chosen].click();
  } else if (event.key === "Escape" && isOpen) {
    event.preventDefault();
    show(false);
  } else if (event.key === "Escape" && field.value === "") field.blur();
});
