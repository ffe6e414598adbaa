// Shows a state: every live number, the texts that depend on it, and what the controls say of themselves.

function show(position) {
  const state = stateAt(position);
  const figures = figuresAt(position);
  Object.assign(document.documentElement.dataset, state);
  chooseVariants(figures);
  for (const element of document.querySelectorAll("[data-figure]")) {
    const text = figures[element.dataset.figure];
    if (element.textContent !== text) element.textContent = text;
  }
  for (const element of document.querySelectorAll("[data-set]")) {
    const [name, stop] = element.dataset.set.split(":");
    element.setAttribute("aria-pressed", String(String(state[name]) === stop));
  }
  for (const axis of axes) {
    document.getElementById(axis.name).setAttribute("aria-valuetext", spoken(axis.name, figures));
  }
}

// A control's value in words; the batch says as well whether it fits.
function spoken(name, figures) {
  return name === "batch" ? `${figures.batch}, ${figures.fits}` : figures[name];
}

// A text that exists in several variants follows a figure; the variants wait in templates.
function chooseVariants(figures) {
  for (const element of document.querySelectorAll("[data-variant]")) {
    const { variant, follows, value } = element.dataset;
    const wanted = figures[follows];
    if (value === wanted) continue;
    const variants = document.querySelectorAll(`template[data-variant-of="${variant}"]`);
    const chosen = [...variants].find((template) => template.dataset.value === wanted);
    element.replaceChildren(chosen.content.cloneNode(true));
    element.dataset.value = wanted;
  }
}
