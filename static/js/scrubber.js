// The slider of a simulation: it follows the step that is shown, however one got there, and so does the picture.

const slider = document.getElementById("scrubber-step");
const place = document.getElementById("state");

const follow = () => {
  const shown = place.querySelector("[data-step]");
  if (!shown) return;
  // While somebody drags, the slider is ahead of what is shown.
  if (document.activeElement !== slider) slider.value = shown.dataset.step;
  const picture = document.querySelector("[data-picture]");
  if (picture) picture.dataset.picture = shown.dataset.pictureOf;
};

if (slider && place) {
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === place) follow();
  });
}
