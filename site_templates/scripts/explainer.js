// What other scripts on the page may rely on.

globalThis.explainer = {
  // Fulfilled once Vega drives the charts.
  ready,
  state: () => stateAt(currentPosition()),
  // Moves the controls to the nearest stops; fulfilled once the charts show them.
  async set(state) {
    await moveTo(positionOf(state, currentPosition()));
  },
  // The figures of any state, as the page writes them.
  figures: (state) => figuresAt(positionOf(state, startPosition)),
  // Where a hollow point of "prompt" or "batch" is on the screen: client coordinates of its centre, or null.
  locate(name, stop) {
    const index = axes.find((candidate) => candidate.name === name)?.stops.indexOf(Number(stop)) ?? -1;
    if (index < 0 || !Object.values(LIVE).includes(name) || !views.roofline) return null;
    const { x, y } = hollowPlace(name, index);
    const { shown, scale } = boxScale();
    return { x: shown.left + x * scale, y: shown.top + y * scale };
  },
};
