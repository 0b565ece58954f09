// The question of a lesson: nodes are chosen on the map as well as in the list, and things are put in order without
// asking the server. Without this script the list and its buttons do all of it.
import { announce, filled } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";

// -- nodes on the map -----------------------------------------------------------------------------------------------------

const inputOf = (form, name) => form.querySelector(`input[name="answer"][value="${CSS.escape(name)}"]`);

// Where a node's tile is in each drawing, and a ring around it.
const ringsOf = (map, data) => {
  const rings = new Map();
  for (const [name, { tile, pools }] of Object.entries(data.layouts)) {
    const svg = map.querySelector(`.${name} svg`);
    data.pools.forEach(([, begin, end, names], pool) => {
      const [left, top, columns] = pools[pool];
      names.split(" ").forEach((middle, number) => {
        const ring = document.createElementNS(SVG, "rect");
        const [x, y] = [left + (number % columns) * tile[0], top + Math.floor(number / columns) * tile[1]];
        const box = { x: x - 1.5, y: y - 1.5, width: tile[0] - tile[2] + 3, height: tile[1] - tile[2] + 3, rx: 4 };
        for (const [key, value] of Object.entries(box)) ring.setAttribute(key, value);
        ring.setAttribute("class", "map-ring map-ring-chosen");
        const node = `${begin}${middle}${end}`;
        rings.set(node, [...(rings.get(node) ?? []), [svg, ring]]);
      });
    });
  }
  return rings;
};

const chooseOnMap = (form, map) => {
  const rings = ringsOf(map, JSON.parse(map.querySelector('script[type="application/json"]').textContent));
  const draw = () => {
    for (const [name, drawn] of rings) {
      const isChosen = inputOf(form, name)?.checked ?? false;
      for (const [svg, ring] of drawn) isChosen ? svg.append(ring) : ring.remove();
    }
  };
  form.addEventListener("change", draw);
  map.addEventListener("berth:node", (event) => {
    event.preventDefault();
    const { name } = event.detail;
    const input = inputOf(form, name);
    if (input === null) {
      // A question about every node has a field for each.
      [...form.querySelectorAll("select[data-node]")].find((each) => each.dataset.node === name)?.focus();
      return;
    }
    input.checked = !input.checked;
    draw();
    announce(`${name}: ${input.checked ? form.dataset.saysChosen : form.dataset.saysNotChosen}`);
  });
  draw();
};

// -- order ----------------------------------------------------------------------------------------------------------------

const putInOrder = (list) => {
  const tell = (item) => {
    const places = [...list.children];
    const values = { name: item.dataset.name, place: places.indexOf(item) + 1, places: places.length };
    announce(filled(list.dataset.saysMoved, values));
  };

  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const [, how] = button?.value.split(":") ?? [];
    const item = button?.closest("li");
    if (how !== "up" && how !== "down") return;
    event.preventDefault();
    const other = how === "up" ? item.previousElementSibling : item.nextElementSibling;
    if (other === null) return;
    if (how === "up") other.before(item);
    else other.after(item);
    button.focus();
    tell(item);
  });

  let dragged = null;
  for (const item of list.children) {
    item.draggable = true;
    item.addEventListener("dragstart", (event) => {
      dragged = item;
      event.dataTransfer.effectAllowed = "move";
      item.classList.add("is-dragged");
    });
    item.addEventListener("dragend", () => {
      item.classList.remove("is-dragged");
      tell(item);
      dragged = null;
    });
    item.addEventListener("dragover", (event) => {
      if (dragged === null || dragged === item) return;
      event.preventDefault();
      const { top, height } = item.getBoundingClientRect();
      if (event.clientY < top + height / 2) item.before(dragged);
      else item.after(dragged);
    });
  }
};

// -- forms ----------------------------------------------------------------------------------------------------------------

const begin = () => {
  for (const form of document.querySelectorAll("form[data-lesson]:not([data-begun])")) {
    form.dataset.begun = "";
    const map = form.querySelector("[data-verdict-map]");
    if (map !== null) chooseOnMap(form, map);
    const list = form.querySelector("[data-ordered]");
    if (list !== null) putInOrder(list);
  }
};
begin();
// A led class is brought another step.
document.addEventListener("berth:replaced", begin);
