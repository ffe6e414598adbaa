// The page's data, and how a state is looked up in it. A position holds the index of a stop for each axis; a state
// holds the stops themselves.

const data = JSON.parse(document.getElementById("data").textContent);
const axes = data.axes;
for (const column of Object.values(data.figures)) column.values = column.values.split("|");
for (const column of Object.values(data.numbers)) column.values = column.values.split("|").map(Number);
for (const column of Object.values({ ...data.figures, ...data.numbers })) column.strides = stridesOf(column);
const startPosition = Object.fromEntries(axes.map((axis) => [axis.name, axis.start]));

function stateAt(position) {
  return Object.fromEntries(axes.map((axis) => [axis.name, axis.stops[position[axis.name]]]));
}

// For each axis how far apart the values of neighbouring stops are, the last axis running fastest; nothing for an axis
// that the column does not depend on.
function stridesOf(column) {
  let stride = 1;
  const strides = axes.map(() => 0);
  for (let nth = axes.length - 1; nth >= 0; nth -= 1) {
    if (!column.axes.includes(axes[nth].name)) continue;
    strides[nth] = stride;
    stride *= axes[nth].stops.length;
  }
  return strides;
}

function cell({ values, strides }, position) {
  return values[axes.reduce((index, axis, nth) => index + strides[nth] * position[axis.name], 0)];
}

function figuresAt(position) {
  return Object.fromEntries(Object.entries(data.figures).map(([name, column]) => [name, cell(column, position)]));
}

// The stop nearest in ratio, as the axes are logarithmic.
function nearestStop(axis, value) {
  const distance = (stop) => Math.abs(Math.log(stop / value));
  return axis.stops.reduce((best, stop, at) => (distance(stop) < distance(axis.stops[best]) ? at : best), 0);
}

// The position of a state; what the state leaves out, or names as no number above zero, is taken from `otherwise`.
function positionOf(state, otherwise) {
  return Object.fromEntries(
    axes.map((axis) => {
      const value = Number(state[axis.name]);
      const usable = Number.isFinite(value) && value > 0;
      return [axis.name, usable ? nearestStop(axis, value) : otherwise[axis.name]];
    }),
  );
}
