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

// For each axis that a column depends on, how far apart the values of neighbouring stops are; the last runs fastest.
function stridesOf(column) {
  let stride = 1;
  const strides = [];
  for (const axis of axes.toReversed()) {
    if (!column.axes.includes(axis.name)) continue;
    strides.push({ name: axis.name, stride });
    stride *= axis.stops.length;
  }
  return strides;
}

function cell(column, position) {
  let index = 0;
  for (const { name, stride } of column.strides) index += stride * position[name];
  return column.values[index];
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
