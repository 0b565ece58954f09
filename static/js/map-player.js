// Plays a map of nodes: step by step keys drop out, then those that are left are shaded by what ranks them, until the map
// stands as it is. It changes whole paths, never a node by itself, so that thousands of nodes play as smoothly as a few.

import { placesOf, turning } from "./map-turns.js";

const STEP_MS = 1_400;
// Somebody who goes on at once asks for nothing.
const PATIENCE_MS = 200;
const SHADES = 5;
const SVG = "http://www.w3.org/2000/svg";

export const toggled = (button, isOn, says) => {
  button.setAttribute("aria-label", isOn ? says.on : says.off);
  button.classList.toggle("is-playing", isOn);
};

// One tab stop for several things that arrow keys lead along.
export const roving = (items, onMove) => {
  let at = 0;
  const choose = (to, isFocused) => {
    items[at].tabIndex = -1;
    at = to;
    items[at].tabIndex = 0;
    if (isFocused) items[at].focus({ preventScroll: true });
  };
  items.forEach((item, number) => {
    item.tabIndex = number === 0 ? 0 : -1;
    item.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(Math.max(0, Math.min(items.length - 1, to)), true);
      onMove?.(items[at]);
    });
    item.addEventListener("focus", () => choose(items.indexOf(item), false));
  });
  return choose;
};

// -- what is painted ------------------------------------------------------------------------------------------------------

// The shades of a step as paths in the grids of the tiles: five for each grid, made when they are first needed.
const shadedTiles = (svg, data, layout, nodes) => {
  const groups = [...svg.querySelectorAll(".map-tiles:not(.map-veils)")];
  const places = placesOf(layout, nodes);
  const made = groups.map(() => []);
  return (shades) => {
    const runs = groups.map(() => Array.from({ length: SHADES + 1 }, () => []));
    if (shades) {
      places.forEach(([frame, column, row], node) => {
        const shade = Number(shades[node]);
        if (shade) runs[frame][shade].push(`M${column} ${row}h1`);
      });
    }
    groups.forEach((group, frame) => {
      for (let shade = 1; shade <= SHADES; shade += 1) {
        const d = runs[frame][shade].join("");
        if (!d && !made[frame][shade]) continue;
        made[frame][shade] ??= group.appendChild(document.createElementNS(SVG, "path"));
        made[frame][shade].setAttribute("stroke", `url(#${svg.dataset.paints}-${data.shaded}-${shade})`);
        made[frame][shade].setAttribute("d", d);
      }
    });
  };
};

// The same in bars: the stretch of the nodes that are left, divided by how many nodes have each shade.
const shadedBars = (svg, data) => {
  const bars = [...svg.querySelectorAll(".map-bars > g")].map((group) => {
    const parts = [...group.querySelectorAll("[data-nodes]")].filter((part) => Number(part.dataset.key) <= data.shaded);
    const [first] = parts;
    // What bears a sign is moved to its place.
    const place = first?.getAttribute("transform") ?? first?.getAttribute("d") ?? "0";
    const width = parts.reduce((sum, part) => sum + Number(part.getAttribute("d").split("h")[1]), 0);
    return { group, left: Number(/[\d.]+/.exec(place)), width, made: [] };
  });
  return (counted) => {
    bars.forEach(({ group, left, width, made }, bar) => {
      const counts = counted?.[bar] ?? [];
      const all = counts.reduce((sum, count) => sum + count, 0);
      let at = left;
      // The best stand first, as in the bar itself.
      for (let shade = SHADES; shade >= 1; shade -= 1) {
        const long = all ? (width * counts[shade - 1]) / all : 0;
        if (!long && !made[shade]) continue;
        made[shade] ??= group.insertBefore(document.createElementNS(SVG, "path"), group.querySelector("text"));
        made[shade].setAttribute("stroke", `url(#${svg.dataset.paints}-${data.shaded}-${shade})`);
        made[shade].setAttribute("d", long ? `M${at.toFixed(1)} 0h${long.toFixed(1)}` : "");
        at += long;
      }
    });
  };
};

const painting = (root, data, nodes) => {
  const drawings = [...root.querySelectorAll(".map-drawing")].map((svg) => {
    const layout = data.layouts?.[svg.closest(".wide") ? "wide" : "narrow"];
    const parts = [...svg.querySelectorAll("[data-key]")].map((part) => ({
      part,
      key: Number(part.dataset.key),
      stroke: part.getAttribute("stroke"),
      isPainted: part.matches("path:not(.map-veil)"),
    }));
    const turn = data.turns ? turning(svg, data, layout, nodes) : null;
    return { svg, parts, turn, shade: layout ? shadedTiles(svg, data, layout, nodes) : shadedBars(svg, data) };
  });
  const goneAt = new Map(data.steps.flatMap(({ gone }, step) => gone.map((key) => [key, step + 1])));
  const kept = data.turns?.kept ?? [];
  const end = data.steps.length;
  return (at) => {
    const step = at > 0 && at < end ? data.steps[at - 1] : null;
    root.classList.toggle("is-between", at < end);
    root.classList.toggle("shows-room", at === end || (step?.room ?? false));
    for (const { svg, parts, turn, shade } of drawings) {
      for (const { part, key, stroke, isPainted } of parts) {
        const gone = goneAt.get(key) ?? Infinity;
        const isOut = at < end && gone < at;
        const isOpen = at < end && gone > at && !kept.includes(key);
        part.classList.toggle("is-out", isOut);
        part.classList.toggle("is-replaced", isOpen && step?.shades != null);
        if (isPainted) part.setAttribute("stroke", isOpen ? `url(#${svg.dataset.paints}-left)` : stroke);
      }
      shade(step?.shades);
      turn?.(at, at === end);
    }
  };
};

