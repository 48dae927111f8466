// After a hand: what the agent's strategy would have done in the player's seat, and the agent's range as a grid.

import { el } from "page/dom.js";
import { readCards } from "page/felt.js";
import { handGrid, stack, swatch } from "page/grid.js";
import { exact, percent } from "page/numbers.js";

const STREETS = ["Before the flop", "Flop", "Turn", "River"];
const RANKS = "23456789TJQKA";

/** The class of two cards, as the grid names it: `AKs`. */
function classOf([one, other]) {
  const [high, low] = RANKS.indexOf(one[0]) >= RANKS.indexOf(other[0]) ? [one, other] : [other, one];
  if (high[0] === low[0]) return high[0] + low[0];
  return `${high[0]}${low[0]}${high[1] === low[1] ? "s" : "o"}`;
}

export class Review {
  constructor(host) {
    this.host = host;
  }

  clear() {
    this.last = null;
    this.host.hidden = true;
    this.host.replaceChildren();
  }

  recolour() {
    if (this.last) this.draw(...this.last);
  }

  draw(review, hand) {
    this.last = [review, hand];
    this.host.hidden = false;
    this.host.replaceChildren(this.advice(review.decisions, hand), this.range(review.range, hand));
  }

  advice(decisions, hand) {
    const decided = hand.log.some((line) => line.who === "you");
    return el(
      "div",
      { class: "panel", testid: "advice" },
      el("h2", {}, "What its strategy would have done in your seat"),
      decisions.length
        ? el("ol", { class: "decisions" }, ...decisions.map((one) => this.decision(one)))
        : el("p", { class: "soft" }, decided ? "This agent does not say." : "You had nothing to decide."),
    );
  }

  decision({ street, board, pot, asked, made, probability, moves }) {
    const where = [STREETS[street], ...board].join(" ");
    const place = `${readCards(where)}: pot ${pot}${asked ? `, ${asked} to call` : ""}.`;
    const odds = probability === null ? "not one of its moves" : `it does so ${percent(probability)} of the time`;
    return el(
      "li",
      { testid: "decision" },
      el("p", {}, el("strong", {}, place), ` You: ${made} (${odds}).`),
      stack(moves.map((one) => one.probability)),
      el(
        "p",
        { class: "move-odds" },
        ...moves.map((one, i) =>
          el(
            "span",
            { class: one.label === made ? "chosen" : null, title: exact(one.probability) },
            swatch(i),
            ` ${one.label}${one.size ? ` (${one.size})` : ""} ${percent(one.probability)}`,
          ),
        ),
      ),
    );
  }

  range(range, hand) {
    const held = hand.agent.cards;
    const panel = el("div", { class: "panel", testid: "range" }, el("h2", {}, "The agent's range"));
    if (!range) {
      panel.append(el("p", { class: "soft" }, "Nothing can be said about the hands with which this agent plays so."));
      return panel;
    }
    this.details = el("p", { class: "small", "aria-live": "polite", testid: "range-details" });
    const grid = handGrid({
      cells: range.cells,
      testid: "range-grid",
      label: "The agent's range",
      marked: classOf(held),
      empty: "impossible with the cards you saw",
      says: (cell) => `played so ${percent(cell.weight)} of the time, ${percent(cell.share)} of its range`,
      fill: (cell) => level(cell.height),
      choose: (cell, button) => this.tell(cell, button),
    });
    const most = percent(Math.max(...range.cells.map((cell) => cell.weight)));
    const words =
      `The fuller a cell, the more often its hands are played like that: those of the fullest ${most} of the time. ` +
      `It had ${readCards(held.join(" "))}, the framed cell.`;
    panel.append(el("p", { class: "small" }, words), grid, this.details);
    return panel;
  }

  tell(cell, button) {
    this.chosen?.setAttribute("aria-pressed", "false");
    this.chosen = button;
    button.setAttribute("aria-pressed", "true");
    const combos = cell.combos.map(({ hand, weight }) => `${hand.slice(0, 2)} ${hand.slice(2)} ${percent(weight)}`);
    const often = `${percent(cell.weight)} of the time`;
    const means = `${cell.hand} is played so ${often} and is ${percent(cell.share)} of its range`;
    this.details.textContent = readCards(combos.length ? `${means}: ${combos.join(", ")}.` : `${means}.`);
  }
}

function level(share) {
  const bar = el("span", { class: "level", "aria-hidden": "true" });
  bar.style.height = `${100 * share}%`;
  return bar;
}
