// The three controls, their presets, the reset, and the address that goes with them. Whatever moves a control, also a
// point of the roofline, does so by writing the input and saying so: the charts are bound to the inputs.

const inputs = Object.fromEntries(axes.map((axis) => [axis.name, document.getElementById(axis.name)]));
const PAGE_STEP = 3;
const SETTLED_AFTER_MS = 250;
let settling = 0;

function currentPosition() {
  return Object.fromEntries(axes.map((axis) => [axis.name, Number(inputs[axis.name].value)]));
}

// Fulfilled once the charts show it.
function moveTo(position) {
  const moved = axes.filter((axis) => String(position[axis.name]) !== inputs[axis.name].value);
  for (const axis of moved) inputs[axis.name].value = position[axis.name];
  for (const axis of moved) inputs[axis.name].dispatchEvent(new Event("input", { bubbles: true }));
  return ready.then(chartsDrawn);
}

function moveAxis(name, index) {
  moveTo({ ...currentPosition(), [name]: index });
}

// Where a key takes a control, or null where the key is not one of ours. Browsers differ in Page Up and Down.
function keyTarget(key, name) {
  const last = axes.find((axis) => axis.name === name).stops.length - 1;
  const at = Number(inputs[name].value);
  const targets = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + PAGE_STEP,
    PageDown: at - PAGE_STEP,
    Home: 0,
    End: last,
  };
  return key in targets ? Math.min(last, Math.max(0, targets[key])) : null;
}

function moveByKey(event, name) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const target = keyTarget(event.key, name);
  if (target === null) return;
  event.preventDefault();
  moveAxis(name, target);
}

// While a control moves, the address would be written too often for a browser, and every step would be read aloud.
// What is still held, a thumb or a point, has not settled.
function settleSoon() {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (document.querySelector("input:active, .dragging")) return settleSoon();
    settling = 0;
    writeAddress(stateAt(currentPosition()));
    showHeard(currentPosition());
    const announced = document.querySelector("[data-announced]");
    document.getElementById("announcement").textContent = announced.textContent;
  }, SETTLED_AFTER_MS);
}

for (const [name, input] of Object.entries(inputs)) {
  input.addEventListener("input", () => {
    // Vega says the same when it binds to the input, though nothing has moved.
    const position = currentPosition();
    if (document.documentElement.dataset[name] === String(stateAt(position)[name])) return;
    show(position);
    settleSoon();
  });
  input.addEventListener("keydown", (event) => moveByKey(event, name));
}

document.getElementById("controls").addEventListener("click", (event) => {
  const preset = event.target.closest("[data-set]")?.dataset.set;
  if (!preset) return;
  const [name, stop] = preset.split(":");
  moveTo(positionOf({ ...stateAt(currentPosition()), [name]: stop }, startPosition));
});
document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
document.getElementById("reset").addEventListener("click", () => moveTo(startPosition));

// A page that is left before its controls have settled is found again where they were.
addEventListener("pagehide", () => {
  if (settling) writeAddress(stateAt(currentPosition()));
});

// The way to the controls for those who come by keyboard must not take the state out of the address.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelector("#controls input:not([hidden])").focus();
});

// The position that an address asks for, null where it is that of a heading; a state in it is put to its stops.
function followed(hash) {
  const named = positionIn(hash);
  if (named) writeAddress(stateAt(named));
  return named ?? (hash ? null : startPosition);
}

// Before a browser says so, the controls may have settled, and written the state that they are about to leave.
addEventListener("hashchange", (event) => {
  const position = followed(new URL(event.newURL).hash);
  if (position) moveTo(position);
});

for (const [name, index] of Object.entries(followed(location.hash) ?? startPosition)) inputs[name].value = index;
show(currentPosition());
showHeard(currentPosition());
