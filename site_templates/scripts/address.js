// The state in the address, both ways: #prompt=1024&output=128&batch=1.

// The position that the end of an address names, or null where it names none, as a link to a heading does not.
function positionIn(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const state = Object.fromEntries(axes.map((axis) => [axis.name, named.get(axis.name) ?? undefined]));
  const names = axes.some((axis) => named.has(axis.name));
  return names ? positionOf(state, startPosition) : null;
}

function writeAddress(state) {
  history.replaceState(history.state, "", `#${new URLSearchParams(state)}`);
}

// On paper a state is found again by its address.
addEventListener("beforeprint", () => {
  document.getElementById("printed-address").textContent = location.href;
});

// The page of another model or machine opens in the same state.
for (const link of document.querySelectorAll(".pages a")) {
  link.addEventListener("click", () => {
    link.hash = new URLSearchParams(stateAt(currentPosition()));
  });
}
