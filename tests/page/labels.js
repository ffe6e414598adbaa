// Walks every state of the page, or those of its first prompts, and gives each in which a label of the roofline
// touches what it must not: a function to evaluate in the page.
async (mostPrompts) => {
  const { axes } = JSON.parse(document.getElementById("data").textContent);
  const [prompts, outputs, batches] = axes.map((axis) => axis.stops);
  const svg = document.querySelector("#roofline svg");
  const union = (a, b) => ({
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    top: Math.min(a.top, b.top),
    bottom: Math.max(a.bottom, b.bottom),
  });
  const boxes = (selector) =>
    [...svg.querySelectorAll(selector)].map((element) => element.getBoundingClientRect()).filter((box) => box.width);
  const box = (selector) => boxes(selector).reduce(union);
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  const drawing = svg.getBoundingClientRect();
  const names = [...svg.querySelectorAll("text")]
    .filter((text) => !text.closest('[class*="_label_"], .role-axis') && text.textContent)
    .map((text) => [text.textContent, text.getBoundingClientRect()]);

  const faults = () => {
    const points = { "the prefill point": box('[class*="prefill_point"] path'), "the decode point": box('[class*="decode_point"] path') };
    const labels = { prefill: box('[class*="prefill_label"] text'), decode: box('[class*="decode_label"] text') };
    const found = touch(labels.prefill, labels.decode) ? ["the labels touch"] : [];
    for (const [phase, label] of Object.entries(labels)) {
      if (!inside(label, drawing)) found.push(`${phase} leaves the chart`);
      for (const [name, other] of [...Object.entries(points), ...names]) {
        if (touch(label, other)) found.push(`${phase} touches ${name}`);
      }
    }
    return found;
  };

  const bad = [];
  let walked = 0;
  for (const prompt of prompts.slice(0, mostPrompts)) {
    for (const output of outputs) {
      for (const batch of batches) {
        await explainer.set({ prompt, output, batch });
        walked += 1;
        for (const fault of faults()) bad.push([prompt, output, batch, fault]);
      }
    }
  }
  return { walked, bad, labels: names.map(([text]) => text) };
}
