// Where the average strategy stands among the equilibria: Kuhn's have a free number, so targets are ranges.

import { byId, el, say, svg } from "page/dom.js";
import { exact, number, percent } from "page/numbers.js";

const SIDE = 250;
const EDGE = 42;
const TRAIL = 400;

export class Family {
  constructor(source) {
    this.source = source;
    this.host = byId("family");
  }

  opened(opened) {
    this.known = opened.equilibrium;
    this.trail = [];
    this.host.replaceChildren();
  }

  draw() {
    const lane = this.source.frame?.lanes[0];
    if (!lane) return;
    say(byId("family-of"), `average strategy at iteration ${lane.iteration.toLocaleString("en-US")}`);
    if (!lane.equilibrium) return this.host.replaceChildren(this.value(lane));
    const played = new Map(lane.cards.items.map((card) => [card.label, card]));
    this.remember(lane, played);
    const rows = Object.entries(lane.equilibrium.points).map(([label, actions]) =>
      this.row(label, actions, played.get(label)),
    );
    this.host.replaceChildren(
      this.says(lane),
      el("div", { class: "family-grid" }, this.plane(lane), el("div", {}, ...rows)),
    );
  }

  value(lane) {
    const { game } = this.source.opened;
    const known =
      game.exact_value === null || game.exact_value === undefined
        ? ""
        : ` The game's value is ${number(game.exact_value, 5)}.`;
    return el(
      "p",
      {},
      `The equilibria of this game are not shown. When the average strategy plays itself, player 0 wins ${number(lane.expected_value, 5)} ${game.units.name}/game.${known}`,
    );
  }

  says(lane) {
    const { alpha, distance } = lane.equilibrium;
    return el(
      "p",
      { class: "small" },
      "Kuhn poker has a line of equilibria. Their parameter α, from 0 to 1/3, is how often player 0 bets the jack. Nearest to the average: ",
      el("b", { testid: "alpha", "data-value": exact(alpha) }, `α = ${number(alpha)}`),
      "; largest difference of a probability: ",
      el("b", { testid: "distance", "data-value": exact(distance) }, number(distance)),
      ". Player 0 wins ",
      el("b", {}, number(lane.expected_value, 4)),
      ` chips/game (equilibrium: −1/18 = ${number(-1 / 18, 4)}).`,
    );
  }

  row(label, actions, card) {
    const [action, [low, high, target]] = Object.entries(actions).at(-1);
    const average = card ? card.average[card.actions.indexOf(action)] : null;
    const track = el("div", {
      class: "family-track",
      role: "img",
      "aria-label": `${label} ${action}: average ${percent(average)}, equilibria from ${percent(low)} to ${percent(high)}`,
    });
    const range = el("span", { class: "range" });
    range.style.left = `${100 * low}%`;
    range.style.width = `${100 * (high - low)}%`;
    if (high - low < 0.02) range.style.transform = `translateX(${low > 0.5 ? -100 : low < 0.01 ? 0 : -50}%)`;
    const tick = el("span", { class: "target" });
    tick.style.left = `${100 * target}%`;
    const dot = el("span", { class: "average" });
    dot.style.left = `${100 * (average ?? 0)}%`;
    track.append(range, ...(high - low < 0.02 ? [] : [tick]), ...(average === null ? [] : [dot]));
    return el(
      "div",
      { class: "family-row", testid: `family-${label}` },
      el("span", { class: "label" }, `${label} ${action}`),
      track,
      el("span", { class: "number", title: exact(average) }, percent(average)),
      el(
        "span",
        { class: "soft target-text" },
        high - low < 0.02 ? `→ ${percent(target)}` : `→ ${percent(low)}–${percent(high)}`,
      ),
    );
  }

  remember(lane, played) {
    const jack = played.get("J:")?.average[1];
    const king = played.get("K:")?.average[1];
    if (jack === undefined || king === undefined) return;
    if (this.trail.length && lane.iteration < this.trail.at(-1)[0]) this.trail = [];
    if (this.trail.at(-1)?.[0] !== lane.iteration) this.trail.push([lane.iteration, jack, king]);
    if (this.trail.length > TRAIL) this.trail = this.trail.filter((_, i) => i % 2 === 1 || i > TRAIL - 40);
  }

  /** The two free bets of player 0 against each other: equilibria lie on the line king = 3 jack. */
  plane(lane) {
    const x = (p) => EDGE + p * SIDE * 2;
    const y = (p) => 14 + (1 - p) * SIDE;
    const { alpha } = lane.equilibrium;
    const [, jack, king] = this.trail.at(-1) ?? [0, 0, 0];
    const points = this.trail.map(([, a, b]) => `${x(Math.min(a, 0.5)).toFixed(1)},${y(b).toFixed(1)}`).join(" ");
    return svg(
      "svg",
      {
        viewBox: `0 0 ${SIDE + EDGE + 30} ${SIDE + 56}`,
        class: "plane",
        role: "img",
        "aria-label": `Player 0 bets the jack ${percent(jack)} and the king ${percent(king)}; nearest equilibrium α = ${number(alpha)}`,
      },
      svg("path", { class: "axis", d: `M${x(0)},${y(1)} V${y(0)} H${x(0.5)}` }),
      svg("line", { class: "line", x1: x(0), y1: y(0), x2: x(1 / 3), y2: y(1) }),
      svg("polyline", { class: "trail", points }),
      svg("circle", { class: "near", cx: x(alpha), cy: y(3 * alpha), r: 8 }),
      svg("circle", { class: "point", cx: x(Math.min(jack, 0.5)), cy: y(king), r: 6 }),
      svg("text", { x: x(0.25), y: y(0) + 34, "text-anchor": "middle" }, "player 0 bets J (bluff)"),
      svg(
        "text",
        { x: 12, y: y(0.5), "text-anchor": "middle", transform: `rotate(-90 12 ${y(0.5)})` },
        "player 0 bets K",
      ),
      svg("text", { x: x(1 / 3) + 6, y: y(1) + 12 }, "α = 1/3"),
      svg("text", { x: x(0) - 4, y: y(0) + 15, "text-anchor": "end" }, "0"),
      svg("text", { x: x(0.5), y: y(0) + 15, "text-anchor": "end" }, "50%"),
      svg("text", { x: x(0) - 6, y: y(1) + 5, "text-anchor": "end" }, "100%"),
    );
  }
}
