// In a frame: tells the page around it how high it is, so that the frame can be made as high.

if (parent !== window) {
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    parent.postMessage({ type: "two-phases:height", height }, "*");
  }).observe(document.documentElement);
}
