// The view is in the address: a link shows what its sender saw.

const DEFAULTS = {
  view: "watch",
  game: "kuhn",
  method: "external",
  other: "cfr",
  seed: "1",
  iteration: "0",
  step: "",
  infoset: "",
  curves: "",
  axis: "iteration",
  run: "",
  line: "",
  versus: "",
  agent: "",
  about: "",
  tour: "",
};

/** The state in the hash, completed by defaults; unknown names are dropped. */
export function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const state = {};
  for (const [name, value] of Object.entries(DEFAULTS)) state[name] = given.get(name) ?? value;
  return state;
}

/** Writes what differs from the defaults (the view and the three words that fix the numbers always). */
export function writeAddress(state) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const always = ["view", "game", "method", "seed"].includes(name);
    const text = String(state[name] ?? "");
    if (always || text !== value) words.set(name, text);
  }
  const hash = `#${words.toString().replace(/%(3A|2C|28|29)/g, decodeURIComponent)}`;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

/** Whether the hash was given at all (otherwise what the command line asked for applies). */
export const addressed = () => location.hash.length > 1;
