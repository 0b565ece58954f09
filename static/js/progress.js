// Follows an ingest, a simulation, a study, a review, a plan of a drain or a classroom: fragments over the websocket, and
// by asking again where no websocket gets through.
import { connectionTo } from "./connection.js";
import { morph } from "./morph.js";
import { announce } from "./page.js";

// What stands still is asked for less and less often.
const POLL_MS = 2_000;
const LONGEST_WAIT_MS = 15_000;

const place = document.querySelector("[data-socket]");
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
  if (isOver()) connection.end();
  if (isLeft()) location.reload();
};

const connection = connectionTo(place.dataset.socket, {
  hear: show,
  poll: async () => {
    const response = await fetch(place.dataset.fragment, { headers: { "HX-Request": "true" }, cache: "no-store" });
    const isGone = response.status === 401 || response.status === 404;
    if (isGone || response.headers.has("HX-Refresh")) location.reload();
    else if (response.ok) {
      const fragment = await response.text();
      // The socket may have been quicker.
      if (connection.state === "lost") show(fragment);
    }
    return response.ok;
  },
  pollWait: () => pollWait,
});

if (!isOver()) connection.start();
