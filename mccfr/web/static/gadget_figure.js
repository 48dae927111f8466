// The figure of the page about re-solving: what each gadget makes of a good strategy and of a bad one.

import { el, say } from "page/dom.js";
import { choice, figure } from "page/method_figure.js";
import { number } from "page/numbers.js";
import { Session } from "page/session.js";

export class GadgetFigure {
  constructor(page) {
    this.game = choice("figure-game", "Game", page.games, (name) => name, page.games[0]);
    this.run = el("button", { class: "primary", testid: "figure-run", onclick: () => this.start() }, "Compute");
    this.halt = el("button", { testid: "figure-stop", disabled: true, onclick: () => this.stop() }, "Stop");
    this.says = el(
      "p",
      { class: "soft small", "aria-live": "polite", testid: "figure-says" },
      "Press Compute: positions of a good and of a bad strategy are solved again, behind each gadget.",
    );
    this.table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Exploitability by gadget" });
    this.element = el(
      "section",
      { class: "panel", testid: "figure", "aria-labelledby": "figure-title" },
      el(
        "div",
        { class: "panel-head" },
        el("h3", { id: "figure-title" }, "Safe and unsafe"),
        el("div", { class: "tools" }, this.game, this.run, this.halt),
      ),
      this.says,
      this.table,
    );
  }

  async start() {
    this.stop();
    const session = new Session();
    this.session = session;
    this.run.disabled = true;
    this.halt.disabled = false;
    say(this.says, "Solving positions by linear programmes…");
    session.on("gadgets", (found) => this.session === session && this.show(found));
    try {
      await session.ask("gadgets", { game: this.game.value }, (message) => message.type === "gadgets" && message.done);
    } catch (error) {
      if (this.session === session) say(this.says, error.message);
    }
    if (this.session === session) this.end();
  }

  stop() {
    if (this.session) say(this.says, "Stopped.");
    this.end();
  }

  end() {
    this.session?.close();
    this.session = null;
    this.run.disabled = false;
    this.halt.disabled = true;
  }

  show(found) {
    if (found.done) say(this.says, found.note);
    const head = ["strategy", "before", ...found.gadgets];
    this.table.replaceChildren(
      el(
        "table",
        { testid: "gadgets", "data-done": String(found.done) },
        el("thead", {}, el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word)))),
        el("tbody", {}, ...found.rows.map((row, i) => this.row(row, i, found.gadgets))),
      ),
    );
  }

  row(row, i, gadgets) {
    const after = gadgets.map((gadget) => {
      const value = row.after[gadget];
      const worse = value > row.before * 1.001;
      return figure(value === undefined ? "…" : `${worse ? "▲ " : ""}${number(value)}`, value, `gadget-${i}-${gadget}`);
    });
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, row.strategy),
      figure(number(row.before), row.before, `gadget-${i}-before`),
      ...after,
    );
  }

  recolour() {}
}
