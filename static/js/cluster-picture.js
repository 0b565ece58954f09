// A picture of nodes: zones, their nodes, and while there are few the pods inside of them. Its columns stand in a JSON
// block inside of it, or it asks for them once the page stands and again when the zones beside it name another revision;
// all words come with them.
import { filled } from "./page.js";
import { draw, readColours } from "./picture-drawing.js";
import { arrange, above } from "./picture-layout.js";
import { pointing } from "./picture-pointing.js";

// A live cluster may change many times a second; a picture of 5,000 nodes is some 30 KB.
const PAUSE_MS = 2_000;
// The list of nodes has so many on a page, and calls it a dash where nodes have no zone.
const ROWS_PER_PAGE = 50;
const NO_ZONE = "-";

const start = (root) => {
  const part = (name) => root.querySelector(`[data-picture-${name}]`);
  const stage = part("stage");
  const canvas = stage.querySelector("canvas");
  let data = null;
  let layout = null;
  let shade = root.dataset.shade;
  let isWaiting = 0;
  const pause = Number(root.dataset.picturePause ?? PAUSE_MS);

  // -- drawing --------------------------------------------------------------------------------------------------------

  const paint = () => {
    if (!layout) return;
    const pod = pointer.at?.pod ?? -1;
    const kin = pod < 0 || !data.pods.workloads[data.pods.workload[pod]] ? -1 : data.pods.workload[pod];
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
    pointer.point(pointer.at);
  };

  // -- what is pointed at ---------------------------------------------------------------------------------------------

  const lines = ({ node, pod }) => {
    const { nodes, sizes, zones, says } = data;
    const first = nodes.name[node];
    const name = data.each > 1 ? filled(data.named, { first, last: nodes.last[node] }) : first;
    const state = data.nodeStates[nodes.state[node]][1];
    const zone = zones[layout.cells[node].zone].name;
    const where = state ? filled(says.where, { zone, state }) : zone;
    const together = data.together ? [data.together] : [];
    if (nodes.text) return [name, where, nodes.text[node], ...together];
    if (pod < 0) {
      const [cpu, memory, , , places] = sizes[nodes.size[node]];
      return [
        name,
        where,
        filled(says.cpu, { percent: nodes.cpu[node], allocatable: cpu }),
        filled(says.memory, { percent: nodes.memory[node], allocatable: memory }),
        filled(says.pods, { pods: nodes.pods[node], most: places }),
        ...together,
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
  // Nodes that are drawn together are on one page of the list, where the picture has one.
  const listed = (cell) => {
    const url = new URL(root.dataset.list, location.href);
    const { zone } = layout.cells[cell];
    const before = cell - layout.cells.findIndex((each) => each.zone === zone);
    url.searchParams.set("zone", data.zones[zone].zone || NO_ZONE);
    url.searchParams.set("page", 1 + Math.floor((before * data.each) / ROWS_PER_PAGE));
    return url.href;
  };
  const address = ({ node, pod }) => {
    if (data.each > 1) return root.dataset.list ? listed(node) : null;
    if (pod < 0) return `${root.dataset.nodes}${encodeURIComponent(data.nodes.name[node])}/`;
    const { pods } = data;
    const words = [pods.namespaces[pods.namespace[pod]], pods.name[pod]].map(encodeURIComponent);
    return `${root.dataset.pods}${words.join("/")}/`;
  };
  const show = (element, isShown) => {
    element.hidden = !isShown;
  };
  const boxOf = ({ node, pod }) => (pod < 0 ? layout.cells[node] : layout.pods[pod]);
  const open = (to, isAside) => {
    const url = address(to);
    if (url === null) return;
    if (isAside) window.open(url, "_blank", "noopener");
    else location.assign(url);
  };

  // -- by keyboard: along the nodes, and along the pods of one ---------------------------------------------------------

  const podsOf = (node) => [layout.firstPod[node], layout.firstPod[node + 1] - 1];
  const among = (key, { node, pod }) => {
    const [first, last] = podsOf(node);
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
    if (key === "Home") return { node, pod: first };
    if (key === "End") return { node, pod: last };
    if (step) return { node, pod: Math.min(last, Math.max(first, pod + step)) };
    return key === "Escape" ? { node, pod: -1 } : undefined;
  };
  const along = (key, { node }) => {
    const last = data.nodes.name.length - 1;
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
    return key === "Escape" ? null : undefined;
  };
  const pointer = pointing(stage, part("spoken"), {
    find: (x, y) => layout?.find(x, y) ?? null,
    boxOf,
    isSame: (one, other) => one.node === other.node && one.pod === other.pod,
    lines,
    move: (key, to) => (to.pod >= 0 ? among(key, to) : along(key, to)),
    first: () => (layout?.cells.length ? { node: 0, pod: -1 } : null),
    open,
    onPoint: (to, before) => {
      if (data?.pods && (to?.pod ?? -1) !== (before?.pod ?? -1)) repaint();
    },
  });

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
    const name = pointer.at === null ? null : data.nodes.name[pointer.at.node];
    pointer.point(null);
    data = columns;
    layout = null;
    show(part("wait"), false);
    rearrange();
    // The node that was pointed at may stand elsewhere now, and its pods may have changed places.
    const node = name === null ? -1 : data.nodes.name.indexOf(name);
    if (node >= 0) pointer.point({ node, pod: -1 });
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
    // Whoever plays moments one after the other waits until one can be seen.
    root.dispatchEvent(new CustomEvent("berth:drawn", { bubbles: true }));
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
