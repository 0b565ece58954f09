// Pointing at what a picture shows: by mouse, by finger, and by keyboard. A picture says what lies where, what is said
// of it and where it leads; null is nothing.

const show = (element, isShown) => {
  element.hidden = !isShown;
};

// `picture` has find(x, y), boxOf(target), isSame(one, other), lines(target), move(key, at), first(), open(target, aside)
// and may have onPoint(at, before), and opensAtOnce(target). A stage with several pictures has a tab stop for each: then first() is told which,
// and isIn(target, stop) says of which a target is. Returns what is pointed at, how to point, and how to say it anew.
export const pointing = (stage, spoken, picture, stops = [stage]) => {
  const cursor = stage.querySelector(".picture-cursor");
  const facts = stage.querySelector(".picture-facts");
  let at = null;

  const hasFocus = () => stops.includes(document.activeElement);
  const within = (stop) => (at !== null && (stops.length === 1 || picture.isIn(at, stop)) ? at : null);
  const isSame = (one, other) => one === other || (one !== null && other !== null && picture.isSame(one, other));
  const paragraphs = () =>
    picture.lines(at).map((line) => Object.assign(document.createElement("p"), { textContent: line }));
  const tell = () => {
    facts.replaceChildren(...paragraphs());
    const box = picture.boxOf(at);
    const below = box.y + box.h + 8;
    const isBelow = below + facts.offsetHeight <= Math.max(stage.clientHeight, box.y);
    Object.assign(facts.style, {
      left: `${Math.max(0, Math.min(box.x, stage.clientWidth - facts.offsetWidth))}px`,
      top: `${isBelow ? below : Math.max(0, box.y - facts.offsetHeight - 8)}px`,
    });
  };
  const point = (to) => {
    const before = at;
    at = to;
    stage.classList.toggle("on-something", at !== null);
    show(cursor, at !== null);
    show(facts, at !== null);
    picture.onPoint?.(at, before);
    if (at === null) return;
    const box = picture.boxOf(at);
    Object.assign(cursor.style, {
      left: `${box.x - 2}px`,
      top: `${box.y - 2}px`,
      width: `${box.w + 4}px`,
      height: `${box.h + 4}px`,
    });
    tell();
  };
  const speak = () => {
    spoken.replaceChildren(...(at === null ? [] : paragraphs()));
  };

  const under = (event) => {
    const frame = stage.getBoundingClientRect();
    return picture.find(event.clientX - frame.left, event.clientY - frame.top);
  };
  stage.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const found = under(event);
    if (!isSame(found, at)) point(found);
  });
  stage.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch" && !hasFocus()) point(null);
  });
  let touched = false;
  stage.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
  });
  stage.addEventListener("click", (event) => {
    const found = under(event);
    // Fingers do not hover: the first touch tells and the second one goes, but for what opens at once.
    const isAtOnce = touched && found !== null && picture.opensAtOnce?.(found);
    const isTold = !touched || isAtOnce || isSame(found, at);
    if (!isSame(found, at)) point(found);
    if (isAtOnce) show(facts, false);
    if (found !== null && isTold) picture.open(found, event.ctrlKey || event.metaKey);
  });
  stage.addEventListener("auxclick", (event) => {
    const found = under(event);
    if (event.button === 1 && found !== null) picture.open(found, true);
  });

  const walk = (stop, event) => {
    if (event.target !== stop || event.ctrlKey || event.metaKey || event.altKey) return;
    const first = picture.first(stop);
    if (first === null) return;
    const from = within(stop);
    if (event.key === "Enter" && from !== null) {
      picture.open(from, false);
      return;
    }
    const to = event.key === "Escape" && from === null ? undefined : picture.move(event.key, from ?? first);
    if (to === undefined) return;
    // What Escape leaves besides is for the page.
    if (event.key !== "Escape") event.preventDefault();
    point(to);
    speak();
    if (!cursor.hidden) cursor.scrollIntoView({ block: "nearest" });
  };
  const enter = (stop) => {
    if (within(stop) !== null || !stop.matches(":focus-visible")) return;
    const first = picture.first(stop);
    if (first === null) return;
    point(first);
    speak();
  };
  for (const stop of stops) {
    stop.addEventListener("keydown", (event) => walk(stop, event));
    stop.addEventListener("focus", () => enter(stop));
    stop.addEventListener("blur", () => point(null));
  }

  return {
    get at() {
      return at;
    },
    point,
    // What is said of the same target is another now.
    retell() {
      if (at === null) return;
      tell();
      if (hasFocus()) speak();
    },
  };
};
