// What other scripts on the page may rely on.

globalThis.explainer = {
  // Fulfilled once Vega drives the charts.
  ready,
  state: () => stateAt(currentPosition()),
  // Moves the controls to the nearest stops; fulfilled once the charts show them.
  async set(state) {
    moveTo(positionOf({ ...stateAt(currentPosition()), ...state }, startPosition));
    await ready;
    await chartsDrawn();
  },
  // The figures of any state, as the page writes them.
  figures: (state) => figuresAt(positionOf(state, startPosition)),
  // Where a hollow point of "prompt" or "batch" is on the screen: client coordinates of its centre.
  locate(name, stop) {
    const axis = axes.find((candidate) => candidate.name === name);
    const { x, y } = hollowPlace(name, axis.stops.indexOf(stop));
    const { shown, scale } = boxScale();
    return { x: shown.left + x * scale, y: shown.top + y * scale };
  },
};
