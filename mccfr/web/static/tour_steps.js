// What the tour says. Every number is taken from the frame that the page shows at that moment.

import { el } from "page/dom.js";
import { count, exact, number, percent, signed } from "page/numbers.js";

const FIRST = 1;
const MANY = 1000;
const LAST = 100_000;

/** A number that the engine sent, with its name, so that a test can check it. */
const fact = (name, value, as = number) =>
  el("data", { class: "fact", "data-fact": name, value: exact(value) }, as(value));

const word = (text) => el("b", {}, text);

/** What a step may quote: the session's answers and the step under the cursor. */
export class Quotes {
  constructor(source, watch) {
    Object.assign(this, { source, watch });
  }

  get game() {
    return this.source.opened.game;
  }

  get lane() {
    return this.watch.figures();
  }

  get walk() {
    return this.watch.walk;
  }

  card(key) {
    const item = this.watch.lane.cards.items.find((one) => `${one.player}:${one.label}` === key);
    return this.walk.table(item);
  }

  /** The update with which the first walk ends. */
  get update() {
    return this.walk.events.findLast((event) => event.what === "update" && event.walk === 0);
  }

  get updateKey() {
    return `${this.update.player}:${this.update.infoset}`;
  }

  /** The draws of chance in the first walk. */
  get draws() {
    return this.walk.events.filter((event) => event.what === "choose" && event.kind === "chance" && event.walk === 0);
  }

  /** What came back to the node of that update, action by action. */
  get backs() {
    const { node } = this.update;
    return this.walk.events.filter((event) => event.what === "back" && event.node === node && event.walk === 0);
  }
}

const choice = (walk) =>
  walk.events.findIndex((event) => event.what === "choose" && event.player === walk.events[0].walker);
const lastUpdate = (walk) => walk.events.findLastIndex((event) => event.what === "update" && event.walk === 0);

const listed = (parts, between = ", ") => parts.flatMap((part, i) => (i ? [between, ...part] : part));

