// On a slide the bench has one size, and is scaled to whatever frame it stands in.

function fitStage() {
  const { offsetWidth, offsetHeight, style } = document.body;
  const scale = Math.min(innerWidth / offsetWidth, innerHeight / offsetHeight);
  const [left, top] = [(innerWidth - offsetWidth * scale) / 2, (innerHeight - offsetHeight * scale) / 2];
  style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
}

addEventListener("resize", fitStage);
fitStage();
