// Links that ask for something impossible: what is wrong, in a sentence, and what is shown instead.

const MOST_ITERATIONS = 1e12;
const NUMBERS = {
  seed: [Number.MAX_SAFE_INTEGER, "1"],
  iteration: [MOST_ITERATIONS, "0"],
  step: [Number.MAX_SAFE_INTEGER, ""],
};

const shortened = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Replaces what makes no sense in the state of a link; returns a sentence for each. */
export function repair(state, views) {
  const said = [];
  if (!views.includes(state.view)) {
    said.push(`There is no view called “${shortened(state.view)}”, so this is the Watch view.`);
    state.view = "watch";
  }
  for (const [name, [most, instead]] of Object.entries(NUMBERS)) {
    const text = String(state[name]);
    if (text === "" && instead === "") continue;
    if (/^\d+$/.test(text) && Number(text) <= most) continue;
    said.push(
      `The link's ${name} “${shortened(text)}” is not a whole number that can be used${instead ? `, so it is ${instead}` : ""}.`,
    );
    state[name] = instead;
  }
  if (state.infoset && !/^[01]:/.test(state.infoset)) {
    said.push(`The link's infoset “${shortened(state.infoset)}” does not begin with a player, as 0:K: does.`);
    state.infoset = "";
  }
  return said;
}

/** A game or method that the server refused. */
export function refused(state, line) {
  return `The link asks for ${shortened(state.method)} on ${shortened(state.game)}, which cannot be opened: ${line} Kuhn poker with external sampling is shown instead.`;
}

/** A step that an iteration does not have. */
export function beyond(iteration, wanted, length) {
  return `Iteration ${iteration.toLocaleString("en-US")} has ${length} steps, so step ${wanted} does not exist, and the last one is shown.`;
}
