// Turns what stands in an element into other HTML, changing no more than differs: what is focused, opened, scrolled,
// selected or typed in stays so. Children are told apart by id, data-key or data-drawn where they
// have one, otherwise by place.

const MARK = "changed";
const ONGOING = "time";

// A name for what a later Content-Security-Policy may allow; the server rendered and escaped this HTML.
const policy = window.trustedTypes?.createPolicy("berth-live", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

// Scripts in a template's content are inert.
export const parsed = (html) => {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  return template.content;
};

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key || node.dataset.drawn || "" : "");
const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

// What the reader or a script did to an element is not for the server to undo.
const isTheirs = (element, name) =>
  (name === "open" && (element.nodeName === "DETAILS" || element.nodeName === "DIALOG")) ||
  (name === "value" && element === document.activeElement) ||
  name === "data-fits";

const withoutMark = (value) => value.split(/\s+/).filter((word) => word && word !== MARK && !word.startsWith("htmx-")).join(" ");

const matchAttributes = (element, wanted) => {
  for (const { name, value } of wanted.attributes) {
    if (isTheirs(element, name)) continue;
    const present = element.getAttribute(name);
    if (present === value || (name === "class" && present !== null && withoutMark(present) === value)) continue;
    element.setAttribute(name, value);
  }
  for (const { name } of [...element.attributes]) {
    if (wanted.hasAttribute(name) || isTheirs(element, name)) continue;
    if (name === "class" && withoutMark(element.getAttribute("class")) === "") continue;
    element.removeAttribute(name);
  }
};

const isBlank = (node) => node.nodeType === Node.TEXT_NODE && !node.data.trim();

// Blanks between the rows of a list are of no use, and would be in the way of rows that stay where they are.
const dropBlanks = (parent) => {
  for (const child of [...parent.childNodes]) if (isBlank(child)) child.remove();
};

const add = (parent, node, place, changed) => {
  parent.insertBefore(node, place);
  if (!isBlank(node)) changed.add(node.nodeType === Node.ELEMENT_NODE ? node : parent);
};

const matchChildren = (parent, wanted, changed) => {
  if ([...wanted.children].some((child) => child.dataset.key)) {
    dropBlanks(parent);
    dropBlanks(wanted);
  }
  const wantedKeys = new Set([...wanted.childNodes].map(keyOf));
  const keyed = new Map();
  for (const child of [...parent.childNodes]) {
    const key = keyOf(child);
    if (key && !wantedKeys.has(key)) child.remove();
    else if (key) keyed.set(key, child);
  }
  let place = parent.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = keyOf(next);
    let match = key ? keyed.get(key) : place;
    if (!key) while (match && keyOf(match)) match = match.nextSibling;
    keyed.delete(key);
    if (!match || !isAlike(match, next)) {
      add(parent, next, place, changed);
      continue;
    }
    // Moving an element loses its focus and its scroll position, so it moves only where it has to.
    if (match === place) place = place.nextSibling;
    else parent.insertBefore(match, place);
    matchNode(match, next, changed);
  }
  while (place) {
    const rest = place.nextSibling;
    place.remove();
    place = rest;
  }
};

const matchNode = (node, wanted, changed) => {
  if (node.nodeType === Node.ELEMENT_NODE) {
    // The same drawing, to which a script added how it is pointed at; what stands beside it may be another.
    if (node.dataset.drawn && node.dataset.drawn === wanted.dataset.drawn) {
      const beside = [node, wanted].map((each) => each.querySelector("[data-beside]"));
      if (beside.every(Boolean)) matchChildren(...beside, changed);
      return;
    }
    matchAttributes(node, wanted);
    matchChildren(node, wanted, changed);
    return;
  }
  if (node.data === wanted.data) return;
  const isWord = node.data.trim() !== wanted.data.trim();
  node.data = wanted.data;
  if (isWord && node.parentElement) changed.add(node.parentElement);
};

// Returns the elements of which words changed, but for those that tell how long ago something was.
export const morph = (element, html) => {
  const changed = new Set();
  const focused = document.activeElement;
  matchChildren(element, parsed(html), changed);
  // An element that was moved has lost the focus.
  if (focused !== document.activeElement && focused.isConnected && element.contains(focused)) focused.focus({ preventScroll: true });
  return [...changed].filter((each) => each.isConnected && each !== element && !each.closest(ONGOING));
};

// Marks elements for a moment; app styles say how, and hold still for those who asked for less motion.
export const mark = (elements) => {
  for (const element of elements) {
    element.classList.remove(MARK);
    // Read between the two, so that a mark which is still fading begins anew.
    void element.offsetWidth;
    element.classList.add(MARK);
    setTimeout(() => element.classList.remove(MARK), 2_000);
  }
};
