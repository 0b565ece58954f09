// Asking on the map: a node is dragged out of it to be drained, a zone's name is its loss, a cause that is dragged to a node
// says what the node answers, and Escape takes the last change back. Links and forms do all of that without this module.

const FAR_PX = 8;

const card = () => document.getElementById("map-card");
const inside = (element, event) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
};

const ask = (change) => {
  const from = card().querySelector("[data-map-ask]").dataset.mapAsk;
  const address = `${from}${from.includes("?") ? "&" : "?"}change=${encodeURIComponent(JSON.stringify(change))}`;
  window.htmx.ajax("GET", address, { source: card(), target: card(), swap: "innerHTML" });
};
// Nothing is asked of the past.
const isAsked = () => card()?.querySelector("[data-map-ask]") != null;

// -- dragging -------------------------------------------------------------------------------------------------------------

// `begun` is what to do once it is a drag, `dropped` once it is over; both get the event. Fingers scroll instead.
const drag = (start, words, begun, dropped) => {
  let ghost = null;
  const over = () => {
    ghost?.remove();
    document.body.classList.remove("is-dragging");
    for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener, true);
  };
  const listeners = {
    pointermove: (event) => {
      if (ghost === null) {
        if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR_PX) return;
        ghost = Object.assign(document.createElement("div"), { className: "map-ghost", textContent: words });
        document.body.append(ghost);
        document.body.classList.add("is-dragging");
        begun(event);
      }
      ghost.style.translate = `${event.clientX + 12}px ${event.clientY + 12}px`;
    },
    pointerup: (event) => {
      const wasDragged = ghost !== null;
      over();
      if (!wasDragged) return;
      // The click that follows was none.
      const swallow = (click) => {
        click.preventDefault();
        click.stopPropagation();
      };
      document.addEventListener("click", swallow, { capture: true });
      setTimeout(() => document.removeEventListener("click", swallow, { capture: true }));
      setTimeout(() => dropped(event));
    },
    pointercancel: over,
    keydown: (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      over();
    },
  };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, true);
};

// What lies at a place of a map is known to its own module: it is clicked there.
const clickAt = (stage, event) => {
  const { clientX, clientY } = event;
  stage.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
};

document.addEventListener("berth:grab", ({ detail: { node, event, stage } }) => {
  if (!isAsked() || !card().contains(stage) || event.pointerType === "touch" || event.button !== 0) return;
  drag(
    event,
    node,
    () => {},
    (end) => {
      if (!inside(stage, end)) ask({ change: "drain-nodes", nodes: [node] });
    },
  );
});
document.addEventListener("pointerdown", (event) => {
  const cause = event.target.closest?.("[data-map-cause]");
  if (!cause || event.pointerType === "touch" || event.button !== 0) return;
  drag(
    event,
    cause.textContent,
    () => cause.click(),
    (end) => {
      const stage = card().querySelector("[data-map-stage]");
      if (stage && inside(stage, end)) clickAt(stage, end);
    },
  );
});

// -- zones, and the way back ----------------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const zone = event.target.closest?.("#map-card [data-zone]")?.dataset.zone;
  if (zone && isAsked()) ask({ change: "lose-zone", zone, how: "gone" });
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.target.closest?.(":is(input,textarea,select,dialog)")) return;
  card()?.querySelector("[data-map-undo]")?.click();
});

// -- what came, from its head -----------------------------------------------------------------------------------------------

document.addEventListener("htmx:afterSettle", ({ detail: { target, requestConfig } }) => {
  if (target !== card() && target.id !== "map-part") return;
  // What comes by itself takes nobody from where they read.
  if (requestConfig.elt.matches("[hx-trigger^=load]")) return;
  const refused = target.querySelector("[aria-invalid=true]");
  if (refused) refused.focus();
  else if (target.getBoundingClientRect().top < 0) target.scrollIntoView({ behavior: "instant" });
});

// -- the rail of lenses, which scrolls on narrow screens --------------------------------------------------------------------

const showLens = () => {
  const lens = card()?.querySelector(".lens-rail [aria-current]");
  const rail = lens?.closest("ul");
  if (rail) rail.scrollLeft = lens.offsetLeft + (lens.offsetWidth - rail.clientWidth) / 2;
};
showLens();
document.addEventListener("htmx:afterSettle", showLens);
