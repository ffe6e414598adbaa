// In the preview alone: loads the page again when another version of the site is there.

{
  const { changes, version } = document.currentScript.dataset;
  let source;

  // A page that nobody sees gives its connection back, of which a browser has six for a host, and asks once it is
  // seen again. A server that is started again is found by the browser itself.
  const listen = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(changes);
    source.addEventListener("message", ({ data }) => {
      if (data !== version) location.reload();
    });
  };

  document.addEventListener("visibilitychange", listen);
  listen();
}
