// Keeps a participant's page where its class is. The page says over a websocket which turn it shows, and is sent the latest
// with the step that belongs to it; where no websocket gets through, it asks a small address every few seconds.
import { parsed } from "./morph.js";
import { announce, filled } from "./page.js";

const SIGNED_OUT = 4401;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
// A socket that is silent for so long is asked whether it is there, and has so long to answer.
const SILENCE_MS = 15_000;
const PATIENCE_MS = 5_000;
const TICK_MS = 1_000;
const POLL_MS = 5_000;
// A class that loads its pages anew does not do so at the same moment.
const SPREAD_MS = 1_000;

const line = document.querySelector("[data-seat-turn]");
const state = line.querySelector("[data-seat-state]");
const notice = document.querySelector("[data-seat-notice]");
// Where a led class's step stands; pages of participants who go on alone, and experiments, have none.
const place = document.getElementById("class-step");
const main = document.getElementById("main");

let turn = Number(line.dataset.seatTurn);
let socket = null;
let isOpen = false;
let failures = 0;
let lostSince = null;
let lastHeard = 0;
let askedAt = 0;
let nextPoll = 0;
let isPollAnswered = true;

// -- saying how it stands -------------------------------------------------------------------------------------------------

const clock = (date) => date.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });

const say = () => {
  const said = line.dataset;
  let text = isOpen ? said.saysConnected : said.saysConnecting;
  if (lostSince) text = filled(isPollAnswered ? said.saysAsking : said.saysAway, { since: clock(lostSince) });
  line.dataset.liveConnection = lostSince ? "lost" : isOpen ? "connected" : "connecting";
  if (state.textContent !== text) state.textContent = text;
};

// -- what somebody has begun to write -------------------------------------------------------------------------------------

const isAnswer = ({ name }) => name === "answer" || name?.startsWith("each:");
const written = () => {
  const forms = [...main.querySelectorAll('form[method="post"]')];
  return JSON.stringify(forms.flatMap((form) => [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken")));
};
let before = written();
const isDirty = () => written() !== before;

// What was filled in and not sent, as people read it.
const unsent = () => {
  const fields = [...(place.querySelector("form[data-lesson]")?.elements ?? [])].filter(isAnswer);
  const isChoice = ({ type }) => type === "checkbox" || type === "radio";
  return fields
    .filter((field) => (isChoice(field) ? field.checked : field.value))
    .map((field) => {
      if (isChoice(field)) return field.closest("label").textContent.trim();
      return field.dataset.node ? `${field.dataset.node}: ${field.selectedOptions[0].label}` : field.value;
    });
};

const keepUnsent = (texts) => {
  const kept = document.querySelector("template[data-seat-unsent]").content.cloneNode(true);
  const list = kept.querySelector("ul");
  for (const text of texts) {
    const item = document.createElement("li");
    item.textContent = text;
    list.append(item);
  }
  place.querySelector("#result")?.after(kept);
};

// -- another turn ---------------------------------------------------------------------------------------------------------

const stepOf = (shows) => shows.slice(0, shows.lastIndexOf("/"));

const show = ({ html, shows, title, address, said }) => {
  if (place.dataset.shows === shows) return;
  const isSameStep = stepOf(place.dataset.shows) === stepOf(shows);
  const left = isSameStep && isDirty() ? unsent() : [];
  const hadFocus = document.activeElement === document.body || place.contains(document.activeElement);
  place.replaceChildren(parsed(html));
  place.dataset.shows = shows;
  // What is sent to the whole class has no token; the page has its own.
  const token = document.querySelector('input[name="csrfmiddlewaretoken"]');
  for (const form of place.querySelectorAll('form[method="post"]')) form.prepend(token.cloneNode());
  if (left.length) keepUnsent(left);
  history.replaceState(history.state, "", address);
  document.title = title + document.title.slice(document.title.lastIndexOf(" · "));
  window.htmx.process(place);
  place.dispatchEvent(new CustomEvent("berth:replaced", { bubbles: true }));
  before = written();
  announce(said);
  if (!hadFocus) return;
  const target = (isSameStep && place.querySelector("#result")) || place.querySelector("h1");
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  if (isSameStep) target.scrollIntoView({ block: "start" });
  else scrollTo(0, 0);
};

// Who has begun to write something goes when they are ready.
const follow = (address, said) => {
  if (isDirty()) {
    notice.querySelector("[data-seat-said]").textContent = said;
    notice.querySelector("a").href = address;
    notice.hidden = false;
    return;
  }
  setTimeout(() => location.assign(address), Math.random() * SPREAD_MS);
};

// An experiment with the step where the class is, or a part of its decision.
const isPartOf = (address) => location.pathname.startsWith(address) && location.pathname !== address;

const hear = (message) => {
  if (message.turn === turn) return;
  turn = message.turn;
  if (place && message.html) show(message);
  else if (place) follow(location.pathname, message.said);
  else if (message.address && !isPartOf(message.address)) follow(message.address, message.said);
};

// -- the connection -------------------------------------------------------------------------------------------------------

const ask = () => {
  if (!isOpen || askedAt) return;
  askedAt = Date.now();
  socket.send(JSON.stringify({ turn, language: document.documentElement.lang, step: place !== null }));
};

const lose = () => {
  const mine = socket;
  socket = null;
  isOpen = false;
  mine?.close();
  lostSince ??= new Date();
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2);
  failures += 1;
  setTimeout(connect, wait);
  say();
};

const connect = () => {
  if (socket) return;
  const address = new URL("/ws/seat/", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = new WebSocket(address);
  socket = mine;
  lastHeard = Date.now();
  askedAt = 0;
  mine.addEventListener("open", () => {
    if (socket !== mine) return;
    isOpen = true;
    ask();
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

// -- without a websocket --------------------------------------------------------------------------------------------------

const poll = async () => {
  nextPoll = Date.now() + POLL_MS * (0.75 + Math.random() / 2);
  try {
    const query = new URLSearchParams({ turn, ...(place && { step: "on" }) });
    const response = await fetch(`${line.dataset.seatAddress}?${query}`, { headers: { "HX-Request": "true" }, cache: "no-store" });
    // The classroom has ended, or the participant has left it on another page.
    if (response.status === 401) location.reload();
    isPollAnswered = response.ok;
    const message = response.status === 200 ? await response.json() : null;
    // The socket may have been quicker.
    if (message && lostSince) hear(message);
  } catch {
    isPollAnswered = false;
  }
  say();
};

const tick = () => {
  const now = Date.now();
  if (isOpen && askedAt && now - askedAt > PATIENCE_MS) lose();
  else if (isOpen && now - lastHeard > SILENCE_MS) ask();
  else if (socket && !isOpen && now - lastHeard > SILENCE_MS) lose();
  if (lostSince && !document.hidden && now > nextPoll) poll();
};

// A socket may have died while the machine slept, and neither side may know.
const wake = () => {
  if (document.hidden) return;
  if (isOpen) ask();
  else connect();
};

line.hidden = false;
say();
connect();
setInterval(tick, TICK_MS);
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("offline", wake);
window.addEventListener("pageshow", (event) => event.persisted && wake());
