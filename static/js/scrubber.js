// Goes through the steps of a simulation: slider, controls and keys lead to a step, and whatever is shown of it follows,
// however one got there. A step that plays waits for the one before.
import { roving, toggled } from "./map-player.js";

const STEP_MS = 1_400;

const start = (form, place) => {
  const slider = form.querySelector("#scrubber-step");
  const controls = form.querySelector("[data-step-controls]");
  const links = [...controls.querySelectorAll("[data-step-to]")];
  const buttons = Object.fromEntries([...controls.querySelectorAll("[data-step-act]")].map((each) => [each.dataset.stepAct, each]));
  const says = { off: buttons.play.getAttribute("aria-label"), on: buttons.play.dataset.saysPause };
  const speeds = buttons.speed.dataset.speeds.split(" ").map(Number);
  let speed = speeds.indexOf(1);
  let timer = 0;
  // Which playing it is: one that was ended must not go on when its answer comes.
  let playing = 0;
  let plays = 0;
  let tallest = 0;

  const shown = () => place.querySelector("[data-step]");
  const addressOf = (name) => shown().dataset[name];

  const follow = () => {
    const step = shown();
    if (!step) return;
    // While somebody drags, the slider is ahead of what is shown.
    if (document.activeElement !== slider || playing) slider.value = step.dataset.step;
    for (const link of links) {
      const address = addressOf(link.dataset.stepTo);
      if (address) {
        link.href = address;
        link.removeAttribute("role");
        link.removeAttribute("aria-disabled");
      } else {
        link.removeAttribute("href");
        link.setAttribute("role", "link");
        link.setAttribute("aria-disabled", "true");
      }
    }
    // A long sentence moves the picture once, and no shorter one moves it back.
    tallest = Math.max(tallest, step.offsetHeight);
    step.style.minHeight = `${tallest}px`;
  };
  const go = (address) => window.htmx.ajax("GET", address, { source: controls, target: place, swap: "innerHTML" });

  // -- playing ----------------------------------------------------------------------------------------------------------

  const pause = () => {
    clearTimeout(timer);
    playing = 0;
    toggled(buttons.play, false, says);
  };
  const advance = async (address, mine) => {
    await go(address);
    if (playing !== mine) return;
    const next = addressOf("next");
    if (next) timer = setTimeout(advance, STEP_MS / speeds[speed], next, mine);
    else pause();
  };
  const changeSpeed = (to) => {
    speed = to;
    buttons.speed.querySelector("[data-step-speed]").textContent = speeds[speed];
  };
  const act = {
    play: () => {
      if (playing) {
        pause();
        return;
      }
      plays += 1;
      playing = plays;
      toggled(buttons.play, true, says);
      advance(addressOf("next") ?? addressOf("first"), playing);
    },
    speed: () => changeSpeed((speed + 1) % speeds.length),
  };
  const leap = (name) => {
    pause();
    const address = addressOf(name);
    if (address) go(address).then(() => { slider.value = shown().dataset.step; });
  };

  // -- controls and keys ------------------------------------------------------------------------------------------------

  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      leap(link.dataset.stepTo);
    });
  }
  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener("click", act[name]);
    button.hidden = false;
  }
  roving([...controls.children]);
  slider.addEventListener("input", pause);
  slider.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const then = {
      " ": act.play,
      "+": () => changeSpeed(Math.min(speeds.length - 1, speed + 1)),
      "-": () => changeSpeed(Math.max(0, speed - 1)),
      PageUp: () => leap("following"),
      PageDown: () => leap("before"),
    }[event.key];
    if (!then) return;
    event.preventDefault();
    then();
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === place) follow();
  });
  follow();
};

const form = document.getElementById("scrubber");
const place = document.getElementById("state");
if (form && place) start(form, place);
