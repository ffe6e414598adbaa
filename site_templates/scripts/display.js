// Shows a state: every live number, the texts that depend on it, and what the controls say of themselves.

const variants = [...document.querySelectorAll("[data-variant]")].map(variantsOf);
const presets = [...document.querySelectorAll("[data-set]")].map((button) => {
  const [name, stop] = button.dataset.set.split(":");
  return { button, name, stop, pressed: null };
});
const seen = liveNumbers(document.querySelectorAll("[data-figure]:not(.unseen *, [data-variant] *)"));
const heard = liveNumbers(document.querySelectorAll(".unseen [data-figure]"));

// The text of each live number, with the name of its figure and what it says. To change the text alone is less for a
// browser to do than to exchange an element's content, and to look for all of them at every move is most of the work.
function liveNumbers(elements) {
  return [...elements].map(({ dataset, firstChild: text }) => ({ name: dataset.figure, text, said: text.data }));
}

function write(numbers, figures) {
  for (const number of numbers) {
    const figure = figures[number.name];
    if (number.said !== figure) number.text.data = figure;
    number.said = figure;
  }
}

function show(position) {
  const state = stateAt(position);
  const figures = figuresAt(position);
  Object.assign(document.documentElement.dataset, state);
  showVariants(figures);
  write(seen, figures);
  for (const preset of presets) {
    const pressed = String(state[preset.name]) === preset.stop;
    if (pressed !== preset.pressed) preset.button.ariaPressed = String(pressed);
    preset.pressed = pressed;
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
function variantsOf(element) {
  const { variant, follows, value } = element.dataset;
  const templates = [...document.querySelectorAll(`template[data-variant-of="${variant}"]`)];
  const choices = new Map(templates.map((template) => [template.dataset.value, choice(template.content)]));
  choices.set(value, choice(element));
  return { element, follows, choices };
}

function choice(parent) {
  return { nodes: [...parent.childNodes], numbers: liveNumbers(parent.querySelectorAll("[data-figure]")) };
}

function showVariants(figures) {
  for (const { element, follows, choices } of variants) {
    const { nodes, numbers } = choices.get(figures[follows]);
    write(numbers, figures);
    if (element.dataset.value === figures[follows]) continue;
    element.replaceChildren(...nodes);
    element.dataset.value = figures[follows];
  }
}
