// Keeps a page connected over a websocket. One that is lost, or died in silence, is connected again after pauses that
// grow; meanwhile, and where no websocket gets through, the page asks by itself every few seconds.
import { filled } from "./page.js";

// The page has to be loaded anew: nobody is let in any more, or it shows something else by now, or is gone.
const RELOADING = [4401, 4404];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
// A socket that is silent for so long is asked whether it is there, and has so long to answer.
const SILENCE_MS = 15_000;
const PATIENCE_MS = 5_000;
const TICK_MS = 1_000;
// A clock that jumped says that the machine slept.
const SLEPT_MS = 10_000;
const POLL_MS = 5_000;

// `hear` takes the text of a message, `opened` says to a new socket what the page wants. `question` makes a message
// that the server surely answers; without it a silent socket counts as a living one. `poll` asks without a socket, and
// tells whether it was answered; `pollWait` is how long until the next time. `changed` is called when the state may be
// another one.
export const connectionTo = (path, { hear, opened, question, poll, pollWait = () => POLL_MS, changed = () => {} }) => {
  let socket = null;
  let isOpen = false;
  let failures = 0;
  let nextAttempt = null;
  let lostSince = null;
  let lastHeard = 0;
  let askedAt = 0;
  let lastTick = Date.now();
  let ticking = null;
  const listening = new AbortController();
  let nextPoll = 0;
  let isPolling = false;
  let isPollAnswered = true;

  const send = (message) => isOpen && socket.send(JSON.stringify(message));

  const ask = () => {
    if (!question || !isOpen || askedAt) return;
    askedAt = Date.now();
    send(question());
  };

  const lose = () => {
    const mine = socket;
    socket = null;
    isOpen = false;
    mine.close();
    lostSince ??= new Date();
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2);
    failures += 1;
    nextAttempt = setTimeout(connect, wait);
    changed();
  };

  const connect = () => {
    clearTimeout(nextAttempt);
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const mine = new WebSocket(address);
    socket = mine;
    lastHeard = Date.now();
    askedAt = 0;
    mine.addEventListener("open", () => {
      if (socket !== mine) return;
      isOpen = true;
      opened?.();
      ask();
    });
    mine.addEventListener("message", (event) => {
      if (socket !== mine) return;
      lastHeard = Date.now();
      askedAt = 0;
      // Not when it opens: some proxies open a websocket and let nothing through.
      failures = 0;
      lostSince = null;
      hear(event.data);
      changed();
    });
    mine.addEventListener("close", (event) => {
      if (socket !== mine) return;
      if (RELOADING.includes(event.code)) location.reload();
      else lose();
    });
  };

  const retry = () => {
    failures = 0;
    if (!socket) connect();
  };

  const pollOnce = async () => {
    isPolling = true;
    try {
      isPollAnswered = await poll();
    } catch {
      isPollAnswered = false;
    }
    isPolling = false;
    // Pages that lost their server together do not ask at the same moment.
    nextPoll = Date.now() + pollWait() * (0.75 + Math.random() / 2);
    changed();
  };

  // A socket may have died while the machine slept, and neither side may know.
  const wake = () => {
    if (document.hidden) return;
    if (isOpen) ask();
    else retry();
  };

  const tick = () => {
    const now = Date.now();
    if (now - lastTick > SLEPT_MS) wake();
    lastTick = now;
    const isSilent = now - lastHeard > SILENCE_MS;
    if (isOpen && askedAt && now - askedAt > PATIENCE_MS) lose();
    else if (isOpen && isSilent) ask();
    else if (socket && !isOpen && isSilent) lose();
    if (lostSince && !isPolling && !document.hidden && now > nextPoll) pollOnce();
  };

  const start = () => {
    connect();
    ticking = setInterval(tick, TICK_MS);
    const { signal } = listening;
    document.addEventListener("visibilitychange", wake, { signal });
    window.addEventListener("online", wake, { signal });
    window.addEventListener("offline", ask, { signal });
    window.addEventListener("pageshow", (event) => event.persisted && wake(), { signal });
  };

  // Nothing comes any more.
  const end = () => {
    const mine = socket;
    socket = null;
    isOpen = false;
    lostSince = null;
    clearTimeout(nextAttempt);
    clearInterval(ticking);
    listening.abort();
    mine?.close();
  };

  return {
    start,
    end,
    send,
    retry,
    get state() {
      if (lostSince) return "lost";
      return isOpen ? "connected" : "connecting";
    },
    // The one of an element's sentences that says how it stands; `clock` writes a time.
    sentence: ({ saysConnected, saysConnecting, saysAsking, saysAway }, clock) => {
      if (lostSince) return filled(isPollAnswered ? saysAsking : saysAway, { since: clock(lostSince) });
      return isOpen ? saysConnected : saysConnecting;
    },
  };
};
