// Keeps the live parts of a page at the truth: a part is an element with data-live that htmx can load again.
// Notices say which revision the cluster is at; whoever missed one sees that the number is higher than the one shown.

const GONE = 4404;
const LONGEST_WAIT_MS = 15_000;
// Also without a notice, for what grows old by itself: as seldom as that allows while notices come, oftener without.
const REFRESH_MS = 3_000;
const REFRESH_CONNECTED_MS = 6_000;
// The most often that a busy cluster is asked for.
const SHORTEST_PAUSE_MS = 400;

const source = document.querySelector("[data-live-socket]");
const connection = document.querySelector("[data-live-connection]");
let shown = Number(source.dataset.liveRevision);
let failures = 0;
let last = 0;
let planned = null;
let isConnected = false;

const refresh = () => {
  planned = null;
  last = Date.now();
  for (const part of document.querySelectorAll("[data-live]")) window.htmx.trigger(part, "berth:changed");
};

const plan = () => {
  planned ??= setTimeout(refresh, Math.max(0, last + SHORTEST_PAUSE_MS - Date.now()));
};

// What somebody opened stays open when its part is loaded again.
let opened = [];
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  opened = [...detail.target.querySelectorAll("details[id][open]")].map((part) => part.id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});

const say = (connected) => {
  isConnected = connected;
  if (connection) connection.hidden = isConnected;
};

const connect = () => {
  const address = new URL(source.dataset.liveSocket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    failures = 0;
    say(true);
    plan();
  });
  socket.addEventListener("message", (event) => {
    const { revision } = JSON.parse(event.data);
    if (revision === shown) return;
    shown = revision;
    plan();
  });
  socket.addEventListener("close", (event) => {
    if (event.code === GONE) {
      location.reload();
      return;
    }
    failures += 1;
    say(false);
    setTimeout(connect, Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2));
  });
};

connect();
setInterval(() => {
  if (document.hidden || (isConnected && Date.now() - last < REFRESH_CONNECTED_MS)) return;
  plan();
}, REFRESH_MS);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) plan();
});
