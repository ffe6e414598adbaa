// The roofline's points under mouse, finger and keyboard. The live points have handles above the drawing; a hollow
// point is found by where it is. All places are in the chart's own pixels.

const LIVE = { decode: "batch", prefill: "prompt" };
const LIVE_REACH = 24;
const HOLLOW_REACH = 16;
// Hollow points closer together than this are one to the eye: decode's, which is drawn above.
const ONE_TO_THE_EYE = 1;
const roofline = document.getElementById("roofline");
const handles = {};

function place(phase, position) {
  const { left, top } = data.charts.roofline.padding;
  const x = cell(data.numbers[`${phase}_flop_per_byte`], position);
  const y = cell(data.numbers[`${phase}_flop_per_s`], position);
  return { x: left + views.roofline.scale("x")(x), y: top + views.roofline.scale("y")(y) };
}

function hollowPlace(name, index) {
  const phase = Object.keys(LIVE).find((key) => LIVE[key] === name);
  return place(phase, { ...currentPosition(), [name]: index });
}

// Whatever scales the page, a slide tool or the reader, scales the box: its own width against the one it shows.
function boxScale() {
  const shown = roofline.getBoundingClientRect();
  return { shown, scale: shown.width / roofline.offsetWidth };
}

function pointerPlace(event) {
  const { shown, scale } = boxScale();
  return { x: (event.clientX - shown.left) / scale, y: (event.clientY - shown.top) / scale };
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

// All that can be hit, in the order that decides a tie: live before hollow, decode before prefill.
function targets() {
  const here = currentPosition();
  const movable = Object.keys(LIVE).filter((phase) => !handles[phase].inert);
  const live = movable.map((phase) => ({ phase, reach: LIVE_REACH, ...place(phase, here) }));
  const hollow = Object.values(LIVE).flatMap((name) => {
    const axis = axes.find((candidate) => candidate.name === name);
    return axis.presets.map((stop) => {
      const index = axis.stops.indexOf(stop);
      return { name, index, reach: HOLLOW_REACH, ...hollowPlace(name, index) };
    });
  });
  return [...live, ...hollow.filter((point, at) => !hollow.slice(0, at).some((other) => covers(other, point)))];
}

function covers(point, other) {
  return point.name !== other.name && distance(point, other) < ONE_TO_THE_EYE;
}

function targetAt(spot) {
  let nearest = null;
  for (const target of targets()) {
    const away = distance(target, spot);
    if (away <= target.reach && (!nearest || away < distance(nearest, spot))) nearest = target;
  }
  return nearest;
}

// The stop under the pointer: a point follows it along the roof, so only the way across counts.
function nearestOnRoof(phase, x) {
  const name = LIVE[phase];
  const axis = axes.find((candidate) => candidate.name === name);
  const away = axis.stops.map((_, index) => Math.abs(hollowPlace(name, index).x - x));
  return away.indexOf(Math.min(...away));
}

// Moved aside from the corner, a handle does not have the page laid out again.
function placeHandles() {
  // A chart by itself need not be the roofline.
  if (!roofline) return;
  const here = currentPosition();
  for (const [phase, handle] of Object.entries(handles)) {
    const { x, y } = place(phase, here);
    handle.style.translate = `${x}px ${y}px`;
    // It is a second way to move a control, and says what that says.
    const { value, ariaValueText } = inputs[LIVE[phase]];
    Object.assign(handle, { ariaValueNow: value, ariaValueText });
  }
}

function makeHandle(phase) {
  const input = inputs[LIVE[phase]];
  const handle = document.createElement("div");
  handle.className = `handle ${phase}`;
  handle.dataset.point = phase;
  handle.tabIndex = 0;
  handle.inert = input.hidden;
  const attributes = { role: "slider", "aria-label": phase, "aria-valuemin": input.min, "aria-valuemax": input.max };
  for (const [key, value] of Object.entries(attributes)) handle.setAttribute(key, value);
  handle.addEventListener("keydown", (event) => moveByKey(event, LIVE[phase]));
  roofline.append(handle);
  return handle;
}

let dragged = null;
let pressed = null;

function press(event) {
  if (event.button !== 0 || dragged) return;
  pressed = targetAt(pointerPlace(event));
  if (pressed?.phase) startDrag(event, pressed);
}

function startDrag(event, { phase, x }) {
  // The browser would select text or, on a finger, scroll.
  event.preventDefault();
  // Taken beside its centre, the point stays as far from the pointer as it was.
  dragged = { phase, pointer: event.pointerId, beside: x - pointerPlace(event).x };
  handles[phase].focus({ preventScroll: true });
  // Held by the pointer's element, the drag goes on outside the chart until the button is up.
  roofline.setPointerCapture(event.pointerId);
  roofline.classList.add("dragging");
}

function drag(event) {
  if (!dragged) showReach(event);
  else if (event.pointerId === dragged.pointer) {
    moveAxis(LIVE[dragged.phase], nearestOnRoof(dragged.phase, pointerPlace(event).x + dragged.beside));
  }
}

function endDrag() {
  dragged = null;
  roofline.classList.remove("dragging");
}

function showReach(event) {
  const target = targetAt(pointerPlace(event));
  roofline.classList.toggle("over-live", Boolean(target?.phase));
  roofline.classList.toggle("over-hollow", Boolean(target && !target.phase));
}

// A click counts where it was pressed: the end of a drag is a click as well, and may lie on any point.
function choose() {
  if (pressed?.name) moveAxis(pressed.name, pressed.index);
  pressed = null;
}

function startPoints() {
  if (!roofline) return;
  for (const phase of Object.keys(LIVE)) handles[phase] = makeHandle(phase);
  roofline.addEventListener("pointerdown", press);
  roofline.addEventListener("pointermove", drag);
  roofline.addEventListener("lostpointercapture", endDrag);
  roofline.addEventListener("click", choose);
  for (const input of Object.values(inputs)) input.addEventListener("input", placeHandles);
  placeHandles();
}
