// Pointing at what a picture shows: by mouse, by finger, and by keyboard. A picture says what lies where, what is said
// of it and where it leads; null is nothing.

const show = (element, isShown) => {
  element.hidden = !isShown;
};

// `picture` has find(x, y), boxOf(target), isSame(one, other), lines(target), move(key, at), first(), open(target, aside)
// and may have onPoint(at, before). Returns what is pointed at, how to point, and how to say it anew.
export const pointing = (stage, spoken, picture) => {
  const cursor = stage.querySelector(".picture-cursor");
  const facts = stage.querySelector(".picture-facts");
  let at = null;

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
    if (event.pointerType !== "touch" && document.activeElement !== stage) point(null);
  });
  let touched = false;
  stage.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
  });
  stage.addEventListener("click", (event) => {
    const found = under(event);
    // Fingers do not hover: the first touch tells, the second one goes.
    const isTold = !touched || isSame(found, at);
    if (!isSame(found, at)) point(found);
    if (found !== null && isTold) picture.open(found, event.ctrlKey || event.metaKey);
  });
  stage.addEventListener("auxclick", (event) => {
    const found = under(event);
    if (event.button === 1 && found !== null) picture.open(found, true);
  });

  stage.addEventListener("keydown", (event) => {
    if (event.target !== stage || event.ctrlKey || event.metaKey || event.altKey) return;
    const first = picture.first();
    if (first === null) return;
    if (event.key === "Enter" && at !== null) {
      picture.open(at, false);
      return;
    }
    const to = event.key === "Escape" && at === null ? undefined : picture.move(event.key, at ?? first);
    if (to === undefined) return;
    event.preventDefault();
    point(to);
    speak();
    if (!cursor.hidden) cursor.scrollIntoView({ block: "nearest" });
  });
  stage.addEventListener("focus", () => {
    if (at !== null || !stage.matches(":focus-visible")) return;
    const first = picture.first();
    if (first === null) return;
    point(first);
    speak();
  });
  stage.addEventListener("blur", () => point(null));

  return {
    get at() {
      return at;
    },
    point,
    // What is said of the same target is another now.
    retell() {
      if (at === null) return;
      tell();
      if (document.activeElement === stage) speak();
    },
  };
};
