// Walks through states of the page, and gives each in which a label of the roofline touches what it must not, or is
// far from its point: a function to evaluate in the page.
async (states) => {
  const svg = document.querySelector("#roofline svg");
  const union = (a, b) => ({
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    top: Math.min(a.top, b.top),
    bottom: Math.max(a.bottom, b.bottom),
  });
  const boxes = (selector) =>
    [...svg.querySelectorAll(selector)].map((element) => element.getBoundingClientRect()).filter((box) => box.width);
  const box = (selector) => boxes(selector).reduce(union);
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  const drawing = svg.getBoundingClientRect();
  const plot = svg.querySelector(".root > g > .background").getBoundingClientRect();
  const top = drawing.top;
  const named = (selector) => [...svg.querySelectorAll(selector)].filter((text) => text.textContent && text.getBBox().width);

  // What a text covers, as small boxes: the one around a slanted line would be far larger than the line.
  const patches = (text) => {
    const { x, y, width, height } = text.getBBox();
    const matrix = text.getScreenCTM();
    const count = Math.ceil(width / 4);
    return Array.from({ length: count }, (_, at) => {
      const middle = new DOMPoint(x + (width * (at + 0.5)) / count, y + height / 2).matrixTransform(matrix);
      const half = matrix.b ? height / 3 : height / 2;
      const reach = matrix.b ? half : width / count / 2;
      return { left: middle.x - reach, right: middle.x + reach, top: middle.y - half, bottom: middle.y + half };
    });
  };
  const names = () => named("text").filter((text) => !text.closest('[class*="_label_"], .role-axis'));
  // A tick for which there is no room is there, and not seen.
  const ticks = named(".role-axis text").filter((text) => text.getAttribute("opacity") !== "0");

  // Names and ticks stay off each other and inside the chart. They seldom move: what was found holds until they do.
  let places = "";
  let covered = [];
  let found = [];
  const lookAtNames = () => {
    const all = [...names(), ...ticks];
    const now = all.map((text) => text.getAttribute("transform") + text.textContent).join();
    if (now === places) return;
    places = now;
    covered = all.map((text) => [text.textContent, patches(text)]);
    found = [];
    for (const [at, [name, parts]] of covered.entries()) {
      if (!parts.every((part) => inside(part, drawing))) found.push(`${name} leaves the chart`);
      for (const [other, others] of covered.slice(at + 1)) {
        if (parts.some((part) => others.some((patch) => touch(part, patch)))) found.push(`${name} touches ${other}`);
      }
    }
  };

  const faults = () => {
    const points = { "the prefill point": box('[class*="prefill_point"] path'), "the decode point": box('[class*="decode_point"] path') };
    const labels = { prefill: box('[class*="prefill_label"] text'), decode: box('[class*="decode_label"] text') };
    lookAtNames();
    const faulty = touch(labels.prefill, labels.decode) ? ["the labels touch"] : [];
    for (const [name, point] of Object.entries(points)) {
      const middle = { x: (point.left + point.right) / 2, y: (point.top + point.bottom) / 2 };
      const [across, down] = [middle.x - plot.left, middle.y - plot.top];
      if (!(across > -0.5 && across < plot.width + 0.5 && down > -0.5 && down < plot.height + 0.5)) faulty.push(`${name} is off the plot`);
    }
    for (const [phase, label] of Object.entries(labels)) {
      if (!inside(label, drawing)) faulty.push(`${phase} leaves the chart`);
      for (const [name, point] of Object.entries(points)) if (touch(label, point)) faulty.push(`${phase} touches ${name}`);
      for (const [name, parts] of covered.slice(0, names().length)) {
        if (parts.some((patch) => touch(label, patch))) faulty.push(`${phase} touches ${name}`);
      }
    }
    return [...faulty, ...found];
  };

  const bad = [];
  let walked = 0;
  for (const state of states) {
    await explainer.set(state);
    walked += 1;
    if (svg.getBoundingClientRect().top !== top) {
      bad.push([...Object.values(state), "the chart has moved"]);
    }
    for (const fault of faults()) bad.push([...Object.values(state), fault]);
  }
  return { walked, bad, labels: names().map((text) => text.textContent), ticks: ticks.map((text) => text.textContent) };
}
