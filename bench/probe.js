// Runs in each page before anything of its own, the same in all of them. What a chart shows is known by its words,
// which the three pages share: "decode, 8 requests" stands at decode's point when the batch is 8.

globalThis.probe = (() => {
  const canvasWords = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    canvasWords.push(String(text));
    return fillText.call(this, text, ...rest);
  };

  const longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({
    type: "longtask",
    buffered: true,
  });

  // Whether one of the charts that can be seen says this, alone or with more behind it.
  function shows(words) {
    if (canvasWords.includes(words)) return true;
    for (const text of document.querySelectorAll("svg text")) {
      if (text.textContent === words && text.checkVisibility({ visibilityProperty: true })) return true;
    }
    return false;
  }

  // Calls back before each frame until told `true`; fulfilled with the time when that frame has been painted.
  function painted(isDone) {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      const look = () => {
        if (isDone()) port2.postMessage(null);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }

  // A range or, in Altair's file, a list of choices.
  function control(name) {
    return document.querySelector(`input#${name}, select[name="${name}"]`);
  }

  function move(input, index) {
    canvasWords.length = 0;
    if (input.tagName === "SELECT") input.selectedIndex = index;
    else input.value = index;
    input.dispatchEvent(new Event(input.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  }

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  return {
    // The time from the navigation to the frame with the first chart.
    firstChart: (words) => painted(() => shows(words)),

    // The time until a chart shows what the control stands at, which is moved over the stops after the first, from
    // the frame in which it appears, and on at every `pauseMs`.
    liveChart(name, words, pauseMs) {
      let at = 0;
      let movedAt = -Infinity;
      return painted(() => {
        if (at > 0 && shows(words[at])) return true;
        const input = control(name);
        if (!input || performance.now() - movedAt < pauseMs) return false;
        at = (at % (words.length - 1)) + 1;
        movedAt = performance.now();
        move(input, at);
        return false;
      });
    },

    // Milliseconds over 50 of all tasks since the navigation, once there have been none for some time.
    async blocked(quietMs) {
      const lastEnd = () => Math.max(0, ...longTasks.map((task) => task.startTime + task.duration));
      while (performance.now() - lastEnd() < quietMs) await pause(100);
      return longTasks.reduce((sum, task) => sum + task.duration - 50, 0);
    },

    // Milliseconds from each move to the painted frame that shows it. They come at any moment between two frames, as
    // a reader's do.
    async moves(steps) {
      const times = [];
      for (const [nth, { name, index, words }] of steps.entries()) {
        await pause(40 + ((nth * 7) % 17));
        const start = performance.now();
        move(control(name), index);
        times.push((await painted(() => shows(words))) - start);
      }
      return times;
    },
  };
})();
