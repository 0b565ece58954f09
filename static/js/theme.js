// Sets the theme before first paint; loaded without defer on purpose, and therefore kept tiny.
// "auto" follows the system. Printing always uses the light theme, which is made for paper.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("berth-theme") ?? "auto";
    } catch {
      return "auto"; // Storage is forbidden in this browser: follow the system.
    }
  };
  let choice = stored();

  const show = (theme) => {
    if (root.dataset.bsTheme === theme) return;
    root.dataset.bsTheme = theme;
    root.dispatchEvent(new CustomEvent("berth:theme", { bubbles: true }));
  };
  const wanted = () => (choice === "auto" ? (system.matches ? "dark" : "light") : choice);
  const apply = () => show(wanted());

  root.classList.add("js");
  apply();
  system.addEventListener("change", apply);
  addEventListener("storage", () => { choice = stored(); apply(); });
  addEventListener("beforeprint", () => show("light"));
  addEventListener("afterprint", apply);

  addEventListener("DOMContentLoaded", () => {
    for (const input of document.querySelectorAll(".theme-switch input")) {
      input.checked = input.value === choice;
      input.addEventListener("change", () => {
        choice = input.value;
        try {
          localStorage.setItem("berth-theme", choice);
        } catch {
          // The choice then lasts until the next page.
        }
        apply();
      });
    }
  });
})();
