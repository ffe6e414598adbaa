// On a slide the bench has one size, and is scaled to whatever frame it stands in.

function fitStage() {
  const { offsetWidth, offsetHeight, style } = document.body;
  const scale = Math.min(innerWidth / offsetWidth, innerHeight / offsetHeight);
  const [left, top] = [(innerWidth - offsetWidth * scale) / 2, (innerHeight - offsetHeight * scale) / 2];
  style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
}

addEventListener("resize", fitStage);
fitStage();

// On a slide these keys are those of the presenter's remote control, and lead through the slides.
addEventListener(
  "keydown",
  (event) => {
    if (parent === window || !["PageUp", "PageDown"].includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    parent.postMessage({ type: "two-phases:key", key: event.key }, "*");
  },
  { capture: true },
);