// -- the player -----------------------------------------------------------------------------------------------------------

export const playing = (root, data, nodes) => {
  const controls = root.querySelector("[data-map-controls]");
  const scale = root.querySelector("[data-map-scale]");
  if (!controls || !scale) return;
  const caption = root.querySelector("[data-map-caption]");
  const about = caption.textContent;
  const buttons = Object.fromEntries([...controls.querySelectorAll("button")].map((each) => [each.dataset.mapAct, each]));
  const items = [...scale.querySelectorAll("[data-map-at]")];
  const stepOf = (at) => items.find((item) => item.matches(".map-step") && Number(item.dataset.mapAt) === at);
  const end = data.steps.length;
  const paint = painting(root, data, nodes);
  const says = { off: buttons.play.getAttribute("aria-label"), on: buttons.play.dataset.saysPause };
  const speeds = buttons.speed.dataset.speeds.split(" ").map(Number);
  let speed = speeds.indexOf(1);
  let at = end;
  let timer = 0;

  const panelOf = (item) => document.querySelector(item.getAttribute("href") ?? item.dataset.mapLink);
  const open = (panel) => {
    if (!panel) return;
    panel.parentElement.classList.add("is-scripted");
    for (const other of panel.parentElement.children) other.classList.toggle("is-shown", other === panel);
  };
  const tell = () => {
    const step = stepOf(at);
    const words = at === end ? about : at === 0 ? data.start : step.title;
    const name = at > 0 && at < end ? step.querySelector(".map-step-name").textContent : "";
    const strong = Object.assign(document.createElement("strong"), { textContent: name });
    caption.replaceChildren(...(name ? [strong, " ", words] : [words]));
  };
  // What the page shows of a step beside the map, where it shows more.
  const beside = root.querySelector("[data-map-answer]");
  let asking = 0;
  const ask = (address) => {
    clearTimeout(asking);
    if (!address || !beside) return;
    asking = setTimeout(() => window.htmx.ajax("GET", address, { source: scale, target: beside, swap: "innerHTML" }), PATIENCE_MS);
  };
  const show = (to, item) => {
    at = to;
    const current = item ?? stepOf(at) ?? items.find((each) => Number(each.dataset.mapAt) === at) ?? items.at(-1);
    for (const each of items) {
      const isCurrent = each === current && !(at === end && item === undefined);
      if (isCurrent) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
      each.classList.toggle("is-done", Number(each.dataset.mapAt) <= at);
    }
    paint(at);
    tell();
    ask(data.stepAt && stepOf(at) ? `${data.stepAt}${at}` : "");
    if (item !== undefined || at < end) open(panelOf(current));
    return current;
  };

  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    toggled(buttons.play, false, says);
  };
  const choose = roving(items, (item) => {
    pause();
    show(Number(item.dataset.mapAt), item);
  });
  const follow = (current) => choose(items.indexOf(current), scale.contains(document.activeElement));
  const advance = () => {
    follow(show(at + 1));
    if (at < end) timer = setTimeout(advance, STEP_MS / speeds[speed]);
    else pause();
  };
  const act = {
    play: () => {
      if (timer) {
        pause();
        return;
      }
      toggled(buttons.play, true, says);
      if (at === end) follow(show(0));
      timer = setTimeout(advance, STEP_MS / speeds[speed] / 2);
    },
    back: () => {
      pause();
      follow(show(Math.max(0, at - 1)));
    },
    forward: () => {
      pause();
      follow(show(at === end ? 0 : at + 1));
    },
    speed: () => {
      speed = (speed + 1) % speeds.length;
      buttons.speed.querySelector("[data-map-speed]").textContent = speeds[speed];
    },
  };
  for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", act[name]);
  roving(Object.values(buttons));
  controls.hidden = false;

  scale.setAttribute("role", "toolbar");
  for (const item of items) {
    item.setAttribute("role", "button");
    item.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      pause();
      choose(items.indexOf(item), true);
      show(Number(item.dataset.mapAt), item);
      // The address leads back to this point, without a leap on the page.
      if (item.hash) history.replaceState(history.state, "", item.hash);
      // Where the steps are folded, somebody who asks for one wants to see it.
      const folded = panelOf(item)?.closest("details");
      if (folded) folded.open = true;
    });
    item.addEventListener("keydown", (event) => {
      if (event.key === " ") act.play();
      else if (event.key === "Enter") item.click();
      else if (event.key === "+" && speed < speeds.length - 1) act.speed();
      else return;
      event.preventDefault();
    });
  }
  const asked = items.find((item) => item.hash && item.hash === location.hash);
  const leading = scale.querySelector(".is-leading > [data-map-at]");
  const first = asked ?? leading ?? items[0];
  choose(items.indexOf(first), false);
  // On narrow screens the scale scrolls sideways.
  scale.firstElementChild.scrollLeft = first.offsetLeft - first.offsetWidth / 2;
  if (asked) open(panelOf(asked));
  // An outcome plays once by itself; whoever wants no motion sees its end.
  if (root.hasAttribute("data-map-played") && !matchMedia("(prefers-reduced-motion: reduce)").matches) act.play();
};
