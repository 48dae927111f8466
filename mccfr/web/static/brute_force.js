// All pure strategies of both players with what they win against the average, as the server tried them: best first.

import { el } from "page/dom.js";
import { count, exact, number } from "page/numbers.js";

export class BruteForce {
  constructor(host) {
    this.host = host;
  }

  /** The row that stands beside the exact best response: none in games with too many pure strategies. */
  summary({ brute, brute_exploitability }) {
    if (!brute) return [];
    const many = new Set(brute.map((one) => count(one.strategies.length)));
    const words = `brute force: the best of ${[...many].join(" and ")} pure strategies`;
    return [[words, brute.map((one) => one.best), brute_exploitability, "brute"]];
  }

  draw(brute) {
    this.host.replaceChildren(...(brute ?? []).map((one) => this.player(one)));
  }

  player({ player, infosets, strategies }) {
    const title = `All ${count(strategies.length)} pure strategies of player ${player}, the best first`;
    const head = ["wins", ...infosets].map((word, i) => el("th", { scope: "col", class: i ? "" : "number" }, word));
    return el(
      "details",
      { class: "brute", testid: `brute-${player}` },
      el("summary", {}, title),
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "group", "aria-label": title },
        el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ...head)),
          el("tbody", {}, ...strategies.map((strategy) => this.row(strategy))),
        ),
      ),
    );
  }

  row({ actions, value, best }) {
    return el(
      "tr",
      { class: best ? "best" : "" },
      el(
        "td",
        { class: "number", title: exact(value), "data-value": exact(value) },
        el("span", { class: best ? "win" : "" }, number(value, 4)),
      ),
      ...actions.map((action) => el("td", {}, action)),
    );
  }
}
