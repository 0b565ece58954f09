// A picture of nodes: zones, their nodes, and while there are few the pods inside of them. Its columns stand in a JSON
// block inside of it, or it asks for them once the page stands and again when the zones beside it name another revision;
// all words come with them.
import { filled } from "./page.js";
import { draw, readColours } from "./picture-drawing.js";
import { arrange, above } from "./picture-layout.js";

// A live cluster may change many times a second; a picture of 5,000 nodes is some 30 KB.
const PAUSE_MS = 2_000;

const start = (root) => {
  const part = (name) => root.querySelector(`[data-picture-${name}]`);
  const stage = part("stage");
  const canvas = stage.querySelector("canvas");
  const cursor = stage.querySelector(".picture-cursor");
  const facts = stage.querySelector(".picture-facts");
  let data = null;
  let layout = null;
  let shade = root.dataset.shade;
  // The node and, inside of it, the pod that is pointed at or was gone to by keyboard: numbers, -1 for none.
  let at = { node: -1, pod: -1 };
  let isWaiting = 0;
  const pause = Number(root.dataset.picturePause ?? PAUSE_MS);

  // -- drawing --------------------------------------------------------------------------------------------------------

  const paint = () => {
    if (!layout) return;
    const kin = at.pod < 0 || !data.pods.workloads[data.pods.workload[at.pod]] ? -1 : data.pods.workload[at.pod];
    draw(canvas, data, layout, { shade, kin, colours: readColours() });
  };
  // Several reasons to draw in one frame make one drawing.
  let frame = 0;
  const repaint = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      paint();
    });
  };
  const rearrange = () => {
    if (!data || !stage.clientWidth) return;
    layout = arrange(data, stage.clientWidth, shade);
    stage.style.height = `${layout.height}px`;
    paint();
    point(at.node < data.nodes.name.length ? at : { node: -1, pod: -1 });
  };

  // -- what is pointed at ---------------------------------------------------------------------------------------------

  const lines = ({ node, pod }) => {
    const { nodes, sizes, zones, says } = data;
    const name = nodes.name[node];
    const state = data.nodeStates[nodes.state[node]][1];
    const zone = zones[layout.cells[node].zone].name;
    const where = state ? filled(says.where, { zone, state }) : zone;
    if (nodes.text) return [name, where, nodes.text[node]];
    if (pod < 0) {
      const [cpu, memory, , , places] = sizes[nodes.size[node]];
      return [
        name,
        where,
        filled(says.cpu, { percent: nodes.cpu[node], allocatable: cpu }),
        filled(says.memory, { percent: nodes.memory[node], allocatable: memory }),
        filled(says.pods, { pods: nodes.pods[node], most: places }),
      ];
    }
    const { pods } = data;
    const [cpu, memory] = pods.shapes[pods.shape[pod]];
    return [
      `${pods.namespaces[pods.namespace[pod]]}/${pods.name[pod]}`,
      pods.workloads[pods.workload[pod]] || says.noController,
      filled(says.requests, { cpu, memory }),
      filled(says.on, { state: data.podStates[pods.state[pod]][1], node: name }),
    ];
  };
  const address = ({ node, pod }) => {
    if (pod < 0) return `${root.dataset.nodes}${encodeURIComponent(data.nodes.name[node])}/`;
    const { pods } = data;
    const words = [pods.namespaces[pods.namespace[pod]], pods.name[pod]].map(encodeURIComponent);
    return `${root.dataset.pods}${words.join("/")}/`;
  };
  const paragraphs = (to) => lines(to).map((line) => Object.assign(document.createElement("p"), { textContent: line }));
  const boxOf = ({ node, pod }) => (pod < 0 ? layout.cells[node] : layout.pods[pod]);

  const show = (element, isShown) => {
    element.hidden = !isShown;
  };
  const point = (to) => {
    const isOther = to.pod !== at.pod;
    at = to;
    stage.classList.toggle("on-something", at.node >= 0);
    show(cursor, at.node >= 0);
    show(facts, at.node >= 0);
    if (isOther && data?.pods) repaint();
    if (at.node < 0) return;
    const box = boxOf(at);
    Object.assign(cursor.style, {
      left: `${box.x - 2}px`,
      top: `${box.y - 2}px`,
      width: `${box.w + 4}px`,
      height: `${box.h + 4}px`,
    });
    facts.replaceChildren(...paragraphs(at));
    const below = box.y + box.h + 8;
    const isBelow = below + facts.offsetHeight <= Math.max(layout.height, box.y);
    Object.assign(facts.style, {
      left: `${Math.max(0, Math.min(box.x, stage.clientWidth - facts.offsetWidth))}px`,
      top: `${isBelow ? below : Math.max(0, box.y - facts.offsetHeight - 8)}px`,
    });
  };
  const open = (to, isAside) => {
    if (isAside) window.open(address(to), "_blank", "noopener");
    else location.assign(address(to));
  };

  const under = (event) => {
    const frameBox = stage.getBoundingClientRect();
    return layout ? layout.find(event.clientX - frameBox.left, event.clientY - frameBox.top) : { node: -1, pod: -1 };
  };
  const isSame = (one, other) => one.node === other.node && one.pod === other.pod;
  stage.addEventListener("pointermove", (event) => {
    const found = under(event);
    if (event.pointerType !== "touch" && !isSame(found, at)) point(found);
  });
  stage.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch" && document.activeElement !== stage) point({ node: -1, pod: -1 });
  });
  let touched = false;
  stage.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
  });
  stage.addEventListener("click", (event) => {
    const found = under(event);
    // Fingers do not hover: the first touch tells, the second one goes.
    const isTold = !touched || isSame(found, at);
    if (!isSame(found, at)) point(found);
    if (found.node >= 0 && isTold) open(found, event.ctrlKey || event.metaKey);
  });
  stage.addEventListener("auxclick", (event) => {
    const found = under(event);
    if (event.button === 1 && found.node >= 0) open(found, true);
  });

  // -- by keyboard ----------------------------------------------------------------------------------------------------

  const speak = () => {
    part("spoken").replaceChildren(...(at.node < 0 ? [] : paragraphs(at)));
  };
  const podsOf = (node) => [layout.firstPod[node], layout.firstPod[node + 1] - 1];
  const among = (key) => {
    const [first, last] = podsOf(at.node);
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    if (key === "Home") return { node: at.node, pod: first };
    if (key === "End") return { node: at.node, pod: last };
    if (step) return { node: at.node, pod: Math.min(last, Math.max(first, at.pod + step)) };
    return key === "Escape" ? { node: at.node, pod: -1 } : null;
  };
  const along = (key) => {
    const last = data.nodes.name.length - 1;
    const node = Math.max(0, at.node);
    const to = {
      ArrowLeft: () => Math.max(0, node - 1),
      ArrowRight: () => Math.min(last, node + 1),
      ArrowUp: () => above(layout, node, -1),
      ArrowDown: () => above(layout, node, 1),
      Home: () => 0,
      End: () => last,
    }[key];
    if (to) return { node: to(), pod: -1 };
    if (key === " " && layout.pods.length) {
      const [first, end] = podsOf(node);
      return end >= first ? { node, pod: first } : { node, pod: -1 };
    }
    return key === "Escape" ? { node: -1, pod: -1 } : null;
  };
  stage.addEventListener("keydown", (event) => {
    if (!layout?.cells.length || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && at.node >= 0) {
      open(at, false);
      return;
    }
    const to = at.pod >= 0 ? among(event.key) : along(event.key);
    if (!to) return;
    event.preventDefault();
    point(to);
    speak();
    if (!cursor.hidden) cursor.scrollIntoView({ block: "nearest" });
  });
  stage.addEventListener("focus", () => {
    if (!layout?.cells.length || at.node >= 0 || !stage.matches(":focus-visible")) return;
    point({ node: 0, pod: -1 });
    speak();
  });
  stage.addEventListener("blur", () => point({ node: -1, pod: -1 }));

  // -- what is shaded -------------------------------------------------------------------------------------------------

  const legend = () => {
    const hasPods = layout?.pods.length > 0;
    for (const element of root.querySelectorAll("[data-legend]")) {
      const { legend: of } = element.dataset;
      show(element, of === "pods" ? hasPods : (of === "state") === (shade === "state") && !(of === "share" && hasPods));
    }
  };
  for (const link of root.querySelectorAll("[data-shade-of]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      shade = link.dataset.shadeOf;
      for (const other of root.querySelectorAll("[data-shade-of]")) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
      history.replaceState(history.state, "", link.href);
      rearrange();
      legend();
    });
  }

  // -- what is drawn --------------------------------------------------------------------------------------------------

  const take = (columns) => {
    const name = at.node < 0 ? null : data.nodes.name[at.node];
    data = columns;
    // The node that was pointed at may stand elsewhere now, and its pods may have changed places.
    at = { node: name === null ? -1 : data.nodes.name.indexOf(name), pod: -1 };
    show(part("wait"), false);
    rearrange();
    legend();
  };

  // A part of the page that is swapped takes its picture with it.
  const gone = new AbortController();
  const onDocument = (name, act) => {
    document.addEventListener(name, () => (root.isConnected ? act() : gone.abort()), { signal: gone.signal });
  };
  onDocument("berth:theme", paint);
  new ResizeObserver(() => {
    if (layout?.width !== stage.clientWidth) rearrange();
  }).observe(stage);
  const held = root.querySelector('script[type="application/json"]');
  if (held) {
    take(JSON.parse(held.textContent));
    return;
  }

  let asked = "";
  const load = async () => {
    const wanted = document.querySelector("[data-picture-revision]")?.dataset.pictureRevision ?? "";
    asked = wanted;
    try {
      const response = await fetch(root.dataset.picture, { headers: { Accept: "application/json" } });
      if (response.status === 401 || response.redirected) location.reload();
      if (!response.ok) throw new Error(`${response.status}`);
      take(await response.json());
      show(part("problem"), false);
      root.dataset.drawn = data.revision;
    } catch (error) {
      console.warn(`picture: ${error.message}`);
      show(part("wait"), false);
      show(part("problem"), true);
    }
  };
  const look = () => {
    const told = document.querySelector("[data-picture-revision]")?.dataset.pictureRevision;
    if (told === asked || isWaiting || document.hidden) return;
    isWaiting = setTimeout(() => {
      isWaiting = 0;
      load().then(look);
    }, pause);
  };

  new MutationObserver(look).observe(root.parentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["data-picture-revision"],
  });
  onDocument("visibilitychange", look);
  part("problem").querySelector("button").addEventListener("click", load);
  load();
};

// A page may stand before the cluster is read.
const begin = () => {
  for (const root of document.querySelectorAll("[data-picture]:not([data-begun])")) {
    root.dataset.begun = "";
    start(root);
  }
};
begin();
document.addEventListener("htmx:afterSettle", begin);
