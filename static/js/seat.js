// Keeps a participant's page where its class is. The page says over a websocket which turn it shows, and is sent the latest
// with the step that belongs to it; where no websocket gets through, it asks a small address every few seconds.
import { connectionTo } from "./connection.js";
import { parsed } from "./morph.js";
import { announce } from "./page.js";

// A class that loads its pages anew does not do so at the same moment.
const SPREAD_MS = 1_000;

const line = document.querySelector("[data-seat-turn]");
const state = line.querySelector("[data-seat-state]");
const notice = document.querySelector("[data-seat-notice]");
// Where a led class's step stands; pages of participants who go on alone, and experiments, have none.
const place = document.getElementById("class-step");
const main = document.getElementById("main");

let turn = Number(line.dataset.seatTurn);

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

const clock = (date) => date.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });

const connection = connectionTo("/ws/seat/", {
  hear: (text) => hear(JSON.parse(text)),
  question: () => ({ turn, language: document.documentElement.lang, step: place !== null }),
  poll: async () => {
    const query = new URLSearchParams({ turn, ...(place && { step: "on" }) });
    const response = await fetch(`${line.dataset.seatAddress}?${query}`, { headers: { "HX-Request": "true" }, cache: "no-store" });
    // The classroom has ended, or the participant has left it on another page.
    if (response.status === 401) location.reload();
    const message = response.status === 200 ? await response.json() : null;
    // The socket may have been quicker.
    if (message && connection.state === "lost") hear(message);
    return response.ok;
  },
  changed: () => {
    const text = connection.sentence(line.dataset, clock);
    line.dataset.liveConnection = connection.state;
    if (state.textContent !== text) state.textContent = text;
  },
});

state.textContent = connection.sentence(line.dataset, clock);
line.hidden = false;
connection.start();
