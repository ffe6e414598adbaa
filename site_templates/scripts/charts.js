// The charts, drawn by Vega once the page is idle; until then the drawings made at build time stand in their place.
// A chart's parameters are bound to the page's inputs, so nothing here moves it.

const views = {};

// Until Vega drives the charts they show the start state alone, so they are hidden in any other.
function hideStaleCharts() {
  const moved = axes.some((axis) => Number(inputs[axis.name].value) !== axis.start);
  document.documentElement.classList.toggle("charts-behind", moved);
}

function loadRuntime() {
  const script = document.createElement("script");
  script.textContent = document.getElementById("vega-runtime").textContent;
  document.head.append(script);
  return globalThis.vegaRuntime;
}

// The grid as records with the columns that the charts ask for. Each is a copy of one record, and the loops are plain:
// here browsers are several times as quick with that as with anything shorter.
function gridRows() {
  const names = [...new Set(Object.values(data.charts).flatMap((chart) => chart.fields))];
  const columns = names.map((name) => data.figures[name] ?? data.numbers[name]);
  const record = Object.fromEntries(["row", ...names].map((name) => [name, 0]));
  const [prompts, outputs, batches] = axes.map((axis) => axis.stops.length);
  const rows = [];
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    for (let output = 0; output < outputs; output += 1) {
      for (let batch = 0; batch < batches; batch += 1) {
        const row = { ...record, row: rows.length };
        for (let nth = 0; nth < names.length; nth += 1) {
          const { values, strides } = columns[nth];
          row[names[nth]] = values[strides[0] * prompt + strides[1] * output + strides[2] * batch];
        }
        rows.push(row);
      }
    }
  }
  return rows;
}

function boxSize(name) {
  const { clientWidth, clientHeight } = document.getElementById(name);
  const { left, right, top, bottom } = data.charts[name].padding;
  return { width: clientWidth - left - right, height: clientHeight - top - bottom };
}

// Lays the chart out for the box it has; a hidden box has none, and is laid out when it shows.
function fit(name) {
  const { width, height } = boxSize(name);
  if (width <= 0 || height <= 0) return;
  views[name].width(width).height(height);
}

// Draws the chart at the size that it was given. Vega measures the labels of its axes then, so that none touches
// another; at a move of a control it would measure words as well, which no chart needs and takes long.
function draw(name) {
  const { textMetrics } = globalThis.vegaRuntime;
  textMetrics.canvas(true);
  views[name].run();
  textMetrics.canvas(false);
  return views[name].runAsync();
}

// Lets the page answer its reader and paint, so that no step of the start holds it up for long.
function breathe() {
  return globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

async function drawChart(name, runtime, rows) {
  const { View, parse, expressionInterpreter } = runtime;
  const spec = parse(data.charts[name].spec, null, { ast: true });
  await breathe();
  const view = new View(spec, { expr: expressionInterpreter, renderer: "svg" });
  views[name] = view.insert("grid", rows);
  fit(name);
  const drawing = document.createElement("div");
  drawing.className = "live";
  drawing.ariaHidden = "true";
  view.initialize(drawing);
  await breathe();
  await draw(name);
  await breathe();
  return drawing;
}

async function startCharts() {
  const runtime = loadRuntime();
  await breathe();
  const rows = gridRows();
  await breathe();
  const names = Object.keys(data.charts);
  const drawings = [];
  for (const name of names) drawings.push(await drawChart(name, runtime, rows));
  for (const [at, name] of names.entries()) {
    const box = document.getElementById(name);
    for (const drawn of box.querySelectorAll(".drawn")) drawn.remove();
    box.prepend(drawings[at]);
    new ResizeObserver(() => {
      fit(name);
      draw(name).then(placeHandles);
    }).observe(box);
  }
  document.documentElement.classList.remove("charts-behind");
  document.getElementById("controls").removeEventListener("input", hideStaleCharts);
  startPoints();
}

// The charts drawn at the state of the controls. Vega takes over an input's value only with its next run, and leaves out
// one that equals what it still has: moved there and back before that run, a chart would stay there.
async function chartsDrawn() {
  const follow = (view) => {
    for (const [name, index] of Object.entries(currentPosition())) view.signal(name, index);
  };
  await Promise.all(Object.values(views).map((view) => view.runAsync(null, follow)));
}

// Who moves a control at once waits for the charts: a page that is not idle soon starts them all the same.
const IDLE_BY_MS = 50;
const whenIdle = globalThis.requestIdleCallback ?? ((callback) => setTimeout(callback, IDLE_BY_MS));
// Vega stands at the very end of the page, which a slow line brings long after this.
const parsed = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve);
  else resolve();
});
const idle = parsed.then(() => new Promise((resolve) => whenIdle(resolve, { timeout: IDLE_BY_MS })));
const ready = idle.then(startCharts);

hideStaleCharts();
document.getElementById("controls").addEventListener("input", hideStaleCharts);
