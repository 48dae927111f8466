// The live figures in the explanations; the text itself is in the page.

import { BruteForce } from "page/brute_force.js";
import { byId, el, say } from "page/dom.js";
import { count, exact, number, seconds } from "page/numbers.js";

const cell = (text, value, testid) =>
  el("td", { class: "number", title: exact(value), "data-value": exact(value), testid }, text);

export class Explain {
  constructor(source, showExhibit, replay) {
    this.source = source;
    this.brute = new BruteForce(byId("brute-force"));
    byId("measure").addEventListener("click", () => this.measure());
    byId("clairvoyant").addEventListener("click", () => this.clairvoyant());
    byId("show-exhibit").addEventListener("click", showExhibit);
    source.on("measured", (found) => this.measured(found)).on("opened", () => this.clear());
    if (replay)
      ["measure", "clairvoyant", "show-exhibit"].forEach((id) => {
        byId(id).disabled = true;
      });
  }

  async measure() {
    byId("measure").disabled = true;
    say(byId("measure-note"), "Running both kinds of method on three games…");
    try {
      await this.source.ask("measure", {}, (message) => message.type === "measured" && message.done);
    } catch (error) {
      say(byId("measure-note"), error.message);
    }
    byId("measure").disabled = false;
  }

  /** Progress and result alike: the rows so far. */
  measured(found) {
    say(byId("measure-note"), found.note ?? "Measured just now, on the machine that serves this page.");
    const rows = found.rows.map((row) =>
      this.row(
        row,
        found.rows.filter((other) => other.game === row.game),
      ),
    );
    const head = ["game", "nodes", "target", "method", "iterations", "nodes touched", "solving time"];
    byId("measured").replaceChildren(
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...head.map((word, i) => el("th", { scope: "col", class: i === 0 || i === 3 ? "" : "number" }, word)),
          ),
        ),
        el("tbody", {}, ...rows),
      ),
      el("p", { class: "small soft" }, "★ marks the cheaper of the two. The target is an exploitability, in the game's units."),
    );
  }

  row(row, rivals) {
    const best = (name) =>
      row.reached && rivals.length > 1 && rivals.every((other) => !other.reached || row[name] <= other[name]);
    const figure = (name, text) =>
      el(
        "td",
        { class: "number", title: exact(row[name]) },
        el("span", { class: best(name) ? "win" : "" }, row.reached ? text : `> ${text}`),
      );
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, row.game),
      cell(count(row.nodes), row.nodes),
      cell(number(row.target), row.target),
      el("td", {}, row.method),
      cell(count(row.iterations), row.iterations),
      figure("touched", count(row.touched)),
      figure("seconds", seconds(row.seconds)),
    );
  }

  /** The responses were to a strategy of another game, method or seed. */
  clear() {
    byId("clairvoyance").replaceChildren();
    this.brute.draw(null);
  }

  async clairvoyant() {
    const host = byId("clairvoyance");
    const { opened } = this.source;
    try {
      const found = await this.source.ask("clairvoyant", { lane: 0 }, (message) => message.type === "clairvoyant");
      if (opened !== this.source.opened) return;
      this.brute.draw(found.brute);
      if (!found.honest) return host.replaceChildren(el("p", {}, found.note));
      const rows = [
        ["honest: one action per infoset", found.honest, found.honest_exploitability, "honest"],
        ...this.brute.summary(found),
        ["clairvoyant: one action per history", found.cheating, found.cheating_exploitability, "cheating"],
      ];
      const head = ["responder", "as player 0", "as player 1", "“exploitability”"];
      host.replaceChildren(
        el(
          "p",
          { class: "small soft" },
          `Average strategy at iteration ${count(found.iteration)}, in ${this.source.opened?.game.units.name ?? "units"} per game${found.floor ? `. At an equilibrium: 0 and 5/18 = ${number(found.floor, 4)}` : ""}.`,
        ),
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word))),
          ),
          el(
            "tbody",
            {},
            ...rows.map(([words, values, mean, testid]) =>
              el(
                "tr",
                {},
                el("th", { scope: "row" }, words),
                ...values.map((x) => cell(number(x, 4), x)),
                cell(number(mean, 4), mean, `clairvoyance-${testid}`),
              ),
            ),
          ),
        ),
      );
    } catch (error) {
      if (opened !== this.source.opened) return;
      this.brute.draw(null);
      host.replaceChildren(el("p", {}, error.message));
    }
  }
}
