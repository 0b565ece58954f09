// Follows an ingest, a simulation, a study, a review, a plan of a drain or a classroom: fragments over the websocket, and by asking again where no websocket gets through.
import { morph } from "./morph.js";
import { announce } from "./page.js";

// The page has to be loaded anew: it shows something else by now, or is gone.
const CHANGED = 4404;
const LONGEST_WAIT_MS = 15_000;
const FAILURES_BEFORE_POLLING = 2;
// What stands still is asked for less and less often.
const POLL_MS = 2_000;

const place = document.querySelector("[data-socket]");
let failures = 0;
let polling = null;
let pollWait = POLL_MS;
let lastShown = "";
let lastSpoken = "";

const isOver = () => place.querySelector("[data-over]") !== null;

// A first dump that is not taken leaves no cluster: the page is loaded anew, without it in the frame.
const isLeft = () => place.querySelector('[data-over="without-cluster"]') !== null;

const show = (fragment) => {
  // The server rendered and escaped this fragment from the same template as the page.
  pollWait = fragment === lastShown ? Math.min(LONGEST_WAIT_MS, pollWait * 2) : POLL_MS;
  lastShown = fragment;
  morph(place, fragment);
  window.htmx.process(place);
  place.dispatchEvent(new CustomEvent("berth:live", { bubbles: true }));
  const spoken = place.querySelector("[data-announce]")?.textContent.trim().replace(/\s+/g, " ") ?? "";
  if (spoken !== lastSpoken) announce(spoken);
  lastSpoken = spoken;
  if (isOver()) stopPolling();
  if (isLeft()) location.reload();
};

const stopPolling = () => {
  clearTimeout(polling);
  polling = null;
};

const pollLater = () => {
  polling = setTimeout(poll, pollWait * (0.75 + Math.random() / 2));
};

const poll = async () => {
  try {
    const response = await fetch(place.dataset.fragment, { headers: { "HX-Request": "true" }, cache: "no-store" });
    if (response.headers.has("HX-Refresh")) location.reload();
    else if (response.ok) show(await response.text());
    else if (response.status === 401 || response.status === 404) location.reload();
  } catch {
    // The network is away; the next round asks again.
  }
  // A message of the websocket, or the end, may have come meanwhile.
  if (polling !== null) pollLater();
};

const connect = () => {
  const address = new URL(place.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  // Not when it opens: some proxies open a websocket and let nothing through.
  socket.addEventListener("message", (event) => {
    failures = 0;
    stopPolling();
    show(event.data);
    if (isOver()) socket.close();
  });
  socket.addEventListener("close", (event) => {
    if (isOver()) return;
    if (event.code === CHANGED) {
      location.reload();
      return;
    }
    failures += 1;
    if (failures >= FAILURES_BEFORE_POLLING && polling === null) pollLater();
    const wait = Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures);
    setTimeout(connect, wait * (0.5 + Math.random() / 2));
  });
};

if (!isOver()) connect();
