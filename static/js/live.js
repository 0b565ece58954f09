// Keeps the live parts of a page at the truth. A part is an element with data-live, the part's name, and
// data-live-cluster; what it shows depends on the page's address besides. One websocket brings the HTML of all of them.
import { connectionTo } from "./connection.js";
import { mark, morph } from "./morph.js";

const line = document.querySelector("[data-live-connection]");
const stateLine = document.querySelector("[data-live-state]");
const retry = document.querySelector("[data-live-retry]");

// By element: { name, cluster, page, id, topic, sequence, html, hasFailed }.
const parts = new Map();
let ids = 0;
let isLeaving = false;
let isStarted = false;

const here = () => location.pathname + location.search;
// As the server writes times.
const clock = (date) =>
  date.toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: line.dataset.liveTimeZone,
    timeZoneName: "short",
  });

// -- saying how it stands ---------------------------------------------------------------------------------------------

const say = () => {
  if (!line) return;
  line.hidden = parts.size === 0;
  const hasFailed = connection.state === "connected" && [...parts.values()].some((part) => part.hasFailed);
  const text = hasFailed ? line.dataset.saysFailed : connection.sentence(line.dataset, clock);
  line.dataset.liveConnection = hasFailed ? "lost" : connection.state;
  retry.hidden = connection.state !== "lost";
  if (stateLine.textContent !== text) stateLine.textContent = text;
};

// -- what arrives -----------------------------------------------------------------------------------------------------

const show = (element, part, html, isFirst) => {
  part.hasFailed = false;
  if (part.html === html) return;
  const changed = morph(element, html);
  part.html = html;
  window.htmx.process(element);
  element.dispatchEvent(new CustomEvent("berth:live", { bubbles: true }));
  // What was brought up to date because it was opened, or left for long, did not change under the reader's eyes.
  if (!isFirst && !document.hidden) mark(changed);
};

// What was live and is refused now: most likely the cluster has another name. What never was would be refused again.
const refuse = (part) => {
  if (part.html === null) part.hasFailed = true;
  else location.reload();
};

const partOf = (topic) => [...parts].find(([, part]) => part.topic === topic);

const hear = (message) => {
  if ("subscribed" in message) {
    const part = [...parts.values()].find(({ id }) => id === message.subscribed);
    if (part) Object.assign(part, { topic: message.topic, sequence: 0 });
    return;
  }
  if ("error" in message) {
    console.warn(`live: ${message.error}`);
    const part = [...parts.values()].find(({ id }) => id === message.id);
    if (part) refuse(part);
    return;
  }
  if ("gone" in message) {
    // Whoever just deleted it is on the way to another page.
    if (partOf(message.gone) && !isLeaving) location.reload();
    return;
  }
  const [element, part] = partOf(message.topic ?? message.failed) ?? [];
  if (!part) return;
  if ("failed" in message) {
    part.hasFailed = true;
    return;
  }
  if (message.previous !== 0 && message.previous !== part.sequence) {
    part.sequence = -1;
    connection.send({ refresh: part.topic });
    return;
  }
  const isFirst = message.previous === 0;
  part.sequence = message.sequence;
  show(element, part, message.html, isFirst);
};

// -- what is wanted ---------------------------------------------------------------------------------------------------

const subscribe = (part) => {
  Object.assign(part, { page: here(), id: ++ids, topic: null, sequence: 0 });
  connection.send({ subscribe: part.name, id: part.id, cluster: part.cluster, page: part.page });
};

// Live parts come and go with what htmx swaps, and with the page's address change what they show.
const survey = () => {
  for (const [element, part] of parts) {
    if (element.isConnected) continue;
    if (part.topic) connection.send({ unsubscribe: part.topic });
    parts.delete(element);
  }
  for (const element of document.querySelectorAll("[data-live]")) {
    const known = parts.get(element);
    if (known?.page === here()) continue;
    if (known?.topic) connection.send({ unsubscribe: known.topic });
    const part = known ?? { name: element.dataset.live, cluster: Number(element.dataset.liveCluster), html: null };
    parts.set(element, part);
    subscribe(part);
  }
  if (parts.size && !isStarted) {
    isStarted = true;
    connection.start();
  }
  say();
};

// -- the connection ---------------------------------------------------------------------------------------------------

const poll = async () => {
  let isAnswered = true;
  for (const [element, part] of [...parts]) {
    const query = new URLSearchParams({ cluster: part.cluster, page: here() });
    const response = await fetch(`/live/${part.name}/?${query}`, { headers: { "HX-Request": "true" }, cache: "no-store" });
    if (response.status === 401 || response.status === 410) location.reload();
    if (response.status === 404) refuse(part);
    isAnswered &&= response.ok;
    const html = response.ok ? await response.text() : null;
    // The socket, or another search, may have been quicker.
    if (html !== null && connection.state === "lost" && query.get("page") === here()) show(element, part, html, false);
  }
  return isAnswered;
};

const connection = connectionTo("/ws/live/", {
  opened: () => parts.forEach((part) => subscribe(part)),
  hear: (text) => hear(JSON.parse(text)),
  question: () => ({ ping: ids }),
  poll,
  changed: say,
});

survey();
document.addEventListener("submit", (event) => {
  isLeaving ||= !event.defaultPrevented;
});
retry?.addEventListener("click", connection.retry);
document.addEventListener("htmx:afterSettle", survey);
document.addEventListener("htmx:pushedIntoHistory", survey);
// What htmx put there is not what was last morphed.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  for (const [element, part] of parts) if (element.contains(detail.target)) part.html = null;
});