/** title, what is pointed at, where the page goes (iteration, step, infoset), and the words. */
export const STEPS = [
  {
    title: "The game",
    target: "#rules",
    iteration: 0,
    words: (q) => [
      "This page shows how a computer learns a card game by playing against itself. The game is Kuhn poker: as small as poker can be with a bluff still in it. Its rules are here. The cards can be dealt in ",
      fact("deals", q.game.deals, count),
      " ways. The tree below has all ",
      fact("nodes", q.game.nodes, count),
      " positions: the deal is on the left, and the ends of the game are on the right.",
    ],
  },
  {
    title: "What a player knows: an infoset",
    target: '[data-testid="card-0:Q:cb"]',
    iteration: 0,
    words: (q) => [
      "Players see their own card and the moves, but never the other card. All positions that look the same to a player are one ",
      word("infoset"),
      ", and the player must act the same way in all of them. There are ",
      fact("infosets", q.game.infosets, count),
      " infosets, and each has a card here. This one is called ",
      word("Q:cb"),
      `: ${q.card("0:Q:cb").reads}.`,
    ],
  },
  {
    title: "No idea yet",
    target: '[data-testid="card-0:K:"]',
    iteration: 0,
    words: (q) => [
      "Nothing has been learned, so every action is equally likely. With a king, player 0 checks ",
      fact("start-check", q.card("0:K:").current[0], percent),
      " and bets ",
      fact("start-bet", q.card("0:K:").current[1], percent),
      " of the time. A perfect opponent would win ",
      fact("start-exploitability", q.lane.exploitability),
      " chips per game against that. This number is the ",
      word("exploitability"),
      ", and learning means bringing it down to zero.",
    ],
  },
  {
    title: "A walk through the game",
    target: ".tree-panel",
    iteration: FIRST,
    step: choice,
    words: (q) => [
      "In the first walk, chance dealt ",
      ...listed(
        q.draws.map((event) => {
          const a = event.chosen[0];
          return [word(event.actions[a]), " (probability ", fact(`draw-${event.depth}`, event.q[a]), ")"];
        }),
        " and then ",
      ),
      ". The walk is for player 0. It will try all actions of player 0, to see what each is worth, while the other player's moves are drawn at random. This is step ",
      fact("walk-step", q.walk.cursor + 1, count),
      " of the ",
      fact("walk-steps", q.walk.length, count),
      " steps of the first iteration.",
    ],
  },
  {
    title: "What is each action worth?",
    target: ".tree-panel",
    iteration: FIRST,
    step: (walk) => lastUpdate(walk) - 1,
    words: (q) => [
      "The walk has been to the ends of the game and is back at ",
      word(q.update.infoset),
      ". It has found out what each action was worth to player 0 this time: ",
      ...listed(
        q.backs.map((event) => [
          `${q.update.actions[event.action_index]} `,
          fact(`value-${event.action_index}`, event.corrected, signed),
        ]),
      ),
      " chips.",
    ],
  },
  {
    title: "Regret",
    target: ".math-panel",
    iteration: FIRST,
    step: lastUpdate,
    infoset: (q) => q.updateKey,
    words: (q) => [
      "The current strategy mixes the actions, so it was worth ",
      ...listed(
        q.update.strategy.map((p, i) => [fact(`mix-${i}`, p), " × ", fact(`worth-${i}`, q.update.values[i])]),
        " + ",
      ),
      " = ",
      fact("mixed", q.update.value),
      ". How much better would an action have been? That difference is its ",
      word("regret"),
      ", and it is added to a running sum. The sums are now ",
      ...listed(q.card(q.updateKey).regret.map((r, i) => [`${q.update.actions[i]} `, fact(`regret-${i}`, r, signed)])),
      ".",
    ],
  },
  {
    title: "Regret matching",
    target: (q) => `[data-testid="card-${q.updateKey}"]`,
    iteration: FIRST,
    step: lastUpdate,
    infoset: (q) => q.updateKey,
    words: (q) => [
      "The next strategy plays actions in proportion to their positive regret, and those with negative regret not at all. So at ",
      word(q.update.infoset),
      " player 0 will now ",
      ...listed(
        q
          .card(q.updateKey)
          .current.map((p, i) => [`${q.update.actions[i]} `, fact(`next-${i}`, p, percent), " of the time"]),
        " and ",
      ),
      ". That is all there is to it. The rest is repetition.",
    ],
  },
  {
    title: "Many iterations",
    target: "#learning",
    iteration: MANY,
    words: (q) => [
      "Each iteration has one walk for each player. After ",
      fact("many-iterations", q.lane.iteration, count),
      " iterations, ",
      fact("many-walks", q.lane.walks, count),
      " walks have visited ",
      fact("many-touched", q.lane.touched, count),
      " positions. The exploitability was ",
      fact("first-exploitability", q.source.curves[0][0][3]),
      " after the first iteration, and now it is ",
      fact("many-exploitability", q.lane.exploitability),
      ". Every small chart is one infoset, and the dashed lines are where it should go.",
    ],
  },
  {
    title: "The average is the answer",
    target: '[data-testid="card-0:Q:cb"]',
    iteration: MANY,
    words: (q) => [
      "The current strategy never comes to rest, because both players keep answering each other. At ",
      word("Q:cb"),
      " it calls ",
      fact("many-current", q.card("0:Q:cb").current[1], percent),
      " of the time now. What settles is the ",
      word("average"),
      " over all iterations, which calls ",
      fact("many-average", q.card("0:Q:cb").average[1], percent),
      ". In perfect play this number lies between ",
      fact("target-low", q.game.targets["0:Q:cb"][1][0], percent),
      " and ",
      fact("target-high", q.game.targets["0:Q:cb"][1][1], percent),
      ".",
    ],
  },
  {
    title: "Equilibrium, and where to go next",
    target: "#learning",
    iteration: LAST,
    words: (q) => [
      "After ",
      fact("last-iterations", q.lane.iteration, count),
      " iterations even a perfect opponent wins only ",
      fact("last-exploitability", q.lane.exploitability),
      " chips per game. Where nobody can gain anything, the strategies are an ",
      word("equilibrium"),
      ". Player 0 bluffs with ",
      fact("last-bluff", q.card("0:J:").average[1], percent),
      " of the jacks, and gets ",
      fact("last-value", q.lane.expected_value, (x) => number(x, 4)),
      " chips per game; in an equilibrium it is ",
      fact("game-value", q.source.opened.equilibrium.value, (x) => number(x, 4)),
      ".",
    ],
    next: [
      ["converge", "Converge compares methods"],
      ["explain", "Explain has the formulas"],
      ["play", "Play against a strategy"],
    ],
  },
];
