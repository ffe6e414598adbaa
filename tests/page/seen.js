// All that the page shows of its state, as one object: a function to evaluate in it.
() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const middle = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  const texts = (selector, inside) => all(selector, inside).map((element) => element.textContent).filter(Boolean);
  const shown = (name) =>
    all(`#${name} svg`).find((svg) => svg.checkVisibility({ visibilityProperty: true }) && svg.clientWidth > 0);
  const plot = (svg) => svg.querySelector(".root > g > .background").getBoundingClientRect();

  // A place as a share of the plot, from its lower left corner.
  const share = (place, box) => ({ x: (place.x - box.left) / box.width, y: (box.bottom - place.y) / box.height });
  const point = (svg, phase) => {
    const path = svg.querySelector(`[class*="${phase}_point"] path`);
    return {
      ...share(middle(path), plot(svg)),
      centre: middle(path),
      shape: path.getAttribute("d"),
      label: texts(`[class*="${phase}_label"] text`, svg),
    };
  };
  const roofline = (svg) =>
    svg && { width: plot(svg).width, prefill: point(svg, "prefill"), decode: point(svg, "decode"), texts: texts("text", svg) };
  // What the page around a drawing makes of its pixels, a slide tool or the reader's zoom.
  const scale = (svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  // The ticks are the dashes of one line, each a pixel long.
  const dashes = (line) => {
    const length = line.x2.baseVal.value;
    const period = line.getAttribute("stroke-dasharray").split(",").map(Number).reduce((a, b) => a + b);
    return length > 0 ? Math.floor((length - 1) / period) + 1 : 0;
  };
  const timeline = (svg) =>
    svg && {
      width: plot(svg).width,
      scale: scale(svg),
      prefill: svg.querySelector('[class*="prefill_bar"] path').getBoundingClientRect().width,
      decode: svg.querySelector('[class*="decode_bar"] path').getBoundingClientRect().width,
      ticks: dashes(svg.querySelector('[class*="ticks"] line')),
      texts: texts("text", svg),
    };
  const numbers = Object.fromEntries(
    Object.entries(document.documentElement.dataset).map(([name, stop]) => [name, Number(stop)]),
  );
  const table = all("table").find((element) => element.querySelector("[data-figure]"));
  return {
    hash: location.hash,
    state: { prompt: numbers.prompt, output: numbers.output, batch: numbers.batch },
    figures: all("[data-figure]:not(.unseen *)").map((element) => [element.dataset.figure, element.textContent]),
    table: all("[data-figure]", table).map((element) => element.dataset.figure),
    values: Object.fromEntries(all("input[type=range]").map((input) => [input.id, Number(input.value)])),
    spoken: Object.fromEntries(all("input[type=range]").map((input) => [input.id, input.ariaValueText])),
    pressed: all('[data-set][aria-pressed="true"]').map((button) => button.dataset.set),
    control: document.querySelector(".control.decode")?.innerText,
    reading: document.querySelector("#reading").textContent,
    handles: Object.fromEntries(all("[data-point]").map((handle) => [handle.dataset.point, middle(handle)])),
    roofline: roofline(shown("roofline")),
    timeline: timeline(shown("timeline")),
  };
}
