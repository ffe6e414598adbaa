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

// The grid as records with the columns that the charts ask for.
function gridRows() {
  const columns = { ...data.figures, ...data.numbers };
  const names = [...new Set(Object.values(data.charts).flatMap((chart) => chart.fields))];
  const rows = [];
  for (const position of positions()) {
    const row = { row: rows.length };
    for (const name of names) row[name] = cell(columns[name], position);
    rows.push(row);
  }
  return rows;
}

function* positions(at = {}, depth = 0) {
  if (depth === axes.length) yield at;
  else {
    for (const index of axes[depth].stops.keys()) yield* positions({ ...at, [axes[depth].name]: index }, depth + 1);
  }
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

async function drawChart(name, runtime, rows) {
  const { View, parse, expressionInterpreter } = runtime;
  const spec = parse(data.charts[name].spec, null, { ast: true });
  const view = new View(spec, { expr: expressionInterpreter, renderer: "svg" });
  views[name] = view.insert("grid", rows);
  fit(name);
  const drawing = document.createElement("div");
  drawing.className = "live";
  drawing.ariaHidden = "true";
  await view.initialize(drawing).runAsync();
  return drawing;
}

async function startCharts() {
  const runtime = loadRuntime();
  const rows = gridRows();
  const names = Object.keys(data.charts);
  const drawings = await Promise.all(names.map((name) => drawChart(name, runtime, rows)));
  for (const [at, name] of names.entries()) {
    const box = document.getElementById(name);
    for (const drawn of box.querySelectorAll(".drawn")) drawn.remove();
    box.prepend(drawings[at]);
    new ResizeObserver(() => {
      fit(name);
      views[name].runAsync().then(placeHandles);
    }).observe(box);
  }
  document.documentElement.classList.remove("charts-behind");
  document.getElementById("controls").removeEventListener("input", hideStaleCharts);
  startPoints();
}

// Both charts drawn at the state of the controls.
async function chartsDrawn() {
  await Promise.all(Object.values(views).map((view) => view.runAsync()));
}

const whenIdle = globalThis.requestIdleCallback ?? ((callback) => setTimeout(callback, 200));
// Vega stands at the very end of the page, which a slow line brings long after this.
const parsed = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve);
  else resolve();
});
const idle = parsed.then(() => new Promise((resolve) => whenIdle(resolve, { timeout: 1000 })));
const ready = idle.then(startCharts);

hideStaleCharts();
document.getElementById("controls").addEventListener("input", hideStaleCharts);
