// Keeps the live parts of a page at the truth. A part is an element with data-live, the part's name, and
// data-live-cluster; what it shows depends on the page's address besides. One websocket brings the HTML of all of them.
import { mark, morph } from "./morph.js";
import { filled } from "./page.js";

const SIGNED_OUT = 4401;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
// A socket that is silent for so long is asked whether it is there, and has so long to answer.
const SILENCE_MS = 15_000;
const PATIENCE_MS = 5_000;
const TICK_MS = 1_000;
// A clock that jumped says that the machine slept.
const SLEPT_MS = 10_000;
const POLL_MS = 5_000;

const connection = document.querySelector("[data-live-connection]");
const stateLine = document.querySelector("[data-live-state]");
const retry = document.querySelector("[data-live-retry]");

// By element: { name, cluster, page, id, topic, sequence, html, hasFailed }.
const parts = new Map();
let socket = null;
let isOpen = false;
let failures = 0;
let nextAttempt = null;
let lostSince = null;
let lastHeard = 0;
let askedAt = 0;
let lastTick = Date.now();
let lastPoll = 0;
let isPollAnswered = true;
let ids = 0;
let isLeaving = false;

const here = () => location.pathname + location.search;
// As the server writes times.
const clock = (date) =>
  date.toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: connection.dataset.liveTimeZone,
    timeZoneName: "short",
  });
const send = (message) => isOpen && socket.send(JSON.stringify(message));

// -- saying how it stands ---------------------------------------------------------------------------------------------

const say = () => {
  if (!connection) return;
  connection.hidden = parts.size === 0;
  const hasFailed = [...parts.values()].some((part) => part.hasFailed);
  const said = connection.dataset;
  let text = said.saysConnected;
  if (lostSince) text = filled(isPollAnswered ? said.saysAsking : said.saysAway, { since: clock(lostSince) });
  else if (!isOpen) text = said.saysConnecting;
  else if (hasFailed) text = said.saysFailed;
  connection.dataset.liveConnection = lostSince || hasFailed ? "lost" : isOpen ? "connected" : "connecting";
  retry.hidden = !lostSince;
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
    send({ refresh: part.topic });
    return;
  }
  const isFirst = message.previous === 0;
  part.sequence = message.sequence;
  show(element, part, message.html, isFirst);
};

// -- what is wanted ---------------------------------------------------------------------------------------------------

const subscribe = (part) => {
  Object.assign(part, { page: here(), id: ++ids, topic: null, sequence: 0 });
  send({ subscribe: part.name, id: part.id, cluster: part.cluster, page: part.page });
};

// Live parts come and go with what htmx swaps, and with the page's address change what they show.
const survey = () => {
  for (const [element, part] of parts) {
    if (element.isConnected) continue;
    if (part.topic) send({ unsubscribe: part.topic });
    parts.delete(element);
  }
  for (const element of document.querySelectorAll("[data-live]")) {
    const known = parts.get(element);
    if (known?.page === here()) continue;
    if (known?.topic) send({ unsubscribe: known.topic });
    const part = known ?? { name: element.dataset.live, cluster: Number(element.dataset.liveCluster), html: null };
    parts.set(element, part);
    subscribe(part);
  }
  say();
};

// -- the connection ---------------------------------------------------------------------------------------------------

const connect = () => {
  clearTimeout(nextAttempt);
  nextAttempt = null;
  if (socket || parts.size === 0) return;
  const address = new URL("/ws/live/", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = new WebSocket(address);
  socket = mine;
  lastHeard = Date.now();
  askedAt = 0;
  mine.addEventListener("open", () => {
    if (socket !== mine) return;
    isOpen = true;
    for (const part of parts.values()) subscribe(part);
    send({ ping: 0 });
  });
  mine.addEventListener("message", (event) => {
    if (socket !== mine) return;
    lastHeard = Date.now();
    askedAt = 0;
    // Not when it opens: some proxies open a websocket and let nothing through.
    failures = 0;
    lostSince = null;
    hear(JSON.parse(event.data));
    say();
  });
  mine.addEventListener("close", (event) => {
    if (socket !== mine) return;
    if (event.code === SIGNED_OUT) location.reload();
    else lose();
  });
};

const lose = () => {
  const mine = socket;
  socket = null;
  isOpen = false;
  mine?.close();
  lostSince ??= new Date();
  for (const part of parts.values()) part.topic = null;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2);
  failures += 1;
  clearTimeout(nextAttempt);
  nextAttempt = setTimeout(connect, wait);
  say();
};

const retryNow = () => {
  failures = 0;
  if (socket) return;
  connect();
};

const ask = () => {
  if (!isOpen || askedAt) return;
  askedAt = Date.now();
  send({ ping: ids });
};

// -- without a websocket ----------------------------------------------------------------------------------------------

const poll = async () => {
  lastPoll = Date.now();
  for (const [element, part] of [...parts]) {
    const query = new URLSearchParams({ cluster: part.cluster, page: here() });
    try {
      const response = await fetch(`/live/${part.name}/?${query}`, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (response.status === 401) location.reload();
      if (response.status === 404) refuse(part);
      isPollAnswered = response.ok;
      const html = response.ok ? await response.text() : null;
      // The socket, or another search, may have been quicker.
      if (html !== null && !isOpen && query.get("page") === here()) show(element, part, html, false);
    } catch {
      isPollAnswered = false;
    }
  }
  say();
};

// -- time -------------------------------------------------------------------------------------------------------------

const tick = () => {
  const now = Date.now();
  const hasSlept = now - lastTick > SLEPT_MS;
  lastTick = now;
  if (hasSlept) wake();
  if (isOpen && askedAt && now - askedAt > PATIENCE_MS) lose();
  else if (isOpen && now - lastHeard > SILENCE_MS) ask();
  else if (socket && !isOpen && now - lastHeard > SILENCE_MS) lose();
  if (lostSince && !document.hidden && now - lastPoll > POLL_MS) poll();
};

// A socket may have died while the machine slept, and neither side may know.
const wake = () => {
  if (document.hidden) return;
  if (isOpen) ask();
  else retryNow();
};

survey();
if (parts.size) {
  connect();
  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  document.addEventListener("submit", (event) => {
    isLeaving ||= !event.defaultPrevented;
  });
  window.addEventListener("offline", () => socket && ask());
  window.addEventListener("pageshow", (event) => event.persisted && wake());
  retry?.addEventListener("click", retryNow);
  document.addEventListener("htmx:afterSettle", survey);
  document.addEventListener("htmx:pushedIntoHistory", survey);
  // What htmx put there is not what was last morphed.
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    for (const [element, part] of parts) if (element.contains(detail.target)) part.html = null;
  });
}
