// An exhibit beside the right rule: both run ahead from the same seed, so that the failure is seen at once.

import { count, number } from "page/numbers.js";
import { Session, upToNow } from "page/session.js";

const LAST = 1e6; // iterations
const LONG = 20_000; // ms after which a large game is far enough
const STEPS = [10, 100, 1000, 1e4, 3e4, 1e5, 3e5, LAST];

export class Failure {
  constructor(changed) {
    this.changed = changed;
    this.clear();
  }

  clear() {
    this.wrong = [];
    this.right = [];
    this.problem = null;
  }

  stop() {
    this.session?.close();
    this.session = null;
    this.clear();
  }

  start(game, method, seed) {
    this.reference = method
      .split("+")
      .filter((word) => word !== "page_rule")
      .join("+");
    const goals = STEPS.slice();
    const session = new Session();
    this.session = session;
    const end = performance.now() + LONG;
    session.on("error", ({ message }) => {
      this.problem = message;
      this.changed();
    });
    session.on("opened", () => session.send("view", { limit: 0 }));
    session.on("frame", (frame) => {
      if (this.session !== session) return;
      [this.wrong, this.right] = session.curves.map((curve, i) =>
        upToNow(curve, frame.lanes[i]).map((point) => [point[0], point[3]]),
      );
      while (goals.length && goals[0] <= frame.lanes[0].iteration) goals.shift();
      if (goals.length && performance.now() < end) session.send("jump", { iteration: goals[0] });
      else session.close();
      this.changed();
    });
    session.open(game, method, seed, this.reference);
  }

  /** What the two curves say. */
  words(units, replay) {
    if (replay) return " This method is an exhibit: it is biased, and its curve becomes flat.";
    if (this.problem) return ` The right rule could not be run beside it: ${this.problem}`;
    const [wrong, right] = [this.wrong.at(-1), this.right.at(-1)];
    if (!wrong || !right) return ` The right rule, ${this.reference}, is started beside it from the same seed.`;
    const stalls =
      wrong[1] > right[1]
        ? `The exhibit's curve becomes flat and ${this.reference} goes on falling: more iterations do not repair a bias.`
        : "So early the two can hardly be told apart.";
    return ` Run ahead to iteration ${count(wrong[0])}: this exhibit is at ${number(wrong[1])} ${units}, the right rule (${this.reference}, dashed) at ${number(right[1])}. ${stalls}`;
  }
}
