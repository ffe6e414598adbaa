// In the head, before anything is drawn.

// A page opened at another state must not show the start state's charts.
if (/[#&](prompt|output|batch)=/.test(location.hash)) {
  document.documentElement.classList.add("charts-behind");
}

// A chart in somebody's frame has its look from its address: ?theme=light, dark or transparent.
const theme = new URLSearchParams(location.search).get("theme");
if (theme) document.documentElement.dataset.theme = theme;
