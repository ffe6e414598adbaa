// Shows a state: every live number, the texts that depend on it, and what the controls say of themselves.

const variants = [...document.querySelectorAll("[data-variant]")];
const presets = [...document.querySelectorAll("[data-set]")];
const SEEN = "[data-figure]:not(.unseen *)";
let seen = liveNumbers(SEEN);
const heard = liveNumbers(".unseen [data-figure]");

// The text of each live number, with the name of its figure. To change the text alone is less for a browser to do
// than to exchange an element's content, and to look for all of them at every move is most of the work.
function liveNumbers(selector) {
  const elements = [...document.querySelectorAll(selector)];
  return elements.map((element) => ({ name: element.dataset.figure, text: element.firstChild }));
}

function write(numbers, figures) {
  for (const { name, text } of numbers) {
    if (text.data !== figures[name]) text.data = figures[name];
  }
}

function show(position) {
  const state = stateAt(position);
  const figures = figuresAt(position);
  Object.assign(document.documentElement.dataset, state);
  chooseVariants(figures);
  write(seen, figures);
  for (const preset of presets) {
    const [name, stop] = preset.dataset.set.split(":");
    preset.ariaPressed = String(String(state[name]) === stop);
  }
  for (const axis of axes) inputs[axis.name].ariaValueText = spoken(axis.name, figures);
}

// What is only heard follows when the controls have settled: nobody hears it before, and to lay it out takes time.
function showHeard(position) {
  write(heard, figuresAt(position));
}

// A control's value in words; the batch says as well whether it fits.
function spoken(name, figures) {
  return name === "batch" ? `${figures.batch}, ${figures.fits}` : figures[name];
}

// A text that exists in several variants follows a figure; the variants wait in templates, with numbers of their own.
function chooseVariants(figures) {
  const stale = variants.filter(({ dataset }) => dataset.value !== figures[dataset.follows]);
  for (const element of stale) {
    const { variant, follows } = element.dataset;
    const choices = document.querySelectorAll(`template[data-variant-of="${variant}"]`);
    const chosen = [...choices].find((template) => template.dataset.value === figures[follows]);
    element.replaceChildren(chosen.content.cloneNode(true));
    element.dataset.value = figures[follows];
  }
  if (stale.length > 0) seen = liveNumbers(SEEN);
}
