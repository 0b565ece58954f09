// The strip of time: its handles lead to a moment and to the one that it is compared with, a click leads there as well,
// and a stretch that is dragged over is zoomed into.
const KEPT = "berth-time";
const DRAGGED = 8;
// Keys come one after the other.
const PATIENCE_MS = 700;

const start = (strip) => {
  const begin = Number(strip.dataset.start);
  const whole = Number(strip.dataset.end) - begin;
  const track = strip.querySelector("[data-time-track]");
  const said = strip.querySelector("[data-time-said]");
  const handles = [...track.querySelectorAll("input[type=range]")];
  const [since, at] = handles;
  // As the server writes times.
  const clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: strip.dataset.zone });

  const date = (seconds) => new Date((begin + seconds) * 1000);
  const written = (seconds) => date(seconds).toISOString().replace(".000Z", "Z");
  const go = (changes, focused) => {
    const address = new URL(location.href);
    address.searchParams.delete("page");
    // A page of one moment leads elsewhere for the others.
    if ("at" in changes) address.pathname = new URL(strip.querySelector("form").action).pathname;
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ path: address.pathname, top: scrollY, focused }));
    } catch {
      // Storage is forbidden in this browser: the page begins at its top.
    }
    location.assign(address);
  };
  const zoom = (first, last) => go({ span: `${written(Math.round(first))}/${written(Math.round(last))}` });
  const say = (seconds) => {
    said.hidden = false;
    said.textContent = clock.format(date(seconds));
    said.style.insetInlineStart = `${(100 * seconds) / whole}%`;
  };

  // -- handles ----------------------------------------------------------------------------------------------------------

  let timer = 0;
  const leave = (handle) => {
    const seconds = Number(handle.value);
    const isEnd = whole - seconds < Number(handle.step);
    if (handle === since) go({ from: seconds === 0 || seconds >= Number(at.value) ? null : written(seconds) }, handle.id);
    else go({ at: isEnd && Number(strip.dataset.end) >= Number(strip.dataset.until) ? null : written(seconds) }, handle.id);
  };
  for (const handle of handles) {
    const tell = () => handle.setAttribute("aria-valuetext", clock.format(date(Number(handle.value))));
    let isByKey = false;
    handle.hidden = false;
    tell();
    handle.addEventListener("keydown", (event) => {
      isByKey = true;
      const factor = { "+": 0.5, "-": 2 }[event.key];
      if (!factor || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const half = (whole * factor) / 2;
      zoom(Number(handle.value) - half, Number(handle.value) + half);
    });
    handle.addEventListener("pointerdown", () => { isByKey = false; });
    handle.addEventListener("input", () => {
      clearTimeout(timer);
      tell();
      say(Number(handle.value));
    });
    handle.addEventListener("change", () => {
      clearTimeout(timer);
      timer = setTimeout(leave, isByKey ? PATIENCE_MS : 0, handle);
    });
    handle.addEventListener("blur", () => { said.hidden = true; });
  }

  // -- the track --------------------------------------------------------------------------------------------------------

  const selection = document.createElement("div");
  selection.className = "time-selection";
  selection.hidden = true;
  track.append(selection);
  const place = (event) => {
    const box = track.getBoundingClientRect();
    return (Math.min(box.width, Math.max(0, event.clientX - box.left)) / box.width) * whole;
  };
  let from = null;
  const end = () => {
    from = null;
    selection.hidden = true;
  };
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || handles.includes(event.target)) return;
    from = { seconds: place(event), x: event.clientX };
    track.setPointerCapture(event.pointerId);
  });
  track.addEventListener("pointermove", (event) => {
    if (handles.includes(event.target) && !from) return;
    const seconds = place(event);
    say(seconds);
    if (!from) return;
    selection.hidden = Math.abs(event.clientX - from.x) < DRAGGED;
    selection.style.insetInlineStart = `${(100 * Math.min(seconds, from.seconds)) / whole}%`;
    selection.style.inlineSize = `${(100 * Math.abs(seconds - from.seconds)) / whole}%`;
  });
  track.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [first, last] = [from.seconds, place(event)].sort((one, other) => one - other);
    const isDragged = !selection.hidden;
    end();
    if (isDragged) zoom(first, last);
    else go({ at: written(Math.round(last)) });
  });
  track.addEventListener("pointercancel", end);
  track.addEventListener("pointerleave", () => { said.hidden = true; });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });

  // -- where one was ----------------------------------------------------------------------------------------------------

  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    sessionStorage.removeItem(KEPT);
    if (kept?.path === location.pathname) {
      strip.querySelector("details").open = true;
      scrollTo(0, kept.top);
      if (kept.focused) document.getElementById(kept.focused)?.focus({ preventScroll: true });
    }
  } catch {
    // As above.
  }
};

const strip = document.getElementById("time-strip");
if (strip) start(strip);
