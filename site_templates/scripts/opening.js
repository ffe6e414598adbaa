// In the head, before anything is drawn: a page opened at another state must not show the start state's charts.
if (/[#&](prompt|output|batch)=/.test(location.hash)) {
  document.documentElement.classList.add("charts-behind");
}
