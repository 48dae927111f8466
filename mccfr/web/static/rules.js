// The rules of the game, in sight until the reader folds them; the choice is remembered.

import { byId, say } from "page/dom.js";

const KEY = "mccfr-rules";

/** What the browser remembers under a name; nothing in a page opened from a file that may not store. */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    /* then it is only for now */
  }
}

export class Rules {
  constructor() {
    this.host = byId("rules");
    this.host.hidden = true; // until a game is open
    this.host.open = remembered(KEY) !== "folded";
    // At the click, before it takes effect: the event "toggle" comes later, and may find the page gone.
    const summary = this.host.querySelector("summary");
    summary.addEventListener("click", () => remember(KEY, this.host.open ? "folded" : "open"));
  }

  open(game) {
    this.host.hidden = !game.rules;
    say(byId("rules-of"), `of ${game.name}`);
    say(byId("rules-text"), game.rules ?? "");
    say(byId("how-to-read"), game.walks ? "" : (game.how_to_read ?? "")); // otherwise it is in the tree's legend
  }
}
